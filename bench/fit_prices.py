#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the prices that src/cpu/prices.c has of a kind of processor.

    bench/fit_prices.py gather FILE [--isa avx2] [--count N] [--seed S] [--kinds ..]
    bench/fit_prices.py report FILE... [--prices P] [--worst N]
    bench/fit_prices.py fit FILE... --out P [--prices P] [--minutes M] [--only ..]

`gather` takes random problems of each kind and, for each, the trees that the search
finds by the library's prices and by some around them; it times these by turns (0.2 s a
problem; nothing else may run) and adds them to FILE.  `report` says what the model's
choice among them takes, over the best of them.  `fit` changes one price after the
other to make that less, and writes P, a JSON object of prices, after each round.  FILEs of several ISAs are fitted together: a kind of processor has one list.
WEFT_CORE names whose prices to begin with.  Needs the target `fit_prices`.

What is made small is the expected time of a choice that is a little uncertain, so
that it changes smoothly, plus a little of the spread of costs around times, plus a
little of how far prices are from those of the beginning.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import time

from figures import find_weft, write_text

UNCERTAIN = 0.015  # of a cost, for choices
SPREAD = 0.03      # what the spread of costs around times weighs
NEAR = 0.0004      # and each price's distance, log squared
AROUND = 0.45      # log of the prices around the library's
SEARCHES = 28      # by such prices
MOST_TREES = 9
REALS = ["redft10", "redft01", "redft11", "rodft10", "rodft01", "redft00",
         "dht", "r2hc", "hc2r"]


class Program:
    """A fit_prices that waits for commands."""

    def __init__(self, weft, isa):
        path = os.path.join(os.path.dirname(weft), "../bench/fit_prices")
        self.pipe = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=dict(os.environ, WEFT_ISA=isa))

    def say(self, command):
        self.pipe.stdin.write(command + "\n")
        self.pipe.stdin.flush()

    def hear(self):
        line = self.pipe.stdout.readline()
        if not line:
            sys.exit("fit_prices.py: the program has ended")
        return line.rstrip("\n")

    def ask(self, command):
        self.say(command)
        return self.hear()

    def prices(self):
        """Values, and what to try where they are 0, by name."""
        words = [w.replace("@", "=").split("=")
                 for w in self.ask("prices").split()]
        return ({w[0]: float(w[1]) for w in words},
                {w[0]: float(w[2]) for w in words})

    def set(self, prices):
        self.ask("set " + " ".join(f"{k}={v!r}" for k, v in prices.items()))


# ---- Problems ---------------------------------------------------------------

def smooth(rng, low, high):
    while True:
        n = 1
        for _ in range(rng.randint(1, 18)):
            n *= rng.choice([2, 2, 2, 2, 2, 3, 3, 5, 7, 11, 13])
            if n > high:
                break
        if low <= n <= high:
            return n


def any_length(rng, low, high):
    return int(math.exp(rng.uniform(math.log(low), math.log(high))))


def channels(rng, kinds, real):
    n, count = smooth(rng, 4, 3000), rng.choice([2, 3, 4, 6, 8, 12, 16, 32, 64])
    return f"{rng.choice(kinds)}:{real}:{n}/{count}/{count}*{count}/1/1"


def spectral(rng):
    return rng.choice(["c2c", "c2c", "r2c", "c2r"])


KINDS = {
    "smooth": lambda g, t: f"c2c:{t}:{smooth(g, 16, 300000)}",
    "inplace": lambda g, t: f"c2c:{t}:{smooth(g, 16, 300000)}:inplace",
    "any": lambda g, t: f"c2c:{t}:{any_length(g, 8, 30000)}",
    "two": lambda g, t: f"{spectral(g)}:{t}:"
                        f"{2 ** g.randint(8, 21)}"
                        f"{g.choice(['', '', ':inplace'])}",
    "large": lambda g, t: f"{spectral(g)}:{t}:"
                          f"{smooth(g, 20000, 2000000)}",
    "r2c": lambda g, t: f"{g.choice(['r2c', 'c2r'])}:{t}:"
                        f"{smooth(g, 8, 200000)}",
    "r2c-any": lambda g, t: f"r2c:{t}:{any_length(g, 8, 20000)}",
    "reals": lambda g, t: f"{g.choice(REALS)}:{t}:{smooth(g, 8, 60000)}",
    "reals-any": lambda g, t: f"{g.choice(REALS)}:{t}:"
                              f"{any_length(g, 8, 3000)}",
    "batch": lambda g, t: f"c2c:{t}:{any_length(g, 4, 300)}"
                          f"*{any_length(g, 2, 400)}",
    "reals-batch": lambda g, t: f"{g.choice(['r2c', 'c2r'] + REALS)}:{t}:"
                                f"{any_length(g, 4, 300)}"
                                f"*{any_length(g, 2, 400)}",
    "matrix": lambda g, t: f"{spectral(g)}:{t}:"
                           f"{smooth(g, 4, 600)}x{smooth(g, 4, 600)}",
    "cube": lambda g, t: f"{spectral(g)}:{t}:"
                         f"{any_length(g, 3, 40)}x{smooth(g, 4, 40)}"
                         f"x{smooth(g, 4, 60)}",
    "channels": lambda g, t: channels(g, ["c2c", "c2c", "redft10", "dht"], t),
    "reals-channels": lambda g, t: channels(g, ["r2c", "c2r"], t),
}


