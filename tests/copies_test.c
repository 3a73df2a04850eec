/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies_test.c - problems of rank 0, which only move samples: every element is
 * where the strides say, to the bit, and no other byte has changed, for lines,
 * transposes, items of many sizes, channels, strides of both signs, out of place and
 * in place; and squares of transforms whose output is transposed in place, which have
 * the results of the same out of place.
 */
#include "check.h"
#include "random.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <weft/weft.h>

enum { TEXT = 512, MOST_AXES = 4, MOST = 30000, GUARD = 32 };

typedef struct layout {
    int axes;
    int64_t n[MOST_AXES], is[MOST_AXES], os[MOST_AXES];
    int64_t first[2], span[2]; /* of each side: element 0, all there are */
} layout;

typedef struct form {
    const char *name, *options;
    int scalars; /* of an element in one array */
    size_t bytes;
} form;

static const form forms[] = {{"c2c:f64", "", 2, sizeof(double)},
                             {"c2c:f32", "", 2, sizeof(float)},
                             {"dht:f64", "", 1, sizeof(double)},
                             {"dht:f32", "", 1, sizeof(float)},
                             {"c2c:f64", ":split", 1, sizeof(double)},
                             {"c2c:f32", ":split", 1, sizeof(float)}};

static noise_state noise = {7};

static int64_t below(int64_t limit)
{
    return noise_below(&noise, limit);
}

/* ---- Layouts ------------------------------------------------------------ */

static void shuffle(int *order, int count)
{
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)below(i + 1), x = order[i];
        order[i] = order[j];
        order[j] = x;
    }
}

/* Strides of axes in this order, the first the nearest, perhaps with gaps. */
static void lay_out(const layout *l, const int *order, bool gaps,
                    int64_t *stride)
{
    int64_t next = gaps && below(4) == 0 ? 1 + below(3) : 1;
    for (int i = 0; i < l->axes; i++) {
        const int k = order[i];
        stride[k] = gaps && below(6) == 0 ? -next : next;
        next *= l->n[k];
        next += gaps && below(3) == 0 ? below(5) : 0;
    }
}

static void measure(layout *l)
{
    for (int side = 0; side < 2; side++) {
        int64_t low = 0, high = 0;
        for (int i = 0; i < l->axes; i++) {
            const int64_t s = side == 0 ? l->is[i] : l->os[i];
            *(s < 0 ? &low : &high) += (l->n[i] - 1) * s;
        }
        l->first[side] = -low;
        l->span[side] = high - low + 1;
    }
}

static void choose_lengths(layout *l)
{
    static const int limits[] = {3, 6, 20, 70, 300};
    int64_t all = 1;
    l->axes = 1 + (int)below(MOST_AXES);
    for (int i = 0; i < l->axes; i++) {
        int64_t n = 1 + below(limits[below(5)]);
        if (below(3) == 0)
            n = INT64_C(1) << below(8);
        while (n > 1 && all * n > MOST / 3)
            n /= 2;
        l->n[i] = n;
        all *= n;
    }
}

static void choose_copy(layout *l)
{
    int order[MOST_AXES];
    choose_lengths(l);
    shuffle(order, l->axes);
    lay_out(l, order, below(2), l->is);
    if (below(3) > 0)
        shuffle(order, l->axes);
    lay_out(l, order, below(2), l->os);
}

/* Two axes of one length with each other's strides. */
static bool choose_square(layout *l)
{
    int order[MOST_AXES];
    choose_lengths(l);
    if (l->axes < 2)
        return false;
    shuffle(order, l->axes);
    const int a = order[0], b = order[1];
    while (l->n[a] * l->n[a] > MOST / 4)
        l->n[a] /= 2;
    if (l->axes > 2 && l->n[a] > 40)
        l->n[a] = 40;
    l->n[b] = l->n[a];
    for (int i = 0; i < l->axes; i++)
        if (i != a && i != b)
            l->n[i] = 1 + l->n[i] % 5;
    shuffle(order, l->axes);
    lay_out(l, order, below(2), l->is);
    memcpy(l->os, l->is, sizeof l->os);
    l->os[a] = l->is[b];
    l->os[b] = l->is[a];
    return true;
}

/* Without gaps, in another order. */
static void choose_permutation(layout *l)
{
    int order[MOST_AXES];
    choose_lengths(l);
    shuffle(order, l->axes);
    lay_out(l, order, false, l->is);
    shuffle(order, l->axes);
    lay_out(l, order, false, l->os);
}

static void print_axes(const layout *l, int from, int to, char *text)
{
    for (int i = from; i < to; i++)
        sprintf(text + strlen(text), "%s%" PRId64 "/%" PRId64 "/%" PRId64,
                i == from ? "" : "x", l->n[i], l->is[i], l->os[i]);
}

