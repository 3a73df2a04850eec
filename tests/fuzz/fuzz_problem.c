/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as a problem's notation.  What parses must check, measure and
 * print without harm; what also checks must print to a text that parses to
 * what prints the same; and small problems must plan.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <weft/weft.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition)
        abort();
}

static void check_plan(const weft_problem *problem)
{
    weft_plan *plan = NULL;
    weft_status status = weft_plan_create(problem, NULL, &plan);
    must((status == WEFT_OK) == (plan != NULL));
    must(status != WEFT_ERR_INTERNAL && status != WEFT_ERR_PARSE);
    weft_plan_release(plan);
}

static void check_parsed(const weft_problem *problem)
{
    char text[2048], again[2048];
    size_t length;
    weft_problem copy;
    weft_extent extent = {0};
    weft_status status = weft_problem_check(problem);
    must(weft_problem_extent(problem, &extent) == status);
    must(weft_problem_print(problem, text, sizeof text, &length) == status);
    if (status != WEFT_OK) {
        must(weft_error_text()[0] != '\0');
        return;
    }
    must(extent.count >= 0 && extent.in_low <= 0 && extent.in_high >= 0
         && extent.out_low <= 0 && extent.out_high >= 0);
    must(length < sizeof text && strlen(text) == length);
    must(weft_problem_parse(text, &copy) == WEFT_OK);
    must(weft_problem_print(&copy, again, sizeof again, NULL) == WEFT_OK);
    must(!strcmp(text, again));
    if (extent.count <= 4096)
        check_plan(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    weft_problem problem;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    weft_status status = weft_problem_parse(text, &problem);
    must(status == WEFT_OK || status == WEFT_ERR_PARSE);
    if (status == WEFT_OK)
        check_parsed(&problem);
    else
        must(weft_error_text()[0] != '\0');
    free(text);
    return 0;
}
