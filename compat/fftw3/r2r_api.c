/* SPDX-License-Identifier: BSD-3-Clause */
/* r2r_api.c - the planner's names for transforms from real to real. */
#include "compat.h"

static request request_of(real *in, real *out, const r2r_kind *kind,
                          unsigned flags)
{
    return (request){.kind = WEFT_R2R,
                     .r2r = kind,
                     .at = {{in, NULL}, {out, NULL}},
                     .flags = flags};
}

handle *X(plan_many_r2r)(int rank, const int *n, int howmany, real *in,
                         const int *inembed, int istride, int idist, real *out,
                         const int *onembed, int ostride, int odist,
                         const r2r_kind *kind, unsigned flags)
{
    shape s;
    request r = request_of(in, out, kind, flags);
    if (!shape_of_many(&s, rank, n, howmany, (side){inembed, istride, idist},
                       (side){onembed, ostride, odist}, NO_REALS, in == out))
        return NULL;
    return plan_make(&s, &r);
}

handle *X(plan_r2r)(int rank, const int *n, real *in, real *out,
                    const r2r_kind *kind, unsigned flags)
{
    return X(plan_many_r2r)(rank, n, 1, in, NULL, 1, 1, out, NULL, 1, 1, kind,
                            flags);
}

handle *X(plan_r2r_1d)(int n, real *in, real *out, r2r_kind kind,
                       unsigned flags)
{
    return X(plan_r2r)(1, &n, in, out, &kind, flags);
}

handle *X(plan_r2r_2d)(int n0, int n1, real *in, real *out, r2r_kind kind0,
                       r2r_kind kind1, unsigned flags)
{
    const int n[] = {n0, n1};
    const r2r_kind kind[] = {kind0, kind1};
    return X(plan_r2r)(2, n, in, out, kind, flags);
}

handle *X(plan_r2r_3d)(int n0, int n1, int n2, real *in, real *out,
                       r2r_kind kind0, r2r_kind kind1, r2r_kind kind2,
                       unsigned flags)
{
    const int n[] = {n0, n1, n2};
    const r2r_kind kind[] = {kind0, kind1, kind2};
    return X(plan_r2r)(3, n, in, out, kind, flags);
}

handle *X(plan_guru_r2r)(int rank, const iodim *dims, int howmany_rank,
                         const iodim *howmany_dims, real *in, real *out,
                         const r2r_kind *kind, unsigned flags)
{
    return plan_guru(rank, dims, howmany_rank, howmany_dims,
                     request_of(in, out, kind, flags));
}

handle *X(plan_guru64_r2r)(int rank, const iodim64 *dims, int howmany_rank,
                           const iodim64 *howmany_dims, real *in, real *out,
                           const r2r_kind *kind, unsigned flags)
{
    return plan_guru64(rank, dims, howmany_rank, howmany_dims,
                       request_of(in, out, kind, flags));
}
