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

/* Complex numbers, but reals to half a spectrum, n0 x n1, and types II and III. */
static const struct sample {
    enum { DFT, R2C, DCT } family;
    int n0, n1;
    int numbers; /* complex, of the output */
} samples[] = {{DFT, 1, 8, 8},     {DFT, 1, 60, 60},     {DFT, 1, 97, 97},
               {DFT, 1, 256, 256}, {DFT, 1, 1000, 1000}, {DFT, 1, 1024, 1024},
               {DFT, 24, 30, 720}, {R2C, 30, 33, 510},   {DCT, 16, 36, 288}};
enum { SAMPLES = sizeof samples / sizeof *samples };

static C input[LONGEST], expected[SAMPLES][LONGEST];
static plan shared[SAMPLES];
static char *wisdom;

/* Plans on their way from the thread that made them to one that ends them. */
static _Atomic(plan) market[CROWD];

static atomic_int wrong_bits, no_plan, no_wisdom;

static void verify(int i, C *out)
{
    if (memcmp(out, expected[i], (size_t)samples[i].numbers * sizeof *out))
        atomic_fetch_add(&wrong_bits, 1);
}

static plan make(int i, C *out)
{
    const struct sample *s = &samples[i];
    switch (s->family) {
    case DFT:
        return X(plan_dft_2d)(s->n0, s->n1, input, out, FFTW_FORWARD,
                              FFTW_ESTIMATE);
    case R2C:
        return X(plan_dft_r2c_2d)(s->n0, s->n1, (real *)input, out,
                                  FFTW_ESTIMATE);
    default:
        return X(plan_r2r_2d)(s->n0, s->n1, (real *)input, (real *)out,
                              FFTW_REDFT10, FFTW_REDFT01, FFTW_ESTIMATE);
    }
}

static void execute_on(int i, plan p, C *out)
{
    switch (samples[i].family) {
    case DFT: X(execute_dft)(p, input, out); break;
    case R2C: X(execute_dft_r2c)(p, (real *)input, out); break;
    default: X(execute_r2r)(p, (real *)input, (real *)out);
    }
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

/* Leaves a plan, and destroys the one that was there.  On the way it is used: of a
 * plan that another thread made the arrays are that one's. */
static void trade(int stall, int i, C *out)
{
    plan p = make(i, expected[i]);
    if (p)
        execute_on(i, p, out);
    X(destroy_plan)(atomic_exchange(&market[stall], p));
}

/* Measured, which leaves wisdom: of a length that nobody compares. */
static void plan_measured(C *out)
{
    plan p = X(plan_dft_1d)(120, input, out, FFTW_FORWARD, FFTW_MEASURE);
    if (!p)
        atomic_fetch_add(&no_plan, 1);
    else
        X(execute)(p);
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
        int i = (int)noise_below(&noise, SAMPLES);
        switch (noise_below(&noise, 8)) {
        case 0:
        case 1: plan_and_execute(i, out); break;
        case 2:
            execute_on(i, shared[i], out);
            verify(i, out);
            break;
        case 3: trade((int)noise_below(&noise, CROWD), i, out); break;
        case 4: use_wisdom(noise_below(&noise, 4) == 0); break;
        case 5: X(cleanup)(); break;
        case 6: plan_measured(out); break;
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
    for (int i = 0; i < SAMPLES; i++) {
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
    for (int i = 0; i < SAMPLES; i++)
        X(destroy_plan)(shared[i]);
    free(wisdom);
    X(cleanup_threads)();
    return check_report(TEST_LIBRARY " crowd_test");
}
