/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * half.c - see half.h.
 */
#include "plan/half.h"

wf_half_pass wf_half_pass_at(int64_t n, int64_t s, int r, bool single,
                             const int *widths, int most)
{
    wf_half_pass pass = {.s = s, .r = r, .m = n / (s * r)};
    const int64_t h = (s + 1) / 2;
    int64_t row = h;
    while (single && (row & (row - 1)) != 0)
        row++;
    const bool wide = widths[1] != 0;
    const int64_t room = s == 1 ? pass.m : wide && pass.m > 1 ? row : h;
    while (widths[1] != 0 && (*widths > most || *widths > room))
        widths++;
    pass.width = *widths;
    pass.lanes = s == 1 ? pass.m : h > pass.width ? h : pass.width;
    pass.row = row;
    return pass;
}
