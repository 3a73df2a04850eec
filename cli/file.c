/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole files in, atomic files out: see file.h. */
#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(FILE *stream, file_bytes *bytes)
{
    size_t capacity = 0;
    for (;;) {
        if (bytes->length == capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            unsigned char *larger = realloc(bytes->data, capacity);
            if (!larger)
                return false;
            bytes->data = larger;
        }
        size_t got = fread(bytes->data + bytes->length, 1,
                           capacity - bytes->length, stream);
        if (got == 0)
            return !ferror(stream);
        bytes->length += got;
    }
}

int file_read(const char *path, file_bytes *bytes)
{
    *bytes = (file_bytes){NULL, 0};
    bool standard = !strcmp(path, "-");
    FILE *stream = standard ? stdin : fopen(path, "rb");
    if (!stream)
        return fail(CODE_INPUT, "cannot read '%s': %s", path, strerror(errno));
    errno = 0;
    bool good = read_all(stream, bytes);
    int problem = errno;
    if (!standard)
        fclose(stream);
    if (good)
        return CODE_OK;
    file_free(bytes);
    return fail(CODE_INPUT, "cannot read '%s': %s", path,
                problem ? strerror(problem) : "no memory for its content");
}

void file_free(file_bytes *bytes)
{
    free(bytes->data);
    *bytes = (file_bytes){NULL, 0};
}

/* The rights a plain open() would give, or those the old file had. */
static void set_rights(int descriptor, const char *path)
{
    struct stat old;
    mode_t rights;
    if (!stat(path, &old)) {
        rights = old.st_mode & 07777;
    } else {
        mode_t mask = umask(0);
        umask(mask);
        rights = 0666 & ~mask;
    }
    if (fchmod(descriptor, rights)) {
        /* The file is still the user's own and readable by him. */
    }
}

static int open_temporary(output *self, const char *path)
{
    /* Through symbolic links, so that the link stays a link. */
    char *real = realpath(path, NULL);
    self->path = real ? real : strdup(path);
    if (self->path && asprintf(&self->temporary, "%s.XXXXXX", self->path) < 0)
        self->temporary = NULL;
    int descriptor = self->temporary ? mkstemp(self->temporary) : -1;
    if (descriptor >= 0) {
        set_rights(descriptor, self->path);
        self->stream = fdopen(descriptor, "wb");
    }
    if (self->stream)
        return CODE_OK;
    int problem = errno;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(self->temporary);
    }
    free(self->temporary);
    free(self->path);
    *self = (output){NULL, NULL, NULL};
    return fail(CODE_OUTPUT, "cannot write '%s': %s", path, strerror(problem));
}

int output_open(output *self, const char *path)
{
    *self = (output){NULL, NULL, NULL};
    if (!strcmp(path, "-")) {
        self->stream = stdout;
        return CODE_OK;
    }
    struct stat old;
    if (stat(path, &old) || S_ISREG(old.st_mode))
        return open_temporary(self, path);
    /* A device, a pipe: nothing to keep, and renaming would replace it. */
    self->stream = fopen(path, "wb");
    if (!self->stream)
        return fail(CODE_OUTPUT, "cannot write '%s': %s", path,
                    strerror(errno));
    return CODE_OK;
}

int output_commit(output *self)
{
    errno = 0;
    bool good = !fflush(self->stream) && !ferror(self->stream);
    int problem = errno;
    if (self->stream != stdout && fclose(self->stream) && good) {
        good = false;
        problem = errno;
    }
    if (good && self->temporary && rename(self->temporary, self->path)) {
        good = false;
        problem = errno;
    }
    if (!good && self->temporary)
        unlink(self->temporary);
    int code = CODE_OK;
    if (!good)
        code = fail(CODE_OUTPUT, "cannot write '%s': %s",
                    self->path ? self->path : "standard output",
                    problem ? strerror(problem) : "write error");
    free(self->path);
    free(self->temporary);
    *self = (output){NULL, NULL, NULL};
    return code;
}

void output_abort(output *self)
{
    if (self->stream && self->stream != stdout)
        fclose(self->stream);
    if (self->temporary)
        unlink(self->temporary);
    free(self->path);
    free(self->temporary);
    *self = (output){NULL, NULL, NULL};
}

const char *file_extension(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? dot + 1 : "";
}
