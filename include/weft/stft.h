/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stft.h - the short-time Fourier transform of a real signal, on weft.h.
 *
 *     weft_stft_options options = {.size = sizeof options, .n_fft = 1024};
 *     weft_stft *stft;
 *     weft_status status = weft_stft_create(WEFT_F32, &options, &stft);
 *     int64_t frames;
 *     if (status == WEFT_OK)
 *         status = weft_stft_frames(stft, samples, &frames);
 *     ... out = weft_alloc(frames * weft_stft_bins(stft) * 2 * sizeof(float))
 *     if (status == WEFT_OK)
 *         status = weft_stft_execute(stft, signal, samples, out);
 *     weft_stft_release(stft);
 *
 * Frame t is the window times the n_fft samples that start at t * hop (with
 * centring: that have sample t * hop in their middle), and
 *
 *     out[t][k] = sum_j window[j] x[t*hop - shift + j] exp(-2 pi i j k/n_fft)
 *
 * for 0 <= k <= n_fft/2: these are all frequencies of a real signal, the
 * others are their conjugates.  Not scaled; conventions as librosa.stft and
 * scipy.signal.ShortTimeFFT have them.  Frames are contiguous:
 * a (frames, bins) array in C order, which is librosa's (bins, frames) in
 * Fortran order.
 *
 * Method.  Blocks of windowed frames by one plan of real input (r2c).  A frame's
 * spectrum is its own: its error is relative to it, and a NaN or an infinity in a
 * sample reaches the frames that hold the sample and no others.
 *
 * Threads and errors as in weft.h: an stft is immutable, every function may
 * be called from any thread; weft_stft_error_text() says why the thread's
 * last refused call was refused.  Execute allocates its block of frames
 * (some hundred KiB) and so can fail for lack of memory only.
 */
#ifndef WEFT_STFT_H
#define WEFT_STFT_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Each in its periodic form (period n, not n - 1), which is the one that
 * overlapping frames want; `symmetric` gives the other. */
typedef enum weft_stft_window {
    WEFT_STFT_HANN = 0,
    WEFT_STFT_HAMMING,
    WEFT_STFT_BLACKMAN,
    WEFT_STFT_RECTANGULAR
} weft_stft_window;

typedef enum weft_stft_padding {
    WEFT_STFT_REFLECT = 0, /* centred frames; the signal mirrored about its
                              ends, which are not repeated */
    WEFT_STFT_ZERO,        /* centred frames; zeros around (librosa) */
    WEFT_STFT_NONE         /* frames inside the signal only */
} weft_stft_padding;

/* Zero every field you do not set. */
typedef struct weft_stft_options {
    size_t size;        /* sizeof(weft_stft_options) */
    int64_t n_fft;      /* >= 1, samples of a frame */
    int64_t hop;        /* samples from frame to frame; 0: n_fft/4, >= 1 */
    int64_t win_length; /* 1 .. n_fft, zeros around it; 0: n_fft */
    weft_stft_window window;
    weft_stft_padding padding;
    int32_t symmetric; /* nonzero: the symmetric form of the window */
    int32_t threads;   /* as in weft_problem */
} weft_stft_options;

typedef struct weft_stft weft_stft;

/* Why the thread's last refused weft_stft_ call was refused; "" if none. */
WEFT_API const char *weft_stft_error_text(void);

/* WEFT_STFT_HANN for "hann", also "hamming", "blackman", "rectangular"; -1
 * for anything else.  And the name of a window, NULL for no window. */
WEFT_API int weft_stft_window_find(const char *name);
WEFT_API const char *weft_stft_window_name(weft_stft_window window);

/* The window's n values into `values`. */
WEFT_API weft_status weft_stft_window_fill(weft_stft_window window,
                                           int symmetric, int64_t n,
                                           double *values);

/* `type` is that of signal and spectrum: WEFT_F32 or WEFT_F64.  Refuses
 * sizes that make no sense or do not fit.  *stft is NULL on an error. */
WEFT_API weft_status weft_stft_create(weft_type type,
                                      const weft_stft_options *options,
                                      weft_stft **stft);
WEFT_API void weft_stft_release(weft_stft *stft); /* NULL is nothing */

/* n_fft/2 + 1. */
WEFT_API int64_t weft_stft_bins(const weft_stft *stft);
/* How many frames a signal of `samples` has: 1 + samples/hop centred (for
 * odd n_fft 1 + (samples-1)/hop), else 1 + (samples - n_fft)/hop.  Refuses
 * a signal too short for one frame, or for its mirror image. */
WEFT_API weft_status weft_stft_frames(const weft_stft *stft, int64_t samples,
                                      int64_t *frames);

/* All frames of `signal`, `samples` real numbers, into out: frames * bins
 * interleaved complex numbers. */
WEFT_API weft_status weft_stft_execute(const weft_stft *stft,
                                       const void *signal, int64_t samples,
                                       void *out);

/* The windowed n_fft samples that frame `index` transforms, rounded to the
 * stft's type as execute rounds them, as doubles: to check against. */
WEFT_API weft_status weft_stft_frame(const weft_stft *stft, const void *signal,
                                     int64_t samples, int64_t index,
                                     double *values);

/* The plan that execute uses (valid as long as the stft). */
WEFT_API const weft_plan *weft_stft_plan(const weft_stft *stft);

/* Of `count` complex numbers: |z| and |z|^2. */
WEFT_API void weft_stft_magnitude(weft_type type, const void *spectrum,
                                  int64_t count, void *out);
WEFT_API void weft_stft_power(weft_type type, const void *spectrum,
                              int64_t count, void *out);
/* 10 log10(power / reference), but not below `top` decibels under the
 * largest of them (top <= 0: no such floor) nor for a power under 1e-20
 * times the reference, which counts as that.  A NaN stays one.  out == power is allowed.
 * Refuses a reference that is not positive and finite, an unknown type, a count
 * below 0, NULL and a top that is no number. */
WEFT_API weft_status weft_stft_decibels(weft_type type, const void *power,
                                        int64_t count, double reference,
                                        double top, void *out);

#ifdef __cplusplus
}
#endif

#endif