def candidates(program, problems, rng):
    """Trees of each problem, the library's first."""
    base, start = program.prices()
    found = {p: {} for p in problems}
    for search in range(SEARCHES):
        prices = dict(base)
        for name in base if search > 0 else []:
            if base[name] == 0 and start[name] and rng.random() < 0.6:
                prices[name] = start[name]
            prices[name] *= math.exp(rng.gauss(0, AROUND))
        program.set(prices)
        for p in problems:
            tree = program.ask("plan " + p)
            if tree != "-":
                found[p][tree] = found[p].get(tree, 0) + 1
    program.set(base)
    chosen = {}
    for p, trees in found.items():
        first, rest = list(trees)[:1], list(trees)[1:]
        rest.sort(key=lambda tree: -trees[tree])
        chosen[p] = first + rest[:MOST_TREES - 1]
    return {p: trees for p, trees in chosen.items() if len(trees) > 1}


def gather(args):
    rng = random.Random(args.seed)
    program = Program(args.weft, args.isa)
    kind_of = {KINDS[k](rng, t): k for k in args.kinds or KINDS
               for t in ("f64", "f32") for _ in range(args.count)}
    trees = candidates(program, list(kind_of), rng)
    print(f"{len(kind_of)} problems, {len(trees)} with a choice, "
          f"{sum(map(len, trees.values()))} trees", flush=True)
    with open(args.files[0], "a", encoding="utf-8") as out:
        for p, some in trees.items():
            said = program.ask(f"time {args.seconds}|{p}|" + "|".join(some))
            if said == "-":
                print("not timed:", p)
                continue
            json.dump({"isa": args.isa, "kind": kind_of[p], "problem": p,
                       "trees": some, "ns": [float(x) for x in said.split()]},
                      out)
            out.write("\n")


# ---- What a list of prices is worth ----------------------------------------

