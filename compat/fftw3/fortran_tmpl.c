/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran_tmpl.c - the subroutines of the legacy Fortran interface, included
 * by fortran_api.c once for each way to decorate a NAME.  Arguments come by
 * address; what C returns goes to the first.
 */

#define SUBROUTINE(name, parameters)        \
    FFTW_EXTERN void NAME(name) parameters; \
    void NAME(name) parameters

/* ---- Executing ---------------------------------------------------------- */

SUBROUTINE(execute, (plan_word const *p))
{
    X(execute)(*p);
}

SUBROUTINE(execute_dft, (plan_word const *p, pair *in, pair *out))
{
    X(execute_dft)(*p, in, out);
}

SUBROUTINE(execute_dft_r2c, (plan_word const *p, real *in, pair *out))
{
    X(execute_dft_r2c)(*p, in, out);
}

SUBROUTINE(execute_dft_c2r, (plan_word const *p, pair *in, real *out))
{
    X(execute_dft_c2r)(*p, in, out);
}

SUBROUTINE(execute_r2r, (plan_word const *p, real *in, real *out))
{
    X(execute_r2r)(*p, in, out);
}

SUBROUTINE(execute_split_dft,
           (plan_word const *p, real *ri, real *ii, real *ro, real *io))
{
    X(execute_split_dft)(*p, ri, ii, ro, io);
}

SUBROUTINE(execute_split_dft_r2c,
           (plan_word const *p, real *in, real *ro, real *io))
{
    X(execute_split_dft_r2c)(*p, in, ro, io);
}

SUBROUTINE(execute_split_dft_c2r,
           (plan_word const *p, real *ri, real *ii, real *out))
{
    X(execute_split_dft_c2r)(*p, ri, ii, out);
}

/* ---- Complex transforms ------------------------------------------------- */

SUBROUTINE(plan_dft, (plan_word * p, const int *rank, const int *n, pair *in,
                      pair *out, const int *sign, const int *flags))
{
    reversed r = reverse(*rank, n);
    *p = X(plan_dft)(*rank, r.n, in, out, *sign, (unsigned)*flags);
}

SUBROUTINE(plan_dft_1d, (plan_word * p, const int *n, pair *in, pair *out,
                         const int *sign, const int *flags))
{
    *p = X(plan_dft_1d)(*n, in, out, *sign, (unsigned)*flags);
}

SUBROUTINE(plan_dft_2d, (plan_word * p, const int *nx, const int *ny, pair *in,
                         pair *out, const int *sign, const int *flags))
{
    *p = X(plan_dft_2d)(*ny, *nx, in, out, *sign, (unsigned)*flags);
}

SUBROUTINE(plan_dft_3d,
           (plan_word * p, const int *nx, const int *ny, const int *nz,
            pair *in, pair *out, const int *sign, const int *flags))
{
    *p = X(plan_dft_3d)(*nz, *ny, *nx, in, out, *sign, (unsigned)*flags);
}

SUBROUTINE(plan_many_dft,
           (plan_word * p, const int *rank, const int *n, const int *howmany,
            pair *in, const int *inembed, const int *istride, const int *idist,
            pair *out, const int *onembed, const int *ostride,
            const int *odist, const int *sign, const int *flags))
{
    reversed r = reverse(*rank, n), i = reverse(*rank, inembed),
             o = reverse(*rank, onembed);
    *p = X(plan_many_dft)(*rank, r.n, *howmany, in, inembed ? i.n : NULL,
                          *istride, *idist, out, onembed ? o.n : NULL,
                          *ostride, *odist, *sign, (unsigned)*flags);
}

SUBROUTINE(plan_guru_dft,
           (plan_word * p, const int *rank, const int *n, const int *is,
            const int *os, const int *howmany_rank, const int *h_n,
            const int *h_is, const int *h_os, pair *in, pair *out,
            const int *sign, const int *flags))
{
    iodims d = zip(*rank, n, is, os);
    iodims h = zip(*howmany_rank, h_n, h_is, h_os);
    *p = X(plan_guru_dft)(*rank, d.dim, *howmany_rank, h.dim, in, out, *sign,
                          (unsigned)*flags);
}

SUBROUTINE(plan_guru_split_dft,
           (plan_word * p, const int *rank, const int *n, const int *is,
            const int *os, const int *howmany_rank, const int *h_n,
            const int *h_is, const int *h_os, real *ri, real *ii, real *ro,
            real *io, const int *flags))
{
    iodims d = zip(*rank, n, is, os);
    iodims h = zip(*howmany_rank, h_n, h_is, h_os);
    *p = X(plan_guru_split_dft)(*rank, d.dim, *howmany_rank, h.dim, ri, ii, ro,
                                io, (unsigned)*flags);
}

/* ---- Real to complex ---------------------------------------------------- */

SUBROUTINE(plan_dft_r2c, (plan_word * p, const int *rank, const int *n,
                          real *in, pair *out, const int *flags))
{
    reversed r = reverse(*rank, n);
    *p = X(plan_dft_r2c)(*rank, r.n, in, out, (unsigned)*flags);
}

