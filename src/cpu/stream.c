/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream.c - what each kind of processor fetches ahead, and how far.
 */
#include "cpu/stream.h"

#include "plan/search.h"

/* Intel's servers do better without instructions that fetch the next columns, and
 * let the caches serve single lines farther.  What is fetched by rows, and smaller
 * groups, were timed on Zen 4, Zen 5 and Granite Rapids only (docs/performance.md);
 * Emerald Rapids has the latter's, but for `lines` and `joined`, which were timed on
 * it alone. */
wf_streaming wf_streaming_here(void)
{
    wf_streaming here = {.least = 1 << 24,
                         .slices = 1 << 24,
                         .far = 1 << 20,
                         .piece = 1024,
                         .reach = 1 << 22,
                         .ahead = true,
                         .row = WF_LONG_ROW,
                         .group = 4096,
                         .groups = 1,
                         .early = WF_STREAM_EARLY,
                         .turn = 1024,
                         .apart = SIZE_MAX,
                         .all_apart = 1 << 25,
                         .next = 6144,
                         .joined = {SIZE_MAX, SIZE_MAX},
                         .third_from = SIZE_MAX};
    switch (wf_cpu_core_kind()) {
    case WF_CORE_ICELAKE:
        here.far = 1 << 23;
        here.ahead = false;
        here.group = 8192;
        break;
    case WF_CORE_EMERALDRAPIDS:
    case WF_CORE_GRANITERAPIDS:
        here.least = 1 << 27;
        here.slices = 3 << 24;
        here.far = here.reach = 1 << 24;
        here.piece = 256;
        here.ahead = false;
        here.rows = 3;
        here.written = 2;
        here.group = here.early = 2048;
        here.lines = true;
        here.joined[WF_F64] = 1 << 23;
        here.joined[WF_F32] = 1 << 21;
        break;
    case WF_CORE_ZEN4:
        here.rows = 2;
        here.group = 3584;
        here.groups = 2;
        here.early = 512;
        here.turn = 256;
        here.apart = 4096;
        break;
    case WF_CORE_ZEN5:
        here.row = 192;
        here.groups = 2;
        here.early = 512;
        here.turn = 256;
        here.kept = 1 << 25;
        here.apart = 4608;
        here.all_apart = 3 << 23;
        here.third = 224 << 10;
        here.third_from = 1 << 19;
        here.abreast = 512;
        break;
    default: break;
    }
    return here;
}
