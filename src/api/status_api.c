/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * status_api.c - the version, and statuses in words.
 */
#include "api/api.h"

#define TEXT(x) #x
#define VERSION(major, minor, patch) \
    TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *weft_version(void)
{
    return VERSION(WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
}

const char *weft_status_name(weft_status status)
{
    static const char *const names[] = {
        "ok",    "argument", "overflow", "no_memory", "unsupported",
        "parse", "io",       "target",   "internal"};
    size_t index = (size_t)status;
    return index < sizeof names / sizeof *names ? names[index] : "unknown";
}

const char *weft_error_text(void)
{
    return wf_error_text();
}
