/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api_test.c - weft.h sentence by sentence: what each function refuses, with
 * which status and that the text names the offending value; that nothing
 * changes when it refuses; and what the functions that are no transform
 * promise.
 */
#include "check.h"
#include "oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HUGE_N (INT64_C(1) << 62)

/* `text` empty: any reason, but a reason. */
static void refused(const char *what, weft_status got, weft_status want,
                    const char *text)
{
    const char *reason = weft_error_text();
    CHECK(got == want, "%s: %s, not %s (%s)", what, weft_status_name(got),
          weft_status_name(want), reason);
    CHECK(reason[0] != '\0' && strstr(reason, text) && !strchr(reason, '\n'),
          "%s: \"%s\" does not name \"%s\"", what, reason, text);
}

static void accepted(const char *what, weft_status got)
{
    CHECK(got == WEFT_OK, "%s: %s: %s", what, weft_status_name(got),
          weft_error_text());
}

/* check, extent, print and plan refuse alike and leave outputs alone. */
static void refused_problem(const char *what, const weft_problem *p,
                            weft_status want, const char *text)
{
    char buffer[8] = "before";
    size_t length = 12345;
    weft_extent extent = {.count = 777};
    weft_plan *plan = (weft_plan *)buffer;
    refused(what, weft_problem_check(p), want, text);
    refused(what, weft_problem_extent(p, &extent), want, text);
    CHECK(extent.count == 777, "%s: extent written on an error", what);
    refused(what, weft_problem_print(p, buffer, sizeof buffer, &length), want,
            text);
    CHECK(!strcmp(buffer, "before") && length == 12345,
          "%s: print wrote on an error", what);
    refused(what, weft_plan_create(p, NULL, &plan), want, text);
    CHECK(plan == NULL, "%s: plan is not NULL after an error", what);
}

static weft_problem problem_of(const char *text)
{
    weft_problem p = {0};
    weft_status status = weft_problem_parse(text, &p);
    CHECK(status == WEFT_OK, "%s: %s", text, weft_error_text());
    return p;
}

static weft_plan *plan_of(const char *text)
{
    weft_problem p = problem_of(text);
    weft_plan *plan = NULL;
    weft_status status = weft_plan_create(&p, NULL, &plan);
    CHECK(status == WEFT_OK, "%s: %s", text, weft_error_text());
    return plan;
}

/* ---- Words -------------------------------------------------------------- */

static void test_words(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", WEFT_VERSION_MAJOR,
             WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
    CHECK(!strcmp(weft_version(), version), "version %s", weft_version());
    CHECK(!strcmp(weft_error_text(), ""), "a reason before any failure: %s",
          weft_error_text());
    CHECK(!strcmp(weft_status_name(WEFT_OK), "ok"), "WEFT_OK");
    CHECK(!strcmp(weft_status_name(WEFT_ERR_ARGUMENT), "argument"), "1");
    CHECK(!strcmp(weft_status_name(WEFT_ERR_OVERFLOW), "overflow"), "2");
    CHECK(!strcmp(weft_status_name((weft_status)99), "unknown"), "99");
    CHECK(!strcmp(weft_status_name((weft_status)-1), "unknown"), "-1");
    for (int i = 0; i <= WEFT_ERR_INTERNAL; i++)
        for (int j = 0; j < i; j++)
            CHECK(strcmp(weft_status_name((weft_status)i),
                         weft_status_name((weft_status)j)),
                  "statuses %d and %d have one name", i, j);
    const char *isa = weft_isa();
    CHECK(!strcmp(isa, "scalar") || !strcmp(isa, "sse2") ||
              !strcmp(isa, "avx2") || !strcmp(isa, "avx512") ||
              !strcmp(isa, "neon"),
          "isa \"%s\"", isa);
    char info[4096] = "";
    size_t length = 0;
    accepted("weft_info", weft_info(info, sizeof info, &length));
    CHECK(length > 20 && strchr(info, '\n') && strstr(info, isa),
          "weft_info says \"%s\"", info);
}

/* ---- Refusals of problems ----------------------------------------------- */

