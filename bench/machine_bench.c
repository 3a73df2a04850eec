/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_bench - the bounds that this machine sets, for the goals of
 * bench/performance.py, as JSON:
 *
 *   machine_bench [LARGEST]    memory to LARGEST bytes [256 MiB]
 *
 * "arithmetic": GFLOP/s by the 5 n lg n convention of a transform that did
 *   nothing but arithmetic, one half fused multiply-adds and the other sums,
 *   2.7 instructions a sample and level (what the kernels of 64 to 1024 have),
 *   in the widest vectors.
 * "memory": ns to copy so many bytes, and to change them where they are: two
 *   trips of a transform out of place are one of each.
 * "call": ns of the bare kernel of 4 samples, alone in its call.
 * "handover": ns that a cache line takes to another thread and back, the least
 *   and the most of samples over two seconds: 60 ns between cores of one third
 *   cache, some hundreds between others, and where a virtual machine's processors
 *   wander over these, both.
 *
 * Times are minima over rounds: other work on the machine only adds.
 */
#include "base/base.h"
#include "kernel/kernel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { ROUNDS = 200, STEPS = 1000, CALLS = 1000, SMALLEST = 1 << 21 };

/* ns. */
static double now(void)
{
    return 1e9 * wf_clock_seconds();
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* ---- Arithmetic ---------------------------------------------------------- */

/* Six chains of each kind, none waiting for another: 12 STEPS instructions. */
#if defined(__x86_64__)
#define CHAIN(n)            \
    a##n = FMA(a##n, x, x); \
    b##n = ADD(b##n, x);    \
    __asm__ volatile("" : "+x"(a##n), "+x"(b##n));
#define CHAINS(T, ONE)                                        \
    const T x = ONE;                                          \
    T a0 = x, a1 = x, a2 = x, a3 = x, a4 = x, a5 = x;         \
    T b0 = x, b1 = x, b2 = x, b3 = x, b4 = x, b5 = x;         \
    for (int k = 0; k < STEPS; k++) {                         \
        CHAIN(0) CHAIN(1) CHAIN(2) CHAIN(3) CHAIN(4) CHAIN(5) \
    }

#define FMA _mm512_fmadd_pd
#define ADD _mm512_add_pd
__attribute__((target("avx512f"))) static void chains_512(void)
{
    CHAINS(__m512d, _mm512_set1_pd(0.5))
}

#undef FMA
#undef ADD
#define FMA _mm256_fmadd_pd
#define ADD _mm256_add_pd
__attribute__((target("avx2,fma"))) static void chains_256(void)
{
    CHAINS(__m256d, _mm256_set1_pd(0.5))
}
#endif

/* Vector instructions a ns, and doubles of a vector; 0: nobody knows. */
static double instruction_rate(int *lanes)
{
    *lanes = 0;
#if defined(__x86_64__)
    void (*chains)(void) = NULL;
    if (__builtin_cpu_supports("avx512f"))
        chains = chains_512, *lanes = 8;
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        chains = chains_256, *lanes = 4;
    double best = 1e18;
    for (int round = 0; chains != NULL && round < ROUNDS; round++) {
        double start = now();
        chains();
        best = least(best, now() - start);
    }
    if (chains != NULL)
        return 12.0 * STEPS / best;
#endif
    return 0;
}

static void print_arithmetic(void)
{
    int lanes;
    double bound = instruction_rate(&lanes) * lanes * 5 / 2.7;
    printf("{\"arithmetic\":{\"f64\":%.2f,\"f32\":%.2f},\n", bound, 2 * bound);
}

/* ---- Memory -------------------------------------------------------------- */

enum { LINE = 64 };

/* A store to a line just read is free: one number of each will do. */
static void change(char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE) {
        *(uint64_t *)(void *)(at + i) ^= 1;
        __asm__ volatile("" ::: "memory");
    }
}

/* Without the stores past the caches that memcpy may take. */
static void copy(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE) {
        memcpy(to + i, from + i, LINE);
        __asm__ volatile("" ::: "memory");
    }
}

static int print_memory(size_t largest)
{
    char *from = aligned_alloc(SMALLEST, largest);
    char *to = aligned_alloc(SMALLEST, largest);
    if (from == NULL || to == NULL) {
        fprintf(stderr, "machine_bench: no memory for 2 x %zu bytes\n",
                largest);
        free(from);
        free(to);
        return 1;
    }
    memset(from, 1, largest);
    memset(to, 2, largest);
    printf("\"memory\":[");
    for (size_t bytes = SMALLEST; bytes <= largest; bytes *= 2) {
        double copied = 1e18, changed = 1e18;
        for (int round = 0; round < 8; round++) {
            double start = now();
            copy(to, from, bytes);
            double middle = now();
            memcpy(to, from, bytes);
            double after = now();
            change(to, bytes);
            double end = now();
            copied = least(copied, least(middle - start, after - middle));
            changed = least(changed, end - after);
        }
        printf("%s\n{\"bytes\":%zu,\"copy_ns\":%.0f,\"change_ns\":%.0f}",
               bytes > SMALLEST ? "," : "", bytes, copied, changed);
    }
    printf("],\n");
    free(from);
    free(to);
    return 0;
}

/* ---- A call -------------------------------------------------------------- */

static _Alignas(64) double in[8], out[8];

static double time_leaf(const wf_kernel *k)
{
    double best = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        for (int i = 0; i < CALLS; i++)
            k->run.leaf(in, out, 1, 8, 8, NULL);
        best = least(best, (now() - start) / CALLS);
    }
    return best;
}