/* ---- Moving ------------------------------------------------------------- */

static size_t bytes_of(const form *f, int64_t elements)
{
    return (size_t)(elements + 2 * GUARD) * (size_t)f->scalars * f->bytes;
}

static char *address(const form *f, char *memory, int64_t element)
{
    return memory + (GUARD + element) * f->scalars * (int64_t)f->bytes;
}

static void fill(char *memory, size_t bytes, uint64_t seed)
{
    noise_state state = {seed};
    for (size_t i = 0; i < bytes; i++)
        memory[i] = (char)noise_bits(&state);
}

/* What the strides say, element by element. */
static void move(const form *f, const layout *l, char *in, char *out)
{
    const size_t element = (size_t)f->scalars * f->bytes;
    int64_t index[MOST_AXES] = {0};
    for (;;) {
        int64_t from = l->first[0], to = l->first[1];
        for (int i = 0; i < l->axes; i++) {
            from += index[i] * l->is[i];
            to += index[i] * l->os[i];
        }
        memcpy(address(f, out, to), address(f, in, from), element);
        int i = 0;
        while (i < l->axes && ++index[i] == l->n[i])
            index[i++] = 0;
        if (i == l->axes)
            return;
    }
}

static void check_moved(const form *f, const layout *l, bool in_place,
                        const char *root)
{
    char text[TEXT] = "", tree[TEXT];
    const int parts = strstr(f->options, "split") ? 2 : 1;
    char *in[2], *out[2], *want[2];
    const size_t ins = bytes_of(f, l->span[0]), outs = bytes_of(f, l->span[1]);
    sprintf(text, "%s:-*", f->name);
    print_axes(l, 0, l->axes, text);
    strcat(text, f->options);
    strcat(text, in_place ? ":inplace" : "");
    weft_problem problem;
    weft_plan *plan = NULL;
    if (!CHECK(weft_problem_parse(text, &problem) == WEFT_OK &&
                   weft_plan_create(&problem, NULL, &plan) == WEFT_OK,
               "%s: %s", text, weft_error_text()))
        return;
    weft_plan_text(plan, tree, sizeof tree, NULL);
    CHECK(root == NULL || strncmp(tree, root, strlen(root)) == 0, "%s: %s",
          text, tree);
    for (int p = 0; p < 2; p++) {
        in[p] = malloc(ins);
        out[p] = malloc(outs);
        want[p] = malloc(outs);
        fill(in[p], ins, 3 + (uint64_t)p);
        fill(out[p], outs, 5 + (uint64_t)p);
        if (in_place)
            memcpy(out[p], in[p], outs);
        memcpy(want[p], out[p], outs);
        if (p < parts)
            move(f, l, in[p], want[p]);
    }
    char *from[2], *to[2];
    for (int p = 0; p < 2; p++) {
        to[p] = address(f, out[p], l->first[1]);
        from[p] = in_place ? to[p] : address(f, in[p], l->first[0]);
    }
    weft_status status = parts == 2 ? weft_execute_split(plan, from[0],
                                                         from[1], to[0], to[1])
                                    : weft_execute(plan, from[0], to[0]);
    CHECK(status == WEFT_OK, "%s: %s", text, weft_error_text());
    for (int p = 0; p < 2; p++) {
        CHECK(memcmp(out[p], want[p], outs) == 0, "%s: part %d", text, p);
        free(in[p]);
        free(out[p]);
        free(want[p]);
    }
    weft_plan_release(plan);
}

static void test_moves(const form *f)
{
    const long rounds = 400 / (long)check_step(2, "layouts of copies");
    for (long i = 0; i < rounds; i++) {
        layout l = {0};
        choose_copy(&l);
        measure(&l);
        check_moved(f, &l, false, "(rank (copy))");
        layout square = {0};
        if (choose_square(&square)) {
            measure(&square);
            check_moved(f, &square, true, NULL);
        }
        layout other = {0};
        choose_permutation(&other);
        measure(&other);
        check_moved(f, &other, true, NULL);
    }
}

/* Rows with gaps on either side, which go in whole vectors where every second item is
 * meant. */
static void test_gaps(const form *f)
{
    static const int64_t strides[][2] = {{2, 1}, {1, 2}, {2, 2}, {3, 1}};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++)
        for (int64_t n = 94; n < 131; n += n % 16 < 2 ? 1 : 7)
            for (int64_t rows = 1; rows < 4; rows += 2) {
                const int64_t is = strides[i][0], os = strides[i][1];
                layout l = {.axes = 2,
                            .n = {n, rows},
                            .is = {is, is * n + 1},
                            .os = {os, os * n + 3}};
                measure(&l);
                check_moved(f, &l, false, "(rank (copy))");
            }
}

