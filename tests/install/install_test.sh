#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# install_test.sh BUILD: installs BUILD under a temporary prefix and builds
# and runs consumers of it: C and C++, shared and static, by CMake and by
# pkg-config.  Then moves the tree and does it again: nothing may remember
# where it was first.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "install_test: $*" >&2
    exit 1
}

cmake --install "$build" --prefix "$work/first" >/dev/null
for file in lib/libweft.so lib/libweft.a include/weft/weft.h \
    lib/pkgconfig/weft.pc lib/cmake/weft/weft-config.cmake \
    lib/cmake/weft/weft-config-version.cmake; do
    [ -e "$work/first/$file" ] || fail "$file is not installed"
done

by_cmake() {
    cmake -S "$here" -B "$work/cmake" -DCMAKE_PREFIX_PATH="$1" >/dev/null
    cmake --build "$work/cmake" >/dev/null
    for program in c_shared c_static cxx_shared cxx_static; do
        "$work/cmake/$program" || fail "CMake consumer $program failed"
    done
    rm -rf "$work/cmake"
}

by_pkg_config() {
    export PKG_CONFIG_PATH=$1/lib/pkgconfig
    local flags libs
    # shellcheck disable=SC2046 # words on purpose
    set -- "$1" $(pkg-config --cflags weft)
    flags=("${@:2}")
    read -ra libs <<<"$(pkg-config --libs weft)"
    cc -std=c11 "${flags[@]}" "$here/consumer.c" -o "$work/shared" \
        "${libs[@]}" "-Wl,-rpath,$1/lib" -lm
    "$work/shared" || fail "pkg-config consumer (shared) failed"
    read -ra libs <<<"$(pkg-config --static --libs weft)"
    cc -std=c11 "${flags[@]}" "$here/consumer.c" -o "$work/static" \
        "$1/lib/libweft.a" -lm -pthread
    "$work/static" || fail "pkg-config consumer (static) failed"
    cc -std=c11 "${flags[@]}" "$here/consumer.c" -o "$work/alone" -static \
        "$1/lib/libweft.a" -lm -pthread -Wl,--fatal-warnings
    "$work/alone" || fail "pkg-config consumer (no shared library) failed"
    c++ -std=c++17 "${flags[@]}" "$here/consumer.cpp" -o "$work/cxx" \
        -Wl,-Bstatic -L"$1/lib" -lweft -Wl,-Bdynamic -lm -pthread
    "$work/cxx" || fail "pkg-config consumer (C++, static) failed"
}

by_cmake "$work/first"
by_pkg_config "$work/first"
mv "$work/first" "$work/second"
by_cmake "$work/second"
by_pkg_config "$work/second"
# The tool is left out of builds with WEFT_CLI=OFF.
if grep -q '^WEFT_CLI:BOOL=ON' "$build/CMakeCache.txt"; then
    "$work/second/bin/weft" info >/dev/null || fail "bin/weft does not run"
    [ -e "$work/second/share/man/man1/weft.1" ] ||
        fail "share/man/man1/weft.1 is not installed"
fi
# What an installed weft-gen and its headers make compiles and is used.
if [ -x "$work/second/bin/weft" ]; then
    "$work/second/bin/weft" tune c2c:f64:1536 --folder "$work/tuned" \
        --keep-all --rounds 2 --time-budget 0.01 >/dev/null ||
        fail "weft tune failed"
    WEFT_TUNED=$work/tuned "$work/second/bin/weft" plan c2c:f64:1536 |
        grep -q '^tuned: ' || fail "what weft tune made is not used"
fi
if grep -q '^WEFT_FFTW3:BOOL=ON' "$build/CMakeCache.txt"; then
    cc -std=c11 -I"$work/second/include/weft-fftw3" "$here/fftw_user.c" \
        -o "$work/fftw_user" -L"$work/second/lib/weft-fftw3" -lfftw3 -lm
    LD_LIBRARY_PATH=$work/second/lib/weft-fftw3 "$work/fftw_user" ||
        fail "a program for FFTW failed on the drop-in"
    if [ -x "$work/second/bin/weft" ]; then
        "$work/second/bin/weft" run-with-fftw "$work/fftw_user" ||
            fail "weft run-with-fftw failed"
    fi
fi
echo "install_test: all consumers ran"
