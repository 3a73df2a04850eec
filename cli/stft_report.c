/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report of `weft stft`: the strongest frequencies, the plan, the error
 * measured on some frames against the exact transform, and the time of the
 * transforms beside FFTW's for the same batch of complex transforms.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact.h"
#include "field.h"
#include "problems.h"
#include "spectrogram.h"
#include "timing.h"

enum { STRONGEST = 5, CHECKED_FRAMES = 4 };

/* ---- Strongest frequencies ---------------------------------------------- */

typedef struct peak {
    double hertz, level; /* level in dBFS, of the mean power */
} peak;

static double *mean_power(const spectrogram *s)
{
    double *mean = calloc((size_t)s->bins, sizeof *mean);
    for (int64_t i = 0; mean && i < s->frames * s->bins; i++) {
        double re, im;
        if (s->type == WEFT_F64) {
            re = ((const double *)s->spectrum)[2 * i];
            im = ((const double *)s->spectrum)[2 * i + 1];
        } else {
            re = ((const float *)s->spectrum)[2 * i];
            im = ((const float *)s->spectrum)[2 * i + 1];
        }
        mean[i % s->bins] += (re * re + im * im) / (double)s->frames;
    }
    return mean;
}

/* A parabola through the logarithms at k - 1, k, k + 1 finds the peak
 * between bins (Smith and Serra 1987); exact for a Gaussian window, within
 * a few hundredths of a bin for Hann's. */
static peak refine(const spectrogram *s, const double *mean, int64_t k)
{
    double a = log(mean[k - 1] + 1e-300), b = log(mean[k] + 1e-300),
           c = log(mean[k + 1] + 1e-300);
    double curve = a - 2 * b + c;
    double shift = curve < 0 ? (a - c) / (2 * curve) : 0;
    double full = s->full_scale * s->full_scale;
    return (peak){((double)k + shift) * s->rate / (double)s->options.n_fft,
                  10 * log10(exp(b - (a - c) * shift / 4) / full)};
}

/* The highest local maxima, in order; returns how many. */
static int find_peaks(const spectrogram *s, const double *mean,
                      peak peaks[STRONGEST])
{
    int count = 0;
    for (int64_t k = 1; k + 1 < s->bins; k++) {
        if (!(mean[k] > mean[k - 1] && mean[k] >= mean[k + 1]))
            continue; /* nor where frames hold what is no number */
        peak found = refine(s, mean, k);
        int place = count < STRONGEST ? count++ : STRONGEST;
        while (place > 0 && peaks[place - 1].level < found.level) {
            if (place < STRONGEST)
                peaks[place] = peaks[place - 1];
            place--;
        }
        if (place < STRONGEST)
            peaks[place] = found;
    }
    return count;
}

static int report_peaks(const spectrogram *s, report *root)
{
    double *mean = mean_power(s);
    if (!mean)
        return fail(CODE_LIBRARY, "no memory for the mean spectrum");
    peak peaks[STRONGEST];
    int count = find_peaks(s, mean, peaks);
    free(mean);
    report *list = report_array(root, "strongest");
    if (!root)
        printf("strongest:  ");
    for (int i = 0; i < count; i++) {
        report *row = report_append(list);
        report_number(row, "hertz", peaks[i].hertz);
        report_number(row, "dbfs", peaks[i].level);
        if (!root)
            printf("%s%.5g Hz (%.1f dBFS)", i ? ", " : "", peaks[i].hertz,
                   peaks[i].level);
    }
    if (!root)
        printf("%s\n", count ? "" : "none");
    return CODE_OK;
}

/* ---- Error -------------------------------------------------------------- */

/* Relative L2 error of one frame's bins, -1 where its samples are not all finite;
 * `space` holds 6 n_fft doubles. */
