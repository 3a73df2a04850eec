/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cpu.c - what this CPU can do, asked once a process and masked by WEFT_ISA, and
 * which processor's prices plans are made with: this one's or WEFT_CORE's.
 *
 * A vector level counts only when the operating system saves its registers:
 * XCR0 must show SSE and AVX state (6) for AVX2, and opmask, the upper halves
 * and the upper sixteen (0xe6) for AVX-512.  Source: Intel SDM volume 1,
 * chapters 13 to 15; CPUID leaves 1, 7, 7.1 and 0x80000002.
 *
 * The mask only lowers: WEFT_ISA=avx2 on an SSE2 machine stays SSE2.  The one
 * exception in form is "scalar", which every machine has.
 */
#define _GNU_SOURCE
#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#define X86 1
#endif

/* The order of kernel.h's wf_isa. */
enum { SCALAR, SSE2, AVX2, AVX512, NEON };
static const char *const isa_names[] = {"scalar", "sse2", "avx2", "avx512",
                                        "neon"};
/* The order of wf_cpu_core. */
static const char *const core_names[] = {"other",         "icelake",
                                         "emeraldrapids", "graniterapids",
                                         "zen4",          "zen5"};
enum {
    ISAS = sizeof isa_names / sizeof isa_names[0],
    CORES = sizeof core_names / sizeof core_names[0]
};

enum leaf { LEAF1_C, LEAF1_D, LEAF7_B, LEAF7_C, LEAF7_D, LEAF71_A, LEAVES };

/* Registers a feature needs the system to save: bits of XCR0. */
#define OS_NONE 0u
#define OS_AVX 0x6u
#define OS_ZMM 0xe6u
#define OS_TILE 0x60000u

static const struct feature {
    const char *name;
    enum leaf leaf;
    int bit;
    unsigned os;
} features[] = {
    {"sse2", LEAF1_D, 26, OS_NONE},      {"sse3", LEAF1_C, 0, OS_NONE},
    {"ssse3", LEAF1_C, 9, OS_NONE},      {"sse4.1", LEAF1_C, 19, OS_NONE},
    {"avx", LEAF1_C, 28, OS_AVX},        {"fma", LEAF1_C, 12, OS_AVX},
    {"f16c", LEAF1_C, 29, OS_AVX},       {"avx2", LEAF7_B, 5, OS_AVX},
    {"avx512f", LEAF7_B, 16, OS_ZMM},    {"avx512dq", LEAF7_B, 17, OS_ZMM},
    {"avx512bw", LEAF7_B, 30, OS_ZMM},   {"avx512vl", LEAF7_B, 31, OS_ZMM},
    {"avx512vnni", LEAF7_C, 11, OS_ZMM}, {"avx512fp16", LEAF7_D, 23, OS_ZMM},
    {"avx512bf16", LEAF71_A, 5, OS_ZMM}, {"avxvnni", LEAF71_A, 4, OS_AVX},
    {"amx-bf16", LEAF7_D, 22, OS_TILE},  {"amx-tile", LEAF7_D, 24, OS_TILE},
    {"amx-int8", LEAF7_D, 25, OS_TILE},  {"amx-fp16", LEAF71_A, 21, OS_TILE},
};

static struct {
    unsigned words[LEAVES];
    unsigned os; /* XCR0 */
    wf_cpu_core core;
    int isa;
    char name[96];
    char mask_text[256];
    size_t cache[4];
} cpu;
static pthread_once_t detected = PTHREAD_ONCE_INIT;
static atomic_bool known; /* planning asks thousands of times */

#ifdef X86
static unsigned read_xcr0(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* Linux gives a process the tile registers when it asks for them (feature 18,
 * Documentation/arch/x86/xstate.rst); without that AMX is not there. */
static void ask_for_tiles(void)
{
    const unsigned amx = 1u << 22 | 1u << 24 | 1u << 25, fp16 = 1u << 21;
    if (!(cpu.words[LEAF7_D] & amx))
        return;
#if defined(__linux__) && defined(SYS_arch_prctl)
    if (syscall(SYS_arch_prctl, 0x1023, 18) == 0)
        return;
#endif
    cpu.words[LEAF7_D] &= ~amx;
    cpu.words[LEAF71_A] &= ~fp16;
}

static void read_words(void)
{
    unsigned a, b, c, d;
    if (__get_cpuid_count(1, 0, &a, &b, &c, &d)) {
        cpu.words[LEAF1_C] = c;
        cpu.words[LEAF1_D] = d;
        if (c >> 27 & 1) /* OSXSAVE: the system lets us ask */
            cpu.os = read_xcr0();
    }
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return;
    cpu.words[LEAF7_B] = b;
    cpu.words[LEAF7_C] = c;
    cpu.words[LEAF7_D] = d;
    if (a >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d))
        cpu.words[LEAF71_A] = a;
    ask_for_tiles();
}

