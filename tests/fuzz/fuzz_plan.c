/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plan trees given any text, as options.tree: the first byte chooses the
 * problem, the rest is the tree.  It is refused with a reason or it is a plan
 * of the problem: its text is a fixed point, it stays inside the extent, and
 * its result is the standard plan's.
 */
#include "fuzz.h"

static const char *const problems[] = {
    "c2c:f64:16",
    "c2c:f32:60:inverse",
    "c2c:f64:67",
    "c2c:f64:134:inplace",
    "c2c:f64:8x12*3",
    "c2c:f64:64/5/5*5/1/1:norm=ortho",
    "c2c:f32:64:inverse:split:norm=backward",
    "c2c:f64:16/1/8*8/16/1",
    "c2c:f32:8/1/8x8/8/1:inplace",
    "c2c:f64:-*10/1/12x12/10/1:norm=3",
    "c2c:f64:1024",
    "c2c:f32:37*3:inplace:split",
    "c2c:f64:256/-2/3:norm=0.5",
    "c2c:f32:4096",
    "c2c:f64:6x10x15:inplace:inverse",
    "c2c:f32:32*0",
    "c2c:f32:60*3:precision=double",
    "c2c:f64:31x8:precision=compensated",
    "c2c:f64:48:target=1e-15",
    "r2c:f64:48",
    "c2r:f32:6x10*2:norm=0.5",
    "r2c:f64:15/2/3*4/40/30:split",
    "c2r:f64:200:inplace",
    "r2c:f32:9/3/1*4/1/5:inplace",
    "c2c:f64:48*3:precision=split3",
    "c2c:f32:61:inplace:precision=slices3",
    "r2c:f64:6x10*3:precision=compensated",
    "redft10:f32:9*2:inplace:precision=slices3",
};

static void demand_plan(const weft_problem *problem, weft_plan *plan)
{
    weft_plan *again = NULL, *standard = fuzz_standard(problem);
    char *tree = fuzz_plan_text(plan);
    weft_plan_options options = {.size = sizeof options, .tree = tree};
    weft_status status = weft_plan_create(problem, &options, &again);
    DEMAND(status == WEFT_OK, "%s: %s", tree, weft_error_text());
    char *second = fuzz_plan_text(again);
    DEMAND(!strcmp(tree, second), "%s becomes %s", tree, second);
    fuzz_compare(problem, plan, standard);
    free(tree);
    free(second);
    weft_plan_release(again);
    weft_plan_release(standard);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    /* Printable first bytes keep the corpus readable. */
    size_t which = (data[0] - 'a' + 256u) %
                   (sizeof problems / sizeof *problems);
    weft_problem problem = fuzz_problem_of(problems[which]);
    weft_plan *plan = NULL;
    char *text = fuzz_text(data + 1, size - 1);
    weft_plan_options options = {.size = sizeof options, .tree = text};
    weft_status status = weft_plan_create(&problem, &options, &plan);
    if (status == WEFT_OK)
        demand_plan(&problem, plan);
    else
        DEMAND(!plan && *weft_error_text() &&
                   (status == WEFT_ERR_PARSE || status == WEFT_ERR_ARGUMENT ||
                    status == WEFT_ERR_UNSUPPORTED ||
                    (status == WEFT_ERR_TARGET && problem.target_error > 0)),
               "%s for %s: %s", weft_status_name(status), text,
               weft_error_text());
    weft_plan_release(plan);
    free(text);
    return 0;
}
