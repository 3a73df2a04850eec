/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.c - a whole tree bound, its scratch, and its execution.
 *
 * Scratch up to STACK_SCRATCH bytes is the caller's stack.  Larger scratch
 * comes from the program's pool: one block is made at binding, so one
 * execution at a time allocates nothing; simultaneous ones add blocks when
 * first needed, and wait for a free one when there is no memory.
 */
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "cpu/copies.h"
#include "cpu/cpu.h"
#include "cpu/node.h"
#include "cpu/precise.h"
#include "cpu/stockham.h"
#include "plan/search.h"

enum {
    STACK_SCRATCH = 16 << 10,
    PLAIN_BYTES = 1 << 10, /* of packed samples that need no scratch */
    POOL = 64
};

typedef struct slot {
    atomic_bool busy;
    char *block;
} slot;

struct wf_program {
    wf_node *root;
    wf_problem problem;
    slot pool[POOL];
};

/* ---- A sequence of steps: the first reads the input, the rest the output. */

typedef struct sequence {
    wf_node node;
    size_t packed;    /* bytes of packed samples at the head of scratch */
    size_t packed_im; /* scalars from re to im in them */
    bool staged;      /* all children but the last write there */
    int last;         /* C2R: the child that leaves for the output */
} sequence;

/* The complex axes of C2R, then the real one. */
static void run_backward(const sequence *s, const wf_samples *at,
                         char *scratch)
{
    const wf_node *node = &s->node;
    wf_samples there = *at;
    if (s->staged) {
        there.out_re = scratch;
        there.out_im = wf_to(scratch, (ptrdiff_t)s->packed_im, node->bytes);
    }
    for (int i = 0; i < node->children; i++) {
        if (i == s->last) {
            there.out_re = at->out_re;
            there.out_im = at->out_im;
        }
        node->child[i]->run(node->child[i], &there, scratch + s->packed);
        there.in_re = there.out_re;
        there.in_im = there.out_im;
    }
}

static void run_sequence(const wf_node *node, const wf_samples *at,
                         char *scratch)
{
    const sequence *s = (const sequence *)node;
    const wf_samples *first = at;
    wf_samples pack;
    int i = 0;
    if (s->staged) {
        run_backward(s, at, scratch);
        return;
    }
    if (s->packed != 0) { /* child 0 packs the input */
        pack = (wf_samples){at->in_re, at->in_im, scratch, NULL};
        pack.out_im = wf_to(scratch, (ptrdiff_t)s->packed_im, node->bytes);
        node->child[i++]->run(node->child[0], &pack, scratch + s->packed);
        pack = (wf_samples){pack.out_re, pack.out_im, at->out_re, at->out_im};
        first = &pack;
    }
    /* The caller has just written `at`: read whole, it is waited for. */
    if (i < node->children)
        node->child[i]->run(node->child[i], first, scratch + s->packed);
    const wf_samples rest = {at->out_re, at->out_im, at->out_re, at->out_im};
    while (++i < node->children)
        node->child[i]->run(node->child[i], &rest, scratch + s->packed);
}

/* The same of children that need no more than two pointers. */
static void run_plain(const void *what, const void *in, void *out)
{
    const wf_node *node = what;
    wf_node_plain(node->child[0], in, out);
    for (int i = 1; i < node->children; i++)
        wf_node_plain(node->child[i], out, out);
}

static void run_plain_staged(const void *what, const void *in, void *out)
{
    const wf_node *node = what;
    _Alignas(64) char packed[PLAIN_BYTES];
    const int last = node->children - 1;
    wf_node_plain(node->child[0], in, packed);
    for (int i = 1; i < last; i++)
        wf_node_plain(node->child[i], packed, packed);
    wf_node_plain(node->child[last], packed, out);
}

/* Of split samples. */
static void run_plain_split(const void *what, const void *in_re,
                            const void *in_im, void *out_re, void *out_im)
{
    const wf_node *node = what;
    for (int i = 0; i < node->children; i++) {
        const wf_plain_split *child = &node->child[i]->plain_split;
        child->run(child->what, in_re, in_im, out_re, out_im);
        in_re = out_re;
        in_im = out_im;
    }
}

static void run_plain_split_staged(const void *what, const void *in_re,
                                   const void *in_im, void *out_re,
                                   void *out_im)
{
    const sequence *s = what;
    const wf_node *node = &s->node;
    _Alignas(64) char packed[PLAIN_BYTES];
    char *im = wf_to(packed, (ptrdiff_t)s->packed_im, node->bytes);
    const int last = node->children - 1;
    for (int i = 0; i <= last; i++) {
        const wf_plain_split *child = &node->child[i]->plain_split;
        const bool leaves = i == last;
        child->run(child->what, in_re, in_im, leaves ? out_re : packed,
                   leaves ? out_im : im);
        in_re = packed;
        in_im = im;
    }
}