/* AMD's family 19h has AVX-512 in registers of 512 bits and arithmetic of 256:
 * Zen 4 (Zen 3, of the same family, has no AVX-512: AMD, Software Optimization
 * Guide for the AMD Zen4 Microarchitecture, 2.3).  Family 1Ah has arithmetic of
 * 512 bits: Zen 5 (Software Optimization Guide for the AMD Zen5
 * Microarchitecture, 2.3; its mobile models have halves again). */
static wf_cpu_core find_amd(unsigned family)
{
    switch (family) {
    case 0x19: return WF_CORE_ZEN4;
    case 0x1a: return WF_CORE_ZEN5;
    default: return WF_CORE_OTHER;
    }
}

/* Ice Lake's servers (Intel, Software Developer's Manual 4, table 2-1); desktops
 * have half of their arithmetic of 512 bits.  The servers after them, from
 * Sapphire Rapids to Granite Rapids, are the ones with AVX512-FP16: a virtual
 * machine may tell another model.  Sapphire Rapids and Emerald Rapids have one core. */
static wf_cpu_core find_intel(unsigned family, unsigned model)
{
    const bool fp16 = cpu.words[LEAF7_D] >> 23 & 1;
    const bool icelake = family == 6 && (model == 0x6a || model == 0x6c);
    const bool emerald = family == 6 && (model == 0x8f || model == 0xcf);
    if (fp16)
        return emerald ? WF_CORE_EMERALDRAPIDS : WF_CORE_GRANITERAPIDS;
    return icelake ? WF_CORE_ICELAKE : WF_CORE_OTHER;
}

static wf_cpu_core find_core(void)
{
    enum { AUTH = 0x68747541, GENU = 0x756e6547 }; /* names begin so */
    unsigned a, b, c, d, maker;
    if (!__get_cpuid_count(0, 0, &a, &maker, &c, &d) ||
        !__get_cpuid_count(1, 0, &a, &b, &c, &d))
        return WF_CORE_OTHER;
    const unsigned family = (a >> 8 & 15) + (a >> 20 & 255);
    const unsigned model = (a >> 4 & 15) + (a >> 16 & 15) * 16;
    return maker == AUTH   ? find_amd(family)
           : maker == GENU ? find_intel(family, model)
                           : WF_CORE_OTHER;
}

static void read_name(void)
{
    unsigned words[13] = {0};
    for (unsigned i = 0; i < 3; i++) {
        unsigned *w = words + 4 * i;
        if (!__get_cpuid_count(0x80000002u + i, 0, w, w + 1, w + 2, w + 3))
            return;
    }
    const char *text = (const char *)words;
    while (*text == ' ')
        text++;
    snprintf(cpu.name, sizeof cpu.name, "%s", text);
    for (size_t n = strlen(cpu.name); n && cpu.name[n - 1] == ' '; n--)
        cpu.name[n - 1] = '\0';
}
#else
static void read_words(void)
{
}

static wf_cpu_core find_core(void)
{
    return WF_CORE_OTHER;
}

/* /proc/cpuinfo has a name on some ARM kernels; the architecture otherwise. */
static void read_name(void)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(cpu.name, sizeof cpu.name, "%.90s", colon + 2);
        break;
    }
    if (file)
        fclose(file);
#ifdef __aarch64__
    if (!cpu.name[0])
        strcpy(cpu.name, "aarch64");
#endif
}
#endif

static bool has(const char *name)
{
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        const struct feature *f = &features[i];
        if (!strcmp(f->name, name))
            return (cpu.words[f->leaf] >> f->bit & 1) &&
                   (cpu.os & f->os) == f->os;
    }
#ifdef __aarch64__
    if (!strcmp(name, "neon") || !strcmp(name, "fma"))
        return true; /* the base architecture has both */
#endif
    return false;
}

/* The mask takes the extensions of a level away with the level. */
static bool allowed(const char *name)
{
    unsigned os = OS_NONE;
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (!strcmp(features[i].name, name))
            os = features[i].os;
    if (cpu.isa == SCALAR)
        return false;
    return cpu.isa == NEON || os == OS_NONE ||
           cpu.isa >= (os == OS_AVX ? AVX2 : AVX512);
}

static int widest_isa(void)
{
    if (has("neon"))
        return NEON;
    if (!has("sse2"))
        return SCALAR;
    if (!has("avx2") || !has("fma"))
        return SSE2;
    bool wide = has("avx512f") && has("avx512dq") && has("avx512bw") &&
                has("avx512vl");
    return wide ? AVX512 : AVX2;
}

