#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Formats all C files in git with .clang-format; --check only complains.
# Tables (.def) keep their columns.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[ "${1:-}" != --check ] || mode=(--dry-run -Werror)
git ls-files -z '*.c' '*.h' | xargs -0 -r clang-format "${mode[@]}"
