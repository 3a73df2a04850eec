/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * zipped.c - see zipped.h.
 */
#include "cpu/zipped.h"

#include "cpu/stream.h"

/* Leg i of a tile; that of the other one that comes with it, its last real. */
static ptrdiff_t leg_of(const wf_zipper *z, int i)
{
    return i * z->near;
}

static ptrdiff_t last_of(const wf_zipper *z, int i, size_t count)
{
    return (z->radix - 1 - i) * z->near + 2 * (ptrdiff_t)count - 1;
}

void wf_unzip_legs(const wf_zipper *z, size_t count, const void *front,
                   const void *back, void *tile, void *mirror)
{
    for (int i = 0; i < z->radix / 2; i++) {
        ptrdiff_t here = leg_of(z, i), there = last_of(z, i, count);
        WF_MOVE(&z->mover, unzip, wf_to(tile, here, z->bytes),
                wf_to(mirror, there, z->bytes),
                wf_at(front, i * z->far, z->bytes), z->negate, 4 * count);
        WF_MOVE(&z->mover, unzip, wf_to(mirror, here, z->bytes),
                wf_to(tile, there, z->bytes),
                wf_at(back, i * z->far, z->bytes), z->negate, 4 * count);
    }
}

void wf_zip_legs(const wf_zipper *z, size_t count, void *front, void *back,
                 const void *tile, const void *mirror)
{
    for (int i = 0; i < z->radix / 2; i++) {
        ptrdiff_t here = leg_of(z, i), there = last_of(z, i, count);
        WF_MOVE(&z->mover, zip, wf_to(front, i * z->far, z->bytes),
                wf_at(tile, here, z->bytes), wf_at(mirror, there, z->bytes),
                z->negate, 4 * count);
        WF_MOVE(&z->mover, zip, wf_to(back, i * z->far, z->bytes),
                wf_at(mirror, here, z->bytes), wf_at(tile, there, z->bytes),
                z->negate, 4 * count);
    }
}

/* Whole blocks from both ends, and butterflies that have a mirror image. */
static bool column_zips(const wf_step *column, int64_t columns, bool inverse)
{
    int last = column->radices - 1;
    return column->kind == WF_STEP_COLUMN && last > 0 &&
           columns % (2 * (int64_t)column->width) == 0 &&
           column->radix[inverse ? last : 0] % 2 == 0;
}

/* The first pass, or the last, in whole blocks from both ends. */
static bool passes_zip(const wf_step *step, bool inverse)
{
    const int end = inverse ? step->radices - 1 : 0;
    const int64_t width = step->width, r = step->radix[end];
    return step->radices > 1 && !step->fused[inverse ? end - 1 : 0] &&
           step->radix[0] % width == 0 && r % 2 == 0 &&
           step->n / r % (2 * width) == 0;
}

bool wf_step_zips(const wf_step *step, bool inverse)
{
    if (step->kind == WF_STEP_STOCKHAM)
        return passes_zip(step, inverse);
    return step->kind == WF_STEP_FOURSTEP &&
           step->child[1]->kind == WF_STEP_COLUMN &&
           column_zips(step->child[inverse], step->split[!inverse], inverse);
}

/* Blocks of whole lines in either plane, turned in whole vectors; a pass over
 * the planes in vectors of up to 16. */
bool wf_step_zips_planes(const wf_step *step, size_t bytes)
{
    const wf_mover best = wf_mover_best(bytes == 8 ? WF_F64 : WF_F32);
    return step->kind == WF_STEP_FOURSTEP && wf_mover_has_lines(&best) &&
           (size_t)step->child[0]->width * bytes >= WF_LINE &&
           step->split[0] % step->child[0]->width == 0 &&
           step->n / 2 % 16 == 0;
}

/* Passes take turns with the room, the last comes from there. */
bool wf_step_zips_from_output(const wf_step *step)
{
    int passes = step->radices;
    for (int i = 0; i < step->radices; i++)
        passes -= step->fused[i];
    return step->kind == WF_STEP_FOURSTEP || passes % 2 == 0;
}
