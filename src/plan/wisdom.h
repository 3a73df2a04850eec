/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wisdom.h - what MEASURE found, kept for the process and portable as text.
 */
#ifndef WEFT_PLAN_WISDOM_H
#define WEFT_PLAN_WISDOM_H

#include "base/base.h"

/* The texts of one finding.  `isa` is the name of the level it was timed on,
 * `key` from wf_problem_key, `tree` from wf_step_print. */
typedef struct wf_finding {
    const char *isa, *key, *tree;
    double nanoseconds;
    double limit; /* seconds that measuring might take */
} wf_finding;

/* Keeps a copy, in place of an older one of the same isa and key.  At most
 * WF_WISDOM_LIMIT findings are kept; the oldest go first. */
enum { WF_WISDOM_LIMIT = 4096 };
weft_status wf_wisdom_remember(const wf_finding *finding);

/* Is there any at all?  Most programs have none and need no keys. */
bool wf_wisdom_any(void);
/* The tree's text, to be freed with wf_free, and its time; NULL when nothing is
 * known that was measured with a limit of `least` seconds or more (or there is no
 * memory for the copy). */
char *wf_wisdom_recall(const char *isa, const char *key, double least,
                       double *nanoseconds);

weft_status wf_wisdom_export(wf_text *text);
/* All or nothing: the store changes only when every line is sound. */
weft_status wf_wisdom_import(const char *text);
void wf_wisdom_forget(void);

#endif