static void set_plain(sequence *s, bool split, bool packs)
{
    wf_node *node = &s->node;
    bool plain = !packs && node->children > 1 &&
                 (!s->staged ||
                  (s->packed <= PLAIN_BYTES && s->last == node->children - 1));
    for (int i = 0; i < node->children; i++)
        plain = plain && (split ? node->child[i]->plain_split.run != NULL
                                : node->child[i]->plain.run != NULL);
    if (plain && split)
        node->plain_split = (wf_plain_split){
            s->staged ? run_plain_split_staged : run_plain_split, node};
    else if (plain)
        node->plain = (wf_plain){s->staged ? run_plain_staged : run_plain,
                                 node};
}

/* All loops and dims of a problem, of the lengths of one side. */
static int list_dims(const wf_problem *problem, wf_side side, weft_dim *dims)
{
    int count = 0;
    for (int i = 0; i < problem->loops; i++)
        dims[count++] = problem->loop[i];
    for (int i = 0; i < problem->rank; i++) {
        dims[count] = problem->dim[i];
        dims[count++].n = wf_dim_length(problem, i, side);
    }
    return count;
}

/* The same with both strides of that side. */
static int all_dims(const wf_problem *problem, wf_side side, weft_dim *dims)
{
    const int count = list_dims(problem, side, dims);
    for (int i = 0; i < count; i++)
        *(side == WF_OUTPUT ? &dims[i].is : &dims[i].os) = side == WF_OUTPUT
                                                               ? dims[i].os
                                                               : dims[i].is;
    return count;
}

static wf_form format_of(const wf_problem *problem, wf_side side)
{
    if (!wf_side_is_complex(problem->kind, side))
        return WF_REAL;
    return problem->split ? WF_SPLIT : WF_INTERLEAVED;
}

static weft_status bind_child(const wf_binder *binder, const wf_course *course,
                              const wf_step *step, bool first, double scale,
                              wf_node **node)
{
    weft_dim dims[2 * WEFT_MAX_RANK];
    const wf_problem *problem = &course->problem;
    if (step->kind == WF_STEP_SLICED) {
        wf_problem planes;
        if (!wf_planes_of(problem, &planes))
            return wf_fail(WEFT_ERR_ARGUMENT, "slices where no planes are");
        return wf_bind_sliced(binder, &planes, step, node);
    }
    if (step->kind == WF_STEP_ONCE)
        return wf_bind_once(binder, problem, node);
    if (step->kind == WF_STEP_WIDEN)
        return wf_bind_widen(binder, problem, step, node);
    if (step->kind == WF_STEP_WHOLE)
        return wf_bind_whole(binder, problem, step, node);
    if (step->kind == WF_STEP_PAIRS)
        return wf_bind_pairs(binder, problem, step, node);
    const wf_form form = format_of(problem, WF_OUTPUT);
    if (step->kind == WF_STEP_SCALE)
        return wf_bind_scale(binder, dims, all_dims(problem, WF_OUTPUT, dims),
                             form, problem->scale, node);
    if (step->kind == WF_STEP_COPY && problem->in_place)
        return wf_bind_exchange(binder, problem->loop, problem->loops, form,
                                node);
    if (step->kind == WF_STEP_COPY) /* rank 0: loops only */
        return wf_bind_copies(binder, problem->loop, problem->loops, form,
                              node);
    return wf_bind_axis(binder, course, step, first, scale, node);
}

/* The child that multiplies by the scale. */
static int scale_carrier(const wf_step *rank, bool split)
{
    for (int i = rank->children - 1; i >= 0; i--)
        if (wf_child_scales(rank, i, split))
            return i;
    return -1;
}

/* The last axis, or all that are left: before a scale step, if there is one. */
static int last_axis(const wf_step *rank)
{
    const int last = rank->children - 1;
    return last - (rank->child[last]->kind == WF_STEP_SCALE);
}

/* Room for the samples of the input, without gaps. */
static void reserve_packed(const wf_binder *binder, const wf_problem *problem,
                           sequence *s)
{
    size_t count = (size_t)wf_side_count(problem, WF_INPUT);
    s->packed = wf_round64(count * 2 * binder->bytes);
    s->packed_im = problem->split ? count : 1;
}

static weft_status bind_pack(const wf_binder *binder,
                             const wf_problem *problem, const wf_problem *view,
                             sequence *s)
{
    weft_dim dims[2 * WEFT_MAX_RANK], packed[2 * WEFT_MAX_RANK];
    int count = all_dims(problem, WF_INPUT, dims);
    all_dims(view, WF_INPUT, packed);
    for (int i = 0; i < count; i++)
        dims[i].os = packed[i].is;
    wf_node *node;
    weft_status status = wf_bind_copies(binder, dims, count,
                                        format_of(problem, WF_INPUT), &node);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(&s->node, node);
    reserve_packed(binder, problem, s);
    return WEFT_OK;
}

