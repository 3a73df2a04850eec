/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text.c - a growing string that remembers its first failure, so that a
 * writer adds line after line and asks once at the end.
 */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

static void fail(wf_text *text)
{
    wf_free(text->data);
    *text = (wf_text){.failed = true};
}

/* Room for `more` characters and the NUL; doubles, so adding is linear. */
static bool reserve(wf_text *text, size_t more)
{
    size_t need;
    if (!wf_add_size(text->length, more, &need) || need > SIZE_MAX / 4)
        return false;
    if (++need <= text->capacity)
        return true;
    size_t capacity = need < 128 ? 256 : 2 * need;
    char *data = wf_alloc(capacity);
    if (!data)
        return false;
    if (text->data)
        memcpy(data, text->data, text->length + 1);
    wf_free(text->data);
    text->data = data;
    text->capacity = capacity;
    return true;
}

void wf_text_add(wf_text *text, const char *format, ...)
{
    if (text->failed)
        return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int more = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (more < 0 || !reserve(text, (size_t)more)) {
        fail(text);
    } else {
        vsnprintf(text->data + text->length, (size_t)more + 1, format, again);
        text->length += (size_t)more;
    }
    va_end(again);
}

void wf_text_free(wf_text *text)
{
    wf_free(text->data);
    *text = (wf_text){0};
}

size_t wf_text_copy(const wf_text *text, char *buffer, size_t capacity)
{
    if (capacity) {
        size_t take = text->length < capacity ? text->length : capacity - 1;
        if (take)
            memcpy(buffer, text->data, take);
        buffer[take] = '\0';
    }
    return text->length;
}
