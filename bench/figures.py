# SPDX-License-Identifier: BSD-3-Clause
"""What bench/performance.py and bench/accuracy.py share: running the program
`weft` and writing a page whole or not at all."""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def find_weft(path):
    """The program: as given, or that of the release build."""
    places = [path] if path else [
        os.path.join(ROOT, "build/release", *rest)
        for rest in (("cli", "weft"), ("bin", "weft"), ("weft",))]
    for place in places:
        if os.access(place, os.X_OK) and os.path.isfile(place):
            return place
    sys.exit("no program weft in " + ", ".join(places) +
             ": tools/build.sh release, or give --weft PATH")


def bounds_of_machine(weft):
    """The report of machine_bench, built beside the program; None without."""
    path = os.path.join(os.path.dirname(weft), "../bench/machine_bench")
    if not os.access(path, os.X_OK):
        return None
    done = subprocess.run([path], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def report(weft, *arguments, environment=None):
    """The JSON report of a weft command, and whether all went well."""
    done = subprocess.run([weft, *arguments, "--json"], check=False,
                          stdout=subprocess.PIPE,
                          env={**os.environ, **(environment or {})})
    if done.returncode > 1:
        sys.exit(f"weft {arguments[0]}: exit code {done.returncode}")
    return json.loads(done.stdout), done.returncode == 0


def source():
    """The commit that is measured, and its day; nothing outside of a checkout."""
    said = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%h of %as"],
                          capture_output=True, text=True, check=False)
    return f", commit {said.stdout.strip()}" if said.returncode == 0 else ""


def machine(weft):
    """The lines of `weft info` that describe the machine."""
    info, _ = report(weft, "info")
    names = {"cpu", "isa", "core", "features", "cpus", "cache 1", "cache 2",
             "cache 3"}
    lines = [line for line in info["machine"].splitlines()
             if line.split(":")[0] in names]
    return [f"weft: {info['version']}{source()}"] + lines


def write_text(name, text, folder=None):
    """To docs, or to another folder, which is made."""
    path = os.path.join(folder or os.path.join(ROOT, "docs"), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tempfile.NamedTemporaryFile(
            "w", dir=os.path.dirname(path), delete=False,
            encoding="utf-8") as stream:
        stream.write(text)
    os.chmod(stream.name, 0o644)
    os.replace(stream.name, path)
    print("wrote " + os.path.relpath(path))


def write_page(name, lines, folder=None):
    write_text(name, "\n".join(lines).rstrip("\n") + "\n", folder)


def notes(name):
    """The hand-written part of a page."""
    path = os.path.join(ROOT, "docs", name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as stream:
        return [""] + stream.read().rstrip("\n").split("\n")


def size_name(n):
    return f"2^{n.bit_length() - 1}" if n > 512 and n & (n - 1) == 0 \
        else str(n)
