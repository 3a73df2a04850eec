/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * joined_rows.c - the user's side of a joined convolution: a span of neighbouring
 * columns of the user's numbers times both parts' chirps into blocks, and the sum
 * of both parts' blocks times theirs back.
 */
#include "cpu/joined.h"

#include <string.h>

/* Rows of `span` numbers at q, q + columns, ... that end before n, and the
 * numbers before n of the one after them. */
typedef struct rows_before {
    int64_t whole, rest;
} rows_before;

static rows_before count_rows(const wf_joined_rows *r, int64_t q, int64_t span)
{
    rows_before before = {.whole = 0, .rest = 0};
    if (r->n >= q + span)
        before.whole = (r->n - q - span) / r->columns + 1;
    const int64_t next = q + before.whole * r->columns;
    before.rest = next < r->n ? r->n - next : 0;
    return before;
}

/* A row of blocks, those of both parts, and the user's number it begins with. */
typedef struct place {
    char *block[2];
    int64_t number;
} place;

static place after(const wf_joined_rows *r, const place *p, int64_t blocks,
                   int64_t numbers)
{
    return (place){{wf_to(p->block[0], 2 * blocks, r->bytes),
                    wf_to(p->block[1], 2 * blocks, r->bytes)},
                   p->number + numbers};
}

/* The twists of a row, those of a column, and the chirps of a number. */
static const void *row_of(const wf_joined_rows *r, int64_t number)
{
    return wf_at(r->twists.row, 2 * (number / r->columns), r->bytes);
}

static const void *column_of(const wf_joined_rows *r, int64_t number)
{
    return wf_at(r->twists.column, 2 * (number % r->columns), r->bytes);
}

static const void *chirp_of(const wf_joined_rows *r, const void *chirps,
                            int64_t number)
{
    const int64_t row = number / r->columns, column = number % r->columns,
                  span = r->twists.span;
    return wf_at(chirps,
                 2 * ((column / span * r->rows + row) * span + column % span),
                 r->bytes);
}

/* Rows of `numbers` that are whole blocks, from the user's `in` on. */
static void read_rows(const wf_joined_rows *r, const void *in, const place *p,
                      int64_t numbers, int64_t rows)
{
    void *const a = p->block[0], *const b = p->block[1];
    if (r->part == NULL)
        WF_MOVE(&r->mover, twist_to_blocks, a, b, in,
                chirp_of(r, r->twists.in, p->number), row_of(r, p->number),
                column_of(r, p->number), (size_t)numbers, (size_t)rows,
                (size_t)r->columns);
    else
        WF_MOVE(&r->mover, multiply_to_blocks, a, b, in,
                wf_at(r->part[0].chirp_in, 2 * p->number, r->bytes),
                wf_at(r->part[1].chirp_in, 2 * p->number, r->bytes),
                (size_t)numbers, (size_t)rows, (size_t)r->columns);
}

static void write_rows(const wf_joined_rows *r, void *out, const place *p,
                       int64_t numbers, int64_t rows)
{
    const void *const a = p->block[0], *const b = p->block[1];
    if (r->part == NULL)
        WF_MOVE(&r->mover, twist_from_blocks, out, a, b,
                chirp_of(r, r->twists.out, p->number), row_of(r, p->number),
                column_of(r, p->number), (size_t)numbers, (size_t)rows,
                (size_t)r->columns);
    else
        WF_MOVE(&r->mover, multiply_from_blocks, out, a,
                wf_at(r->part[0].chirp_out, 2 * p->number, r->bytes), b,
                wf_at(r->part[1].chirp_out, 2 * p->number, r->bytes),
                (size_t)numbers, (size_t)rows, (size_t)r->columns);
}

/* The row that ends with the user's last numbers: zeros make its last block
 * whole. */
static void read_rest(const wf_joined_rows *r, const void *in, const place *p,
                      int64_t numbers)
{
    const int64_t whole = numbers / r->width * r->width;
    const place last = after(r, p, whole, whole);
    double padded[2 * WF_CHIRPS_PAD] = {0};
    read_rows(r, wf_at(in, 2 * p->number, r->bytes), p, whole, 1);
    if (whole == numbers)
        return;
    memcpy(padded, wf_at(in, 2 * last.number, r->bytes),
           2 * (size_t)(numbers - whole) * r->bytes);
    read_rows(r, padded, &last, r->width, 1);
}

static void write_rest(const wf_joined_rows *r, void *out, const place *p,
                       int64_t numbers)
{
    const int64_t whole = numbers / r->width * r->width;
    const place last = after(r, p, whole, whole);
    double padded[2 * WF_CHIRPS_PAD];
    write_rows(r, wf_to(out, 2 * p->number, r->bytes), p, whole, 1);
    if (whole == numbers)
        return;
    write_rows(r, padded, &last, r->width, 1);
    memcpy(wf_to(out, 2 * last.number, r->bytes), padded,
           2 * (size_t)(numbers - whole) * r->bytes);
}

void wf_joined_read(const wf_joined_rows *r, const void *in, int64_t q,
                    int64_t span, char *const block[2])
{
    const rows_before before = count_rows(r, q, span);
    const place first = {{block[0], block[1]}, q},
                rest = after(r, &first, before.whole * span,
                             before.whole * r->columns);
    const int64_t made = (before.rest + r->width - 1) / r->width * r->width;
    const place none = after(r, &rest, made, made);
    for (int p = 0; p < 2; p++)
        memset(none.block[p], 0,
               2 * (size_t)((r->rows - before.whole) * span - made) *
                   r->bytes);
    read_rows(r, wf_at(in, 2 * q, r->bytes), &first, span, before.whole);
    if (before.rest > 0)
        read_rest(r, in, &rest, before.rest);
}

void wf_joined_write(const wf_joined_rows *r, char *const block[2], int64_t q,
                     int64_t span, void *out)
{
    const rows_before before = count_rows(r, q, span);
    const place first = {{block[0], block[1]}, q},
                rest = after(r, &first, before.whole * span,
                             before.whole * r->columns);
    write_rows(r, wf_to(out, 2 * q, r->bytes), &first, span, before.whole);
    if (before.rest > 0)
        write_rest(r, out, &rest, before.rest);
}
