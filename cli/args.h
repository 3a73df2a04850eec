/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The command line.  A subcommand lists its options once, in a table; the
 * same rows drive the parser (getopt_long) and the list in --help, so that
 * neither can forget the other.
 */
#ifndef WEFT_CLI_ARGS_H
#define WEFT_CLI_ARGS_H

#include "cli.h"

typedef struct arg {
    const char *name;  /* without the dashes */
    const char *value; /* how --help names its value; NULL: a switch */
    const char *help;
} arg;

typedef struct command {
    const char *name;
    const char *usage;    /* the operands, for the first line of --help */
    const char *summary;  /* one paragraph */
    const char *examples; /* whole lines */
    const arg *options;   /* ends with a name of NULL */
} command;

/* What a command does with option number `option` of its table: CODE_OK, or
 * another code having told what is wrong. */
typedef int args_set(void *want, int option, const char *value);

enum { ARGS_HELP = -1 };

/* Gives all options to `set`.  CODE_OK: the operands stand from
 * args_operands; CODE_USAGE (told); what else `set` returned; or ARGS_HELP:
 * the help is printed and there is no more to do. */
int args_parse(const command *self, int argc, char **argv, args_set *set,
               void *want);
/* The same, but options end at the first operand: what follows is its. */
int args_parse_leading(const command *self, int argc, char **argv,
                       args_set *set, void *want);
/* The index of the first operand after args_parse. */
int args_operands(void);
/* The operands where they must be two files; CODE_USAGE told otherwise. */
int args_in_out(const command *self, int argc, char **argv, const char **in,
                const char **out);

/* The subcommand that runs, for error messages. */
const char *args_command(void);
void args_set_command(const char *name);

/* The values of options.  Each returns 0, or CODE_USAGE having told that
 * `option` does not take `text`. */
int args_integer(const char *option, const char *text, int64_t low,
                 int64_t high, int64_t *value);
int args_number(const char *option, const char *text, double low, double high,
                double *value);
/* The index of `text` in `choices` (ends with NULL). */
int args_choice(const char *option, const char *text,
                const char *const *choices, int *index);

#endif
