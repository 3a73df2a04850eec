#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The law of the house, proved on the source in git.

1. Includes go downward only (the floors below).
2. Conditionals on instruction sets stand in src/kernel/ and src/base/cpu.c
   only, on the processor in src/kernel/ and src/base/ only, on WEFT_CUDA in
   src/api/engines.c only.
3. Every source file opens with its SPDX line.

Prints each breach as FILE:LINE: what; exit status 1 if there is one.
"""
import re
import subprocess
import sys

# room -> rooms whose headers it may include, besides its own and libc.
# "public" is <weft/...>.  plan and kernel do not know each other.
LAW = {
    "include": {"public"},
    "src/base": {"public"},
    "src/num": {"public", "src/base"},
    "src/plan": {"public", "src/base", "src/num"},
    "src/kernel": {"public", "src/base", "src/num"},
    "src/cpu": {"public", "src/base", "src/num", "src/plan", "src/kernel"},
    "src/neuron": {"public", "src/base", "src/num", "src/plan", "src/kernel"},
    "src/api": {"public", "src/base", "src/num", "src/plan", "src/kernel",
                "src/cpu", "src/neuron"},
    "gen": {"src/base", "src/num"},
    "stft": {"public"},
    "cli": {"public"},
    "compat/fftw3": {"public"},
}
# Single headers a room may include beyond that.
ALSO = {"gen": {"kernel/kernel.h", "kernel/kinds.def"}}
# Anything goes here: tests look inside on purpose.
FREE = ("tests/", "bench/", "lab/", "tools/")

ISA = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b.*"
                 r"(__AVX|__SSE|__FMA__|__F16C__|__AMX|__ARM_)")
CPU = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b.*"
                 r"(__aarch64__|__x86_64__|__i386__)")
CUDA = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b.*\bWEFT_CUDA\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
LIBC = re.compile(r"^[a-z0-9_]+\.h$|^(sys|linux|asm|arpa|netinet)/")
SOURCE = re.compile(r"\.(c|h|cpp|def|py|sh|cmake)$|CMakeLists\.txt$|"
                    r"^Makefile$|^\.ci/run$")


def room_of(path):
    for room in sorted(LAW, key=len, reverse=True):
        if path.startswith(room + "/"):
            return room
    return None


def resolve(path, room, name, tracked):
    """The room a quoted or weft/ include comes from, and its path."""
    if name.startswith("weft/"):
        return "public"
    here = path.rsplit("/", 1)[0]
    for base in (here, room, f"{room}/include", "src", "include"):
        candidate = f"{base}/{name}"
        parts = []
        for part in candidate.split("/"):
            if part == "..":
                parts.pop()
            elif part != ".":
                parts.append(part)
        candidate = "/".join(parts)
        if candidate in tracked:
            return room_of(candidate)
    return None


def lint(path, lines, tracked):
    if SOURCE.search(path):
        if not any("SPDX-License-Identifier: BSD-3-Clause" in line
                   for line in lines[:3]):
            yield 1, "no SPDX line on top"
    if not re.search(r"\.(c|h|cpp|def)$", path):
        return
    free = path.startswith(FREE)
    room = room_of(path)
    if room is None and not free:
        yield 1, "stands in no room of the house"
        return
    for number, line in enumerate(lines, 1):
        if ISA.search(line) and not free and not path.startswith(
                ("src/kernel/", "src/base/cpu.c")):
            yield number, "an instruction-set conditional outside src/kernel"
        if CPU.search(line) and not free and not path.startswith(
                ("src/kernel/", "src/base/")):
            yield number, "a processor conditional outside src/base"
        if CUDA.search(line) and path != "src/api/engines.c":
            yield number, "WEFT_CUDA outside src/api/engines.c"
        found = INCLUDE.match(line)
        if not found or free:
            continue
        quote, name = found.groups()
        if quote == "<" and not name.startswith("weft/"):
            if room == "include" and not LIBC.match(name):
                yield number, f"a public header includes <{name}>"
            continue
        source = resolve(path, room, name, tracked)
        if source is None:
            # Generated files (kernels.inc, NAME_parts.c) are in no room.
            if room in ("src/kernel", "gen"):
                continue
            yield number, f'"{name}" is found nowhere'
        elif (source != room and source not in LAW[room]
              and name not in ALSO.get(room, ())):
            yield number, f'{room} may not include "{name}" of {source}'


def main():
    files = subprocess.run(["git", "ls-files", "-z"], check=True,
                           capture_output=True).stdout.decode().split("\0")
    tracked = {name for name in files if name}
    breaches = 0
    for path in sorted(tracked):
        if not SOURCE.search(path):
            continue
        try:
            with open(path, encoding="utf-8") as stream:
                lines = stream.read().splitlines()
        except FileNotFoundError:
            continue  # deleted, not yet committed
        for number, what in lint(path, lines, tracked):
            print(f"{path}:{number}: {what}")
            breaches += 1
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
