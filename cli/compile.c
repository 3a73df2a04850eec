/* SPDX-License-Identifier: BSD-3-Clause */
/* From source to a file that weft_tuned_load takes: see compile.h. */
#define _GNU_SOURCE
#include "compile.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file.h"

extern char **environ;

enum { MAX_WORDS = 200 };

/* Joins like snprintf; false when the path is too long. */
static bool join(char *path, const char *folder, const char *name)
{
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

/* ---- Folders -------------------------------------------------------------- */

/* The folder and those above it that are missing, for this user alone. */
static int make_folders(const char *path)
{
    char part[PATH_MAX];
    if (path[0] == '\0')
        return fail(CODE_USAGE, "--folder: an empty name");
    copy_text(part, sizeof part, path);
    for (char *slash = part; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(part, 0700) != 0 && errno != EEXIST)
            return fail(CODE_OUTPUT, "cannot make the folder '%s': %s", part,
                        strerror(errno));
        if (slash != NULL)
            *slash = '/';
    }
    return CODE_OK;
}

static bool cache_folder(char *path)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && cache[0] == '/')
        return join(path, cache, "weft");
    return home != NULL && home[0] == '/' && join(path, home, ".cache/weft");
}

/* What is installed, or built, beside this program. */
static bool beside(const char *name, char *path)
{
    char here[PATH_MAX], joined[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length <= 0)
        return false;
    here[length] = '\0';
    char *slash = strrchr(here, '/');
    if (slash != NULL)
        *slash = '\0';
    return join(joined, here, name) && realpath(joined, path) != NULL;
}

/* A folder that a run left which was killed, and what is in it. */
static void remove_folder(const char *path)
{
    char file[PATH_MAX];
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.' && join(file, path, entry->d_name))
            unlink(file);
    if (folder)
        closedir(folder);
    rmdir(path);
}

/* Those of a day ago and more: no run takes so long between two files. */
static void remove_left(const char *path)
{
    const time_t day = 24 * 60 * 60, now = time(NULL);
    char left[PATH_MAX];
    struct stat s;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (fnmatch("tune.??????", entry->d_name, 0) == 0 &&
            join(left, path, entry->d_name) && lstat(left, &s) == 0 &&
            S_ISDIR(s.st_mode) && now - s.st_mtime > day)
            remove_folder(left);
    if (folder)
        closedir(folder);
}

int workshop_open(workshop *self, const char *folder, const char *compiler)
{
    char made[PATH_MAX];
    *self = (workshop){.compiler = compiler};
    if (!beside("../" WEFT_TUNE_GENERATOR "/weft-gen", self->generator) ||
        !beside("../" WEFT_TUNE_HEADERS "/kernel/tuned.h", self->headers) ||
        !beside("../" WEFT_TUNE_HEADERS, self->headers))
        return fail(CODE_ABSENT, "weft-gen and its headers are not installed "
                                 "beside this program");
    if (folder == NULL && !cache_folder(made))
        return fail(CODE_OUTPUT, "neither XDG_CACHE_HOME nor HOME names a "
                                 "folder (try --folder)");
    if (folder != NULL && strlen(folder) >= sizeof made)
        return fail(CODE_USAGE, "--folder: the path is too long");
    if (folder != NULL)
        copy_text(made, sizeof made, folder);
    int code = make_folders(made);
    if (code)
        return code;
    if (realpath(made, self->folder) == NULL ||
        !join(self->temporary, self->folder, "tune.XXXXXX") ||
        mkdtemp(self->temporary) == NULL) {
        self->temporary[0] = '\0';
        return fail(CODE_OUTPUT, "cannot write into '%s': %s", made,
                    strerror(errno));
    }
    remove_left(self->folder);
    return CODE_OK;
}

static void discard(const workshop *self, const char *name)
{
    char path[PATH_MAX];
    if (join(path, self->temporary, name))
        unlink(path);
}

void workshop_close(workshop *self)
{
    if (self->temporary[0] == '\0')
        return;
    discard(self, "step.c");
    discard(self, "kernels.h");
    rmdir(self->temporary);
    self->temporary[0] = '\0';
}

/* ---- Programs ------------------------------------------------------------- */

/* Runs it in no shell, its output on our standard error. */
static int run(char *const *words, const char *what)
{
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions))
        return fail(CODE_LIBRARY, "no memory to start '%s'", words[0]);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    int problem = posix_spawnp(&child, words[0], &actions, NULL, words,
                               environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem)
        return fail(CODE_ABSENT, "cannot start '%s': %s", words[0],
                    strerror(problem));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fail(CODE_CHECK, "lost sight of '%s': %s", words[0],
                        strerror(errno));
    if (WIFSIGNALED(status))
        return fail(CODE_CHECK, "%s: '%s' was ended by signal %d", what,
                    words[0], WTERMSIG(status));
    return WEXITSTATUS(status) == 0
               ? CODE_OK
               : fail(CODE_CHECK, "%s: '%s' failed with status %d", what,
                      words[0], WEXITSTATUS(status));
}

