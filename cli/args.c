/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line: see args.h. */
#include "args.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 40, HELP_VALUE = 1000, FIRST_VALUE = 1001 };

/* The one mutable name of the program: set once by main before anything can
 * fail, read by fail(). */
static const char *running = "";

const char *args_command(void)
{
    return running;
}

void args_set_command(const char *name)
{
    running = name;
}

static void print_help(const command *self)
{
    printf("Usage: weft %s %s\n\n%s\n\nOptions:\n", self->name, self->usage,
           self->summary);
    for (const arg *row = self->options; row->name; row++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", row->name,
                 row->value ? " " : "", row->value ? row->value : "");
        printf("  %-26s %s\n", left, row->help);
    }
    printf("  %-26s %s\n\nExamples:\n%s", "--help", "this text",
           self->examples);
}

/* `letters` as getopt_long takes them. */
static int next(const command *self, int argc, char **argv, const char **value,
                const char *letters)
{
    struct option table[MAX_OPTIONS];
    int count = 0;
    for (; self->options[count].name && count < MAX_OPTIONS - 2; count++) {
        const arg *row = &self->options[count];
        table[count] = (struct option){row->name,
                                       row->value ? required_argument
                                                  : no_argument,
                                       NULL, FIRST_VALUE + count};
    }
    table[count] = (struct option){"help", no_argument, NULL, HELP_VALUE};
    table[count + 1] = (struct option){NULL, 0, NULL, 0};

    opterr = 0;
    int found = getopt_long(argc, argv, letters, table, NULL);
    *value = optarg;
    if (found == -1)
        return ARGS_DONE;
    if (found == HELP_VALUE || found == 'h') {
        print_help(self);
        return ARGS_HELP;
    }
    if (found == ':')
        fail(CODE_USAGE, "option '%s' needs a value", argv[optind - 1]);
    else if (found == '?')
        fail(CODE_USAGE, "unknown option '%s' (try weft %s --help)",
             argv[optind - 1], self->name);
    if (found == ':' || found == '?')
        return ARGS_BAD;
    return found - FIRST_VALUE;
}

int args_next(const command *self, int argc, char **argv, const char **value)
{
    return next(self, argc, argv, value, ":h");
}

int args_next_leading(const command *self, int argc, char **argv,
                      const char **value)
{
    return next(self, argc, argv, value, "+:h");
}

int args_operands(void)
{
    return optind;
}

int args_integer(const char *option, const char *text, int64_t low,
                 int64_t high, int64_t *value)
{
    char *end;
    errno = 0;
    long long parsed = strtoll(text, &end, 10);
    if (errno || end == text || *end || parsed < low || parsed > high)
        return fail(CODE_USAGE,
                    "--%s takes a whole number from %lld to %lld, not '%s'",
                    option, (long long)low, (long long)high, text);
    *value = parsed;
    return CODE_OK;
}

int args_number(const char *option, const char *text, double low, double high,
                double *value)
{
    char *end;
    double parsed = strtod(text, &end);
    if (end == text || *end || !(parsed >= low && parsed <= high))
        return fail(CODE_USAGE, "--%s takes a number from %g to %g, not '%s'",
                    option, low, high, text);
    *value = parsed;
    return CODE_OK;
}

int args_choice(const char *option, const char *text,
                const char *const *choices, int *index)
{
    char list[200] = "";
    size_t used = 0;
    for (int i = 0; choices[i]; i++) {
        if (!strcmp(text, choices[i])) {
            *index = i;
            return CODE_OK;
        }
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                     i ? ", " : "", choices[i]);
    }
    return fail(CODE_USAGE, "--%s takes one of %s, not '%s'", option, list,
                text);
}
