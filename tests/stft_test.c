/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stft_test.c - short-time transforms through weft/stft.h: frames are those
 * that weft_stft_frame says, spectra are their Fourier sums, and refusals leave
 * outputs as they were.  cli_test compares with numpy.
 */
#include "check.h"
#include "random.h"

#include <math.h>
#include <string.h>
#include <weft/stft.h>

enum { SAMPLES = 500, LONGEST = 64 };

static double signal[SAMPLES], frame[LONGEST];
static double spectra[2 * SAMPLES * LONGEST];

/* sum_j frame[j] exp(-2 pi i j k/n), against what execute has for it. */
static double distance(const double *got, int n, int k)
{
    const double turn = 2 * acos(-1) / n;
    double re = 0, im = 0;
    for (int j = 0; j < n; j++) {
        re += frame[j] * cos(turn * (j * k % n));
        im -= frame[j] * sin(turn * (j * k % n));
    }
    return hypot(got[0] - re, got[1] - im);
}

static void test_options(weft_stft_options o)
{
    weft_stft *stft = NULL;
    int64_t frames = -1;
    o.size = sizeof o;
    CHECK(weft_stft_create(WEFT_F64, &o, &stft) == WEFT_OK, "%s",
          weft_stft_error_text());
    const int n = (int)o.n_fft, bins = (int)weft_stft_bins(stft);
    CHECK(bins == n / 2 + 1, "%d bins of %d", bins, n);
    CHECK(weft_stft_frames(stft, SAMPLES, &frames) == WEFT_OK &&
              weft_stft_execute(stft, signal, SAMPLES, spectra) == WEFT_OK,
          "%s", weft_stft_error_text());
    for (int64_t t = 0; t < frames; t++) {
        CHECK(weft_stft_frame(stft, signal, SAMPLES, t, frame) == WEFT_OK,
              "frame %lld: %s", (long long)t, weft_stft_error_text());
        for (int k = 0; k < bins; k++) {
            const double off = distance(spectra + 2 * (t * bins + k), n, k);
            CHECK(off < 1e-12, "n %d, frame %lld, bin %d: %g off", n,
                  (long long)t, k, off);
        }
    }
    weft_stft_release(stft);
}

/* Frames are nobody else's: not a loud neighbour's, nor one's that has no numbers. */
static void test_neighbours(void)
{
    enum { N = 16, FRAMES = SAMPLES / N, LOUD = 2, NONE = 5 };
    const weft_stft_options o = {.size = sizeof o,
                                 .n_fft = N,
                                 .hop = N,
                                 .window = WEFT_STFT_RECTANGULAR,
                                 .padding = WEFT_STFT_NONE};
    static double mixed[SAMPLES];
    weft_stft *stft = NULL;
    memcpy(mixed, signal, sizeof mixed);
    for (int j = 0; j < N; j++)
        mixed[LOUD * N + j] *= 1e12;
    mixed[NONE * N + 3] = NAN;
    CHECK(weft_stft_create(WEFT_F64, &o, &stft) == WEFT_OK &&
              weft_stft_execute(stft, mixed, SAMPLES, spectra) == WEFT_OK,
          "%s", weft_stft_error_text());
    for (int t = 0; t < FRAMES; t++) {
        if (t == LOUD || t == NONE)
            continue;
        memcpy(frame, mixed + (ptrdiff_t)t * N, N * sizeof *frame);
        for (int k = 0; k <= N / 2; k++) {
            const double off =
                distance(spectra + 2 * ((ptrdiff_t)t * (N / 2 + 1) + k), N, k);
            CHECK(off < 1e-13, "frame %d, bin %d: %g off", t, k, off);
        }
    }
    weft_stft_release(stft);
}

static void test_refusals(void)
{
    weft_stft_options o = {.size = sizeof o, .n_fft = 64};
    weft_stft *stft = (weft_stft *)spectra;
    int64_t frames = 77;
    CHECK(weft_stft_window_find(NULL) == -1 &&
              weft_stft_window_find("Hann") == -1 &&
              weft_stft_window_find("blackman") == WEFT_STFT_BLACKMAN,
          "windows by name");
    CHECK(weft_stft_create(WEFT_F32, NULL, &stft) == WEFT_ERR_ARGUMENT &&
              stft == NULL,
          "no options");
    o.n_fft = 0;
    stft = (weft_stft *)spectra;
    CHECK(weft_stft_create(WEFT_F32, &o, &stft) == WEFT_ERR_ARGUMENT &&
              stft == NULL,
          "frames of nothing");
    CHECK(weft_stft_create(WEFT_F32, &o, NULL) == WEFT_ERR_ARGUMENT,
          "nowhere to put it");
    o.n_fft = 64;
    CHECK(weft_stft_create(WEFT_F32, &o, &stft) == WEFT_OK, "%s",
          weft_stft_error_text());
    CHECK(weft_stft_frames(stft, 20, &frames) == WEFT_ERR_ARGUMENT &&
              frames == 77,
          "%lld frames of a signal too short", (long long)frames);
    weft_stft_release(stft);
    weft_stft_release(NULL);
}

static void test_decibels(void)
{
    const double power[] = {1, 1e-3, 0, 4};
    double out[4] = {0};
    weft_status status = weft_stft_decibels(WEFT_F64, power, 4, 4, 0, out);
    CHECK(status == WEFT_OK && fabs(out[0] + 6.0206) < 1e-4 &&
              fabs(out[1] + 36.0206) < 1e-4 && out[2] == -200 && out[3] == 0,
          "%g %g %g %g dB", out[0], out[1], out[2], out[3]);
    status = weft_stft_decibels(WEFT_F64, power, 4, 1, 20, out);
    CHECK(status == WEFT_OK && fabs(out[1] - out[3] + 20) < 1e-12,
          "%g dB below the largest", out[3] - out[1]);
    const double wide[] = {NAN, 1e308};
    status = weft_stft_decibels(WEFT_F64, wide, 2, 1e-300, 0, out);
    CHECK(status == WEFT_OK && isnan(out[0]) && fabs(out[1] - 6080) < 1e-9,
          "%g and %g dB", out[0], out[1]);
    const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++)
        CHECK(weft_stft_decibels(WEFT_F64, power, 4, bad[i], 0, out) ==
                  WEFT_ERR_ARGUMENT,
              "reference %g", bad[i]);
    CHECK(weft_stft_decibels((weft_type)7, power, 4, 1, 0, out) ==
                  WEFT_ERR_ARGUMENT &&
              weft_stft_decibels(WEFT_F64, power, -1, 1, 0, out) ==
                  WEFT_ERR_ARGUMENT &&
              weft_stft_decibels(WEFT_F64, power, 4, 1, NAN, out) ==
                  WEFT_ERR_ARGUMENT,
          "type, count or top that are none");
}

int main(void)
{
    noise_state noise = {3};
    for (int i = 0; i < SAMPLES; i++)
        signal[i] = noise_real(&noise);
    test_options((weft_stft_options){.n_fft = 64});
    test_options((weft_stft_options){.n_fft = 63,
                                     .hop = 20,
                                     .window = WEFT_STFT_HAMMING,
                                     .padding = WEFT_STFT_ZERO});
    test_options((weft_stft_options){.n_fft = 48,
                                     .hop = 64,
                                     .win_length = 31,
                                     .window = WEFT_STFT_BLACKMAN,
                                     .padding = WEFT_STFT_NONE,
                                     .symmetric = 1});
    test_options((weft_stft_options){.n_fft = 1, .window = 3});
    test_neighbours();
    test_refusals();
    test_decibels();
    return check_report("stft_test");
}
