/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node.c - life of bound steps, and kernels found by their width.
 */
#include "cpu/node.h"

#include <string.h>

weft_status wf_no_memory(void)
{
    return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan");
}

wf_node *wf_node_new(const wf_binder *binder, size_t size, wf_run *run)
{
    wf_node *node = wf_calloc(1, size);
    if (node != NULL) {
        node->run = run;
        node->real = binder->real;
        node->bytes = binder->bytes;
    }
    return node;
}

void wf_node_run_plain(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    (void)scratch;
    wf_node_plain(node, at->in_re, at->out_re);
}

void wf_node_free(wf_node *node)
{
    if (node == NULL)
        return;
    for (int i = 0; i < node->children; i++)
        wf_node_free(node->child[i]);
    for (int i = 0; i < node->tables; i++)
        wf_free(node->table[i]);
    wf_free(node);
}

void *wf_node_table(wf_node *node, size_t scalars)
{
    size_t bytes;
    if (node->tables == WF_NODE_TABLES ||
        !wf_mul_size(scalars, node->bytes, &bytes))
        return NULL;
    void *table = wf_alloc(bytes == 0 ? 1 : bytes);
    if (table != NULL) {
        node->table[node->tables++] = table;
        node->table_bytes += bytes;
    }
    return table;
}

uint32_t *wf_node_index_table(wf_node *node, int64_t count)
{
    size_t bytes = (size_t)count * sizeof(uint32_t);
    return wf_node_table(node, (bytes + node->bytes - 1) / node->bytes);
}

void wf_node_adopt(wf_node *node, wf_node *child)
{
    node->child[node->children++] = child;
}

void wf_node_grow_scratch(wf_node *node, size_t own)
{
    for (int i = 0; i < node->children; i++)
        if (node->scratch < own + node->child[i]->scratch)
            node->scratch = own + node->child[i]->scratch;
    if (node->scratch < own)
        node->scratch = own;
}

size_t wf_node_table_bytes(const wf_node *node)
{
    size_t bytes = node->table_bytes;
    for (int i = 0; i < node->children; i++)
        bytes += wf_node_table_bytes(node->child[i]);
    return bytes;
}

size_t wf_bytes_to_claim(size_t bytes, size_t vector)
{
    const size_t cache = wf_cpu_cache_size(1);
    const bool lost = 9 * bytes > 2 * cache && bytes < cache / 4 * 3;
    return vector == WF_LINE && lost ? bytes : 0;
}

/* The widest level that this CPU runs and that this build has kernels of
 * (sanitizer builds have fewer). */
static int level_of(wf_real real)
{
    int level = wf_cpu_isa();
    while (level > WF_ISA_SCALAR &&
           wf_kernel_find(WF_KERNEL_MID, real, (wf_isa)level, 2) == NULL)
        level--;
    return level;
}

const int *wf_cpu_widths(weft_type type)
{
    static const int wide[2][WF_ISA_COUNT][5] = {
        {{1}, {2, 1}, {4, 2, 1}, {8, 4, 2, 1}, {2, 1}},
        {{1}, {4, 1}, {8, 4, 1}, {16, 8, 4, 1}, {4, 1}}};
    wf_real real = type == WEFT_F32 ? WF_F32 : WF_F64;
    return wide[type == WEFT_F32][level_of(real)];
}

wf_isa wf_isa_of_width(wf_real real, int width)
{
    int level = wf_cpu_isa(), bits = width * (real == WF_F64 ? 64 : 32);
    if (level == WF_ISA_NEON)
        return width == 1 ? WF_ISA_SCALAR : WF_ISA_NEON;
    wf_isa isa = bits == 512   ? WF_ISA_AVX512
                 : bits == 256 ? WF_ISA_AVX2
                 : bits == 128 ? WF_ISA_SSE2
                               : WF_ISA_SCALAR;
    return (int)isa <= level ? isa : WF_ISA_SCALAR;
}

const wf_kernel *wf_kernel_of_width(wf_kernel_kind kind, wf_real real,
                                    int width, int radix)
{
    wf_isa isa = wf_isa_of_width(real, width);
    if (wf_isa_lanes(isa, real) != width)
        return NULL;
    return wf_kernel_find(kind, real, isa, radix);
}

