#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs every fuzz target for SECONDS (default 60), starting from the corpora
# in tests/fuzz/corpus/NAME; inputs found go to build/fuzz/corpus/NAME and
# crashes to build/fuzz/crash-*.  Replaying the corpora is part of `make check`.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
found=0
for target in build/fuzz/tests/fuzz_*; do
    [ -x "$target" ] || continue
    found=$((found + 1))
    name=$(basename "$target")
    mkdir -p "build/fuzz/corpus/$name"
    corpora=("build/fuzz/corpus/$name")
    if [ -d "tests/fuzz/corpus/$name" ]; then
        corpora+=("tests/fuzz/corpus/$name")
    fi
    echo "== $name, $seconds s"
    "$target" -max_total_time="$seconds" -max_len=4096 -verbosity=0 \
        -print_final_stats=1 -artifact_prefix=build/fuzz/ "${corpora[@]}"
done
if [ $found = 0 ]; then
    echo "fuzz.sh: no target in build/fuzz: tools/build.sh fuzz" >&2
    exit 1
fi
