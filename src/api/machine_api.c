/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_api.c - what weft runs on, and with whose threads.
 */
#include "api/api.h"
#include "kernel/isa.h"

const char *weft_isa(void)
{
    return wf_isa_name((wf_isa)wf_cpu_isa());
}

weft_status weft_info(char *buffer, size_t capacity, size_t *length)
{
    wf_text text = {0};
    weft_status status = wf_check_buffer(buffer, capacity);
    if (status != WEFT_OK)
        return status;
    wf_text_add(&text, "weft %s\n", weft_version());
    wf_cpu_report(&text);
    return wf_copy_out(&text, buffer, capacity, length);
}

void weft_set_executor(weft_executor *executor, void *executor_context)
{
    wf_set_executor(executor, executor_context);
}

void weft_unset_executor(weft_executor *executor)
{
    wf_unset_executor(executor);
}

void weft_threads_shutdown(void)
{
    wf_threads_shutdown();
}