static void test_enums(void)
{
    const weft_problem good = weft_problem_1d(WEFT_F64, 8, WEFT_FORWARD);
    weft_problem p = good;
    accepted("a good problem", weft_problem_check(&p));
#define BAD_ENUM(field, value, type) \
    p = good;                        \
    p.field = (type)(value);         \
    refused_problem(#field " " #value, &p, WEFT_ERR_ARGUMENT, #value)
    BAD_ENUM(kind, 77, weft_kind);
    BAD_ENUM(type, 5, weft_type);
    BAD_ENUM(sign, 2, weft_sign);
    BAD_ENUM(norm, 9, weft_norm);
    BAD_ENUM(layout, 3, weft_layout);
    BAD_ENUM(place, 4, weft_place);
    BAD_ENUM(order, 6, weft_order);
    BAD_ENUM(rank, 33, int32_t);
    BAD_ENUM(rank, -1, int32_t);
    BAD_ENUM(batch_rank, 33, int32_t);
    BAD_ENUM(batch_rank, -3, int32_t);
    BAD_ENUM(threads, -2, int32_t);
#undef BAD_ENUM
    p = good, p.precision = (weft_precision)88;
    CHECK(weft_problem_check(&p) != WEFT_OK && strstr(weft_error_text(), "88"),
          "precision 88");
    p = good, p.engine = (weft_engine)41;
    CHECK(weft_problem_check(&p) != WEFT_OK && strstr(weft_error_text(), "41"),
          "engine 41");
    p = good, p.size = 24;
    refused_problem("size 24", &p, WEFT_ERR_ARGUMENT, "24");
    p = good, p.size = 0;
    refused_problem("size 0", &p, WEFT_ERR_ARGUMENT, "0");
    refused_problem("NULL", NULL, WEFT_ERR_ARGUMENT, "NULL");
    p = good, p.norm = WEFT_NORM_SCALE, p.scale = NAN;
    refused_problem("scale NaN", &p, WEFT_ERR_ARGUMENT, "nan");
    p.scale = HUGE_VAL;
    refused_problem("scale inf", &p, WEFT_ERR_ARGUMENT, "inf");
    p = good, p.scale = NAN; /* not looked at without WEFT_NORM_SCALE */
    accepted("scale NaN without its norm", weft_problem_check(&p));
}

static void test_sizes(void)
{
    weft_problem p = weft_problem_1d(WEFT_F64, 0, WEFT_FORWARD);
    refused_problem("n 0", &p, WEFT_ERR_ARGUMENT, "0");
    p.dims[0].n = -5;
    refused_problem("n -5", &p, WEFT_ERR_ARGUMENT, "-5");
    p.dims[0].n = INT64_MIN;
    refused_problem("n INT64_MIN", &p, WEFT_ERR_ARGUMENT,
                    "-9223372036854775808");
    p.dims[0].n = INT64_MAX;
    refused_problem("n INT64_MAX", &p, WEFT_ERR_OVERFLOW,
                    "9223372036854775807");
    p.dims[0].n = HUGE_N;
    refused_problem("n 2^62", &p, WEFT_ERR_OVERFLOW, "4611686018427387904");
    p = weft_problem_1d(WEFT_F64, INT64_C(1) << 32, WEFT_FORWARD);
    p.rank = 2, p.dims[1].n = INT64_C(1) << 32;
    refused_problem("2^32 x 2^32", &p, WEFT_ERR_OVERFLOW, "4294967296");
    p = weft_problem_1d(WEFT_F64, 8, WEFT_FORWARD);
    p.batch_rank = 1, p.batch[0].n = -6;
    refused_problem("batch -6", &p, WEFT_ERR_ARGUMENT, "-6");
    p.batch[0].n = INT64_MAX;
    refused_problem("batch INT64_MAX", &p, WEFT_ERR_OVERFLOW,
                    "9223372036854775807");
}

static void test_strides(void)
{
    static const struct {
        const char *problem, *value;
        weft_status status;
    } bad[] = {
        {"c2c:f64:8/1/0", "0", WEFT_ERR_ARGUMENT},
        {"c2c:f64:8/1/1*3/8/4", "", WEFT_ERR_ARGUMENT},
        {"c2c:f64:8/1/1*3/8/0", "0", WEFT_ERR_ARGUMENT},
        {"c2c:f64:4/1/1x4/4/3", "3", WEFT_ERR_ARGUMENT},
        {"c2c:f64:4/1/2x4/4/3", "", WEFT_ERR_ARGUMENT}, /* 6 = 3*2 = 2*3 */
        {"c2c:f64:8/1/-1*2/8/1", "", WEFT_ERR_ARGUMENT},
        {"c2c:f64:8/1/2:inplace", "", WEFT_ERR_ARGUMENT},
        {"c2c:f64:8/1/-1:inplace", "", WEFT_ERR_ARGUMENT},
        {"c2c:f64:4/1/1x4/4/5:inplace", "5", WEFT_ERR_ARGUMENT},
        {"c2c:f64:4/0/1x4/4/4:inplace", "", WEFT_ERR_ARGUMENT},
        {"c2c:f64:3/9223372036854775807/1", "9223372036854775807",
         WEFT_ERR_OVERFLOW},
        {"c2c:f64:3/1/9223372036854775807", "9223372036854775807",
         WEFT_ERR_OVERFLOW},
        {"c2c:f64:2/-9223372036854775808/1", "-9223372036854775808",
         WEFT_ERR_OVERFLOW},
        {"c2c:f64:2/1/-9223372036854775808", "-9223372036854775808",
         WEFT_ERR_OVERFLOW},
        {"c2c:f64:2/1/4611686018427387904", "4611686018427387904",
         WEFT_ERR_OVERFLOW},
        {"c2c:f64:4x4:scrambled", "2", WEFT_ERR_ARGUMENT},
        {"c2c:f64:-*4:scrambled", "0", WEFT_ERR_ARGUMENT},
        {"r2c:f64:8:scrambled", "r2c", WEFT_ERR_ARGUMENT},
        {"dht:f64:8:split", "dht", WEFT_ERR_ARGUMENT},
        {"c2r:f64:8:split:inplace", "c2r", WEFT_ERR_ARGUMENT},
        {"r2c:f64:8/1/1*3/8/4", "", WEFT_ERR_ARGUMENT}, /* five complex */
        {"c2r:f64:8/1/1*3/5/7", "7", WEFT_ERR_ARGUMENT},
        {"r2c:f64:8/1/0", "0", WEFT_ERR_ARGUMENT},
        {"redft00:f64:1", "redft00", WEFT_ERR_ARGUMENT},
        {"redft10:f64:8/1/2:inplace", "", WEFT_ERR_ARGUMENT},
        {"r2c:f64:3/9223372036854775807/1", "9223372036854775807",
         WEFT_ERR_OVERFLOW},
        /* The rows of reals need twice the room of two reals in place. */
        {"r2c:f64:144115188075855872x2:inplace", "144115188075855872",
         WEFT_ERR_OVERFLOW},
    };
    static const char *const good[] = {
        "c2c:f64:3/1/2x4/4/3", /* 0 2 4 3 5 7 6 ..: interleaved, distinct */
        "c2c:f64:8/0/1",       /* reading one number again and again */
        "c2c:f64:8/1/1*3/0/8",
        "c2c:f64:8/-1/1",
        "c2c:f64:1/0/0*4/1/1",
        "c2c:f64:1/5/9:inplace", /* one number: strides mean nothing */
        "c2c:f64:4/1/4x4/4/1:inplace",
        "c2c:f64:8/-1/-1:inplace",
        "c2c:f64:8/1/0*0/1/0", /* nothing to do */
        "c2c:f64:16*0",
        "c2c:f64:-",
        "c2c:f64:-*5x7:inplace",
        "r2c:f64:8/1/1*3/8/5",
        "c2r:f64:8/1/1*3/5/8",
        "r2c:f64:8/1/1*3/10/5:inplace",
        "c2r:f64:8/1/1*3/5/9:inplace", /* copied first */
        "r2c:f64:8/-3/2:inplace",
        "r2c:f64:1*0",
        "r2c:f64:-*4:inplace",
        "c2r:f64:1x1",
        "dht:f64:-*4:norm=3",
        "redft10:f64:1*4",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weft_problem p = problem_of(bad[i].problem);
        refused_problem(bad[i].problem, &p, bad[i].status, bad[i].value);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        weft_problem p = problem_of(good[i]);
        accepted(good[i], weft_problem_check(&p));
        weft_plan *plan = NULL;
        accepted(good[i], weft_plan_create(&p, NULL, &plan));
        weft_plan_release(plan);
    }
}

/* Large but meaningful: a plan or a refusal, never a crash. */
static void test_large(void)
{
    static const char *const large[] = {
        "c2c:f64:1099511627776",     "c2c:f32:1099511627689",
        "c2c:f64:36028797018963968", "c2c:f64:1048576x1048576",
        "c2c:f64:36028797018963913", "c2c:f64:4/1099511627776/1",
        "c2c:f32:8*68719476736",     "c2c:f64:2/1/72057594037927936"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        weft_problem p = {0};
        weft_plan *plan = NULL;
        weft_status status = weft_problem_parse(large[i], &p);
        accepted(large[i], status);
        status = weft_problem_check(&p);
        CHECK(status == WEFT_OK || status == WEFT_ERR_OVERFLOW, "%s: %s",
              large[i], weft_status_name(status));
        if (status == WEFT_OK && i != 0 && i != 1 && i != 2 && i != 4)
            accepted("extent", weft_problem_extent(&p, &(weft_extent){0}));
        if (i >= 5) { /* small tables: these plan */
            status = weft_plan_create(&p, NULL, &plan);
            CHECK(status == WEFT_OK || status == WEFT_ERR_OVERFLOW ||
                      status == WEFT_ERR_NO_MEMORY,
                  "%s: %s", large[i], weft_error_text());
        } else if (i == 2 || i == 4) { /* tables beyond any memory */
            status = weft_plan_create(&p, NULL, &plan);
            CHECK(status == WEFT_ERR_NO_MEMORY ||
                      status == WEFT_ERR_OVERFLOW ||
                      status == WEFT_ERR_UNSUPPORTED,
                  "%s: %s: %s", large[i], weft_status_name(status),
                  weft_error_text());
        }
        weft_plan_release(plan);
    }
}

/* ---- Notation ----------------------------------------------------------- */

static void test_notation(void)
{
    /* Each text, and what prints; NULL: the same. */
    static const char *const pairs[][2] = {
        {"c2c:f64:1024", NULL},
        {"c2c:f32:512x512:inplace", NULL},
        {"c2c:f64:64*4096:inverse:threads=2", NULL},
        {"c2c:f64:8/2/1x4/16/8*3/64/32", NULL},
        {"c2c:f64:-", NULL},
        {"c2c:f64:-*3", NULL},
        {"c2c:f64:8*0", NULL},
        {"c2c:f64:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2", NULL},
        {"c2c:f64:8:split", NULL},
        {"c2c:f64:8:scrambled", NULL},
        {"c2c:f64:8:norm=none", "c2c:f64:8"},
        {"c2c:f64:8:norm=backward", NULL},
        {"c2c:f64:8:norm=ortho", NULL},
        {"c2c:f64:8:norm=forward", NULL},
        {"c2c:f64:8:norm=0.125", NULL},
        {"c2c:f64:8:norm=-1e-300", NULL},
        {"c2c:f64:8:norm=0.1", NULL},
        {"c2c:f64:8:engine=cpu", NULL},
        {"c2c:f64:8:engine=auto", "c2c:f64:8"},
        {"c2c:f64:8:threads=1", "c2c:f64:8"},
        {"c2c:f64:8:threads=0", "c2c:f64:8"},
        {"c2c:f64:8:inplace:inverse", "c2c:f64:8:inverse:inplace"},
        {"c2c:f64:8/1/1*3/8/8", "c2c:f64:8*3"},
        {"c2c:f64:8/-1/1", NULL},
        {"r2c:f32:512x512", NULL},
        {"c2r:f64:1000:inplace", NULL},
        {"r2c:f64:6/5/3x5/1/1*2/40/30", NULL},
        {"r2c:f64:4/5/3x5/1/1", "r2c:f64:4x5"},
        {"r2c:f64:4/6/3x5/1/1:inplace", "r2c:f64:4x5:inplace"},
        {"redft10:f64:1000", NULL},
        {"redft10+rodft00:f64:8x9", NULL},
        {"r2hc+r2hc:f64:8x9", "r2hc:f64:8x9"},
        {"r2hc+hc2r+dht:f64:2x3x4:norm=ortho", NULL},
    };
    static const char *const bad[] = {
        "",
        ":",
        "c2c",
        "c2c:",
        "c2c:f64",
        "c2c:f64:",
        "c2c:f16:8",
        "r2r:f64:8",
        "r2c+dht:f64:8x8",
        "dht+r2c:f64:8x8",
        "dht+dht:f64:8",
        "dht+:f64:8",
        "+dht:f64:8",
        "redft20:f64:8",
        "C2C:f64:8",
        "c2c:f64:0",
        "c2c:f64:-1",
        "c2c:f64:8x",
        "c2c:f64:x8",
        "c2c:f64:8*",
        "c2c:f64:8*-1",
        "c2c:f64:8:",
        "c2c:f64:8:quick",
        "c2c:f64:8:inverse:",
        "c2c:f64: 8",
        "c2c:f64:8 ",
        "c2c:f64:8:threads=",
        "c2c:f64:8:threads=x",
        "c2c:f64:8:threads=-1",
        "c2c:f64:8:threads=99999999999",
        "c2c:f64:8:norm=",
        "c2c:f64:8:norm=nan",
        "c2c:f64:8:norm=inf",
        "c2c:f64:8:norm=1e999",
        "c2c:f64:8:norm=big",
        "c2c:f64:8:engine=gpu",
        "c2c:f64:9223372036854775808",
        "c2c:f64:99999999999999999999999",
        "c2c:f64:8/1",
        "c2c:f64:8/1/",
        "c2c:f64:8/1/1x8",
        "c2c:f64:8/1/9223372036854775808",
        "c2c:f64:8/1/1/1",
        ("c2c:f64:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"
         "x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"), /* 33 */
        "c2c:f64:8:rule=leaf",
        "c2c:f64:8\n",
        "c2c:f64:8*3*3"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *want = pairs[i][1] ? pairs[i][1] : pairs[i][0];
        weft_problem p = problem_of(pairs[i][0]);
        char text[128] = "";
        size_t length = 0;
        accepted(pairs[i][0],
                 weft_problem_print(&p, text, sizeof text, &length));
        CHECK(!strcmp(text, want) && length == strlen(want),
              "%s prints as %s (length %zu)", pairs[i][0], text, length);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        weft_problem p = {.scale = 5};
        refused(bad[i], weft_problem_parse(bad[i], &p), WEFT_ERR_PARSE, "");
        CHECK(p.scale == 5 && p.size == 0, "%s: problem written", bad[i]);
    }
    refused("quick", weft_problem_parse("c2c:f64:8:quick", &(weft_problem){0}),
            WEFT_ERR_PARSE, "quick");
    refused("NULL", weft_problem_parse(NULL, &(weft_problem){0}),
            WEFT_ERR_ARGUMENT, "NULL");
    refused("NULL", weft_problem_parse("c2c:f64:8", NULL), WEFT_ERR_ARGUMENT,
            "NULL");
}

/* Like snprintf, for each function that writes a text. */
static void test_capacity(void)
{
    weft_problem p = problem_of("c2c:f64:1024");
    weft_plan *plan = plan_of("c2c:f64:1024");
    char full[4096], part[16];
    for (int which = 0; which < 5; which++) {
        size_t length = 0, again = 0;
        for (int call = 0; call < 3; call++) {
            char *buffer = call == 0 ? NULL : call == 1 ? part : full;
            size_t capacity = call == 0 ? 0 : call == 1 ? 6 : sizeof full;
            memset(part, 'z', sizeof part);
            weft_status s =
                which == 0 ? weft_problem_print(&p, buffer, capacity, &again)
                : which == 1
                    ? weft_plan_problem(plan, buffer, capacity, &again)
                : which == 2 ? weft_plan_text(plan, buffer, capacity, &again)
                : which == 3
                    ? weft_plan_explain(plan, buffer, capacity, &again)
                    : weft_info(buffer, capacity, &again);
            accepted("a text", s);
            CHECK(call == 0 || again == length,
                  "text %d: length %zu then "
                  "%zu",
                  which, length, again);
            length = again;
            if (call == 1)
                CHECK(part[5] == '\0' && part[6] == 'z' && strlen(part) == 5,
                      "text %d: capacity 6 wrote "
                      "\"%.16s\"",
                      which, part);
        }
        CHECK(strlen(full) == length && length > 6 && length < sizeof full,
              "text %d: length %zu of \"%.40s\"", which, length, full);
    }
    refused("NULL with capacity", weft_problem_print(&p, NULL, 5, NULL),
            WEFT_ERR_ARGUMENT, "5");
    refused("no plan", weft_plan_text(NULL, full, sizeof full, NULL),
            WEFT_ERR_ARGUMENT, "NULL");
    weft_plan_release(plan);
}

static void test_descriptors(void)
{
    const int64_t shape[3] = {4, 5, 6};
    char text[64] = "";
    weft_problem p = weft_problem_1d(WEFT_F32, 12, WEFT_INVERSE);
    CHECK(p.size == sizeof p && p.rank == 1 && p.dims[0].n == 12 &&
              p.batch_rank == 0,
          "weft_problem_1d");
    p = weft_problem_nd(WEFT_F64, 3, shape, 7, WEFT_FORWARD);
    accepted("nd", weft_problem_print(&p, text, sizeof text, NULL));
    CHECK(!strcmp(text, "c2c:f64:4x5x6*7"), "weft_problem_nd is %s", text);
    p = weft_problem_nd(WEFT_F64, 33, NULL, 1, WEFT_FORWARD);
    refused("rank 33", weft_problem_check(&p), WEFT_ERR_ARGUMENT, "33");
    p = weft_problem_nd(WEFT_F64, -1, NULL, 1, WEFT_FORWARD);
    refused("rank -1", weft_problem_check(&p), WEFT_ERR_ARGUMENT, "-1");
    /* "A zero-initialised descriptor with a size" and a length. */
    weft_problem zero = {.size = sizeof zero};
    accepted("all zero: one copied number", weft_problem_check(&zero));
    zero.rank = 1, zero.dims[0].n = 6;
    weft_problem_print(&zero, text, sizeof text, NULL);
    CHECK(!strcmp(text, "c2c:f64:6"), "zero-initialised is %s", text);
}

static void test_extent(void)
{
    weft_extent e = {0};
    weft_problem p = problem_of("c2c:f64:8/2/-3*4/-16/24");
    accepted("extent", weft_problem_extent(&p, &e));
    CHECK(e.count == 32 && e.in_low == -48 && e.in_high == 14 &&
              e.out_low == -21 && e.out_high == 72,
          "extent %lld [%lld %lld] [%lld %lld]", (long long)e.count,
          (long long)e.in_low, (long long)e.in_high, (long long)e.out_low,
          (long long)e.out_high);
    refused("extent NULL", weft_problem_extent(&p, NULL), WEFT_ERR_ARGUMENT,
            "NULL");
}

/* ---- Plans -------------------------------------------------------------- */

static void text_of(const weft_plan *plan, char *text, size_t size)
{
    size_t length = 0;
    accepted("weft_plan_text", weft_plan_text(plan, text, size, &length));
    CHECK(length < size && length > 0, "a plan of %zu bytes", length);
}

static void test_trees(void)
{
    static const char *const problems[] = {"c2c:f64:1",
                                           "c2c:f64:2",
                                           "c2c:f32:16",
                                           "c2c:f64:1024",
                                           "c2c:f64:1009",
                                           "c2c:f64:1001",
                                           "c2c:f32:44100",
                                           "c2c:f64:65536",
                                           "c2c:f64:24x36",
                                           "c2c:f64:64*100:inplace",
                                           "c2c:f64:37/3/2*5/120/90",
                                           "c2c:f64:4/1/4x4/4/1:inplace",
                                           "c2c:f64:-*7",
                                           "c2c:f64:8*0",
                                           "c2c:f64:4096:scrambled",
                                           "c2c:f64:100:split:norm=ortho"};
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        weft_problem p = problem_of(problems[i]);
        weft_plan *plan = plan_of(problems[i]), *again = NULL;
        char text[2048], second[2048], explain[8192];
        size_t length = 0;
        text_of(plan, text, sizeof text);
        weft_plan_options o = {.size = sizeof o, .tree = text};
        accepted(problems[i], weft_plan_create(&p, &o, &again));
        if (again) {
            text_of(again, second, sizeof second);
            CHECK(!strcmp(text, second), "%s: %s comes back as %s",
                  problems[i], text, second);
        }
        accepted("explain",
                 weft_plan_explain(plan, explain, sizeof explain, &length));
        CHECK(length > 4 && length < sizeof explain, "%s: explains in %zu",
              problems[i], length);
        accepted("problem",
                 weft_plan_problem(plan, second, sizeof second, NULL));
        CHECK(!strcmp(second, problems[i]), "%s is said to be of %s",
              problems[i], second);
        weft_plan_release(again);
        weft_plan_release(plan);
    }
}