/* The fastest of the levels that this processor runs. */
static double time_call(wf_real real)
{
    double best = 1e18;
    for (int isa = 0; isa <= wf_cpu_isa(); isa++) {
        const wf_kernel *k = wf_kernel_find(WF_KERNEL_LEAF_FWD, real,
                                            (wf_isa)isa, 4);
        if (k != NULL)
            best = least(best, time_leaf(k));
    }
    return best;
}

/* ---- Between cores ------------------------------------------------------- */

enum { TURNS = 1000, SAMPLES = 40, PAUSE_NS = 50000000 };

/* Odd: the other thread's turn; QUIT: it ends. */
enum { QUIT = -1 };
static _Alignas(128) atomic_int turn;

static void *take_turns(void *unused)
{
    (void)unused;
    for (int seen = atomic_load(&turn); seen != QUIT;
         seen = atomic_load(&turn))
        if (seen % 2 == 1)
            atomic_store(&turn, seen + 1);
    return NULL;
}

static double hand_over(void)
{
    double best = 1e9;
    for (int part = 0; part < 10; part++) {
        const double start = now();
        for (int i = 0; i < TURNS / 10; i++) {
            atomic_store(&turn, 1);
            while (atomic_load(&turn) == 1)
                ;
        }
        best = least(best, (now() - start) / (TURNS / 10));
    }
    return best;
}

static int print_handover(void)
{
    pthread_t other;
    double low = 1e9, high = 0;
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
        return 0;
    if (pthread_create(&other, NULL, take_turns, NULL))
        return 1;
    for (int i = 0; i < SAMPLES; i++) {
        const double start = now(), ns = hand_over();
        low = least(low, ns);
        high = ns > high ? ns : high;
        while (now() - start < PAUSE_NS)
            ;
    }
    atomic_store(&turn, QUIT);
    pthread_join(other, NULL);
    printf("\"handover\":{\"least_ns\":%.0f,\"most_ns\":%.0f},\n", low, high);
    return 0;
}

int main(int argc, char **argv)
{
    char *end = "";
    long long largest = argc > 1 ? strtoll(argv[1], &end, 10) : 256LL << 20;
    if (argc > 2 || *end != '\0' || largest < SMALLEST ||
        largest > 1LL << 36 || (largest & (largest - 1)) != 0) {
        fprintf(stderr, "usage: machine_bench [BYTES: a power of two from "
                        "2 MiB to 64 GiB]\n");
        return 2;
    }
    print_arithmetic();
    if (print_memory((size_t)largest) || print_handover())
        return 1;
    printf("\"call\":{\"f64\":%.2f,\"f32\":%.2f}}\n", time_call(WF_F64),
           time_call(WF_F32));
    return 0;
}
