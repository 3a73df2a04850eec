#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Puts a selection of the pages of docs/performance*.md between the markers of
README.md."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = ["16", "64", "256", "2^10", "2^12", "2^14", "2^16", "2^18", "2^20",
         "2^22", "1000", "1001", "1009", "6144", "44100"]
CORES = {"icelake": "Ice Lake", "emeraldrapids": "Emerald Rapids",
         "graniterapids": "Granite Rapids", "zen4": "Zen 4", "zen5": "Zen 5"}
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def rows(page, kind):
    """Size -> {column title: text} of the page's table of one type."""
    lines = page.split(f"## {kind}\n", 1)[1].split("\n## ", 1)[0].splitlines()
    lines = [line for line in lines if line.startswith("|")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]]
             for line in lines]
    return {row[0]: dict(zip(cells[0], row)) for row in cells[2:]}


def table(page):
    """The lines of one page's table, of sizes by types and ratios."""
    tables = [rows(page, "f64"), rows(page, "f32")]
    ratios = [title for title in next(iter(tables[0].values()))
              if title.startswith("weft vs ")]
    head = ["N"]
    for kind in ["f64", "f32"]:
        head += [f"{kind} GFLOP/s"] + [r.removeprefix("weft ") for r in ratios]
    text = [f"| {' | '.join(head)} |", "|" + "---:|" * len(head)]
    for size in SIZES:
        row = [size]
        for one in tables:
            cells = one[size]
            row += [cells["GFLOP/s"]]
            row += [cells[r].split("/")[0].strip(" *") for r in ratios]
        text.append(f"| {' | '.join(row)} |")
    return text


def processor(path, page):
    """What it calls itself, and its kind: of the page's name, or as it says."""
    cpu = re.search(r"^cpu: (.*)$", page, re.M).group(1)
    said = re.search(r"^core: (.*)$", page, re.M)
    kind = CORES.get(path.name.split(".")[1],
                     CORES.get(said.group(1)) if said else None)
    return f"{cpu} ({kind})" if kind else cpu


def figures(path):
    """What README.md shows of one page."""
    page = path.read_text()
    isa = re.search(r"^isa: (.*)$", page, re.M).group(1)
    builds = re.findall(r"^(?:FFTW|MKL).*?: .*$", page, re.M)
    link = f"[{path.name}](docs/{path.name})"
    return ["", f"{processor(path, page)}, {isa} ({link}), beside",
            ""] + [f"- {build}" for build in builds] + [""] + table(page)


def main():
    text = ["One thread, out of place. GFLOP/s is 5 N log2 N over the time; a "
            "ratio is the",
            "peer's time over weft's. On processors that are not Intel's, MKL "
            "runs its",
            "baseline code, where nothing else is said."]
    for path in [ROOT / "docs/performance.md",
                 *sorted((ROOT / "docs").glob("performance.*.md"))]:
        if path.name != "performance.notes.md":
            text += figures(path)
    readme = ROOT / "README.md"
    old = readme.read_text()
    head, rest = old.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    readme.write_text(head + BEGIN + "\n" + "\n".join(text) + "\n" + END
                      + tail)
    print("wrote README.md")


if __name__ == "__main__":
    main()
