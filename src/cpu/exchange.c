/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange.c - two loops of one length that take each other's strides, in place:
 * the square that they walk is transposed; all other loops stay where they are.
 *
 * Elements that lie together go as one item (copies.c).  Where items of 4, 8 or
 * 16 bytes adjoin, squares are kernels' work (transpose_tmpl.c, move_tmpl.c), else
 * items are swapped, a block of them with its mirror block, so that lines of both
 * stay in the first cache.
 */
#include "cpu/copies.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/axis.h"
#include "cpu/move.h"

enum { BLOCK = 16 };

typedef struct exchange exchange;
typedef void wf_square(const exchange *e, char *a);

struct exchange {
    wf_node node;
    const wf_hand_f64 *f64;
    const wf_hand_f32 *f32;
    wf_square *square;
    wf_nest outer;
    int64_t n;
    ptrdiff_t near, far; /* bytes */
    size_t item;
    bool split;
};

/* ---- Squares ------------------------------------------------------------ */

static inline void swap(char *a, char *b, size_t item)
{
    char x[16], y[16];
    memcpy(x, a, item);
    memcpy(y, b, item);
    memcpy(a, y, item);
    memcpy(b, x, item);
}

static inline void swap_long(char *a, char *b, size_t item)
{
    for (; item >= 16; a += 16, b += 16, item -= 16)
        swap(a, b, 16);
    for (; item > 0; a += 4, b += 4, item -= 4)
        swap(a, b, 4);
}

static inline void swap_items(const exchange *e, char *a, size_t item)
{
    const ptrdiff_t near = e->near, far = e->far;
    for (int64_t i0 = 0; i0 < e->n; i0 += BLOCK)
        for (int64_t j0 = 0; j0 <= i0; j0 += BLOCK)
            for (int64_t i = i0; i < e->n && i < i0 + BLOCK; i++)
                for (int64_t j = j0; j < i && j < j0 + BLOCK; j++) {
                    char *low = a + i * far + j * near,
                         *high = a + j * far + i * near;
                    if (item == 4 || item == 8 || item == 16)
                        swap(low, high, item);
                    else
                        swap_long(low, high, item);
                }
}

static void square_any(const exchange *e, char *a)
{
    switch (e->item) { /* one move each */
    case 4: swap_items(e, a, 4); break;
    case 8: swap_items(e, a, 8); break;
    case 16: swap_items(e, a, 16); break;
    default: swap_items(e, a, e->item); break;
    }
}

static void square_of_fours(const exchange *e, char *a)
{
    e->f32->square_reals((float *)(void *)a, e->far / (ptrdiff_t)sizeof(float),
                         (size_t)e->n);
}

static void square_of_eights(const exchange *e, char *a)
{
    e->f32->transpose_square((float *)(void *)a, e->far / WF_FLOATS_NUMBER,
                             (size_t)e->n);
}

static void square_of_sixteens(const exchange *e, char *a)
{
    e->f64->transpose_square((double *)(void *)a, e->far / WF_DOUBLES_NUMBER,
                             (size_t)e->n);
}

/* ---- Running ------------------------------------------------------------ */

static void run_plain(const void *what, const void *in, void *out)
{
    const exchange *e = what;
    (void)in;
    e->square(e, out);
}

static void run_squares(const exchange *e, char *out)
{
    wf_cursor cursor;
    wf_cursor_set(&e->outer, 0, &cursor);
    for (int64_t i = 0; i < e->outer.count; i++) {
        e->square(e, out + cursor.out);
        wf_cursor_next(&e->outer, &cursor);
    }
}

static void run(const wf_node *node, const wf_samples *at, char *scratch)
{
    const exchange *e = (const exchange *)node;
    (void)scratch;
    run_squares(e, at->out_re);
    if (e->split)
        run_squares(e, at->out_im);
}

/* ---- Binding ------------------------------------------------------------ */

static wf_square *square_of(const exchange *e)
{
    const ptrdiff_t item = (ptrdiff_t)e->item;
    const bool doubles = e->node.bytes == sizeof(double);
    if (e->near != item || e->far % item != 0)
        return square_any;
    return item == 4               ? square_of_fours
           : item == 8             ? square_of_eights
           : item == 16 && doubles ? square_of_sixteens
                                   : square_any;
}

weft_status wf_bind_exchange(const wf_binder *binder, const weft_dim *dims,
                             int count, wf_form format, wf_node **node)
{
    *node = NULL;
    exchange *e = (exchange *)wf_node_new(binder, sizeof *e, run);
    if (e == NULL)
        return wf_no_memory();
    const size_t element = binder->bytes * (format == WF_INTERLEAVED ? 2 : 1);
    e->f64 = wf_mover_best(WF_F64).f64;
    e->f32 = wf_mover_best(WF_F32).f32;
    e->split = format == WF_SPLIT;
    e->item = element;
    e->outer = (wf_nest){.count = 1};
    for (int i = 0; i < count; i++) {
        const weft_dim d = dims[i];
        if (d.is == 1 && d.os == 1) {
            e->item *= (size_t)d.n;
        } else if (d.is == d.os) {
            wf_nest_add(&e->outer, d, (int)element, (int)element);
        } else { /* twice: the other one has them the other way round */
            const bool in = llabs(d.is) < llabs(d.os);
            e->n = d.n;
            e->near = (ptrdiff_t)element * (in ? d.is : d.os);
            e->far = (ptrdiff_t)element * (in ? d.os : d.is);
        }
    }
    e->square = square_of(e);
    if (e->outer.count == 1 && !e->split) {
        e->node.run = wf_node_run_plain;
        e->node.plain = (wf_plain){run_plain, e};
    }
    *node = &e->node;
    return WEFT_OK;
}