/*
 * Batches of short leaves have a transform in each lane, put together from as
 * many loads, and so on the way out; where 512 bits are two halves narrower
 * registers are faster.  64 transforms, ns, 512 bits and 256: c2c:f64 7 261,
 * 178; 15 539, 473; 30 1295, 1084; f32 5 135, 103; 16 382, 261; r2c:f32 24 366,
 * 331.  Longer ones are level, and alone need the 32 registers (c2c:f32:13 12.5,
 * 16.0).  c2c:f32:32 and r2c:f32:64 in four registers of 512 bits were not timed
 * there: shuffles cost twice (Zen 5, alone, 256 bits and 512: 8.9 ns, 7.4; 14.7,
 * 10.8); nor were, as 512 bits, floats of 88 and doubles of 20 up, where halves lost by
 * earlier estimates and whole registers are 1.25 to 1.65 times as fast (Zen 5).
 */
static bool is_narrow(wf_kernel_kind kind, wf_real real, int n)
{
    static const uint8_t floats[] = {16, 32, 88, 99, 110, 126},
                         doubles[] = {15,  20,  28,  30,  35, 40, 42, 44,
                                      45,  49,  50,  52,  54, 55, 56, 63,
                                      65,  66,  70,  72,  75, 78, 81, 84,
                                      108, 110, 120, 125, 126};
    if (wf_cpu_isa() != WF_ISA_AVX512 || wf_cpu_core_kind() != WF_CORE_ZEN4)
        return false;
    if (kind == WF_KERNEL_REAL_FWD || kind == WF_KERNEL_REAL_INV)
        return n <= 24 || (real == WF_F32 && n == 64);
    if (kind != WF_KERNEL_LEAF_FWD && kind != WF_KERNEL_LEAF_INV)
        return false;
    const size_t count = real == WF_F32 ? sizeof floats : sizeof doubles;
    return n <= 12 ||
           (n <= UINT8_MAX &&
            memchr(real == WF_F32 ? floats : doubles, n, count) != NULL);
}

static bool is_alone(const wf_kernel *leaf)
{
    return leaf->kind == WF_KERNEL_ALONE2 || leaf->kind == WF_KERNEL_ALONE3;
}

/* Reals of one transform. */
static int numbers_of(const wf_kernel *leaf)
{
    const bool reals = is_alone(leaf) || leaf->kind == WF_KERNEL_REAL_FWD ||
                       leaf->kind == WF_KERNEL_REAL_INV;
    return (reals ? 1 : 2) * leaf->radix;
}

/* They may be narrower than those of the instruction set, and may overlap by less
 * than half. */
int wf_leaf_bits(const wf_kernel *leaf)
{
    const int registers = is_alone(leaf) ? leaf->stores /* tables are loads */
                                         : leaf->loads;
    int lanes = 1;
    while (lanes * registers < numbers_of(leaf))
        lanes *= 2;
    return lanes * (leaf->real == WF_F64 ? 64 : 32);
}

/*
 * Rows of more than a line and a half, a piece of each at a time: a transform in
 * each lane.  From memory four of them come faster than eight.  Zen 5, ms for 32
 * MiB, 512 bits and 256: c2c:f32 14 2.60, 1.63; 15 3.88, 1.64; 20 3.49, 1.66; 24
 * 2.74, 1.59; f64 15 2.55, 1.49; 21 3.18, 1.74; 30 2.72, 1.64; r2c:f32 28 3.57,
 * 1.75; 32 4.03, 1.84; 40 4.20, 2.09; r2c:f64 36 4.38, 1.86.  In the first cache
 * 32 takes 277 and 424 ns.
 */
static bool is_better_narrow(const wf_kernel *leaf)
{
    return leaf->isa == WF_ISA_AVX512 && wf_leaf_bits(leaf) < 512 &&
           numbers_of(leaf) * (leaf->real == WF_F64 ? 8 : 4) > 96;
}

const wf_kernel *wf_kernel_of_leaf(wf_kernel_kind kind, weft_type type, int n,
                                   bool far)
{
    const wf_real real = type == WEFT_F32 ? WF_F32 : WF_F64;
    const int *width = wf_cpu_widths(type);
    const wf_kernel *leaf = NULL;
    if (width[1] != 0 && is_narrow(kind, real, n))
        leaf = wf_kernel_of_width(kind, real, width[1], n);
    for (; leaf == NULL && *width != 0; width++)
        leaf = wf_kernel_of_width(kind, real, *width, n);
    if (far && leaf != NULL && is_better_narrow(leaf)) {
        const wf_kernel *narrow = wf_kernel_of_width(kind, real,
                                                     leaf->lanes / 2, n);
        leaf = narrow != NULL ? narrow : leaf;
    }
    return leaf;
}
