/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran_api.c - the legacy Fortran interface: every name with one and with
 * two trailing underscores, as compilers make them.
 */
#include "compat.h"

#if WEFT_FFTW_SINGLE
#define FORTRAN(name) sfftw_##name
#else
#define FORTRAN(name) dfftw_##name
#endif

/* What Fortran holds as an eight-byte integer. */
typedef handle *plan_word;

/* ---- Arguments ---------------------------------------------------------- */

/* Fortran's first dimension is the fastest, C's last.  More of them than MAX_DIMS
 * are none here: who is asked refuses their number. */
typedef struct reversed {
    int n[MAX_DIMS];
} reversed;

static reversed reverse(int rank, const int *n)
{
    reversed r = {{0}};
    for (int i = 0; n && rank <= MAX_DIMS && i < rank; i++)
        r.n[rank - 1 - i] = n[i];
    return r;
}

typedef struct reversed_kinds {
    r2r_kind kind[MAX_DIMS];
} reversed_kinds;

static reversed_kinds reverse_kinds(int rank, const int *kind)
{
    reversed_kinds r = {{FFTW_R2HC}};
    for (int i = 0; kind && rank <= MAX_DIMS && i < rank; i++)
        r.kind[rank - 1 - i] = (r2r_kind)kind[i];
    return r;
}

/* Guru dimensions are three arrays, in the order of C. */
typedef struct iodims {
    iodim dim[MAX_DIMS];
} iodims;

static iodims zip(int rank, const int *n, const int *is, const int *os)
{
    iodims z = {{{0, 0, 0}}};
    for (int i = 0; i < rank && i < MAX_DIMS; i++)
        z.dim[i] = (iodim){n[i], is[i], os[i]};
    return z;
}

/* ---- Wisdom, a character at a time -------------------------------------- */

typedef struct writer {
    void (*write_char)(char *c, void *data);
    void *data;
} writer;

static void write_one(char c, void *context)
{
    const writer *w = context;
    w->write_char(&c, w->data);
}

typedef struct reader {
    void (*read_char)(int *c, void *data);
    void *data;
} reader;

static int read_one(void *context)
{
    const reader *r = context;
    int c = -1;
    r->read_char(&c, r->data);
    return c < 0 ? EOF : (unsigned char)c;
}

/* ---- The names ---------------------------------------------------------- */

#define NAME(name) FORTRAN(name##_)
#include "fortran_tmpl.c"
#include "fortran_threads_tmpl.c"
#undef NAME
#define NAME(name) FORTRAN(name##__)
#include "fortran_tmpl.c"
#include "fortran_threads_tmpl.c"
