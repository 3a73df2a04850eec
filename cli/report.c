/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON reports: see report.h. */
#include "report.h"

#include <math.h>

#include <weft/weft.h>

#include "args.h"

#if WEFT_CLI_JANSSON

#include <jansson.h>

const char *report_library(void)
{
    return JANSSON_VERSION;
}

int report_begin(report **root)
{
    *root = json_object();
    if (!*root)
        return fail(CODE_LIBRARY, "no memory for the report");
    report_text(*root, "program", "weft");
    report_text(*root, "version", weft_version());
    report_text(*root, "command", args_command());
    report_text(*root, "isa", weft_isa());
    return CODE_OK;
}

int report_end(report *root)
{
    if (!root)
        return CODE_OK;
    int failed = json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
    return failed ? fail(CODE_OUTPUT, "cannot print the report") : CODE_OK;
}

static report *add(report *parent, const char *key, report *child)
{
    if (parent && !json_object_set_new(parent, key, child))
        return child;
    return NULL;
}

report *report_object(report *parent, const char *key)
{
    return parent ? add(parent, key, json_object()) : NULL;
}

report *report_array(report *parent, const char *key)
{
    return parent ? add(parent, key, json_array()) : NULL;
}

report *report_append(report *array)
{
    report *child = array ? json_object() : NULL;
    if (child && json_array_append_new(array, child))
        return NULL;
    return child;
}

/* JSON has no infinity and no NaN: they become null. */
static report *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

void report_append_number(report *array, double value)
{
    if (array)
        json_array_append_new(array, number(value));
}

void report_text(report *object, const char *key, const char *value)
{
    if (object)
        add(object, key, json_string(value));
}

void report_number(report *object, const char *key, double value)
{
    if (object)
        add(object, key, number(value));
}

void report_integer(report *object, const char *key, int64_t value)
{
    if (object)
        add(object, key, json_integer(value));
}

void report_bool(report *object, const char *key, bool value)
{
    if (object)
        add(object, key, json_boolean(value));
}

#else

const char *report_library(void)
{
    return NULL;
}

int report_begin(report **root)
{
    *root = NULL;
    return fail(CODE_ABSENT, "weft was built without jansson, which writes "
                             "--json reports");
}

int report_end(report *root)
{
    (void)root;
    return CODE_OK;
}

report *report_object(report *parent, const char *key)
{
    (void)parent, (void)key;
    return NULL;
}

report *report_array(report *parent, const char *key)
{
    (void)parent, (void)key;
    return NULL;
}

report *report_append(report *array)
{
    (void)array;
    return NULL;
}

void report_append_number(report *array, double value)
{
    (void)array, (void)value;
}

void report_text(report *object, const char *key, const char *value)
{
    (void)object, (void)key, (void)value;
}

void report_number(report *object, const char *key, double value)
{
    (void)object, (void)key, (void)value;
}

void report_integer(report *object, const char *key, int64_t value)
{
    (void)object, (void)key, (void)value;
}

void report_bool(report *object, const char *key, bool value)
{
    (void)object, (void)key, (void)value;
}

#endif

int report_exit(report *root, int code)
{
    bool believed = code == CODE_OK || code == CODE_CHECK;
    int printed = believed ? report_end(root) : CODE_OK;
    return code < 0 ? CODE_OK : code ? code : printed;
}
