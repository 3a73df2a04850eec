/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wisdom.c - a list of findings, oldest first, behind one lock.
 *
 *     weft-wisdom 1
 *     avx2 | c2c:f64:1024/1/1 | 812.5 | 1 | (rows 0 (stockham 1024 w4 16+8.8))
 *     checksum 0123456789abcdef
 *
 * The checksum is the 64-bit FNV-1a of all bytes before its line: it guards
 * against damage, not against malice.  Malice meets the rest: every line is
 * verified before the store is touched, and a tree is only a proposal, which
 * planning checks against the problem and the engine checks against its
 * kernels before it runs.
 *
 * Reason for the mutable static: wisdom belongs to the process, as weft.h
 * promises, and has no context to live in.  Only `store` below, always under
 * `lock`; memory is taken before the lock's owner changes anything, so an
 * allocation that fails leaves the store as it was.
 */
#include "plan/wisdom.h"
#include "plan/notation.h"
#include "plan/problem.h"
#include "plan/step.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

static const char header[] = "weft-wisdom 1\n";

/* One block: the struct, then the three texts it points to. */
typedef struct entry {
    wf_finding finding;
    uint64_t hash; /* of isa and key */
} entry;

/* The slot that recall scans: hashes first, texts only when they match. */
typedef struct list {
    entry **item;
    size_t count, capacity;
} list;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static list store;

#define FNV_START UINT64_C(14695981039346656037)

static uint64_t fnv(uint64_t hash, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return hash;
}

/* The NUL of isa is hashed too, so that the pair is what is told apart. */
static uint64_t hash_of(const char *isa, const char *key)
{
    return fnv(fnv(FNV_START, isa, strlen(isa) + 1), key, strlen(key));
}

/* ---- Entries and lists (no lock in here) -------------------------------- */

static entry *entry_new(const wf_finding *finding)
{
    size_t isa = strlen(finding->isa) + 1, key = strlen(finding->key) + 1;
    size_t tree = strlen(finding->tree) + 1;
    entry *e = wf_alloc(sizeof *e + isa + key + tree);
    if (!e)
        return NULL;
    char *text = (char *)(e + 1);
    e->finding.isa = memcpy(text, finding->isa, isa);
    e->finding.key = memcpy(text + isa, finding->key, key);
    e->finding.tree = memcpy(text + isa + key, finding->tree, tree);
    e->finding.nanoseconds = finding->nanoseconds;
    e->finding.limit = finding->limit;
    e->hash = hash_of(finding->isa, finding->key);
    return e;
}

static bool list_reserve(list *l, size_t more)
{
    if (more <= l->capacity - l->count)
        return true;
    size_t capacity = 2 * l->capacity + more, bytes;
    if (!wf_mul_size(capacity, sizeof *l->item, &bytes))
        return false;
    entry **item = wf_alloc(bytes);
    if (!item)
        return false;
    if (l->count)
        memcpy(item, l->item, l->count * sizeof *item);
    wf_free(l->item);
    l->item = item;
    l->capacity = capacity;
    return true;
}

static void list_free(list *l)
{
    for (size_t i = 0; i < l->count; i++)
        wf_free(l->item[i]);
    wf_free(l->item);
    *l = (list){0};
}

static size_t list_find(const list *l, const char *isa, const char *key)
{
    uint64_t hash = hash_of(isa, key);
    for (size_t i = 0; i < l->count; i++)
        if (l->item[i]->hash == hash &&
            !strcmp(l->item[i]->finding.key, key) &&
            !strcmp(l->item[i]->finding.isa, isa))
            return i;
    return l->count;
}

static void list_remove(list *l, size_t index)
{
    wf_free(l->item[index]);
    l->count--;
    memmove(l->item + index, l->item + index + 1,
            (l->count - index) * sizeof *l->item);
}

/* Takes the entry; needs room for it. */
static void list_put(list *l, entry *e)
{
    size_t old = list_find(l, e->finding.isa, e->finding.key);
    if (old < l->count)
        list_remove(l, old);
    else if (l->count == WF_WISDOM_LIMIT)
        list_remove(l, 0);
    l->item[l->count++] = e;
}

/* ---- Remember and recall ------------------------------------------------ */

