/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawing a timetable: see schedule_picture.h. */
#include "schedule_picture.h"

#include <math.h>
#include <string.h>

enum {
    LANES = 6,
    LEFT = 90,
    TOP = 56,
    WIDTH = 1100,
    LANE = 46,
    BAR = 30,
    MARKS = 10
};

static const char *const lanes[LANES] = {"tensor", "vector", "scalar",
                                         "gpsimd", "load",   "store"};

static const struct {
    const char *what, *colour;
} colours[] = {{"matmul", "#c1440e"},        {"transpose", "#e8a33d"},
               {"copy", "#4a7ba6"},          {"tensor_tensor", "#2f5d50"},
               {"tensor_scalar", "#6b8f71"}, {"reduce", "#8a5a83"},
               {"exponent", "#8a5a83"},      {"reciprocal", "#8a5a83"},
               {"memset", "#999999"},        {"dma", "#7a7a9d"},
               {"store", "#55557a"}};

static const char *colour_of(const char *what)
{
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++)
        if (!strcmp(colours[i].what, what))
            return colours[i].colour;
    return "#000000";
}

typedef struct entry {
    char kernel[40], unit[40], what[40];
    double begin, end;
    int lane;
} entry;

/* The next line; false at the end. */
static bool next_entry(const char **at, entry *e)
{
    if (!**at || sscanf(*at, "%39s %39s %lf %lf %39s", e->kernel, e->unit,
                        &e->begin, &e->end, e->what) != 5)
        return false;
    const char *line = strchr(*at, '\n');
    *at = line ? line + 1 : *at + strlen(*at);
    e->lane = 0;
    for (int i = 0; i < 4; i++)
        if (!strcmp(e->unit, lanes[i]))
            e->lane = i;
    if (!strcmp(e->unit, "dma"))
        e->lane = !strcmp(e->what, "store") ? 5 : 4;
    return true;
}

static void escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '&')
            fputs(*text == '<' ? "&lt;" : "&amp;", out);
        else
            fputc(*text, out);
}

/* 1, 2 or 5 times a power of ten, about a tenth of the whole. */
static double step_of(double total)
{
    double step = pow(10, floor(log10(total / MARKS)));
    while (total / step > 2 * MARKS)
        step *= 2.5;
    return total / step > MARKS ? 2 * step : step;
}

static void draw_frame(FILE *out, double total)
{
    double step = step_of(total), bottom = TOP + LANES * LANE;
    for (double t = 0; t <= total; t += step) {
        double x = LEFT + t / total * WIDTH;
        fprintf(out,
                "<line x1='%.1f' y1='%d' x2='%.1f' y2='%.0f' "
                "stroke='#dddddd'/><text x='%.1f' y='%.0f' "
                "text-anchor='middle'>%g</text>\n",
                x, TOP, x, bottom, x, bottom + 18, t / 1e3);
    }
    for (int i = 0; i < LANES; i++)
        fprintf(out, "<text x='%d' y='%d' text-anchor='end'>%s</text>\n",
                LEFT - 10, TOP + i * LANE + LANE / 2 + 4, lanes[i]);
    fprintf(out,
            "<text x='%d' y='%.0f' text-anchor='middle'>microseconds on the "
            "device</text>\n",
            LEFT + WIDTH / 2, bottom + 38);
}

static void draw_legend(FILE *out, const bool *used)
{
    int x = LEFT, y = TOP + LANES * LANE + 56;
    for (size_t i = 0; i < sizeof colours / sizeof colours[0]; i++) {
        if (!used[i])
            continue;
        fprintf(out,
                "<rect x='%d' y='%d' width='14' height='14' fill='%s'/>"
                "<text x='%d' y='%d'>%s</text>\n",
                x, y, colours[i].colour, x + 20, y + 12,
                !strcmp(colours[i].what, "dma") ? "load" : colours[i].what);
        x += 120;
    }
}

static void draw(FILE *out, const char *title, const char *timetable,
                 double total)
{
    bool used[sizeof colours / sizeof colours[0]] = {false};
    entry e;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "font-family='sans-serif' font-size='12'>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n"
            "<text x='%d' y='28' font-size='15'>",
            LEFT + WIDTH + 30, TOP + LANES * LANE + 90, LEFT);
    escaped(out, title);
    fputs("</text>\n", out);
    draw_frame(out, total);
    for (const char *at = timetable; next_entry(&at, &e);) {
        double x = LEFT + e.begin / total * WIDTH;
        double width = (e.end - e.begin) / total * WIDTH;
        fprintf(out,
                "<rect x='%.2f' y='%d' width='%.2f' height='%d' fill='%s' "
                "fill-opacity='0.8'><title>%s %s %.0f-%.0f ns</title>"
                "</rect>\n",
                x, TOP + e.lane * LANE + (LANE - BAR) / 2,
                width < 0.4 ? 0.4 : width, BAR, colour_of(e.what), e.kernel,
                e.what, e.begin, e.end);
        for (size_t i = 0; i < sizeof used; i++)
            used[i] |= !strcmp(colours[i].what, e.what);
    }
    draw_legend(out, used);
    fputs("</svg>\n", out);
}

int schedule_picture(const char *path, const char *title,
                     const char *timetable)
{
    double total = 0;
    entry e;
    for (const char *at = timetable; next_entry(&at, &e);)
        total = e.end > total ? e.end : total;
    if (total == 0)
        return fail(CODE_INPUT, "the plan has no instruction to draw");
    FILE *out = fopen(path, "w");
    if (!out)
        return fail(CODE_OUTPUT, "cannot write '%s'", path);
    draw(out, title, timetable, total);
    bool bad = ferror(out) != 0;
    bad |= fclose(out) != 0;
    return bad ? fail(CODE_OUTPUT, "cannot write '%s'", path) : CODE_OK;
}