SUBROUTINE(plan_dft_r2c_1d, (plan_word * p, const int *n, real *in, pair *out,
                             const int *flags))
{
    *p = X(plan_dft_r2c_1d)(*n, in, out, (unsigned)*flags);
}

SUBROUTINE(plan_dft_r2c_2d, (plan_word * p, const int *nx, const int *ny,
                             real *in, pair *out, const int *flags))
{
    *p = X(plan_dft_r2c_2d)(*ny, *nx, in, out, (unsigned)*flags);
}

SUBROUTINE(plan_dft_r2c_3d,
           (plan_word * p, const int *nx, const int *ny, const int *nz,
            real *in, pair *out, const int *flags))
{
    *p = X(plan_dft_r2c_3d)(*nz, *ny, *nx, in, out, (unsigned)*flags);
}

SUBROUTINE(plan_many_dft_r2c,
           (plan_word * p, const int *rank, const int *n, const int *howmany,
            real *in, const int *inembed, const int *istride, const int *idist,
            pair *out, const int *onembed, const int *ostride,
            const int *odist, const int *flags))
{
    reversed r = reverse(*rank, n), i = reverse(*rank, inembed),
             o = reverse(*rank, onembed);
    *p = X(plan_many_dft_r2c)(*rank, r.n, *howmany, in, inembed ? i.n : NULL,
                              *istride, *idist, out, onembed ? o.n : NULL,
                              *ostride, *odist, (unsigned)*flags);
}

SUBROUTINE(plan_guru_dft_r2c,
           (plan_word * p, const int *rank, const int *n, const int *is,
            const int *os, const int *howmany_rank, const int *h_n,
            const int *h_is, const int *h_os, real *in, pair *out,
            const int *flags))
{
    iodims d = zip(*rank, n, is, os);
    iodims h = zip(*howmany_rank, h_n, h_is, h_os);
    *p = X(plan_guru_dft_r2c)(*rank, d.dim, *howmany_rank, h.dim, in, out,
                              (unsigned)*flags);
}

SUBROUTINE(plan_guru_split_dft_r2c,
           (plan_word * p, const int *rank, const int *n, const int *is,
            const int *os, const int *howmany_rank, const int *h_n,
            const int *h_is, const int *h_os, real *in, real *ro, real *io,
            const int *flags))
{
    iodims d = zip(*rank, n, is, os);
    iodims h = zip(*howmany_rank, h_n, h_is, h_os);
    *p = X(plan_guru_split_dft_r2c)(*rank, d.dim, *howmany_rank, h.dim, in, ro,
                                    io, (unsigned)*flags);
}

/* ---- Complex to real ---------------------------------------------------- */

SUBROUTINE(plan_dft_c2r, (plan_word * p, const int *rank, const int *n,
                          pair *in, real *out, const int *flags))
{
    reversed r = reverse(*rank, n);
    *p = X(plan_dft_c2r)(*rank, r.n, in, out, (unsigned)*flags);
}

SUBROUTINE(plan_dft_c2r_1d, (plan_word * p, const int *n, pair *in, real *out,
                             const int *flags))
{
    *p = X(plan_dft_c2r_1d)(*n, in, out, (unsigned)*flags);
}

SUBROUTINE(plan_dft_c2r_2d, (plan_word * p, const int *nx, const int *ny,
                             pair *in, real *out, const int *flags))
{
    *p = X(plan_dft_c2r_2d)(*ny, *nx, in, out, (unsigned)*flags);
}

SUBROUTINE(plan_dft_c2r_3d,
           (plan_word * p, const int *nx, const int *ny, const int *nz,
            pair *in, real *out, const int *flags))
{
    *p = X(plan_dft_c2r_3d)(*nz, *ny, *nx, in, out, (unsigned)*flags);
}

SUBROUTINE(plan_many_dft_c2r,
           (plan_word * p, const int *rank, const int *n, const int *howmany,
            pair *in, const int *inembed, const int *istride, const int *idist,
            real *out, const int *onembed, const int *ostride,
            const int *odist, const int *flags))
{
    reversed r = reverse(*rank, n), i = reverse(*rank, inembed),
             o = reverse(*rank, onembed);
    *p = X(plan_many_dft_c2r)(*rank, r.n, *howmany, in, inembed ? i.n : NULL,
                              *istride, *idist, out, onembed ? o.n : NULL,
                              *ostride, *odist, (unsigned)*flags);
}

SUBROUTINE(plan_guru_dft_c2r,
           (plan_word * p, const int *rank, const int *n, const int *is,
            const int *os, const int *howmany_rank, const int *h_n,
            const int *h_is, const int *h_os, pair *in, real *out,
            const int *flags))
{
    iodims d = zip(*rank, n, is, os);
    iodims h = zip(*howmany_rank, h_n, h_is, h_os);
    *p = X(plan_guru_dft_c2r)(*rank, d.dim, *howmany_rank, h.dim, in, out,
                              (unsigned)*flags);
}

