/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wisdom given any text.  The first byte says whether the rest is the whole
 * text (r) or the lines between header and checksum (anything else), which
 * else no mutation would reach.  What is refused leaves the store as it was;
 * what is taken exports and imports again, and may change plans but no
 * results.
 *
 * Findings count for one ISA only: between the lines @ stands for the name of
 * the level in use, so that one corpus does on all machines.
 */
#include "fuzz.h"

#include <inttypes.h>

static const char *const problems[] = {
    "c2c:f64:16",     "c2c:f32:60:inverse", "c2c:f64:134:inplace",
    "c2c:f64:8x12*3", "c2c:f32:64*5:split", "r2c:f64:24",
    "c2r:f32:4x30",   "redft10:f64:20",     "dht:f32:9*4:inplace",
};

/* The frame that src/plan/wisdom.c documents, around lines. */
static char *frame(const uint8_t *lines, size_t size)
{
    static const char header[] = "weft-wisdom 1\n";
    const char *isa = weft_isa();
    char *text = fuzz_need(sizeof header + size * strlen(isa) + 64);
    size_t length = (size_t)sprintf(text, "%s", header);
    for (size_t i = 0; i < size; i++)
        if (lines[i] == '@')
            length += (size_t)sprintf(text + length, "%s", isa);
        else
            text[length++] = (char)lines[i];
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    sprintf(text + length, "checksum %016" PRIx64 "\n", sum);
    return text;
}

static void demand_round_trip(void)
{
    char *text = NULL, *again = NULL;
    weft_status status = weft_wisdom_export(&text);
    DEMAND(status == WEFT_OK, "export: %s", weft_error_text());
    weft_wisdom_forget();
    status = weft_wisdom_import(text);
    DEMAND(status == WEFT_OK, "own export: %s: %s", weft_error_text(), text);
    weft_wisdom_export(&again);
    DEMAND(!strcmp(text, again), "%s becomes %s", text, again);
    weft_free(text);
    weft_free(again);
}

static void demand_results(const char *text)
{
    weft_problem problem = fuzz_problem_of(text);
    weft_plan *plan = NULL, *standard = fuzz_standard(&problem);
    weft_status status = weft_plan_create(&problem, NULL, &plan);
    DEMAND(status == WEFT_OK, "%s: %s", text, weft_error_text());
    fuzz_compare(&problem, plan, standard);
    weft_plan_release(plan);
    weft_plan_release(standard);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || memchr(data, '\0', size))
        return 0;
    weft_wisdom_forget();
    char *text = data[0] == 'r' ? fuzz_text(data + 1, size - 1)
                                : frame(data + 1, size - 1);
    weft_status status = weft_wisdom_import(text);
    if (status == WEFT_OK) {
        demand_round_trip();
        for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
            demand_results(problems[i]);
    } else {
        char *left = NULL;
        DEMAND(status == WEFT_ERR_PARSE && *weft_error_text(), "%s: %s",
               weft_status_name(status), weft_error_text());
        weft_wisdom_export(&left);
        DEMAND(strlen(left) < 64, "refused, but the store holds: %s", left);
        weft_free(left);
    }
    free(text);
    return 0;
}