/* A second note stands behind the first. */
__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    size_t used = strlen(cpu.mask_text);
    char *end = cpu.mask_text + used;
    va_list arguments;
    va_start(arguments, format);
    if (used != 0)
        end += snprintf(end, sizeof cpu.mask_text - used, "; ");
    vsnprintf(end, sizeof cpu.mask_text - (size_t)(end - cpu.mask_text),
              format, arguments);
    va_end(arguments);
}

/* Where a word stands among `count`; count: nowhere. */
static int find_word(const char *word, const char *const *words, int count)
{
    int i = 0;
    while (i < count && strcmp(word, words[i]))
        i++;
    return i;
}

/* An x86 level is reachable when it is not above the widest; NEON stands
 * beside them, reachable from itself only. */
static void apply_mask(const char *mask)
{
    if (!mask || !*mask)
        return;
    const int wanted = find_word(mask, isa_names, ISAS);
    if (wanted == ISAS)
        note("WEFT_ISA=%.40s is ignored: not scalar, sse2, avx2, avx512 or "
             "neon",
             mask);
    else if (wanted == SCALAR || (wanted < cpu.isa && cpu.isa != NEON))
        cpu.isa = wanted;
    else if (wanted != cpu.isa)
        note("WEFT_ISA=%s is ignored: this CPU has %s", mask,
             isa_names[cpu.isa]);
}

static void apply_core(const char *wanted)
{
    if (!wanted || !*wanted)
        return;
    const int core = find_word(wanted, core_names, CORES);
    if (core < CORES)
        cpu.core = (wf_cpu_core)core;
    else
        note("WEFT_CORE=%.40s is ignored: not other, icelake, "
             "emeraldrapids, graniterapids, zen4 or zen5",
             wanted);
}

/* "48K", "1M" -> bytes. */
static size_t parse_size(const char *text)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end == 'K')
        value <<= 10;
    else if (*end == 'M')
        value <<= 20;
    return (size_t)value;
}

static bool read_line(const char *path, char *line, int bytes)
{
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, bytes, file);
    if (file)
        fclose(file);
    return read;
}

static void read_sys_caches(void)
{
    for (int i = 0; i < 8; i++) {
        const char *format = "/sys/devices/system/cpu/cpu0/cache/index%d/%s";
        char path[96], level[16], type[32], size[32];
        snprintf(path, sizeof path, format, i, "level");
        if (!read_line(path, level, sizeof level))
            return;
        snprintf(path, sizeof path, format, i, "type");
        if (!read_line(path, type, sizeof type) || type[0] == 'I')
            continue;
        snprintf(path, sizeof path, format, i, "size");
        int l = atoi(level);
        if (l >= 1 && l <= 3 && read_line(path, size, sizeof size))
            cpu.cache[l] = parse_size(size);
    }
}

static void read_caches(void)
{
    read_sys_caches();
#ifdef _SC_LEVEL1_DCACHE_SIZE
    const int names[] = {0, _SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE,
                         _SC_LEVEL3_CACHE_SIZE};
    for (int l = 1; l <= 3; l++) {
        long bytes = cpu.cache[l] ? 0 : sysconf(names[l]);
        if (bytes > 0)
            cpu.cache[l] = (size_t)bytes;
    }
#endif
}

static void detect(void)
{
    read_words();
    read_name();
    read_caches();
    cpu.core = find_core();
    cpu.isa = widest_isa();
    apply_mask(getenv("WEFT_ISA"));
    apply_core(getenv("WEFT_CORE"));
    atomic_store_explicit(&known, true, memory_order_release);
}

static inline void know(void)
{
    if (!atomic_load_explicit(&known, memory_order_acquire))
        pthread_once(&detected, detect);
}

int wf_cpu_isa(void)
{
    know();
    return cpu.isa;
}

bool wf_cpu_has(const char *feature)
{
    know();
    return has(feature) && allowed(feature);
}

wf_cpu_core wf_cpu_core_kind(void)
{
    know();
    return cpu.core;
}

const char *wf_cpu_core_name(void)
{
    return core_names[wf_cpu_core_kind()];
}

const char *wf_cpu_name(void)
{
    know();
    return cpu.name[0] ? cpu.name : "unknown";
}

const char *wf_cpu_mask_text(void)
{
    know();
    return cpu.mask_text[0] ? cpu.mask_text : NULL;
}

size_t wf_cpu_cache_size(int level)
{
    know();
    return level >= 1 && level <= 3 ? cpu.cache[level] : 0;
}

int wf_cpu_count(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 && online < 65536 ? (int)online : 1;
}
