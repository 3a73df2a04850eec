/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pointwise_tmpl.c - products and scalings, element by element.
 */
static inline vec conjugate(vec x)
{
    const vec signs = {JOIN(LIST, VL)(SIGNS_CONJ, 0, 0, 0)};
    return (vec)((word)x ^ (word)signs);
}

static void multiply(T *out, const T *a, const T *b, size_t n)
{
    size_t i = 0, reals = 2 * n;
    for (; i + VL <= reals; i += VL)
        store(out + i, product(load(a + i), load(b + i)));
    if (i < reals) {
        vec x = load_part(a + i, reals - i);
        vec y = load_part(b + i, reals - i);
        store_part(out + i, product(x, y), reals - i);
    }
}

static void multiply_conj(T *out, const T *a, const T *b, size_t n)
{
    size_t i = 0, reals = 2 * n;
    for (; i + VL <= reals; i += VL) {
        vec z = product(load(a + i), load(b + i));
        store(out + i, conjugate(z));
    }
    if (i < reals) {
        vec x = load_part(a + i, reals - i);
        vec y = load_part(b + i, reals - i);
        vec z = conjugate(product(x, y));
        store_part(out + i, z, reals - i);
    }
}

static void scale(T *x, T factor, size_t n_reals)
{
    for (size_t i = 0; i < n_reals; i++)
        x[i] *= factor;
}

static void scale_strided(T *x, ptrdiff_t stride, size_t n_reals, T factor)
{
    for (size_t i = 0; i < n_reals; i++)
        x[(ptrdiff_t)i * stride] *= factor;
}

static void copy(T *out, const T *in, size_t n_reals)
{
    if (n_reals)
        memmove(out, in, n_reals * sizeof(T));
}
