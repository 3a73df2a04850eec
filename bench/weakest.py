#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random problems of all kinds against a peer, the weakest first.

The sections of docs/performance.md are problems somebody thought of.  These are
small and middling vectors, matrices and cubes, alone, one after the other or
interleaved (channels innermost), in place or not; a seed gives the same ones
everywhere.  With --layouts any each side is one after the other or interleaved
for itself, with gaps or without, and each dimension has a real kind of its own.

With --weft-lib the peer is another build of weft, and only problems that the two
plan differently are timed; with --all the others, too.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys

REAL = ["redft00", "redft01", "redft10", "redft11", "rodft00", "rodft10",
        "rodft11", "dht", "r2hc", "hc2r"]
KINDS = 4 * ["c2c"] + 3 * ["r2c"] + 3 * ["c2r"] + REAL
AT_ONCE = 20  # problems of one run of weft


def length(rng, most):
    """Powers of two, smooth numbers, any."""
    while True:
        draw = rng.random()
        n = 1
        if draw < 0.4:
            n = 2 ** rng.randint(1, 14)
        elif draw < 0.8:
            for _ in range(rng.randint(1, 6)):
                n *= rng.choice([2, 2, 2, 3, 3, 5, 7])
        else:
            n = rng.randint(2, 300)
        if 2 <= n <= most:
            return n


def interleaved(kind, dims, channels):
    """n/is/os of each dimension around channels that lie side by side."""
    sides = [dims[:], dims[:]]
    if kind in ("r2c", "c2r"):
        sides[kind == "r2c"][-1] = dims[-1] // 2 + 1
    strides = []
    for side in sides:
        stride, found = channels, []
        for n in reversed(side):
            found.insert(0, stride)
            stride *= n
        strides.append(found)
    shape = "x".join(f"{n}/{a}/{b}" for n, a, b in zip(dims, *strides))
    return f"{shape}*{channels}/1/1"


def strided(rng, kind, dims, batch):
    """n/is/os of each dimension and of the batch, each side for itself."""
    sides = [[*dims, batch], [*dims, batch]]
    if kind in ("r2c", "c2r"):
        sides[kind == "r2c"][len(dims) - 1] = dims[-1] // 2 + 1
    strides = []
    for side in sides:
        order = list(range(len(dims)))
        order.insert(len(dims) if rng.random() < 0.5 else 0, len(dims))
        stride, found = 1, [0] * len(side)
        for i in reversed(order):
            found[i] = stride
            stride = stride * side[i] + rng.choice([0, 0, 0, 1, 2])
        strides.append(found)
    each = [f"{n}/{a}/{b}" for n, a, b in zip([*dims, batch], *strides)]
    return "x".join(each[:-1]) + "*" + each[-1]


def problem(rng, least, most, anywhere):
    kind, real = rng.choice(KINDS), rng.choice(["f64", "f32"])
    left = 2 ** rng.uniform(least, most)
    rank = rng.choice([1, 1, 1, 2, 2, 3])
    dims = []
    for i in range(rank):
        share = left
        if rank > 1:
            share = left ** (1 / (rank - i)) * rng.choice([1, 1, 2, 0.5])
        dims.append(length(rng, max(2, share)))
        left /= dims[-1]
    text = f"{kind}:{real}:" + "x".join(map(str, dims))
    batch = 1
    if rng.random() < 0.6 and left >= 2:
        batch = rng.choice([2, 3, 4, int(min(left, 5)), max(2, int(left)),
                            max(2, int(left ** 0.5))])
    if anywhere:
        if kind not in ("c2c", "r2c", "c2r"):
            kind = "+".join(rng.choice(REAL) for _ in dims)
        text = f"{kind}:{real}:" + strided(rng, kind, dims, batch)
    elif batch > 1 and rng.random() < 0.5:
        text = f"{kind}:{real}:" + interleaved(kind, dims, batch)
    else:
        text += f"*{batch}" if batch > 1 else ""
        text += ":inplace" if rng.random() < 0.2 else ""
    if kind == "c2c" and rng.random() < 0.3:
        text += ":inverse"
    return text


def problems(args):
    rng, found = random.Random(args.seed), set()
    while len(found) < args.count:
        found.add(problem(rng, args.least, args.most, args.layouts == "any"))
    return sorted(found)


def timed(args, texts, rounds, budget):
    """The results of problems, each with weft and the peer."""
    program = os.path.join(args.weft, "cli", "weft")
    command = [program, "bench", *texts, "--json", "--rounds", str(rounds),
               "--time-budget", str(budget)]
    if args.weft_lib:
        command += ["--peers", "none", "--weft-lib", args.weft_lib]
    else:
        command += ["--peers", args.peer, "--fftw-time-limit", "0.5"]
    if args.mkl_lib:
        command += ["--mkl-lib", args.mkl_lib]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout:
        sys.exit(f"weakest: {done.stderr.strip()}")
    results = json.loads(done.stdout)["results"]
    for result in results:
        if len(result.get("contenders", [])) != 2:
            sys.exit(f"weakest: {result['problem']}: {result.get('failure')}")
    return results


def planned_differently(args, texts):
    return [result["problem"] for result in timed(args, texts, 1, 0)
            if result["plan"] != result["contenders"][1].get("plan")]


def ratios(args, texts):
    """(peer's time over weft's, problem, ns, plan) of each."""
    if args.weft_lib and not args.all:
        texts = planned_differently(args, texts)
    if not texts:
        return
    for result in timed(args, texts, 4, args.budget):
        weft, peer = result["contenders"]
        if peer["ok"]:
            yield (peer["ratio_min"], result["problem"], weft["min_ns"],
                   result["plan"])
        elif "differs" in peer.get("failure", ""):
            args.differing += 1
            print(f"differs: {result['problem']}: {peer['failure']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--least", type=float, default=2,
                        help="log2 of the fewest numbers of a problem [2]")
    parser.add_argument("--most", type=float, default=16,
                        help="log2 of the most [16]")
    parser.add_argument("--layouts", choices=["packed", "any"],
                        default="packed", help="of both sides [packed]")
    parser.add_argument("--show", type=int, default=30)
    parser.add_argument("--budget", type=float, default=0.15,
                        help="seconds a problem [0.15]")
    parser.add_argument("--peer", default="fftw", help="fftw or mkl [fftw]")
    parser.add_argument("--mkl-lib", help="libmkl_rt")
    parser.add_argument("--weft-lib", metavar="PATH",
                        help="the peer is this build of libweft.so")
    parser.add_argument("--all", action="store_true",
                        help="time what both builds plan alike, too")
    parser.add_argument("--weft", default="build/release",
                        help="the program [build/release]")
    args = parser.parse_args()
    texts = problems(args)
    args.differing = 0
    rows = []
    for i in range(0, len(texts), AT_ONCE):
        rows += ratios(args, texts[i:i + AT_ONCE])
    if not rows and args.weft_lib and not args.differing:
        print(f"both builds plan all {len(texts)} alike")
        return
    if not rows:
        sys.exit("weakest: the peer has none of them")
    rows.sort()
    for ratio, text, ns, plan in rows[:args.show]:
        print(f"{ratio:.2f}  {text}  {ns:.0f} ns  {plan}")
    mean = math.exp(sum(math.log(row[0]) for row in rows) / len(rows))
    slower = sum(row[0] < 1 for row in rows)
    print(f"{args.weft_lib or args.peer} over weft: {mean:.2f} in the mean of {len(rows)}, "
          f"{slower} below 1")
    if args.differing:
        sys.exit(f"weakest: {args.differing} results differ")


if __name__ == "__main__":
    main()
