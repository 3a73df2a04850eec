#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Renews the tables of docs/neuron.md: what `weft neuron` prints.

    bench/neuron.py [PATH/TO/weft]
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARK = "<!-- weft neuron -->\n"


def main():
    weft = sys.argv[1] if len(sys.argv) > 1 else (
        ROOT / "build" / "release" / "cli" / "weft")
    tables = subprocess.run([weft, "neuron"], check=True,
                            capture_output=True, text=True).stdout
    page = ROOT / "docs" / "neuron.md"
    head = page.read_text(encoding="utf-8").split(MARK)[0]
    page.write_text(head + MARK + "\n" + tables.rstrip("\n") + "\n",
                    encoding="utf-8")


if __name__ == "__main__":
    main()