SUBROUTINE(plan_guru_split_dft_c2r,
           (plan_word * p, const int *rank, const int *n, const int *is,
            const int *os, const int *howmany_rank, const int *h_n,
            const int *h_is, const int *h_os, real *ri, real *ii, real *out,
            const int *flags))
{
    iodims d = zip(*rank, n, is, os);
    iodims h = zip(*howmany_rank, h_n, h_is, h_os);
    *p = X(plan_guru_split_dft_c2r)(*rank, d.dim, *howmany_rank, h.dim, ri, ii,
                                    out, (unsigned)*flags);
}

/* ---- Real to real ------------------------------------------------------- */

SUBROUTINE(plan_r2r, (plan_word * p, const int *rank, const int *n, real *in,
                      real *out, const int *kind, const int *flags))
{
    reversed r = reverse(*rank, n);
    reversed_kinds k = reverse_kinds(*rank, kind);
    *p = X(plan_r2r)(*rank, r.n, in, out, k.kind, (unsigned)*flags);
}

SUBROUTINE(plan_r2r_1d, (plan_word * p, const int *n, real *in, real *out,
                         const int *kind, const int *flags))
{
    *p = X(plan_r2r_1d)(*n, in, out, (r2r_kind)*kind, (unsigned)*flags);
}

SUBROUTINE(plan_r2r_2d,
           (plan_word * p, const int *nx, const int *ny, real *in, real *out,
            const int *kindx, const int *kindy, const int *flags))
{
    *p = X(plan_r2r_2d)(*ny, *nx, in, out, (r2r_kind)*kindy, (r2r_kind)*kindx,
                        (unsigned)*flags);
}

SUBROUTINE(plan_r2r_3d, (plan_word * p, const int *nx, const int *ny,
                         const int *nz, real *in, real *out, const int *kindx,
                         const int *kindy, const int *kindz, const int *flags))
{
    *p = X(plan_r2r_3d)(*nz, *ny, *nx, in, out, (r2r_kind)*kindz,
                        (r2r_kind)*kindy, (r2r_kind)*kindx, (unsigned)*flags);
}

SUBROUTINE(plan_many_r2r,
           (plan_word * p, const int *rank, const int *n, const int *howmany,
            real *in, const int *inembed, const int *istride, const int *idist,
            real *out, const int *onembed, const int *ostride,
            const int *odist, const int *kind, const int *flags))
{
    reversed r = reverse(*rank, n), i = reverse(*rank, inembed),
             o = reverse(*rank, onembed);
    reversed_kinds k = reverse_kinds(*rank, kind);
    *p = X(plan_many_r2r)(*rank, r.n, *howmany, in, inembed ? i.n : NULL,
                          *istride, *idist, out, onembed ? o.n : NULL,
                          *ostride, *odist, k.kind, (unsigned)*flags);
}

SUBROUTINE(plan_guru_r2r,
           (plan_word * p, const int *rank, const int *n, const int *is,
            const int *os, const int *howmany_rank, const int *h_n,
            const int *h_is, const int *h_os, real *in, real *out,
            const int *kind, const int *flags))
{
    iodims d = zip(*rank, n, is, os);
    iodims h = zip(*howmany_rank, h_n, h_is, h_os);
    reversed_kinds k = reverse_kinds(*rank, kind);
    *p = X(plan_guru_r2r)(*rank, d.dim, *howmany_rank, h.dim, in, out, k.kind,
                          (unsigned)*flags);
}

/* ---- Plans -------------------------------------------------------------- */

SUBROUTINE(destroy_plan, (plan_word * p))
{
    X(destroy_plan)(*p);
}

SUBROUTINE(print_plan, (plan_word const *p))
{
    X(print_plan)(*p);
    fflush(stdout); /* Fortran's own buffer comes after */
}

SUBROUTINE(flops, (plan_word const *p, double *add, double *mul, double *fma))
{
    X(flops)(*p, add, mul, fma);
}

SUBROUTINE(cost, (double *cost, plan_word const *p))
{
    *cost = X(cost)(*p);
}

SUBROUTINE(estimate_cost, (double *cost, plan_word const *p))
{
    *cost = X(estimate_cost)(*p);
}

SUBROUTINE(set_timelimit, (const double *t))
{
    X(set_timelimit)(*t);
}

SUBROUTINE(cleanup, (void))
{
    X(cleanup)();
}

/* ---- Wisdom ------------------------------------------------------------- */

SUBROUTINE(forget_wisdom, (void))
{
    X(forget_wisdom)();
}

SUBROUTINE(export_wisdom, (void (*write_char)(char *, void *), void *data))
{
    writer w = {write_char, data};
    X(export_wisdom)(write_one, &w);
}

SUBROUTINE(import_wisdom,
           (int *known, void (*read_char)(int *, void *), void *data))
{
    reader r = {read_char, data};
    *known = X(import_wisdom)(read_one, &r);
}

SUBROUTINE(import_system_wisdom, (int *known))
{
    *known = X(import_system_wisdom)();
}

#undef SUBROUTINE
