#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every Debian package weft needs, declared once, and installed when missing:
#
#   tools/deps.sh build|demo|check|check-all|bench|clients|all (default: build)
#   tools/deps.sh --list GOAL                             prints, does nothing
#
# The library itself needs a compiler, CMake and Ninja only.
set -euo pipefail

build="gcc libc6-dev cmake ninja-build make"
cli="pkg-config libsndfile1-dev libcairo2-dev libjansson-dev"
tests="g++ gfortran clang libclang-rt-14-dev clang-format binutils git shellcheck
       python3 python3-numpy libmpfr-dev valgrind"
cross="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
peers="libfftw3-dev"
recording="alsa-utils" # a spoken recording under /usr/share/sounds/alsa
# Programs that use FFTW (tests/clients/): 2 GB; `all` leaves them out.
clients="octave python3-pyfftw r-cran-fftw gromacs cp2k elk-lapw wsjtx
         aubio-tools gmt cdo libvips-tools imagemagick pfstmo sndfile-tools
         minimodem mrtrix3 binutils python3 python3-numpy"

list=no
if [ "${1:-}" = --list ]; then
    list=yes
    shift
fi
goal=${1:-build}
case $goal in
build) want="$build $cli" ;;
demo) want="$build $cli $recording" ;;
check) want="$build $cli $tests $recording $peers" ;;
check-all) want="$build $cli $tests $recording $cross $peers" ;;
bench) want="$build $cli $peers python3" ;;
clients) want="$build $cli $recording $clients" ;;
all) want="$build $cli $tests $recording $cross $peers" ;;
*)
    echo "deps.sh: no such goal '$goal'" >&2
    exit 2
    ;;
esac
# shellcheck disable=SC2086 # words on purpose
set -- $want
if [ $list = yes ]; then
    printf '%s\n' "$@"
    exit 0
fi

if ! command -v dpkg-query >/dev/null; then
    echo "deps.sh: not a Debian system; going on with what is here." \
        "Wanted: $*"
    exit 0
fi
missing=()
for package; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null ||
        true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "deps.sh: installing ${missing[*]}"
as_root=()
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "deps.sh: missing: ${missing[*]}" >&2
        echo "deps.sh: neither root nor sudo: install them and try again" >&2
        exit 1
    fi
    as_root=(sudo)
fi
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get
    install -y -q --no-install-recommends "${missing[@]}")
if ! { "${as_root[@]}" apt-get update -q && "${install[@]}"; } </dev/null; then
    echo "deps.sh: could not install: ${missing[*]}" >&2
    echo "deps.sh: is the network there?  Install them and try again" >&2
    exit 1
fi
