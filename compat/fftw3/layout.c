/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layout.c - FFTW's three ways to describe a shape, turned into one list of
 * (n, is, os).
 *
 * Guru says just that.  Basic and advanced give lengths, and for each side the
 * extents of the array the data is embedded in; strides are products of the
 * extents to the right.  With one side real, its last extent is n, or in place
 * the 2 (n/2 + 1) reals that the n/2 + 1 complex numbers of the other take.
 *
 * Strides of dimensions of length 1 do not matter; they are made 1 so that a
 * shape without any stride is not taken for weft's packed default.
 */
#include "compat.h"

static bool refuse(const char *why)
{
    trace_refusal(NULL, why);
    return false;
}

static bool rank_is_sound(int rank, const void *dims)
{
    if (rank < 0 || rank > MAX_DIMS)
        return refuse("the rank is negative or beyond 64");
    return rank == 0 || dims || refuse("the dimensions are NULL");
}

static weft_dim dim_of(int64_t n, int64_t is, int64_t os)
{
    return n == 1 ? (weft_dim){1, 1, 1} : (weft_dim){n, is, os};
}

bool shape_of_guru64(shape *s, int rank, const iodim64 *dims, int batch_rank,
                     const iodim64 *batch)
{
    if (!rank_is_sound(rank, dims) || !rank_is_sound(batch_rank, batch))
        return false;
    s->rank = rank;
    s->batch_rank = batch_rank;
    for (int i = 0; i < rank; i++)
        s->dims[i] = dim_of(dims[i].n, dims[i].is, dims[i].os);
    for (int i = 0; i < batch_rank; i++)
        s->batch[i] = dim_of(batch[i].n, batch[i].is, batch[i].os);
    return true;
}

static const iodim64 *widen(int count, const iodim *dims, iodim64 *wide)
{
    for (int i = 0; i < count; i++)
        wide[i] = (iodim64){dims[i].n, dims[i].is, dims[i].os};
    return wide;
}

bool shape_of_guru(shape *s, int rank, const iodim *dims, int batch_rank,
                   const iodim *batch)
{
    iodim64 wide[MAX_DIMS], wide_batch[MAX_DIMS];
    if (!rank_is_sound(rank, dims) || !rank_is_sound(batch_rank, batch))
        return false;
    return shape_of_guru64(s, rank, widen(rank, dims, wide), batch_rank,
                           widen(batch_rank, batch, wide_batch));
}

/* a * b for |b| < 2^31. */
static bool product(int64_t a, int64_t b, int64_t *result)
{
    int64_t magnitude = b < 0 ? -b : b;
    if (magnitude && (a > INT64_MAX / magnitude || a < -INT64_MAX / magnitude))
        return refuse("a stride does not fit in 63 bits");
    *result = a * b;
    return true;
}

/* The extent of the last dimension where the caller gives none. */
static int64_t last_extent(int64_t n, bool reals, bool complexes,
                           bool in_place)
{
    if (complexes)
        return n / 2 + 1;
    return reals && in_place ? 2 * (n / 2 + 1) : n;
}

/* stride[i] = stride * the extents right of i. */
static bool strides_of(int64_t *stride, int rank, const int *n, side given,
                       int64_t last)
{
    int64_t s = given.stride;
    for (int i = rank - 1; i >= 0; i--) {
        int64_t extent = given.embed    ? given.embed[i]
                         : i < rank - 1 ? n[i]
                                        : last;
        stride[i] = s;
        if (i > 0 && !product(s, extent, &s))
            return false;
    }
    return true;
}

bool shape_of_many(shape *s, int rank, const int *n, int howmany, side in,
                   side out, real_side reals, bool in_place)
{
    int64_t is[MAX_DIMS], os[MAX_DIMS];
    if (!rank_is_sound(rank, n))
        return false;
    int64_t last = rank ? n[rank - 1] : 1;
    s->rank = rank;
    if (!strides_of(is, rank, n, in,
                    last_extent(last, reals == REAL_INPUT,
                                reals == REAL_OUTPUT, in_place)) ||
        !strides_of(os, rank, n, out,
                    last_extent(last, reals == REAL_OUTPUT,
                                reals == REAL_INPUT, in_place)))
        return false;
    for (int i = 0; i < rank; i++)
        s->dims[i] = dim_of(n[i], is[i], os[i]);
    s->batch_rank = 1;
    s->batch[0] = dim_of(howmany, in.dist, out.dist);
    return true;
}
