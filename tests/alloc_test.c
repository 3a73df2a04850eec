/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alloc_test.c - memory runs out at every place where it can.
 *
 * Each action runs once in peace, then with its first allocation failing,
 * then with its second, until none is left to fail.  Each time: the status is
 * WEFT_ERR_NO_MEMORY, or the call did as well without, which for a plan means
 * the same tree; nothing handed out on an error, nothing leaked, and the same
 * call works next.
 */
#include "base/base.h"
#include "check.h"
#include "oracle.h"

#include <string.h>

enum { N = 1 << 16 };

static double in[2 * N], out[2 * N], low[2 * N];
static char *wisdom; /* to import */

/* What the current action works on. */
static struct {
    const char *problem, *rule;
    weft_effort effort;
} now;

static weft_status create(weft_plan **plan)
{
    weft_problem p;
    weft_plan_options o = {.size = sizeof o,
                           .rule = now.rule,
                           .effort = now.effort,
                           .time_limit = 0.002,
                           .ignore_wisdom = 1};
    weft_status status = weft_problem_parse(now.problem, &p);
    *plan = (weft_plan *)in;
    if (status == WEFT_OK)
        status = weft_plan_create(&p, &o, plan);
    if (status != WEFT_OK)
        CHECK(*plan == NULL || *plan == (weft_plan *)in,
              "%s: a plan handed out with %s", now.problem,
              weft_status_name(status));
    return status;
}

/* ---- Actions ------------------------------------------------------------ */

/* The plan of the last action, to be looked at in peace. */
static weft_plan *kept;

static weft_status do_plan(void)
{
    weft_status status = create(&kept);
    if (status != WEFT_OK)
        kept = NULL;
    return status;
}

/* The kept plan's tree, which goes. */
static void take_tree(char *text, size_t size)
{
    text[0] = '\0';
    if (kept)
        weft_plan_text(kept, text, size, NULL);
    weft_plan_release(kept);
    kept = NULL;
}

static weft_status do_texts(void)
{
    weft_plan *plan;
    char text[4096];
    weft_status status = create(&plan);
    if (status != WEFT_OK)
        return status;
    status = weft_plan_text(plan, text, sizeof text, NULL);
    if (status == WEFT_OK)
        status = weft_plan_explain(plan, text, sizeof text, NULL);
    if (status == WEFT_OK)
        status = weft_plan_problem(plan, text, sizeof text, NULL);
    weft_plan_release(plan);
    return status;
}

static weft_status do_tree(void)
{
    weft_plan *plan, *again;
    char text[4096];
    weft_problem p;
    weft_status status = create(&plan);
    if (status != WEFT_OK)
        return status;
    status = weft_plan_text(plan, text, sizeof text, NULL);
    weft_plan_release(plan);
    if (status != WEFT_OK)
        return status;
    weft_plan_options o = {.size = sizeof o, .tree = text};
    weft_problem_parse(now.problem, &p);
    status = weft_plan_create(&p, &o, &again);
    if (status == WEFT_OK)
        weft_plan_release(again);
    return status;
}

/* A tree that the planner has only for more samples than caches hold. */
static weft_status do_streamed(void)
{
    weft_plan *plan;
    weft_problem p;
    weft_plan_options o = {.size = sizeof o,
                           .tree = "(rank (streamed 0 (stockham 360 w1 "
                                   "6.6.10)))"};
    weft_status status = weft_problem_parse("c2c:f64:360*5", &p);
    if (status == WEFT_OK)
        status = weft_plan_create(&p, &o, &plan);
    if (status == WEFT_OK)
        weft_plan_release(plan);
    return status;
}

static weft_status do_print(void)
{
    weft_problem p;
    char text[256];
    weft_extent extent;
    weft_status status = weft_problem_parse(now.problem, &p);
    if (status == WEFT_OK)
        status = weft_problem_print(&p, text, sizeof text, NULL);
    if (status == WEFT_OK)
        status = weft_problem_extent(&p, &extent);
    return status;
}

static weft_status do_fft(void)
{
    weft_cache_clear();
    weft_status status = weft_fft(WEFT_F64, 1000, in, out);
    weft_cache_clear();
    return status;
}

