# SPDX-License-Identifier: BSD-3-Clause
"""The goals of weft's speed, and what a run of the bench says of each.

Every goal is a row with a figure or with the reason why there is none; a goal
whose problems were not run says so.  What compares two problems of weft's own
(PAIRS) is a ratio of times that took turns in one process.
"""
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Callable

MISSING = "not run (`make bench-full`)"
NO_BOUNDS = "bounds not measured (build machine_bench)"


def peers_of(result):
    """The other libraries' rows of a result."""
    return [c for c in result.get("contenders", [])[1:] if "problem" not in c]


def counterparts_of(result):
    """The rows of what --against made of the problem."""
    return [c for c in result.get("contenders", [])[1:] if "problem" in c]


class Results:
    """Results by section and problem; times are minima in ns.  `bounds` is
    what machine_bench said, or None."""

    def __init__(self, by_section, bounds=None):
        self.by_section = by_section
        self.bounds = bounds

    def rows(self, section, keep=lambda n: True):
        """The sound results of a section whose length (of one dimension)
        passes `keep`."""
        return [r for r in self.by_section.get(section, [])
                if r.get("contenders") and r["contenders"][0]["ok"] and
                keep(length(r))]

    @staticmethod
    def time(result):
        return result["contenders"][0]["min_ns"]

    @staticmethod
    def ratios(results, peer=None):
        """Peer's time over weft's: of one peer, or of the best at each."""
        found = []
        for r in results:
            mine = [c["ratio_min"] for c in peers_of(r)
                    if c["ok"] and (peer is None or c["name"] == peer)]
            if mine:
                found.append(min(mine))
        return found

    def times(self, section):
        """{"type:shape": ns} of a section of one kind"""
        return {":".join(r["problem"].split(":")[1:3]): self.time(r)
                for r in self.rows(section)}

    def pairs(self, section, change, keep=lambda n: True):
        """{problem: (time of what --against CHANGE made of it over its own,
        whether both have the same plan)}"""
        return {r["problem"]: (c["ratio_min"], c["plan"] == r["plan"])
                for r in self.rows(section, keep) for c in counterparts_of(r)
                if c["ok"] and c["name"] == change}


def length(result):
    """The transformed length of a problem of rank 1, else 0."""
    shape = result["problem"].split(":")[2].split("*")[0].split("/")[0]
    return int(shape) if shape.isdigit() else 0


def outside(values, least=None, most=None):
    """`3 of 22 below 1.1`, or above."""
    if least is not None:
        count, side = sum(v < least for v in values), f"below {least:g}"
    else:
        count, side = sum(v > most for v in values), f"above {most:g}"
    return f"{count or 'none'} of {len(values)} {side}"


def mean_and_least(ratios, least=None):
    if not ratios:
        return MISSING
    said = f"{geometric_mean(ratios):.2f} mean, {min(ratios):.2f} least"
    return said if least is None else \
        said + ", " + outside(ratios, least=least)


def against(results, section, keep=lambda n: True, best=None, mkl=None):
    """`FFTW 1.70 mean, 1.2 least; MKL ...; the better of them ...`, and how
    many are below `best`, the goal against the better at each problem, or
    `mkl`, that against MKL."""
    rows = results.rows(section, keep)
    names = []
    for r in rows:
        names += [c["name"] for c in peers_of(r) if c["name"] not in names]
    if not names:
        return MISSING if not rows else "no other library was found"
    said = [f"{n.upper()} " +
            mean_and_least(results.ratios(rows, n),
                           mkl if n == "mkl" else None) for n in names]
    return "; ".join(said + ["the better of them " +
                             mean_and_least(results.ratios(rows), best)])


def is_power(n):
    return n > 1 and n & (n - 1) == 0


def quotient(found, least=None, most=None):
    """Mean, the worst, and how many are outside, of {problem: quotient}."""
    if not found:
        return MISSING
    worst = (max if least is None else min)(found, key=found.get)
    return f"{geometric_mean(found.values()):.2f} mean, " \
           f"{found[worst]:.2f} at {worst}, " + \
           outside(found.values(), least, most)


@dataclass
class Pair:
    """A goal of a section's problems against what --against makes of them:
    the other's time over the problem's is `least` or more, or the problem's
    over the other's `most` or less."""
    what: str
    section: str
    against: str
    least: float = None
    most: float = None
    keep: Callable = lambda n: True

    def found(self, results):
        """{problem: quotient}"""
        pairs = results.pairs(self.section, self.against, self.keep)
        return {p: 1 / q if self.least is None else q
                for p, (q, _) in pairs.items()}

    def beyond(self, results):
        """Those of them that miss the goal."""
        return {p: q for p, q in self.found(results).items()
                if (q > self.most if self.least is None else q < self.least)}


def from_16(n):
    return is_power(n) and n >= 16


