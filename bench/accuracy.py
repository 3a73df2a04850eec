#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Regenerates docs/accuracy.md from `weft accuracy --json`.

    bench/accuracy.py [--weft PROGRAM] [--highest EXPONENT]

The hand-written part of the page is docs/accuracy.notes.md, if there is one.
"""
import argparse
import sys

from accuracy_goals import goal_table
from figures import find_weft, machine, notes, report, size_name, write_page

OTHERS = [7, 31, 100, 127, 1000, 1001, 1009, 2187, 3125, 6144, 10007, 44100]
SHAPES = ["64x64", "30x40", "16x16x16", "100*10"]


def table(head, rows):
    return ["| " + " | ".join(head) + " |",
            "|---|" + "---:|" * (len(head) - 1)] + \
        ["| " + " | ".join(row) + " |" for row in rows] + [""]


def mode_rows(rows, what, form):
    """Lengths across, modes down."""
    lengths = sorted({r["n"] for r in rows})
    cell = {(r["mode"], r["n"]): r for r in rows}
    names = list(dict.fromkeys(r["mode"] for r in rows))
    return table(["mode"] + [str(n) for n in lengths],
                 [[name] + [form.format(cell[name, n][what])
                            if (name, n) in cell else "" for n in lengths]
                  for name in names])


def mode_tables(weft):
    """Every precision mode at lengths 16 to 65536."""
    data, good = report(weft, "accuracy")
    lines = ["", "## Modes", "",
             "One vector of uniform noise at each length, by `weft accuracy` "
             "(`--plot FILE.svg` draws it, `--json` has the maximum errors, "
             "too). Cost is the model's, in ns. A mode whose line is missing "
             "is refused for the type.", ""]
    for kind in ("f32", "f64"):
        rows = [r for r in data["modes"] if r["type"] == kind]
        for what, title, form in (
                ("l2", "relative L2 error", "{:.2e}"),
                ("max", "largest error over the root mean square", "{:.2e}"),
                ("bound", "bound of the relative L2 error", "{:.2e}"),
                ("cost", "cost, ns", "{:.4g}")):
            lines += [f"{kind}, {title}:", ""] + mode_rows(rows, what, form)
    data, fine = report(weft, "accuracy", "--kind", "r2c")
    lines += ["Reals to half spectra, by `weft accuracy --kind r2c` (other "
              "kinds by their names), relative L2 error:", ""]
    for kind in ("f32", "f64"):
        rows = [r for r in data["modes"] if r["type"] == kind]
        lines += [f"{kind}:", ""] + mode_rows(rows, "l2", "{:.2e}")
    return lines, good and fine


def angle_tables(weft):
    """What unreduced FP32 angles do."""
    data, _ = report(weft, "accuracy", "--angles", "fp32")
    return ["## Angles", "",
            "Textbook algorithms in single precision, by `weft accuracy "
            "--angles fp32`: relative L2 error and largest error over the "
            "largest value, with roots of unity rounded once (phases reduced "
            "in integers) and with roots from unreduced FP32 angles. The "
            "library's own tables are of the first kind; nothing in it can "
            "make the second.", ""] + table(
        ["algorithm", "N", "rounded, L2", "max/max", "FP32 angles, L2",
         "max/max"],
        [[r["algorithm"], str(r["n"])] +
         [f"{r[k]:.2e}" for k in ("exact_l2", "exact_max", "fp32_l2",
                                  "fp32_max")] for r in data["angles"]]) + [
        "Root mean square error of the N x N table itself:", ""] + table(
        ["N", "rounded", "FP32 angles"],
        [[str(r["n"]), f"{r['exact']:.2e}", f"{r['fp32']:.2e}"]
         for r in data["tables"]])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--weft", help="the program [build/release]")
    parser.add_argument("--highest", type=int, default=20,
                        help="the largest power of two")
    want = parser.parse_args()
    weft = find_weft(want.weft)
    shapes = [(size_name(1 << e), str(1 << e))
              for e in range(1, want.highest + 1)]
    shapes += [(str(n), str(n)) for n in OTHERS]
    shapes += [(text, text) for text in SHAPES]
    data, good = report(
        weft, "accuracy", *[f"c2c:{t}:{shape}:{sign}".removesuffix(":")
                            for _, shape in shapes for t in ("f64", "f32")
                            for sign in ("", "inverse")])
    page = ["# Accuracy", "",
            "Relative L2 error and maximum error (over the root mean square "
            "of the result) of the native mode, in units of u = 2^-53 (f64) "
            "and 2^-24 (f32), on uniform random data against "
            "`weft_reference`, which is exact to about 1e-28. Made by "
            "`bench/accuracy.py` from `weft accuracy --json`.", "",
            "The bar is 0.6 u sqrt(log2 N) + u for sizes with prime factors "
            "up to 13 only, and 5 u for others; the bound is what "
            "`weft_plan_get_info` promises for the plan used.", "", "```"]
    page += machine(weft) + ["```", ""]
    head = ["N", "f64 L2", "inverse", "max", "f32 L2", "inverse", "max",
            "bar", "f64 bound", "f32 bound"]
    page += ["| " + " | ".join(head) + " |", "|" + "---:|" * len(head)]
    for i, (name, _) in enumerate(shapes):
        a, b, c, d = data["results"][4 * i:4 * i + 4]
        cells = [a["l2_u"], b["l2_u"], max(a["max_u"], b["max_u"]),
                 c["l2_u"], d["l2_u"], max(c["max_u"], d["max_u"]),
                 a["bar_u"], a["bound"] * 2**53, c["bound"] * 2**24]
        page.append(f"| {name} | " +
                    " | ".join(f"{x:.2f}" for x in cells) + " |")
    missed = [r["problem"] for r in data["results"] if not r["ok"]]
    page += ["", "Above the bar: " + (", ".join(missed) or "none") + "."]
    goals, met = goal_table(weft)
    modes, fine = mode_tables(weft)
    page += goals + modes + angle_tables(weft)[:-1] + notes("accuracy.notes.md")
    good = good and fine and met
    write_page("accuracy.md", page)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
