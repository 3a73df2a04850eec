#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Measures speed beside the peers found here, and accuracy, and writes the
# tables of docs/performance.md and docs/accuracy.md:
#
#   tools/bench.sh                the whole table, one to two hours of one CPU
#   tools/bench.sh quick          a dozen sizes, two minutes, printed only
#   tools/bench.sh accuracy       only the table of accuracy
#
# More arguments go to `weft bench` (e.g. --fftw-lib PATH).  Run it on a quiet
# machine: the figures are minima of interleaved rounds, but noise still shows.
set -euo pipefail
cd "$(dirname "$0")/.."
weft=build/release/cli/weft
what=${1:-all}
[ $# -eq 0 ] || shift
odd="1000 1001 1009 44100 6144"

if [ "$what" = quick ]; then
    exec "$weft" bench c2c:f64:{16,256,1024,1000,1009,4096,65536} \
        c2c:f32:{16,1024,1000,1009,65536} "$@"
fi
if [ "$what" = all ]; then
    for type in f64 f32; do
        problems=()
        for n in $odd; do
            problems+=("c2c:$type:$n")
        done
        # A peer that fails is a line in the table, not the end of it.
        "$weft" bench --json --sweep "c2c:$type:2^2..2^22" "${problems[@]}" \
            "$@" >"build/bench_$type.json" || echo "bench.sh: see $type" >&2
    done
    tools/tables.py performance docs/performance.md build/bench_f64.json \
        build/bench_f32.json
fi
for type in f64 f32; do
    problems=()
    for n in 7 12 97 1021 $odd; do
        problems+=("c2c:$type:$n")
    done
    "$weft" accuracy --json --sweep "c2c:$type:2^2..2^20" "${problems[@]}" \
        >"build/accuracy_$type.json" || echo "bench.sh: a bar is missed" >&2
done
tools/tables.py accuracy docs/accuracy.md build/accuracy_f64.json \
    build/accuracy_f32.json
