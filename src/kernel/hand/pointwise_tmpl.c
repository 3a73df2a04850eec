/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pointwise_tmpl.c - products and scalings, element by element.
 */
static inline VEC F(conjugate)(VEC x)
{
    const VEC signs = {JOIN(LIST, VL)(SIGNS_CONJ, 0, 0, 0)};
    return (VEC)((F(word))x ^ (F(word))signs);
}

static void F(multiply)(T *out, const T *a, const T *b, size_t n)
{
    size_t i = 0, reals = 2 * n;
    for (; i + VL <= reals; i += VL)
        F(store)(out + i, F(product)(F(load)(a + i), F(load)(b + i)));
    if (i < reals) {
        VEC x = F(load_part)(a + i, reals - i);
        VEC y = F(load_part)(b + i, reals - i);
        F(store_part)(out + i, F(product)(x, y), reals - i);
    }
}

static void F(multiply_conj)(T *out, const T *a, const T *b, size_t n)
{
    size_t i = 0, reals = 2 * n;
    for (; i + VL <= reals; i += VL) {
        VEC z = F(product)(F(load)(a + i), F(load)(b + i));
        F(store)(out + i, F(conjugate)(z));
    }
    if (i < reals) {
        VEC x = F(load_part)(a + i, reals - i);
        VEC y = F(load_part)(b + i, reals - i);
        VEC z = F(conjugate)(F(product)(x, y));
        F(store_part)(out + i, z, reals - i);
    }
}

static void F(scale)(T *x, T factor, size_t n_reals)
{
    for (size_t i = 0; i < n_reals; i++)
        x[i] *= factor;
}

static void F(scale_strided)(T *x, ptrdiff_t stride, size_t n_reals, T factor)
{
    for (size_t i = 0; i < n_reals; i++)
        x[(ptrdiff_t)i * stride] *= factor;
}

static void F(copy)(T *out, const T *in, size_t n_reals)
{
    if (n_reals)
        memmove(out, in, n_reals * sizeof(T));
}
