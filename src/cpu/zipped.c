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
