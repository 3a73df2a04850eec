/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parsers of files given any bytes: the first byte chooses the format,
 * the rest is the file.  They must end, stay inside the bytes, leak nothing,
 * and give either a whole array or a reason.
 */
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>

#include "../../cli/array.c"
#include "../../cli/io_csv.c"
#include "../../cli/io_npy.c"
#include "../../cli/io_raw.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The program's own are in cli.c, which also knows the command line. */
void because(reason *why, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(why->text, sizeof why->text, format, list);
    va_end(list);
}

bool checked_product(int64_t a, int64_t b, int64_t *product)
{
    if (a < 0 || b < 0 || (b != 0 && a > INT64_MAX / b))
        return false;
    *product = a * b;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    reason why = {""};
    array result = {.data = NULL}, shape = {.rank = -1};
    const uint8_t *file = data + 1;
    size_t length = size - 1;
    bool good;
    switch (data[0] % 3) {
    case 0: good = npy_parse(file, length, &result, &why); break;
    case 1: good = csv_parse(file, length, &result, &why); break;
    default:
        shape.type = (array_type)(data[0] / 3 % 4);
        good = raw_parse(file,
                         length / array_element(shape.type) *
                             array_element(shape.type),
                         &shape, &result, &why);
    }
    if (good ? !result.data : !why.text[0])
        abort();
    if (good && !array_make_c_order(&result, &why))
        abort();
    array_free(&result);
    return 0;
}
