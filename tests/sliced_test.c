/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sliced_test.c - a batch in slices has the results of the batch as a whole,
 * whatever the last slice has left, by any number of threads, and nothing beyond
 * its numbers is written.
 */
#include "check.h"
#include "random.h"

#include <math.h>
#include <string.h>
#include <weft/weft.h>

enum { BYTES = 1 << 20, FAR_BYTES = 20 << 20, GUARD = 4096, TEXT = 4096 };

static const char *const problems[] = {
    "c2c:f64:8x12*7",
    "c2c:f32:16x16*9",
    "c2c:f64:8x12*7:inverse:norm=0.75",
    "c2c:f32:32x6*5:inplace",
    "c2c:f64:8x8*6:split",
    "c2c:f32:9x15*8:split:inverse:norm=2",
    "c2c:f64:4x6x10*5",
    "c2c:f64:8x12*3x2",
    "r2c:f64:10x14*7",
    "r2c:f32:6x9*5:inplace",
    "r2c:f32:4x6x8*6:norm=0.5",
    "c2r:f64:10x14*7",
    "c2r:f32:6x16*5:inplace",
    "c2r:f64:4x6x9*5",
    "redft10:f64:8x12*7",
    "rodft01:f32:16x5*9:inplace",
    "dht:f64:7x7*5",
    /* planes */
    "c2c:f64:7x8x12",
    "c2c:f32:9x16x16:inplace:inverse",
    "c2c:f64:5x4x6x10",
    "c2c:f32:6x8x8:split",
    "r2c:f64:7x10x14",
    "r2c:f32:5x6x16:inplace",
    "redft10:f64:6x8x12",
    "redft10:f64:6x8x12:norm=ortho",
    "c2r:f64:7x10x14",
    "c2r:f32:5x6x16:inplace",
    "c2r:f64:5x4x6x9:norm=0.5",
};

/* From memory to memory, by rows of 1 KiB and more. */
static const char *const far[] = {
    "c2c:f32:8x128*1030",
    "c2c:f64:3x80*2300:inverse:norm=0.5",
    "c2c:f32:8x128*2100:inplace",
    "r2c:f32:4x256*2080",
    "r2c:f64:4x130*2100:inplace",
    "c2r:f32:4x256*2080",
    "rodft10:f64:4x128*2100",
    "c2c:f32:1024x8x128",
    "c2r:f32:1040x8x256",
    /* outputs with gaps, and of which a slice has every other one */
    "c2c:f32:8/128/128x128/1/1*1040/1024/1032",
    "c2c:f32:8/128/128x128/1/1*5/212992/1024x208/1024/5120",
};

/* Far problems have all of these, others the first BYTES. */
static char input[FAR_BYTES], made[2][FAR_BYTES];
static size_t used = BYTES;

/* The tree of the plan that the problem has by itself. */
static void own_tree(const weft_problem *p, char *tree)
{
    weft_plan *plan = NULL;
    tree[0] = '\0';
    if (CHECK(weft_plan_create(p, NULL, &plan) == WEFT_OK, "%s",
              weft_error_text()))
        weft_plan_text(plan, tree, TEXT, NULL);
    weft_plan_release(plan);
}

/* The tree of a slice, of all. */
static void whole_of(char *tree)
{
    const size_t length = strlen(tree);
    if (strncmp(tree, "(sliced ", 8) != 0)
        return;
    const char *inner = strchr(tree + 8, '(');
    tree[length - 1] = '\0';
    memmove(tree, inner, strlen(inner) + 1);
}

/* Where the step of a cube's first axis is: behind its planes, or before them. */
static const char *first_axis(const char *text, const char *part, bool before)
{
    const char *found = NULL;
    for (text = strstr(text, part); text != NULL && !(before && found != NULL);
         text = strstr(text + 1, part))
        found = text;
    return found;
}

static size_t step_length(const char *step)
{
    size_t length = 0;
    int depth = 0;
    do
        depth += (step[length] == '(') - (step[length] == ')');
    while (step[length++] != '\0' && depth > 0);
    return length;
}

static weft_plan *plan_by(weft_problem p, const char *tree, int threads)
{
    weft_plan *plan = NULL;
    weft_plan_options o = {.size = sizeof o, .tree = tree};
    p.threads = threads;
    CHECK(weft_plan_create(&p, &o, &plan) == WEFT_OK, "%s: %s", tree,
          weft_error_text());
    return plan;
}