PAIRS = [
    Pair("in place over out of place", "inplace", "outofplace", most=1.05),
    Pair("16 bytes into a line over at its start, c2c", "malloc", "offset=0",
         most=1.25),
    Pair("16 bytes into a line over at its start, r2c", "malloc-r2c",
         "offset=0", most=1.25),
    Pair("parts in two arrays over together", "split", "interleaved",
         most=1.25),
    Pair("with a factor over without", "scaled", "norm=1", most=1.5),
    Pair("c2c over r2c", "r2c", "c2c", least=1.7, keep=from_16),
    Pair("c2c over c2r", "c2r", "c2c,inverse", least=1.7, keep=from_16),
    Pair("DCT-II over r2c", "dct2", "r2c", most=1.3),
    Pair("DCT-III over r2c", "dct3", "r2c", most=1.3),
    Pair("one thread over two", "two", "threads=1", least=1.8),
    Pair("one thread over two, measured plans", "two-measured", "threads=1",
         least=1.8),
    Pair("scrambled over natural", "scrambled", "natural", most=0.85),
    Pair("the model's plan over a measured one, c2c", "measured", "measure",
         most=1.05),
    Pair("the model's plan over a measured one, r2c", "measured-r2c",
         "measure", most=1.05),
]


def of_pairs(results, *sections):
    return "; ".join(f"{pair.what} " +
                     quotient(pair.found(results), pair.least, pair.most)
                     for pair in PAIRS if pair.section in sections)


def measured(results):
    """With how many plans are the same: what these differ by is noise."""
    pairs = list(results.pairs("measured", "measure").values()) + \
        list(results.pairs("measured-r2c", "measure").values())
    if not pairs:
        return MISSING
    return of_pairs(results, "measured", "measured-r2c") + \
        f"; the same plan at {sum(same for _, same in pairs)} of {len(pairs)}"


def planning(results):
    rows = results.rows("main") + results.rows("smooth") + \
        results.rows("primes")
    said = []
    for most in (4096, 1 << 20):
        mine = [r for r in rows if length(r) <= most]
        if not mine:
            continue
        worst = max(mine, key=lambda r:
                    r["contenders"][0]["planning_seconds"])
        seconds = worst["contenders"][0]["planning_seconds"]
        said.append(f"up to {most}: {1e6 * seconds:.0f} us at most "
                    f"({worst['problem']})")
    return "; ".join(said) if said else MISSING


def shares(results, section, keep, bound):
    """{type:shape: bound(problem's type, length, result) over the time}"""
    found = {}
    for r in results.rows(section, keep):
        kind, shape = r["problem"].split(":")[1:3]
        ns = bound(kind, r)
        if ns:
            found[f"{kind}:{shape}"] = ns / results.time(r)
    return found


def of_arithmetic(results):
    """Shares of the time that arithmetic alone would take."""
    if results.bounds is None:
        return NO_BOUNDS
    rates = results.bounds["arithmetic"]

    def bound(kind, r):
        n = length(r)
        return rates[kind] and 5 * n * (n.bit_length() - 1) / rates[kind]

    found = shares(results, "main",
                   lambda n: is_power(n) and 64 <= n <= 1024, bound)
    return quotient(found, least=0.5)


def copied(results, kind, samples, what):
    """ns of a copy of so many complex samples, or to change them in place."""
    size = samples * (16 if kind == "f64" else 8)
    for row in results.bounds["memory"]:
        if row["bytes"] == size:
            return row[what + "_ns"]
    return None


def of_memory(results):
    """Shares of a copy and a change in place, the two trips of a transform
    that does not fit the caches."""
    if results.bounds is None:
        return NO_BOUNDS

    def bound(kind, r):
        copy = copied(results, kind, length(r), "copy")
        change = copied(results, kind, length(r), "change")
        return copy and copy + change

    found = shares(results, "main",
                   lambda n: is_power(n) and n >= 1 << 18, bound)
    return quotient(found, least=0.65)


def of_a_copy(results):
    """Shares of a copy: batches of short transforms that do not fit the
    caches."""
    if results.bounds is None:
        return NO_BOUNDS

    def bound(kind, r):
        n, count = r["problem"].split(":")[2].split("*")
        return copied(results, kind, int(n) * int(count), "copy")

    found = shares(results, "streams", lambda n: True, bound)
    return quotient(found, least=0.9)


def calls(results):
    """ns of a transform of 4 beyond its kernel."""
    if results.bounds is None:
        return NO_BOUNDS
    found = results.times("main")
    said = [f"{found[f'{kind}:4'] - ns:.1f} ns more than {ns:.1f} ({kind})"
            for kind, ns in results.bounds["call"].items()
            if f"{kind}:4" in found]
    return "; ".join(said) if said else MISSING


def threads(results):
    """One thread's time over two's, and how far their caches are apart."""
    said = of_pairs(results, "two", "two-measured")
    found = (results.bounds or {}).get("handover")
    if found is None or said == MISSING:
        return said
    return said + "; a cache line goes to the other core and back in " \
        f"{found['least_ns']} to {found['most_ns']} ns"


