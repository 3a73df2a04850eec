/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft run-with-fftw: starts a program on weft's drop-in libraries for FFTW.
 *
 * The dynamic linker looks in LD_LIBRARY_PATH before the system's folders, so
 * the folder of the drop-in libraries in front of it is all that is needed.
 * The folder is where it was installed, or in the build tree, as seen from
 * this program: a moved tree works.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"

enum { OPT_PATH };

static const arg options[] = {
    {"path", NULL, "print the folder of the libraries, start nothing"},
    {NULL, NULL, NULL}};

static const command self = {
    "run-with-fftw", "[OPTION] PROGRAM [ARGUMENT...]",
    "Starts a program that uses FFTW 3 on weft's libraries of the same "
    "names instead: libfftw3, libfftw3f and their _threads and _omp "
    "companions, by LD_LIBRARY_PATH. Everything after PROGRAM is the "
    "program's, as is the exit status. Programs that contain FFTW, or "
    "are told where theirs is, do not notice.",
    "  weft run-with-fftw octave-cli script.m\n"
    "  WEFT_FFTW_TRACE=1 weft run-with-fftw gmx mdrun   # why a plan is NULL\n"
    "  LD_LIBRARY_PATH=$(weft run-with-fftw --path) octave-cli script.m\n",
    options};

/* FOLDER of this program joined with `way`, if libfftw3 is there. */
static bool find_folder(const char *way, char *folder, size_t size)
{
    char here[PATH_MAX], joined[2 * PATH_MAX], library[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length <= 0)
        return false;
    here[length] = '\0';
    char *slash = strrchr(here, '/');
    if (slash)
        *slash = '\0';
    snprintf(joined, sizeof joined, "%s/%s", here, way);
    char *real = realpath(joined, NULL);
    if (!real)
        return false;
    snprintf(library, sizeof library, "%s/libfftw3.so.3", real);
    bool there = !access(library, R_OK) && strlen(real) < size;
    if (there)
        copy_text(folder, size, real);
    free(real);
    return there;
}

static int prepend(const char *folder)
{
    const char *name = "LD_LIBRARY_PATH", *before = getenv(name);
    size_t size = strlen(folder) + (before ? strlen(before) : 0) + 2;
    char *path = malloc(size);
    if (!path)
        return fail(CODE_LIBRARY, "no memory for %zu bytes", size);
    bool more = before && *before;
    snprintf(path, size, "%s%s%s", folder, more ? ":" : "",
             more ? before : "");
    int set = setenv(name, path, 1);
    free(path);
    return set ? fail(CODE_LIBRARY, "cannot set %s", name) : CODE_OK;
}

static int set_path_only(void *path_only, int option, const char *value)
{
    (void)option, (void)value; /* there is one, a switch */
    *(bool *)path_only = true;
    return CODE_OK;
}

int command_run_with_fftw(int argc, char **argv)
{
    char folder[PATH_MAX];
    bool path_only = false;
    int code = args_parse_leading(&self, argc, argv, set_path_only,
                                  &path_only);
    if (code)
        return code == ARGS_HELP ? CODE_OK : code;
    char **program = argv + args_operands();
    if (path_only == (*program != NULL))
        return fail(CODE_USAGE, path_only ? "--path takes no program"
                                          : "no program is given");
    if (!find_folder(WEFT_FFTW3_FOLDER, folder, sizeof folder) &&
        !find_folder("../compat/fftw3", folder, sizeof folder))
        return fail(CODE_ABSENT, "the drop-in libraries are not installed "
                                 "beside this program");
    if (path_only) {
        puts(folder);
        return CODE_OK;
    }
    code = prepend(folder);
    if (code)
        return code;
    execvp(*program, program);
    return fail(CODE_ABSENT, "cannot start '%s': %s", *program,
                strerror(errno));
}
