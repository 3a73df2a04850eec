/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * util.h - what every pass of the generator needs: memory that is there or
 * the program ends, and exact points of the unit circle.
 */
#ifndef GEN_UTIL_H
#define GEN_UTIL_H

#include <stddef.h>

void *gen_alloc(size_t size);
void *gen_realloc(void *old, size_t size);
_Noreturn void gen_die(const char *message);

/* cos and sin of 2 pi num/den, for any integers with den > 0.  The angle is
 * reduced in integers to the first octant, so 0, +-1 and sqrt(1/2) are the
 * nearest values of their type and symmetric angles give equal bits. */
long double turn_cos(long num, long den);
long double turn_sin(long num, long den);

#endif
