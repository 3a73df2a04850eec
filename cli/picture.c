/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawing a spectrogram: see picture.h. */
#include "picture.h"

#if WEFT_CLI_CAIRO

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "colours.h"
#include "file.h"

const char *picture_library(void)
{
    return cairo_version_string();
}

/* The rectangle of the data, and the font, in pixels. */
typedef struct frame {
    double left, top, width, height, font;
} frame;

enum { BAR_GAP = 24, BAR_WIDTH = 22 };

static frame layout(const picture *self)
{
    double font = self->height / 45.0;
    font = font < 11 ? 11 : font > 20 ? 20 : font;
    /* Whole pixels: cairo would blend the edges of anything else. */
    frame f = {.font = font,
               .left = floor(6.2 * font),
               .top = floor(4.6 * font)};
    f.width = floor(self->width - f.left - BAR_GAP - BAR_WIDTH - 5.8 * font);
    f.height = floor(self->height - f.top - 4.4 * font);
    return f;
}

/* The highest of levels[from .. to] at real positions: interpolated where
 * the picture is finer than the data, the maximum where it is coarser, so
 * that a thin line never falls between pixels. */
static double pick(const float *levels, int64_t count, int64_t stride,
                   double from, double to)
{
    if (to - from <= 1) {
        double at = (from + to) / 2;
        at = at < 0 ? 0 : at > (double)(count - 1) ? (double)(count - 1) : at;
        int64_t below = (int64_t)at;
        int64_t above = below + 1 < count ? below + 1 : below;
        double part = at - (double)below;
        return (1 - part) * levels[below * stride] +
               part * levels[above * stride];
    }
    int64_t first = from < 0 ? 0 : (int64_t)ceil(from);
    int64_t last = to >= (double)count ? count - 1 : (int64_t)floor(to);
    first = first >= count ? count - 1 : first;
    double highest = levels[first * stride];
    for (int64_t i = first + 1; i <= last; i++)
        if (levels[i * stride] > highest)
            highest = levels[i * stride];
    return highest;
}

static uint32_t pixel(int map, double level)
{
    double rgb[3];
    colour_at(map, level, rgb);
    return (uint32_t)lrint(255 * rgb[0]) << 16 |
           (uint32_t)lrint(255 * rgb[1]) << 8 | (uint32_t)lrint(255 * rgb[2]);
}

/* One column of pixels: first each bin over the column's frames, then each
 * pixel over its bins. */
static void draw_column(const picture *self, int x, int width, int height,
                        float *column, unsigned char *pixels, int pitch)
{
    double step = self->seconds / width / self->frame_step;
    double from = x * step - self->frame_first / self->frame_step;
    for (int64_t k = 0; k < self->bins; k++)
        column[k] = (float)pick(self->levels + k, self->frames, self->bins,
                                from, from + step);
    double bins = (self->high - self->low) / self->bin_step / height;
    for (int y = 0; y < height; y++) {
        double low = self->low / self->bin_step + (height - 1 - y) * bins;
        double level = pick(column, self->bins, 1, low, low + bins);
        double part = (level - self->bottom) / (self->top - self->bottom);
        uint32_t value = pixel(self->map, part);
        memcpy(pixels + (size_t)y * (size_t)pitch + (size_t)x * 4, &value, 4);
    }
}

static bool draw_data(const picture *self, cairo_t *cr, const frame *f)
{
    int width = (int)f->width, height = (int)f->height;
    cairo_surface_t *data = cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                       width, height);
    float *column = malloc((size_t)self->bins * sizeof *column);
    bool good = column && !cairo_surface_status(data);
    if (good) {
        cairo_surface_flush(data);
        for (int x = 0; x < width; x++)
            draw_column(self, x, width, height, column,
                        cairo_image_surface_get_data(data),
                        cairo_image_surface_get_stride(data));
        cairo_surface_mark_dirty(data);
        cairo_set_source_surface(cr, data, f->left, f->top);
        cairo_paint(cr);
    }
    free(column);
    cairo_surface_destroy(data);
    return good;
}