def goals(by_section, bounds=None):
    """[(work, goal, figure)]"""
    r = Results(by_section, bounds)
    return [
        ("powers of two, 2^6 up", ">= 1.5 MKL, >= 2.5 FFTW (mean); >= 1.1 "
         "the better at each",
         against(r, "main", lambda n: is_power(n) and n >= 64, best=1.1)),
        ("powers of two, up to 2^5", ">= 1.5 the better of them",
         against(r, "main", lambda n: is_power(n) and n < 64, best=1.5)),
        ("share of the arithmetic bound, 64..1024", ">= 50 %",
         of_arithmetic(r)),
        ("in place", "within 5 % of out of place", of_pairs(r, "inplace")),
        ("arrays where malloc puts large ones", "little is lost",
         "c2c: " + against(r, "malloc") + "; r2c: " +
         against(r, "malloc-r2c") + "; " +
         of_pairs(r, "malloc", "malloc-r2c")),
        ("smooth lengths", ">= 1.2 MKL (mean), never < 0.95",
         against(r, "smooth", best=0.95)),
        ("primes", ">= 2 the best peer", against(r, "primes", best=2)),
        ("batches, one after the other", ">= 1.5 MKL",
         against(r, "batches", mkl=1.5)),
        ("batches, side by side", ">= 1.5 MKL",
         against(r, "innermost", mkl=1.5)),
        ("two to six, side by side", ">= 1.5 MKL",
         against(r, "channels", mkl=1.5)),
        ("batches of 2^22 samples", ">= 90 % of a copy", of_a_copy(r) +
         "; peers: " + against(r, "streams")),
        ("the same in two arrays", "no slower than the better",
         against(r, "streams-split", best=1)),
        ("real columns of 2^22 samples", "no slower than the better",
         "; ".join(f"{kind}: " + against(r, f"columns-{kind}", best=1)
                   for kind in ("r2c", "c2r"))),
        ("matrices and cubes", ">= 1.5 MKL or 70 % of the memory bound",
         against(r, "shapes", mkl=1.5)),
        ("small matrices and cubes", ">= 1.5 MKL",
         against(r, "tiny", mkl=1.5)),
        ("parts in two arrays", "no slower than the better",
         against(r, "split", best=1) + "; " + of_pairs(r, "split")),
        ("a factor", "costs little", of_pairs(r, "scaled")),
        ("columns to rows and back", "no slower than the better",
         against(r, "crossed", best=1)),
        ("squares transposed in place", "no slower than FFTW",
         against(r, "squares", best=1)),
        ("rank 0, moved only", "no slower than FFTW",
         "numbers: " + against(r, "copies-c2c", best=1) + "; reals: " +
         against(r, "copies-r2hc", best=1)),
        ("strides and channels", "no slower than the better",
         "; ".join(f"{kind}: " + against(r, f"strided-{kind}", best=1)
                   for kind in ("c2c", "r2c", "c2r"))),
        ("r2c, 2^4 up", ">= 1.3 MKL (mean); >= 1.7 c2c of the same n",
         against(r, "r2c", from_16) + "; " + of_pairs(r, "r2c")),
        ("r2c, odd lengths", "no detour by c2c",
         against(r, "r2c", lambda n: n % 2 == 1) + "; c2c over r2c " +
         mean_and_least([q for q, _ in r.pairs(
             "r2c", "c2c", lambda n: n % 2 == 1).values()])),
        ("c2r", "as r2c", against(r, "c2r") + "; " + of_pairs(r, "c2r")),
        ("DCT-II and III", "within 1.3 of r2c", of_pairs(r, "dct2", "dct3") +
         "; peers: " + against(r, "dct2")),
        ("2^18 up", ">= 65 % of the memory bound",
         of_memory(r) + "; peers: " +
         against(r, "main", lambda n: is_power(n) and n >= 1 << 18)),
        ("two threads from 2^14", ">= 1.8", threads(r)),
        ("scrambled order", "15 to 20 % saved at large N",
         of_pairs(r, "scrambled")),
        ("AVX2 only", ">= 1.1 MKL (mean)", against(r, "avx2")),
        ("planning", "<= 20 us up to 4096, <= 1 ms up to 2^20",
         planning(r)),
        ("the model's plans", "within 5 % of measured ones", measured(r)),
        ("a call of N = 4", "within 5 ns of the kernel",
         calls(r)),
    ]


def slower(by_section):
    """[(problem, section, peer, ratio)] where a peer was faster."""
    return [(r["problem"], section, c["name"].upper(), c["ratio_min"])
            for section, rows in by_section.items() for r in rows
            if r.get("contenders") and r["contenders"][0]["ok"]
            for c in peers_of(r) if c["ok"] and c["ratio_min"] < 1]


def missed(by_section):
    """[(problem, what, quotient, goal)] of pairs outside their goals."""
    r = Results(by_section)
    return [(problem, pair.what, found,
             f"<= {pair.most}" if pair.least is None else f">= {pair.least}")
            for pair in PAIRS for problem, found in pair.beyond(r).items()]
