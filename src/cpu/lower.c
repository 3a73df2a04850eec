/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lower.c - from a transform step to the binder of its kind.
 */
#include "cpu/node.h"

static weft_status bind(const wf_binder *binder, const wf_step *step,
                        const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    switch (step->kind) {
    case WF_STEP_LEAF: return wf_bind_leaf(binder, step, usage, node);
    case WF_STEP_STOCKHAM: return wf_bind_stockham(binder, step, usage, node);
    case WF_STEP_INTERLEAVED:
        return wf_bind_interleaved(binder, step, usage, node);
    case WF_STEP_TWOSTEP: return wf_bind_twostep(binder, step, usage, node);
    case WF_STEP_DECIMATED:
        return wf_bind_decimated(binder, step, usage, node);
    case WF_STEP_FOURSTEP: return wf_bind_fourstep(binder, step, usage, node);
    case WF_STEP_SIXSTEP: return wf_bind_sixstep(binder, step, usage, node);
    case WF_STEP_SCRAMBLED:
        return wf_bind_scrambled(binder, step, usage, node);
    case WF_STEP_GOOD: return wf_bind_good(binder, step, usage, node);
    case WF_STEP_RADER: return wf_bind_rader(binder, step, usage, node);
    case WF_STEP_BLUESTEIN:
        return wf_bind_bluestein(binder, step, usage, node);
    case WF_STEP_REAL_LEAF:
        return wf_bind_real_leaf(binder, step, usage, node);
    case WF_STEP_HALF: return wf_bind_half(binder, step, usage, node);
    case WF_STEP_FULL: return wf_bind_full(binder, step, usage, node);
    case WF_STEP_DIRECT: return wf_bind_direct(binder, step, usage, node);
    case WF_STEP_REAL_DECIMATED:
        return wf_bind_real_decimated(binder, step, usage, node);
    case WF_STEP_REAL_SPLIT:
        return wf_bind_real_split(binder, step, usage, node);
    case WF_STEP_REAL_RADER:
        return wf_bind_real_rader(binder, step, usage, node);
    case WF_STEP_REAL_PASSES:
        return wf_bind_real_passes(binder, step, usage, node);
    case WF_STEP_HALVED: return wf_bind_halved(binder, step, usage, node);
    case WF_STEP_SPECTRAL: return wf_bind_spectral(binder, step, usage, node);
    case WF_STEP_PERIOD: return wf_bind_period(binder, step, usage, node);
    case WF_STEP_FOLDED: return wf_bind_folded(binder, step, usage, node);
    case WF_STEP_DENSE: return wf_bind_dense(binder, step, usage, node);
    case WF_STEP_ALONE: return wf_bind_alone(binder, step, usage, node);
    case WF_STEP_LANES: return wf_bind_lanes(binder, step, usage, node);
    default:
        return wf_fail(WEFT_ERR_ARGUMENT, "%s is not a transform step",
                       wf_step_name(step->kind));
    }
}

weft_status wf_bind_transform(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, wf_node **node)
{
    if (usage->scale == 1 || wf_step_scales(step))
        return bind(binder, step, usage, node);
    wf_usage plain = *usage;
    plain.scale = 1;
    weft_status status = bind(binder, step, &plain, node);
    return status != WEFT_OK
               ? status
               : wf_bind_scaled(binder, step->n, usage->scale, *node, node);
}