static void test_options(void)
{
    weft_problem p = problem_of("c2c:f64:1024");
    char text[2048];
    weft_plan *plan = plan_of("c2c:f64:512");
    text_of(plan, text, sizeof text);
    weft_plan_release(plan);
    weft_plan_options o = {.size = sizeof o, .tree = text};
    CHECK(weft_plan_create(&p, &o, &plan) != WEFT_OK && !plan,
          "a tree of 512 is taken for 1024");
    static const char *const broken[] = {
        "",
        "(",
        ")",
        "()",
        "(leaf)",
        "(rows 0 (leaf 1024)",
        "rows",
        "(rows",
        "(nothing 3)",
        "(rows 0 (stockham 1024 w4 1024))",
        "(rows 0 (stockham 1024 w0 4.4.4.4.4))",
        "(rows 1 (leaf 1024))",
        "(rows 0 (stockham 1024 w4 0.0))",
        "(rank)",
        "(rows 99999999999999999999 (leaf 4))",
        "(copy)",
        "(scale)",
        "(rows 0 (stockham 1024 w4 16.16.4)) x",
        "(rank (rows 1 (stockham 1024 w4 16.16.4)))",
        "(rank (rows 0 (stockham 512 w4 8.8.8)))",
        "(rank (copy))",
        "(rank (rows 0 (stockham 1024 w4 16.16.4)) (rows 0 (leaf 2)))",
        "(rank (rows 0 (good 1024 32x32 (leaf 32) (leaf 32))))"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        o.tree = broken[i];
        weft_status s = weft_plan_create(&p, &o, &plan);
        CHECK((s == WEFT_ERR_PARSE || s == WEFT_ERR_ARGUMENT ||
               s == WEFT_ERR_UNSUPPORTED) /* no such kernel */
                  && !plan && weft_error_text()[0],
              "tree \"%s\": %s (%s)", broken[i], weft_status_name(s),
              weft_error_text());
        weft_plan_release(plan);
    }
    static const char *const rules[] = {"leaf", "stockham", "radix2",
                                        "fourstep"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        weft_problem q = problem_of(i == 0   ? "c2c:f64:16"
                                    : i == 3 ? "c2c:f64:65536"
                                             : "c2c:f64:1024");
        o = (weft_plan_options){.size = sizeof o, .rule = rules[i]};
        accepted(rules[i], weft_plan_create(&q, &o, &plan));
        weft_plan_release(plan);
    }
    p = problem_of("c2c:f64:4096");
    o.rule = "leaf";
    refused("leaf 4096", weft_plan_create(&p, &o, &plan), WEFT_ERR_UNSUPPORTED,
            "leaf");
    CHECK(!plan, "a plan with no rule");
    o.rule = "magic";
    CHECK(weft_plan_create(&p, &o, &plan) != WEFT_OK && !plan &&
              strstr(weft_error_text(), "magic"),
          "rule magic: %s", weft_error_text());
    o = (weft_plan_options){.size = 3};
    refused("options.size 3", weft_plan_create(&p, &o, &plan),
            WEFT_ERR_ARGUMENT, "3");
    o = (weft_plan_options){.size = sizeof o, .effort = (weft_effort)12};
    refused("effort 12", weft_plan_create(&p, &o, &plan), WEFT_ERR_ARGUMENT,
            "12");
    o = (weft_plan_options){.size = sizeof o, .time_limit = -2.5};
    refused("time limit", weft_plan_create(&p, &o, &plan), WEFT_ERR_ARGUMENT,
            "-2.5");
    refused("plan NULL", weft_plan_create(&p, NULL, NULL), WEFT_ERR_ARGUMENT,
            "NULL");
    o = (weft_plan_options){.size = sizeof o,
                            .effort = WEFT_MEASURE,
                            .time_limit = 0.02};
    accepted("measure", weft_plan_create(&p, &o, &plan));
    weft_plan_release(plan);
    weft_wisdom_forget();
}