/* All that is in memory afterwards, behind GUARD bytes; where there is more than
 * caches hold the output begins within a line. */
static void execute(const weft_plan *plan, const weft_problem *p, char *memory)
{
    const size_t half = used / 2;
    char *out = memory + GUARD + (used > BYTES ? 16 : 0);
    memset(memory, 0x5a, used);
    if (p->place == WEFT_IN_PLACE)
        memcpy(out, input, used > BYTES ? used - 2 * GUARD : half);
    const void *in = p->place == WEFT_IN_PLACE ? out : input;
    weft_status status = p->layout == WEFT_SPLIT
                             ? weft_execute_split(plan, in,
                                                  (const char *)in + half / 2,
                                                  out, out + half / 2)
                             : weft_execute(plan, in, out);
    CHECK(status == WEFT_OK, "%s", weft_error_text());
}

static double at(const weft_problem *p, const char *memory, size_t i)
{
    return p->type == WEFT_F64 ? ((const double *)memory)[i]
                               : ((const float *)memory)[i];
}

/* Largest difference over the largest number; what neither wrote is alike. */
static double difference(const weft_problem *p)
{
    const size_t real = p->type == WEFT_F64 ? 8 : 4;
    double most = 0, largest = 0;
    for (size_t i = 0; i < used / real; i++) {
        if (memcmp(made[0] + i * real, made[1] + i * real, real) == 0)
            continue;
        const double a = at(p, made[0], i), b = at(p, made[1], i);
        if (!(fabs(a - b) <= most))
            most = fabs(a - b);
        largest = fmax(largest, fabs(a));
    }
    return most == 0 ? 0 : most / largest;
}

static void test_problem(const char *text)
{
    weft_problem p;
    char whole[TEXT], planes[TEXT], last[TEXT] = "", tree[3 * TEXT];
    if (!CHECK(weft_problem_parse(text, &p) == WEFT_OK, "%s", text))
        return;
    own_tree(&p, whole);
    whole_of(whole);
    const bool cube = p.batch_rank == 0, back = p.kind == WEFT_C2R;
    if (cube) { /* its planes, and the step of the first axis */
        weft_problem inner = p;
        const char *axis = first_axis(whole, "(cols 0", back);
        axis = axis != NULL ? axis : first_axis(whole, "(buffered 0", back);
        if (!CHECK(axis != NULL, "%s: %s", text, whole))
            return;
        strcpy(last, axis);
        if (back)
            last[step_length(last)] = '\0';
        inner.rank--;
        const size_t left = (size_t)inner.rank;
        memmove(inner.dims, inner.dims + 1, left * sizeof inner.dims[0]);
        memmove(inner.kinds, inner.kinds + 1, left * sizeof inner.kinds[0]);
        if (inner.norm != WEFT_NORM_ORTHO && !back) /* the first axis scales */
            inner.norm = WEFT_NORM_NONE;
        inner.batch_rank = 1;
        inner.batch[0] = p.dims[0];
        own_tree(&inner, planes);
        whole_of(planes);
    }
    const double u = p.type == WEFT_F64 ? 2.3e-16 : 1.2e-7;
    weft_plan *plain = plan_by(p, whole, 1);
    if (plain != NULL)
        execute(plain, &p, made[0]);
    const int step = used > BYTES ? 2 : 1;
    for (int count = 1; count < 5; count += step) {
        const bool staged = strncmp(whole, "(staged", 7) == 0;
        if (cube && back)
            snprintf(tree, sizeof tree, "%s(rank %s (sliced %d %s))%s",
                     staged ? "(staged " : "", last, count, planes,
                     staged ? ")" : "");
        else if (cube)
            snprintf(tree, sizeof tree, "(rank (sliced %d %s) %s", count,
                     planes, last);
        else
            snprintf(tree, sizeof tree, "(sliced %d %s)", count, whole);
        for (int threads = 1; threads <= 3; threads += step) {
            weft_plan *plan = plan_by(p, tree, threads);
            if (plan == NULL)
                continue;
            execute(plan, &p, made[1]);
            CHECK(difference(&p) < 8 * u, "%s by %s: %g", text, tree,
                  difference(&p));
            if (threads == 1)
                memcpy(made[0], made[1], used);
            CHECK(memcmp(made[0], made[1], used) == 0,
                  "%s by %s: %d threads: other bits", text, tree, threads);
            weft_plan_release(plan);
        }
    }
    weft_plan_release(plain);
}

