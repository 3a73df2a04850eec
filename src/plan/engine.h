/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.h - the door engines implement.  Planning knows widths, radices and
 * prices; it does not know instruction sets.
 */
#ifndef WEFT_PLAN_ENGINE_H
#define WEFT_PLAN_ENGINE_H

#include "plan/problem.h"
#include "plan/step.h"

/* A tree bound to an engine; each engine has its own. */
typedef struct wf_program wf_program;

typedef void wf_execute(const wf_program *program, const void *in_re,
                        const void *in_im, void *out_re, void *out_im);

/* What a kernel is used for, as planning speaks of it. */
typedef enum wf_role {
    WF_ROLE_LEAF,              /* a whole transform of n */
    WF_ROLE_LEAF_SPLIT,        /* the same of two arrays */
    WF_ROLE_FIRST,             /* first self-sorting pass, transposing */
    WF_ROLE_PASS,              /* a later pass, twiddles in every lane */
    WF_ROLE_LAST,              /* the last of them, which interleaves */
    WF_ROLE_COLUMN,            /* a pass with one column a lane */
    WF_ROLE_WHOLE_COLUMN,      /* all of a column, two lanes a number */
    WF_ROLE_LONE_COLUMN,       /* the same of columns anywhere */
    WF_ROLE_INTERLEAVED_FIRST, /* first pass, two lanes a number */
    WF_ROLE_INTERLEAVED,       /* a later one */
    WF_ROLE_REAL,              /* a whole real transform of n */
    WF_ROLE_REAL_COLUMN,       /* the same of one in each lane, and */
    WF_ROLE_REAL_COLUMN_BACK,  /* back to reals */
    WF_ROLE_HALF_FIRST,        /* first pass over half spectra, transposing */
    WF_ROLE_HALF,              /* a later one */
    WF_ROLE_COSINE, /* a whole type II, III or IV of n in each lane */
    WF_ROLE_ROWS,   /* the same of contiguous vectors */
    WF_ROLE_ALONE,  /* a whole type II or III of n, in registers */
    WF_ROLE_COUNT
} wf_role;

/* The most that WF_ROLE_LEAF is asked for, of engines with prices. */
enum { WF_LONGEST_LEAF = 1600 };

/* Where a pass stands among fused ones. */
typedef enum wf_fusing {
    WF_ALONE,
    WF_FUSED_FIRST,  /* in the first two passes */
    WF_FUSED_MIDDLE, /* in two others, but */
    WF_FUSED_LAST,   /* in the last two */
    WF_FUSINGS
} wf_fusing;

/* Prices of neighbouring columns as numbers of one transform: what butterflies take of
 * theirs, and legs that share a set; ns for each row that the first pass reads or writes
 * beyond eight in a set (both); ns to begin a group; trips of all bytes a pass
 * takes; and those of an axis: of one matrix, of many, in place. */
typedef struct wf_beside_prices {
    double butterfly, crowd, both, group, pass, one, many, in_place;
} wf_beside_prices;

/* Prices of real vectors by columns of complex numbers: what those cost, of their price
 * as such; ns for a row of a vector to bring there and back, of 256 bits and of 512; ns
 * a number around columns with one vector in each lane.  And what type II by the
 * definition takes in 512 bits from 17 numbers on, of what other kinds do. */
typedef struct wf_real_prices {
    double embedded, row[2], laned, second;
} wf_real_prices;

/* Rates the cost model multiplies with; of a class of machines, not of this
 * one, so that a problem has the same plan on all machines of the class. */
