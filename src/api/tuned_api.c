/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned_api.c - code for single steps: its source, and loading it.
 */
#include "api/api.h"
#include "cpu/tuned.h"

weft_status weft_plan_source(const weft_plan *plan, int part, char *buffer,
                             size_t capacity, size_t *length)
{
    if (!plan)
        return wf_fail(WEFT_ERR_ARGUMENT, "plan is NULL");
    if (part < 0)
        return wf_fail(WEFT_ERR_ARGUMENT, "part is %d", part);
    weft_status status = wf_check_buffer(buffer, capacity);
    if (status != WEFT_OK)
        return status;
    if (plan->empty || !plan->engine->source)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "part %d: a plan of engine %s%s has no steps that code "
                       "can be compiled for",
                       part, plan->engine->name,
                       plan->empty ? " that does nothing" : "");
    wf_text text = {0};
    status = plan->engine->source(plan->program, part, &text);
    return status == WEFT_OK ? wf_copy_out(&text, buffer, capacity, length)
                             : status;
}

weft_status weft_tuned_load(const char *path)
{
    if (!path || !*path)
        return wf_fail(WEFT_ERR_ARGUMENT, "path is %s",
                       path ? "empty" : "NULL");
    return wf_tuned_load(path);
}
