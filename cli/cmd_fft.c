/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft fft: transforms a file along one axis.  The array is seen as
 * (outer, n, inner) around that axis, which makes any rank and either order
 * one weft problem with two batch dimensions.
 */
#include <string.h>

#include <weft/weft.h>

#include "args.h"
#include "io.h"

enum {
    OPT_INVERSE,
    OPT_AXIS,
    OPT_NORM,
    OPT_TYPE,
    OPT_PRECISION,
    OPT_TARGET,
    OPT_FORMAT,
    OPT_INPUT_FORMAT,
    OPT_RAW_TYPE,
    OPT_SHAPE,
    OPT_THREADS,
    OPT_VERBOSE
};

static const arg options[] = {
    {"inverse", NULL, "the inverse transform"},
    {"axis", "K", "along axis K, negative from the end [-1, audio 0]"},
    {"norm", "NORM", "backward (as numpy), ortho or forward [backward]"},
    {"type", "TYPE", "compute and write f32 or f64 [the input's]"},
    {"precision", "MODE", "fast, compensated, double, ... (weft.h) [fast]"},
    {"target-error", "E", "the cheapest type and precision of error <= E"},
    {"format", "FORMAT", "output npy, csv or raw [by extension]"},
    {"input-format", "FORMAT", "npy, csv, raw, audio [by extension]"},
    {"raw-type", "TYPE", "of raw input: f32, f64, c64, c128"},
    {"shape", "AxBxC", "of raw input [one dimension]"},
    {"threads", "N", "use at most N threads [1]"},
    {"verbose", NULL, "tell the problem and its error bound on stderr"},
    {NULL, NULL, NULL}};

static const command self = {
    "fft", "IN OUT [OPTION...]",
    "Reads IN (.npy, .csv, raw, or a recording), transforms it along one "
    "axis and writes OUT (.npy, .csv or .raw); - is standard input or "
    "output.",
    "  weft fft signal.npy spectrum.npy\n"
    "  weft fft image.npy columns.npy --axis 0 --norm ortho\n"
    "  weft fft spectrum.npy signal.npy --inverse\n"
    "  weft fft speech.wav - --format csv | head\n"
    "  weft fft samples.raw out.npy --raw-type f32 --shape 64x1024\n"
    "  weft fft signal.npy rough.npy --target-error 1e-5\n",
    options};

typedef struct request {
    io_source source;
    const char *out;
    io_format format;
    bool inverse, axis_given, type_given, verbose;
    int64_t axis, threads;
    int norm, type; /* type: 0 f32, 1 f64 */
    double target;  /* 0: none */
    weft_precision precision;
    int32_t slices;
} request;

static const char *const norms[] = {"backward", "ortho", "forward", NULL};
static const weft_norm norm_values[] = {WEFT_NORM_BACKWARD, WEFT_NORM_ORTHO,
                                        WEFT_NORM_FORWARD};
static const char *const types[] = {"f32", "f64", NULL};

/* The names are those of the notation of problems. */
static int set_precision(request *want, const char *value)
{
    char text[80];
    weft_problem problem;
    snprintf(text, sizeof text, "c2c:f32:2:precision=%.40s", value);
    if (strchr(value, ':') || weft_problem_parse(text, &problem))
        return fail(CODE_USAGE,
                    "--precision '%s': must be fast, compensated, double, "
                    "bf16, fp16, split2, split3, refined or slices2 to "
                    "slices8",
                    value);
    want->precision = problem.precision;
    want->slices = problem.slices;
    return CODE_OK;
}

static int set_target(request *want, const char *value)
{
    int code = args_number("target-error", value, 0, 1, &want->target);
    if (!code && want->target == 0)
        return fail(CODE_USAGE, "--target-error %s: must be above 0", value);
    return code;
}

static int set_format(request *want, const char *value)
{
    int index;
    int code = args_choice("format", value, io_format_names, &index);
    want->format = code ? FORMAT_AUTO : (io_format)index;
    return code;
}

static int set_option(void *context, int option, const char *value)
{
    request *want = context;
    switch (option) {
    case OPT_INVERSE: want->inverse = true; return CODE_OK;
    case OPT_AXIS:
        want->axis_given = true;
        return args_integer("axis", value, -ARRAY_MAX_RANK, ARRAY_MAX_RANK - 1,
                            &want->axis);
    case OPT_NORM: return args_choice("norm", value, norms, &want->norm);
    case OPT_TYPE:
        want->type_given = true;
        return args_choice("type", value, types, &want->type);
    case OPT_PRECISION: return set_precision(want, value);
    case OPT_TARGET: return set_target(want, value);
    case OPT_FORMAT: return set_format(want, value);
    case OPT_INPUT_FORMAT: return io_set_format(&want->source, value);
    case OPT_RAW_TYPE: return io_set_raw_type(&want->source, value);
    case OPT_SHAPE: return io_set_shape(&want->source, value);
    case OPT_THREADS:
        return args_integer("threads", value, 1, 1024, &want->threads);
    default: want->verbose = true; return CODE_OK;
    }
}

static int parse(int argc, char **argv, request *want)
{
    int code = args_parse(&self, argc, argv, set_option, want);
    if (!code)
        code = args_in_out(&self, argc, argv, &want->source.path, &want->out);
    if (!code && want->target > 0 && want->precision != WEFT_PRECISION_FAST)
        return fail(CODE_USAGE, "--target-error chooses the precision: give "
                                "it or --precision");
    return code;
}

