# SPDX-License-Identifier: BSD-3-Clause
"""The goals of weft's accuracy, each with its figure and the command that
prints it."""
import random

from figures import report

U32, U64 = 2.0**-24, 2.0**-53
FFT_BAR = "0.6 u sqrt(log2 N) + u"
SLICES = [16, 64, 256, 512]


def matrix(n, scheme, radices=None):
    """The tree of one product, or of several passes."""
    return f"(rank (rows 0 (matrix {n} {scheme} {radices or n})))"


# (what, goal, limit or None: the bar of fast, [(problem, tree or None)])
ROWS = [
    ("f32 matrix route, N = 256, one product", "4e-7", 4e-7,
     [("c2c:f32:256*6", matrix(256, "f32"))]),
    ("f32 matrix route, 16.16", "4e-7", 4e-7,
     [("c2c:f32:256*6:rule=matrix", None)]),
    ("f32 radix 8, N = 64, 512, 4096", FFT_BAR, None,
     [(f"c2c:f32:{n}*6:rule=radix8", None) for n in (64, 512, 4096)]),
    ("f32 mixed 16.8.4, N = 128 to 8192", FFT_BAR, None,
     [(f"c2c:f32:{n}*6:rule=mixed", None) for n in (128, 512, 1024, 8192)]),
    ("f32 self-sorting passes, N = 64 to 65536", FFT_BAR, None,
     [(f"c2c:f32:{n}*2:rule=stockham", None) for n in (64, 1024, 65536)]),
    ("f32 radix 2 butterflies, N = 64 to 4096", FFT_BAR, None,
     [(f"c2c:f32:{n}*2:rule=radix2", None) for n in (64, 512, 4096)]),
    ("f32 Bluestein, n = 100 to 65537", "3e-7", 3e-7,
     [(f"c2c:f32:{n}:rule=bluestein", None)
      for n in (100, 1000, 1009, 10007, 65537)]),
    ("split2, N = 256, one product", "4e-6", 4e-6,
     [("c2c:f32:256*6:precision=split2", matrix(256, "bf16x2"))]),
    ("split3, N = 256, one product", "2e-7", 2e-7,
     [("c2c:f32:256*6:precision=split3", matrix(256, "bf16x3"))]),
    ("fp16x2, N = 256, one product", "4.5e-7", 4.5e-7,
     [("c2c:f32:256*6:precision=fp16x2", matrix(256, "fp16x2"))]),
    ("slices4, 10 products, N = 16 to 512", "1e-10", 1e-10,
     [(f"c2c:f64:{n}*6:precision=slices4", matrix(n, "bf16s4"))
      for n in SLICES]),
    ("slices6, 21 products, N = 16 to 512", "3e-16 to 5e-16", 5e-16,
     [(f"c2c:f64:{n}*6:precision=slices6", matrix(n, "bf16s6"))
      for n in SLICES]),
]


def command(problems):
    """What to type for a row."""
    problem, tree = problems[-1]
    text = f"weft accuracy '{problem}'"
    return f"`{text}" + (f" --tree '{tree}'`" if tree else "`")


def measured(weft, problem, tree=None):
    options = ["--tree", tree] if tree else []
    data, _ = report(weft, "accuracy", problem, *options)
    return data["results"][0]


def law_of(problem):
    n = int(problem.split(":")[2].split("*")[0])
    return U32 * (0.6 * (n.bit_length() - 1)**0.5 + 1)


def errors(weft):
    rows, good = [], True
    for what, goal, limit, problems in ROWS:
        found = [measured(weft, *p)["l2"] for p in problems]
        limits = [limit or law_of(problem) for problem, _ in problems]
        worst = max(range(len(found)), key=lambda i: found[i] / limits[i])
        met = found[worst] <= limits[worst]
        goal_text = goal if limit else f"{goal} = {limits[worst]:.2e}"
        rows.append([what, "<= " + goal_text, f"{found[worst]:.2e}",
                     "yes" if met else "**no**", command(problems)])
        good = good and met
    return rows, good


def compensated(weft):
    rows, good = [], True
    for kind in ("c2c", "r2c"):
        for t in ("f32", "f64"):
            problems = [f"{kind}:{t}:{n}:precision=compensated"
                        for n in (64, 1000, 1009, 4096, 1 << 16, 1 << 20)]
            data, _ = report(weft, "accuracy", *problems)
            worst = max(r["l2"] / r["rounded_l2"] for r in data["results"])
            good = good and worst <= 1.1
            rows.append([f"compensated {t}, {kind}, n to 2^20",
                         "<= 1.1 of the correctly rounded result's",
                         f"{worst:.4f}", "yes" if worst <= 1.1 else "**no**",
                         f"`weft accuracy {problems[-1]} --json`, l2 over "
                         "rounded_l2"])
    return rows, good


def targets(weft, count=1000):
    """Random targets that can be met: type, kind, length, engine, target."""
    draw, problems, wanted = random.Random(5), [], []
    for i in range(count):
        t = draw.choice(("f32", "f64"))
        n = draw.randint(2, 2 ** draw.randint(2, 11))
        kind = draw.choice(("c2c", "c2c", "r2c"))
        least, most = (1.01 * U32, 1e-2) if t == "f32" else (1.01 * U64, 1e-2)
        engine = ""
        if i % 25 == 0:
            n, engine = 1 + n % 256, ":engine=neuron"
            least = 1e-6
        target = least * (most / least) ** draw.random()
        problems.append(f"{kind}:{t}:{n}{engine}:target={target:.4g}")
        wanted.append(float(f"{target:.4g}"))
    data, _ = report(weft, "accuracy", *problems)
    missed = sum(r["l2"] > w or r["bound"] > w
                 for r, w in zip(data["results"], wanted))
    return [[f"target_error, {count} random (n, target, engine, type, kind)",
             "no miss", f"{missed} missed", "yes" if not missed else "**no**",
             "`tests/precision_test`, which draws refused ones, too; "
             f"for instance `weft accuracy {problems[-1]}`"]], not missed


def goal_table(weft):
    """Lines of the page, and whether all is met."""
    lines = ["", "## Goals", "",
             "The worst of each row, relative L2 error unless said otherwise. "
             "One product is what the goals of the parts and slices speak "
             "of; weft plans cheaper passes, whose errors add up (the next "
             "table): split2 has 4.2e-6 by 16.16. Speed is in "
             "[performance.notes.md](performance.notes.md), the NeuronCore "
             "model in [neuron.md](neuron.md).", "",
             "| claim | goal | here | met | command |",
             "|---|---|---:|---|---|"]
    good = True
    for part in (errors, compensated, targets):
        rows, fine = part(weft)
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        good = good and fine
    return lines, good