weft_status wf_wisdom_remember(const wf_finding *finding)
{
    entry *e = entry_new(finding);
    pthread_mutex_lock(&lock);
    bool room = e && list_reserve(&store, 1);
    if (room)
        list_put(&store, e);
    pthread_mutex_unlock(&lock);
    if (room)
        return WEFT_OK;
    wf_free(e);
    return wf_fail(WEFT_ERR_NO_MEMORY, "no memory to keep wisdom");
}

bool wf_wisdom_any(void)
{
    pthread_mutex_lock(&lock);
    bool any = store.count > 0;
    pthread_mutex_unlock(&lock);
    return any;
}

char *wf_wisdom_recall(const char *isa, const char *key, double least,
                       double *nanoseconds)
{
    char *tree = NULL;
    pthread_mutex_lock(&lock);
    size_t i = list_find(&store, isa, key);
    if (i < store.count && store.item[i]->finding.limit >= least) {
        tree = wf_strdup(store.item[i]->finding.tree);
        *nanoseconds = store.item[i]->finding.nanoseconds;
    }
    pthread_mutex_unlock(&lock);
    return tree;
}

/* Needs the lock, and gives it back. */
static void forget_and_unlock(void)
{
    list old = store;
    store = (list){0};
    pthread_mutex_unlock(&lock);
    list_free(&old);
}

void wf_wisdom_forget(void)
{
    pthread_mutex_lock(&lock);
    forget_and_unlock();
}

/* ---- Fork and unload ---------------------------------------------------- */

/* A child that was forked while another thread held the lock would wait for
 * it for ever. */
static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void load(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

__attribute__((destructor)) static void unload(void)
{
    if (!pthread_mutex_trylock(&lock))
        forget_and_unlock();
}

/* ---- Export ------------------------------------------------------------- */

weft_status wf_wisdom_export(wf_text *text)
{
    wf_text_add(text, "%s", header);
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < store.count; i++) {
        const wf_finding *f = &store.item[i]->finding;
        wf_text_add(text, "%s | %s | ", f->isa, f->key);
        wf_number_print(text, f->nanoseconds);
        wf_text_add(text, " | ");
        wf_number_print(text, f->limit);
        wf_text_add(text, " | %s\n", f->tree);
    }
    pthread_mutex_unlock(&lock);
    if (!text->failed)
        wf_text_add(text, "checksum %016" PRIx64 "\n",
                    fnv(FNV_START, text->data, text->length));
    return text->failed ? wf_fail(WEFT_ERR_NO_MEMORY, "no memory for wisdom")
                        : WEFT_OK;
}

/* ---- Import ------------------------------------------------------------- */

static weft_status refuse(int line, const char *reason)
{
    return wf_fail(WEFT_ERR_PARSE, "wisdom line %d: %s", line, reason);
}

static bool isa_is_sound(const char *isa)
{
    size_t length = strspn(isa, "abcdefghijklmnopqrstuvwxyz0123456789-_");
    return length >= 1 && length <= 15 && !isa[length];
}

/* A key is sound when it is the key of the problem that it says. */
static weft_status check_key(const char *key, bool *sound)
{
    weft_problem problem;
    wf_problem canonical;
    wf_text again = {0};
    *sound = false;
    if (wf_problem_parse(key, &problem) != WEFT_OK ||
        wf_problem_canonical(&problem, &canonical) != WEFT_OK)
        return WEFT_OK;
    wf_problem_key(&canonical, &again);
    bool failed = again.failed;
    *sound = !failed && !strcmp(again.data, key);
    wf_text_free(&again);
    return failed ? wf_fail(WEFT_ERR_NO_MEMORY, "no memory to read wisdom")
                  : WEFT_OK;
}

static weft_status check_finding(const wf_finding *f, int line)
{
    bool sound;
    wf_step *step;
    char reason[200];
    if (!isa_is_sound(f->isa))
        return refuse(line, "the ISA's name is malformed");
    weft_status status = check_key(f->key, &sound);
    if (status != WEFT_OK)
        return status;
    if (!sound)
        return refuse(line, "the problem is not a canonical one");
    status = wf_step_parse(f->tree, &step);
    if (status == WEFT_ERR_NO_MEMORY)
        return status;
    if (status != WEFT_OK) {
        const char *why = wf_error_text();
        wf_quote(why, why + strlen(why), reason, sizeof reason);
        return refuse(line, reason);
    }
    wf_step_free(step);
    return WEFT_OK;
}

