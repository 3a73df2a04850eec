/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A signal, its short-time Fourier transform and what is derived from it:
 * what `weft stft` computes (cmd_stft.c), draws and reports on
 * (stft_report.c).
 */
#ifndef WEFT_CLI_SPECTROGRAM_H
#define WEFT_CLI_SPECTROGRAM_H

#include <weft/stft.h>

#include "array.h"
#include "peer.h"
#include "report.h"

typedef struct spectrogram {
    const char *source; /* name of the input */
    weft_type type;
    weft_stft_options options; /* defaults filled in */
    weft_stft *stft;
    void *signal; /* one channel, `samples` reals of the type */
    int64_t samples;
    int channels; /* of the input */
    double rate;  /* samples a second */
    int64_t frames, bins;
    void *spectrum;    /* complex, [frame][bin] */
    double seconds;    /* that computing it took */
    double full_scale; /* |X| of a sine of amplitude 1 */
} spectrogram;

/* Prints (root NULL) or fills the report: strongest frequencies, plan,
 * measured error, time beside FFTW's.  0, CODE_CHECK when the error is
 * above weft's bar, or an error, told. */
int spectrogram_report(const spectrogram *self, const peer_options *peers,
                       report *root);

#endif
