/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wisdom_api.c - wisdom in and out of the process.
 */
#include "api/api.h"
#include "plan/wisdom.h"

weft_status weft_wisdom_export(char **text)
{
    wf_text written = {0};
    if (!text)
        return wf_fail(WEFT_ERR_ARGUMENT, "text is NULL");
    *text = NULL;
    weft_status status = wf_wisdom_export(&written);
    if (status == WEFT_OK)
        *text = written.data; /* from wf_alloc, as weft_free needs */
    return status;
}

weft_status weft_wisdom_import(const char *text)
{
    return wf_wisdom_import(text);
}

void weft_wisdom_forget(void)
{
    wf_wisdom_forget();
}
