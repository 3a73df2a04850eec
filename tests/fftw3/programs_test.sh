#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# programs_test.sh HEADERS LIBRARIES: compiles programs written for FFTW, in C,
# C++ and both sorts of Fortran, against weft's headers, links them as their
# makefiles would, and runs them on the drop-in libraries.
set -euo pipefail
IFS=, read -ra headers <<<"$1"
libraries=$2
here=$(cd "$(dirname "$0")/programs" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
includes=("${headers[@]/#/-I}")
links=(-L"$libraries" -lfftw3_threads -lfftw3 -lfftw3f_omp -lfftw3f -lm)
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
status=0

# program SOURCE COMPILER OPTION...
program() {
    local source=$here/$1
    if "${@:2}" "${includes[@]}" "$source" -o "$work/program" "${links[@]}" &&
        "$work/program"; then
        return
    fi
    echo "programs_test: $1 failed: ${*:2}"
    status=1
}

program planets.c gcc -std=c99 -Wall -Wextra -Werror
program planets.c gcc -std=gnu17 -O2
program filter.cpp g++ -std=c++11 -Wall -Wextra -Werror
program filter.cpp g++ -std=c++20
if command -v gfortran >/dev/null; then
    program waves.f gfortran -O1
    program waves.f gfortran -fsecond-underscore
    program tides.f90 gfortran -O2 -J "$work"
else
    echo "programs_test: left out: no gfortran for waves.f and tides.f90"
fi
exit $status
