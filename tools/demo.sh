#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The main job on a real recording: tools/demo.sh [BUILD-DIR]
#
# Reads a spoken recording of a Debian package, writes its spectrogram to
# out/spectrogram.png, and prints the strongest frequencies, the plan used,
# the measured error and the time beside FFTW's.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}

weft=
for place in "$build/cli/weft" "$build/bin/weft" "$build/weft"; do
    if [ -x "$place" ]; then
        weft=$place
        break
    fi
done
if [ -z "$weft" ]; then
    echo "demo.sh: no program weft in '$build': tools/build.sh release" >&2
    exit 1
fi

# "Front, center", a human voice, 1.4 s; from alsa-utils (speaker-test),
# (C) Jaroslav Kysela and others, GPL-2.  WEFT_DEMO names another recording.
recording=${WEFT_DEMO:-/usr/share/sounds/alsa/Front_Center.wav}
if [ ! -r "$recording" ]; then
    echo "demo.sh: cannot read '$recording': tools/deps.sh demo" >&2
    exit 1
fi

mkdir -p out
echo "recording:  $recording"
if [ -z "${WEFT_DEMO:-}" ]; then
    echo "            spoken \"front, center\"; Debian's alsa-utils, GPL-2"
fi
"$weft" stft "$recording" out/spectrogram.png --high 12000 --report \
    --title "Speech: $(basename "$recording")"
echo "picture:    out/spectrogram.png"
