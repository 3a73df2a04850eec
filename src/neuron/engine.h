/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.h - the NeuronCore behind plan/engine.h: trn1, trn2, and trn1 with
 * the two other models of bf16 multiplication.
 */
#ifndef WEFT_NEURON_ENGINE_H
#define WEFT_NEURON_ENGINE_H

#include "plan/engine.h"

extern const wf_engine wf_neuron_trn1, wf_neuron_trn2, wf_neuron_product,
    wf_neuron_output;

#endif
