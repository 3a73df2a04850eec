/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The short-time Fourier transform: see weft/stft.h for what it computes.
 *
 * Frames go in blocks: those of one are windowed into a buffer, and one
 * execution of one batched plan of real input writes their spectra where they
 * belong.  A block is sized to stay in the second-level cache.  The last block is
 * filled up with zeros, so one plan does all.
 */
#include <weft/stft.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Samples of a block, in and out together 512 KiB in f64: inside the second-level
 * cache of machines with 1 MiB or more a core. */
enum { BLOCK_SAMPLES = 32768, MOST_FRAMES = 128 };

struct weft_stft {
    weft_type type;
    weft_stft_options options; /* with the defaults filled in */
    int64_t block;             /* frames in a block */
    int64_t shift;             /* n_fft/2 when centred */
    weft_plan *plan;
    void *window; /* n_fft reals of the type */
};

static _Thread_local char error_text[240];

const char *weft_stft_error_text(void)
{
    return error_text;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static weft_status
refuse(weft_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(error_text, sizeof error_text, format, list);
    va_end(list);
    return status;
}

static weft_status pass_on(weft_status status)
{
    return refuse(status, "%s", weft_error_text());
}

/* ---- Windows ------------------------------------------------------------ */

/* Each is a short sum of cosines, a0 - a1 cos(x) + a2 cos(2x); values from
 * Harris, "On the use of windows", Proc. IEEE 66 (1978). */
static const struct {
    const char *name;
    double a0, a1, a2;
} windows[] = {
    {"hann", 0.5, 0.5, 0},
    {"hamming", 0.54, 0.46, 0},
    {"blackman", 0.42, 0.5, 0.08},
    {"rectangular", 1, 0, 0},
};

enum { WINDOW_COUNT = sizeof windows / sizeof windows[0] };

int weft_stft_window_find(const char *name)
{
    for (int i = 0; name && i < WINDOW_COUNT; i++)
        if (!strcmp(name, windows[i].name))
            return i;
    return -1;
}

const char *weft_stft_window_name(weft_stft_window window)
{
    return (int)window >= 0 && (int)window < WINDOW_COUNT
               ? windows[window].name
               : NULL;
}

weft_status weft_stft_window_fill(weft_stft_window window, int symmetric,
                                  int64_t n, double *values)
{
    if (!weft_stft_window_name(window))
        return refuse(WEFT_ERR_ARGUMENT, "window %d is not known",
                      (int)window);
    if (n < 1 || !values)
        return refuse(WEFT_ERR_ARGUMENT, "a window of %lld values%s",
                      (long long)n, values ? "" : " at NULL");
    const double two_pi = 6.283185307179586476925;
    double period = symmetric && n > 1 ? (double)(n - 1) : (double)n;
    for (int64_t j = 0; j < n; j++) {
        double x = two_pi * ((double)j / period);
        values[j] = windows[window].a0 - windows[window].a1 * cos(x) +
                    windows[window].a2 * cos(2 * x);
    }
    if (n == 1)
        values[0] = 1;
    return WEFT_OK;
}

/* ---- Creating ----------------------------------------------------------- */

static weft_status check(weft_type type, weft_stft_options *options)
{
    const int64_t most = INT64_MAX / 64;
    if (type != WEFT_F32 && type != WEFT_F64)
        return refuse(WEFT_ERR_ARGUMENT, "type %d is not known", (int)type);
    if (options->size != sizeof *options)
        return refuse(WEFT_ERR_ARGUMENT, "options.size is %zu, not %zu",
                      options->size, sizeof *options);
    if (options->n_fft < 1 || options->n_fft > most)
        return refuse(options->n_fft < 1 ? WEFT_ERR_ARGUMENT
                                         : WEFT_ERR_OVERFLOW,
                      "n_fft = %lld is outside 1 .. %lld",
                      (long long)options->n_fft, (long long)most);
    if (options->hop < 0 || options->hop > most)
        return refuse(WEFT_ERR_ARGUMENT, "hop = %lld is outside 0 .. %lld",
                      (long long)options->hop, (long long)most);
    if (options->win_length < 0 || options->win_length > options->n_fft)
        return refuse(WEFT_ERR_ARGUMENT,
                      "win_length = %lld is outside 0 .. n_fft = %lld",
                      (long long)options->win_length,
                      (long long)options->n_fft);
    if (!weft_stft_window_name(options->window))
        return refuse(WEFT_ERR_ARGUMENT, "window %d is not known",
                      (int)options->window);
    if ((int)options->padding < 0 || options->padding > WEFT_STFT_NONE)
        return refuse(WEFT_ERR_ARGUMENT, "padding %d is not known",
                      (int)options->padding);
    if (options->hop == 0)
        options->hop = options->n_fft < 4 ? 1 : options->n_fft / 4;
    if (options->win_length == 0)
        options->win_length = options->n_fft;
    return WEFT_OK;
}

/* The window, centred in n_fft zeros, in the stft's type. */
static weft_status make_window(weft_stft *stft)
{
    int64_t n = stft->options.n_fft, length = stft->options.win_length;
    size_t real = stft->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    double *values = weft_alloc((size_t)n * sizeof(double));
    stft->window = weft_alloc((size_t)n * real);
    if (!values || !stft->window) {
        weft_free(values);
        return refuse(WEFT_ERR_NO_MEMORY, "no memory for a window of %lld",
                      (long long)n);
    }
    memset(values, 0, (size_t)n * sizeof(double));
    weft_status status = weft_stft_window_fill(stft->options.window,
                                               stft->options.symmetric, length,
                                               values + (n - length) / 2);
    for (int64_t j = 0; j < n; j++) {
        if (stft->type == WEFT_F64)
            ((double *)stft->window)[j] = values[j];
        else
            ((float *)stft->window)[j] = (float)values[j];
    }
    weft_free(values);
    return status;
}

weft_status weft_stft_create(weft_type type, const weft_stft_options *options,
                             weft_stft **stft)
{
    if (stft)
        *stft = NULL;
    if (!stft || !options)
        return refuse(WEFT_ERR_ARGUMENT, "options or stft is NULL");
    weft_stft_options full = *options;
    weft_status status = check(type, &full);
    if (status)
        return status;
    weft_stft *made = weft_alloc(sizeof *made);
    if (!made)
        return refuse(WEFT_ERR_NO_MEMORY, "no memory for an stft");
    *made = (weft_stft){.type = type, .options = full};
    int64_t block = BLOCK_SAMPLES / full.n_fft;
    made->block = block < 1 ? 1 : block > MOST_FRAMES ? MOST_FRAMES : block;
    made->shift = full.padding == WEFT_STFT_NONE ? 0 : full.n_fft / 2;

    weft_problem problem = weft_problem_nd(type, 1, &full.n_fft, made->block,
                                           WEFT_FORWARD);
    problem.kind = WEFT_R2C;
    problem.threads = full.threads;
    status = weft_plan_create(&problem, NULL, &made->plan);
    if (status)
        pass_on(status);
    else
        status = make_window(made);
    if (status)
        weft_stft_release(made);
    else
        *stft = made;
    return status;
}

void weft_stft_release(weft_stft *stft)
{
    if (!stft)
        return;
    weft_plan_release(stft->plan);
    weft_free(stft->window);
    weft_free(stft);
}

int64_t weft_stft_bins(const weft_stft *stft)
{
    return stft->options.n_fft / 2 + 1;
}

const weft_plan *weft_stft_plan(const weft_stft *stft)
{
    return stft->plan;
}

/* ---- Frames ------------------------------------------------------------- */

weft_status weft_stft_frames(const weft_stft *stft, int64_t samples,
                             int64_t *frames)
{
    if (!stft || !frames)
        return refuse(WEFT_ERR_ARGUMENT, "stft or frames is NULL");
    int64_t n = stft->options.n_fft;
    if (samples < 0 || samples > INT64_MAX / 64)
        return refuse(WEFT_ERR_ARGUMENT, "%lld samples make no signal",
                      (long long)samples);
    if (stft->options.padding == WEFT_STFT_REFLECT && samples <= n / 2)
        return refuse(WEFT_ERR_ARGUMENT,
                      "%lld samples are too few to mirror n_fft/2 = %lld",
                      (long long)samples, (long long)(n / 2));
    int64_t room = samples + 2 * stft->shift - n;
    if (room < 0)
        return refuse(WEFT_ERR_ARGUMENT,
                      "%lld samples are too few for n_fft = %lld",
                      (long long)samples, (long long)n);
    *frames = 1 + room / stft->options.hop;
    return WEFT_OK;
}

static int64_t frame_start(const weft_stft *stft, int64_t index)
{
    return index * stft->options.hop - stft->shift;
}

/* The sample that stands for position `at` outside the signal, or -1 for
 * zero.  One reflection is enough: n_fft/2 < samples. */
static int64_t outside(const weft_stft *stft, int64_t at, int64_t samples)
{
    if (stft->options.padding != WEFT_STFT_REFLECT)
        return -1;
    return at < 0 ? -at : 2 * (samples - 1) - at;
}

#define REAL float
#define NAME(x) x##_f32
#include "stft_tmpl.c"
#undef REAL
#undef NAME
#define REAL double
#define NAME(x) x##_f64
#include "stft_tmpl.c"
#undef REAL
#undef NAME

weft_status weft_stft_execute(const weft_stft *stft, const void *signal,
                              int64_t samples, void *out)
{
    int64_t frames;
    weft_status status = weft_stft_frames(stft, samples, &frames);
    if (status)
        return status;
    if (!signal || !out)
        return refuse(WEFT_ERR_ARGUMENT, "signal or out is NULL");
    const size_t real = stft->type == WEFT_F64 ? sizeof(double)
                                               : sizeof(float);
    /* block * n_fft <= max(BLOCK_SAMPLES, n_fft): cannot overflow. */
    const size_t in = (size_t)(stft->block * stft->options.n_fft) * real,
                 all = in +
                       (size_t)(stft->block * weft_stft_bins(stft)) * 2 * real;
    char *block = weft_alloc(all);
    if (!block)
        return refuse(WEFT_ERR_NO_MEMORY, "no memory for %zu bytes", all);
    void *spare = block + in;
    for (int64_t at = 0; at < frames && !status; at += stft->block)
        status = stft->type == WEFT_F64
                     ? run_block_f64(stft, signal, samples, frames, at,
                                     (double *)(void *)block, spare, out)
                     : run_block_f32(stft, signal, samples, frames, at,
                                     (float *)(void *)block, spare, out);
    weft_free(block);
    return status ? pass_on(status) : WEFT_OK;
}

weft_status weft_stft_frame(const weft_stft *stft, const void *signal,
                            int64_t samples, int64_t index, double *values)
{
    int64_t frames;
    weft_status status = weft_stft_frames(stft, samples, &frames);
    if (status)
        return status;
    if (index < 0 || index >= frames || !signal || !values)
        return refuse(WEFT_ERR_ARGUMENT, "frame %lld of %lld, or NULL",
                      (long long)index, (long long)frames);
    int64_t n = stft->options.n_fft;
    void *frame = weft_alloc((size_t)n * sizeof(double));
    if (!frame)
        return refuse(WEFT_ERR_NO_MEMORY, "no memory for a frame of %lld",
                      (long long)n);
    int64_t start = frame_start(stft, index);
    if (stft->type == WEFT_F64)
        load_frame_f64(stft, signal, samples, start, frame);
    else
        load_frame_f32(stft, signal, samples, start, frame);
    for (int64_t j = 0; j < n; j++)
        values[j] = stft->type == WEFT_F64 ? ((double *)frame)[j]
                                           : (double)((float *)frame)[j];
    weft_free(frame);
    return WEFT_OK;
}

/* ---- Magnitudes --------------------------------------------------------- */

void weft_stft_magnitude(weft_type type, const void *spectrum, int64_t count,
                         void *out)
{
    if (type == WEFT_F64)
        power_f64(spectrum, count, out, 1);
    else
        power_f32(spectrum, count, out, 1);
}

void weft_stft_power(weft_type type, const void *spectrum, int64_t count,
                     void *out)
{
    if (type == WEFT_F64)
        power_f64(spectrum, count, out, 0);
    else
        power_f32(spectrum, count, out, 0);
}

weft_status weft_stft_decibels(weft_type type, const void *power,
                               int64_t count, double reference, double top,
                               void *out)
{
    if (!(reference > 0) || !isfinite(reference) || !power || !out)
        return refuse(WEFT_ERR_ARGUMENT, "reference = %g, or NULL", reference);
    if ((type != WEFT_F32 && type != WEFT_F64) || count < 0 || isnan(top))
        return refuse(WEFT_ERR_ARGUMENT,
                      "type %d, count %lld or top %g is none", (int)type,
                      (long long)count, top);
    if (type == WEFT_F64)
        decibels_f64(power, count, reference, top, out);
    else
        decibels_f32(power, count, reference, top, out);
    return WEFT_OK;
}
