#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# names_test.sh FOLDER: the drop-in libraries in FOLDER export FFTW's public
# names (names_c.txt, names_fortran.txt) and nothing else; their sonames and
# what they need are Debian's, so that a program linked there finds them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
status=0

# exported LIBRARY: its dynamic symbols, sorted.
exported() {
    nm -D --defined-only "$folder/$1" | awk 'NF == 3 { print $3 }' | sort
}

# expected PREFIX FORTRAN [PATTERN]: the names a library should have.
expected() {
    {
        sed "s/^/$1_/" "$here/names_c.txt"
        sed "s/.*/$2_&_/" "$here/names_fortran.txt"
        sed "s/.*/$2_&__/" "$here/names_fortran.txt"
    } | grep -E "${3:-}" | sort
}

check_names() {
    local library=$1 difference
    if ! difference=$(diff <(expected "${@:2}") <(exported "$library")); then
        echo "$library: < should be exported, > should not:"
        echo "$difference"
        status=1
    fi
}

# check_needs LIBRARY SONAME...: its own soname, and one that it needs.
check_needs() {
    local library=$1 dynamic
    dynamic=$(objdump -p "$folder/$library")
    grep -q "SONAME  *$library\$" <<<"$dynamic" || {
        echo "$library: another soname"
        status=1
    }
    grep -q "NEEDED  *$2\$" <<<"$dynamic" || {
        echo "$library: does not need $2"
        status=1
    }
}

threads='_(init_threads|plan_with_nthreads|planner_nthreads|cleanup_threads'
threads+='|make_planner_thread_safe|threads_set_callback)_*$'
for suffix in "" f; do
    fortran=dfftw
    [ -z "$suffix" ] || fortran=sfftw
    check_names "libfftw3$suffix.so.3" "fftw$suffix" $fortran
    check_needs "libfftw3$suffix.so.3" libweft.so.0
    for companion in threads omp; do
        check_names "libfftw3${suffix}_$companion.so.3" "fftw$suffix" \
            $fortran "$threads"
        check_needs "libfftw3${suffix}_$companion.so.3" "libfftw3$suffix.so.3"
    done
done
[ $status -ne 0 ] || echo "names_test: every name, and no other"
exit $status
