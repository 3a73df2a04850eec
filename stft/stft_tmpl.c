/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic on samples, included by stft.c once a type: REAL is the
 * type, NAME(x) the function's name for it.
 */

/* Adds nothing, moves: window times the frame that starts at `start` (may be
 * outside the signal), to every second number from `to`. */
static void NAME(load_frame)(const weft_stft *stft, const REAL *signal,
                             int64_t samples, int64_t start, REAL *to)
{
    const REAL *window = stft->window;
    for (int64_t j = 0; j < stft->options.n_fft; j++) {
        int64_t at = start + j;
        if (at < 0 || at >= samples)
            at = outside(stft, at, samples);
        to[2 * j] = at < 0 ? 0 : window[j] * signal[at];
    }
}

/* Z -> A, B (see stft.h); b is NULL when the last frame has no partner. */
static void NAME(split_pair)(const REAL *z, int64_t n, REAL *a, REAL *b)
{
    for (int64_t k = 0; k <= n / 2; k++) {
        int64_t m = k ? n - k : 0;
        REAL zr = z[2 * k], zi = z[2 * k + 1];
        REAL mr = z[2 * m], mi = z[2 * m + 1];
        a[2 * k] = (zr + mr) / 2;
        a[2 * k + 1] = (zi - mi) / 2;
        if (!b)
            continue;
        b[2 * k] = (zi + mi) / 2;
        b[2 * k + 1] = (mr - zr) / 2;
    }
}

/* `pairs` pairs of frames from `first` on through one execution. */
static weft_status NAME(run_block)(const weft_stft *stft, const REAL *signal,
                                   int64_t samples, int64_t frames,
                                   int64_t first, REAL *block, REAL *out)
{
    int64_t n = stft->options.n_fft, bins = n / 2 + 1;
    size_t length = 2 * (size_t)n;
    REAL *to = block + (size_t)stft->pairs * length;
    for (int64_t p = 0; p < 2 * stft->pairs; p++) {
        REAL *frame = block + (size_t)(p / 2) * length + p % 2;
        for (int64_t j = 0; first + p >= frames && j < n; j++)
            frame[2 * j] = 0; /* the last block is not full */
        if (first + p >= frames)
            continue;
        int64_t start = frame_start(stft, first + p);
        NAME(load_frame)(stft, signal, samples, start, frame);
    }
    weft_status status = weft_execute(stft->plan, block, to);
    for (int64_t p = 0; p < 2 * stft->pairs && !status; p += 2) {
        int64_t index = first + p;
        if (index >= frames)
            break;
        REAL *a = out + 2 * (size_t)index * (size_t)bins;
        NAME(split_pair)
        (to + (size_t)(p / 2) * length, n, a,
         index + 1 < frames ? a + 2 * bins : NULL);
    }
    return status;
}

static void NAME(power)(const REAL *z, int64_t count, REAL *out, int root)
{
    for (int64_t i = 0; i < count; i++) {
        double re = z[2 * i], im = z[2 * i + 1];
        out[i] = (REAL)(root ? hypot(re, im) : re * re + im * im);
    }
}

static void NAME(decibels)(const REAL *power, int64_t count, double reference,
                           double top, REAL *out)
{
    double highest = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        double ratio = power[i] / reference;
        double level = 10 * log10(ratio > 1e-20 ? ratio : 1e-20);
        highest = level > highest ? level : highest;
        out[i] = (REAL)level;
    }
    for (int64_t i = 0; i < count && top > 0; i++)
        if (out[i] < highest - top)
            out[i] = (REAL)(highest - top);
}
