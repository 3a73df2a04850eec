/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tables.c - matrices and twiddles: phases reduced in integers, roots exact to
 * double (num.h), rounded once to what the device stores.  A program that
 * only counts gets tensors without values.
 */
#include "neuron/lower.h"

#include "kernel/hand/spectrum.h"
#include "num/num.h"
#include "neuron/program.h"

/* A program that only counts, or has failed, needs no values. */
static bool wanted(const wf_nc_program *p)
{
    return p->keep && p->status == WEFT_OK;
}

static void *room(wf_nc_program *p, int64_t count, size_t size)
{
    void *block = wf_alloc((size_t)count * size);
    if (block == NULL && p->status == WEFT_OK)
        p->status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a table");
    return block;
}

/* exp(-+2 pi i k/n) for k = 0 .. n-1, interleaved; NULL: no memory. */
static double *all_roots(wf_nc_program *p, int64_t n, bool inverse)
{
    double *root = room(p, 2 * n, sizeof *root);
    if (root != NULL)
        wf_roots((uint64_t)n, 0, inverse ? 1 : -1, (size_t)n, root);
    return root;
}

/* The four real entries of one complex one, in parts. */
static void put(float *values, int64_t n, wf_nc_mode mode, int64_t j,
                int64_t k, const double entry[4])
{
    int64_t side = 2 * n;
    for (int e = 0; e < 4; e++) {
        int64_t row = j + (e >= 2 ? n : 0), column = k + (e % 2 ? n : 0);
        double rest = entry[e];
        for (int part = 0; part < mode.parts; part++) {
            float value = wf_nc_round(mode.type, (float)rest);
            values[(part * side + row) * side + column] = value;
            rest = (rest - (double)value) *
                   (wf_nc_apart(mode) ? WF_NC_LIFT : 1);
        }
    }
}

int wf_nc_matrix_table(wf_nc_lowering *l, wf_nc_mode mode, int64_t n,
                       bool inverse, double scale)
{
    wf_nc_program *p = l->program;
    int64_t count = mode.parts * 4 * n * n;
    double *root = NULL;
    float *values = NULL;
    if (wanted(p)) {
        root = all_roots(p, n, inverse);
        values = root == NULL ? NULL : room(p, count, sizeof *values);
    }
    for (int64_t j = 0; values != NULL && j < n; j++)
        for (int64_t k = 0; k < n; k++) {
            double re = scale * root[2 * (j * k % n)];
            double im = scale * root[2 * (j * k % n) + 1];
            put(values, n, mode, j, k, (const double[]){re, im, -im, re});
        }
    int table = wf_nc_constant(p, mode.type, count, values);
    wf_free(values);
    wf_free(root);
    return table;
}

wf_nc_pair wf_nc_twiddles(wf_nc_lowering *l, const wf_nc_pass *pass,
                          bool by_column)
{
    wf_nc_program *p = l->program;
    int64_t columns = pass->n / pass->r, n = columns / pass->s * pass->r;
    double *root = NULL;
    float *re = NULL, *im = NULL;
    if (wanted(p)) {
        root = all_roots(p, n, l->inverse);
        re = root == NULL ? NULL : room(p, 2 * pass->n, sizeof *re);
        im = re == NULL ? NULL : re + pass->n;
    }
    for (int64_t k = 0; re != NULL && k < pass->r; k++)
        for (int64_t c = 0; c < columns; c++) {
            int64_t phase = c / pass->s * k; /* below n */
            int64_t at = by_column ? c * pass->r + k : k * columns + c;
            re[at] = (float)root[2 * phase];
            im[at] = (float)root[2 * phase + 1];
        }
    wf_nc_pair pair;
    pair.re = wf_nc_constant(p, WF_NC_FP32, pass->n, re);
    pair.im = wf_nc_constant(p, WF_NC_FP32, pass->n, im);
    wf_free(re);
    wf_free(root);
    return pair;
}

/* ---- Chirps -------------------------------------------------------------- */

/* Interleaved doubles as two planes of `count`, times scale. */
static wf_nc_pair planes_of(wf_nc_program *p, const double *values,
                            int64_t count, double scale)
{
    wf_nc_pair pair;
    float *plane = values == NULL ? NULL : room(p, count, sizeof *plane);
    for (int k = 0; k < 2; k++) {
        for (int64_t i = 0; plane != NULL && i < count; i++)
            plane[i] = (float)(scale * values[2 * i + k]);
        *(k ? &pair.im : &pair.re) = wf_nc_constant(p, WF_NC_FP32, count,
                                                    plane);
    }
    wf_free(plane);
    return pair;
}

double *wf_nc_chirp_doubles(wf_nc_program *p, int64_t n, int64_t m,
                            bool inverse)
{
    int sign = inverse ? 1 : -1;
    wf_root_table *roots = wf_root_table_new(2 * (uint64_t)n);
    double *chirp = roots == NULL ? NULL : room(p, 2 * (n + m), sizeof *chirp);
    if (chirp != NULL) {
        double *h = chirp + 2 * n;
        wf_root_table_f64(roots, 0, sign, 2 * sign, (size_t)n, chirp);
        for (int64_t i = 0; i < 2 * m; i++)
            h[i] = 0;
        for (int64_t k = 0; k < n; k++)
            for (int plane = 0; plane < 2; plane++) {
                double value = chirp[2 * k + plane];
                h[2 * k + plane] = h[2 * (k == 0 ? 0 : m - k) + plane] =
                    plane == 0 ? value : -value;
            }
    } else if (roots == NULL && p->status == WEFT_OK) {
        p->status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a table");
    }
    wf_root_table_free(roots);
    return chirp;
}

wf_nc_chirp wf_nc_chirps(wf_nc_lowering *l, int64_t n, int64_t m, double scale)
{
    wf_nc_program *p = l->program;
    double *chirp = wanted(p) ? wf_nc_chirp_doubles(p, n, m, l->inverse)
                              : NULL;
    double *spectrum = chirp == NULL ? NULL : room(p, 2 * m, sizeof *spectrum);
    if (spectrum != NULL && p->status == WEFT_OK) {
        weft_status status = wf_make_spectrum(WF_F64, false, chirp + 2 * n, m,
                                              spectrum);
        if (status != WEFT_OK)
            p->status = status;
    }
    wf_nc_chirp made = {.in = planes_of(p, chirp, n, 1),
                        .spectrum = planes_of(p, spectrum, m, 1)};
    made.out = scale == 1 ? made.in : planes_of(p, chirp, n, scale);
    wf_free(spectrum);
    wf_free(chirp);
    return made;
}
