/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instructions.c - what bench/instructions.py counts the instructions of.
 *
 *   instructions [PROBLEM TREE]...     TREE may be empty: the default plan
 *
 * For each problem: three plans (the default twice, then the one of TREE) and
 * two executions of the last.  Callgrind writes a profile after each call of
 * weft_plan_create and of weft_execute; the second plan and the second
 * execution, with everything warm, are the ones that count.  Prints the
 * compiler, then the tree of each problem's last plan.
 */
#include <stdio.h>
#include <stdlib.h>

#include <weft/weft.h>

static int failed(const char *problem)
{
    fprintf(stderr, "instructions: %s: %s\n", problem, weft_error_text());
    return 1;
}

static size_t bytes_of(const weft_problem *p)
{
    size_t bytes = p->type == WEFT_F64 ? 16 : 8;
    for (int i = 0; i < p->rank; i++)
        bytes *= (size_t)p->dims[i].n;
    for (int i = 0; i < p->batch_rank; i++)
        bytes *= (size_t)p->batch[i].n;
    return bytes;
}

static int execute(const char *name, const weft_problem *problem,
                   const weft_plan *plan)
{
    size_t bytes = bytes_of(problem);
    void *in = weft_alloc(bytes), *other = weft_alloc(bytes);
    void *out = problem->place == WEFT_IN_PLACE ? in : other;
    int code = in == NULL || other == NULL ? failed(name) : 0;
    for (size_t i = 0; !code && i < bytes; i++)
        ((char *)in)[i] = 0;
    for (int i = 0; !code && i < 2; i++)
        if (weft_execute(plan, in, out))
            code = failed(name);
    weft_free(in);
    weft_free(other);
    return code;
}

static int run(const char *name, const char *tree)
{
    weft_problem problem;
    weft_plan_options options[3] = {{.size = sizeof *options},
                                    {.size = sizeof *options},
                                    {.size = sizeof *options}};
    char text[2000];
    if (tree[0] != '\0')
        options[2].tree = tree;
    if (weft_problem_parse(name, &problem))
        return failed(name);
    for (int i = 0; i < 3; i++) {
        weft_plan *plan;
        if (weft_plan_create(&problem, &options[i], &plan))
            return failed(name);
        int code = i < 2 ? 0 : execute(name, &problem, plan);
        if (i == 2 && weft_plan_text(plan, text, sizeof text, NULL))
            code = failed(name);
        weft_plan_release(plan);
        if (code)
            return code;
    }
    printf("%s\n", text);
    return 0;
}

int main(int argc, char **argv)
{
    printf("%s\n", __VERSION__);
    for (int i = 1; i + 1 < argc; i += 2)
        if (run(argv[i], argv[i + 1]))
            return 1;
    return 0;
}
