/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * once.c - all axes of a few numbers at once.
 *
 * Axis after axis each would wait for the stores of the one before, and for calls
 * that are longer than what they do.  A transform that is one block of memory on
 * either side, its elements in any order, is a vector of reals times a matrix.
 */
#include "plan/dense.h"
#include "plan/search.h"

/* The reals of a block without gaps, 0 where it is none. */
static int64_t block_of(const wf_problem *problem, wf_side side)
{
    bool used[WEFT_MAX_RANK] = {false};
    int64_t next = 1;
    for (int i = 0; i < problem->rank; i++) {
        int found = -1;
        for (int a = 0; a < problem->rank && found < 0; a++) {
            const weft_dim *d = &problem->dim[a];
            const int64_t stride = side == WF_INPUT ? d->is : d->os;
            if (!used[a] &&
                (stride == next || wf_dim_length(problem, a, side) == 1))
                found = a;
        }
        if (found < 0)
            return 0;
        used[found] = true;
        next *= wf_dim_length(problem, found, side);
        if (next > WF_ONCE)
            return 0;
    }
    next *= wf_side_scalars(problem, side);
    return next <= WF_ONCE ? next : 0;
}

/* Axes that have kernels of their own are priced at nearly twice what few short ones
 * take, and many at three to four times of it: so this is compared as if it had more
 * turns (Zen 4; what is chosen takes 0.9 to 1.0 of the better one's time). */
static double turns_of(const wf_problem *problem, double count)
{
    return problem->kind == WEFT_R2R ? count : 1.25 + 3 * (count - 1);
}

/* In place one after the other, while another has its results where one's numbers
 * still are? */
static bool is_moved(const wf_problem *problem)
{
    const int in = wf_side_scalars(problem, WF_INPUT),
              out = wf_side_scalars(problem, WF_OUTPUT);
    for (int i = 0; problem->in_place && i < problem->loops; i++)
        if (problem->loop[i].is * in != problem->loop[i].os * out)
            return true;
    return false;
}

bool wf_price_once(const wf_engine *engine, const wf_problem *problem,
                   wf_step *step)
{
    const wf_machine *machine = engine->machine();
    if (problem->rank < 2 || problem->split || problem->scrambled ||
        is_moved(problem) || engine->weigh != NULL)
        return false;
    const int64_t in = block_of(problem, WF_INPUT),
                  out = block_of(problem, WF_OUTPUT);
    if (in == 0 || out == 0)
        return false;
    double count = 1;
    step->n = 1;
    for (int i = 0; i < problem->rank; i++)
        step->n *= problem->dim[i].n;
    for (int i = 0; i < problem->loops; i++)
        count *= (double)problem->loop[i].n;
    const wf_dense_shape s = wf_dense_shape_plain(
        (int)in, (int)out, problem->type, engine->widths(problem->type));
    const int bits = s.width * (problem->type == WEFT_F64 ? 64 : 32);
    const double data = count * (double)(in + out) *
                        (double)wf_complex_bytes(problem->type) / 2;
    const double each = machine->kernel_call +
                        1.3 * machine->product[bits / 256] * s.products +
                        3 * (s.blocks - 1);
    step->flops = 2.0 * count * (double)(in * out);
    step->cost = machine->call + turns_of(problem, count) * each +
                 wf_cost_bytes(machine, data, data);
    step->error = wf_step_error(step);
    return true;
}
