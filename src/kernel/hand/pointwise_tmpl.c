/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pointwise_tmpl.c - products and scalings, element by element.
 */
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

static void multiply_turned(T *out, const T *a, const T *b, size_t n)
{
    size_t i = 0, reals = 2 * n;
    for (; i + VL <= reals; i += VL)
        store(out + i, product_turned(load(a + i), load(b + i)));
    if (i < reals) {
        vec x = load_part(a + i, reals - i);
        vec y = load_part(b + i, reals - i);
        store_part(out + i, product_turned(x, y), reals - i);
    }
}

static void multiply_turned_both(T *out, const T *a, const T *b, const T *c,
                                 const T *d, size_t n)
{
    size_t i = 0, reals = 2 * n;
    for (; i + VL <= reals; i += VL)
        store(out + i,
              product_turned(held(load(a + i)), held(load(b + i))) +
                  product_turned(held(load(c + i)), held(load(d + i))));
    if (i < reals) {
        const size_t rest = reals - i;
        vec x = product_turned(load_part(a + i, rest), load_part(b + i, rest));
        vec y = product_turned(load_part(c + i, rest), load_part(d + i, rest));
        store_part(out + i, x + y, rest);
    }
}

/* The coarse factor twice, thrice ... through the vector. */
static inline vec repeat_unit(const T *unit)
{
    T part[VL];
    for (int i = 0; i < VL; i++)
        part[i] = unit[i & 1];
    return load(part);
}

static void multiply_powers(T *out, const T *in, const T *coarse,
                            const T *fine, size_t span, size_t n)
{
    for (size_t b = 0; b < n; b += span, coarse += 2) {
        size_t i = 0, reals = 2 * (n - b < span ? n - b : span);
        vec step = repeat_unit(coarse);
        for (; i + VL <= reals; i += VL) {
            vec w = product(load(fine + i), step);
            store(out + 2 * b + i, product(load(in + 2 * b + i), w));
        }
        if (i < reals) {
            vec w = product(load_part(fine + i, reals - i), step);
            vec x = load_part(in + 2 * b + i, reals - i);
            store_part(out + 2 * b + i, product(x, w), reals - i);
        }
    }
}

static void scale(T *x, T factor, size_t n_reals)
{
    size_t i = 0;
    for (; i + VL <= n_reals; i += VL)
        store(x + i, load(x + i) * factor);
    for (; i < n_reals; i++)
        x[i] *= factor;
}

/* in may overlap out; memmove must not be given NULL. */
static void copy(T *out, const T *in, size_t n_reals)
{
    if (n_reals)
        memmove(out, in, n_reals * sizeof(T));
}
