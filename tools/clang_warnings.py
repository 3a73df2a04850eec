#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""clang's opinion on a build made by gcc.

clang_warnings.py COMPILE_COMMANDS: has clang parse every file of the build
(-fsyntax-only, seconds instead of minutes) with its own flags, so that every
instruction set is covered.  Prints warnings; exit status 1 if there is one.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

GCC_ONLY = ("-fno-tree", "-fipa", "-fno-ipa", "-fsched", "-fno-sched",
            "-fira", "-fgcse", "-fno-gcse", "--param", "-fno-web",
            "-frename-registers", "-fno-caller-saves", "-flive-range",
            "-falign")


def warnings_of(entry):
    words = shlex.split(entry["command"])[1:]
    keep = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT"):
            skip = True
        elif word in ("-c", "-MD", "-Werror"):
            pass
        elif not word.startswith(GCC_ONLY):
            keep.append(word.replace("-Wshadow=local", "-Wshadow"))
    run = subprocess.run(
        ["clang", *keep, "-fsyntax-only", "-Werror",
         "-Wno-unknown-warning-option"],
        cwd=entry["directory"], capture_output=True, text=True)
    return (run.stderr or f"{entry['file']}: clang failed\n"
            ) if run.returncode or run.stderr else ""


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        entries = json.load(stream)
    jobs = int(os.environ.get("JOBS", os.cpu_count() or 1))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        said = [text for text in pool.map(warnings_of, entries) if text]
    print("".join(said), end="")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
