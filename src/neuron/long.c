/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * long.c - lengths that no pass has: two factors between transposes, and any
 * length as a convolution.
 *
 * Everything stays in the kernel that is open: what does not fit in SBUF is
 * spilled to planes in HBM, whose transfers are counted and timed like all
 * others.  The transposes are tiles turned by the Tensor engine.
 */
#include "neuron/lower.h"

/* n = n1 n2: columns as rows of n1, their twiddles, rows of n2, and the digits
 * of the result exchanged.  Source: Bailey 1990 (rules/sixstep.c). */
void wf_nc_sixstep(wf_nc_lowering *l, const wf_step *step, int64_t rows,
                   double scale)
{
    int64_t n1 = step->split[0], n2 = step->split[1];
    wf_nc_pass twiddles = {.rows = rows, .n = step->n, .s = 1, .r = (int)n1};
    wf_nc_open(l, "swap");
    wf_nc_swap_axes(l, rows, n1, n2);
    wf_nc_transform(l, step->child[0], rows * n2, 1);
    wf_nc_open(l, "twiddles");
    wf_nc_twiddle_rows(l, wf_nc_twiddles(l, &twiddles, true), rows, step->n);
    l->variance += 0.4 * 0x1p-48;
    wf_nc_swap_axes(l, rows, n2, n1);
    wf_nc_transform(l, step->child[1], rows * n1, scale);
    wf_nc_open(l, "swap");
    wf_nc_swap_axes(l, rows, n1, n2);
}

/* A convolution with the chirp of length m: planes of its own, in the same
 * kernel.  The inverse transform has its 1/m in the spectrum's table.
 * Source: Bluestein 1970 (rules/bluestein.c). */
void wf_nc_bluestein(wf_nc_lowering *l, const wf_step *step, int64_t rows,
                     double scale)
{
    const wf_nc_pair nothing = {-1, -1};
    int64_t n = step->n, m = step->split[0];
    wf_nc_open(l, "convolution");
    wf_nc_lowering inner = *l;
    wf_nc_chirp chirp = wf_nc_chirps(l, n, m, scale);
    inner.total = rows * m;
    inner.argument = inner.kept[0] = inner.kept[1] = nothing;
    inner.variance = 0;
    inner.inverse = false;
    for (int i = 0; i < WF_NC_SPARES; i++) {
        inner.spare[i] = wf_nc_new_pair(&inner);
        wf_nc_use_pair(&inner, inner.spare[i], WF_NC_PRIVATE);
    }
    inner.at = inner.spare[0];
    wf_nc_times_table(&inner, (wf_nc_side){l->at, n},
                      (wf_nc_side){inner.at, m}, chirp.in, rows, n);
    wf_nc_zero_rows(&inner, (wf_nc_side){inner.at, m}, rows, n, m - n);
    wf_nc_transform(&inner, step->child[0], rows, 1);
    wf_nc_pair product = wf_nc_target(&inner);
    wf_nc_times_table(&inner, (wf_nc_side){inner.at, m},
                      (wf_nc_side){product, m}, chirp.spectrum, rows, m);
    wf_nc_arrived(&inner, product);
    inner.inverse = true;
    wf_nc_transform(&inner, step->child[0], rows, 1);
    wf_nc_pair out = wf_nc_target(l);
    wf_nc_times_table(&inner, (wf_nc_side){inner.at, m}, (wf_nc_side){out, n},
                      chirp.out, rows, n);
    wf_nc_arrived(l, out);
    l->variance += inner.variance;
}
