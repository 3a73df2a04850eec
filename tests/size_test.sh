#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# size_test.sh LIBRARY PRESET: the stripped library of the release preset is no
# larger than the goal; of other presets, which nobody installs, it is not
# asked.
set -euo pipefail
library=$1 preset=$2
limit=8000000
if [ "$preset" != release ]; then
    echo "size_test: skipped: the goal is of the release preset, this is $preset"
    exit 77
fi
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip -o "$stripped" "$library"
bytes=$(stat -c %s "$stripped")
echo "size_test: $library has $bytes bytes stripped, the limit is $limit"
[ "$bytes" -le "$limit" ] || {
    echo "what is large: nm --size-sort -S $library | tail -n 40"
    exit 1
}
