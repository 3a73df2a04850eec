/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * module.c - compiled code from files, loaded for the life of the process.
 *
 * Loading code is running it, so it must be nobody else's: a file is refused
 * unless it and every folder above it belong to this user or to root and
 * nobody else may write there.  (Above its own folder, one where others may
 * add but not replace files, as /tmp, will do.)  What is checked is the path
 * without symbolic links, which then nobody else can exchange.
 *
 * A file that was cut short is refused, too: to load it would be to touch memory that
 * is not there.
 *
 * dlopen is found through a weak dlsym: in programs that are linked statically
 * there is none, and loading is refused.  (The name dlopen itself would make
 * their linker warn.)
 */
#define _GNU_SOURCE
#include "base/base.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#pragma weak dlsym
#pragma weak dlerror

const char *wf_environment(const char *name)
{
    return secure_getenv(name);
}

static weft_status unreadable(const char *path)
{
    return wf_fail(WEFT_ERR_IO, "%.300s: %s", path, strerror(errno));
}

/* Of a file or a folder: can another user have changed it? */
static weft_status check_owner(const char *path, bool others_may_add)
{
    struct stat s;
    if (lstat(path, &s) != 0)
        return unreadable(path);
    if (S_ISLNK(s.st_mode))
        return wf_fail(WEFT_ERR_ARGUMENT, "%.300s: a symbolic link", path);
    if (s.st_uid != 0 && s.st_uid != geteuid())
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "%.300s: owned by user %u, neither root nor this user",
                       path, (unsigned)s.st_uid);
    bool safe = (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
    if (!safe && !(others_may_add && (s.st_mode & S_ISVTX)))
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "%.300s: other users may write there (mode %04o)", path,
                       (unsigned)s.st_mode & 07777);
    return WEFT_OK;
}

/* All folders above `path`, an absolute one without links.  Where others may
 * add files is only above the nearest, unless `path` is a folder. */
static weft_status check_above(const char *path, bool is_folder)
{
    char folder[PATH_MAX];
    bool others_may_add = is_folder;
    weft_status status = WEFT_OK;
    snprintf(folder, sizeof folder, "%s", path);
    while (status == WEFT_OK && folder[1] != '\0') {
        char *slash = strrchr(folder, '/');
        slash[slash == folder] = '\0'; /* the root keeps its own */
        status = check_owner(folder, others_may_add);
        others_may_add = true;
    }
    return status;
}

typedef void *open_function(const char *file, int mode);

static open_function *find_dlopen(void)
{
    open_function *found = NULL;
    if (dlsym != NULL && dlerror != NULL) {
        void *address = dlsym(RTLD_DEFAULT, "dlopen");
        memcpy(&found, &address, sizeof found); /* POSIX says one size */
    }
    return found;
}

/* Does what a file says of its segments lie within it?  The loader maps what it is
 * told and touches it: of a file that was cut short, past its end. */
static bool is_whole(FILE *file, int64_t length)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    if (fread(&head, sizeof head, 1, file) != 1 ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_phentsize != sizeof part || head.e_phoff > (uint64_t)length ||
        fseek(file, (long)head.e_phoff, SEEK_SET) != 0)
        return false;
    for (int i = 0; i < head.e_phnum; i++)
        if (fread(&part, sizeof part, 1, file) != 1 ||
            part.p_offset > (uint64_t)length ||
            (part.p_type != PT_NULL &&
             part.p_filesz > (uint64_t)length - part.p_offset))
            return false;
    return true;
}

static weft_status check_contents(const char *path)
{
    struct stat s;
    FILE *file = NULL;
    if (stat(path, &s) != 0)
        return unreadable(path);
    if (!S_ISREG(s.st_mode)) /* opening a pipe would wait for a writer */
        return wf_fail(WEFT_ERR_ARGUMENT, "%.300s: no regular file", path);
    file = fopen(path, "rbe");
    if (file == NULL)
        return unreadable(path);
    const bool whole = is_whole(file, s.st_size);
    fclose(file);
    return whole ? WEFT_OK
                 : wf_fail(WEFT_ERR_PARSE,
                           "%.300s: no compiled code, or not all of it", path);
}

static weft_status load_file(const char *file, const char *symbol,
                             wf_module_take *take)
{
    weft_status status = check_owner(file, false);
    if (status == WEFT_OK)
        status = check_contents(file);
    if (status != WEFT_OK)
        return status;
    void *module = find_dlopen()(file, RTLD_NOW | RTLD_LOCAL);
    if (module == NULL) /* its text begins with the path */
        return wf_fail(WEFT_ERR_PARSE, "not to be loaded: %.400s", dlerror());
    void *address = dlsym(module, symbol);
    if (address == NULL)
        return wf_fail(WEFT_ERR_PARSE, "%.300s: exports no %.40s", file,
                       symbol);
    return take(address, file);
}

/* The first refusal is the one that is told. */
static weft_status load_folder(const char *path, const char *symbol,
                               wf_module_take *take)
{
    DIR *folder = opendir(path);
    if (folder == NULL)
        return unreadable(path);
    weft_status first = WEFT_OK;
    char why[WF_ERROR_TEXT] = "", file[PATH_MAX];
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".so") != 0)
            continue;
        weft_status status;
        if (snprintf(file, sizeof file, "%s/%s", path, entry->d_name) >=
            (int)sizeof file)
            status = wf_fail(WEFT_ERR_IO, "%.300s: the path is too long",
                             entry->d_name);
        else
            status = load_file(file, symbol, take);
        if (status == WEFT_OK || first != WEFT_OK)
            continue;
        first = status;
        snprintf(why, sizeof why, "%s", wf_error_text());
    }
    closedir(folder);
    return first == WEFT_OK ? WEFT_OK : wf_fail(first, "%s", why);
}

weft_status wf_module_load(const char *path, const char *symbol,
                           wf_module_take *take)
{
    char real[PATH_MAX];
    struct stat s;
    if (find_dlopen() == NULL)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "%.300s: this program cannot load code (linked "
                       "statically)",
                       path);
    if (realpath(path, real) == NULL || stat(real, &s) != 0)
        return unreadable(path);
    if (S_ISREG(s.st_mode)) {
        weft_status status = check_above(real, false);
        return status == WEFT_OK ? load_file(real, symbol, take) : status;
    }
    if (!S_ISDIR(s.st_mode))
        return wf_fail(WEFT_ERR_ARGUMENT,
                       "%.300s: neither a file nor a folder", path);
    weft_status status = check_owner(real, false);
    if (status == WEFT_OK)
        status = check_above(real, true);
    return status == WEFT_OK ? load_folder(real, symbol, take) : status;
}
