/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft stft: the spectrogram of a recording, as a picture or as numbers.
 * Levels are decibels relative to a sine of full scale (dBFS): a sine of
 * amplitude 1 has |X| = sum(window)/2 at its frequency.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "colours.h"
#include "file.h"
#include "io.h"
#include "picture.h"
#include "spectrogram.h"

enum {
    OPT_NFFT,
    OPT_HOP,
    OPT_LENGTH,
    OPT_WINDOW,
    OPT_PADDING,
    OPT_CHANNEL,
    OPT_RATE,
    OPT_RANGE,
    OPT_TOP,
    OPT_COLOURS,
    OPT_LOW,
    OPT_HIGH,
    OPT_WIDTH,
    OPT_HEIGHT,
    OPT_TITLE,
    OPT_OUTPUT,
    OPT_TYPE,
    OPT_THREADS,
    OPT_REPORT,
    OPT_JSON,
    OPT_FFTW,
    OPT_INPUT_FORMAT,
    OPT_RAW_TYPE,
    OPT_SHAPE
};

static const arg options[] = {
    {"n-fft", "N", "samples of a frame [1024]"},
    {"hop", "N", "samples from frame to frame [n-fft/4]"},
    {"win-length", "N", "length of the window, zeros around it [n-fft]"},
    {"window", "NAME", "hann, hamming, blackman or rectangular [hann]"},
    {"padding", "HOW", "reflect, zero (centred frames) or none [reflect]"},
    {"channel", "K", "which channel, from 0 [the mean of all]"},
    {"rate", "HZ", "samples a second, for files that do not say [1]"},
    {"range", "DB", "decibels from the darkest to the brightest [80]"},
    {"top", "DB", "decibels of the brightest colour [the highest]"},
    {"colours", "MAP", "magma, inferno, viridis or grey [magma]"},
    {"low", "HZ", "lowest frequency of the picture [0]"},
    {"high", "HZ", "highest frequency of the picture [rate/2]"},
    {"width", "PIXELS", "of the picture [1280]"},
    {"height", "PIXELS", "of the picture [720]"},
    {"title", "TEXT", "of the picture [the input's name]"},
    {"output", "WHAT", "for .npy: complex, magnitude, power, db [complex]"},
    {"type", "TYPE", "compute in f32 or f64 [the input's]"},
    {"threads", "N", "use at most N threads [1]"},
    {"report", NULL, "print frequencies, plan, error and times"},
    {"json", NULL, "print that report as JSON"},
    {"fftw-lib", "PATH", "an FFTW to time beside [the system's]"},
    {"input-format", "FORMAT", "npy, csv, raw, audio [by extension]"},
    {"raw-type", "TYPE", "of raw input: f32 or f64"},
    {"shape", "AxB", "of raw input [one dimension]"},
    {NULL, NULL, NULL}};

static const command self = {
    "stft", "IN OUT.png|OUT.npy [OPTION...]",
    "Computes the spectrogram of a recording (or of real .npy, .csv, raw "
    "data) and draws it, or writes it as an array (bins, frames).",
    "  weft stft speech.wav speech.png --high 8000\n"
    "  weft stft speech.wav speech.png --report\n"
    "  weft stft music.flac levels.npy --output db --n-fft 4096 --hop 1024\n"
    "  weft stft sensor.npy sensor.png --rate 200 --window blackman\n",
    options};

typedef struct request {
    io_source source;
    const char *out, *title;
    weft_stft_options options;
    int64_t channel, width, height, threads;    /* channel -1: the mean */
    double rate, range, top, low, high;         /* top: NAN until given */
    int colours, type, output, window, padding; /* type -1: the input's */
    bool report, json;
    const char *of_picture, *of_array, *of_report; /* options given, or NULL */
    peer_options peers;
} request;

static const char *const paddings[] = {"reflect", "zero", "none", NULL};
static const char *const outputs[] = {"complex", "magnitude", "power", "db",
                                      NULL};
static const char *const types[] = {"f64", "f32", NULL}; /* as weft_type */
static const char *const window_names[] = {"hann", "hamming", "blackman",
                                           "rectangular", NULL};

static int set_frame_option(request *want, int option, const char *value)
{
    const int64_t most = (int64_t)1 << 40;
    switch (option) {
    case OPT_NFFT:
        return args_integer("n-fft", value, 1, most, &want->options.n_fft);
    case OPT_HOP:
        return args_integer("hop", value, 1, most, &want->options.hop);
    case OPT_LENGTH:
        return args_integer("win-length", value, 1, most,
                            &want->options.win_length);
    case OPT_WINDOW:
        return args_choice("window", value, window_names, &want->window);
    case OPT_PADDING:
        return args_choice("padding", value, paddings, &want->padding);
    case OPT_CHANNEL:
        return args_integer("channel", value, 0, 1023, &want->channel);
    case OPT_RATE: return args_number("rate", value, 1e-9, 1e15, &want->rate);
    case OPT_TYPE: return args_choice("type", value, types, &want->type);
    default: return args_integer("threads", value, 1, 1024, &want->threads);
    }
}