/* The words of the source's line that begins with `first`, which words[0]
 * replaces; `line` is what they lie in. */
static int read_line(const char *source, const char *first, char *line,
                     size_t size, char **words)
{
    char start[40];
    snprintf(start, sizeof start, "\n%s ", first);
    const char *found = strstr(source, start);
    if (found == NULL)
        return fail(CODE_CHECK, "the source has no line '%s'", first);
    found += strlen(start);
    size_t length = strcspn(found, "\n");
    if (length >= size)
        return fail(CODE_CHECK, "the source's line '%s' is too long", first);
    memcpy(line, found, length);
    line[length] = '\0';
    int count = 1;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest);
         word != NULL && count < MAX_WORDS - 8;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    words[count] = NULL;
    return CODE_OK;
}

static void append(char **words, char *word)
{
    int count = 0;
    while (words[count] != NULL)
        count++;
    words[count] = word;
    words[count + 1] = NULL;
}

/* ---- Compiling ------------------------------------------------------------ */

/* FNV-1a, which tells works apart; nobody is to be kept from a collision,
 * since loaded code is compared by all of its numbers. */
static uint64_t hash(uint64_t h, const void *data, size_t length)
{
    for (size_t i = 0; i < length; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3;
    return h;
}

static int write_text(const char *path, const char *text)
{
    output file;
    int code = output_open(&file, path);
    if (code)
        return code;
    fputs(text, file.stream);
    return output_commit(&file);
}

/* Writes kernels.h: "--inline kernels.h NAME...", with the path in full. */
static int write_kernels(workshop *self, const char *source, char *path)
{
    char line[4000], *words[MAX_WORDS] = {self->generator};
    int code = read_line(source, "weft-gen", line, sizeof line, words);
    if (code)
        return code;
    words[2] = path;
    return run(words, "the kernels");
}

static int name_result(const workshop *self, const char *source,
                       const char *kernels, char *const *words,
                       compiled *result)
{
    file_bytes bytes;
    int code = file_read(kernels, &bytes);
    if (code)
        return code;
    uint64_t h = hash(0xcbf29ce484222325, source, strlen(source));
    h = hash(h, bytes.data, bytes.length);
    file_free(&bytes);
    for (; *words != NULL; words++)
        h = hash(h, *words, strlen(*words) + 1);
    char name[40];
    snprintf(name, sizeof name, "%016llx.so", (unsigned long long)h);
    return join(result->path, self->folder, name)
               ? CODE_OK
               : fail(CODE_OUTPUT, "the path of '%s' is too long", name);
}

static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

int workshop_compile(workshop *self, const char *source, int number,
                     bool again, compiled *result)
{
    char line[4000], *words[MAX_WORDS] = {(char *)(uintptr_t)self->compiler};
    char kernels[PATH_MAX], code_file[PATH_MAX], name[40];
    *result = (compiled){{0}, {0}};
    snprintf(name, sizeof name, "%d.so", number);
    if (!join(kernels, self->temporary, "kernels.h") ||
        !join(code_file, self->temporary, "step.c") ||
        !join(result->fresh, self->temporary, name))
        return fail(CODE_OUTPUT, "the path of '%s' is too long",
                    self->temporary);
    int code = write_kernels(self, source, kernels);
    if (!code)
        code = read_line(source, "cc", line, sizeof line, words);
    if (!code)
        code = name_result(self, source, kernels, words, result);
    if (code || (!again && is_file(result->path))) {
        result->fresh[0] = '\0';
        return code;
    }
    append(words, (char[]){"-I"});
    append(words, self->headers);
    append(words, (char[]){"-o"});
    append(words, result->fresh);
    append(words, code_file);
    code = write_text(code_file, source);
    if (!code)
        code = run(words, "the compiler");
    /* Whatever the user's mask: others may read, not write. */
    if (!code && chmod(result->fresh, 0755))
        code = fail(CODE_OUTPUT, "cannot write '%s': %s", result->fresh,
                    strerror(errno));
    if (code)
        unlink(result->fresh);
    return code;
}

int workshop_keep(compiled *result)
{
    if (result->fresh[0] == '\0')
        return CODE_OK;
    if (rename(result->fresh, result->path))
        return fail(CODE_OUTPUT, "cannot write '%s': %s", result->path,
                    strerror(errno));
    result->fresh[0] = '\0';
    return CODE_OK;
}
