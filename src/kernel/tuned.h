/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned.h - what a file of tuned code holds: one object of this type, under
 * the one name it exports.  Included by code that weft writes
 * (cpu/stockham_tuned.c) and `weft tune` compiles; a change here needs
 * another name.
 */
#ifndef WEFT_KERNEL_TUNED_H
#define WEFT_KERNEL_TUNED_H

#include <stddef.h>

#define WF_TUNED_NAME weft_tuned_1

/* One bound step: the node's tables, in the order of binding, and scratch of
 * the size it asks for. */
typedef void wf_tuned_run(const void *in_re, const void *in_im, void *out_re,
                          void *out_im, char *scratch,
                          const void *const *table);

typedef struct wf_tuned wf_tuned;
struct wf_tuned {
    size_t bytes;        /* sizeof(wf_tuned) */
    const char *version; /* of the weft that wrote it */
    const char *isa;     /* what the processor must have */
    const char *name;    /* of the step, for reports */
    const char *key;     /* every number of the bound step */
    wf_tuned_run *run;
    wf_tuned *next; /* cpu/tuned.c's, which keeps a list */
};

#endif
