#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The page of bench/performance.py from results made up here: quotients are
those of one result, those outside a goal are counted and listed, and what was
not run or failed says so."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "bench"))
import goals  # noqa: E402
import performance  # noqa: E402
import sections  # noqa: E402


def contender(name, ns, own_ns, **more):
    return {"name": name, "ok": True, "min_ns": ns, "median_ns": ns,
            "gflops": 1, "ratio_min": ns / own_ns, "ratio_median": ns / own_ns,
            "planning_seconds": 1e-6, **more}


def result(problem, ns, fftw=None, against=(), plan="(a)"):
    """A result: weft's time, FFTW's, those of counterparts by name."""
    rows = [contender("weft", ns, ns)]
    rows += [contender("fftw", fftw, ns)] if fftw else []
    rows += [contender(name, other, ns, problem=problem + "'", plan=tree)
             for name, other, tree in against]
    return {"problem": problem, "plan": plan, "contenders": rows}


def figure(rows, work):
    return next(text for name, _, text in rows if name == work)


def main():
    in_place = [result("c2c:f64:16:inplace", 12, 13, [("outofplace", 10, "")]),
                result("c2c:f64:64:inplace", 90, 99, [("outofplace", 90, "")]),
                result("c2c:f32:64:inplace", 50, 40, [("outofplace", 49, "")])]
    measured = [result("c2c:f64:16", 11, None, [("measure", 10, "(a)")]),
                result("c2c:f64:64", 20, None, [("measure", 20, "(b)")])]
    real = [result("r2c:f64:16", 10, 20, [("c2c", 15, "")]),
            result("r2c:f64:32", 10, 20, [("c2c", 20, "")]),
            result("r2c:f64:1001", 10, 20, [("c2c", 22, "")])]
    by_section = {"inplace": in_place, "measured": measured, "r2c": real,
                  "dct2": [{"problem": "redft10:f64:8", "failure": "no"}]}
    rows = goals.goals(by_section)

    said = figure(rows, "in place")
    assert "1.07 mean, 1.20 at c2c:f64:16:inplace, 1 of 3 above 1.05" in said
    said = figure(rows, "r2c, 2^4 up")
    assert "FFTW 2.00 mean" in said and "C2C" not in said, said
    assert "1.73 mean, 1.50 at r2c:f64:16, 1 of 2 below 1.7" in said, said
    assert "2.20 mean" in figure(rows, "r2c, odd lengths")
    said = figure(rows, "the model's plans")
    assert "1 of 2 above 1.05" in said, said
    assert "the same plan at 1 of 2" in said and goals.MISSING in said, said
    assert figure(rows, "DCT-II and III").count(goals.MISSING) == 3
    assert goals.MISSING in figure(rows, "scrambled order")

    assert [(p, round(q, 2)) for p, _, q, _ in goals.missed(by_section)] == [
        ("c2c:f64:16:inplace", 1.2), ("r2c:f64:16", 1.5),
        ("c2c:f64:16", 1.1)], goals.missed(by_section)
    assert [row[0] for row in goals.slower(by_section)] == [
        "c2c:f32:64:inplace"]

    in_place[1]["contenders"][2] = {"name": "outofplace", "ok": False,
                                    "problem": "", "failure": "no"}
    assert "of 2 above" in figure(goals.goals(by_section), "in place")
    table = performance.table("x", [r["problem"] for r in in_place], in_place,
                              [("FFTW", "3")])[3:]
    assert len({line.count("|") for line in table}) == 1, table
    assert "outofplace ns | vs outofplace" in table[0], table
    assert "failed" in table[3] and "10.0 | 0.83 / 0.83" in table[2], table

    # Every pair's section is run, against what the pair wants.
    options = {s.name: s.options for s in sections.sections(24, True)}
    for pair in goals.PAIRS:
        words = options[pair.section]
        assert (("--against", pair.against) in zip(words, words[1:])), pair
    print("goals_test: all passed")


if __name__ == "__main__":
    main()
