/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FFTW 3 as a peer, through the guru64 interface of its public manual, which
 * takes a weft problem as it is: dimensions and batch with strides, split or
 * interleaved.  The few declarations below are the ABI that manual states.
 */
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "problems.h"

typedef struct iodim {
    ptrdiff_t n, is, os;
} iodim;

typedef void *plan_dft(int rank, const iodim *dims, int batch_rank,
                       const iodim *batch, void *in, void *out, int sign,
                       unsigned flags);
/* r2c and c2r; split has one array less than c2c. */
typedef void *plan_real(int rank, const iodim *dims, int batch_rank,
                        const iodim *batch, void *in, void *out,
                        unsigned flags);
typedef void *plan_split_real(int rank, const iodim *dims, int batch_rank,
                              const iodim *batch, void *first, void *second,
                              void *third, unsigned flags);
/* The kinds have the manual's numbers, which begin with R2HC at 0. */
typedef void *plan_r2r(int rank, const iodim *dims, int batch_rank,
                       const iodim *batch, void *in, void *out,
                       const int *kinds, unsigned flags);
typedef void *plan_split(int rank, const iodim *dims, int batch_rank,
                         const iodim *batch, void *in_re, void *in_im,
                         void *out_re, void *out_im, unsigned flags);
typedef void call_plan(void *plan);
typedef void call_plan_on(void *plan, void *in, void *out);

enum { FFTW_ESTIMATE = 64, FFTW_MEASURE = 0, FFTW_PATIENT = 32 };

typedef struct fftw_run {
    call_plan *execute;
    call_plan_on *execute_on;
    void *plan;
    samples data;
} fftw_run;

static void call_fftw(void *argument, int64_t calls)
{
    const fftw_run *run = argument;
    call_plan *execute = run->execute;
    void *plan = run->plan;
    for (int64_t i = 0; i < calls; i++)
        execute(plan);
}

static void call_fftw_in_turn(void *argument, int64_t calls)
{
    const fftw_run *run = argument;
    call_plan_on *execute = run->execute_on;
    void *plan = run->plan;
    const samples at = run->data;
    for (int64_t i = 0; i < calls; i++) {
        void *array = samples_turn(at.in_re, at.apart, i);
        execute(plan, array, array);
    }
}

/* "fftw_" or "fftwf_" and the name. */
static bool find(void *library, weft_type type, const char *name, void *slot)
{
    char full[64];
    snprintf(full, sizeof full, "fftw%s_%s", type == WEFT_F32 ? "f" : "",
             name);
    return peer_find(library, full, slot);
}

/* What calls a plan of such problems on other arrays. */
static const char *new_array_call(const weft_problem *problem)
{
    switch (problem->kind) {
    case WEFT_C2C: return "execute_dft";
    case WEFT_R2C: return "execute_dft_r2c";
    case WEFT_C2R: return "execute_dft_c2r";
    default: return "execute_r2r";
    }
}

static bool use_threads(const peer *self, weft_type type, int threads)
{
    int (*start)(void);
    void (*set)(int);
    void *library = self->library[type];
    if (!find(library, type, "init_threads", &start) ||
        !find(library, type, "plan_with_nthreads", &set))
        return threads <= 1;
    if (!start())
        return false;
    set(threads < 1 ? 1 : threads);
    return true;
}

static void copy_dims(iodim *to, const weft_dim *from, int count)
{
    for (int d = 0; d < count; d++)
        to[d] = (iodim){(ptrdiff_t)from[d].n, (ptrdiff_t)from[d].is,
                        (ptrdiff_t)from[d].os};
}

static void *make_real_plan(void *library, const weft_problem *problem,
                            const iodim *dims, const iodim *batch,
                            const samples *s, unsigned flags)
{
    bool forward = problem->kind == WEFT_R2C;
    if (problem->layout == WEFT_SPLIT) {
        plan_split_real *plan;
        if (!find(library, problem->type,
                  forward ? "plan_guru64_split_dft_r2c"
                          : "plan_guru64_split_dft_c2r",
                  &plan))
            return NULL;
        return forward ? plan(problem->rank, dims, problem->batch_rank, batch,
                              s->in_re, s->out_re, s->out_im, flags)
                       : plan(problem->rank, dims, problem->batch_rank, batch,
                              s->in_re, s->in_im, s->out_re, flags);
    }
    plan_real *plan;
    if (!find(library, problem->type,
              forward ? "plan_guru64_dft_r2c" : "plan_guru64_dft_c2r", &plan))
        return NULL;
    return plan(problem->rank, dims, problem->batch_rank, batch, s->in_re,
                s->out_re, flags);
}

static void *make_r2r_plan(void *library, const weft_problem *problem,
                           const iodim *dims, const iodim *batch,
                           const samples *s, unsigned flags)
{
    int kinds[WEFT_MAX_RANK];
    plan_r2r *plan;
    for (int d = 0; d < problem->rank; d++)
        kinds[d] = (int)(problem_kind(problem, d) - WEFT_R2HC);
    if (!find(library, problem->type, "plan_guru64_r2r", &plan))
        return NULL;
    return plan(problem->rank, dims, problem->batch_rank, batch, s->in_re,
                s->out_re, kinds, flags);
}