static void refuses(const char *problem, const char *tree)
{
    weft_problem p;
    weft_plan *plan = NULL;
    weft_plan_options o = {.size = sizeof o, .tree = tree};
    CHECK(weft_problem_parse(problem, &p) == WEFT_OK, "%s", problem);
    CHECK(weft_plan_create(&p, &o, &plan) != WEFT_OK, "%s by %s", problem,
          tree);
    weft_plan_release(plan);
}

/* Slices that a problem has not, or that stand where they cannot. */
static void test_refused(void)
{
#define BACK "(staged (rank (cols 0 (column 8 w1 8)) (rows 1 (rleaf 8))))"
#define CHILD "(rank (rows 1 (leaf 8)) (cols 0 (column 8 w1 8)))"
    refuses("c2c:f64:8x8", "(sliced 1 " CHILD ")");
    refuses("c2c:f64:8x8*4", "(sliced 4 " CHILD ")");
    refuses("c2c:f64:8x8*4", "(sliced 0 " CHILD ")");
    refuses("c2c:f64:8x8*4", "(sliced 2 (leaf 8))");
    refuses("c2c:f64:8x8*4", "(sliced 2 (sliced 1 " CHILD "))");
    refuses("c2c:f64:8x8*4", "(rank (sliced 2 " CHILD "))");
    refuses("c2c:f64:8*4", "(sliced 2 (rank (rows 0 (leaf 8))))");
    refuses("c2c:f64:6x8x8",
            "(rank (cols 0 (column 6 w1 6)) (sliced 2 " CHILD "))");
    refuses("c2c:f64:6x8x8", "(rank (sliced 2 " CHILD "))");
    refuses("c2r:f64:6x8x8",
            "(staged (rank (sliced 2 " BACK ") (cols 0 (column 6 w1 6))))");
    refuses("c2r:f64:6x8x8",
            "(staged (rank (cols 1 (column 8 w1 8)) (sliced 2 " BACK ")))");
    refuses("c2c:f64:8x8x8", "(rank (sliced 2 " CHILD ") (cols 1 (column 8 w1 "
                             "8)) (cols 0 (column 8 w1 8)))");
}

/* What users get: in slices where the second cache holds a few of many, and of C2R,
 * which has scratch for those of one, always. */
static void test_choice(void)
{
    static const char *const many[] = {
        "c2c:f64:64x64*1024", "r2c:f32:128x128*128", "c2c:f32:128x128x128",
        "c2r:f64:512x128x128", "c2r:f32:700x600*60"};
    static const char *const none[] = {"c2c:f64:64x64", "c2c:f64:64x64*2",
                                       "c2c:f64:1024x1024*4",
                                       "c2c:f64:4096*256"};
    char tree[TEXT];
    const int sliced = sizeof many / sizeof many[0];
    const int all = sliced + (int)(sizeof none / sizeof none[0]);
    for (int i = 0; i < all; i++) {
        const char *text = i < sliced ? many[i] : none[i - sliced];
        weft_problem p;
        CHECK(weft_problem_parse(text, &p) == WEFT_OK, "%s", text);
        own_tree(&p, tree);
        CHECK((strstr(tree, "(sliced ") != NULL) == (i < sliced), "%s: %s",
              text, tree);
    }
}

static void fill(noise_state *noise, bool doubles)
{
    for (size_t k = 0; k < used / sizeof(double); k++)
        if (doubles)
            ((double *)input)[k] = noise_real(noise);
    for (size_t k = 0; k < used / sizeof(float); k++)
        if (!doubles)
            ((float *)input)[k] = (float)noise_real(noise);
}

int main(void)
{
    noise_state noise = {7};
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        fill(&noise, strstr(problems[i], "f64") != NULL);
        test_problem(problems[i]);
    }
    used = FAR_BYTES;
    const size_t step = check_step(4, "problems of more than the caches hold");
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i += step) {
        fill(&noise, strstr(far[i], "f64") != NULL);
        test_problem(far[i]);
    }
    test_refused();
    test_choice();
    return check_report("sliced_test");
}
