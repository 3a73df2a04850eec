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

static void print_wrapped(const char *text)
{
    enum { WIDTH = 79 };
    size_t column = 0;
    while (*text) {
        size_t word = strcspn(text, " ");
        bool fits = column + 1 + word <= WIDTH;
        if (column)
            putchar(fits ? ' ' : '\n');
        column = column && fits ? column + 1 + word : word;
        printf("%.*s", (int)word, text);
        text += word;
        text += strspn(text, " ");
    }
}

static void print_help(const command *self)
{
    printf("Usage: weft %s %s\n\n", self->name, self->usage);
    print_wrapped(self->summary);
    printf("\n\nOptions:\n");
    for (const arg *row = self->options; row->name; row++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", row->name,
                 row->value ? " " : "", row->value ? row->value : "");
        printf("  %-26s %s\n", left, row->help);
    }
    printf("  %-26s %s\n\nExamples:\n%s", "--help", "this text",
           self->examples);
}

enum { DONE = -2, BAD = -3 }; /* beside ARGS_HELP */

/* The next option as an index into self->options, its value in *value; or
 * DONE, BAD (told), ARGS_HELP (printed).  `letters` as getopt_long takes
 * them. */
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
        return DONE;
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
        return BAD;
    return found - FIRST_VALUE;
}

static int parse(const command *self, int argc, char **argv,
                 const char *letters, args_set *set, void *want)
{
    const char *value;
    int option, code = CODE_OK;
    while (!code && (option = next(self, argc, argv, &value, letters)) != DONE)
        code = option == ARGS_HELP ? ARGS_HELP
               : option == BAD     ? CODE_USAGE
                                   : set(want, option, value);
    return code;
}

int args_parse(const command *self, int argc, char **argv, args_set *set,
               void *want)
{
    return parse(self, argc, argv, ":h", set, want);
}

int args_parse_leading(const command *self, int argc, char **argv,
                       args_set *set, void *want)
{
    return parse(self, argc, argv, "+:h", set, want);
}

int args_operands(void)
{
    return optind;
}

int args_in_out(const command *self, int argc, char **argv, const char **in,
                const char **out)
{
    if (argc - optind != 2)
        return fail(CODE_USAGE,
                    "needs IN and OUT, %d operands given (try "
                    "weft %s --help)",
                    argc - optind, self->name);
    *in = argv[optind];
    *out = argv[optind + 1];
    return CODE_OK;
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