static void *make_plan(void *library, const weft_problem *problem,
                       const samples *s, unsigned flags)
{
    iodim dims[WEFT_MAX_RANK], batch[WEFT_MAX_RANK];
    copy_dims(dims, problem->dims, problem->rank);
    copy_dims(batch, problem->batch, problem->batch_rank);
    bool inverse = problem->sign == WEFT_INVERSE;
    if (problem_is_r2r(problem))
        return make_r2r_plan(library, problem, dims, batch, s, flags);
    if (problem->kind != WEFT_C2C)
        return make_real_plan(library, problem, dims, batch, s, flags);
    if (problem->layout == WEFT_SPLIT) {
        plan_split *plan;
        if (!find(library, problem->type, "plan_guru64_split_dft", &plan))
            return NULL;
        /* The inverse is the forward with re and im exchanged. */
        return inverse ? plan(problem->rank, dims, problem->batch_rank, batch,
                              s->in_im, s->in_re, s->out_im, s->out_re, flags)
                       : plan(problem->rank, dims, problem->batch_rank, batch,
                              s->in_re, s->in_im, s->out_re, s->out_im, flags);
    }
    plan_dft *plan;
    if (!find(library, problem->type, "plan_guru64_dft", &plan))
        return NULL;
    return plan(problem->rank, dims, problem->batch_rank, batch, s->in_re,
                s->out_re, inverse ? 1 : -1, flags);
}

static bool fftw_plan(const peer *self, const weft_problem *problem,
                      const samples *data, runner *run, reason *why)
{
    static const unsigned flags[] = {FFTW_ESTIMATE, FFTW_MEASURE,
                                     FFTW_PATIENT};
    void *library = self->library[problem->type];
    if (!library) {
        because(why, "no %s library of this build was found",
                problem->type == WEFT_F32 ? "f32" : "f64");
        return false;
    }
    if (!use_threads(self, problem->type, problem->threads)) {
        because(why, "this FFTW was built without threads");
        return false;
    }
    void (*limit)(double);
    if (find(library, problem->type, "set_timelimit", &limit))
        limit(self->time_limit);
    fftw_run *state = calloc(1, sizeof *state);
    if (state && find(library, problem->type, "execute", &state->execute) &&
        find(library, problem->type, new_array_call(problem),
             &state->execute_on))
        state->plan = make_plan(library, problem, data, flags[self->effort]);
    if (!state || !state->plan) {
        because(why, "FFTW has no plan for this problem");
        free(state);
        return false;
    }
    state->data = *data;
    *run = (runner){data->apart > 0 ? call_fftw_in_turn : call_fftw, state};
    return true;
}

static void fftw_release(const peer *self, weft_type type, runner *run)
{
    fftw_run *state = run->argument;
    call_plan *destroy;
    if (state && find(self->library[type], type, "destroy_plan", &destroy))
        destroy(state->plan);
    free(state);
    run->argument = NULL;
}

/* Adds one library to the list: to the peer of the same folder that still
 * lacks this type, or as a new peer. */
static bool add(peer_list *list, const peer_options *options, const char *path,
                reason *why)
{
    void *library = peer_load(path, why);
    if (!library)
        return false;
    void *slot;
    const char *version;
    weft_type type = WEFT_F64;
    if (!peer_find(library, "fftw_execute", &slot)) {
        type = WEFT_F32;
        if (!peer_find(library, "fftwf_execute", &slot)) {
            because(why, "'%s' is not an FFTW of f64 or f32", path);
            return false;
        }
    }
    char origin[400];
    peer_origin(library, type == WEFT_F64 ? "fftw_execute" : "fftwf_execute",
                origin, sizeof origin);
    const char *slash = strrchr(origin, '/');
    size_t folder = slash ? (size_t)(slash - origin) + 1 : 0;
    peer *self = NULL;
    for (int i = 0; i < list->count && !self; i++)
        if (!list->peers[i].library[type] &&
            !strncmp(list->peers[i].path[!type], origin, folder))
            self = &list->peers[i];
    if (!self && list->count == MAX_PEERS) {
        because(why, "more than %d peers", (int)MAX_PEERS);
        return false;
    }
    if (!self) {
        self = &list->peers[list->count++];
        *self = (peer){.name = "fftw",
                       .plan = fftw_plan,
                       .release = fftw_release,
                       .effort = options->effort,
                       .time_limit = options->time_limit};
    }
    self->library[type] = library;
    copy_text(self->path[type], sizeof self->path[type], origin);
    if (find(library, type, "version", &version))
        copy_text(self->build, sizeof self->build, version);
    return true;
}

/* The system's library, loaded through its threads companion when threads
 * are wanted (the companion finds the library itself). */
static bool add_system(peer_list *list, const peer_options *options,
                       const char *suffix, reason *why)
{
    char name[64];
    if (options->threads > 1) {
        snprintf(name, sizeof name, "libfftw3%s_threads.so.3", suffix);
        if (add(list, options, name, why))
            return true;
    }
    snprintf(name, sizeof name, "libfftw3%s.so.3", suffix);
    return add(list, options, name, why);
}

void peers_add_fftw(peer_list *list, const peer_options *options)
{
    reason why;
    if (!add_system(list, options, "", &why))
        peers_note_absent(list, "fftw", false, why.text);
    if (!add_system(list, options, "f", &why))
        peers_note_absent(list, "fftw", false, why.text);
    for (int i = 0; i < options->fftw_count; i++)
        if (!add(list, options, options->fftw_path[i], &why))
            peers_note_absent(list, "fftw", true, why.text);
}