/* The axis asked for as an index, or told. */
static int find_axis(const request *want, const array *in, int *axis)
{
    int64_t k = want->axis_given ? want->axis : in->rate > 0 ? 0 : -1;
    *axis = (int)(k < 0 ? k + in->rank : k);
    if (*axis < 0 || *axis >= in->rank)
        return fail(CODE_USAGE, "--axis %lld: '%s' has %d dimension%s",
                    (long long)k, want->source.path, in->rank,
                    in->rank == 1 ? "" : "s");
    if (in->shape[*axis] < 1)
        return fail(CODE_INPUT, "'%s' has no elements along axis %d",
                    want->source.path, *axis);
    return CODE_OK;
}

static weft_problem make_problem(const request *want, const array *in,
                                 int axis, weft_type type)
{
    int64_t before = 1, after = 1, n = in->shape[axis];
    for (int d = 0; d < axis; d++)
        before *= in->shape[d];
    for (int d = axis + 1; d < in->rank; d++)
        after *= in->shape[d];
    int64_t outer = in->fortran ? after : before;
    int64_t inner = in->fortran ? before : after;

    weft_problem problem = {.size = sizeof problem};
    problem.type = type;
    problem.sign = want->inverse ? WEFT_INVERSE : WEFT_FORWARD;
    problem.norm = norm_values[want->norm];
    problem.rank = 1;
    problem.dims[0] = (weft_dim){n, inner, inner};
    problem.batch_rank = 2;
    problem.batch[0] = (weft_dim){outer, n * inner, n * inner};
    problem.batch[1] = (weft_dim){inner, 1, 1};
    problem.threads = (int32_t)want->threads;
    problem.precision = want->precision;
    problem.slices = want->slices;
    problem.target_error = want->target;
    return problem;
}

static double bound_of(const weft_plan *plan)
{
    weft_plan_info info = {.size = sizeof info};
    return weft_plan_get_info(plan, &info) ? 1e300 : info.error_bound;
}

/* Plans in the type asked for or, for a target error, in the first type that
 * has a mode to meet it: f32, then f64. */
static int make_plan(const request *want, const array *in, int axis,
                     weft_plan **plan, weft_type *type)
{
    bool wide = want->type_given ? want->type == 1 : array_is_double(in->type);
    bool choose = want->target > 0 && !want->type_given;
    *type = wide && !choose ? WEFT_F64 : WEFT_F32;
    weft_problem problem = make_problem(want, in, axis, *type);
    weft_status status = weft_plan_create(&problem, NULL, plan);
    if (status == WEFT_ERR_TARGET && choose) {
        problem.type = *type = WEFT_F64;
        status = weft_plan_create(&problem, NULL, plan);
    }
    const char *what = *type == WEFT_F64 ? "f64" : "f32";
    return status ? fail_plan(status, what) : CODE_OK;
}

static void tell(const weft_plan *plan)
{
    char text[1000];
    if (!weft_plan_problem(plan, text, sizeof text, NULL))
        fprintf(stderr, "weft fft: %s, error bound %.3g\n", text,
                bound_of(plan));
}

/* An array without elements: its sizes need not multiply. */
static int transform_nothing(const request *want, array *in, array *out)
{
    bool wide = want->type_given ? want->type == 1 : array_is_double(in->type);
    reason why;
    *out = *in;
    out->data = NULL;
    out->type = wide ? ARRAY_C128 : ARRAY_C64;
    return array_allocate(out, &why) ? CODE_OK
                                     : fail(CODE_LIBRARY, "%s", why.text);
}

static int transform(const request *want, array *in, array *out)
{
    int axis;
    weft_plan *plan = NULL;
    weft_type type = WEFT_F64;
    reason why;
    array wide = {.data = NULL};
    int code = find_axis(want, in, &axis);
    if (!code && in->count == 0)
        return transform_nothing(want, in, out);
    if (!code)
        code = make_plan(want, in, axis, &plan, &type);
    if (code)
        return code;
    if (want->verbose)
        tell(plan);

    array_type complex = type == WEFT_F64 ? ARRAY_C128 : ARRAY_C64;
    if (in->type != complex) {
        if (!array_convert(in, complex, &wide, &why)) {
            code = fail(CODE_LIBRARY, "%s", why.text);
            goto done;
        }
        array_free(in);
        *in = wide;
    }
    *out = *in;
    out->data = NULL;
    if (!array_allocate(out, &why))
        code = fail(CODE_LIBRARY, "the result: %s", why.text);
    else if (weft_execute(plan, in->data, out->data))
        code = fail_library("cannot transform");
done:
    weft_plan_release(plan);
    return code;
}

int command_fft(int argc, char **argv)
{
    request want = {.source = {.raw = {.rank = -1}}};
    int code = parse(argc, argv, &want);
    if (code)
        return code < 0 ? CODE_OK : code;
    io_format format;
    /* An output that makes no sense is told before any work. */
    code = io_output_format(want.out, want.format, FORMAT_NPY, &format);
    if (code)
        return code;
    array in = {.data = NULL}, out = {.data = NULL};
    io_format used;
    code = io_read(&want.source, &in, &used);
    if (!code && want.format == FORMAT_AUTO && !strcmp(want.out, "-") &&
        used != FORMAT_AUDIO)
        format = used;
    if (!code)
        code = transform(&want, &in, &out);
    if (!code)
        code = io_write(want.out, format, &out);
    array_free(&in);
    array_free(&out);
    return code;
}