/* After all axes; what a rank 0 begins with is nothing then. */
static weft_status bind_exchange(const wf_binder *binder,
                                 const wf_problem *problem, sequence *s)
{
    weft_dim dims[2 * WEFT_MAX_RANK];
    const int count = list_dims(problem, WF_OUTPUT, dims);
    wf_node *node;
    weft_status status = wf_bind_exchange(binder, dims, count,
                                          format_of(problem, WF_OUTPUT),
                                          &node);
    if (status == WEFT_OK)
        wf_node_adopt(&s->node, node);
    return status;
}

weft_status wf_bind_sequence(const wf_binder *binder,
                             const wf_problem *problem, const wf_step *tree,
                             wf_node **node)
{
    if (tree->kind == WF_STEP_SLICED)
        return wf_bind_sliced(binder, problem, tree, node);
    wf_problem view = *problem;
    const wf_step *rank = tree;
    sequence *s = (sequence *)wf_node_new(binder, sizeof *s, run_sequence);
    weft_status status = WEFT_OK;
    *node = NULL;
    if (s == NULL)
        return wf_no_memory();
    const bool exchanges = tree->kind == WF_STEP_EXCHANGED;
    if (exchanges || tree->kind == WF_STEP_REPACK ||
        tree->kind == WF_STEP_STAGED)
        rank = tree->child[0];
    if (exchanges)
        wf_exchanged(problem, &view);
    if (tree->kind == WF_STEP_REPACK) {
        wf_repacked(problem, &view);
        status = bind_pack(binder, problem, &view, s);
    }
    /* A precise step is the whole problem, its scale included. */
    bool whole = rank->kind != WF_STEP_RANK;
    wf_course course;
    wf_course_of(&view, &course);
    course.staged = course.staged && !whole;
    s->staged = course.staged;
    s->last = whole ? 0 : last_axis(rank);
    int carrier = problem->scale == 1 ? -1
                                      : scale_carrier(rank, problem->split);
    if (course.staged && wf_is_overlaid(problem, rank)) {
        wf_node_free(&s->node);
        return wf_bind_overlaid(binder, problem, rank, carrier, node);
    }
    if (course.staged)
        reserve_packed(binder, problem, s);
    wf_binder here = *binder;
    for (int i = 0; status == WEFT_OK && i < (whole ? 1 : rank->children);
         i++, here.far = here.ahead = false) {
        wf_node *child;
        if (exchanges && rank->child[i]->kind == WF_STEP_COPY)
            continue;
        status = bind_child(&here, &course, whole ? rank : rank->child[i],
                            i == 0, i == carrier ? problem->scale : 1, &child);
        if (status == WEFT_OK)
            wf_node_adopt(&s->node, child);
    }
    if (status == WEFT_OK && exchanges)
        status = bind_exchange(binder, problem, s);
    if (status != WEFT_OK) {
        wf_node_free(&s->node);
        return status;
    }
    wf_node_grow_scratch(&s->node, s->packed);
    set_plain(s, problem->split, tree->kind == WF_STEP_REPACK);
    *node = &s->node;
    if (s->node.children == 1) { /* nothing to sequence */
        *node = s->node.child[0];
        s->node.children = 0;
        wf_node_free(&s->node);
    }
    return WEFT_OK;
}

/* What one thread does in half a microsecond to one, as long as it takes to wake
 * another and to hear from it (Zen 5; 1 to 2 where the cores share no cache). */
double wf_cpu_shared_from = 64 << 10;

weft_status wf_cpu_bind(const wf_problem *problem, const wf_step *tree,
                        wf_program **program)
{
    *program = NULL;
    wf_program *p = wf_calloc(1, sizeof *p);
    if (p == NULL)
        return wf_no_memory();
    bool f64 = problem->type == WEFT_F64;
    wf_binder binder = {.type = problem->type,
                        .real = f64 ? WF_F64 : WF_F32,
                        .bytes = f64 ? sizeof(double) : sizeof(float),
                        .inverse = problem->sign == WEFT_INVERSE,
                        .threads = problem->threads};
    if (wf_problem_bytes(problem) < wf_cpu_shared_from)
        binder.threads = 1;
    p->problem = *problem;
    weft_status status = wf_bind_sequence(&binder, problem, tree, &p->root);
    if (status == WEFT_OK && p->root->scratch > STACK_SCRATCH) {
        p->pool[0].block = wf_alloc(p->root->scratch);
        if (p->pool[0].block == NULL)
            status = wf_no_memory();
    }
    if (status != WEFT_OK) {
        wf_cpu_release(p);
        return status;
    }
    *program = p;
    return WEFT_OK;
}

