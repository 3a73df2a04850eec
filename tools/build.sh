#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Configures and builds a preset: tools/build.sh PRESET [CMAKE-OPTION...]
# JOBS limits the parallel compilers (all CPUs by default).
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
shift
cmake --preset "$preset" --log-level=STATUS "$@" </dev/null
cmake --build "build/$preset" -j "${JOBS:-$(nproc)}" </dev/null
