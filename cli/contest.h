/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One problem timed in turn (timing.h) with the same transform by other
 * libraries, on the same buffers, and with what --against makes of it, each
 * such counterpart on buffers of its own.  Everybody's result is checked
 * before timing and after each round; who fails is out, with a reason.
 *
 * A counterpart that is the same transform must give the numbers that the
 * problem gives, whatever its place, layout, order, type, precision, threads
 * or plan.  r2c and c2r count as c2c of their sign, on numbers that are real or
 * symmetric.  Any other counterpart is held against weft_reference or, where
 * that would take long, against a plan of precision `compensated`.
 *
 * In place, transforming again and again would let the numbers grow beyond
 * all bounds, and FFTW's c2r does what it likes with its input: where one
 * contender does that, all are timed on zeros, and the comparison is made on
 * fresh data outside the timed calls.
 */
#ifndef WEFT_CLI_CONTEST_H
#define WEFT_CLI_CONTEST_H

#include <weft/weft.h>

#include "against.h"
#include "field.h"
#include "peer.h"
#include "timing.h"

enum { MAX_AGAINST = 6, MAX_CONTENDERS = 1 + MAX_PEERS + MAX_AGAINST };

/* A problem of weft's own.  Packed numbers are in the problem's order. */
typedef struct entry {
    const entrant *is;
    field data;
    weft_plan *plan;
    int64_t *order;           /* of a scrambled one, else NULL */
    double *input, *expected; /* packed */
    double tolerance;         /* relative L2 error that two may differ by */
    const char *checked;      /* a counterpart: by what */
} entry;

/* Contender 0 is the problem; peers follow, then counterparts. */
typedef struct contest {
    entry entries[1 + MAX_AGAINST]; /* the problem, the counterparts */
    const peer_list *peers;
    double scale;          /* the problem's; peers do not scale */
    double *natural, *got; /* packed; of the problem in natural order */
    bool zeros;            /* what is timed */
    contender contenders[MAX_CONTENDERS];
    reason failure[MAX_CONTENDERS];
    double planning[MAX_CONTENDERS]; /* seconds */
    int count;
} contest;

/* entrants[0] is the problem.  An error is one of the problem itself; what
 * happens to others is in `failure`.  Close it in every case. */
int contest_open(contest *self, const entrant *entrants, int count,
                 const peer_list *peers);
/* Fills the contenders' times; `check` and `context` of timing are its own. */
int contest_run(contest *self, const timing_plan *timing);
void contest_close(contest *self);
bool contest_is_peer(const contest *self, int i);
/* The entry on whose buffers contender i works: a peer, on the problem's. */
const entry *contest_entry(const contest *self, int i);

#endif