static void test_references(void)
{
    weft_plan *plan = plan_of("c2c:f64:8");
    double x[16] = {1}, y[16];
    CHECK(weft_plan_retain(plan) == plan, "retain returns its plan");
    weft_plan_release(plan);
    accepted("still alive", weft_execute(plan, x, y));
    CHECK(y[14] == 1 && y[15] == 0, "an impulse gives %g %g", y[14], y[15]);
    weft_plan_release(plan);
    weft_plan_release(NULL);
    CHECK(weft_plan_retain(NULL) == NULL, "retain NULL");
}

static void test_info(void)
{
    weft_plan *plan = plan_of("c2c:f64:4096");
    weft_plan_info info = {.size = sizeof info};
    accepted("info", weft_plan_get_info(plan, &info));
    CHECK(info.cost > 0 && info.cost < 1e9, "cost %g", info.cost);
    /* 5 n log2 n is the split-radix ballpark. */
    CHECK(info.flops > 4096 * 12 * 2 && info.flops < 4096 * 12 * 20,
          "flops %g", info.flops);
    CHECK(info.planning_seconds >= 0 && info.planning_seconds < 60,
          "planning %g s", info.planning_seconds);
    CHECK(info.table_bytes < 1 << 22 && info.scratch_bytes < 1 << 24,
          "memory %zu %zu", info.table_bytes, info.scratch_bytes);
    CHECK(info.error_expected > 0 && info.error_expected < 3 * 0x1p-53 &&
              info.error_bound >= info.error_expected &&
              info.error_bound < 1e-13,
          "errors %g %g", info.error_expected, info.error_bound);
    info.size = 7;
    refused("info.size", weft_plan_get_info(plan, &info), WEFT_ERR_ARGUMENT,
            "7");
    refused("info NULL", weft_plan_get_info(plan, NULL), WEFT_ERR_ARGUMENT,
            "NULL");
    weft_plan_release(plan);
}

