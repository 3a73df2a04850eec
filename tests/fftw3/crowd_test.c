/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * crowd_test.c - 64 threads that plan, execute shared and own plans, destroy
 * each other's, read and write wisdom, clean up and change the settings, all
 * at once.  Every result has the bits it has alone.  Runs under TSan too.
 */
#include "check.h"
#include "fftw3_both.h"
#include "random.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { CROWD = 64, ROUNDS = 12, LONGEST = 1024 };

static const int lengths[] = {8, 60, 97, 256, 1000, 1024};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static C input[LONGEST], expected[LENGTHS][LONGEST];
static plan shared[LENGTHS];
static char *wisdom;

/* Plans on their way from the thread that made them to one that ends them. */
static _Atomic(plan) market[CROWD];

static atomic_int wrong_bits, no_plan, no_wisdom;

static void verify(int i, C *out)
{
    if (memcmp(out, expected[i], (size_t)lengths[i] * sizeof *out))
        atomic_fetch_add(&wrong_bits, 1);
}

static plan make(int i, C *out)
{
    return X(plan_dft_1d)(lengths[i], input, out, FFTW_FORWARD, FFTW_ESTIMATE);
}

static void plan_and_execute(int i, C *out)
{
    plan p = make(i, out);
    if (!p) {
        atomic_fetch_add(&no_plan, 1);
        return;
    }
    X(execute)(p);
    verify(i, out);
    X(destroy_plan)(p);
}

/* Leaves a plan, and uses and destroys the one that was there. */
static void trade(int stall, int i, C *out)
{
    plan p = atomic_exchange(&market[stall], make(i, expected[i]));
    X(execute_dft)(p ? p : shared[0], input, out);
    X(destroy_plan)(p);
}

static void use_wisdom(bool forget)
{
    if (forget)
        X(forget_wisdom)();
    char *text = X(export_wisdom_to_string)();
    if (!text || !X(import_wisdom_from_string)(text) ||
        !X(import_wisdom_from_string)(wisdom))
        atomic_fetch_add(&no_wisdom, 1);
    free(text);
}

static void *visit(void *number)
{
    noise_state noise = {*(unsigned *)number};
    C *out = X(alloc_complex)(LONGEST);
    for (int round = 0; out && round < ROUNDS; round++) {
        int i = (int)noise_below(&noise, LENGTHS);
        switch (noise_below(&noise, 7)) {
        case 0:
        case 1: plan_and_execute(i, out); break;
        case 2:
            X(execute_dft)(shared[i], input, out);
            verify(i, out);
            break;
        case 3: trade((int)noise_below(&noise, CROWD), i, out); break;
        case 4: use_wisdom(noise_below(&noise, 4) == 0); break;
        case 5: X(cleanup)(); break;
        default:
            X(plan_with_nthreads)(1 + (int)noise_below(&noise, 3));
            X(set_timelimit)(noise_below(&noise, 2) ? -1 : 0.5);
            break;
        }
    }
    X(free)(out);
    return NULL;
}

int main(void)
{
    pthread_t thread[CROWD];
    unsigned number[CROWD];
    for (int k = 0; k < LONGEST; k++) {
        input[k][0] = (real)(k % 31 - 15);
        input[k][1] = (real)(k % 7 - 3);
    }
    X(destroy_plan)(X(plan_dft_1d)(48, NULL, NULL, 1, FFTW_MEASURE));
    wisdom = X(export_wisdom_to_string)();
    for (int i = 0; i < LENGTHS; i++) {
        shared[i] = make(i, expected[i]);
        X(execute)(shared[i]);
    }
    for (unsigned t = 0; t < CROWD; t++) {
        number[t] = t;
        CHECK(!pthread_create(&thread[t], NULL, visit, &number[t]),
              "thread %u does not start", t);
    }
    for (int t = 0; t < CROWD; t++)
        pthread_join(thread[t], NULL);
    CHECK(!wrong_bits, "%d results differ", atomic_load(&wrong_bits));
    CHECK(!no_plan, "%d times no plan", atomic_load(&no_plan));
    CHECK(!no_wisdom, "%d times no wisdom", atomic_load(&no_wisdom));
    for (int t = 0; t < CROWD; t++)
        X(destroy_plan)(atomic_load(&market[t]));
    for (int i = 0; i < LENGTHS; i++)
        X(destroy_plan)(shared[i]);
    free(wisdom);
    X(cleanup_threads)();
    return check_report(TEST_LIBRARY " crowd_test");
}