static weft_status do_fftn(void)
{
    const int64_t shape[3] = {7, 31, 8};
    weft_cache_clear();
    weft_status status = weft_ifftn(WEFT_F32, 3, shape, in, out);
    weft_cache_clear();
    return status;
}

static weft_status do_reference(void)
{
    return weft_reference(1009, WEFT_FORWARD, in, out, low);
}

static weft_status do_info(void)
{
    char text[4096];
    return weft_info(text, sizeof text, NULL);
}

static weft_status do_export(void)
{
    char *text = (char *)in;
    weft_status status = weft_wisdom_import(wisdom);
    if (status == WEFT_OK)
        status = weft_wisdom_export(&text);
    if (status == WEFT_OK)
        weft_free(text);
    else
        CHECK(text == NULL || text == (char *)in, "a text with %s",
              weft_status_name(status));
    weft_wisdom_forget();
    return status;
}

static weft_status do_wise_plan(void)
{
    weft_problem p;
    weft_plan *plan = NULL;
    weft_problem_parse(now.problem, &p);
    weft_status status = weft_wisdom_import(wisdom);
    if (status == WEFT_OK)
        status = weft_plan_create(&p, NULL, &plan);
    weft_plan_release(plan);
    weft_wisdom_forget();
    return status;
}

/* ---- Failing ------------------------------------------------------------ */

/* `hint`: the result may differ (MEASURE times what it can, wisdom is a
 * hint). */
static void exhaust(const char *name, weft_status (*action)(void), bool hint,
                    int64_t most)
{
    static char want[4096], tree[4096];
    weft_status status = action();
    if (!CHECK(status == WEFT_OK, "%s %s: %s: %s", name, now.problem,
               weft_status_name(status), weft_error_text()))
        return;
    take_tree(want, sizeof want);
    for (int64_t k = 0; k < most; k++) {
        int64_t live = wf_alloc_live();
        wf_alloc_fail_after(k);
        status = action();
        int64_t asked = wf_alloc_fail_after(-1);
        take_tree(tree, sizeof tree);
        CHECK(wf_alloc_live() == live,
              "%s %s (rule %s): allocation %lld "
              "failed: %lld blocks leaked",
              name, now.problem, now.rule ? now.rule : "any", (long long)k,
              (long long)(wf_alloc_live() - live));
        if (asked <= k) {
            CHECK(status == WEFT_OK, "%s %s: without a failure: %s", name,
                  now.problem, weft_error_text());
            break;
        }
        CHECK(status == WEFT_ERR_NO_MEMORY || status == WEFT_OK,
              "%s %s (rule %s): allocation %lld of %lld failed: %s: %s", name,
              now.problem, now.rule ? now.rule : "any", (long long)k,
              (long long)asked, weft_status_name(status), weft_error_text());
        if (status == WEFT_OK && !hint)
            CHECK(!strcmp(tree, want),
                  "%s %s (rule %s): allocation %lld of "
                  "%lld failed: the plan became %s, not %s",
                  name, now.problem, now.rule ? now.rule : "any", (long long)k,
                  (long long)asked, tree, want);
        status = action();
        take_tree(tree, sizeof tree);
        CHECK(status == WEFT_OK,
              "%s %s: after allocation %lld had failed: "
              "%s",
              name, now.problem, (long long)k, weft_error_text());
    }
}

/* Executing allocates nothing. */
static void check_execute(void)
{
    weft_plan *plan;
    weft_problem p;
    if (create(&plan) != WEFT_OK)
        return;
    weft_problem_parse(now.problem, &p);
    bool in_place = p.place == WEFT_IN_PLACE;
    /* Element (0, .., 0), which negative strides put inside. */
    weft_extent extent;
    CHECK(weft_problem_extent(&p, &extent) == WEFT_OK, "%s: extent",
          now.problem);
    bool real = p.layout == WEFT_SPLIT || p.kind >= WEFT_R2HC;
    const int in_scalars = real || p.kind == WEFT_R2C ? 1 : 2;
    const int out_scalars = real || p.kind == WEFT_C2R ? 1 : 2;
    const int64_t reals = (int64_t)(sizeof in / (p.type == WEFT_F32 ? 4 : 8));
    CHECK((extent.in_high - extent.in_low + 1) * in_scalars <= reals &&
              (extent.out_high - extent.out_low + 1) * out_scalars <= reals,
          "%s: more than the arrays", now.problem);
    double *from = in - extent.in_low * in_scalars;
    double *to = in_place ? from : out - extent.out_low * out_scalars;
    wf_alloc_fail_after(-1);
    for (int i = 0; i < 2; i++) {
        weft_status status = p.layout == WEFT_SPLIT
                                 ? weft_execute_split(plan, from, from + N, to,
                                                      to + N)
                                 : weft_execute(plan, from, to);
        CHECK(status == WEFT_OK, "%s: execute: %s", now.problem,
              weft_error_text());
    }
    int64_t asked = wf_alloc_fail_after(-1);
    CHECK(asked == 0, "%s (rule %s): execute asked %lld times for memory",
          now.problem, now.rule ? now.rule : "any", (long long)asked);
    weft_plan_release(plan);
}

