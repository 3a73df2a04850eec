# SPDX-License-Identifier: BSD-3-Clause
"""The goals of weft's speed, and what a run of the bench says of each.

Every goal is a row with a figure or with the reason why there is none; a goal
whose problems were not run says so.
"""
from statistics import geometric_mean

MISSING = "not run (`make bench-full`)"
NO_BOUNDS = "bounds not measured (build machine_bench)"


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
            mine = [c["ratio_min"] for c in r["contenders"][1:]
                    if c["ok"] and (peer is None or c["name"] == peer)]
            if mine:
                found.append(min(mine))
        return found

    def times(self, section):
        """{"type:shape": ns} of a section of one kind"""
        return {":".join(r["problem"].split(":")[1:3]): self.time(r)
                for r in self.rows(section)}

    def quotients(self, above, below):
        """Times of one section over those of another, problem by problem."""
        a, b = self.times(above), self.times(below)
        return {p: a[p] / b[p] for p in a if p in b}


def length(result):
    """The transformed length of a problem of rank 1, else 0."""
    shape = result["problem"].split(":")[2].split("*")[0].split("/")[0]
    return int(shape) if shape.isdigit() else 0


def mean_and_least(ratios):
    if not ratios:
        return MISSING
    return f"{geometric_mean(ratios):.2f} mean, {min(ratios):.2f} least"


def against(results, section, keep=lambda n: True):
    """`FFTW 1.70 mean, 1.2 least; MKL ...; best of them ...`"""
    rows = results.rows(section, keep)
    names = []
    for r in rows:
        names += [c["name"] for c in r["contenders"][1:]
                  if c["name"] not in names]
    if not names:
        return MISSING if not rows else "no other library was found"
    said = [f"{n.upper()} {mean_and_least(results.ratios(rows, n))}"
            for n in names]
    return "; ".join(said + ["the better of them " +
                             mean_and_least(results.ratios(rows))])


def is_power(n):
    return n > 1 and n & (n - 1) == 0


def quotient(found, worse, of=""):
    """Mean, and the worst (`worse` is max or min), of {problem: quotient}."""
    if not found:
        return MISSING
    worst = worse(found, key=found.get)
    return f"{geometric_mean(found.values()):.2f} mean{of}, " \
           f"{found[worst]:.2f} at {worst}"


def in_place(results):
    return quotient(results.quotients("inplace", "main"), max,
                    " of in place over out of place")


def two_threads(results):
    said = quotient(results.quotients("one", "two"), min)
    measured_plans = results.quotients("one", "two-measured")
    if measured_plans:
        said += "; of measured plans to 2^17 " + quotient(measured_plans, min)
    return said


def scrambled(results):
    found = results.quotients("scrambled", "main")
    if not found:
        return MISSING
    return "saved: " + ", ".join(f"{p} {100 * (1 - q):.0f} %"
                                 for p, q in found.items())


def real_over_complex(results):
    found = results.quotients("main", "r2c")
    return "c2c " + quotient(found, min) if found else MISSING


def cosines(results):
    found = {section: results.quotients(section, "r2c")
             for section in ("dct2", "dct3")}
    if not all(found.values()):
        return MISSING
    said = [f"{section} " + quotient(f, max) for section, f in found.items()]
    return "; ".join(said) + "; peers: " + against(results, "dct2")


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


def measured(results):
    said = []
    for kind, tail in (("c2c", ""), ("r2c", "-r2c")):
        found = results.quotients("model" + tail, "measured" + tail)
        if found:
            worst = max(found, key=found.get)
            far = sum(q > 1.05 for q in found.values())
            said.append(f"{kind}: {far} of {len(found)} more than 5 % slower, "
                        f"most {100 * (found[worst] - 1):.0f} % at {worst}")
    return "; ".join(said) + " (two processes)" if said else MISSING


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
    return quotient(found, min)


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
    return quotient(found, min)


def of_a_copy(results):
    """Shares of a copy: batches of short transforms that do not fit the
    caches."""
    if results.bounds is None:
        return NO_BOUNDS

    def bound(kind, r):
        n, count = r["problem"].split(":")[2].split("*")
        return copied(results, kind, int(n) * int(count), "copy")

    found = shares(results, "streams", lambda n: True, bound)
    return quotient(found, min)


def calls(results):
    """ns of a transform of 4 beyond its kernel."""
    if results.bounds is None:
        return NO_BOUNDS
    found = results.times("main")
    said = [f"{found[f'{kind}:4'] - ns:.1f} ns more than {ns:.1f} ({kind})"
            for kind, ns in results.bounds["call"].items()
            if f"{kind}:4" in found]
    return "; ".join(said) if said else MISSING


def goals(by_section, bounds=None):
    """[(work, goal, figure)]"""
    r = Results(by_section, bounds)
    return [
        ("powers of two, 2^6 up", ">= 1.5 MKL, >= 2.5 FFTW (mean); >= 1.1 "
         "the better at each",
         against(r, "main", lambda n: is_power(n) and n >= 64)),
        ("powers of two, up to 2^5", ">= 1.5 the better of them",
         against(r, "main", lambda n: is_power(n) and n < 64)),
        ("share of the arithmetic bound, 64..1024", ">= 50 %",
         of_arithmetic(r)),
        ("in place", "within 5 % of out of place", in_place(r)),
        ("smooth lengths", ">= 1.2 MKL (mean), never < 0.95",
         against(r, "smooth")),
        ("primes", ">= 2 the best peer", against(r, "primes")),
        ("batches, one after the other", ">= 1.5 MKL", against(r, "batches")),
        ("batches, side by side", ">= 1.5 MKL", against(r, "innermost")),
        ("batches of 2^22 samples", ">= 90 % of a copy", of_a_copy(r) +
         "; peers: " + against(r, "streams")),
        ("matrices and cubes", ">= 1.5 MKL or 70 % of the memory bound",
         against(r, "shapes")),
        ("r2c, 2^4 up", ">= 1.3 MKL (mean); >= 1.7 c2c of the same n",
         against(r, "r2c", lambda n: is_power(n) and n >= 16) + "; " +
         real_over_complex(r)),
        ("r2c, odd lengths", "no detour by c2c",
         against(r, "r2c", lambda n: n % 2 == 1)),
        ("c2r", "as r2c", against(r, "c2r")),
        ("DCT-II and III", "within 1.3 of r2c", cosines(r)),
        ("2^18 up", ">= 65 % of the memory bound",
         of_memory(r) + "; peers: " +
         against(r, "main", lambda n: is_power(n) and n >= 1 << 18)),
        ("two threads from 2^14", ">= 1.8", two_threads(r)),
        ("scrambled order", "15 to 20 % saved at large N", scrambled(r)),
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
            for c in r["contenders"][1:]
            if c["ok"] and c["ratio_min"] < 1]