typedef struct wf_machine {
    double level_bytes[3]; /* capacity of cache 1, 2, 3 */
    double level_rate[4];  /* ns per byte moved from cache 1, 2, 3, memory */
    double kept;   /* bytes of long rows, in and out, that cache 3 has still
                           when they come again */
    double stream; /* ns per byte of rows that are fetched ahead and whose
                      output goes past the caches; 0: it does not */
    /* Where another axis follows, streamed rows of fewer bytes than this, in
     * and out, cost a trip to memory more: the caches would have kept them for
     * it.  0: they do not. */
    double followed;
    /* Bytes of rows up to which that pays in place, where all are at least so many; 0:
     * a few pages.  And from which on, of f32, of f64, but for kernels alone; 0: 1 KiB. */
    double streamed, all_streamed, streamed_from[2];
    /* Lengths (bits of them) of complex and of real leaves, of f32, of f64, that pay it in
     * place at any row: their loads are in an order in which the processor sees no
     * stream.  And the bytes of rows from which halves do, which load from both ends;
     * 0: as others. */
    uint64_t unfollowed[2][2];
    double streamed_halves;
    /* Bytes of rows from which it pays for reals by a leaf or a half; 0: as for others
     * that are no single kernel. */
    double streamed_reals;
    /* Part of the trips to memory that real vectors side by side take where more than
     * twice `kept` comes and goes by pieces of rows (wf_streaming); 0: all. */
    double abreast;
    /* Bytes of a transform's output that may go in a slice of its own where slices
     * stream, and where they do not; 0: what the second cache holds. */
    double sliced[2];
    double spread; /* caches 1 and 2 lose what they hold bit by bit, while
                              the data grow to so many times their capacity */
    bool whole;    /* what was used one transform ago, as tables were,
                              shares the caches with all that came since */
    int rivals;    /* widths below one of full vectors that may yet win */
    /* Bytes of a transform up to which passes are fused whose blocks have rows of
     * less than two cache lines. */
    double fused;
    /* Bytes of one up to which no passes are fused: the first cache holds the most of
     * it.  0: half of level_bytes[0]. */
    double unfused;
    /* Parts of its time that a transform in place saves by passes, which then have two
     * arrays where three no longer fit the second cache, and loses by a four-step with
     * a middle matrix beyond that; 0: not known (wf_cost_in_place). */
    double in_place[2];
    /* Bytes that a fused pair's buffer may have; 0: half of level_bytes[0], where
     * registers are narrower three quarters of it. */
    double buffer;
    double call;        /* ns to start a step */
    double kernel_call; /* ns to call a pass kernel */
    double real_call;   /* and one of columns of reals */
    double block_call;  /* ns to call it once more for a fused pair's block */
    double row;         /* ns to begin a row of a later pass */
    double group; /* and more for a group and call of an interleaved one */
    double table; /* what a byte of tables costs, over one of data */
    double share[WF_FUSINGS]; /* of a trip, each of two fused passes pays */
    /* Passes over more bytes than `reach`, in and out, take `walk` ns a sample
     * more (of f32, of f64), those of 512 bits `walk_wide` on top, and for each MiB
     * of input beyond that `walk_more` a byte: pages the processor must look up, and
     * what the second cache does not have in time. */
    double reach, walk[2], walk_wide, walk_more;
    /* What a row of a pass over half spectra takes, in 512 bits, beside its
     * vectors, for it reads what has just been written in other ones; 0: not
     * timed, and narrower vectors are not tried. */
    double half_row;
    double many, legs; /* passes over more than `many` samples take `legs` ns a
                           byte of each leg beyond the sixteenth, but of 16
                           lanes */
    /* ns for each leg beyond the eighth when legs are a multiple of a page
     * apart: they fall into one set of the first cache and evict each other.
     * Legs read, written, and read from a fused pair's buffer. */
    double alias, alias_out, alias_buffer;
    /* ns for each row that a fused pair's block writes beyond twenty in a set. */
    double alias_pair;
    double column_row; /* ns to begin a row of the first pass of columns */
    double
        crowded; /* ns for each leg of columns beyond the eighth in a set; 0:
                          not looked at */
    /* ns for a vector of 64 bytes that lies across two lines; of samples that
     * the second cache does not hold, more. */
    double split_load, split_store, split_far;
    double product[3];   /* ns a product, its sum and its load take where they
                          wait for no other, of 128, 256 and 512 bits */
    double convolved[2]; /* what products around a convolution's transforms
                         take less than on Zen 4, as a part of that, where the
                         second cache holds them; beside passes of 16 lanes */
    double primes[2];    /* ns a product around a real convolution's, f32 and
                            f64; 0: not timed, as of a complex one, so that
                            `rdecimated` must win clearly */
    double wide;         /* ns more where vectors have 16 lanes */
    double sorted[2];    /* ns a number that a real split sorts, f32 and f64 */
    /* Reals by a whole complex transform: ns of a call, trips of all samples beyond
     * the first cache. */
    double full_call, full_trips;
    /* Half spectra by passes: ns beside the passes; backwards, where Hartley numbers
     * come first, a call and a number. */
    double half_call, turned[2];
    double sum;       /* ns a sample more where it is of two parts, */
    double joined[2]; /* but ns a sample and a byte where the transforms are
                          joined to it; */
    /* ns a byte more of passes where the second cache does not hold all arrays and the
     * table. */
    double passes_far;
    double trips[3]; /* a four-step's: ns a number of both parts, a byte, and a
                          byte more of all four-steps' where it is from memory */
    /* Part of its time that a four-step takes more for each octave that its sides are
     * more than one apart; less: up to three. */
    double apart;
    /* Bytes of one part from which more splits of it are tried; 0: 512 KiB, of doubles
     * 1536. */
    double trips_from;
    double copied;  /* ns a byte of a two-step costs beside the transforms */
    double strided; /* ns a byte of strided vectors costs that are copied to
                       rows and back in the caches; 0: as beyond them */
    /* ns a byte of two planes costs to interleave and back, or of a matrix to
     * transpose, and of short real vectors to bring to rows and back. */
    double merged, merged_reals;
    wf_beside_prices beside;
    wf_real_prices reals;
    double part;    /* what columns left of full vectors take in narrower ones,
                       as a part of a full block's time, for each width; 0: as
                       much as that, and as two at least */
    double again;   /* ns less to start a step that has just run */
    double indexed; /* what rows by an index cost, of 0.82 ns a sample and
                       0.034 a byte */
    double rewritten; /* ns a byte that trip 2 of a four-step writes where it
                         was, if the first cache does not hold a block of it */
    double row_split[2]; /* ns for 64 bytes that a four-step, or an interleaved
                            pass, reads or writes across two lines */
    /* The part of its time that a four-step of 32 times as many rows as columns,
     * or more, takes more. */
    double lopsided;
    /* And of doubles where a row of the middle is less than two pages: two threads
     * share one, and each fetches ahead what the other writes.  So little that it
     * decides between equals, which floats' long columns first are not. */
    double shared;
    double exchanged; /* in place, the bytes below which a four-step of squares
                         exchanges rows with columns, where a second matrix
                         goes past the caches from there on; 0: 16 MiB */
    double pieces; /* what a four-step of half lines takes, over one of lines,
                      where the second cache holds its data, the third both
                      trips' */
    double tile;   /* ns a sample and trip of a four-step costs beside its
                    columns, in vectors of eight, */
    bool halves;   /* or of as many bytes: two of 256 bits take what one of 512
                    does */
} wf_machine;

