#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What holds of the source besides its tests.  Reports everything that is
# wrong, not only the first.  Builds the release preset when it is not there.
# shellcheck disable=SC2317 # functions are called through check
set -euo pipefail
cd "$(dirname "$0")/.."
exec </dev/null
build=build/release
bad=0

# check NAME COMMAND...: a line for each check, the command's output if wrong.
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "ok    $name"
    else
        echo "WRONG $name"
        printf '%s\n' "$output" | head -n 60 | sed 's/^/      /'
        bad=1
    fi
}

# Exported by the shared library: weft_ only.  Global in the archive: weft_,
# and wf_ for the rooms.  (_init, _fini and the like belong to the linker.)
symbols() {
    local shared archive
    shared=$(nm -D --defined-only "$build/libweft.so" | awk '{ print $3 }' |
        grep -v '^weft_' || true)
    archive=$(nm -g --defined-only "$build/libweft.a" 2>/dev/null |
        awk 'NF == 3 { print $3 }' | grep -Ev '^(weft|wf)_' || true)
    [ -z "$shared$archive" ] || {
        echo "libweft.so exports, beside weft_*:" "$shared"
        echo "libweft.a has, beside weft_* and wf_*:" "$archive"
        return 1
    }
}

# Each public header alone, twice, with every warning.
headers() {
    local header status=0
    for header in include/weft/*.h; do
        header=${header#include/}
        printf '#include <%s>\n#include <%s>\nint weft_one;\n' \
            "$header" "$header" >"$build/lint_header.c"
        cp "$build/lint_header.c" "$build/lint_header.cpp"
        for compiler in gcc clang; do
            $compiler -std=c11 -Wall -Wextra -Wpedantic -Wshadow \
                -Wstrict-prototypes -Werror -fsyntax-only -Iinclude \
                "$build/lint_header.c" || status=1
        done
        g++ -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Werror \
            -fsyntax-only -Iinclude "$build/lint_header.cpp" || status=1
    done
    return "$status"
}

# The other compiler reads every file gcc compiled, all instruction sets.
clang_warnings() {
    tools/clang_warnings.py "$build/compile_commands.json"
}

no_binaries() {
    # -I counts binary files as not matching; empty files are text.
    local file status=0
    while IFS= read -r -d '' file; do
        case $file in
        tests/fuzz/corpus/* | *.png | *.npy | *.wav) continue ;;
        esac
        [ ! -s "$file" ] || grep -qI '' "$file" || {
            echo "$file is binary"
            status=1
        }
    done < <(git ls-files -z)
    return "$status"
}

echo "lint: building"
tools/build.sh release -DWEFT_WERROR=ON >"$build.log" 2>&1 || {
    tail -n 40 "$build.log"
    echo "WRONG the build, with warnings as errors"
    exit 1
}
echo "ok    gcc builds without a warning"
check "clang reads every file without a warning" clang_warnings
check "the law: includes, conditionals, licence lines" tools/law.py
check "symbols: weft_ outside, wf_ inside" symbols
check "public headers stand alone, C11 and C++17" headers
check "format (tools/format.sh mends it)" tools/format.sh --check
check "no binaries or generated files in git" no_binaries
if command -v shellcheck >/dev/null; then
    mapfile -t scripts < <(git ls-files '*.sh' .ci/run)
    check "shellcheck" shellcheck "${scripts[@]}"
else
    echo "-     shellcheck is not installed: left out"
fi
exit $bad