/* What a call that did well tried on the way is nobody's reason. */
static void test_reason_stays(void)
{
    static const char *const good[] = {"c2c:f64:1009", "c2c:f32:30x7*4",
                                       "c2c:f64:65536", "c2c:f64:8/3/2"};
    weft_problem p = weft_problem_1d(WEFT_F64, -31415, WEFT_FORWARD);
    weft_problem_check(&p);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        weft_plan_release(plan_of(good[i]));
        CHECK(strstr(weft_error_text(), "-31415"),
              "%s: a good call changed "
              "the reason to \"%s\"",
              good[i], weft_error_text());
    }
}

/* ---- Execute ------------------------------------------------------------ */

static void test_execute(void)
{
    double a[16] = {1}, b[16] = {0}, c[8] = {0}, d[8] = {0};
    weft_plan *out = plan_of("c2c:f64:8"), *in = plan_of("c2c:f64:8:inplace");
    weft_plan *split = plan_of("c2c:f64:8:split");
    weft_plan *nothing = plan_of("c2c:f64:8*0");
    const weft_status bad = WEFT_ERR_ARGUMENT;
    refused("no plan", weft_execute(NULL, a, b), bad, "NULL");
    refused("no in", weft_execute(out, NULL, b), bad, "NULL");
    refused("no out", weft_execute(out, a, NULL), bad, "NULL");
    refused("equal", weft_execute(out, a, a), bad, "");
    refused("different", weft_execute(in, a, b), bad, "");
    refused("split plan", weft_execute(split, a, b), bad, "split");
    refused("interleaved plan", weft_execute_split(out, a, b, c, d), bad,
            "interleaved");
    refused("no split plan", weft_execute_split(NULL, a, b, c, d), bad,
            "NULL");
    refused("no re", weft_execute_split(split, NULL, b, c, d), bad, "NULL");
    refused("no im", weft_execute_split(split, a, NULL, c, d), bad, "NULL");
    refused("no out re", weft_execute_split(split, a, b, NULL, d), bad,
            "NULL");
    refused("no out im", weft_execute_split(split, a, b, c, NULL), bad,
            "NULL");
    refused("equal re", weft_execute_split(split, a, b, a, d), bad, "");
    for (int i = 0; i < 8; i++)
        CHECK(b[2 * i] == 0 && c[i] == 0 && d[i] == 0,
              "a refused execution wrote");
    CHECK(a[0] == 1 && a[2] == 0, "a refused execution wrote");
    accepted("nothing to do", weft_execute(nothing, NULL, NULL));
    weft_plan_release(out);
    weft_plan_release(in);
    weft_plan_release(split);
    weft_plan_release(nothing);
}

