/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every part of the program `weft` shares: the exit codes, how an error
 * is told, and the list of subcommands.
 *
 * Errors travel as values here too: a function that fails has already told
 * the reader why (fail(), one line on stderr naming the offending value)
 * and returns the exit code, which its callers hand up unchanged; 0 is
 * success.  Pure parsers do not print: they fill a `why` for their caller.
 */
#ifndef WEFT_CLI_CLI_H
#define WEFT_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <weft/weft.h>

#if defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

/* Documented in weft(1): scripts rely on these. */
enum exit_code {
    CODE_OK = 0,
    CODE_CHECK = 1,   /* a check failed: accuracy, a peer, a case */
    CODE_USAGE = 2,   /* the command line makes no sense */
    CODE_INPUT = 3,   /* an input file cannot be read or is malformed */
    CODE_LIBRARY = 4, /* libweft refused, or memory ran out */
    CODE_OUTPUT = 5,  /* an output file cannot be written */
    CODE_ABSENT = 6,  /* this build was made without a needed library */
    CODE_TARGET = 7   /* no plan meets the accuracy asked for */
};

/* A text that says why, made by a function that does not print. */
typedef struct reason {
    char text[400];
} reason;

void because(reason *why, const char *format, ...) CLI_PRINTF(2, 3);

/* "weft COMMAND: ..." on stderr; returns `code`. */
int fail(int code, const char *format, ...) CLI_PRINTF(2, 3);
/* As fail() tells, of what is no failure. */
void warn(const char *format, ...) CLI_PRINTF(1, 2);
/* The same for a refusal of libweft: `what`, then its own words. */
int fail_library(const char *what);
/* The same of weft_plan_create: CODE_TARGET when no plan meets the target. */
int fail_plan(weft_status status, const char *what);
/* What was told last, without the command. */
const char *fail_text(void);

/* A line that replaces itself on stderr while long work goes on; nothing
 * when stderr is no terminal.  progress_end clears it. */
void progress(const char *format, ...) CLI_PRINTF(1, 2);
void progress_end(void);

/* a * b, or false when that is negative or beyond 63 bits. */
bool checked_product(int64_t a, int64_t b, int64_t *product);

/* Copies at most size - 1 bytes and always ends the text. */
void copy_text(char *to, size_t size, const char *from);

/* The subcommands: argv[0] is the subcommand's name. */
typedef int command_function(int argc, char **argv);
command_function command_fft;
command_function command_stft;
command_function command_plan;
command_function command_verify;
command_function command_accuracy;
command_function command_neuron;
command_function command_bench;
command_function command_tune;
command_function command_info;
command_function command_run_with_fftw;

#endif
