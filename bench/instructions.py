#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts instructions of planning and of executing, by Valgrind's Callgrind.

    bench/instructions.py --program FILE [--update]

Counts do not depend on how busy the machine is, so a regression shows where
timing would not: a lost kernel, a spill, a search that grew.  They say nothing
of caches and ports.  bench/instructions.txt holds what is expected: one row
of instruction set, problem, instructions of weft_plan_create (a second plan),
of weft_execute (a second execution), and the tree that is executed, which
stays the same when the planner changes its mind.  --update writes the rows
anew, with the trees the planner chooses now.

Planning may take 10 % and 5000 more than expected, executing 2 %.  Exit code 77 where
the counts cannot be compared: no Valgrind, a processor without AVX2, another
compiler than the rows were made with.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "instructions.txt")
LEEWAY = {"plan": (1.10, 5000), "execute": (1.02, 0)}  # share, and more
LEVELS = ["avx2", "sse2"]
PROBLEMS = [
    "c2c:f64:4", "c2c:f64:16", "c2c:f64:60", "c2c:f64:64", "c2c:f32:64",
    "c2c:f64:16*1000", "c2c:f64:256", "c2c:f32:256", "c2c:f64:1000",
    "c2c:f64:1001", "c2c:f64:1009", "c2c:f64:1024", "c2c:f32:1024",
    "c2c:f64:1024:inverse", "c2c:f64:1024:inplace", "c2c:f64:4096",
    "c2c:f32:4096", "c2c:f64:4099", "c2c:f64:16384", "c2c:f64:44100",
    "c2c:f64:65536", "c2c:f64:65537", "c2c:f64:128x128", "c2c:f64:1000x7",
    "c2c:f64:1048576"]


def skip(why):
    print("instructions: skipped: " + why)
    sys.exit(77)


def fail(why):
    sys.exit("instructions: " + why)


def count(program, level, cases):
    """(compiler, [(plan, execute, tree)]) of [(problem, tree or "")]."""
    arguments = [word for case in cases for word in case]
    functions = ["weft_plan_create", "weft_execute"]
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile")
        command = ["valgrind", "--tool=callgrind", "--combine-dumps=yes",
                   "--callgrind-out-file=" + profile]
        for function in functions:
            command += ["--zero-before=" + function,
                        "--dump-after=" + function]
        done = subprocess.run(
            command + [program] + arguments, check=False, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(os.environ, WEFT_ISA=level, LD_BIND_NOW="1"))
        if done.returncode:
            fail(f"{level}: exit code {done.returncode}\n{done.stderr}")
        with open(profile, encoding="utf-8") as stream:
            parts = re.findall(r"^desc: Trigger: --dump-after=(\w+)$"
                               r"(?:.*\n)*?totals: (\d+)$", stream.read(),
                               re.M)
    compiler, *trees = done.stdout.splitlines()
    expected = (["weft_plan_create"] * 3 + ["weft_execute"] * 2) * len(cases)
    if [name for name, _ in parts] != expected or len(trees) != len(cases):
        fail(f"{level}: {len(parts)} profiles, {len(expected)} expected")
    totals = [int(total) for _, total in parts]
    return compiler, [(totals[5 * i + 1], totals[5 * i + 4], tree)
                      for i, tree in enumerate(trees)]


def read_table():
    """(compiler, [(level, problem, plan, execute, tree)])."""
    with open(TABLE, encoding="utf-8") as stream:
        first, *lines = stream.read().splitlines()
    rows = [line.split(None, 4) for line in lines if line and line[0] != "#"]
    return first.removeprefix("# compiler "), [
        (level, problem, int(plan), int(execute), tree)
        for level, problem, plan, execute, tree in rows]


def update(program):
    lines = []
    for level in LEVELS:
        compiler, counts = count(program, level, [(p, "") for p in PROBLEMS])
        lines += [f"{level} {problem} {plan} {execute} {tree}"
                  for problem, (plan, execute, tree) in zip(PROBLEMS, counts)]
    head = [f"# compiler {compiler}",
            "# instructions of a plan, of an execution; made by "
            "bench/instructions.py --update"]
    with open(TABLE, "w", encoding="utf-8") as stream:
        stream.write("\n".join(head + lines) + "\n")
    print(f"wrote bench/instructions.txt, {len(lines)} rows")


def compare(program):
    compiler, rows = read_table()
    worse = better = 0
    for level in LEVELS:
        mine = [row for row in rows if row[0] == level]
        now, counts = count(program, level, [(r[1], r[4]) for r in mine])
        if now != compiler:
            skip(f"made with compiler {compiler}, this is {now}")
        for (_, problem, *expected, _), (*found, _) in zip(mine, counts):
            for what, old, new in zip(LEEWAY, expected, found):
                off = f"{level} {problem}: {what} {old} -> {new}, " \
                      f"{100 * (new / old - 1):+.1f} %"
                share, more = LEEWAY[what]
                if new > old * share + more:
                    print("WORSE " + off)
                    worse += 1
                elif new < old / share - more:
                    print("better " + off)
                    better += 1
    print(f"instructions: {2 * len(rows)} counts, {worse} worse, {better} "
          "better than bench/instructions.txt")
    if worse:
        fail("if that is meant: ninja -C build/release update-instructions")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True,
                        help="instructions, of the release build")
    parser.add_argument("--update", action="store_true")
    want = parser.parse_args()
    if not shutil.which("valgrind"):
        skip("no valgrind")
    with open("/proc/cpuinfo", encoding="utf-8") as stream:
        if " avx2 " not in stream.read():
            skip("the processor has no AVX2")
    if want.update:
        update(want.program)
    else:
        compare(want.program)


if __name__ == "__main__":
    main()
