/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiling the source of weft_plan_source.  A compiled file is named by what
 * it is made of, source, kernels and compiler command, so that the same work
 * is done once.  Everything happens in a folder of its own inside the folder
 * for results, out of which a result is moved when it is to stay.  Programs
 * are started as they are, by no shell.
 */
#ifndef WEFT_CLI_COMPILE_H
#define WEFT_CLI_COMPILE_H

#include <limits.h>

#include "cli.h"

typedef struct workshop {
    const char *compiler;
    char folder[PATH_MAX];    /* for results */
    char temporary[PATH_MAX]; /* below it; "" when not open */
    char generator[PATH_MAX], headers[PATH_MAX];
} workshop;

/* One compiled step. */
typedef struct compiled {
    char path[PATH_MAX];  /* where it is to stay */
    char fresh[PATH_MAX]; /* where it is now; "": at `path`, from before */
} compiled;

/* `folder` NULL: weft's in the user's cache.  0, CODE_ABSENT (no generator
 * beside this program), CODE_OUTPUT; told. */
int workshop_open(workshop *self, const char *folder, const char *compiler);
/* Removes the temporary folder and what is in it. */
void workshop_close(workshop *self);

/* `number` tells the files of one run apart; again: though there is a file from
 * before.  0, CODE_ABSENT (the compiler
 * cannot be started), CODE_CHECK (it failed), CODE_OUTPUT; told. */
int workshop_compile(workshop *self, const char *source, int number,
                     bool again, compiled *result);
/* Moves a fresh result to where it is to stay. */
int workshop_keep(compiled *result);

#endif
