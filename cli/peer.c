/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding other libraries: see peer.h. */
#define _GNU_SOURCE
#include "peer.h"

#include <dlfcn.h>
#include <string.h>

/* The sanitizers' runtime refuses RTLD_DEEPBIND. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_SYMBOLS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_SYMBOLS 0
#endif
#endif
#ifndef OWN_SYMBOLS
#define OWN_SYMBOLS RTLD_DEEPBIND
#endif

void *peer_load(const char *path, reason *why)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | OWN_SYMBOLS);
    if (!library)
        because(why, "%s", dlerror());
    return library;
}

bool peer_find(void *library, const char *name, void *slot)
{
    void *address = library ? dlsym(library, name) : NULL;
    if (address)
        memcpy(slot, &address, sizeof address);
    return address != NULL;
}

void peer_origin(void *library, const char *symbol, char *path, size_t size)
{
    Dl_info info;
    void *address = dlsym(library, symbol);
    bool found = address && dladdr(address, &info) && info.dli_fname;
    copy_text(path, size, found ? info.dli_fname : "?");
}

void peers_note_absent(peer_list *list, const char *name, bool named,
                       const char *why)
{
    if (list->absent_count == MAX_PEERS)
        return;
    missing *note = &list->absent[list->absent_count++];
    note->named = named;
    copy_text(note->name, sizeof note->name, name);
    copy_text(note->why.text, sizeof note->why.text, why);
}

bool peer_wanted(const char *only, const char *name)
{
    if (!only)
        return true;
    size_t length = strlen(name);
    for (const char *at = only; *at; at += strspn(at, ",")) {
        size_t word = strcspn(at, ",");
        if (word == length && !strncmp(at, name, length))
            return true;
        at += word;
    }
    return false;
}

void peers_open(peer_list *list, const peer_options *options, const char *only)
{
    *list = (peer_list){.count = 0};
    if (peer_wanted(only, "fftw"))
        peers_add_fftw(list, options);
    if (peer_wanted(only, "mkl"))
        peers_add_mkl(list, options);
    peers_add_weft(list, options);
}
