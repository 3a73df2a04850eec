# SPDX-License-Identifier: BSD-3-Clause
"""What `make bench` and `make bench-full` run: sections of problems, and how."""
from dataclasses import dataclass, field

TYPES = ("f64", "f32")
OTHERS = [1000, 1001, 1009, 6144, 44100]


@dataclass
class Section:
    name: str
    title: str
    problems: list
    options: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)


def both(sizes, tail="", kind="c2c"):
    """Problems of each size (a number or a shape), of both types."""
    return [f"{kind}:{t}:{n}{tail}" for t in TYPES for n in sizes]


def is_smooth(n):
    for p in (2, 3, 5, 7, 11, 13):
        while n % p == 0:
            n //= p
    return n == 1


def smooth_sample():
    """Every 17th length to 4096 with no prime factor above 13 (powers of two
    have a section of their own), and the lengths people name."""
    small = [n for n in range(5, 4097) if is_smooth(n) and n & (n - 1)]
    named = [768, 1000, 1001, 6144, 15015, 44100, 48000, 65520]
    return sorted(set(small[::17] + named))


def channels(n, count):
    """`count` transforms of n, their numbers taking turns."""
    return f"{n}/{count}/{count}*{count}/1/1"


def innermost(n):
    """2^14 / n transforms of n whose neighbours are one element apart."""
    return channels(n, max(1, (1 << 14) // n))


def crossed(n, count):
    """`count` transforms from columns to rows, and from rows to columns."""
    return [f"{n}/{count}/1*{count}/1/{n}", f"{n}/1/{count}*{count}/{n}/1"]


def strided(n, kind):
    """Every second number of a vector: one, and eight of them; of reals two
    that are channels."""
    if kind == "c2c":
        return [f"{n}/2/2", f"{n}/2/1*8/{2 * n}/{n}"]
    return [f"{n}/2/1" if kind == "r2c" else f"{n}/1/2", channels(n, 2)]


def transposed(rows, cols, loop="x"):
    """A matrix whose output is transposed."""
    return f"{rows}/{cols}/1{loop}{cols}/1/{rows}"


def against(*changes):
    """Options for the same problems with each change, timed in turn."""
    return [word for change in changes for word in ("--against", change)]


def sections(highest, full):
    """The first is the page's main table; the others need `full`.  What the
    goals compare of weft's own is in one section, timed in turn."""
    lowest = 1 if full else 2
    powers = [1 << e for e in range(lowest, highest + 1)]
    main = Section("main", "One transform, out of place",
                   both(powers + OTHERS))
    if not full:
        return [main]
    even = [1 << e for e in range(4, highest + 1, 2)]
    large = [n for n in even if n >= 1 << 14]
    small = [4, 8, 16, 32, 64, 128, 256]
    wall = ["--clock", "wall", "--peers", "none"]
    no_mkl = ["--peers", "fftw"]
    narrow = {"WEFT_ISA": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2"}
    odd = [1001, 1009, 1155, 2187, 15015]
    cosine = [8, 16, 32] + [1 << e for e in range(6, min(highest, 20) + 1, 2)]
    few = [n for n in even if n <= 1 << 20] + [1000, 44100]
    found = [
        main,
        Section("smooth", "Lengths of small prime factors",
                both(smooth_sample())),
        Section("primes", "Primes and large prime factors",
                both([1009, 4099, 9998, 10007, 65537, 100003])),
        Section("inplace", "In place", both(even, ":inplace"),
                against("outofplace")),
        Section("malloc", "Arrays that begin 16 bytes into a cache line",
                both(even), ["--offset", "16"] + against("offset=0")),
        Section("malloc-r2c", "The same of r2c", both(even, kind="r2c"),
                ["--offset", "16"] + against("offset=0")),
        Section("batches", "Batches of 2^14 samples, one after the other",
                both([f"{n}*{(1 << 14) // n}" for n in small])),
        Section("innermost", "Batches of 2^14 samples, side by side",
                both([innermost(n) for n in small])),
        Section("channels", "Two to six transforms side by side",
                both([channels(n, c) for c in (2, 3, 4, 6)
                      for n in (16, 64, 256, 1024)])),
        Section("streams", "Batches of 2^22 samples, one after the other",
                both([f"{n}*{(1 << 22) // n}" for n in (4, 16, 64, 256)])),
        Section("streams-split", "The same in two arrays",
                both([f"{n}*{(1 << 22) // n}" for n in (16, 128, 1024)],
                     ":split")),
        *[Section(f"columns-{kind}", f"Real columns of 2^22 samples, {kind}",
                  both([channels(n, (1 << 22) // n) for n in (32, 128, 1000)],
                       kind=kind))
          for kind in ("r2c", "c2r")],
        Section("shapes", "Matrices and cubes",
                both([f"{n}x{n}" for n in (256, 512, 1024, 2048, 4096)] +
                     [f"{n}x{n}x{n}" for n in (64, 128, 256)] + ["1000x7"])),
        Section("tiny", "Small matrices and cubes",
                both(["8x8", "15x15", "16x16", "30x30", "64x64", "100x100",
                      "7x7x7", "16x16x16"])),
        Section("stacks", "Batches of 2^22 samples, matrix after matrix",
                both(["16x16*16384", "64x64*1024", "256x256*64"])),
        Section("split", "Real and imaginary parts in two arrays",
                both([4, 8, 16, 32, 64, 256, 1024, 4096, 65536, "8*64",
                      "64*64", "256*64", "8x8", "64x64", "256x256"],
                     ":split"), against("interleaved")),
        Section("scaled", "Inverse, times a factor",
                both([4, 8, 16, 32, 64, 256, 1024, 4096, "8*64", "16*64",
                      "64*64", "8x8", "64x64"], ":inverse:norm=0.5"),
                ["--peers", "none"] + against("norm=1")),
        Section("crossed", "Columns to rows, rows to columns",
                both([shape for n in (4, 16, 32, 100, 256)
                      for count in (16, 256) for shape in crossed(n, count)])),
        *[Section(f"strided-{kind}", f"Strides and channels, {kind}",
                  both([shape for n in (4, 8, 16, 32, 64, 256, 1024)
                        for shape in strided(n, kind)], kind=kind))
          for kind in ("c2c", "r2c", "c2r")],
        Section("squares", "Squares transposed in place",
                both([transposed(n, n) for n in (8, 16, 64, 100, 256, 1024)] +
                     [transposed(n, n, "*") for n in (16, 100)], ":inplace"),
                no_mkl),
        *[Section(f"copies-{kind}", title,
                  both(["-*" + transposed(n, m) + place
                        for n, m in ((7, 7), (16, 16), (100, 100), (512, 512),
                                     (1024, 1024))
                        for place in ("", ":inplace")] +
                       ["-*" + transposed(n, m)
                        for n, m in ((47, 213), (1000, 3), (534, 387))] +
                       ["-*1000/2/1"], kind=kind), no_mkl)
          for kind, title in (("c2c", "Rank 0: complex numbers moved"),
                              ("r2hc", "Rank 0: reals moved"))],
        Section("r2c", "Real input, r2c",
                both(powers[3:] + [1000] + odd, kind="r2c"), against("c2c")),
        Section("c2r", "Real output, c2r",
                both(even + [1000] + odd, kind="c2r"),
                against("c2c,inverse")),
        Section("dct2", "DCT-II", both(cosine + [1000], kind="redft10"),
                no_mkl + against("r2c")),
        Section("dct3", "DCT-III", both(cosine + [1000], kind="redft01"),
                no_mkl + against("r2c")),
        Section("two", "Two threads, by the wall clock",
                both(large, ":threads=2"), wall + against("threads=1")),
        Section("two-measured", "Two threads, measured plans",
                both([n for n in large if n <= 1 << 17], ":threads=2"),
                wall + ["--measure"] + against("threads=1")),
        Section("scrambled", "Scrambled order",
                both([n for n in even if n >= 1 << 20], ":scrambled"),
                against("natural")),
        Section("avx2", "AVX2 only, MKL's too", both(few), [], narrow),
        Section("measured", "Plans of the model beside measured ones",
                both(few), ["--peers", "none"] + against("measure")),
        Section("measured-r2c", "The same of r2c",
                both(few, kind="r2c"),
                ["--peers", "none"] + against("measure")),
    ]
    return [section for section in found if section.problems]