/* Half of weft_fft of the same reals, and the way back. */
static void test_one_call_real(void)
{
    enum { N = 12 };
    double x[2 * N] = {0}, X[2 * N], half[N + 2], back[N], both[N + 2];
    noise_state noise = {4};
    for (int i = 0; i < N; i++)
        back[i] = both[i] = x[2 * i] = oracle_sample(&noise, WEFT_F64);
    accepted("weft_fft", weft_fft(WEFT_F64, N, x, X));
    accepted("weft_rfft", weft_rfft(WEFT_F64, N, back, half));
    accepted("weft_rfft in place", weft_rfft(WEFT_F64, N, both, both));
    for (int i = 0; i < N + 2; i++)
        CHECK(fabs(half[i] - X[i]) < 1e-14 && both[i] == half[i], "rfft[%d]",
              i);
    half[1] = half[N + 1] = NAN; /* not read */
    accepted("weft_irfft", weft_irfft(WEFT_F64, N, half, back));
    for (int i = 0; i < N; i++)
        CHECK(fabs(back[i] - x[2 * i]) < 1e-15, "irfft[%d] %g", i, back[i]);
    const int64_t shape[2] = {3, 4};
    double spectrum[2 * 3 * 3];
    accepted("fftn", weft_fftn(WEFT_F64, 2, shape, x, X));
    accepted("rfftn", weft_rfftn(WEFT_F64, 2, shape, back, spectrum));
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 6; k++)
            CHECK(fabs(spectrum[6 * i + k] - X[8 * i + k]) < 1e-14,
                  "rfftn[%d][%d]", i, k);
    accepted("irfftn", weft_irfftn(WEFT_F64, 2, shape, spectrum, back));
    for (int i = 0; i < N; i++)
        CHECK(fabs(back[i] - x[2 * i]) < 1e-15, "irfftn[%d]", i);
    refused("rfft n", weft_rfft(WEFT_F64, -3, x, X), WEFT_ERR_ARGUMENT, "-3");
    refused("irfftn shape", weft_irfftn(WEFT_F64, 2, NULL, x, X),
            WEFT_ERR_ARGUMENT, "NULL");
}

