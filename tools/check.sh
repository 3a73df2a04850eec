#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds weft in every way the tests need and runs them:
#
#   tools/check.sh         release on every ISA level; ASan+UBSan; TSan
#   tools/check.sh all     also the sweeps, clang, fuzzing, ARM under qemu
#
# Stops at the first stage that fails.  Ends with the summaries of CTest,
# which stay in build/check.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
all=no
[ "${1:-}" != all ] || all=yes
jobs=${JOBS:-$(nproc)}
mkdir -p build
summary=build/check.txt
: >$summary

# stage NAME COMMAND...: says what runs and how long it took.
stage() {
    local name=$1 start=$SECONDS
    shift
    echo "== $name: $*"
    if ! "$@"; then
        echo "== $name FAILED after $((SECONDS - start)) s" | tee -a $summary
        cat $summary
        exit 1
    fi
    echo "== $name: $((SECONDS - start)) s" | tee -a $summary
}

# tests PRESET CTEST-OPTION...: runs tests, keeps CTest's closing lines.
tests() {
    local log=build/$1/ctest.log status=0
    ctest --test-dir "build/$1" -j "$jobs" --output-on-failure --no-tests=error \
        "${@:2}" </dev/null | tee "$log" || status=$?
    sed -n '/tests passed/,$p' "$log" >>$summary
    return $status
}

strict=(-DWEFT_STRICT=ON -DWEFT_WERROR=ON)
stage "build release" tools/build.sh release "${strict[@]}"
stage "test release" tests release -LE slow
stage "build asan" tools/build.sh asan "${strict[@]}"
stage "test asan" tests asan -L san -LE slow
stage "build tsan" tools/build.sh tsan "${strict[@]}"
stage "test tsan" tests tsan -L tsan -LE slow

if [ $all = yes ]; then
    # What fails in minutes comes first, the sweeps last.
    stage "build fuzz" tools/build.sh fuzz "${strict[@]}"
    stage "build neon" tools/build.sh neon "${strict[@]}"
    stage "run fuzz" tools/fuzz.sh 60
    stage "test asan, the rest" tests asan -LE "san|slow"
    stage "build clang" tools/build.sh clang "${strict[@]}"
    stage "test clang" tests clang -LE slow
    stage "build debug" tools/build.sh debug "${strict[@]}"
    stage "test debug" tests debug -LE slow
    stage "test neon" tests neon -LE slow
    stage "lint" tools/lint.sh
    stage "test release, slow" tests release -L slow
fi

echo "== weft: every stage passed in $SECONDS s"
cat $summary
