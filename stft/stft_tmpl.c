/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arithmetic on samples, included by stft.c once a type: REAL is the
 * type, NAME(x) the function's name for it.
 */

/* Window times the frame that starts at `start`, which may be outside the
 * signal. */
static void NAME(load_frame)(const weft_stft *stft, const REAL *signal,
                             int64_t samples, int64_t start, REAL *to)
{
    const REAL *window = stft->window;
    const int64_t n = stft->options.n_fft;
    if (start >= 0 && start <= samples - n) {
        for (int64_t j = 0; j < n; j++)
            to[j] = window[j] * signal[start + j];
        return;
    }
    for (int64_t j = 0; j < n; j++) {
        int64_t at = start + j;
        if (at < 0 || at >= samples)
            at = outside(stft, at, samples);
        to[j] = at < 0 ? 0 : window[j] * signal[at];
    }
}

/* A block of frames from `first` on through one execution, into their places.  Of
 * the last block, which is not full, the spectra come by way of `spare`. */
static weft_status NAME(run_block)(const weft_stft *stft, const REAL *signal,
                                   int64_t samples, int64_t frames,
                                   int64_t first, REAL *block, REAL *spare,
                                   REAL *out)
{
    const int64_t n = stft->options.n_fft, bins = n / 2 + 1;
    const int64_t left = frames - first;
    const int64_t count = left < stft->block ? left : stft->block;
    REAL *to = out + 2 * first * bins;
    for (int64_t i = 0; i < count; i++)
        NAME(load_frame)
    (stft, signal, samples, frame_start(stft, first + i), block + i * n);
    if (count == stft->block)
        return weft_execute(stft->plan, block, to);
    memset(block + count * n, 0,
           (size_t)((stft->block - count) * n) * sizeof *block);
    weft_status status = weft_execute(stft->plan, block, spare);
    if (status == WEFT_OK)
        memcpy(to, spare, (size_t)(2 * count * bins) * sizeof *to);
    return status;
}

static void NAME(power)(const REAL *z, int64_t count, REAL *out, int root)
{
    for (int64_t i = 0; i < count; i++) {
        double re = z[2 * i], im = z[2 * i + 1];
        out[i] = (REAL)(root ? hypot(re, im) : re * re + im * im);
    }
}

/* What is no number stays none. */
static void NAME(decibels)(const REAL *power, int64_t count, double reference,
                           double top, REAL *out)
{
    const double least = -200, unit = 10 * log10(reference);
    double highest = -INFINITY;
    for (int64_t i = 0; i < count; i++) {
        double level = 10 * log10(power[i]) - unit;
        if (level < least || power[i] <= 0)
            level = least;
        highest = level > highest ? level : highest;
        out[i] = (REAL)level;
    }
    for (int64_t i = 0; i < count && top > 0; i++)
        if (out[i] < highest - top)
            out[i] = (REAL)(highest - top);
}
