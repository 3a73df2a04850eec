#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Regenerates docs/performance.md, docs/accuracy.md and the figures of README.md
# with the release build:
#
#   tools/bench.sh [OPTION OF bench/performance.py...]
#
# for instance tools/bench.sh --mkl-lib /opt/mkl/lib/libmkl_rt.so.2
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --build build/release --target machine_bench
bench/performance.py "$@"
bench/accuracy.py
bench/readme_figures.py
