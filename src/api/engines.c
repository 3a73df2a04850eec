/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engines.c - the table of engines, and the only file that knows which are
 * in this build.
 */
#include "api/api.h"

static const struct {
    weft_engine id;
    const wf_engine *engine;
} engines[] = {
    {WEFT_ENGINE_AUTO, &wf_cpu_engine},
    {WEFT_ENGINE_CPU, &wf_cpu_engine},
    {WEFT_ENGINE_NEURON, &wf_neuron_trn1},
    {WEFT_ENGINE_NEURON_TRN2, &wf_neuron_trn2},
    {WEFT_ENGINE_NEURON_PRODUCT, &wf_neuron_product},
    {WEFT_ENGINE_NEURON_OUTPUT, &wf_neuron_output},
};

const wf_engine *wf_engine_of(weft_engine engine)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        if (engines[i].id == engine)
            return engines[i].engine;
    return NULL;
}