static void make_wisdom(void)
{
    weft_plan_options o = {.size = sizeof o,
                           .effort = WEFT_MEASURE,
                           .time_limit = 0.002};
    for (int64_t n = 100; n <= 104; n++) {
        weft_problem p = weft_problem_1d(WEFT_F64, n, WEFT_FORWARD);
        weft_plan *plan = NULL;
        weft_plan_create(&p, &o, &plan);
        weft_plan_release(plan);
    }
    weft_status status = weft_wisdom_export(&wisdom);
    CHECK(status == WEFT_OK, "export: %s", weft_error_text());
    weft_wisdom_forget();
}

int main(void)
{
    static const struct {
        const char *problem, *rule;
    } list[] = {
        {"c2c:f64:16", "leaf"},
        {"c2c:f64:1024", "stockham"},
        {"c2c:f32:1024", "radix2"},
        {"c2c:f64:1001", NULL},
        {"c2c:f64:4096", "twostep"},
        {"c2c:f64:4096", "decimated"},
        {"c2c:f64:904:threads=2", "decimated"},
        {"c2c:f64:4096", "fourstep"},
        {"c2c:f64:113/9/9*9/1/1", NULL},
        {"c2c:f32:67*100:threads=2", NULL},
        {"c2c:f32:107/16/16*16/1/1:norm=ortho", NULL},
        {"c2c:f32:4096", "sixstep"},
        {"c2c:f64:1001", "good"},
        {"c2c:f64:1009", "rader"},
        {"c2c:f32:1009", "bluestein"},
        {"c2c:f64:107:norm=ortho", "bluestein"},
        {"c2c:f64:1", NULL},
        {"c2c:f64:-*5", NULL},
        {"c2c:f32:-*9/20/1x20/1/9", NULL},
        {"c2c:f64:-*9/9/1x9/1/9x3/81/81:inplace", NULL},
        {"c2c:f64:20/20/1x20/1/20:inplace:norm=3", NULL},
        {"c2c:f64:8*0", NULL},
        {"c2c:f64:12x10x9:inplace", NULL},
        {"c2c:f32:60*20:split:threads=2", NULL},
        {"c2c:f64:12*8:split:norm=0.5", NULL},
        {"r2c:f64:8/4/1*3/32/5:threads=2", NULL},
        {"c2c:f32:16/64/1*64/1/16", NULL},
        {"c2c:f64:37/3/-2*5/120/-90:norm=ortho", NULL},
        {"c2c:f64:32/1/32x32/32/1:inplace", NULL},
        {"c2c:f64:2048:scrambled", NULL},
        {"c2c:f32:64:engine=neuron", NULL},
        {"c2c:f32:12x10*2:engine=neuron:norm=ortho", NULL},
        {"c2c:f32:64:engine=neuron", "radix8"},
        {"c2c:f32:131:engine=neuron:norm=ortho", "bluestein"},
        {"c2c:f32:134*2:engine=neuron", "sixstep"},
        {"r2c:f32:12x10:engine=neuron", NULL},
        {"c2c:f32:65*2:engine=neuron:precision=fp16x2", "leaf"},
        {"c2c:f64:60:engine=neuron:precision=slices2", NULL},
        {"c2c:f64:1031:engine=neuron:precision=slices2", NULL},
        {"c2c:f64:60*20:threads=2:precision=compensated", NULL},
        {"c2c:f64:31x4:inplace:norm=ortho:precision=compensated", NULL},
        {"c2c:f32:37/6/1x6/1/37:inplace:precision=double", NULL},
        {"c2c:f32:60*20:threads=2:target=1e-7", NULL},
        {"c2r:f32:9x12*2:inplace:precision=double", NULL},
        {"r2c:f64:32", NULL},
        {"c2r:f64:2:norm=ortho", NULL},
        {"r2c:f64:1000", "half"},
        {"c2r:f32:1000:inplace", "half"},
        {"c2r:f64:45*3", "full"},
        {"r2c:f64:45*3", "direct"},
        {"c2r:f64:945*2:inplace", "rpasses"},
        {"c2r:f32:111", "rsplit"},
        {"r2c:f64:2021:threads=2", "rdecimated"},
        {"c2r:f32:559:inplace", "rdecimated"},
        {"dht+hc2r+r2hc:f64:2x2x2*20", NULL},
        {"r2c:f32:1009:inplace", "rrader"},
        {"r2c:f32:12x10x9:inplace:threads=2", NULL},
        {"c2r:f64:12x10x9", NULL},
        {"c2r:f32:400x500:threads=2", NULL},
        {"r2c:f64:9/3/1*4/1/5:inplace", NULL},
        {"r2c:f64:16/400/400*390/1/1", NULL},
        {"r2c:f64:7/3/3*3/1/1", NULL},
        {"c2r:f32:6/50/50*20/1/1:threads=2", NULL},
        {"c2c:f64:2x3*40:threads=2", NULL},
        {"dht:f32:2x6:inplace", NULL},
        {"r2hc:f64:3*40", NULL},
        {"r2c:f64:10/1/300*300/10/1", NULL},  /* from rows to columns, */
        {"r2hc:f32:3/5/7*9/16/24", "dense"},  /* anywhere, */
        {"dht:f64:6/1/300*300/6/1", "dense"}, /* from rows to columns */
        {"c2r:f32:6*40:threads=2", NULL},
        {"hc2r:f64:12*100:norm=0.5", NULL},
        {"redft10:f64:1000", "halved"},
        {"rodft11:f32:999", "spectral"},
        {"redft00:f64:129", "folded"},
        {"rodft00:f64:36", "period"},
        {"redft00:f32:40:inplace:norm=ortho", "dense"},
        {"rodft10:f64:64:inplace:norm=ortho", NULL},
        {"redft01+dht:f32:30x21:norm=ortho:inplace", NULL},
        {"rodft01:f64:8*20:threads=2", "lanes"},
        {"rodft11:f32:60x40", NULL},
        {"c2c:f64:100*3", "matrix"},
        {"c2c:f32:60*20:threads=2:split:precision=refined", NULL},
        {"c2c:f64:1031:inplace:precision=slices3", NULL},
        {"r2c:f64:60*20:threads=2:precision=compensated", NULL},
        {"r2c:f64:9/3/1*4/1/5:inplace:precision=refined", NULL},
        {"redft10:f64:31*3:precision=slices3", NULL},
    };
    make_wisdom();
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        now.problem = list[i].problem;
        now.rule = list[i].rule;
        now.effort = WEFT_MODEL;
        exhaust("plan", do_plan, false, 4000);
        exhaust("texts", do_texts, false, 4000);
        exhaust("tree", do_tree, false, 4000);
        exhaust("print", do_print, false, 4000);
        check_execute();
    }
    exhaust("streamed", do_streamed, false, 4000);
    now.problem = "c2c:f64:360";
    now.rule = NULL;
    now.effort = WEFT_MEASURE;
    exhaust("measure", do_plan, true, 60);
    weft_wisdom_forget();
    now.problem = "c2c:f64:102";
    now.effort = WEFT_MODEL;
    exhaust("wise plan", do_wise_plan, true, 4000);
    exhaust("export", do_export, false, 4000);
    exhaust("weft_fft", do_fft, false, 4000);
    exhaust("weft_ifftn", do_fftn, false, 4000);
    exhaust("reference", do_reference, false, 4000);
    exhaust("info", do_info, false, 4000);
    weft_free(wisdom);
    weft_threads_shutdown();
    CHECK(wf_alloc_live() == 0, "%lld blocks live at the end",
          (long long)wf_alloc_live());
    return check_report("alloc_test");
}
