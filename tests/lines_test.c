/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines_test.c - large transforms, whose blocks of columns begin where cache lines
 * of the output do, and passes of reals that store whole lines, have the same bits
 * wherever the arrays begin, write nothing else, and leave their input alone.
 */
#include "check.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

/* Reals around an array, and the places in a line that are tried, in bytes: those of
 * malloc's large arrays, of its small ones, and of none of a type's lines. */
enum { GUARD = 64 };
static const size_t places[] = {16, 48, 8, 56, 4};

static noise_state noise = {1};

static const struct sample {
    const char *problem;
    size_t in, out; /* reals */
} samples[] = {
    {"c2c:f64:262144", 1 << 19, 1 << 19},
    {"c2c:f64:524288:inverse:threads=3", 1 << 20, 1 << 20},
    {"c2c:f32:524288:threads=2", 1 << 20, 1 << 20},
    {"c2c:f32:1048576:norm=0.5", 1 << 21, 1 << 21},
    {"c2c:f64:262144:inplace", 1 << 19, 1 << 19},
    {"c2c:f64:1048576:scrambled", 1 << 21, 1 << 21},
    {"c2c:f32:1048576:scrambled:inverse:threads=2", 1 << 21, 1 << 21},
    {"r2c:f64:524288", 1 << 19, (1 << 19) + 2},
    {"c2r:f32:1048576", (1 << 20) + 2, 1 << 20},
    {"redft10:f64:262144", 1 << 18, 1 << 18},
    {"redft01:f32:524288:threads=2", 1 << 19, 1 << 19},
    {"c2c:f64:360000", 720000, 720000},
    {"c2c:f64:4096", 8192, 8192},
    {"c2c:f64:8192:inverse:norm=0.5", 16384, 16384},
    {"c2c:f32:16384:inplace", 32768, 32768},
    {"r2c:f32:16384", 16384, 16386},
    {"r2c:f64:8192:inplace", 8192, 8194},
    {"r2c:f64:3000", 3000, 3002},
    {"r2c:f32:4096*3", 12288, 12294},
    {"r2c:f32:131072:threads=2", 131072, 131074},
    {"c2r:f64:16384", 16386, 16384},
    {"c2r:f32:6000", 6002, 6000},
    {"c2r:f64:4096:inplace", 4098, 4098},
    {"redft10:f64:1500", 1500, 1500},
    {"redft10:f32:2502", 2502, 2502},
    {"redft01:f64:1500", 1500, 1500},
    {"redft01:f32:2502", 2502, 2502},
    {"rodft10:f64:1002", 1002, 1002},
    {"rodft10:f32:2000", 2000, 2000},
    {"rodft01:f64:1002", 1002, 1002},
    {"rodft01:f32:2000", 2000, 2000},
    {"r2hc:f64:1500:norm=2", 1500, 1500},
    {"r2hc:f32:1798", 1798, 1798},
    {"hc2r:f64:1500:norm=2", 1500, 1500},
    {"hc2r:f32:1798", 1798, 1798},
    {"dht:f64:1004", 1004, 1004},
    {"dht:f32:1810", 1810, 1810},
    {"c2r:f64:1500", 1502, 1500},
    {"c2r:f64:1798", 1800, 1798},
    {"c2r:f32:2506", 2508, 2506},
};

static void fill(char *reals, size_t count, bool f64)
{
    for (size_t i = 0; i < count; i++) {
        const double x = noise_real(&noise);
        const float y = (float)x;
        if (f64)
            memcpy(reals + i * sizeof x, &x, sizeof x);
        else
            memcpy(reals + i * sizeof y, &y, sizeof y);
    }
}

/* The output from `at` bytes into a line on, between guards. */
static char *run(const struct sample *s, const weft_plan *plan,
                 const char *numbers, size_t at, size_t bytes, char *room)
{
    const bool in_place = strstr(s->problem, "inplace") != NULL;
    const size_t in_bytes = s->in * bytes, out_bytes = s->out * bytes;
    const size_t guard = GUARD * sizeof(double);
    char *out = room + guard + at, *in = room + out_bytes + 3 * guard + at;
    memset(room, 0x5a, in_bytes + out_bytes + 4 * guard);
    memcpy(in_place ? out : in, numbers, in_bytes);
    CHECK(weft_execute(plan, in_place ? out : in, out) == WEFT_OK, "%s: %s",
          s->problem, weft_error_text());
    CHECK(in_place || memcmp(in, numbers, in_bytes) == 0,
          "%s at %zu: the input has changed", s->problem, at);
    for (size_t i = 0; i < guard; i++)
        if (!CHECK(out[-1 - (ptrdiff_t)i] == 0x5a &&
                       out[out_bytes + i] == 0x5a,
                   "%s at %zu: written outside", s->problem, at))
            break;
    return out;
}

static void test_places(const struct sample *s)
{
    const bool f64 = strstr(s->problem, "f64") != NULL;
    const size_t bytes = f64 ? sizeof(double) : sizeof(float);
    const size_t room = (s->in + s->out) * bytes + 5 * GUARD * sizeof(double);
    weft_problem problem;
    weft_plan *plan = NULL;
    char *numbers = weft_alloc(s->in * bytes);
    char *one = weft_alloc(room), *other = weft_alloc(room);
    if (CHECK(weft_problem_parse(s->problem, &problem) == WEFT_OK &&
                  weft_plan_create(&problem, NULL, &plan) == WEFT_OK &&
                  numbers != NULL && one != NULL && other != NULL,
              "%s: %s", s->problem, weft_error_text())) {
        fill(numbers, s->in, f64);
        const char *here = run(s, plan, numbers, 0, bytes, one);
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            if (places[i] % bytes != 0)
                continue;
            const char *there = run(s, plan, numbers, places[i], bytes, other);
            CHECK(memcmp(here, there, s->out * bytes) == 0,
                  "%s at %zu: other bits", s->problem, places[i]);
        }
    }
    weft_plan_release(plan);
    weft_free(numbers);
    weft_free(one);
    weft_free(other);
}

int main(void)
{
    const size_t step = check_step(3, "large transforms");
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i += step)
        test_places(&samples[i]);
    return check_report("lines_test");
}