enum { PARTS = 5 };

static bool read_positive(const char *text, double *number)
{
    return wf_number_parse(text, text + strlen(text), number) && *number > 0;
}

/* Cuts `line` (writable, without its newline) at " | " into its parts. */
static bool cut(char *line, char *part[PARTS])
{
    for (int i = 0; i < PARTS; i++) {
        part[i] = line;
        char *bar = strstr(line, " | ");
        if ((bar != NULL) != (i < PARTS - 1))
            return false;
        if (bar) {
            *bar = '\0';
            line = bar + 3;
        }
    }
    return true;
}

static weft_status read_line(char *line, int number, list *into)
{
    char *part[PARTS];
    wf_finding f;
    if (!cut(line, part))
        return refuse(number,
                      "not `ISA | PROBLEM | NANOSECONDS | LIMIT | TREE`");
    if (!read_positive(part[2], &f.nanoseconds))
        return refuse(number, "the nanoseconds are not a positive number");
    if (!read_positive(part[3], &f.limit))
        return refuse(number, "the limit is not a positive number of seconds");
    f.isa = part[0];
    f.key = part[1];
    f.tree = part[4];
    weft_status status = check_finding(&f, number);
    if (status != WEFT_OK)
        return status;
    if (into->count == WF_WISDOM_LIMIT)
        return refuse(number, "more findings than the 4096 that are kept");
    entry *e = entry_new(&f);
    if (!e || !list_reserve(into, 1)) {
        wf_free(e);
        return wf_fail(WEFT_ERR_NO_MEMORY, "no memory to read wisdom");
    }
    into->item[into->count++] = e;
    return WEFT_OK;
}

/* Verifies the frame; [*body, *end) are the lines between. */
static weft_status check_frame(char *text, char **body, char **end)
{
    size_t length = strlen(text), head = sizeof header - 1;
    const size_t tail = sizeof "checksum 0123456789abcdef\n" - 1;
    if (strncmp(text, "weft-wisdom ", 12))
        return refuse(1, "does not start with `weft-wisdom 1`");
    if (strncmp(text, header, head))
        return refuse(1, "a version other than 1");
    if (length < head + tail)
        return wf_fail(WEFT_ERR_PARSE, "wisdom ends before its checksum");
    wf_text expected = {0};
    char *sum = text + length - tail;
    wf_text_add(&expected, "checksum %016" PRIx64 "\n",
                fnv(FNV_START, text, length - tail));
    if (expected.failed)
        return wf_fail(WEFT_ERR_NO_MEMORY, "no memory to read wisdom");
    bool same = sum[-1] == '\n' && !strcmp(sum, expected.data);
    wf_text_free(&expected);
    if (!same)
        return wf_fail(WEFT_ERR_PARSE, "wisdom does not match its checksum");
    *body = text + head;
    *end = sum;
    return WEFT_OK;
}

static weft_status read_all(char *text, list *into)
{
    char *at = NULL, *end = NULL;
    weft_status status = check_frame(text, &at, &end);
    for (int line = 2; status == WEFT_OK && at < end; line++) {
        char *newline = strchr(at, '\n');
        *newline = '\0';
        status = read_line(at, line, into);
        at = newline + 1;
    }
    return status;
}

weft_status wf_wisdom_import(const char *text)
{
    if (!text)
        return wf_fail(WEFT_ERR_ARGUMENT, "text is NULL");
    list read = {0};
    char *copy = wf_strdup(text);
    weft_status status = copy ? read_all(copy, &read)
                              : wf_fail(WEFT_ERR_NO_MEMORY,
                                        "no memory to read wisdom");
    wf_free(copy);
    if (status == WEFT_OK && read.count) {
        pthread_mutex_lock(&lock);
        if (!list_reserve(&store, read.count))
            status = wf_fail(WEFT_ERR_NO_MEMORY, "no memory to keep wisdom");
        for (size_t i = 0; status == WEFT_OK && i < read.count; i++)
            list_put(&store, read.item[i]);
        pthread_mutex_unlock(&lock);
        if (status == WEFT_OK)
            read.count = 0; /* the store owns them now */
    }
    list_free(&read);
    return status;
}
