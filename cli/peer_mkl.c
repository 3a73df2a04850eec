/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Intel MKL as a peer, through the DFTI functions of libmkl_rt.  The numbers
 * below are the public ABI of DFTI (enumerations of its reference manual);
 * MKL's integers are `long` here.  DFTI takes up to seven dimensions and one
 * batch dimension, in place with equal strides only.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

enum {
    DFTI_COMPLEX = 32,
    DFTI_REAL = 33,
    DFTI_SINGLE = 35,
    DFTI_DOUBLE = 36,
    DFTI_NUMBER_OF_TRANSFORMS = 7,
    DFTI_COMPLEX_STORAGE = 8,
    DFTI_CONJUGATE_EVEN_STORAGE = 10,
    DFTI_PLACEMENT = 11,
    DFTI_INPUT_STRIDES = 12,
    DFTI_OUTPUT_STRIDES = 13,
    DFTI_INPUT_DISTANCE = 14,
    DFTI_OUTPUT_DISTANCE = 15,
    DFTI_THREAD_LIMIT = 27,
    DFTI_COMPLEX_COMPLEX = 39,
    DFTI_REAL_REAL = 42,
    DFTI_INPLACE = 43,
    DFTI_NOT_INPLACE = 44,
    DFTI_MAX_RANK = 7
};

typedef long create_descriptor(void **handle, int precision, int domain,
                               long rank, ...);
typedef long set_value(void *handle, int parameter, ...);
typedef long commit_descriptor(void *handle);
typedef long free_descriptor(void **handle);
typedef long compute(void *handle, void *first, ...);
typedef char *error_message(long status);

typedef struct mkl_run {
    void *handle;
    compute *compute;
    samples data;
} mkl_run;

static void call_interleaved(void *argument, int64_t calls)
{
    const mkl_run *run = argument;
    compute *call = run->compute;
    void *handle = run->handle;
    const samples at = run->data;
    for (int64_t i = 0; i < calls; i++)
        call(handle, at.in_re, at.out_re);
}

static void call_in_place(void *argument, int64_t calls)
{
    const mkl_run *run = argument;
    compute *call = run->compute;
    void *handle = run->handle;
    const samples at = run->data;
    for (int64_t i = 0; i < calls; i++)
        call(handle, samples_turn(at.in_re, at.apart, i));
}

static void call_split(void *argument, int64_t calls)
{
    const mkl_run *run = argument;
    compute *call = run->compute;
    void *handle = run->handle;
    const samples at = run->data;
    for (int64_t i = 0; i < calls; i++)
        call(handle, at.in_re, at.in_im, at.out_re, at.out_im);
}

static void call_split_in_place(void *argument, int64_t calls)
{
    const mkl_run *run = argument;
    compute *call = run->compute;
    void *handle = run->handle;
    const samples at = run->data;
    for (int64_t i = 0; i < calls; i++)
        call(handle, at.in_re, at.in_im);
}

static bool supported(const weft_problem *problem, reason *why)
{
    if (problem->rank < 1 || problem->rank > DFTI_MAX_RANK ||
        problem->batch_rank > 1) {
        because(why, "MKL takes 1 to 7 dimensions and one of the batch");
        return false;
    }
    if (problem->kind > WEFT_C2R) {
        because(why, "MKL's interface has no transforms of these kinds");
        return false;
    }
    if (problem->kind != WEFT_C2C && problem->layout == WEFT_SPLIT) {
        because(why, "MKL has no split r2c and c2r of these layouts");
        return false;
    }
    return true;
}

static long create(void *library, const weft_problem *problem, void **handle)
{
    create_descriptor *make;
    long lengths[DFTI_MAX_RANK];
    if (!peer_find(library, "DftiCreateDescriptor", &make))
        return -1;
    for (int d = 0; d < problem->rank; d++)
        lengths[d] = (long)problem->dims[d].n;
    int precision = problem->type == WEFT_F32 ? DFTI_SINGLE : DFTI_DOUBLE;
    int domain = problem->kind == WEFT_C2C ? DFTI_COMPLEX : DFTI_REAL;
    return problem->rank == 1
               ? make(handle, precision, domain, 1L, lengths[0])
               : make(handle, precision, domain, (long)problem->rank, lengths);
}

/* Strides, batch, place, storage; then commits. */
static long configure(void *library, const weft_problem *problem, void *handle)
{
    set_value *set;
    commit_descriptor *commit;
    if (!peer_find(library, "DftiSetValue", &set) ||
        !peer_find(library, "DftiCommitDescriptor", &commit))
        return -1;
    long in[DFTI_MAX_RANK + 1] = {0}, out[DFTI_MAX_RANK + 1] = {0};
    for (int d = 0; d < problem->rank; d++) {
        in[d + 1] = (long)problem->dims[d].is;
        out[d + 1] = (long)problem->dims[d].os;
    }
    bool in_place = problem->place == WEFT_IN_PLACE;
    long bad = set(handle, DFTI_PLACEMENT,
                   in_place ? DFTI_INPLACE : DFTI_NOT_INPLACE);
    bad = bad ? bad : set(handle, DFTI_INPUT_STRIDES, in);
    bad = bad ? bad : set(handle, DFTI_OUTPUT_STRIDES, out);
    if (problem->kind != WEFT_C2C)
        bad = bad ? bad
                  : set(handle, DFTI_CONJUGATE_EVEN_STORAGE,
                        DFTI_COMPLEX_COMPLEX);
    if (problem->layout == WEFT_SPLIT)
        bad = bad ? bad : set(handle, DFTI_COMPLEX_STORAGE, DFTI_REAL_REAL);
    if (problem->batch_rank == 1) {
        const weft_dim *batch = &problem->batch[0];
        bad = bad ? bad
                  : set(handle, DFTI_NUMBER_OF_TRANSFORMS, (long)batch->n);
        bad = bad ? bad : set(handle, DFTI_INPUT_DISTANCE, (long)batch->is);
        bad = bad ? bad : set(handle, DFTI_OUTPUT_DISTANCE, (long)batch->os);
    }
    long threads = problem->threads < 1 ? 1 : problem->threads;
    bad = bad ? bad : set(handle, DFTI_THREAD_LIMIT, threads);
    return bad ? bad : commit(handle);
}

