/* SPDX-License-Identifier: BSD-3-Clause */
/* r2c_api.c - the planner's names for transforms from real to complex. */
#include "compat.h"

static request request_of(real *in, pair *out, unsigned flags)
{
    return (request){.kind = WEFT_R2C,
                     .at = {{in, NULL}, {out, NULL}},
                     .flags = flags};
}

static request split_request(real *in, real *ro, real *io, unsigned flags)
{
    return (request){.kind = WEFT_R2C,
                     .layout = WEFT_SPLIT,
                     .at = {{in, NULL}, {ro, io}},
                     .flags = flags};
}

handle *X(plan_many_dft_r2c)(int rank, const int *n, int howmany, real *in,
                             const int *inembed, int istride, int idist,
                             pair *out, const int *onembed, int ostride,
                             int odist, unsigned flags)
{
    shape s;
    request r = request_of(in, out, flags);
    if (!shape_of_many(&s, rank, n, howmany, (side){inembed, istride, idist},
                       (side){onembed, ostride, odist}, REAL_INPUT,
                       in == (real *)out))
        return NULL;
    return plan_make(&s, &r);
}

handle *X(plan_dft_r2c)(int rank, const int *n, real *in, pair *out,
                        unsigned flags)
{
    return X(plan_many_dft_r2c)(rank, n, 1, in, NULL, 1, 1, out, NULL, 1, 1,
                                flags);
}

handle *X(plan_dft_r2c_1d)(int n, real *in, pair *out, unsigned flags)
{
    return X(plan_dft_r2c)(1, &n, in, out, flags);
}

handle *X(plan_dft_r2c_2d)(int n0, int n1, real *in, pair *out, unsigned flags)
{
    const int n[] = {n0, n1};
    return X(plan_dft_r2c)(2, n, in, out, flags);
}

handle *X(plan_dft_r2c_3d)(int n0, int n1, int n2, real *in, pair *out,
                           unsigned flags)
{
    const int n[] = {n0, n1, n2};
    return X(plan_dft_r2c)(3, n, in, out, flags);
}

handle *X(plan_guru_dft_r2c)(int rank, const iodim *dims, int howmany_rank,
                             const iodim *howmany_dims, real *in, pair *out,
                             unsigned flags)
{
    return plan_guru(rank, dims, howmany_rank, howmany_dims,
                     request_of(in, out, flags));
}

handle *X(plan_guru64_dft_r2c)(int rank, const iodim64 *dims, int howmany_rank,
                               const iodim64 *howmany_dims, real *in,
                               pair *out, unsigned flags)
{
    return plan_guru64(rank, dims, howmany_rank, howmany_dims,
                       request_of(in, out, flags));
}

handle *X(plan_guru_split_dft_r2c)(int rank, const iodim *dims,
                                   int howmany_rank, const iodim *howmany_dims,
                                   real *in, real *ro, real *io,
                                   unsigned flags)
{
    return plan_guru(rank, dims, howmany_rank, howmany_dims,
                     split_request(in, ro, io, flags));
}

handle *X(plan_guru64_split_dft_r2c)(int rank, const iodim64 *dims,
                                     int howmany_rank,
                                     const iodim64 *howmany_dims, real *in,
                                     real *ro, real *io, unsigned flags)
{
    return plan_guru64(rank, dims, howmany_rank, howmany_dims,
                       split_request(in, ro, io, flags));
}