static int set_picture_option(request *want, int option, const char *value)
{
    switch (option) {
    case OPT_RANGE: return args_number("range", value, 1, 400, &want->range);
    case OPT_TOP: return args_number("top", value, -400, 400, &want->top);
    case OPT_COLOURS:
        return args_choice("colours", value, colour_names, &want->colours);
    case OPT_LOW: return args_number("low", value, 0, 1e15, &want->low);
    case OPT_HIGH: return args_number("high", value, 1e-9, 1e15, &want->high);
    case OPT_WIDTH:
        return args_integer("width", value, 320, 16384, &want->width);
    case OPT_HEIGHT:
        return args_integer("height", value, 240, 16384, &want->height);
    default: want->title = value; return CODE_OK;
    }
}

static int set_option(void *context, int option, const char *value)
{
    request *want = context;
    switch (option) {
    case OPT_REPORT: want->report = true; return CODE_OK;
    case OPT_JSON: want->json = true; return CODE_OK;
    case OPT_FFTW:
        want->of_report = options[option].name;
        if (want->peers.fftw_count == MAX_PEERS)
            return fail(CODE_USAGE, "too many --fftw-lib");
        want->peers.fftw_path[want->peers.fftw_count++] = value;
        return CODE_OK;
    case OPT_INPUT_FORMAT: return io_set_format(&want->source, value);
    case OPT_RAW_TYPE: return io_set_raw_type(&want->source, value);
    case OPT_SHAPE: return io_set_shape(&want->source, value);
    case OPT_RANGE:
    case OPT_TOP:
    case OPT_COLOURS:
    case OPT_LOW:
    case OPT_HIGH:
    case OPT_WIDTH:
    case OPT_HEIGHT:
    case OPT_TITLE:
        want->of_picture = options[option].name;
        return set_picture_option(want, option, value);
    case OPT_OUTPUT:
        want->of_array = options[option].name;
        return args_choice("output", value, outputs, &want->output);
    default: return set_frame_option(want, option, value);
    }
}

static bool is_picture(const char *path)
{
    const char *extension = file_extension(path);
    return !strcmp(extension, "png") || !strcmp(extension, "PNG");
}

/* Options that nothing would come of. */
static int check_options(const request *want)
{
    const char *idle = is_picture(want->out) ? want->of_array
                                             : want->of_picture;
    if (idle)
        return fail(CODE_USAGE, "--%s is for %s, and the output is '%s'", idle,
                    is_picture(want->out) ? "arrays (.npy)"
                                          : "pictures (.png)",
                    want->out);
    if (want->of_report && !want->report && !want->json)
        return fail(CODE_USAGE, "--%s is for --report", want->of_report);
    return CODE_OK;
}

/* What must be known to be wrong before any work. */
static int check_output(const request *want)
{
    io_format format;
    if (is_picture(want->out))
        return picture_library()
                   ? CODE_OK
                   : fail(CODE_ABSENT,
                          "cannot draw '%s': weft was built "
                          "without cairo, which draws pictures (.npy "
                          "works)",
                          want->out);
    if (strcmp(want->out, "-") != 0 &&
        strcmp(file_extension(want->out), "npy") != 0)
        return fail(CODE_USAGE,
                    "cannot write '%s': its extension should "
                    "be .png or .npy",
                    want->out);
    return io_output_format(want->out, FORMAT_NPY, FORMAT_NPY, &format);
}

static int parse(int argc, char **argv, request *want)
{
    int code = args_parse(&self, argc, argv, set_option, want);
    if (!code)
        code = args_in_out(&self, argc, argv, &want->source.path, &want->out);
    if (code)
        return code;
    want->options.window = (weft_stft_window)want->window;
    want->options.padding = (weft_stft_padding)want->padding;
    want->options.threads = (int32_t)want->threads;
    code = check_options(want);
    return code ? code : check_output(want);
}

/* ---- Computing ---------------------------------------------------------- */

