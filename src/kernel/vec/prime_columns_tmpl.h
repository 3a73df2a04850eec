/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vec/prime_columns_tmpl.h - COLUMNS (3 to 5) columns k, k + 1, ... of both
 * matrices of prime.h, and their outputs; included there for each number.
 * Returns the constants of the next block.
 */
#if COLUMNS == 3
#define PRIME_COLUMNS prime_columns3
#define EACH(does) does(0) does(1) does(2)
#elif COLUMNS == 4
#define PRIME_COLUMNS prime_columns4
#define EACH(does) does(0) does(1) does(2) does(3)
#else
#define PRIME_COLUMNS prime_columns5
#define EACH(does) does(0) does(1) does(2) does(3) does(4)
#endif

/* Of column k + i, what the first leg gives, then each further one. */
#define BEGIN_A(i)                              \
    V ar##i = VFMA(PRIME_ROOT(t, i), sr, x[0]); \
    V ai##i = VFMA(PRIME_ROOT(t, i), si, x[1]);
#define BEGIN_B(i)                        \
    V br##i = VMUL(PRIME_ROOT(t, i), dr); \
    V bi##i = VMUL(PRIME_ROOT(t, i), di);
#define ADD_A(i)                      \
    {                                 \
        const V c = PRIME_ROOT(t, i); \
        ar##i = VFMA(c, sr, ar##i);   \
        ai##i = VFMA(c, si, ai##i);   \
    }
#define ADD_B(i)                      \
    {                                 \
        const V c = PRIME_ROOT(t, i); \
        br##i = VFMA(c, dr, br##i);   \
        bi##i = VFMA(c, di, bi##i);   \
    }
#define END(i)                                                             \
    prime_store(at, k + i, flags, VADD(ar##i, bi##i), VSUB(ai##i, br##i)); \
    prime_store_upper(at, 2 * h + 1, k + i, flags, VSUB(ar##i, bi##i),     \
                      VADD(ai##i, br##i));

PRIME_INLINE const T *PRIME_COLUMNS(const prime_place *at, ptrdiff_t h,
                                    ptrdiff_t k, int flags, const V x[2],
                                    const T *b, const T *t)
{
    const T *const end = b + 4 * VL * h;
    V sr = VLD(b), si = VLD(b + VL);
    EACH(BEGIN_A)
    t += COLUMNS * PRIME_COPIES;
#ifndef PRIME_MANY_REGISTERS
    for (const T *s = b + 4 * VL; s != end; s += 4 * VL) {
        sr = VLD(s);
        si = VLD(s + VL);
        EACH(ADD_A)
        t += COLUMNS * PRIME_COPIES;
    }
#endif
    V dr = VLD(b + 2 * VL), di = VLD(b + 3 * VL);
    EACH(BEGIN_B)
    t += COLUMNS * PRIME_COPIES;
    for (b += 4 * VL; b != end; b += 4 * VL) {
#ifdef PRIME_MANY_REGISTERS
        sr = VLD(b);
        si = VLD(b + VL);
        EACH(ADD_A)
        t += COLUMNS * PRIME_COPIES;
#endif
        dr = VLD(b + 2 * VL);
        di = VLD(b + 3 * VL);
        EACH(ADD_B)
        t += COLUMNS * PRIME_COPIES;
    }
    EACH(END)
    return t;
}

#undef PRIME_COLUMNS
#undef EACH
#undef BEGIN_A
#undef BEGIN_B
#undef ADD_A
#undef ADD_B
#undef END
