/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing one problem in turn with others: see contest.h. */
#include "contest.h"

#include <string.h>

#include "exact.h"

bool contest_is_peer(const contest *self, int i)
{
    return i > 0 && i <= self->peers->count;
}

static int entry_index(const contest *c, int i)
{
    int counterpart = i - c->peers->count;
    return counterpart > 0 ? counterpart : 0;
}

const entry *contest_entry(const contest *self, int i)
{
    return &self->entries[entry_index(self, i)];
}

/* ---- What is called ------------------------------------------------------ */

static void call_weft(void *argument, int64_t calls)
{
    const entry *e = argument;
    const weft_plan *plan = e->plan;
    const samples at = e->data.at;
    for (int64_t i = 0; i < calls; i++)
        weft_execute(plan, at.in_re, at.out_re);
}

static void call_weft_split(void *argument, int64_t calls)
{
    const entry *e = argument;
    const weft_plan *plan = e->plan;
    const samples at = e->data.at;
    for (int64_t i = 0; i < calls; i++)
        weft_execute_split(plan, at.in_re, at.in_im, at.out_re, at.out_im);
}

static void call_weft_in_turn(void *argument, int64_t calls)
{
    const entry *e = argument;
    const weft_plan *plan = e->plan;
    const samples at = e->data.at;
    for (int64_t i = 0; i < calls; i++) {
        void *array = samples_turn(at.in_re, at.apart, i);
        weft_execute(plan, array, array);
    }
}

/* By the model thrice, for the time of one that finds its code in cache. */
static int plan_weft(entry *e, double *planning)
{
    weft_plan_options asked = entrant_plan(e->is);
    int times = asked.effort == WEFT_MODEL ? 3 : 1;
    for (int i = 0; i < times; i++) {
        weft_plan_release(e->plan);
        e->plan = NULL;
        double start = timing_now(CLOCK_WALL);
        if (weft_plan_create(&e->is->problem, &asked, &e->plan))
            return fail_library("cannot plan");
        double seconds = timing_now(CLOCK_WALL) - start;
        if (i == 0 || seconds < *planning)
            *planning = seconds;
    }
    return CODE_OK;
}

static int open_entry(entry *e, const entrant *is, contender *one,
                      double *planning)
{
    e->is = is;
    int code = field_open_at(&e->data, &is->problem, is->offset);
    if (!code)
        code = plan_weft(e, planning);
    if (!code)
        code = order_of(&is->problem, e->plan, &e->order);
    if (code)
        return code;
    bool split = is->problem.layout == WEFT_SPLIT;
    one->run = (runner){split                  ? call_weft_split
                        : e->data.at.apart > 0 ? call_weft_in_turn
                                               : call_weft,
                        e};
    e->input = packed_new(2 * e->data.count);
    if (!e->input)
        return CODE_LIBRARY;
    e->expected = e->input + 2 * e->data.count;
    /* Two results, each within some times the bar. */
    e->tolerance = 30 * problem_unit(&is->problem) +
                   10 * problem_bar_of(&is->problem, e->plan);
    return CODE_OK;
}

static void close_entry(entry *e)
{
    weft_free(e->input);
    weft_free(e->order);
    weft_plan_release(e->plan);
    field_close(&e->data);
}

/* ---- Checks -------------------------------------------------------------- */

static int run_once(entry *e, const weft_plan *plan, const double *input,
                    double *result)
{
    field_load(&e->data, input);
    if (field_execute(&e->data, plan))
        return fail_library("cannot execute");
    field_result(&e->data, result);
    return CODE_OK;
}

/* Compares what contender i left in its output with what it should. */
static bool compare(contest *c, int i)
{
    const entry *e = contest_entry(c, i);
    /* Other libraries neither scale nor scramble. */
    bool other = contest_is_peer(c, i) && !c->peers->peers[i - 1].tree;
    field_result(&e->data, c->got);
    for (int64_t k = 0; other && k < 2 * e->data.count; k++)
        c->got[k] *= c->scale;
    error_pair error = error_between(c->got, other ? c->natural : e->expected,
                                     NULL, e->data.count);
    if (error.l2 <= e->tolerance)
        return true;
    because(&c->failure[i],
            "its result differs from %s's by %.3g "
            "(relative L2; at most %.3g)",
            e->checked ? e->checked : "weft", error.l2, e->tolerance);
    return false;
}