static int frame_error(const spectrogram *s, int64_t index, double *space,
                       double *error)
{
    int64_t n = s->options.n_fft;
    double *in = space, *hi = in + 2 * n, *got = hi + 2 * n;
    if (weft_stft_frame(s->stft, s->signal, s->samples, index, hi))
        return fail(CODE_LIBRARY, "frame: %s", weft_stft_error_text());
    for (int64_t j = 0; j < n; j++) {
        in[2 * j] = hi[j];
        in[2 * j + 1] = 0;
    }
    if (weft_reference(n, WEFT_FORWARD, in, hi, NULL))
        return fail_library("the reference");
    for (int64_t k = 0; k < 2 * s->bins; k++) {
        int64_t at = 2 * index * s->bins + k;
        got[k] = s->type == WEFT_F64 ? ((const double *)s->spectrum)[at]
                                     : ((const float *)s->spectrum)[at];
    }
    double size = 0;
    for (int64_t k = 0; k < 2 * s->bins; k++)
        size += hi[k] * hi[k];
    if (size == 0)
        *error = 0;
    else
        *error = isfinite(size) ? error_between(got, hi, NULL, s->bins).l2
                                : -1;
    return CODE_OK;
}

static int report_error(const spectrogram *s, const weft_problem *problem,
                        report *root)
{
    double *space = packed_new(3 * s->options.n_fft + 3);
    if (!space)
        return CODE_LIBRARY;
    double worst = 0;
    const int64_t most = s->frames < CHECKED_FRAMES ? s->frames
                                                    : CHECKED_FRAMES;
    int64_t checked = 0;
    int code = CODE_OK;
    for (int64_t i = 0; i < most && !code; i++) {
        double error = 0;
        /* Spread over the recording, away from its silent ends. */
        int64_t index = (2 * i + 1) * s->frames / (2 * most);
        code = frame_error(s, index, space, &error);
        if (code || error < 0)
            continue;
        checked++;
        if (!(error <= worst))
            worst = error;
    }
    weft_free(space);
    if (code)
        return code;
    /* The law is of random numbers; a recording may be one tone, or an offset. */
    double u = problem_unit(problem), bar = 2 * problem_bar(problem);
    report_integer(root, "checked_frames", checked);
    report_number(root, "error_l2", worst);
    report_number(root, "error_l2_u", worst / u);
    report_number(root, "error_bar", bar);
    if (!root && checked < most)
        printf("error:      %lld of %lld frames hold samples that are not "
               "finite and are not checked\n",
               (long long)(most - checked), (long long)most);
    if (!root && checked > 0)
        printf("error:      %.3g relative L2 = %.2f u, the worst of %lld "
               "frames against the exact transform (bar %.2f u)\n",
               worst, worst / u, (long long)checked, bar / u);
    if (!(worst <= bar))
        return fail(CODE_CHECK, "the error %.3g is above the bar %.3g", worst,
                    bar);
    return CODE_OK;
}

/* ---- Time --------------------------------------------------------------- */

typedef struct weft_run {
    const weft_plan *plan;
    const samples *data;
} weft_run;

static void call_weft(void *argument, int64_t calls)
{
    const weft_run *run = argument;
    for (int64_t i = 0; i < calls; i++)
        weft_execute(run->plan, run->data->in_re, run->data->out_re);
}

static void print_time(report *list, const char *name, const char *build,
                       const contender *c, const spectrogram *s,
                       const weft_problem *problem)
{
    double blocks = ceil((double)s->frames / (double)problem_batch(problem));
    report *row = report_append(list);
    report_text(row, "library", name);
    report_text(row, "build", build);
    report_number(row, "block_seconds_min", c->minimum);
    report_number(row, "block_seconds_median", c->median);
    report_number(row, "transforms_seconds", blocks * c->median);
    if (!list)
        printf("time:       %-5s %9.1f us for all transforms (median; "
               "%.1f us a block, %.2f GFLOP/s)  %s\n",
               name, 1e6 * blocks * c->median, 1e6 * c->median,
               1e-9 * problem_flops(problem) / c->median, build);
}

