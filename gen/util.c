/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * util.c - memory and the unit circle; see util.h.
 */
#include "util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void gen_die(const char *message)
{
    fprintf(stderr, "weft-gen: %s\n", message);
    exit(1);
}

void *gen_alloc(size_t size)
{
    return gen_realloc(NULL, size);
}

void *gen_realloc(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    if (!p)
        gen_die("out of memory");
    return p;
}

/* The point at num/den of a turn, den > 0. */
static void turn(long num, long den, long double *c, long double *s)
{
    const long double two_pi = 6.283185307179586476925286766559005768L;
    num %= den;
    if (num < 0)
        num += den;
    const long octant = 8 * num / den;
    /* Distance to the nearest multiple of a quarter turn, as r/(4 den). */
    const long quarter = (octant + 1) / 2;
    long r = 4 * num - quarter * den;
    const int below = r < 0;
    if (below)
        r = -r;
    long double x, y;
    if (2 * r == den) {
        x = y = 0.707106781186547524400844362104849039L;
    } else {
        const long double angle = two_pi * (long double)r /
                                  (4 * (long double)den);
        x = cosl(angle);
        y = sinl(angle);
    }
    if (below)
        y = -y;
    switch (quarter % 4) {
    case 0:
        *c = x;
        *s = y;
        break;
    case 1:
        *c = -y;
        *s = x;
        break;
    case 2:
        *c = -x;
        *s = -y;
        break;
    default:
        *c = y;
        *s = -x;
        break;
    }
}

long double turn_cos(long num, long den)
{
    long double c, s;
    turn(num, den, &c, &s);
    return c;
}

long double turn_sin(long num, long den)
{
    long double c, s;
    turn(num, den, &c, &s);
    return s;
}