static void zero(field *data)
{
    for (int part = 0; part < 2; part++)
        if (data->in[part])
            memset(data->in[part], 0, data->in_bytes);
}

/* After a round: the result of the timed calls themselves or, where they were
 * on zeros, that of one more call on fresh data. */
static bool check_round(void *context, int i)
{
    contest *c = context;
    entry *e = &c->entries[entry_index(c, i)];
    if (e->data.count == 0)
        return true;
    if (c->zeros) {
        field_load(&e->data, e->input);
        c->contenders[i].run.run(c->contenders[i].run.argument, 1);
    }
    bool good = compare(c, i);
    if (c->zeros)
        zero(&e->data);
    return good;
}

/* ---- What the problem and its peers should give -------------------------- */

/* Peers know natural order only: for a scrambled problem what they should give
 * comes from weft's plan of the same problem in natural order. */
static int expect(contest *c)
{
    entry *own = &c->entries[0];
    weft_problem natural = own->data.problem;
    weft_plan *plan;
    int code = run_once(own, own->plan, own->input, own->expected);
    if (code)
        return code;
    natural.order = WEFT_NATURAL;
    c->natural = own->expected;
    if (own->data.problem.order == WEFT_NATURAL)
        return CODE_OK;
    c->natural = packed_new(own->data.count);
    if (!c->natural)
        return CODE_LIBRARY;
    if (weft_plan_create(&natural, NULL, &plan))
        return fail_library("cannot plan natural order");
    code = run_once(own, plan, own->input, c->natural);
    weft_plan_release(plan);
    return code;
}

static int open_problem(contest *c, const entrant *is)
{
    entry *own = &c->entries[0];
    int code = open_entry(own, is, &c->contenders[0], &c->planning[0]);
    if (code)
        return code;
    int64_t count = own->data.count;
    c->got = packed_new(count);
    if (!c->got)
        return CODE_LIBRARY;
    double low;
    problem_scale(&is->problem, &c->scale, &low);
    fill_random(own->input, count, is->problem.type, 1);
    field_project(&own->data, own->input);
    return expect(c);
}

static void plan_peers(contest *c)
{
    entry *own = &c->entries[0];
    for (int i = 1; i <= c->peers->count; i++) {
        const peer *p = &c->peers->peers[i - 1];
        contender *one = &c->contenders[i];
        progress("%s plans", p->name);
        double start = timing_now(CLOCK_WALL);
        one->out = !p->plan(p, &own->data.problem, &own->data.at, &one->run,
                            &c->failure[i]);
        c->planning[i] = timing_now(CLOCK_WALL) - start;
        if (one->out || own->data.count == 0)
            continue;
        field_load(&own->data, own->input);
        one->run.run(one->run.argument, 1);
        one->out = !compare(c, i);
    }
}

/* ---- What counterparts should give --------------------------------------- */

/* Packed numbers of one side of a problem into natural order, or back. */
static int arrange(const entry *e, double *packed, bool input, bool natural)
{
    if (!e->order || input != (e->data.problem.sign == WEFT_INVERSE))
        return CODE_OK;
    int64_t n = e->data.problem.dims[0].n;
    double *space = packed_new(n);
    if (!space)
        return CODE_LIBRARY;
    order_apply(packed, e->data.count, n, e->order, natural, space);
    weft_free(space);
    return CODE_OK;
}

/* Is it the same map of packed numbers (field.h)?  Shapes are the same. */
static bool same_transform(const weft_problem *a, const weft_problem *b)
{
    if (a->sign != b->sign || a->norm != b->norm || a->scale != b->scale)
        return false;
    if (!problem_is_r2r(a) && !problem_is_r2r(b))
        return true;
    bool same = problem_is_r2r(a) && problem_is_r2r(b);
    for (int d = 0; d < a->rank; d++)
        same = same && problem_kind(a, d) == problem_kind(b, d);
    return same;
}

/* The problem's own result for the counterpart's input. */
static int expect_same(contest *c, entry *e)
{
    entry *own = &c->entries[0];
    memcpy(c->got, e->input, (size_t)e->data.count * 2 * sizeof *c->got);
    e->checked = "the problem";
    e->tolerance += own->tolerance;
    int code = arrange(own, c->got, true, false);
    if (!code)
        code = run_once(own, own->plan, c->got, e->expected);
    return code ? code : arrange(own, e->expected, false, true);
}