/* One channel, or the mean of all, of an array of rank 1 or 2. */
static int take_signal(const request *want, const array *in, spectrogram *s)
{
    if (array_is_complex(in->type) || in->rank < 1 || in->rank > 2)
        return fail(CODE_INPUT,
                    "'%s' is %s of %d dimensions: a recording "
                    "is real, (samples) or (samples, channels)",
                    s->source, array_type_name(in->type), in->rank);
    s->channels = in->rank == 2 ? (int)in->shape[1] : 1;
    s->samples = in->shape[0];
    if (s->samples < 1 || s->channels < 1)
        return fail(CODE_INPUT, "'%s' holds no samples", s->source);
    if (want->channel >= s->channels)
        return fail(CODE_USAGE, "--channel %lld: '%s' has %d",
                    (long long)want->channel, s->source, s->channels);
    size_t real = s->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    s->signal = weft_alloc((size_t)s->samples * real);
    if (!s->signal)
        return fail(CODE_LIBRARY, "no memory for %lld samples",
                    (long long)s->samples);
    bool wide = array_is_double(in->type);
    for (int64_t i = 0; i < s->samples; i++) {
        double sum = 0;
        int first = want->channel < 0 ? 0 : (int)want->channel;
        int last = want->channel < 0 ? s->channels - 1 : first;
        for (int c = first; c <= last; c++) {
            int64_t at = in->fortran ? c * s->samples + i
                                     : i * s->channels + c;
            sum += wide ? ((const double *)in->data)[at]
                        : (double)((const float *)in->data)[at];
        }
        double value = sum / (last - first + 1);
        if (s->type == WEFT_F64)
            ((double *)s->signal)[i] = value;
        else
            ((float *)s->signal)[i] = (float)value;
    }
    return CODE_OK;
}

static int refuse_stft(const char *what)
{
    return fail(CODE_LIBRARY, "%s: %s", what, weft_stft_error_text());
}

static int find_full_scale(spectrogram *s)
{
    int64_t length = s->options.win_length ? s->options.win_length
                                           : s->options.n_fft;
    double *window = weft_alloc((size_t)length * sizeof *window);
    if (!window)
        return fail(CODE_LIBRARY, "no memory for a window of %lld",
                    (long long)length);
    weft_stft_window_fill(s->options.window, 0, length, window);
    double sum = 0;
    for (int64_t j = 0; j < length; j++)
        sum += window[j];
    weft_free(window);
    s->full_scale = sum / 2;
    return CODE_OK;
}

static int compute(spectrogram *s)
{
    if (weft_stft_create(s->type, &s->options, &s->stft))
        return refuse_stft("cannot plan");
    if (weft_stft_frames(s->stft, s->samples, &s->frames))
        return fail(CODE_INPUT, "'%s': %s", s->source, weft_stft_error_text());
    s->bins = weft_stft_bins(s->stft);
    if (s->options.hop == 0)
        s->options.hop = s->options.n_fft < 4 ? 1 : s->options.n_fft / 4;
    int64_t count, bytes;
    if (checked_product(s->frames, s->bins, &count) &&
        checked_product(count, s->type == WEFT_F64 ? 16 : 8, &bytes))
        s->spectrum = weft_alloc((size_t)bytes);
    if (!s->spectrum)
        return fail(CODE_LIBRARY, "no memory for %lld frames of %lld bins",
                    (long long)s->frames, (long long)s->bins);
    if (weft_stft_execute(s->stft, s->signal, s->samples, s->spectrum))
        return refuse_stft("cannot transform");
    return find_full_scale(s);
}

/* ---- Writing ------------------------------------------------------------ */

/* Power in `levels` (of the type) to decibels of full scale, not below
 * -200: digital silence. */
static weft_status to_decibels(const spectrogram *s, void *levels)
{
    return weft_stft_decibels(s->type, levels, s->frames * s->bins,
                              s->full_scale * s->full_scale, 0, levels);
}

static int write_array(const request *want, const spectrogram *s)
{
    bool complex = want->output == 0;
    array out = {.rank = 2, .fortran = true};
    out.shape[0] = s->bins;
    out.shape[1] = s->frames;
    if (s->type == WEFT_F64)
        out.type = complex ? ARRAY_C128 : ARRAY_F64;
    else
        out.type = complex ? ARRAY_C64 : ARRAY_F32;
    reason why;
    if (!array_allocate(&out, &why))
        return fail(CODE_LIBRARY, "%s", why.text);
    weft_status status = WEFT_OK;
    if (complex)
        memcpy(out.data, s->spectrum,
               (size_t)out.count * array_element(out.type));
    else if (want->output == 1)
        weft_stft_magnitude(s->type, s->spectrum, out.count, out.data);
    else
        weft_stft_power(s->type, s->spectrum, out.count, out.data);
    if (want->output == 3)
        status = to_decibels(s, out.data);
    int code = status ? refuse_stft("decibels")
                      : io_write(want->out, FORMAT_NPY, &out);
    array_free(&out);
    return code;
}

