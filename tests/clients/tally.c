/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tally.c - counts a program's calls of FFTW's functions, by LD_PRELOAD.
 *
 *   LD_PRELOAD=BUILD/clients/tally.so FFTW_TALLY=report.txt program ...
 *
 * Every process that called something appends a line for each function to the
 * report when it exits: program, function, calls, and the file of the library
 * that did the work. That file is the proof that a drop-in was used: it is a
 * library that the program loaded itself, for this one loads none.
 *
 * FFTW_TALLY_IDLE=1: the functions named *execute* return at once. A check of
 * the program's results that still passes has not looked at any transform.
 *
 * Each function is a stub of four instructions that counts and jumps, so that
 * arguments pass whatever they are. The first call finds the function behind:
 * in the libraries named libfftw3* that are loaded by then. tally_names.h has
 * a line NAME(fftw_plan_dft_1d) for each name; clients.py writes it from what
 * the drop-in exports. Sums of several threads' calls are exact.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "tally.c knows the calls of x86-64 only"
#endif

struct row {
    unsigned long calls;
    void *target; /* NULL before the first call */
    const char *name;
    const char *library;
};

extern struct row __start_tally_rows[], __stop_tally_rows[];

#define NAME(name)                                     \
    __asm__(".pushsection tally_rows, \"aw\"\n"        \
            "9: .quad 0, 0, 8f, 0\n"                   \
            ".section .rodata\n"                       \
            "8: .asciz \"" #name "\"\n"                \
            ".popsection\n"                            \
            ".pushsection .text\n"                     \
            ".globl " #name "\n"                       \
            ".type " #name ", @function\n" #name ":\n" \
            "lock incq 9b(%rip)\n"                     \
            "movq 9b+8(%rip), %r11\n"                  \
            "testq %r11, %r11\n"                       \
            "jz 7f\n"                                  \
            "jmp *%r11\n"                              \
            "7: leaq 9b(%rip), %r11\n"                 \
            "jmp tally_first\n"                        \
            ".size " #name ", . - " #name "\n"         \
            ".popsection\n");
#include "tally_names.h"

/* The first call: r11 is the row. Keeps every register that may hold an
 * argument; of the vector registers FFTW's functions use the first. */
__asm__(".pushsection .text\n"
        ".local tally_first\n"
        "tally_first:\n"
        "pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n"
        "pushq %r8\n pushq %r9\n pushq %rax\n"
        "subq $16, %rsp\n"
        "movups %xmm0, (%rsp)\n"
        "movq %r11, %rdi\n"
        "call tally_find\n"
        "movq %rax, %r11\n"
        "movups (%rsp), %xmm0\n"
        "addq $16, %rsp\n"
        "popq %rax\n popq %r9\n popq %r8\n"
        "popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n"
        "jmp *%r11\n"
        ".popsection\n");

static void nothing(void)
{
}

/* The loaded libraries of FFTW's names, in the order of loading. */
struct libraries {
    int count;
    char path[16][512];
};

static int collect(struct dl_phdr_info *info, size_t size, void *user)
{
    struct libraries *found = user;
    const char *file = strrchr(info->dlpi_name, '/');
    (void)size;
    if (file && strncmp(file, "/libfftw3", 9) == 0 && found->count < 16)
        snprintf(found->path[found->count++], sizeof found->path[0], "%s",
                 info->dlpi_name);
    return 0;
}

__attribute__((used, visibility("hidden"))) void *tally_find(struct row *row)
{
    struct libraries found = {0};
    dl_iterate_phdr(collect, &found);
    for (int i = 0; i < found.count; i++) {
        void *library = dlopen(found.path[i], RTLD_LAZY | RTLD_NOLOAD);
        void *function = library ? dlsym(library, row->name) : NULL;
        Dl_info where;
        if (!function || !dladdr(function, &where))
            continue;
        row->library = strdup(where.dli_fname);
        if (getenv("FFTW_TALLY_IDLE") && strstr(row->name, "execute"))
            function = (void *)nothing;
        return row->target = function;
    }
    fprintf(stderr, "tally: %s is in no library that is loaded\n", row->name);
    _exit(99);
}

static void report(void)
{
    const char *path = getenv("FFTW_TALLY");
    int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
    for (struct row *r = __start_tally_rows; r < __stop_tally_rows; r++)
        if (file >= 0 && r->calls)
            dprintf(file, "%s %s %lu %s\n", program_invocation_short_name,
                    r->name, r->calls, r->library);
    if (file >= 0)
        close(file);
}

static void forget(void)
{
    for (struct row *r = __start_tally_rows; r < __stop_tally_rows; r++)
        r->calls = 0;
}

__attribute__((constructor)) static void start(void)
{
    pthread_atfork(NULL, NULL, forget); /* the parent reports its own */
}

__attribute__((destructor)) static void stop(void)
{
    report();
}
