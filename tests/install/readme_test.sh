#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# readme_test.sh SOURCE LIBRARY CC: takes the first ```c block out of README.md,
# compiles it against LIBRARY and runs it: what the README shows works.
set -euo pipefail
source=$1
library=$2
compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ { inside = 1; next } /^```/ && inside { exit } inside' \
    "$source/README.md" >"$work/readme.c"
[ -s "$work/readme.c" ] || {
    echo "readme_test: no \`\`\`c block in README.md" >&2
    exit 1
}
"$compiler" -std=c11 -Wall -Wextra -Wpedantic -Werror \
    -I"$source/include" "$work/readme.c" -o "$work/readme" "$library" \
    -lm -pthread
"$work/readme"
