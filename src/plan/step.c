/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step.c - trees: making, freeing, printing.
 *
 * The printed text is the tree: parse.c reads it back, wisdom stores it, the
 * tests compare it, `weft plan` shows it.  What a step prints is the row of
 * steps.def, so a new step needs no code here.
 */
#include "plan/problem.h"
#include "plan/step.h"

#include <inttypes.h>
#include <string.h>

typedef struct step_row {
    const char *name;
    const char *fields;
} step_row;

static const step_row rows[WF_STEP_KIND_COUNT] = {
#define WF_STEP(id, name, fields, children, meaning) {name, fields},
#include "plan/steps.def"
#undef WF_STEP
};

const char *wf_step_name(wf_step_kind kind)
{
    return rows[kind].name;
}

const char *wf_step_fields(wf_step_kind kind)
{
    return rows[kind].fields;
}

wf_step *wf_step_new(wf_step_kind kind, int64_t n)
{
    wf_step *step = wf_calloc(1, sizeof *step);
    if (step != NULL) {
        step->kind = kind;
        step->n = n;
    }
    return step;
}

wf_step *wf_step_copy(const wf_step *step)
{
    wf_step *copy = wf_alloc(sizeof *copy);
    if (copy == NULL)
        return NULL;
    *copy = *step;
    copy->children = 0;
    for (int i = 0; i < step->children; i++) {
        wf_step *child = wf_step_copy(step->child[i]);
        if (child == NULL) {
            wf_step_free(copy);
            return NULL;
        }
        copy->child[copy->children++] = child;
    }
    return copy;
}

void wf_step_free(wf_step *step)
{
    if (step == NULL)
        return;
    for (int i = 0; i < step->children; i++)
        wf_step_free(step->child[i]);
    wf_free(step);
}

void wf_step_adopt(wf_step *parent, wf_step *child)
{
    parent->child[parent->children++] = child;
}

static void print_radices(const wf_step *step, wf_text *text)
{
    for (int i = 0; i < step->radices; i++) {
        const char *join = i == 0 ? " " : step->fused[i - 1] ? "+" : ".";
        wf_text_add(text, "%s%d", join, step->radix[i]);
    }
}

static void print_scheme(const wf_step *step, wf_text *text)
{
    char name[WF_SCHEME_TEXT];
    wf_scheme_print(&step->scheme, name);
    wf_text_add(text, " %s", name);
}

static void print_head(const wf_step *step, wf_text *text)
{
    wf_text_add(text, "%s", wf_step_name(step->kind));
    for (const char *f = wf_step_fields(step->kind); *f != '\0'; f++) {
        if (*f == 'A')
            wf_text_add(text, " %d", step->axis);
        else if (*f == 'K')
            wf_text_add(text, " %s", wf_kind_name(step->real));
        else if (*f == 'N')
            wf_text_add(text, " %" PRId64, step->n);
        else if (*f == 'S')
            wf_text_add(text, " %" PRId64 "x%" PRId64, step->split[0],
                        step->split[1]);
        else if (*f == 'M')
            wf_text_add(text, " m%" PRId64, step->split[0]);
        else if (*f == 'C' && step->split[0] != 0)
            wf_text_add(text, " m%" PRId64, step->split[0]);
        else if (*f == 'F')
            print_scheme(step, text);
        else if (*f == 'W')
            wf_text_add(text, " w%d", step->width);
        else if (*f == 'R')
            print_radices(step, text);
    }
}

bool wf_step_scales(const wf_step *step)
{
    switch (step->kind) {
    case WF_STEP_LEAF:
    case WF_STEP_STOCKHAM:
    case WF_STEP_TWOSTEP:
    case WF_STEP_DECIMATED:
    case WF_STEP_FOURSTEP:
    case WF_STEP_SIXSTEP:
    case WF_STEP_SCRAMBLED:
    case WF_STEP_BLUESTEIN: return true;
    default: return wf_step_is_real(step->kind) || wf_step_is_r2r(step->kind);
    }
}

int wf_step_joined_rows(const wf_step *step)
{
    /* Vectors of 16 sort their numbers sooner than blocks of few of them pay. */
    enum { WIDE = 16, WIDE_LEAST = 1 << 14 };
    const int last = step->radices - 1, width = step->width;
    if (step->kind != WF_STEP_STOCKHAM || last < 1 || step->fused[0] ||
        step->fused[last - 1] || step->radix[0] % width != 0 ||
        (width >= WIDE && step->n < WIDE_LEAST))
        return 0;
    const int a = step->radix[0], b = step->radix[last];
    const int common = a / (int)wf_gcd((uint64_t)a, (uint64_t)b) * b;
    return step->n % (common * width) == 0 ? common : 0;
}

enum { VECTOR_BYTES = 32 }; /* at least: there are tiles */

bool wf_step_joins_trips(const wf_step *step, size_t bytes)
{
    if (step->kind != WF_STEP_FOURSTEP)
        return false;
    const wf_step *a = step->child[0], *b = step->child[1];
    return a->kind == WF_STEP_COLUMN && b->kind == WF_STEP_COLUMN &&
           (size_t)a->width * bytes >= VECTOR_BYTES && b->width == a->width &&
           a->n % a->width == 0 && b->n % b->width == 0;
}

/* Whole blocks from both ends, and butterflies that have a mirror image. */
static bool column_zips(const wf_step *column, int64_t columns, bool inverse)
{
    int last = column->radices - 1;
    return column->kind == WF_STEP_COLUMN && last > 0 &&
           columns % (2 * (int64_t)column->width) == 0 &&
           column->radix[inverse ? last : 0] % 2 == 0;
}

/* The first pass, or the last, in whole blocks from both ends. */
static bool passes_zip(const wf_step *step, bool inverse)
{
    const int end = inverse ? step->radices - 1 : 0;
    const int64_t width = step->width, r = step->radix[end];
    return step->radices > 1 && !step->fused[inverse ? end - 1 : 0] &&
           step->radix[0] % width == 0 && r % 2 == 0 &&
           step->n / r % (2 * width) == 0;
}

bool wf_step_zips(const wf_step *step, bool inverse)
{
    if (step->kind == WF_STEP_STOCKHAM)
        return passes_zip(step, inverse);
    return step->kind == WF_STEP_FOURSTEP &&
           step->child[1]->kind == WF_STEP_COLUMN &&
           column_zips(step->child[inverse], step->split[!inverse], inverse);
}

bool wf_step_takes_half(const wf_step *step, size_t bytes)
{
    const wf_step *column = step->child[0];
    return step->kind == WF_STEP_FOURSTEP && wf_step_zips(step, true) &&
           column->kind == WF_STEP_COLUMN &&
           (size_t)column->width * bytes >= VECTOR_BYTES &&
           step->split[1] % (2 * (int64_t)column->width) == 0;
}

void wf_step_print(const wf_step *step, wf_text *text)
{
    wf_text_add(text, "(");
    print_head(step, text);
    for (int i = 0; i < step->children; i++) {
        wf_text_add(text, " ");
        wf_step_print(step->child[i], text);
    }
    wf_text_add(text, ")");
}

void wf_step_explain(const wf_step *step, int depth, wf_text *text)
{
    wf_text_add(text, "%*s", 2 * depth, "");
    print_head(step, text);
    wf_text_add(text, "    cost %.0f ns, %.0f flops", step->cost, step->flops);
    if (step->emulated)
        wf_text_add(text, ", %s emulated by f32",
                    wf_format_name(step->scheme.format));
    wf_text_add(text, "\n");
    for (int i = 0; i < step->children; i++)
        wf_step_explain(step->child[i], depth + 1, text);
}