static void ink(cairo_t *cr, double grey)
{
    cairo_set_source_rgb(cr, grey, grey, grey);
}

/* Bytes of the UTF-8 character at the beginning; 0: there is none. */
static int character(const char *text)
{
    const unsigned char *t = (const unsigned char *)text;
    const int length = t[0] < 0x80                   ? 1
                       : t[0] >= 0xc2 && t[0] < 0xe0 ? 2
                       : t[0] >= 0xe0 && t[0] < 0xf0 ? 3
                       : t[0] >= 0xf0 && t[0] < 0xf5 ? 4
                                                     : 0;
    for (int i = 1; i < length; i++)
        if ((t[i] & 0xc0) != 0x80)
            return 0;
    const bool beyond = (t[0] == 0xe0 && t[1] < 0xa0) ||
                        (t[0] == 0xed && t[1] >= 0xa0) ||
                        (t[0] == 0xf0 && t[1] < 0x90) ||
                        (t[0] == 0xf4 && t[1] >= 0x90);
    return beyond ? 0 : length;
}

/* Names of files are any bytes: those that cairo would refuse are "?", and what
 * has no room in a picture is cut off. */
static void to_utf8(const char *text, char *clean, size_t room)
{
    size_t at = 0;
    while (*text && at + 5 < room) {
        const int length = character(text);
        if (length == 0)
            clean[at++] = '?';
        else
            memcpy(clean + at, text, (size_t)length);
        at += (size_t)length;
        text += length > 0 ? length : 1;
    }
    clean[at] = '\0';
}

/* Text with its anchor: h and v 0 left/top, 0.5 middle, 1 right/bottom. */
static void text_at(cairo_t *cr, double x, double y, double h, double v,
                    const char *words)
{
    char text[1024];
    to_utf8(words, text, sizeof text);
    cairo_text_extents_t e;
    cairo_font_extents_t font;
    cairo_text_extents(cr, text, &e);
    cairo_font_extents(cr, &font);
    double height = font.ascent - font.descent;
    cairo_move_to(cr, x - h * e.x_advance, y + (1 - v) * height);
    cairo_show_text(cr, text);
}

/* 1, 2 or 5 times a power of ten: about `count` steps in `span`. */
static double nice_step(double span, double count)
{
    double raw = span / count;
    double power = pow(10, floor(log10(raw)));
    double part = raw / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

/* An axis from `low` to `high`, drawn between two points; `side` is the
 * direction of the ticks and labels. */
typedef struct axis {
    double low, high, x0, y0, x1, y1, tick_x, tick_y, count;
    double h, v; /* anchors of the labels */
} axis;

static void draw_axis(cairo_t *cr, const axis *a)
{
    double step = nice_step(a->high - a->low, a->count);
    int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    for (double i = ceil(a->low / step - 1e-9);
         i * step <= a->high + step * 1e-9; i++) {
        double part = (i * step - a->low) / (a->high - a->low);
        double x = floor(a->x0 + part * (a->x1 - a->x0)) + 0.5;
        double y = floor(a->y0 + part * (a->y1 - a->y0)) + 0.5;
        ink(cr, 0.25);
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + 5 * a->tick_x, y + 5 * a->tick_y);
        cairo_stroke(cr);
        char label[40];
        snprintf(label, sizeof label, "%.*f", digits, i * step + 0.0);
        ink(cr, 0.15);
        text_at(cr, x + 9 * a->tick_x, y + 9 * a->tick_y, a->h, a->v, label);
    }
}

