#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Puts measured tables into a document, between its two marker lines.

tables.py performance|accuracy DOCUMENT JSON...   (reports of weft --json)
"""
import json
import re
import sys

BEGIN = "<!-- table: begin -->"
END = "<!-- table: end -->"


def time_text(ns):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"


def performance(reports):
    first = reports[0]
    peers = [peer["name"] for peer in first["peers"]]
    builds = ", ".join(peer.get("build") or peer["name"]
                       for peer in first["peers"])
    yield (f"weft {first['version']}, {first['isa']}; beside: "
           f"{builds or 'nothing'}; FFTW planned with "
           f"`{first['fftw_effort']}`. Times are minima of one execution.")
    yield ""
    yield ("| problem | weft | GFLOP/s | " +
           "".join(f"{name} | ratio | " for name in peers) + "plan |")
    yield "|---|--:|--:|" + "--:|--:|" * len(peers) + "---|"
    for report in reports:
        for result in report["results"]:
            by_name = {c["name"]: c for c in result["contenders"]}
            weft = by_name.get("weft", {})
            cells = [f"`{result['problem']}`"]
            if weft.get("ok"):
                cells += [time_text(weft["min_ns"]), f"{weft['gflops']:.1f}"]
            else:
                cells += ["failed", ""]
            for name in peers:
                peer = by_name.get(name, {})
                if peer.get("ok"):
                    ratio = peer.get("ratio_min")
                    cells += [time_text(peer["min_ns"]),
                              f"{ratio:.2f}" if ratio else ""]
                else:
                    cells += ["failed", ""]
            cells.append(f"`{result.get('plan', '')}`")
            yield "| " + " | ".join(cells) + " |"


def accuracy(reports):
    yield f"weft {reports[0]['version']}, {reports[0]['isa']}."
    yield ""
    yield "| problem | L2 | in u | bar, in u | max | in u |"
    yield "|---|--:|--:|--:|--:|--:|"
    for report in reports:
        for result in report["results"]:
            u = 2.0**-53 if ":f64:" in result["problem"] else 2.0**-24
            l2, worst = result["l2"], result["max"]
            yield (f"| `{result['problem']}` | {l2:.2e} | {l2 / u:.2f} | "
                   f"{result['bar'] / u:.2f} | {worst:.2e} | "
                   f"{worst / u:.2f} |")


def main():
    kind, document, *names = sys.argv[1:]
    reports = []
    for name in names:
        with open(name, encoding="utf-8") as stream:
            reports.append(json.load(stream))
    rows = {"performance": performance, "accuracy": accuracy}[kind](reports)
    with open(document, encoding="utf-8") as stream:
        text = stream.read()
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    table = f"{BEGIN}\n" + "\n".join(rows) + f"\n{END}"
    if not re.search(pattern, text, re.S):
        sys.exit(f"tables.py: {document} has no marker lines {BEGIN} {END}")
    text = re.sub(pattern, lambda _: table, text, count=1, flags=re.S)
    with open(document, "w", encoding="utf-8") as stream:
        stream.write(text)


if __name__ == "__main__":
    main()
