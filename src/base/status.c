/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * status.c - errors travel as values; the reason in words stays beside them,
 * one text a thread, so that no lock and no allocation is needed to fail.
 */
#include "base/base.h"

#include <stdio.h>

static _Thread_local char error_text[WF_ERROR_TEXT];

weft_status wf_fail(weft_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    return status;
}

const char *wf_error_text(void)
{
    return error_text;
}