void wf_cpu_release(wf_program *program)
{
    if (program == NULL)
        return;
    wf_node_free(program->root);
    for (int i = 0; i < POOL; i++)
        wf_free(program->pool[i].block);
    wf_free(program);
}

/* ---- Execution ----------------------------------------------------------- */

static slot *take_slot(wf_program *program)
{
    for (;;) {
        for (int i = 0; i < POOL; i++) {
            slot *s = &program->pool[i];
            if (atomic_exchange_explicit(&s->busy, true, memory_order_acquire))
                continue;
            if (s->block == NULL)
                s->block = wf_alloc(program->root->scratch);
            if (s->block != NULL)
                return s;
            atomic_store_explicit(&s->busy, false, memory_order_release);
        }
        sched_yield();
    }
}

static __attribute__((noinline)) void run_on_stack(const wf_program *program,
                                                   const wf_samples *at)
{
    _Alignas(64) char scratch[STACK_SCRATCH];
    program->root->run(program->root, at, scratch);
}

void wf_cpu_execute(const wf_program *program, const void *in_re,
                    const void *in_im, void *out_re, void *out_im)
{
    const wf_node *root = program->root;
    const bool split = program->problem.split; /* else im is the next scalar */
    const wf_samples at = {in_re, split ? in_im : wf_at(in_re, 1, root->bytes),
                           out_re,
                           split ? out_im : wf_to(out_re, 1, root->bytes)};
    if (root->scratch == 0) {
        char none; /* nodes add 0 to it, which NULL must not be asked */
        root->run(root, &at, &none);
    } else if (root->scratch <= STACK_SCRATCH) {
        run_on_stack(program, &at);
    } else {
        slot *s = take_slot((wf_program *)(uintptr_t)program);
        root->run(root, &at, s->block);
        atomic_store_explicit(&s->busy, false, memory_order_release);
    }
}

wf_leaf_call wf_cpu_leaf(const wf_program *program)
{
    const wf_leaf_call rows = wf_rows_leaf(program->root);
    return rows.run != NULL ? rows : wf_leaf_of(program->root);
}

wf_plain wf_cpu_plain(const wf_program *program)
{
    return program->root->plain;
}

wf_plain_split wf_cpu_plain_split(const wf_program *program)
{
    return program->root->plain_split;
}

size_t wf_cpu_table_bytes(const wf_program *program)
{
    return wf_node_table_bytes(program->root);
}

size_t wf_cpu_scratch_bytes(const wf_program *program)
{
    return program->root->scratch;
}

void wf_cpu_order(const wf_program *program, int64_t *order, int64_t n)
{
    int64_t n1 = program->problem.scrambled ? wf_scrambled_split(n) : 0;
    if (n1 == 0)
        n1 = 1; /* one row of n: the natural order */
    for (int64_t i = 0; i < n; i++)
        order[i] = i / (n / n1) + n1 * (i % (n / n1));
}

/* ---- Tuned code ---------------------------------------------------------- */

/* Steps that code can be compiled for, in the order of binding. */
typedef struct tunable {
    int count, tuned;
    int wanted; /* this one is `found` */
    const stockham *found;
    wf_text *text; /* a line for each that runs tuned code, or NULL */
} tunable;

static void find_tunable(const wf_node *node, tunable *t)
{
    const stockham *s = wf_stockham_of(node);
    for (int i = 0; i < node->children; i++)
        find_tunable(node->child[i], t);
    if (s == NULL)
        return;
    if (t->count++ == t->wanted)
        t->found = s;
    t->tuned += s->tuned != NULL;
    if (s->tuned != NULL && t->text != NULL) {
        wf_text_add(t->text, "tuned: ");
        wf_stockham_name(s, t->text);
        wf_text_add(t->text, "\n");
    }
}

void wf_cpu_explain(const wf_program *program, wf_text *text)
{
    tunable t = {.wanted = -1, .text = text};
    find_tunable(program->root, &t);
}

bool wf_cpu_figure(const wf_program *program, const char *name, double *value)
{
    tunable t = {.wanted = -1};
    find_tunable(program->root, &t);
    if (strcmp(name, "tuned_steps") == 0)
        *value = t.tuned;
    else if (strcmp(name, "tunable_steps") == 0)
        *value = t.count;
    else
        return false;
    return true;
}

weft_status wf_cpu_source(const wf_program *program, int part, wf_text *text)
{
    tunable t = {.wanted = part};
    find_tunable(program->root, &t);
    if (t.found == NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "part %d: this plan has %d steps that code can be "
                       "compiled for (stockham)",
                       part, t.count);
    wf_stockham_source(t.found, text);
    return WEFT_OK;
}
