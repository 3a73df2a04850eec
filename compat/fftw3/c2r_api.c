/* SPDX-License-Identifier: BSD-3-Clause */
/* c2r_api.c - the planner's names for transforms from complex to real. */
#include "compat.h"

static request request_of(pair *in, real *out, unsigned flags)
{
    return (request){.kind = WEFT_C2R,
                     .at = {{in, NULL}, {out, NULL}},
                     .flags = flags};
}

static request split_request(real *ri, real *ii, real *out, unsigned flags)
{
    return (request){.kind = WEFT_C2R,
                     .layout = WEFT_SPLIT,
                     .at = {{ri, ii}, {out, NULL}},
                     .flags = flags};
}

handle *X(plan_many_dft_c2r)(int rank, const int *n, int howmany, pair *in,
                             const int *inembed, int istride, int idist,
                             real *out, const int *onembed, int ostride,
                             int odist, unsigned flags)
{
    shape s;
    request r = request_of(in, out, flags);
    if (!shape_of_many(&s, rank, n, howmany, (side){inembed, istride, idist},
                       (side){onembed, ostride, odist}, REAL_OUTPUT,
                       (real *)in == out))
        return NULL;
    return plan_make(&s, &r);
}

handle *X(plan_dft_c2r)(int rank, const int *n, pair *in, real *out,
                        unsigned flags)
{
    return X(plan_many_dft_c2r)(rank, n, 1, in, NULL, 1, 1, out, NULL, 1, 1,
                                flags);
}

handle *X(plan_dft_c2r_1d)(int n, pair *in, real *out, unsigned flags)
{
    return X(plan_dft_c2r)(1, &n, in, out, flags);
}

handle *X(plan_dft_c2r_2d)(int n0, int n1, pair *in, real *out, unsigned flags)
{
    const int n[] = {n0, n1};
    return X(plan_dft_c2r)(2, n, in, out, flags);
}

handle *X(plan_dft_c2r_3d)(int n0, int n1, int n2, pair *in, real *out,
                           unsigned flags)
{
    const int n[] = {n0, n1, n2};
    return X(plan_dft_c2r)(3, n, in, out, flags);
}

handle *X(plan_guru_dft_c2r)(int rank, const iodim *dims, int howmany_rank,
                             const iodim *howmany_dims, pair *in, real *out,
                             unsigned flags)
{
    return plan_guru(rank, dims, howmany_rank, howmany_dims,
                     request_of(in, out, flags));
}

handle *X(plan_guru64_dft_c2r)(int rank, const iodim64 *dims, int howmany_rank,
                               const iodim64 *howmany_dims, pair *in,
                               real *out, unsigned flags)
{
    return plan_guru64(rank, dims, howmany_rank, howmany_dims,
                       request_of(in, out, flags));
}

handle *X(plan_guru_split_dft_c2r)(int rank, const iodim *dims,
                                   int howmany_rank, const iodim *howmany_dims,
                                   real *ri, real *ii, real *out,
                                   unsigned flags)
{
    return plan_guru(rank, dims, howmany_rank, howmany_dims,
                     split_request(ri, ii, out, flags));
}

handle *X(plan_guru64_split_dft_c2r)(int rank, const iodim64 *dims,
                                     int howmany_rank,
                                     const iodim64 *howmany_dims, real *ri,
                                     real *ii, real *out, unsigned flags)
{
    return plan_guru64(rank, dims, howmany_rank, howmany_dims,
                       split_request(ri, ii, out, flags));
}
