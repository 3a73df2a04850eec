#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Regenerates docs/performance.md from `weft bench --json`.

    bench/performance.py [--weft PROGRAM] [--fftw-lib PATH]... [--mkl-lib PATH]
                         [--budget SECONDS] [--highest EXPONENT]

The hand-written part of the page is docs/performance.notes.md.
"""
import argparse

from figures import find_weft, machine, notes, report, size_name, write_page

OTHERS = [1000, 1001, 1009, 6144, 44100]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--weft", help="the program [build/release]")
    parser.add_argument("--fftw-lib", action="append", default=[],
                        help="another FFTW build, any number of them")
    parser.add_argument("--mkl-lib", help="libmkl_rt")
    parser.add_argument("--budget", default="2", help="seconds a problem")
    parser.add_argument("--rounds", default="20", help="rounds a problem")
    parser.add_argument("--fftw-time-limit", default="60",
                        help="seconds FFTW may plan a problem")
    parser.add_argument("--highest", type=int, default=22,
                        help="the largest power of two")
    return parser.parse_args()


def run_bench(weft, want):
    sizes = [1 << e for e in range(2, want.highest + 1)] + OTHERS
    options = ["--time-budget", want.budget, "--rounds", want.rounds,
               "--fftw-time-limit", want.fftw_time_limit]
    for path in want.fftw_lib:
        options += ["--fftw-lib", path]
    if want.mkl_lib:
        options += ["--mkl-lib", want.mkl_lib]
    problems = [f"c2c:{t}:{n}" for t in ("f64", "f32") for n in sizes]
    return sizes, report(weft, "bench", *options, *problems)


def columns(data):
    """Peers in the order of every result: (short name, build)."""
    count = {}
    found = []
    for peer in data["peers"]:
        count[peer["name"]] = count.get(peer["name"], 0) + 1
        suffix = "" if count[peer["name"]] == 1 else str(count[peer["name"]])
        found.append((peer["name"].upper() + suffix, peer["build"]))
    return found


def number(value):
    return f"{value:.1f}" if value < 1000 else f"{value:.0f}"


def row(n, result):
    if "contenders" not in result:
        return f"| {size_name(n)} | failed: {result.get('failure', '')} |"
    own, *peers = result["contenders"]
    if not own["ok"]:
        return f"| {size_name(n)} | failed: {own['failure']} |"
    cells = [size_name(n), number(own["min_ns"]), number(own["median_ns"]),
             f"{own['gflops']:.1f}"]
    for peer in peers:
        if not peer["ok"]:
            cells.append("failed")
            continue
        cells.append(f"{peer['gflops']:.1f}")
        low, middle = peer["ratio_min"], peer["ratio_median"]
        mark = "**" if low < 1 else ""
        cells.append(f"{mark}{low:.2f} / {middle:.2f}{mark}")
    cells.append("`" + result["plan"] + "`")
    return "| " + " | ".join(cells) + " |"


def table(kind, sizes, results, peers):
    head = ["N", "min ns", "median ns", "GFLOP/s"]
    for name, _ in peers:
        head += [name + " GFLOP/s", "weft vs " + name]
    head.append("plan")
    rule = ["---:"] * (len(head) - 1) + [":---"]
    lines = ["", f"## {kind}", "", "| " + " | ".join(head) + " |",
             "|" + "|".join(rule) + "|"]
    return lines + [row(n, r) for n, r in zip(sizes, results)]


def summary(results, peers):
    lines = [""]
    for i, (name, _) in enumerate(peers):
        rows = [r["contenders"] for r in results if "contenders" in r]
        slower = [r["problem"] for r in results if "contenders" in r and
                  r["contenders"][i + 1].get("ratio_min", 9) < 1]
        lines.append(
            f"- against {name}: faster at {len(rows) - len(slower)} of "
            f"{len(results)}" +
            ("" if not slower else "; slower at " + ", ".join(slower)))
    return lines


def main():
    want = arguments()
    weft = find_weft(want.weft)
    sizes, (data, _) = run_bench(weft, want)
    peers = columns(data)
    page = ["# Performance", "",
            "Complex transforms, one thread, out of place; made by "
            "`bench/performance.py` (`make bench`).",
            "Times are CPU time of one execution, minimum and median over "
            "rounds in which all libraries take turns in one process on the "
            "same buffers, results compared each round. GFLOP/s is "
            "5 N log2 N over the minimum. \"weft vs X\" is X's time over "
            "weft's, of the minima / of the medians: above 1 weft is faster; "
            "bold where it is not.", "", "```"]
    page += machine(weft)
    effort = f", planner effort {data['fftw_effort']}"
    if data["fftw_time_limit"] is not None:
        effort += f", at most {data['fftw_time_limit']:.0f} s a problem"
    page += [f"{name}: {build}" + (effort if name.startswith("FFTW") else "")
             for name, build in peers]
    page += [f"{a['name']}: not found" for a in data["absent"]] + ["```"]
    page += summary(data["results"], peers)
    half = len(sizes)
    page += table("f64", sizes, data["results"][:half], peers)
    page += table("f32", sizes, data["results"][half:], peers)
    page += notes("performance.notes.md")
    write_page("performance.md", page)


if __name__ == "__main__":
    main()
