/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copy_out.c - texts leave the library like snprintf's: at most `capacity`
 * bytes with the NUL, the full length beside.
 */
#include "api/api.h"

weft_status wf_check_buffer(const char *buffer, size_t capacity)
{
    if (capacity && !buffer)
        return wf_fail(WEFT_ERR_ARGUMENT, "buffer is NULL with capacity %zu",
                       capacity);
    return WEFT_OK;
}

weft_status wf_copy_out(wf_text *text, char *buffer, size_t capacity,
                        size_t *length)
{
    if (text->failed)
        return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a text");
    size_t full = wf_text_copy(text, buffer, capacity);
    if (length)
        *length = full;
    wf_text_free(text);
    return WEFT_OK;
}