/* Matrices and squares that reach the kernels' blocks and their edges. */
static void test_planes(const form *f)
{
    static const int64_t sizes[] = {1,  2,  3,  4,  5,  7,  8,   15, 16,
                                    17, 24, 31, 33, 64, 65, 100, 130};
    const size_t count = sizeof sizes / sizeof *sizes;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            const int64_t r = sizes[i], c = sizes[j], gap = (r + c) % 3;
            layout l = {2, {r, c}, {c + gap, 1}, {1, r + gap}, {0}, {0}};
            measure(&l);
            check_moved(f, &l, false, "(rank (copy))");
        }
        for (int64_t item = 1; item < 4; item++) {
            const int64_t n = sizes[i], ld = (n + (n > 60)) * item;
            layout l = {3,   {n, n, item}, {ld, item, 1}, {item, ld, 1},
                        {0}, {0}};
            measure(&l);
            check_moved(f, &l, true,
                        n > 1 ? "(exchanged (rank (copy)))" : NULL);
        }
    }
}

/* ---- Transforms --------------------------------------------------------- */

static double number(const form *f, const char *memory, int64_t at)
{
    double x;
    float y;
    memcpy(f->bytes == sizeof x ? (void *)&x : &y,
           memory + at * (int64_t)f->bytes, f->bytes);
    return f->bytes == sizeof x ? x : (double)y;
}

static void set_noise(const form *f, char *memory, int64_t reals)
{
    for (int64_t i = 0; i < reals; i++) {
        const double x = noise_real(&noise);
        const float y = (float)x;
        memcpy(memory + i * (int64_t)f->bytes,
               f->bytes == sizeof x ? (const void *)&x : &y, f->bytes);
    }
}

/* dims: the notation of the axes, of n x n elements, transposed on their way. */
static void check_square(const form *f, const char *dims, int64_t n,
                         const char *norm)
{
    char text[2][TEXT], tree[TEXT];
    const int64_t reals = n * n * f->scalars;
    const size_t bytes = (size_t)reals * f->bytes;
    char *in = malloc(bytes), *out = malloc(bytes), *place = malloc(bytes);
    weft_plan *plan[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        weft_problem problem;
        snprintf(text[i], sizeof text[i], "%s:%s%s%s", f->name, dims, norm,
                 i ? ":inplace" : "");
        CHECK(weft_problem_parse(text[i], &problem) == WEFT_OK &&
                  weft_plan_create(&problem, NULL, &plan[i]) == WEFT_OK,
              "%s: %s", text[i], weft_error_text());
    }
    set_noise(f, in, reals);
    memcpy(place, in, bytes);
    weft_plan_text(plan[1], tree, sizeof tree, NULL);
    CHECK(strncmp(tree, "(exchanged (rank (", 18) == 0 ||
              (n <= 8 && strcmp(tree, "(once)") == 0),
          "%s: %s", text[1], tree);
    CHECK(weft_execute(plan[0], in, out) == WEFT_OK &&
              weft_execute(plan[1], place, place) == WEFT_OK,
          "%s", weft_error_text());
    double most = 0, largest = 0;
    for (int64_t i = 0; i < reals; i++) {
        const double x = number(f, out, i);
        most = fmax(most, fabs(x - number(f, place, i)));
        largest = fmax(largest, fabs(x));
    }
    const double unit = f->bytes == sizeof(double) ? DBL_EPSILON : FLT_EPSILON;
    CHECK(most <= 20 * unit * largest, "%s: %.3g off", text[1],
          most / largest);
    weft_plan_release(plan[0]);
    weft_plan_release(plan[1]);
    free(in);
    free(out);
    free(place);
}

static void test_squares(void)
{
    static const int sizes[] = {2, 3, 8, 13, 16, 37, 64, 100};
    static const form kinds[] = {
        {"c2c:f64", "", 2, 8},     {"c2c:f32", "", 2, 4},
        {"redft10:f64", "", 1, 8}, {"redft10:f32", "", 1, 4},
        {"dht:f32", "", 1, 4},     {"rodft00:f64", "", 1, 8},
    };
    char dims[TEXT];
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const int n = sizes[i];
            const char *norm = i % 2 ? ":norm=0.3" : "";
            snprintf(dims, sizeof dims, "%d/%d/1x%d/1/%d", n, n, n, n);
            check_square(&kinds[k], dims, n, norm);
            snprintf(dims, sizeof dims, "%d/%d/1*%d/1/%d", n, n, n, n);
            check_square(&kinds[k], dims, n, norm);
            snprintf(dims, sizeof dims, "%d/1/%d*%d/%d/1", n, n, n, n);
            check_square(&kinds[k], dims, n, norm);
        }
}

int main(void)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        test_moves(&forms[i]);
        test_gaps(&forms[i]);
        test_planes(&forms[i]);
    }
    test_squares();
    return check_report("copies_test");
}