static int time_transforms(const spectrogram *s, const peer_list *list,
                           field *data, report *root)
{
    contender c[MAX_PEERS + 1] = {{.calls = 0}};
    int who[MAX_PEERS + 1], count = 1;
    weft_run own = {weft_stft_plan(s->stft), &data->at};
    c[0].run = (runner){call_weft, &own};
    for (int i = 0; i < list->count; i++) {
        reason why;
        const peer *p = &list->peers[i];
        if (p->plan(p, &data->problem, &data->at, &c[count].run, &why))
            who[count++] = i;
        else if (!root)
            printf("time:       %-5s %s\n", p->name, why.text);
    }
    memset(data->in[0], 0, data->in_bytes);
    timing_plan plan = {.rounds = 40,
                        .budget = 1,
                        .sample = 2e-4,
                        .warm = 1e-3,
                        .clock = CLOCK_CPU};
    if (data->problem.threads > 1)
        plan.clock = CLOCK_WALL;
    int code = timing_run(c, count, &plan);
    report *rows = report_array(root, "times");
    for (int i = 0; i < count && !code; i++)
        print_time(rows, i ? list->peers[who[i]].name : "weft",
                   i ? list->peers[who[i]].build : weft_version(), &c[i], s,
                   &data->problem);
    for (int i = 1; i < count; i++)
        list->peers[who[i]].release(&list->peers[who[i]], data->problem.type,
                                    &c[i].run);
    return code;
}

static int report_time(const spectrogram *s, const weft_problem *problem,
                       const peer_options *options, report *root)
{
    static peer_list list; /* large; one report a run */
    peers_open(&list, options, "fftw");
    for (int i = 0; i < list.absent_count && !root; i++)
        printf("time:       %s not found: %s\n", list.absent[i].name,
               list.absent[i].why.text);
    field data;
    int code = field_open(&data, problem);
    if (!code)
        code = time_transforms(s, &list, &data, root);
    field_close(&data);
    return code;
}

/* ---- All ---------------------------------------------------------------- */

static void print_signal(const spectrogram *s, report *root)
{
    report_text(root, "input", s->source);
    report_integer(root, "samples", s->samples);
    report_number(root, "rate", s->rate);
    report_integer(root, "channels", s->channels);
    report_integer(root, "n_fft", s->options.n_fft);
    report_integer(root, "hop", s->options.hop);
    report_integer(root, "frames", s->frames);
    report_integer(root, "bins", s->bins);
    if (root)
        return;
    printf("input:      %s: %lld samples, %.10g Hz, %d channel%s, %.3f s\n",
           s->source, (long long)s->samples, s->rate, s->channels,
           s->channels == 1 ? "" : "s", (double)s->samples / s->rate);
    printf("frames:     %lld of %lld bins; n_fft %lld, hop %lld, %s "
           "window, %s\n",
           (long long)s->frames, (long long)s->bins,
           (long long)s->options.n_fft, (long long)s->options.hop,
           weft_stft_window_name(s->options.window),
           s->type == WEFT_F64 ? "f64" : "f32");
}

static int print_plan(const spectrogram *s, weft_problem *problem,
                      report *root)
{
    char text[1000], tree[4000];
    const weft_plan *plan = weft_stft_plan(s->stft);
    if (weft_plan_problem(plan, text, sizeof text, NULL) ||
        weft_plan_text(plan, tree, sizeof tree, NULL))
        return fail_library("the plan's text");
    report_text(root, "problem", text);
    report_text(root, "plan", tree);
    if (!root)
        printf("problem:    %s\nplan:       %s\n", text, tree);
    return problem_read(text, problem) ? CODE_LIBRARY : CODE_OK;
}

int spectrogram_report(const spectrogram *s, const peer_options *peers,
                       report *root)
{
    weft_problem problem;
    print_signal(s, root);
    int code = report_peaks(s, root);
    if (!code)
        code = print_plan(s, &problem, root);
    int check = code ? code : report_error(s, &problem, root);
    if (check == CODE_OK || check == CODE_CHECK)
        code = report_time(s, &problem, peers, root);
    return check ? check : code;
}
