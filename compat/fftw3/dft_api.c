/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dft_api.c - the planner's names for complex transforms.  Basic is advanced
 * with one packed transform; the three ways of guru and advanced meet in
 * plan_make.
 */
#include "compat.h"

static request request_of(pair *in, pair *out, int sign, unsigned flags)
{
    return (request){.kind = WEFT_C2C,
                     .sign = sign,
                     .at = {{in, NULL}, {out, NULL}},
                     .flags = flags};
}

/* Split transforms are forward; the inverse is had by exchanging re and im. */
static request split_request(real *ri, real *ii, real *ro, real *io,
                             unsigned flags)
{
    return (request){.kind = WEFT_C2C,
                     .layout = WEFT_SPLIT,
                     .sign = FFTW_FORWARD,
                     .at = {{ri, ii}, {ro, io}},
                     .flags = flags};
}

handle *X(plan_many_dft)(int rank, const int *n, int howmany, pair *in,
                         const int *inembed, int istride, int idist, pair *out,
                         const int *onembed, int ostride, int odist, int sign,
                         unsigned flags)
{
    shape s;
    request r = request_of(in, out, sign, flags);
    if (!shape_of_many(&s, rank, n, howmany, (side){inembed, istride, idist},
                       (side){onembed, ostride, odist}, NO_REALS, in == out))
        return NULL;
    return plan_make(&s, &r);
}

handle *X(plan_dft)(int rank, const int *n, pair *in, pair *out, int sign,
                    unsigned flags)
{
    return X(plan_many_dft)(rank, n, 1, in, NULL, 1, 1, out, NULL, 1, 1, sign,
                            flags);
}

handle *X(plan_dft_1d)(int n, pair *in, pair *out, int sign, unsigned flags)
{
    return X(plan_dft)(1, &n, in, out, sign, flags);
}

handle *X(plan_dft_2d)(int n0, int n1, pair *in, pair *out, int sign,
                       unsigned flags)
{
    const int n[] = {n0, n1};
    return X(plan_dft)(2, n, in, out, sign, flags);
}

handle *X(plan_dft_3d)(int n0, int n1, int n2, pair *in, pair *out, int sign,
                       unsigned flags)
{
    const int n[] = {n0, n1, n2};
    return X(plan_dft)(3, n, in, out, sign, flags);
}

handle *X(plan_guru_dft)(int rank, const iodim *dims, int howmany_rank,
                         const iodim *howmany_dims, pair *in, pair *out,
                         int sign, unsigned flags)
{
    return plan_guru(rank, dims, howmany_rank, howmany_dims,
                     request_of(in, out, sign, flags));
}

handle *X(plan_guru64_dft)(int rank, const iodim64 *dims, int howmany_rank,
                           const iodim64 *howmany_dims, pair *in, pair *out,
                           int sign, unsigned flags)
{
    return plan_guru64(rank, dims, howmany_rank, howmany_dims,
                       request_of(in, out, sign, flags));
}

handle *X(plan_guru_split_dft)(int rank, const iodim *dims, int howmany_rank,
                               const iodim *howmany_dims, real *ri, real *ii,
                               real *ro, real *io, unsigned flags)
{
    return plan_guru(rank, dims, howmany_rank, howmany_dims,
                     split_request(ri, ii, ro, io, flags));
}

handle *X(plan_guru64_split_dft)(int rank, const iodim64 *dims,
                                 int howmany_rank, const iodim64 *howmany_dims,
                                 real *ri, real *ii, real *ro, real *io,
                                 unsigned flags)
{
    return plan_guru64(rank, dims, howmany_rank, howmany_dims,
                       split_request(ri, ii, ro, io, flags));
}
