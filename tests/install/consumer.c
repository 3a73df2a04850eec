/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses an installed weft from C: there and back. */
#include <weft/weft.h>

#include <math.h>
#include <stdio.h>

int main(void)
{
    enum { n = 1000 };
    static double x[2 * n], y[2 * n];
    for (int i = 0; i < n; i++)
        x[2 * i] = i % 7, x[2 * i + 1] = i % 5;
    weft_status status = weft_fft(WEFT_F64, n, x, y);
    if (status == WEFT_OK)
        status = weft_ifft(WEFT_F64, n, y, y);
    if (status != WEFT_OK) {
        fprintf(stderr, "weft: %s\n", weft_error_text());
        return 1;
    }
    for (int i = 0; i < 2 * n; i++)
        if (!(fabs(x[i] - y[i]) < 1e-12))
            return 1;
    return 0;
}
