/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned.h - code compiled for single steps, loaded into this process
 * (weft_tuned_load, WEFT_TUNED).  Nothing is ever unloaded: plans hold it.
 */
#ifndef WEFT_CPU_TUNED_H
#define WEFT_CPU_TUNED_H

#include "base/base.h"
#include "kernel/tuned.h"

weft_status wf_tuned_load(const char *path);

/* Is any loaded?  The first call loads what WEFT_TUNED names. */
bool wf_tuned_any(void);
/* The code of the step with exactly this key, or NULL. */
wf_tuned_run *wf_tuned_find(const char *key);

/* Lines for weft_info. */
void wf_tuned_report(wf_text *text);

#endif
