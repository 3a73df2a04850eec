/* SPDX-License-Identifier: BSD-3-Clause */
/* Any input, any output: see io.h. */
#include "io.h"

#include <string.h>
#include <strings.h>

#include "args.h"
#include "file.h"
#include "io_audio.h"
#include "io_csv.h"
#include "io_npy.h"
#include "io_raw.h"

const char *const io_format_names[] = {"auto", "npy",   "csv",
                                       "raw",  "audio", NULL};

static const struct {
    const char *extension;
    io_format format;
} extensions[] = {
    {"npy", FORMAT_NPY}, {"csv", FORMAT_CSV}, {"txt", FORMAT_CSV},
    {"raw", FORMAT_RAW}, {"bin", FORMAT_RAW},
};

static io_format format_by_extension(const char *path)
{
    const char *extension = file_extension(path);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (!strcasecmp(extension, extensions[i].extension))
            return extensions[i].format;
    return FORMAT_AUTO;
}

int io_set_format(io_source *source, const char *text)
{
    int index;
    int code = args_choice("input-format", text, io_format_names, &index);
    if (!code)
        source->format = (io_format)index;
    return code;
}

int io_set_raw_type(io_source *source, const char *text)
{
    static const char *const names[] = {"f32", "f64", "c64", "c128", NULL};
    int index;
    int code = args_choice("raw-type", text, names, &index);
    if (!code) {
        source->raw.type = (array_type)index;
        source->raw_type_given = true;
    }
    return code;
}

int io_set_shape(io_source *source, const char *text)
{
    reason why;
    if (raw_parse_shape(text, &source->raw, &why))
        return CODE_OK;
    return fail(CODE_USAGE, "--shape: %s", why.text);
}

/* Standard input has no name: its first bytes decide. */
static io_format format_by_content(const file_bytes *bytes)
{
    static const char *const audio[] = {"RIFF", "RIFX", "RF64", "fLaC",
                                        "OggS", "FORM", ".snd", "caff"};
    if (bytes->length >= 6 && !memcmp(bytes->data, "\x93NUMPY", 6))
        return FORMAT_NPY;
    for (size_t i = 0; i < sizeof audio / sizeof *audio; i++)
        if (bytes->length >= 4 && !memcmp(bytes->data, audio[i], 4))
            return FORMAT_AUDIO;
    return FORMAT_CSV;
}

/* A raw type is for what neither name nor content says to be something else. */
static io_format choose(const io_source *source, const file_bytes *bytes)
{
    if (source->format != FORMAT_AUTO)
        return source->format;
    const bool piped = !strcmp(source->path, "-");
    const io_format content = format_by_content(bytes);
    const io_format named = piped ? FORMAT_AUTO
                                  : format_by_extension(source->path);
    if (named != FORMAT_AUTO)
        return named;
    if (source->raw_type_given)
        return content == FORMAT_CSV ? FORMAT_RAW : content;
    return piped ? content : FORMAT_AUDIO;
}

int io_read(const io_source *source, array *result, io_format *used)
{
    file_bytes bytes;
    int code = file_read(source->path, &bytes);
    if (code)
        return code;
    reason why = {""};
    *used = choose(source, &bytes);
    if (*used != FORMAT_RAW &&
        (source->raw_type_given || source->raw.rank >= 0)) {
        file_free(&bytes);
        return fail(CODE_USAGE, "%s describes raw input, '%s' is read as %s",
                    source->raw_type_given ? "--raw-type" : "--shape",
                    source->path, io_format_names[*used]);
    }
    bool good = false;
    if (*used == FORMAT_NPY) {
        good = npy_parse(bytes.data, bytes.length, result, &why);
    } else if (*used == FORMAT_CSV) {
        good = csv_parse(bytes.data, bytes.length, result, &why);
    } else if (*used == FORMAT_AUDIO) {
        code = audio_parse(bytes.data, bytes.length, result, &why);
        good = !code;
    } else if (!source->raw_type_given) {
        file_free(&bytes);
        return fail(CODE_USAGE,
                    "'%s' is raw: say its --raw-type "
                    "(f32, f64, c64, c128)",
                    source->path);
    } else {
        good = raw_parse(bytes.data, bytes.length, &source->raw, result, &why);
    }
    file_free(&bytes);
    if (good && why.text[0])
        warn("'%s': %s", source->path, why.text);
    if (good)
        return CODE_OK;
    return fail(code ? code : CODE_INPUT, "'%s': %s", source->path, why.text);
}

int io_output_format(const char *path, io_format wanted, io_format fallback,
                     io_format *format)
{
    *format = wanted;
    if (*format == FORMAT_AUTO && !strcmp(path, "-"))
        *format = fallback;
    else if (*format == FORMAT_AUTO)
        *format = format_by_extension(path);
    if (wanted == FORMAT_AUDIO)
        return fail(CODE_USAGE,
                    "--format audio is read only: cannot write '%s'", path);
    if (*format == FORMAT_AUTO || *format == FORMAT_AUDIO)
        return fail(CODE_USAGE,
                    "cannot write '%s': its extension should be "
                    ".npy, .csv or .raw (or give --format)",
                    path);
    return CODE_OK;
}

int io_write(const char *path, io_format format, array *self)
{
    reason why = {""};
    if (format == FORMAT_CSV && self->rank > 2)
        return fail(CODE_USAGE,
                    "cannot write '%s': text holds at most two "
                    "dimensions, the result has %d",
                    path, self->rank);
    if (format != FORMAT_NPY && !array_make_c_order(self, &why))
        return fail(CODE_LIBRARY, "'%s': %s", path, why.text);
    output out;
    int code = output_open(&out, path);
    if (code)
        return code;
    bool good = format == FORMAT_NPY   ? npy_write(out.stream, self)
                : format == FORMAT_CSV ? csv_write(out.stream, self)
                                       : raw_write(out.stream, self);
    if (good)
        return output_commit(&out);
    output_abort(&out);
    return fail(CODE_OUTPUT, "cannot write '%s': write error", path);
}
