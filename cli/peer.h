/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Other FFT libraries, found at run time: nothing of theirs is needed to
 * build weft, and none is linked.  A peer is one library, or FFTW's pair of
 * libraries for the two types, or another build of weft; it plans a weft
 * problem on given buffers into something that can be called again and again.
 */
#ifndef WEFT_CLI_PEER_H
#define WEFT_CLI_PEER_H

#include <weft/weft.h>

#include "cli.h"

/* Where the samples are; the im pointers only for split problems.  Short ones in
 * place are there RING times, `apart` bytes from each other, to be called with in
 * turn: on one array each call waits for the results of the one before, which out
 * of place none does.  apart 0: only once. */
enum { RING = 8 };
typedef struct samples {
    void *in_re, *in_im, *out_re, *out_im;
    size_t apart;
} samples;

/* The array of call i. */
static inline void *samples_turn(void *array, size_t apart, int64_t i)
{
    return (char *)array + (size_t)i % RING * apart;
}

/* What is timed: run(argument, calls) calls the library that many times, in
 * a loop of its own, so that each library is called as its users call it. */
typedef struct runner {
    void (*run)(void *argument, int64_t calls);
    void *argument;
} runner;

typedef struct peer peer;
struct peer {
    char name[16];     /* "fftw", "mkl", "build" */
    char build[120];   /* its own version text */
    char path[2][400]; /* of the libraries, [type]; "" when absent */
    void *library[2];
    /* Plans the problem (strides expanded) on these buffers, which it may
     * overwrite; false with a reason. */
    bool (*plan)(const peer *self, const weft_problem *problem,
                 const samples *data, runner *run, reason *why);
    void (*release)(const peer *self, weft_type type, runner *run);
    /* A build of weft, which scales and scrambles as the problem says, where
     * others do neither: its plan as text.  NULL: another library. */
    void (*tree)(const runner *run, char *text, size_t size);
    int effort;                   /* FFTW: 0 estimate, 1 measure, 2 patient */
    double time_limit;            /* FFTW: seconds to plan, < 0 none */
    const weft_plan_options *how; /* weft */
};

enum { MAX_PEERS = 12 };

typedef struct peer_options {
    const char *fftw_path[MAX_PEERS]; /* --fftw-lib, besides the system's */
    int fftw_count;
    const char *mkl_path;             /* --mkl-lib or NULL: search */
    const char *weft_path[MAX_PEERS]; /* --weft-lib */
    int weft_count;
    const weft_plan_options *how; /* those plan */
    int effort;
    double time_limit;
    int threads; /* the most that any problem of this run wants */
} peer_options;

/* One line about a peer that is not there. */
typedef struct missing {
    char name[16];
    bool named; /* by its path: the user counts on it */
    reason why;
} missing;

typedef struct peer_list {
    peer peers[MAX_PEERS];
    int count;
    missing absent[MAX_PEERS];
    int absent_count;
} peer_list;

/* Opens all that is found; `only` is a comma list of names or NULL.  Builds of
 * weft are there because they were named. */
void peers_open(peer_list *list, const peer_options *options,
                const char *only);
bool peer_wanted(const char *only, const char *name);

/* Of peer_fftw.c, peer_mkl.c and peer_weft.c: add what they find to the list. */
void peers_add_fftw(peer_list *list, const peer_options *options);
void peers_add_mkl(peer_list *list, const peer_options *options);
void peers_add_weft(peer_list *list, const peer_options *options);
void peers_note_absent(peer_list *list, const char *name, bool named,
                       const char *why);

/* dlopen so that the library's symbols stay its own; NULL with a reason. */
void *peer_load(const char *path, reason *why);
/* Copies the address of `name` to the function pointer at `slot`. */
bool peer_find(void *library, const char *name, void *slot);
/* The file a loaded library came from. */
void peer_origin(void *library, const char *symbol, char *path, size_t size);

#endif
