/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alone_lanes.c - what the lanes of a transform alone do: reversals, and the
 * transposes between registers of one j, or of one frequency, and those of one l.
 * Squares within quarters of 128 bits, and whole quarters, each step one
 * instruction without an index register.
 */
#include "alone.h"

#include <string.h>

int lanes_choose(const maker *k, int x, int y, const int *from)
{
    pattern p;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < k->v; ++i)
        p.src[i] = (signed char)from[i];
    return dag_shuffle(k->g, x, y, &p);
}

int lanes_reversed(const maker *k, int x)
{
    int from[MAX_LANES];
    for (int i = 0; i < k->v; ++i)
        from[i] = k->v - 1 - i;
    return lanes_choose(k, x, x, from);
}

/* Quarters of x, or from number `quarters` on of y. */
int lanes_quarters(const maker *k, int x, int y, int a, int b, int c, int d)
{
    const int of[] = {a, b, c, d};
    int from[MAX_LANES];
    for (int i = 0; i < k->v; ++i)
        from[i] = of[i / k->inside] * k->inside + i % k->inside;
    return lanes_choose(k, x, y, from);
}

/* Lanes of x and y in turn: the lower or upper half of each quarter, in groups
 * of `size`. */
static int weave(const maker *k, int x, int y, int size, int upper)
{
    int from[MAX_LANES];
    for (int i = 0; i < k->v; ++i) {
        const int base = i / k->inside * k->inside, e = i % k->inside;
        const int group = e / size;
        from[i] = base + upper * k->inside / 2 + group / 2 * size + e % size +
                  group % 2 * k->v;
    }
    return lanes_choose(k, x, y, from);
}

/* Transposes the squares that `inside` registers have in each quarter. */
void lanes_transpose(const maker *k, int *x)
{
    if (k->inside == 2) {
        const int a = x[0], b = x[1];
        x[0] = weave(k, a, b, 1, 0);
        x[1] = weave(k, a, b, 1, 1);
        return;
    }
    const int a = weave(k, x[0], x[1], 1, 0), b = weave(k, x[2], x[3], 1, 0);
    const int c = weave(k, x[0], x[1], 1, 1), d = weave(k, x[2], x[3], 1, 1);
    x[0] = weave(k, a, b, 2, 0);
    x[1] = weave(k, a, b, 2, 1);
    x[2] = weave(k, c, d, 2, 0);
    x[3] = weave(k, c, d, 2, 1);
}

/* Quarters first .. first + 1 of four registers, as the two registers of those
 * with one number. */
static void take_quarters(const maker *k, const int *x, int first, int *out)
{
    const int f = first, g = first + 1;
    const int a = lanes_quarters(k, x[0], x[1], f, g, f + 4, g + 4);
    const int b = lanes_quarters(k, x[2], x[3], f, g, f + 4, g + 4);
    out[0] = lanes_quarters(k, a, b, 0, 2, 4, 6);
    out[1] = lanes_quarters(k, a, b, 1, 3, 5, 7);
}

/* Four numbers, two of x and two of y. */
static int two_of_each(const maker *k, int x, int y, int a, int b, int c,
                       int d)
{
    const int from[] = {a, b, 4 + c, 4 + d};
    return lanes_choose(k, x, y, from);
}

/* Lanes first .. first + count - 1 of V registers, transposed. */
void lanes_columns(const maker *k, const int *x, int first, int count,
                   int *out)
{
    const int h = k->inside, f = first;
    if (count < h) {
        const int a = two_of_each(k, x[0], x[1], f, f + 1, f, f + 1);
        const int b = two_of_each(k, x[2], x[3], f, f + 1, f, f + 1);
        out[0] = two_of_each(k, a, b, 0, 2, 0, 2);
        out[1] = two_of_each(k, a, b, 1, 3, 1, 3);
        return;
    }
    int part[MAX_LANES][MAX_LANES]; /* by quarter taken, register */
    for (int w = 0; w < h; ++w) {
        int from[4], two[2];
        for (int i = 0; i < k->quarters; ++i)
            from[i] = x[i * h + w];
        for (int u = 0; u < count / h; ++u) {
            const int at = first / h + u;
            if (k->quarters == 1) {
                part[u][w] = from[0];
            } else if (k->quarters == 2) {
                part[u][w] = lanes_quarters(k, from[0], from[1], at, at + 2, 0,
                                            0);
            } else if (u % 2 == 0) {
                take_quarters(k, from, at, two);
                part[u][w] = two[0];
                part[u + 1][w] = two[1];
            }
        }
    }
    for (int u = 0; u < count / h; ++u) {
        lanes_transpose(k, part[u]);
        for (int e = 0; e < h; ++e)
            out[u * h + e] = part[u][e];
    }
}

/* The way back: `count` lanes by frequency, transposed, in parts from which
 * lanes_join makes registers. */
void lanes_split(const maker *k, const int *x, int count, int *part)
{
    const int h = k->inside;
    if (count < h) {
        part[0] = weave(k, x[0], x[1], 1, 0);
        part[1] = weave(k, x[0], x[1], 1, 1);
    }
    for (int u = 0; u < count / h; ++u) {
        memcpy(part + u * h, x + u * h, (size_t)h * sizeof *part);
        lanes_transpose(k, part + u * h);
    }
    for (int u = 0; u < count / h && k->quarters == 4; u += 2)
        for (int w = 0; w < h; ++w) {
            int *a = &part[u * h + w], *b = &part[(u + 1) * h + w];
            const int x0 = *a, x1 = *b;
            *a = lanes_quarters(k, x0, x1, 0, 2, 4, 6);
            *b = lanes_quarters(k, x0, x1, 1, 3, 5, 7);
        }
}

/* A register whose lower half is that of register i by parts x, the upper one
 * that of register j by parts y. */
int lanes_join(const maker *k, const int *x, int i, const int *y, int j)
{
    const int h = k->inside, w = i % h, p = i / h, z = j % h, o = j / h;
    if (k->quarters == 1)
        return two_of_each(k, x[i / 2], y[j / 2], i % 2 * 2, i % 2 * 2 + 1,
                           j % 2 * 2, j % 2 * 2 + 1);
    if (k->quarters == 2)
        return lanes_quarters(k, x[w], y[z], p, 2 + o, 0, 0);
    const int a = p / 2, b = o / 2;
    return lanes_quarters(k, x[p % 2 * h + w], y[o % 2 * h + z], a, a + 2,
                          b + 4, b + 6);
}

/* V registers of V lanes, transposed. */
void lanes_rows(const maker *k, const int *x, int *out)
{
    int part[MAX_LANES];
    lanes_split(k, x, k->v, part);
    for (int i = 0; i < k->v; ++i)
        out[i] = k->quarters == 1 ? part[i]
                                  : lanes_join(k, part, i, part + k->v / 2, i);
}
