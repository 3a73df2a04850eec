#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""No function of the library returns with the upper halves of vector registers
in use: what is compiled for SSE waits 120 ns for them on Intel's processors.

    upper_halves_test.py LIBRARY [OBJDUMP]

Compilers end functions with vzeroupper, but not those that hand vectors to each
other within a file.  So every path from the entry to a return is followed, across
jumps; a call leaves what its callee leaves.  A function that only others of the
library call may leave them in use, if these do not.
"""
import re
import subprocess
import sys

HEAD = re.compile(r"([0-9a-f]+) <(.+)>:$")
LINE = re.compile(r"\s+([0-9a-f]+):\s+(.*)$")
JUMP = re.compile(r"(call|j\w+)\s+([0-9a-f]+) <")
# The last operand is the destination; registers from 16 on have no halves that
# matter.
WIDE = re.compile(r"v.*%[yz]mm(\d+)(?:\{[^}]*\})*\s*(?:#.*)?$")


def read(library, objdump):
    """{address of a function: name}, [(address, instruction)]."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", library],
                          check=True, capture_output=True, text=True).stdout
    names, code = {}, []
    for line in text.splitlines():
        if found := HEAD.match(line):
            names[int(found[1], 16)] = found[2]
        elif found := LINE.match(line):
            code.append((int(found[1], 16), found[2]))
    return names, code


def is_wide(instruction):
    found = WIDE.match(instruction)
    return found is not None and int(found[1]) < 16


class Library:
    def __init__(self, path, objdump):
        self.names, self.code = read(path, objdump)
        self.place = {at: i for i, (at, _) in enumerate(self.code)}
        self.leaves = {}  # function: does it, True; is it clean, False
        self.called = set()
        for at, name in self.names.items():
            if at in self.place and "@plt" not in name:
                self.visit(at)

    def visit(self, entry):
        """What `entry` leaves: True, False, or None (what it found)."""
        if entry not in self.leaves:
            self.leaves[entry] = None  # of a function that calls itself
            self.leaves[entry] = self.walk(entry)
        return self.leaves[entry]

    def walk(self, entry):
        seen, work, left, touched = {}, [(self.place[entry], False)], False, \
            False
        while work:
            i, wide = work.pop()
            while i < len(self.code) and not seen.get(i, -1) >= wide:
                seen[i] = wide
                instruction = self.code[i][1]
                jump = JUMP.match(instruction)
                if instruction.startswith("vzero"):
                    wide, touched = False, True
                elif is_wide(instruction):
                    wide = touched = True
                elif instruction.startswith("ret"):
                    left |= wide
                    break
                elif instruction.startswith("ud2"):  # nobody comes here
                    break
                elif jump and jump[1] == "call":
                    made = self.call(int(jump[2], 16))
                    wide = wide if made is None else made
                elif jump and int(jump[2], 16) in self.place:
                    work.append((self.place[int(jump[2], 16)], wide))
                    if jump[1] == "jmp":
                        break
                elif instruction.startswith("jmp"):  # to another library
                    left |= wide
                    break
                i += 1
        return left if touched or left else None

    def call(self, entry):
        self.called.add(entry)
        return self.visit(entry) if entry in self.place else None

    def failures(self):
        return sorted(self.names[at] for at, left in self.leaves.items()
                      if left and at not in self.called)


def main():
    sys.setrecursionlimit(10000)
    library = Library(sys.argv[1], (sys.argv[2:] or ["objdump"])[0])
    vectors = sum(left is not None for left in library.leaves.values())
    failed = library.failures()
    for name in failed:
        print(f"{name} returns with upper halves in use")
    print(f"upper_halves_test: {vectors} functions with vectors, "
          f"{len(failed)} failed")
    return 1 if failed or vectors == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