typedef struct wf_engine {
    const char *name;
    /* Refuses problems the engine is not for; NULL: it is for all. */
    weft_status (*accepts)(const wf_problem *problem);
    const wf_machine *(*machine)(void);
    /* Widths available for a type, widest first, 0-terminated. */
    const int *(*widths)(weft_type type);
    /* ns for one butterfly on `width` lanes (for a leaf: one transform, any
     * width), data in the first cache; negative when there is no kernel. */
    double (*price)(wf_role role, weft_type type, int width, int radix);
    /* Real operations of the same (a vector operation counts its lanes). */
    double (*flops)(wf_role role, weft_type type, int width, int radix);
    /* Real multiply-adds a ns of matrix products of a format, and whether
     * hardware has the format or others do its work.  NULL: this engine has
     * no step for them. */
    double (*products)(wf_format format, bool *emulated);
    /* An engine whose steps' prices do not add up (what one unit does hides
     * behind another) weighs an axis step with its transform: ns, negative
     * when it cannot do that, and has said why (-2: its transform, but not by
     * this walk), NaN when there is no memory; *flops: its operations.  NULL:
     * cost.c adds up the prices above. */
    double (*weigh)(const struct wf_engine *engine, const wf_problem *problem,
                    const wf_step *axis, double *flops);
    /* Refuses a step that the engine has not, wherever it stands in a tree, and
     * says why.  NULL: its price does. */
    weft_status (*has)(const wf_step *step);
    int matrix_radix; /* passes of radices to this are matrix products, 0:
                         none are (rules/stages.c) */
    /* Bound plans. */
    weft_status (*bind)(const struct wf_engine *engine,
                        const wf_problem *problem, const wf_step *tree,
                        wf_program **program);
    /* Transforms everything; interleaved: *_im are NULL.  Thread-safe,
     * re-entrant, cannot fail. */
    wf_execute *execute;
    /* Median seconds of one execution of a bound program on the engine's own
     * buffers; time_limit in seconds. */
    weft_status (*measure)(wf_program *program, const wf_problem *problem,
                           double time_limit, double *seconds);
    void (*release)(wf_program *program);
    void (*sizes)(const wf_program *program, size_t *tables, size_t *scratch);
    /* order[i] = frequency at position i, for rank 1. */
    void (*order)(const wf_program *program, int64_t *order, int64_t n);
    /* Its own law of errors, where accuracy.c's does not hold: relative L2, in
     * absolute terms.  NULL: accuracy.c's. */
    void (*errors)(const wf_program *program, double *bound, double *expected);
    /* What an engine knows of a bound program beyond its tree, or NULL: lines
     * for weft_plan_explain, and what weft.h says of weft_plan_timetable and
     * weft_plan_figure. */
    void (*explain)(const wf_program *program, wf_text *text);
    void (*timetable)(const wf_program *program, wf_text *text);
    bool (*figure)(const wf_program *program, const char *name, double *value);
    /* C code of part `part` of a bound program, as weft.h says of
     * weft_plan_source.  NULL: nothing can be had of this engine. */
    weft_status (*source)(const wf_program *program, int part, wf_text *text);
} wf_engine;

#endif
