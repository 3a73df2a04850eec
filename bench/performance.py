#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Regenerates docs/performance.md, .svg and .json from `weft bench --json`.

    bench/performance.py [--full] [--weft PROGRAM] [--fftw-lib PATH]...
                         [--mkl-lib PATH] [--mkl-note TEXT]
                         [--budget SECONDS] [--rounds N]
                         [--fftw-time-limit SECONDS] [--highest EXPONENT]
                         [--out FOLDER] [--beside MACHINE]

Without --full only the main table is run (minutes); with it every section of
bench/sections.py (an hour or two).  The hand-written part of the page is
docs/performance.notes.md.
"""
import argparse
import json
from statistics import median

import goals
import plot
from figures import (bounds_of_machine, find_weft, machine, notes, report,
                     size_name, write_page, write_text)
from sections import TYPES, sections


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true",
                        help="every section, not the main table alone")
    parser.add_argument("--weft", help="the program [build/release]")
    parser.add_argument("--fftw-lib", action="append", default=[],
                        help="another FFTW build, any number of them (each "
                        "type is a library of its own)")
    parser.add_argument("--mkl-lib", help="libmkl_rt")
    parser.add_argument("--mkl-note", metavar="TEXT", help="what the page says "
                        "of it beside its version")
    parser.add_argument("--budget", default="2", help="seconds a problem")
    parser.add_argument("--rounds", default="20", help="rounds a problem")
    parser.add_argument("--fftw-time-limit", default="60",
                        help="seconds FFTW may plan a problem")
    parser.add_argument("--highest", type=int,
                        help="the largest power of two [22; 24 with --full]")
    parser.add_argument("--out", help="where to write [docs]")
    parser.add_argument("--beside", metavar="MACHINE",
                        help="write performance.MACHINE.md and .svg without "
                             "notes, beside the page of another machine")
    want = parser.parse_args()
    if want.highest is None:
        want.highest = 24 if want.full else 22
    return want


# A transform within the first cache may take 1.1 to 2 times its time in one process,
# for as long as that lives, by where its code and data lie: such problems are timed
# in some.
SHORT, PROCESSES = 1024, 5


def is_short(problem):
    shape = problem.split(":")[2]
    return shape.isdigit() and int(shape) <= SHORT


def join_contender(rows, mine):
    """One contender's row of those of several processes; `mine` are weft's."""
    row = rows[0]
    if not all(r["ok"] for r in rows + mine):
        return next((r for r in rows if not r["ok"]), row)
    flops = row["gflops"] * row["min_ns"]
    row["min_ns"] = min(r["min_ns"] for r in rows)
    row["median_ns"] = median(r["median_ns"] for r in rows)
    row["gflops"] = flops / row["min_ns"]
    row["gflops_median"] = flops / row["median_ns"]
    if "ratio_min" in row:
        row["ratio_min"] = row["min_ns"] / min(r["min_ns"] for r in mine)
        row["ratio_median"] = median(r["ratio_median"] for r in rows)
    return row


def join_processes(results):
    """The result of a problem from those of several processes: least minima,
    middle medians."""
    one = results[0]
    found = [r.get("contenders") for r in results]
    if not all(found) or any(len(c) != len(found[0]) for c in found):
        return one
    mine = [dict(c[0]) for c in found]
    one["contenders"] = [join_contender(list(rows), mine)
                         for rows in zip(*found)]
    return one


def run_section(weft, want, section):
    options = ["--time-budget", want.budget, "--rounds", want.rounds,
               "--fftw-time-limit", want.fftw_time_limit]
    for path in want.fftw_lib if "--peers" not in section.options else []:
        options += ["--fftw-lib", path]
    if want.mkl_lib and "--peers" not in section.options:
        options += ["--mkl-lib", want.mkl_lib]

    def run(problems):
        return report(weft, "bench", *options, *section.options, *problems,
                      environment=section.environment)[0]

    data = run(section.problems)
    short = [p for p in section.problems if is_short(p)]
    more = [run(short)["results"] for _ in range(PROCESSES - 1)] \
        if short else []
    again = {p: rows for p, *rows in zip(short, *more)}
    data["results"] = [
        join_processes([result, *again[problem]]) if problem in again
        else result
        for problem, result in zip(section.problems, data["results"])]
    return data


def columns(data):
    """Peers in the order of every result: (short name, build).  Those of one
    name and build (FFTW's library of the other type) are one."""
    count = {}
    found = []
    for peer in data["peers"]:
        count[peer["name"]] = count.get(peer["name"], 0) + 1
        suffix = "" if count[peer["name"]] == 1 else str(count[peer["name"]])
        found.append((peer["name"].upper() + suffix, peer["build"]))
    return found


def number(value):
    return f"{value:.1f}" if value < 1000 else f"{value:.0f}"


def title_of(problem):
    """The shape and the options, for the first column of a table."""
    shape = problem.split(":", 2)[2]
    return size_name(int(shape)) if shape.isdigit() else shape


def changes(results):
    """What the problems of a section were timed against, of weft's own."""
    return next(([c["name"] for c in goals.counterparts_of(r)]
                 for r in results if "contenders" in r), [])


def rate(one):
    """GFLOP/s; nothing for what only moves samples."""
    return f"{one['gflops']:.1f}" if one["gflops"] else ""


def row(problem, result, cells_of_peers, plan):
    first = title_of(problem)
    if "contenders" not in result:
        return f"| {first} | failed: {result.get('failure', '')} |"
    own = result["contenders"][0]
    if not own["ok"]:
        return f"| {first} | failed: {own['failure']} |"
    cells = [first, number(own["min_ns"]), number(own["median_ns"]),
             rate(own)]
    for peer in goals.peers_of(result)[:cells_of_peers]:
        if not peer["ok"]:
            cells += ["failed", ""]
            continue
        cells.append(rate(peer))
        low, middle = peer["ratio_min"], peer["ratio_median"]
        mark = "**" if low < 1 else ""
        cells.append(f"{mark}{low:.2f} / {middle:.2f}{mark}")
    for other in goals.counterparts_of(result):
        cells += [number(other["min_ns"]),
                  f"{other['ratio_min']:.2f} / {other['ratio_median']:.2f}"] \
            if other["ok"] else ["failed", ""]
    if plan:
        cells.append("`" + result["plan"] + "`")
    return "| " + " | ".join(cells) + " |"


def table(heading, problems, results, peers, plan=True):
    head = ["N", "min ns", "median ns", "GFLOP/s"]
    for name, _ in peers:
        head += [name + " GFLOP/s", "weft vs " + name]
    for name in changes(results):
        head += [name + " ns", "vs " + name]
    rule = ["---:"] * len(head)
    if plan:
        head.append("plan")
        rule.append(":---")
    lines = ["", heading, "", "| " + " | ".join(head) + " |",
             "|" + "|".join(rule) + "|"]
    return lines + [row(p, r, len(peers), plan)
                    for p, r in zip(problems, results)]


def of_type(section, results, kind):
    """(problems, results) of one type."""
    chosen = [(p, r) for p, r in zip(section.problems, results)
              if p.split(":")[1] == kind]
    return [p for p, _ in chosen], [r for _, r in chosen]


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


def goal_table(by_section, bounds):
    lines = ["", "## Goals", "",
             "A ratio is a peer's time over weft's, of minima; means are "
             "geometric.", "",
             "| work | goal | measured |", "|---|---|---|"]
    return lines + [f"| {work} | {goal} | {figure} |"
                    for work, goal, figure in goals.goals(by_section,
                                                            bounds)]


def slower_table(by_section):
    rows = goals.slower(by_section)
    if not rows:
        return []
    lines = ["", "## Where a peer was faster", "",
             "The reasons, where they are known, are under \"Where weft is "
             "not first\".", "",
             "| problem | section | peer | ratio |", "|---|---|---|---:|"]
    return lines + [f"| `{p}` | {s} | {peer} | {ratio:.2f} |"
                    for p, s, peer, ratio in rows]


def missed_table(by_section):
    rows = goals.missed(by_section)
    if not rows:
        return []
    lines = ["", "## Where weft misses a goal against itself", "",
             "| problem | what | quotient | goal |", "|---|---|---:|---|"]
    return lines + [f"| `{p}` | {what} | {found:.2f} | {goal} |"
                    for p, what, found, goal in rows]


def curves(section, results, peers, kind):
    """{library: {lg N: GFLOP/s}} of the powers of two."""
    names = ["weft"] + [name for name, _ in peers]
    found = {name: {} for name in names}
    for problem, result in zip(*of_type(section, results, kind)):
        shape = problem.split(":")[2]
        n = int(shape) if shape.isdigit() else 0
        if not goals.is_power(n):
            continue
        for name, one in zip(names, result.get("contenders", [])):
            if one["ok"]:
                found[name][n.bit_length() - 1] = one["gflops"]
    return {name: curve for name, curve in found.items() if curve}


def machine_readable(description, bounds, peers, by_section):
    """One result a line, so that runs can be compared line by line."""
    head = {"machine": description, "bounds": bounds,
            "peers": [{"name": n, "build": b} for n, b in peers]}
    lines = [json.dumps({"section": s, **r}, separators=(",", ":"))
             for s, rows in by_section.items() for r in rows]
    return json.dumps(head)[:-1] + ',\n"results": [\n' + \
        ",\n".join(lines) + "\n]}\n"


def head_of_page(description, data, peers, mkl_note):
    page = ["# Performance", "",
            "Complex transforms, one thread, out of place where nothing else "
            "is said; made by `bench/performance.py` (`make bench`, `make "
            "bench-full`).",
            "Times are CPU time of one execution, minimum and median over "
            "rounds in which all libraries take turns in one process on the "
            "same buffers, results compared each round; of up to "
            f"{SHORT} samples the least minima and the middle medians of "
            f"{PROCESSES} processes, and in place eight arrays that take "
            "turns. GFLOP/s is "
            "5 N log2 N over the minimum. \"weft vs X\" is X's time over "
            "weft's, of the minima / of the medians: above 1 weft is faster; "
            "bold where it is not. \"vs X\" is the same of the problem itself "
            "with X changed, on buffers of its own in the same rounds.", "",
            "```"] + description
    effort = f", planner effort {data['fftw_effort']}"
    if data["fftw_time_limit"] is not None:
        effort += f", at most {data['fftw_time_limit']:g} s a problem"
    said = {"FFTW": effort, "MKL": f", {mkl_note}" if mkl_note else ""}
    page += [f"{name}: {build}" + said.get(name.rstrip("0123456789"), "")
             for name, build in peers]
    return page + [f"{a['name']}: not found"
                   for a in data["absent"]] + ["```"]


def main():
    want = arguments()
    weft = find_weft(want.weft)
    bounds = bounds_of_machine(weft)
    runs = [(s, run_section(weft, want, s))
            for s in sections(want.highest, want.full)]
    by_section = {s.name: data["results"] for s, data in runs}
    section, data = runs[0]
    peers = columns(data)
    description = machine(weft)
    page = head_of_page(description, data, peers, want.mkl_note)
    page += summary(data["results"], peers)
    name = "performance" + (f".{want.beside}" if want.beside else "")
    page += ["", f"![Speed against N]({name}.svg)"]
    page += goal_table(by_section, bounds)
    for kind in TYPES:
        page += table("## " + kind, *of_type(section, data["results"], kind),
                      peers)
    for other, found in runs[1:]:
        page += ["", "## " + other.title]
        for kind in TYPES:
            page += table("### " + kind,
                          *of_type(other, found["results"], kind),
                          columns(found), plan=False)
    page += slower_table(by_section) + missed_table(by_section)
    page += ["", "How to read this, where weft is not first and what was "
             "tried: [performance.md](performance.md)."] \
        if want.beside else notes("performance.notes.md")
    write_page(f"{name}.md", page, want.out)
    write_text(f"{name}.svg", plot.svg(
        [(f"c2c {kind}, GFLOP/s",
          curves(section, data["results"], peers, kind)) for kind in TYPES]),
        want.out)
    if not want.beside:
        write_text(f"{name}.json",
                   machine_readable(description, bounds, peers, by_section),
                   want.out)


if __name__ == "__main__":
    main()