static void draw_axes(const picture *self, cairo_t *cr, const frame *f)
{
    double right = f->left + f->width, bottom = f->top + f->height;
    double bar = right + BAR_GAP + BAR_WIDTH;
    axis time = {0,
                 self->seconds,
                 f->left,
                 bottom,
                 right,
                 bottom,
                 0,
                 1,
                 f->width / (7 * f->font),
                 0.5,
                 0};
    axis frequency = {self->low, self->high, f->left,
                      bottom,    f->left,    f->top,
                      -1,        0,          f->height / (3.2 * f->font),
                      1,         0.5};
    axis level = {self->bottom,
                  self->top,
                  bar,
                  bottom,
                  bar,
                  f->top,
                  1,
                  0,
                  f->height / (3.6 * f->font),
                  0,
                  0.5};
    draw_axis(cr, &time);
    draw_axis(cr, &frequency);
    draw_axis(cr, &level);

    ink(cr, 0.15);
    text_at(cr, f->left + f->width / 2, self->height - 0.9 * f->font, 0.5, 1,
            "Time (s)");
    cairo_save(cr);
    cairo_translate(cr, 0.8 * f->font, f->top + f->height / 2);
    cairo_rotate(cr, -acos(-1) / 2);
    text_at(cr, 0, 0, 0.5, 0, "Frequency (Hz)");
    cairo_restore(cr);
    cairo_save(cr);
    cairo_translate(cr, self->width - 0.9 * f->font, f->top + f->height / 2);
    cairo_rotate(cr, -acos(-1) / 2);
    char label[80];
    snprintf(label, sizeof label, "Level (%s)", self->unit);
    text_at(cr, 0, 0, 0.5, 1, label);
    cairo_restore(cr);
}

static void draw_bar(const picture *self, cairo_t *cr, const frame *f)
{
    double x = f->left + f->width + BAR_GAP;
    int height = (int)f->height;
    for (int y = 0; y < height; y++) {
        double rgb[3];
        colour_at(self->map, 1 - (y + 0.5) / height, rgb);
        cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
        cairo_rectangle(cr, x, f->top + y, BAR_WIDTH, 1);
        cairo_fill(cr);
    }
    ink(cr, 0.25);
    cairo_rectangle(cr, x - 0.5, f->top - 0.5, BAR_WIDTH + 1, height + 1);
    cairo_rectangle(cr, f->left - 0.5, f->top - 0.5, (int)f->width + 1,
                    height + 1);
    cairo_stroke(cr);
}

static void draw_titles(const picture *self, cairo_t *cr, const frame *f)
{
    ink(cr, 0.1);
    cairo_select_font_face(cr, "sans", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(cr, 1.35 * f->font);
    text_at(cr, f->left, 2.2 * f->font, 0, 1, self->title);
    cairo_select_font_face(cr, "sans", CAIRO_FONT_SLANT_NORMAL,
                           CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, f->font);
    ink(cr, 0.4);
    text_at(cr, f->left, 3.8 * f->font, 0, 1, self->subtitle);
}

static cairo_status_t write_block(void *context, const unsigned char *data,
                                  unsigned length)
{
    return fwrite(data, 1, length, context) == length
               ? CAIRO_STATUS_SUCCESS
               : CAIRO_STATUS_WRITE_ERROR;
}

static int save(cairo_surface_t *surface, const char *path)
{
    output out;
    int code = output_open(&out, path);
    if (code)
        return code;
    cairo_status_t status =
        cairo_surface_write_to_png_stream(surface, write_block, out.stream);
    if (!status)
        return output_commit(&out);
    output_abort(&out);
    return fail(CODE_OUTPUT, "cannot write '%s': %s", path,
                cairo_status_to_string(status));
}

int picture_write(const picture *self, const char *path)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                                          self->width,
                                                          self->height);
    cairo_t *cr = cairo_create(surface);
    frame f = layout(self);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_set_line_width(cr, 1);
    bool good = draw_data(self, cr, &f);
    draw_titles(self, cr, &f);
    draw_bar(self, cr, &f);
    draw_axes(self, cr, &f);
    int code = good && !cairo_status(cr)
                   ? save(surface, path)
                   : fail(CODE_LIBRARY, "cairo: %s",
                          cairo_status_to_string(cairo_status(cr)));
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return code;
}

#else

const char *picture_library(void)
{
    return NULL;
}

int picture_write(const picture *self, const char *path)
{
    (void)self;
    return fail(CODE_ABSENT,
                "cannot draw '%s': weft was built without "
                "cairo, which draws pictures (.npy works)",
                path);
}

#endif
