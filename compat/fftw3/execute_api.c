/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * execute_api.c - executing, on the plan's arrays or new ones.
 *
 * New arrays should be placed like the plan's: in place or not.  Programs get
 * that wrong; such a call is answered by a second plan, made when first
 * needed, if the layout allows it, and refused aloud otherwise.
 *
 * Interleaved data are split data whose imaginary parts are the next real
 * number and the other way round, so a plan of either sort takes both calls.
 */
#include "compat.h"

#include <stdlib.h>

/* ---- Arrays placed unlike the plan's ------------------------------------ */

bool problem_of_plan(const weft_plan *plan, weft_problem *problem)
{
    size_t length = 0;
    if (weft_plan_problem(plan, NULL, 0, &length) != WEFT_OK)
        return false;
    char *text = malloc(length + 1);
    bool known = text &&
                 weft_plan_problem(plan, text, length + 1, NULL) == WEFT_OK &&
                 weft_problem_parse(text, problem) == WEFT_OK;
    free(text);
    return known;
}

/* The plan for the other place, kept with the handle; NULL if there is none.
 * Of two threads that make it at once, one keeps its own. */
static weft_plan *other_of(handle *h)
{
    weft_problem problem;
    weft_plan *plan = atomic_load(&h->other), *first = NULL;
    if (plan || !problem_of_plan(h->plan, &problem))
        return plan;
    problem.place = problem.place == WEFT_IN_PLACE ? WEFT_OUT_OF_PLACE
                                                   : WEFT_IN_PLACE;
    if (weft_plan_create(&problem, NULL, &plan) != WEFT_OK)
        return NULL;
    if (atomic_compare_exchange_strong(&h->other, &first, plan))
        return plan;
    weft_plan_release(plan);
    return first;
}

/* ---- Running ------------------------------------------------------------ */

/* Arrays that weft has refused. */
static __attribute__((noinline)) void run_other(handle *h, const void *in,
                                                void *out)
{
    weft_plan *other = in && out ? other_of(h) : NULL;
    if (!other || weft_execute(other, in, out) != WEFT_OK)
        complain(REFUSED_ARRAYS, weft_error_text());
}

static inline void run_plain(handle *h, const void *in, void *out)
{
    if (weft_execute(h->plan, in, out) != WEFT_OK)
        run_other(h, in, out);
}

static void run_split(handle *h, const real *ri, const real *ii, real *ro,
                      real *io)
{
    if (h->stage) {
        if (!ri || !ro || !stage_execute(h->stage, h->plan, ri, ii, ro, io))
            complain(REFUSED_ARRAYS, "NULL, or no memory for a copy");
        return;
    }
    if (weft_execute_split(h->plan, ri, ii, ro, io) == WEFT_OK)
        return;
    weft_plan *other = ri && ro ? other_of(h) : NULL;
    if (!other || weft_execute_split(other, ri, ii, ro, io) != WEFT_OK)
        complain(REFUSED_ARRAYS, weft_error_text());
}

/* ---- FFTW's names ------------------------------------------------------- */

void X(execute)(handle *const p)
{
    handle *h = handle_of(p);
    if (!h)
        return;
    const arrays *a = &h->at;
    if (h->split)
        run_split(h, a->in[0], a->in[1], a->out[0], a->out[1]);
    else if (weft_execute(h->plan, a->in[0], a->out[0]) != WEFT_OK)
        /* run_plain would keep both arrays over the call: 0.3 ns. */
        run_other(h, a->in[0], a->out[0]);
}

void X(execute_dft)(handle *const p, pair *in, pair *out)
{
    handle *h = handle_of(p);
    real *from = (real *)in, *to = (real *)out;
    if (!h)
        return;
    if (!h->split)
        run_plain(h, in, out);
    else if (from && to)
        run_split(h, from, from + 1, to, to + 1);
    else
        complain(REFUSED_ARRAYS, "an array is NULL");
}

void X(execute_dft_r2c)(handle *const p, real *in, pair *out)
{
    handle *h = handle_of(p);
    real *to = (real *)out;
    if (!h)
        return;
    if (!h->split)
        run_plain(h, in, out);
    else if (in && to)
        run_split(h, in, NULL, to, to + 1);
    else
        complain(REFUSED_ARRAYS, "an array is NULL");
}

void X(execute_dft_c2r)(handle *const p, pair *in, real *out)
{
    handle *h = handle_of(p);
    real *from = (real *)in;
    if (!h)
        return;
    if (!h->split)
        run_plain(h, in, out);
    else if (from && out)
        run_split(h, from, from + 1, out, NULL);
    else
        complain(REFUSED_ARRAYS, "an array is NULL");
}

void X(execute_r2r)(handle *const p, real *in, real *out)
{
    handle *h = handle_of(p);
    if (h)
        run_plain(h, in, out);
}

/* Is (re, im) interleaved data?  One of a real side is alone. */
static bool follows(const real *re, const real *im)
{
    return !im || (re && im == re + 1);
}

static void run_any(handle *h, const real *ri, const real *ii, real *ro,
                    real *io)
{
    if (h->split)
        run_split(h, ri, ii, ro, io);
    else if (follows(ri, ii) && follows(ro, io))
        run_plain(h, ri, ro);
    else
        complain(REFUSED_ARRAYS, "split arrays for an interleaved plan");
}

void X(execute_split_dft)(handle *const p, real *ri, real *ii, real *ro,
                          real *io)
{
    handle *h = handle_of(p);
    if (h)
        run_any(h, ri, ii, ro, io);
}

void X(execute_split_dft_r2c)(handle *const p, real *in, real *ro, real *io)
{
    handle *h = handle_of(p);
    if (h)
        run_any(h, in, NULL, ro, io);
}

void X(execute_split_dft_c2r)(handle *const p, real *ri, real *ii, real *out)
{
    handle *h = handle_of(p);
    if (h)
        run_any(h, ri, ii, out, NULL);
}