static void test_one_call(void)
{
    enum { N = 12 };
    double x[2 * N], y[2 * N], z[2 * N];
    noise_state noise = {3};
    for (int i = 0; i < 2 * N; i++)
        x[i] = oracle_sample(&noise, WEFT_F64);
    accepted("weft_fft", weft_fft(WEFT_F64, N, x, y));
    accepted("weft_ifft", weft_ifft(WEFT_F64, N, y, z));
    for (int i = 0; i < 2 * N; i++)
        CHECK(fabs(z[i] - x[i]) < 1e-15, "ifft(fft(x))[%d] %g", i,
              z[i] - x[i]);
    memcpy(z, x, sizeof z);
    accepted("in place", weft_fft(WEFT_F64, N, z, z));
    for (int i = 0; i < 2 * N; i++)
        CHECK(fabs(z[i] - y[i]) < 1e-14, "in place [%d]", i);
    const int64_t shape[2] = {3, 4};
    accepted("fftn", weft_fftn(WEFT_F64, 2, shape, x, y));
    accepted("ifftn", weft_ifftn(WEFT_F64, 2, shape, y, z));
    for (int i = 0; i < 2 * N; i++)
        CHECK(fabs(z[i] - x[i]) < 1e-15, "ifftn(fftn(x))[%d]", i);
    double hi[2 * N];
    oracle_transform(WEFT_F64, false, 2, shape, x, hi, NULL);
    for (int i = 0; i < 2 * N; i++)
        CHECK(fabs(hi[i] - y[i]) < 1e-14, "fftn[%d]", i);
    refused("n 0", weft_fft(WEFT_F64, 0, x, y), WEFT_ERR_ARGUMENT, "0");
    refused("n -4", weft_ifft(WEFT_F64, -4, x, y), WEFT_ERR_ARGUMENT, "-4");
    refused("in", weft_fft(WEFT_F64, 4, NULL, y), WEFT_ERR_ARGUMENT, "NULL");
    refused("out", weft_fft(WEFT_F64, 4, x, NULL), WEFT_ERR_ARGUMENT, "NULL");
    refused("type", weft_fft((weft_type)9, 4, x, y), WEFT_ERR_ARGUMENT, "9");
    refused("huge", weft_fft(WEFT_F64, HUGE_N, x, y), WEFT_ERR_OVERFLOW,
            "4611686018427387904");
    refused("rank 33", weft_fftn(WEFT_F64, 33, shape, x, y), WEFT_ERR_ARGUMENT,
            "33");
    refused("shape", weft_fftn(WEFT_F64, 2, NULL, x, y), WEFT_ERR_ARGUMENT,
            "NULL");
    weft_problem p = problem_of("c2c:f64:4:inverse:norm=backward:split");
    refused("split", weft_transform(&p, x, y), WEFT_ERR_ARGUMENT, "split");
    p = problem_of("c2c:f64:3*4:inverse");
    accepted("weft_transform", weft_transform(&p, x, y));
    refused("equal", weft_transform(&p, x, x), WEFT_ERR_ARGUMENT, "");
    /* More problems than the cache holds, twice, and cleared between. */
    double big[2 * 100] = {1}, wide[2 * 100];
    for (int round = 0; round < 2; round++) {
        for (int64_t n = 1; n <= 100; n++) {
            accepted("cached", weft_fft(WEFT_F64, n, big, wide));
            CHECK(fabs(wide[2 * n - 2] - 1) < 1e-14 &&
                      fabs(wide[2 * n - 1]) < 1e-14,
                  "impulse of %lld", (long long)n);
        }
        weft_cache_clear();
    }
}

/* ---- Order -------------------------------------------------------------- */

static void test_order_of(int64_t n)
{
    weft_problem p = weft_problem_1d(WEFT_F64, n, WEFT_FORWARD);
    weft_plan *natural = NULL, *forward = NULL, *inverse = NULL;
    size_t bytes = (size_t)n * 2 * sizeof(double);
    double *x = malloc(bytes), *y = malloc(bytes), *z = malloc(bytes);
    double *back = malloc(bytes);
    int64_t *order = malloc((size_t)n * sizeof *order);
    int64_t *other = malloc((size_t)n * sizeof *other);
    char *seen = calloc((size_t)n, 1);
    noise_state noise = {(uint64_t)n};
    accepted("natural", weft_plan_create(&p, NULL, &natural));
    p.order = WEFT_SCRAMBLED;
    accepted("scrambled", weft_plan_create(&p, NULL, &forward));
    p.sign = WEFT_INVERSE;
    accepted("inverse scrambled", weft_plan_create(&p, NULL, &inverse));
    for (int64_t i = 0; i < 2 * n; i++)
        x[i] = oracle_sample(&noise, WEFT_F64);
    if (natural && forward && inverse) {
        accepted("order", weft_plan_order(natural, order, (size_t)n));
        for (int64_t i = 0; i < n; i++)
            CHECK(order[i] == i, "natural order[%lld]", (long long)i);
        accepted("order", weft_plan_order(forward, order, (size_t)n));
        accepted("order", weft_plan_order(inverse, other, (size_t)n));
        CHECK(!memcmp(order, other, (size_t)n * sizeof *order),
              "n %lld: the inverse has another order", (long long)n);
        for (int64_t i = 0; i < n; i++)
            if (CHECK(order[i] >= 0 && order[i] < n && !seen[order[i]],
                      "n %lld: order[%lld] = %lld", (long long)n, (long long)i,
                      (long long)order[i]))
                seen[order[i]] = 1;
        weft_execute(natural, x, y);
        weft_execute(forward, x, z);
        double worst = 0, loss = 0;
        for (int64_t i = 0; i < n; i++)
            for (int part = 0; part < 2; part++)
                worst = fmax(worst,
                             fabs(z[2 * i + part] - y[2 * order[i] + part]));
        CHECK(worst < 1e-15 * (double)n + 1e-13,
              "n %lld: scrambled differs "
              "by %g",
              (long long)n, worst);
        weft_execute(inverse, z, back);
        for (int64_t i = 0; i < 2 * n; i++)
            loss = fmax(loss, fabs(back[i] / (double)n - x[i]));
        CHECK(loss < 1e-14, "n %lld: scrambled there and back: %g",
              (long long)n, loss);
        refused("count", weft_plan_order(forward, order, (size_t)n + 1),
                WEFT_ERR_ARGUMENT, "count");
        refused("order", weft_plan_order(forward, NULL, (size_t)n),
                WEFT_ERR_ARGUMENT, "NULL");
        refused("plan", weft_plan_order(NULL, order, (size_t)n),
                WEFT_ERR_ARGUMENT, "NULL");
    }
    weft_plan_release(natural);
    weft_plan_release(forward);
    weft_plan_release(inverse);
    free(x);
    free(y);
    free(z);
    free(back);
    free(order);
    free(other);
    free(seen);
}

