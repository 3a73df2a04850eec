/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines over 2^n on logarithmic scales, as an SVG: see modes.h.  Written as
 * text, so that it needs no library.
 */
#include <math.h>

#include "file.h"
#include "modes.h"

enum {
    WIDTH = 900,
    HEIGHT = 560,
    LEFT = 80,
    RIGHT = 170,
    TOP = 50,
    FOOT = 60
};

typedef struct scale {
    double low, high; /* exponents of 2 along, of 10 up */
    double bottom, top;
} scale;

static double along(const scale *s, double n)
{
    double part = s->high > s->low ? (log2(n) - s->low) / (s->high - s->low)
                                   : 0.5;
    return LEFT + part * (WIDTH - LEFT - RIGHT);
}

static double up(const scale *s, double value)
{
    double part = (log10(value) - s->bottom) / (s->top - s->bottom);
    return HEIGHT - FOOT - part * (HEIGHT - TOP - FOOT);
}

/* An error of zero has no place: such points are left out. */
static scale find_scale(const plot_line *lines, int count)
{
    scale s = {1e9, -1e9, 1e9, -1e9};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < lines[i].count; k++) {
            double value = lines[i].value[k], x = log2(lines[i].n[k]);
            s.low = fmin(s.low, x);
            s.high = fmax(s.high, x);
            if (value > 0) {
                s.bottom = fmin(s.bottom, floor(log10(value)));
                s.top = fmax(s.top, ceil(log10(value)));
            }
        }
    if (s.top <= s.bottom) {
        s.bottom = s.bottom > 1e8 ? -1 : s.bottom;
        s.top = s.bottom + 1;
    }
    return s;
}

static void draw_axes(FILE *out, const scale *s, const char *title)
{
    fprintf(out,
            "<text x=\"%d\" y=\"28\" font-size=\"17\">%s</text>\n"
            "<text x=\"%d\" y=\"%d\">length</text>\n",
            LEFT, title, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 16);
    for (double e = s->bottom; e <= s->top; e++) {
        double y = up(s, pow(10, e));
        fprintf(out,
                "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" "
                "stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">1e%.0f</text>\n",
                LEFT, y, WIDTH - RIGHT, y, LEFT - 8, y + 4, e);
    }
    for (double e = s->low; e <= s->high; e += 2) {
        double x = along(s, exp2(e));
        fprintf(out,
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" "
                "stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" "
                "text-anchor=\"middle\">%.0f</text>\n",
                x, TOP, x, HEIGHT - FOOT, x, HEIGHT - FOOT + 18, exp2(e));
    }
}

/* Names stand at the lines' ends, pushed apart where they would meet. */
static void draw_line(FILE *out, const scale *s, const plot_line *line,
                      int index, double *taken)
{
    static const char *const colours[] = {"#1b6ca8", "#c1440e", "#2e8540",
                                          "#7b3f9e", "#a67c00", "#00818a",
                                          "#b0306a", "#555555"};
    const char *colour = colours[index % 8];
    double x = LEFT, y = 0;
    fprintf(out,
            "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" "
            "points=\"",
            colour);
    for (int k = 0; k < line->count; k++) {
        if (!(line->value[k] > 0))
            continue;
        x = along(s, line->n[k]);
        y = up(s, line->value[k]);
        fprintf(out, "%.1f,%.1f ", x, y);
    }
    fprintf(out, "\"/>\n");
    double label = y;
    for (int k = 0; k < index; k++) /* taken[] is in the order of drawing */
        for (int other = 0; other < index; other++)
            if (fabs(taken[other] - label) < 13)
                label = taken[other] + 13;
    taken[index] = label;
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n", x + 8,
            label + 4, colour, line->name);
}

int plot_write(const char *path, const char *title, const plot_line *lines,
               int count)
{
    enum { MOST = 64 };
    double taken[MOST];
    output out;
    scale s = find_scale(lines, count);
    int code = output_open(&out, path);
    if (code)
        return code;
    fprintf(out.stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT);
    draw_axes(out.stream, &s, title);
    for (int i = 0; i < count && i < MOST; i++)
        draw_line(out.stream, &s, &lines[i], i, taken);
    fprintf(out.stream, "</svg>\n");
    return output_commit(&out);
}
