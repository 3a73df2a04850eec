/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned.c - the list of loaded code.
 *
 * A file brings one object, which is linked into the list where it lies: no
 * memory is needed, and readers walk the list without a lock, since objects
 * only come, at the head.  The list is the process's, as the code is; loading
 * is rare and holds a lock, so that no object comes twice.
 */
#include "cpu/tuned.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "kernel/isa.h"

static _Atomic(wf_tuned *) list;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t environment = PTHREAD_ONCE_INIT;
static char note[WF_ERROR_TEXT]; /* why WEFT_TUNED was not followed */

/* Levels below the one in use are there, beside NEON the scalar one. */
static bool runs_here(const char *isa)
{
    int level = wf_cpu_isa();
    for (int i = 0; i < WF_ISA_COUNT; i++)
        if (strcmp(isa, wf_isa_name((wf_isa)i)) == 0)
            return i == level || i == WF_ISA_SCALAR ||
                   (i < level && level != WF_ISA_NEON);
    return false;
}

static bool is_listed(const wf_tuned *one)
{
    const wf_tuned *t = atomic_load_explicit(&list, memory_order_acquire);
    while (t != NULL && t != one)
        t = t->next;
    return t != NULL;
}

static weft_status take(void *symbol, const char *file)
{
    wf_tuned *t = symbol;
    if (t->bytes != sizeof *t)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "%.300s: tuned code of another version of weft", file);
    if (strcmp(t->version, weft_version()) != 0)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "%.300s: tuned code of weft %.40s, this is %s", file,
                       t->version, weft_version());
    if (!runs_here(t->isa))
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "%.300s: tuned code for %.40s, in use is %s", file,
                       t->isa, wf_isa_name((wf_isa)wf_cpu_isa()));
    if (!is_listed(t)) {
        t->next = atomic_load_explicit(&list, memory_order_relaxed);
        atomic_store_explicit(&list, t, memory_order_release);
    }
    return WEFT_OK;
}

/* A child that was forked while another thread held the lock would wait for
 * it for ever. */
static void before_fork(void)
{
    pthread_mutex_lock(&loading);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&loading);
}

__attribute__((constructor)) static void prepare(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

weft_status wf_tuned_load(const char *path)
{
    pthread_mutex_lock(&loading);
    weft_status status = wf_module_load(path, TEXT(WF_TUNED_NAME), take);
    pthread_mutex_unlock(&loading);
    return status;
}

/* The planning that happens to ask first is not refused for this: its error
 * text stays as it is. */
static void read_environment(void)
{
    const char *path = wf_environment("WEFT_TUNED");
    char before[WF_ERROR_TEXT];
    if (path == NULL || *path == '\0')
        return;
    memcpy(before, wf_error_text(), sizeof before);
    if (wf_tuned_load(path) != WEFT_OK)
        snprintf(note, sizeof note, "WEFT_TUNED: %.490s", wf_error_text());
    wf_fail(WEFT_OK, "%s", before);
}

bool wf_tuned_any(void)
{
    pthread_once(&environment, read_environment);
    return atomic_load_explicit(&list, memory_order_relaxed) != NULL;
}

wf_tuned_run *wf_tuned_find(const char *key)
{
    const wf_tuned *t = atomic_load_explicit(&list, memory_order_acquire);
    while (t != NULL && strcmp(t->key, key) != 0)
        t = t->next;
    return t == NULL ? NULL : t->run;
}

void wf_tuned_report(wf_text *text)
{
    wf_tuned_any();
    if (note[0] != '\0')
        wf_text_add(text, "note: %s\n", note);
    const wf_tuned *t = atomic_load_explicit(&list, memory_order_acquire);
    for (; t != NULL; t = t->next)
        wf_text_add(text, "tuned: %s\n", t->name);
}