class Judge:
    """The programs of all ISAs, with what was timed on them."""

    def __init__(self, args):
        self.rows, self.program = {}, {}
        for path in args.files:
            with open(path, encoding="utf-8") as lines:
                for row in map(json.loads, lines):
                    self.rows.setdefault(row["isa"], []).append(row)
        for isa, rows in self.rows.items():
            program = self.program[isa] = Program(args.weft, isa)
            kept = [row for row in rows
                    if program.ask("load " + "|".join(
                        [row["problem"]] + row["trees"])) == "ok"]
            if len(kept) < len(rows):
                print(f"{isa}: {len(rows) - len(kept)} of {len(rows)} "
                      "have trees that are none any more")
            self.rows[isa] = kept
        self.base, self.start = next(iter(self.program.values())).prices()

    def set(self, prices):
        for program in self.program.values():
            program.set(prices)

    def costs(self):
        """(row, costs) of all, the programs at work at the same time."""
        for program in self.program.values():
            program.say("costs")
        for isa, program in self.program.items():
            costs = iter(map(float, program.hear().split()))
            for row in self.rows[isa]:
                yield row, [next(costs) for _ in row["ns"]]

    def loss(self, prices):
        total, spread, count = 0, 0, 0
        for row, costs in self.costs():
            least, cheapest = min(row["ns"]), max(min(costs), 1e-9)
            weights = [(cheapest / max(c, 1e-9)) ** (1 / UNCERTAIN)
                       for c in costs]
            lost = [min(math.log(ns / least), 1) for ns in row["ns"]]
            total += sum(w * x for w, x in zip(weights, lost)) / sum(weights)
            off = [math.log(max(c, 1e-9) / ns)
                   for c, ns in zip(costs, row["ns"])]
            mean = sum(off) / len(off)
            spread += math.sqrt(sum((x - mean) ** 2 for x in off) / len(off)) \
                + 0.1 * abs(mean)
            count += 1
        far = sum(math.log(v / self.base[k]) ** 2 if v > 0 < self.base[k]
                  else 0.25 * (v != self.base[k]) for k, v in prices.items())
        return (total + SPREAD * spread) / count + NEAR * far

    def report(self, worst):
        chosen = []
        for row, costs in self.costs():
            i = costs.index(min(costs))
            chosen.append((row["ns"][i] / min(row["ns"]), row,
                           row["trees"][i]))
        groups = {}
        for c in chosen:
            for name in (c[1]["isa"], f"{c[1]['isa']} {c[1]['kind']}"):
                groups.setdefault(name, []).append(c[0])
        for name, lost in sorted(groups.items()):
            mean = math.exp(sum(map(math.log, lost)) / len(lost))
            print(f"{name:24} {mean:.3f} in the mean of {len(lost)}, "
                  f"above 1.05 at {sum(x > 1.05 for x in lost)}, "
                  f"{max(lost):.2f} at most")
        for lost, row, tree in sorted(chosen, key=lambda c: -c[0])[:worst]:
            best = row["trees"][row["ns"].index(min(row["ns"]))]
            print(f"{lost:.3f} {row['isa']} {row['problem']}\n"
                  f"      chosen {tree}\n      best   {best}")


def given(args, judge):
    prices = dict(judge.base)
    if args.prices:
        with open(args.prices, encoding="utf-8") as data:
            prices.update(json.load(data))
    judge.set(prices)
    return prices


def report(args):
    judge = Judge(args)
    given(args, judge)
    judge.report(args.worst)


# ---- The fit -----------------------------------------------------------------

def fit(args):
    judge, rng = Judge(args), random.Random(1)
    prices = given(args, judge)
    judge.report(0)
    names = [n for n in prices
             if not args.only or any(n.startswith(o) for o in args.only)]
    step, idle = {n: 0.35 for n in names}, {n: 0 for n in names}
    end, best, rounds = time.time() + 60 * args.minutes, judge.loss(prices), 0
    print(f"loss {best:.5f}", flush=True)
    while time.time() < end:
        before = best
        rng.shuffle(names)
        for name in names:
            if time.time() > end or idle[name] >= 3:
                continue
            old, tries = prices[name], []
            if old == 0 and judge.start[name]:
                tries = [judge.start[name], 0.4 * judge.start[name]]
            elif old > 0:
                tries = [old * math.exp(step[name]),
                         old * math.exp(-step[name])]
                if judge.start[name] and rounds == 0:
                    tries.append(0.0)
            for value in tries:
                judge.set({name: value})
                loss = judge.loss({**prices, name: value})
                if loss < best - 1e-6:
                    best, prices[name] = loss, value
                    break
            judge.set({name: prices[name]})
            if prices[name] != old:
                step[name] = min(1.3 * step[name], 1)
            else:
                step[name] /= 2
                idle[name] += 1
        rounds += 1
        print(f"round {rounds}: loss {best:.5f}", flush=True)
        write_text(os.path.abspath(args.out),
                   json.dumps(prices, indent=1) + "\n")
        if before - best < 2e-5:
            break
    judge.report(0)
    for name, value in prices.items():
        if value != judge.base[name]:
            print(f"{name} {judge.base[name]:.3g} -> {value:.3g}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=["gather", "report", "fit"])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--weft")
    parser.add_argument("--isa", default="avx512")
    parser.add_argument("--count", type=int, default=40,
                        help="of each kind and type")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS))
    parser.add_argument("--seconds", type=float, default=0.12,
                        help="of a problem")
    parser.add_argument("--prices", help="JSON object, over the library's")
    parser.add_argument("--only", nargs="*", help="names begin so")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--worst", type=int, default=10)
    parser.add_argument("--out")
    args = parser.parse_args()
    args.weft = find_weft(args.weft)
    if args.what == "fit" and not args.out:
        parser.error("fit needs --out")
    {"gather": gather, "report": report, "fit": fit}[args.what](args)


if __name__ == "__main__":
    main()
