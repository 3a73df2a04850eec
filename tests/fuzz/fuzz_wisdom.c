/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as wisdom, as they are and, since no mutation keeps a checksum
 * right, once more sealed with the right one.  Refused: with a reason, and
 * nothing changes.  Accepted: it exports to what imports, and the plans made
 * with it transform.
 */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "fuzz_wisdom: %s\n", what);
    abort();
}

static void check_plan(int64_t n)
{
    double x[2 * 16] = {0, 0, 1}, y[2 * 16];
    must(weft_fft(WEFT_F64, n, x, y) == WEFT_OK, "no transform");
    for (int64_t k = 0; k < n; k++) {
        double angle = -2 * 3.14159265358979324 * (double)k / (double)n;
        must(fabs(y[2 * k] - cos(angle)) < 1e-12
             && fabs(y[2 * k + 1] - sin(angle)) < 1e-12, "wrong transform");
    }
    weft_cache_clear();
}

static void import(const char *text)
{
    char *first = NULL, *second = NULL;
    weft_wisdom_forget();
    must(weft_wisdom_export(&first) == WEFT_OK, "no export");
    weft_status status = weft_wisdom_import(text);
    must(weft_wisdom_export(&second) == WEFT_OK, "no export");
    if (status != WEFT_OK) {
        must(!strcmp(first, second), "refused, yet it changed");
        must(weft_error_text()[0] != '\0', "no reason");
    } else {
        must(weft_wisdom_import(second) == WEFT_OK, "its export is refused");
    }
    check_plan(8);
    check_plan(12);
    weft_free(first);
    weft_free(second);
}

/* The last line, if it is a checksum, makes way for the right one. */
static void import_sealed(char *text, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    char *line = strstr(text, "checksum ");
    if (line)
        *line = '\0';
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    size_t length = strlen(text);
    snprintf(text + length, size - length, "checksum %016" PRIx64 "\n", hash);
    import(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 64);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    import(text);
    import_sealed(text, size + 64);
    weft_wisdom_forget();
    free(text);
    return 0;
}