static void mkl_release(const peer *self, weft_type type, runner *run)
{
    (void)type;
    mkl_run *state = run->argument;
    free_descriptor *release;
    if (state && state->handle &&
        peer_find(self->library[0], "DftiFreeDescriptor", &release))
        release(&state->handle);
    free(state);
    run->argument = NULL;
}

static bool mkl_plan(const peer *self, const weft_problem *problem,
                     const samples *data, runner *run, reason *why)
{
    void *library = self->library[0];
    if (!supported(problem, why))
        return false;
    mkl_run *state = calloc(1, sizeof *state);
    *run = (runner){NULL, state};
    if (!state) {
        because(why, "no memory");
        return false;
    }
    state->data = *data;
    bool inverse = problem->sign == WEFT_INVERSE;
    long status = create(library, problem, &state->handle);
    if (!status)
        status = configure(library, problem, state->handle);
    if (status ||
        !peer_find(library,
                   inverse ? "DftiComputeBackward" : "DftiComputeForward",
                   &state->compute)) {
        error_message *message;
        bool told = status > 0 &&
                    peer_find(library, "DftiErrorMessage", &message);
        because(why, "MKL refuses: %s", told ? message(status) : "no DFTI");
        mkl_release(self, problem->type, run);
        return false;
    }
    bool in_place = problem->place == WEFT_IN_PLACE;
    if (problem->layout == WEFT_SPLIT)
        run->run = in_place ? call_split_in_place : call_split;
    else
        run->run = in_place ? call_in_place : call_interleaved;
    return true;
}

/* ---- Finding it --------------------------------------------------------- */

static void *try_folder(const char *folder, reason *why)
{
    char pattern[600];
    snprintf(pattern, sizeof pattern, "%s/libmkl_rt.so*", folder);
    glob_t found;
    void *library = NULL;
    if (glob(pattern, 0, NULL, &found))
        return NULL;
    for (size_t i = 0; i < found.gl_pathc && !library; i++)
        library = peer_load(found.gl_pathv[i], why);
    globfree(&found);
    return library;
}

/* A Python package leaves MKL in PREFIX/lib, PREFIX/bin being on PATH. */
static void *try_python(reason *why)
{
    const char *path = getenv("PATH");
    void *library = NULL;
    while (path && *path && !library) {
        size_t length = strcspn(path, ":");
        char folder[500];
        snprintf(folder, sizeof folder, "%.*s/../lib", (int)length, path);
        library = try_folder(folder, why);
        path += length + (path[length] == ':');
    }
    return library;
}

static void *search(reason *why)
{
    static const char *const names[] = {"libmkl_rt.so.3", "libmkl_rt.so.2",
                                        "libmkl_rt.so.1", "libmkl_rt.so"};
    static const char *const folders[] = {
        "/opt/intel/oneapi/mkl/latest/lib",
        "/opt/intel/oneapi/mkl/latest/lib/intel64",
        "/opt/intel/mkl/lib/intel64", "/usr/local/lib"};
    static const char *const roots[] = {"MKLROOT", "VIRTUAL_ENV",
                                        "CONDA_PREFIX", "HOME"};
    static const char *const below[] = {"lib", "lib/intel64", "lib",
                                        ".local/lib"};
    void *library = NULL;
    for (int i = 0; i < 4 && !library; i++) {
        const char *root = getenv(roots[i]);
        char folder[500];
        snprintf(folder, sizeof folder, "%s/%s", root ? root : "", below[i]);
        library = root ? try_folder(folder, why) : NULL;
    }
    for (int i = 0; i < 4 && !library; i++)
        library = try_folder(folders[i], why);
    library = library ? library : try_python(why);
    for (int i = 0; i < 4 && !library; i++)
        library = peer_load(names[i], why);
    return library;
}

void peers_add_mkl(peer_list *list, const peer_options *options)
{
    if (list->count == MAX_PEERS)
        return;
    reason why = {"not found"};
    /* One thread: without MKL's thread library, and none starts behind our
     * back.  The choice must stand before MKL is first called. */
    setenv("MKL_THREADING_LAYER", options->threads > 1 ? "GNU" : "SEQUENTIAL",
           0);
    void *library = options->mkl_path ? peer_load(options->mkl_path, &why)
                                      : search(&why);
    void *slot;
    if (library && !peer_find(library, "DftiCreateDescriptor", &slot)) {
        because(&why, "the library found has no DFTI");
        library = NULL;
    }
    if (!library) {
        peers_note_absent(list, "mkl", options->mkl_path != NULL, why.text);
        return;
    }
    peer *self = &list->peers[list->count++];
    *self = (peer){.name = "mkl", .plan = mkl_plan, .release = mkl_release};
    self->library[0] = self->library[1] = library;
    peer_origin(library, "DftiCreateDescriptor", self->path[0],
                sizeof self->path[0]);
    copy_text(self->path[1], sizeof self->path[1], self->path[0]);
    void (*version)(char *, int);
    if (peer_find(library, "MKL_Get_Version_String", &version))
        version(self->build, (int)sizeof self->build - 1);
    /* "Intel(R) oneAPI ... Product Build 20260915 for Intel(R) 64 ..." */
    char *target = strstr(self->build, " for ");
    if (target)
        *target = 0;
}