static int expect_compensated(entry *e)
{
    weft_problem exact = e->data.problem;
    exact.order = WEFT_NATURAL;
    exact.place = WEFT_OUT_OF_PLACE;
    exact.engine = WEFT_ENGINE_AUTO;
    exact.precision = WEFT_PRECISION_COMPENSATED;
    exact.slices = 0;
    exact.target_error = 0;
    entry other = {.is = e->is};
    e->checked = "a compensated plan";
    int code = field_open(&other.data, &exact);
    if (!code && weft_plan_create(&exact, NULL, &other.plan))
        code = fail_library("a plan to check by");
    if (!code)
        code = run_once(&other, other.plan, e->input, e->expected);
    close_entry(&other);
    return code;
}

static int expect_other(contest *c, entry *e)
{
    const double most = 1e7; /* products: half a second */
    if (exact_cost(&e->data.problem) > most)
        return expect_compensated(e);
    e->checked = "the reference";
    return exact_transform(&e->data.problem, NULL, e->input, e->expected,
                           c->got);
}

static int expect_counterpart(contest *c, entry *e)
{
    const entry *own = &c->entries[0];
    const weft_problem *problem = &e->data.problem;
    bool same = same_transform(problem, &own->data.problem);
    bool f32 = problem->type == WEFT_F32 || own->data.problem.type == WEFT_F32;
    fill_random(e->input, e->data.count, f32 ? WEFT_F32 : WEFT_F64, 2);
    if (same)
        field_project(&own->data, e->input);
    field_project(&e->data, e->input);
    int code = same ? expect_same(c, e) : expect_other(c, e);
    if (!code)
        code = arrange(e, e->input, true, false);
    return code ? code : arrange(e, e->expected, false, false);
}

static void open_counterpart(contest *c, int i, const entrant *is)
{
    entry *e = &c->entries[entry_index(c, i)];
    contender *one = &c->contenders[i];
    progress("%s plans", is->text);
    int code = open_entry(e, is, one, &c->planning[i]);
    if (!code)
        code = field_checkable(&e->data, is->text);
    if (!code && e->data.count > 0) {
        code = expect_counterpart(c, e);
        if (!code)
            code = run_once(e, e->plan, e->input, c->got);
        if (!code)
            one->out = !compare(c, i);
    }
    if (!code)
        return;
    one->out = true;
    because(&c->failure[i], "%s", fail_text());
}

/* ---- The contest --------------------------------------------------------- */

int contest_open(contest *self, const entrant *entrants, int count,
                 const peer_list *peers)
{
    *self = (contest){.peers = peers, .count = 1};
    int code = open_problem(self, &entrants[0]);
    if (code)
        return code;
    self->count = peers->count + count;
    plan_peers(self);
    for (int i = 1; i < count; i++)
        open_counterpart(self, peers->count + i, &entrants[i]);
    self->zeros = entrants[0].problem.kind == WEFT_C2R;
    for (int i = 0; i < count; i++)
        if (entrants[i].problem.place == WEFT_IN_PLACE)
            self->zeros = true;
    return CODE_OK;
}

int contest_run(contest *self, const timing_plan *timing)
{
    timing_plan mine = *timing;
    mine.check = check_round;
    mine.context = self;
    for (int i = 0; i < self->count; i++) {
        entry *e = &self->entries[entry_index(self, i)];
        if (contest_is_peer(self, i) || self->contenders[i].out)
            continue;
        if (self->zeros)
            zero(&e->data);
        else if (e->data.count > 0)
            field_load(&e->data, e->input);
    }
    return timing_run(self->contenders, self->count, &mine);
}

void contest_close(contest *self)
{
    for (int i = 1; i < self->count; i++)
        if (contest_is_peer(self, i))
            self->peers->peers[i - 1].release(
                &self->peers->peers[i - 1], self->entries[0].data.problem.type,
                &self->contenders[i].run);
    if (self->natural != self->entries[0].expected)
        weft_free(self->natural);
    for (int i = 0; i <= MAX_AGAINST; i++)
        close_entry(&self->entries[i]);
    weft_free(self->got);
}