/* The order is fixed by type and dimensions: not by strides or batches. */
static void test_order_fixed(void)
{
    static const char *const same[] = {
        "c2c:f64:4096:scrambled",          "c2c:f64:4096:inplace:scrambled",
        "c2c:f64:4096:split:scrambled",    "c2c:f64:4096*3:scrambled",
        "c2c:f64:4096/3/2:scrambled",      "c2c:f64:4096:scrambled:norm=ortho",
        "c2c:f64:4096:scrambled:threads=2"};
    static int64_t first[4096], order[4096];
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        weft_plan *plan = plan_of(same[i]);
        accepted(same[i], weft_plan_order(plan, i ? order : first, 4096));
        if (i)
            CHECK(!memcmp(order, first, sizeof first),
                  "%s: another order than packed", same[i]);
        weft_plan_release(plan);
    }
}

/* ---- Helpers ------------------------------------------------------------ */

static bool is_smooth(int64_t n)
{
    for (int64_t p = 2; p <= 7; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

static void test_helpers(void)
{
    for (int64_t n = 1; n <= 3000; n++) {
        int64_t m = n;
        while (!is_smooth(m))
            m++;
        CHECK(weft_next_fast_size(n) == m, "next_fast_size(%lld) = %lld",
              (long long)n, (long long)weft_next_fast_size(n));
    }
    CHECK(weft_next_fast_size(0) == 0, "next_fast_size(0)");
    CHECK(weft_next_fast_size(-9) == 0, "next_fast_size(-9)");
    CHECK(weft_next_fast_size(HUGE_N) == HUGE_N, "next_fast_size(2^62)");
    CHECK(weft_next_fast_size(INT64_MAX) == 0, "next_fast_size(2^63 - 1)");
    void *block = weft_alloc(1000);
    CHECK(block && (uintptr_t)block % 64 == 0, "weft_alloc gave %p", block);
    weft_free(block);
    block = weft_alloc((size_t)8 << 20);
    CHECK(block && (uintptr_t)block % 64 == 0, "weft_alloc gave %p", block);
    if (block)
        memset(block, 1, (size_t)8 << 20);
    weft_free(block);
    CHECK(!weft_alloc(SIZE_MAX), "all of the address space");
    CHECK(!weft_alloc(SIZE_MAX - 63), "all of the address space, nearly");
    weft_free(NULL);
    double x[8] = {1, 0, 2, 0, 3, 0, 4, 0}, hi[8] = {9}, lo[8];
    accepted("reference", weft_reference(4, WEFT_FORWARD, x, hi, lo));
    CHECK(hi[0] == 10 && hi[1] == 0 && hi[2] == -2 && hi[3] == 2 &&
              hi[4] == -2 && lo[0] == 0,
          "reference of 1 2 3 4");
    accepted("reference", weft_reference(4, WEFT_INVERSE, x, hi, NULL));
    CHECK(hi[2] == -2 && hi[3] == -2, "inverse reference of 1 2 3 4");
    hi[0] = 9;
    refused("n", weft_reference(-7, WEFT_FORWARD, x, hi, lo),
            WEFT_ERR_ARGUMENT, "-7");
    refused("sign", weft_reference(4, (weft_sign)8, x, hi, lo),
            WEFT_ERR_ARGUMENT, "8");
    refused("in", weft_reference(4, WEFT_FORWARD, NULL, hi, lo),
            WEFT_ERR_ARGUMENT, "NULL");
    refused("out", weft_reference(4, WEFT_FORWARD, x, NULL, lo),
            WEFT_ERR_ARGUMENT, "NULL");
    weft_status s = weft_reference(HUGE_N, WEFT_FORWARD, x, hi, lo);
    CHECK((s == WEFT_ERR_OVERFLOW || s == WEFT_ERR_NO_MEMORY) && hi[0] == 9,
          "reference of 2^62: %s", weft_status_name(s));
    refused("export", weft_wisdom_export(NULL), WEFT_ERR_ARGUMENT, "NULL");
    refused("import", weft_wisdom_import(NULL), WEFT_ERR_ARGUMENT, "NULL");
}

/* Number 0 in number 0 is 1/2 on each axis: no square of a rounded root, which four
 * axes would add up. */
static void test_orthogonal_ends(void)
{
    const double x[16] = {1};
    double y[16] = {0};
    weft_problem p;
    weft_plan *plan = NULL;
    CHECK(weft_problem_parse("redft00:f64:2x2x2x2:norm=ortho", &p) ==
                  WEFT_OK &&
              weft_plan_create(&p, NULL, &plan) == WEFT_OK &&
              weft_execute(plan, x, y) == WEFT_OK,
          "%s", weft_error_text());
    for (int i = 0; i < 16; i++)
        CHECK(fabs(y[i] - 0.25) <= 0x1p-54, "number %d is 1/4 + %g", i,
              y[i] - 0.25);
    weft_plan_release(plan);
}

int main(void)
{
    test_words();
    test_enums();
    test_sizes();
    test_strides();
    test_large();
    test_notation();
    test_capacity();
    test_descriptors();
    test_extent();
    test_trees();
    test_options();
    test_references();
    test_reason_stays();
    test_info();
    test_execute();
    test_one_call();
    test_one_call_real();
    static const int64_t orders[] = {1,    2,    3,    4,    7,    8,    16,
                                     17,   60,   64,   100,  128,  243,  512,
                                     1000, 1009, 1024, 4096, 8192, 65536};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        test_order_of(orders[i]);
    test_order_fixed();
    test_helpers();
    test_orthogonal_ends();
    weft_cache_clear();
    weft_threads_shutdown();
    return check_report("api_test");
}
