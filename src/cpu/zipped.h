/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * zipped.h - butterflies on samples that are in the order of a cosine transform.
 *
 * Types II and III sort 2h reals x into h complex numbers z, or the other way:
 * z[j] is x[4j], x[4j+2] and z[h-1-j] is x[4j+3], x[4j+1] for j < h/2.  So four
 * neighbours in x are two elements of z, one from the front and one from the
 * back.  A butterfly of even radix r on elements p + m i, i < r, m r = h, and
 * that on m-1-p + m i share theirs: element p + m i, i < r/2, comes with number
 * r-1-i of the other, and likewise back.  Two groups of neighbouring
 * butterflies, at p and at its mirror image, thus are all that r pieces of x
 * hold.  They meet the kernels in two tiles in the first cache, in the place of
 * a vector z in memory.
 */
#ifndef WEFT_CPU_ZIPPED_H
#define WEFT_CPU_ZIPPED_H

#include "cpu/move.h"

/* Offsets count scalars. */
typedef struct wf_zipper {
    wf_mover mover;
    size_t bytes;   /* of a scalar */
    bool negate;    /* odd elements of x: sines */
    int radix;      /* even */
    ptrdiff_t far;  /* from one leg to the next in x, */
    ptrdiff_t near; /* and in a tile */
} wf_zipper;

/* Two tiles of legs of `count` complex numbers from the pieces of x at front and
 * back, 4 count reals each and r/2 of both; and the tiles back to the pieces. */
void wf_unzip_legs(const wf_zipper *z, size_t count, const void *front,
                   const void *back, void *tile, void *mirror);
void wf_zip_legs(const wf_zipper *z, size_t count, void *front, void *back,
                 const void *tile, const void *mirror);

/* The pieces into the second cache: lines that are there are written at once. */
static inline __attribute__((always_inline)) void wf_zip_fetch(
    const wf_zipper *z, size_t count, const char *front, const char *back)
{
    for (int i = 0; i < z->radix / 2; i++) {
        ptrdiff_t leg = i * z->far * (ptrdiff_t)z->bytes;
        wf_fetch(front + leg, 4 * count * z->bytes);
        wf_fetch(back + leg, 4 * count * z->bytes);
    }
}

/* Of a step that zips: bound with wf_usage.planes, too?  Inverse, may its input be
 * where its output will be, or else in its room? */
bool wf_step_zips_planes(const wf_step *step, size_t bytes);
bool wf_step_zips_from_output(const wf_step *step);

#endif
