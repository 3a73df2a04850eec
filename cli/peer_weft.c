/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another build of weft as a peer: what was changed beside what was there, on
 * the same arrays in the same process.  Problems and options carry their size
 * (weft.h), so an older or newer library either understands them or says that
 * it does not.
 */
#include <stdlib.h>

#include "peer.h"

typedef struct library_calls {
    weft_status (*create)(const weft_problem *, const weft_plan_options *,
                          weft_plan **);
    weft_status (*execute)(const weft_plan *, const void *, void *);
    weft_status (*execute_split)(const weft_plan *, const void *, const void *,
                                 void *, void *);
    weft_status (*text)(const weft_plan *, char *, size_t, size_t *);
    const char *(*error)(void);
    void (*release)(weft_plan *);
} library_calls;

typedef struct build_run {
    library_calls weft;
    weft_plan *plan;
    samples at;
} build_run;

static bool find_calls(void *library, library_calls *calls)
{
    return peer_find(library, "weft_plan_create", &calls->create) &&
           peer_find(library, "weft_execute", &calls->execute) &&
           peer_find(library, "weft_execute_split", &calls->execute_split) &&
           peer_find(library, "weft_plan_text", &calls->text) &&
           peer_find(library, "weft_error_text", &calls->error) &&
           peer_find(library, "weft_plan_release", &calls->release);
}

static void call_build(void *argument, int64_t calls)
{
    const build_run run = *(const build_run *)argument;
    for (int64_t i = 0; i < calls; i++)
        run.weft.execute(run.plan, run.at.in_re, run.at.out_re);
}

static void call_build_split(void *argument, int64_t calls)
{
    const build_run run = *(const build_run *)argument;
    for (int64_t i = 0; i < calls; i++)
        run.weft.execute_split(run.plan, run.at.in_re, run.at.in_im,
                               run.at.out_re, run.at.out_im);
}

static void call_build_in_turn(void *argument, int64_t calls)
{
    const build_run run = *(const build_run *)argument;
    for (int64_t i = 0; i < calls; i++) {
        void *array = samples_turn(run.at.in_re, run.at.apart, i);
        run.weft.execute(run.plan, array, array);
    }
}

static bool build_plan(const peer *self, const weft_problem *problem,
                       const samples *data, runner *run, reason *why)
{
    build_run *state = calloc(1, sizeof *state);
    if (!state) {
        because(why, "no memory");
        return false;
    }
    state->at = *data;
    /* Both were found when the library was opened. */
    find_calls(self->library[problem->type], &state->weft);
    if (state->weft.create(problem, self->how, &state->plan)) {
        because(why, "%s", state->weft.error());
        free(state);
        return false;
    }
    bool split = problem->layout == WEFT_SPLIT;
    *run = (runner){split             ? call_build_split
                    : data->apart > 0 ? call_build_in_turn
                                      : call_build,
                    state};
    return true;
}

static void build_tree(const runner *run, char *text, size_t size)
{
    const build_run *state = run->argument;
    state->weft.text(state->plan, text, size, NULL);
}

static void build_release(const peer *self, weft_type type, runner *run)
{
    (void)self;
    (void)type;
    build_run *state = run->argument;
    if (state)
        state->weft.release(state->plan);
    free(state);
    run->argument = NULL;
}

static bool add(peer_list *list, const peer_options *options, const char *path,
                reason *why)
{
    library_calls calls;
    const char *(*version)(void);
    void *library = peer_load(path, why);
    if (!library)
        return false;
    if (!find_calls(library, &calls) ||
        !peer_find(library, "weft_version", &version)) {
        because(why, "'%s' is no libweft of this interface", path);
        return false;
    }
    if (list->count == MAX_PEERS) {
        because(why, "more than %d peers", (int)MAX_PEERS);
        return false;
    }
    peer *self = &list->peers[list->count++];
    *self = (peer){.name = "build",
                   .plan = build_plan,
                   .tree = build_tree,
                   .release = build_release,
                   .how = options->how};
    self->library[0] = self->library[1] = library;
    peer_origin(library, "weft_plan_create", self->path[0],
                sizeof self->path[0]);
    copy_text(self->path[1], sizeof self->path[1], self->path[0]);
    snprintf(self->build, sizeof self->build, "%s %s", version(), path);
    return true;
}

void peers_add_weft(peer_list *list, const peer_options *options)
{
    reason why;
    for (int i = 0; i < options->weft_count; i++)
        if (!add(list, options, options->weft_path[i], &why))
            peers_note_absent(list, "build", true, why.text);
}
