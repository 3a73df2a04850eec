/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notation.h - numbers as texts write them, the same in every locale.
 */
#ifndef WEFT_PLAN_NOTATION_H
#define WEFT_PLAN_NOTATION_H

#include "base/base.h"

/* A decimal of 15 to 17 digits (fewer when they end in zeros), as few as read
 * back as the same finite number. */
void wf_number_print(wf_text *text, double number);
/* All of [start, end) as -DIGITS.DIGITSe-DIGITS (sign, point and exponent
 * optional), finite; false for anything else. */
bool wf_number_parse(const char *start, const char *end, double *number);

/* Copies at most size - 1 bytes of [start, end) with the unprintable ones as
 * '?', so that hostile text can be quoted in a one-line reason. */
const char *wf_quote(const char *start, const char *end, char *buffer,
                     size_t size);

#endif
