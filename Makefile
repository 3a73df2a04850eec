# SPDX-License-Identifier: BSD-3-Clause
# Short names for the usual commands; CMake does the work.
#
#   make demo      everything from a fresh machine to out/spectrogram.png
#   make check     everything from a fresh machine to all tests run
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
export JOBS

.PHONY: all deps demo check check-all check-clients bench bench-full lint format install clean
all:
	@tools/deps.sh build
	@tools/build.sh release

deps:
	@tools/deps.sh all

demo:
	@tools/deps.sh demo
	@tools/build.sh release
	@tools/demo.sh

check:
	@tools/deps.sh check
	@tools/check.sh

check-all:
	@tools/deps.sh check-all
	@tools/check.sh all

# Debian's programs on weft's FFTW libraries; CLIENTS="--only octave" etc.
check-clients:
	@tools/deps.sh clients
	@tools/build.sh release
	@tests/clients/clients.py build/release $(CLIENTS)

bench:
	@tools/deps.sh bench
	@tools/build.sh release
	@tools/bench.sh

bench-full:
	@tools/deps.sh bench
	@tools/build.sh release
	@tools/bench.sh --full

lint:
	@tools/deps.sh check
	@tools/lint.sh

format:
	@tools/format.sh

install: all
	cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build
