# SPDX-License-Identifier: BSD-3-Clause
"""Speed against N as an SVG: one panel for each type, a line a library."""
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 460, 320, 50, 30, 10, 40
COLOURS = ["#c0392b", "#2c6fbb", "#2e8b57", "#8e44ad", "#b8860b", "#555555"]


def text(x, y, words, anchor="middle"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">' \
           f"{escape(words)}</text>"


def line(x1, y1, x2, y2):
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" ' \
           'stroke="#ddd" fill="none"/>'


def step_of(most):
    for step in (5, 10, 20, 25, 50, 100, 200):
        if most / step <= 8:
            return step
    return 500


def panel(title, curves, left):
    """curves: {library: {lg N: GFLOP/s}}, in the order of their colours."""
    most = max((y for c in curves.values() for y in c.values()), default=1)
    lgs = [x for c in curves.values() for x in c] or [0, 1]
    low, high = min(lgs), max(max(lgs), min(lgs) + 1)
    step = step_of(most)
    top = step * (int(most / step) + 1)
    x0, x1 = left + LEFT, left + WIDTH - RIGHT
    y0, y1 = HEIGHT - BOTTOM, TOP

    def at(x, y):
        return (x0 + (x - low) / (high - low) * (x1 - x0),
                y0 - y / top * (y0 - y1))

    out = [text((x0 + x1) / 2, 18, title),
           text((x0 + x1) / 2, HEIGHT - 6, "N")]
    for value in range(0, top + 1, step):
        y = at(low, value)[1]
        out += [line(x0, y, x1, y), text(x0 - 6, y + 4, str(value), "end")]
    for x in range(low + low % 2, high + 1, 2):
        out.append(text(at(x, 0)[0], y0 + 16, f"2^{x}"))
    for i, (name, curve) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        points = " ".join("{:.1f},{:.1f}".format(*at(x, curve[x]))
                          for x in sorted(curve))
        out += [f'<polyline points="{points}" fill="none" '
                f'stroke="{colour}" stroke-width="2"/>',
                f'<g fill="{colour}">' +
                text(x1 - 4, y1 + 14 + 15 * i, name, "end") + "</g>"]
    return out


def svg(panels):
    """panels: [(title, curves)], side by side."""
    width = WIDTH * len(panels)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
           f'height="{HEIGHT}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{HEIGHT}" fill="white"/>']
    for i, (title, curves) in enumerate(panels):
        out += panel(title, curves, i * WIDTH)
    return "\n".join(out + ["</svg>"]) + "\n"