/* Levels as floats, which is what a picture can show. */
static float *make_levels(const spectrogram *s)
{
    int64_t count = s->frames * s->bins;
    size_t real = s->type == WEFT_F64 ? sizeof(double) : sizeof(float);
    void *levels = weft_alloc((size_t)count * real);
    if (!levels)
        return NULL;
    weft_stft_power(s->type, s->spectrum, count, levels);
    if (to_decibels(s, levels)) {
        weft_free(levels);
        return NULL;
    }
    if (s->type == WEFT_F32)
        return levels;
    float *narrow = weft_alloc((size_t)count * sizeof *narrow);
    for (int64_t i = 0; narrow && i < count; i++)
        narrow[i] = (float)((double *)levels)[i];
    weft_free(levels);
    return narrow;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void describe(const spectrogram *s, char *text, size_t size)
{
    snprintf(text, size,
             "%.10g Hz, %.2f s   n_fft %lld, hop %lld, %s window, %s   "
             "weft %s",
             s->rate, (double)s->samples / s->rate,
             (long long)s->options.n_fft, (long long)s->options.hop,
             weft_stft_window_name(s->options.window),
             s->type == WEFT_F64 ? "f64" : "f32", weft_version());
}

static int draw(const request *want, const spectrogram *s)
{
    float *levels = make_levels(s);
    if (!levels)
        return fail(CODE_LIBRARY, "no memory for %lld levels",
                    (long long)(s->frames * s->bins));
    double top = want->top;
    if (isnan(top)) {
        top = -200;
        for (int64_t i = 0; i < s->frames * s->bins; i++)
            top = levels[i] > top ? levels[i] : top;
        top = 5 * ceil(top / 5);
    }
    char subtitle[200];
    describe(s, subtitle, sizeof subtitle);
    bool centred = s->options.padding != WEFT_STFT_NONE;
    double middle = centred ? 0 : (double)(s->options.n_fft / 2);
    picture p = {.title = want->title ? want->title : base_name(s->source),
                 .subtitle = subtitle,
                 .levels = levels,
                 .frames = s->frames,
                 .bins = s->bins,
                 .frame_first = middle / s->rate,
                 .frame_step = (double)s->options.hop / s->rate,
                 .bin_step = s->rate / (double)s->options.n_fft,
                 .seconds = (double)s->samples / s->rate,
                 .low = want->low,
                 .high = want->high > 0 ? want->high : s->rate / 2,
                 .bottom = top - want->range,
                 .top = top,
                 .unit = "dBFS",
                 .map = want->colours,
                 .width = (int)want->width,
                 .height = (int)want->height};
    int code;
    if (p.high > s->rate / 2 * (1 + 1e-9) || p.low >= p.high)
        code = fail(CODE_USAGE,
                    "--low %g --high %g: the recording holds "
                    "frequencies from 0 to %g Hz",
                    p.low, p.high, s->rate / 2);
    else
        code = picture_write(&p, want->out);
    weft_free(levels);
    return code;
}

static int finish(const request *want, const spectrogram *s)
{
    int code = is_picture(want->out) ? draw(want, s) : write_array(want, s);
    if (code || (!want->report && !want->json))
        return code;
    report *root = NULL;
    if (want->json)
        code = report_begin(&root);
    if (!code)
        code = spectrogram_report(s, &want->peers, root);
    int printed = report_end(root);
    return code ? code : printed;
}

int command_stft(int argc, char **argv)
{
    request want = {.source = {.raw = {.rank = -1}},
                    .channel = -1,
                    .width = 1280,
                    .height = 720,
                    .rate = 0,
                    .range = 80,
                    .top = NAN,
                    .type = -1,
                    .threads = 1,
                    .peers = {.effort = 1, .time_limit = 5}};
    want.options = (weft_stft_options){.size = sizeof want.options,
                                       .n_fft = 1024};
    int code = parse(argc, argv, &want);
    if (code)
        return code < 0 ? CODE_OK : code;
    want.peers.threads = (int)want.threads;
    array in = {.data = NULL};
    io_format used;
    code = io_read(&want.source, &in, &used);
    if (code)
        return code;
    spectrogram s = {.source = want.source.path, .options = want.options};
    s.rate = want.rate > 0 ? want.rate : in.rate > 0 ? in.rate : 1;
    s.type = want.type >= 0             ? (weft_type)want.type
             : array_is_double(in.type) ? WEFT_F64
                                        : WEFT_F32;
    code = take_signal(&want, &in, &s);
    array_free(&in);
    if (!code)
        code = compute(&s);
    if (!code)
        code = finish(&want, &s);
    weft_stft_release(s.stft);
    weft_free(s.signal);
    weft_free(s.spectrum);
    return code;
}
