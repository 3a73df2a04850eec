/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neuron_test.c - the NeuronCore of src/neuron/: every rule refuses what it
 * speaks of and names itself, the instructions' numbers to the bit, and the
 * costs of the guides' tables.
 */
#include "check.h"
#include "neuron/machine.h"
#include "num/num.h"
#include "random.h"

#include <math.h>
#include <string.h>

/* ---- Rules -------------------------------------------------------------- */

static wf_nc_view sbuf(int partitions, int64_t columns)
{
    return wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, partitions, 0, columns);
}

static wf_nc_view sbuf_at(int first, int partitions, int64_t columns)
{
    return wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, first, partitions, 0, columns);
}

static wf_nc_view psum(int partitions, int bank, int64_t columns)
{
    return wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0, partitions, wf_nc_bank(bank),
                      columns);
}

static wf_nc_view typed(wf_nc_view view, wf_nc_type type)
{
    view.type = type;
    return view;
}

/* Each breaks one rule in a kernel with these tensors: 0 argument, 1 result,
 * 2 a private one, 3 not named to the kernel; 1024 numbers each. */
static wf_nc_view row_of(wf_nc_program *p, int tensor, int64_t n)
{
    wf_nc_view v = wf_nc_hbm(p, tensor, 0, n, 1);
    v.dims = 1;
    v.dim[0] = (wf_nc_dim){(int32_t)n, 1};
    return v;
}

static void break_partitions(wf_nc_program *p)
{
    wf_nc_memset(p, sbuf(129, 4), 0);
}
static void break_start(wf_nc_program *p)
{
    wf_nc_memset(p, sbuf_at(32, 40, 4), 0);
}
static void break_stride(wf_nc_program *p)
{
    wf_nc_view v = sbuf(4, 4);
    v.step = 2;
    wf_nc_memset(p, v, 0);
}
static void break_dims(wf_nc_program *p)
{
    wf_nc_view v = sbuf(4, 1);
    v.dims = 5;
    for (int i = 0; i < 5; i++)
        v.dim[i] = (wf_nc_dim){2, 1 << (4 - i)};
    wf_nc_memset(p, v, 0);
}
static void break_sbuf(wf_nc_program *p)
{
    wf_nc_memset(p, sbuf(1, (192 << 10) / 4 + 1), 0);
}
static void break_psum(wf_nc_program *p)
{
    wf_nc_memset(p, psum(1, 8, 4), 0);
}
static void break_bank(wf_nc_program *p)
{
    wf_nc_memset(p, psum(1, 0, 513), 0);
}
static void break_bank_start(wf_nc_program *p)
{
    wf_nc_view v = wf_nc_tile(WF_NC_PSUM, WF_NC_FP32, 0, 8, 64, 8);
    wf_nc_matmul(p, v, sbuf(8, 8), sbuf(8, 8), false, true);
}
static void break_psum_type(wf_nc_program *p)
{
    wf_nc_memset(p, typed(psum(1, 0, 4), WF_NC_BF16), 0);
}
static void break_tensor_in(wf_nc_program *p)
{
    wf_nc_matmul(p, psum(8, 0, 8), psum(8, 1, 8), sbuf(8, 8), false, true);
}
static void break_tensor_out(wf_nc_program *p)
{
    wf_nc_matmul(p, sbuf(8, 8), sbuf(8, 8), sbuf(8, 8), false, true);
}
static void break_tensor_size(wf_nc_program *p)
{
    wf_nc_matmul(p, psum(8, 0, 512), sbuf(8, 8), sbuf(8, 513), false, true);
}
static void break_tensor_type(wf_nc_program *p)
{
    wf_nc_matmul(p, psum(8, 0, 8), sbuf(8, 8), typed(sbuf(8, 8), WF_NC_BF16),
                 false, true);
}
static void break_tensor_shape(wf_nc_program *p)
{
    wf_nc_matmul(p, psum(8, 0, 8), sbuf(8, 8), sbuf(9, 8), false, true);
}
static void break_transpose_size(wf_nc_program *p)
{
    wf_nc_transpose(p, WF_NC_VECTOR, sbuf(33, 33), sbuf(33, 33));
}
/* What the posts' kernels do: clear the bank, then accumulate every product. */
static void break_first(wf_nc_program *p)
{
    wf_nc_memset(p, psum(8, 0, 8), 0);
    wf_nc_matmul(p, psum(8, 0, 8), sbuf(8, 8), sbuf(8, 8), true, true);
}
static void break_groups(wf_nc_program *p)
{
    for (int i = 0; i < 9; i++) {
        wf_nc_view v = wf_nc_columns(psum(8, i % 8, 16), i / 8 * 8, 8);
        wf_nc_matmul(p, v, sbuf(8, 8), sbuf(8, 8), false, false);
    }
}
static void break_open(wf_nc_program *p)
{
    wf_nc_matmul(p, psum(8, 0, 8), sbuf(8, 8), sbuf(8, 8), false, false);
    wf_nc_copy(p, WF_NC_VECTOR, sbuf(8, 8), psum(8, 0, 8));
}
static void break_gpsimd_psum(wf_nc_program *p)
{
    wf_nc_copy(p, WF_NC_GPSIMD, sbuf(8, 8), psum(8, 0, 8));
}
static void break_dma_psum(wf_nc_program *p)
{
    wf_nc_load(p, psum(1, 0, 8), row_of(p, 0, 8));
}
static void break_both_psum(wf_nc_program *p)
{
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_ADD, sbuf(8, 8), psum(8, 0, 8),
                 psum(8, 1, 8));
}
static void break_rows(wf_nc_program *p)
{
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_ADD, sbuf(8, 8), sbuf(8, 8),
                 sbuf(1, 8));
}
static void break_shape(wf_nc_program *p)
{
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_ADD, sbuf(8, 8), sbuf(8, 8),
                 sbuf(8, 4));
}
static void break_free_reduce(wf_nc_program *p)
{
    wf_nc_reduce(p, sbuf(8, 8), sbuf(8, 8));
}
static void break_unit(wf_nc_program *p)
{
    wf_nc_binary(p, WF_NC_SCALAR, WF_NC_ADD, sbuf(8, 8), sbuf(8, 8),
                 sbuf(8, 8));
}
static void break_on_chip(wf_nc_program *p)
{
    wf_nc_copy(p, WF_NC_VECTOR, sbuf(1, 8), row_of(p, 0, 8));
}
static void break_format(wf_nc_program *p)
{
    wf_nc_memset(p, typed(sbuf(1, 4), WF_NC_FP64), 0);
}
static void break_dma_type(wf_nc_program *p)
{
    wf_nc_load(p, typed(sbuf(1, 8), WF_NC_BF16), row_of(p, 0, 8));
}
static void break_hbm(wf_nc_program *p)
{
    wf_nc_load(p, sbuf(1, 1025), row_of(p, 0, 1025));
}
static void break_argument(wf_nc_program *p)
{
    wf_nc_load(p, row_of(p, 0, 8), sbuf(1, 8));
}
static void break_shared(wf_nc_program *p)
{
    wf_nc_use(p, 2, WF_NC_SHARED);
}
static void break_unnamed(wf_nc_program *p)
{
    wf_nc_load(p, sbuf(1, 8), row_of(p, 3, 8));
}
static void break_remainder(wf_nc_program *p)
{
    wf_nc_load(p, row_of(p, 1, 1000), sbuf(1, 1000));
    wf_nc_end(p);
}
static void break_kernel(wf_nc_program *p)
{
    wf_nc_begin(p, "inner");
}

static const struct {
    const char *name;
    void (*break_it)(wf_nc_program *);
} breach[] = {{"partitions", break_partitions},
              {"partition start", break_start},
              {"partition stride", break_stride},
              {"free dimensions", break_dims},
              {"SBUF capacity", break_sbuf},
              {"PSUM capacity", break_psum},
              {"PSUM bank", break_bank},
              {"PSUM bank start", break_bank_start},
              {"PSUM type", break_psum_type},
              {"Tensor operands", break_tensor_in},
              {"Tensor result", break_tensor_out},
              {"matmul size", break_tensor_size},
              {"matmul types", break_tensor_type},
              {"matmul shape", break_tensor_shape},
              {"transpose size", break_transpose_size},
              {"first matmul overwrites", break_first},
              {"open groups", break_groups},
              {"open group", break_open},
              {"GpSimd and PSUM", break_gpsimd_psum},
              {"DMA and PSUM", break_dma_psum},
              {"both inputs in PSUM", break_both_psum},
              {"equal partitions", break_rows},
              {"equal elements", break_shape},
              {"reduction", break_free_reduce},
              {"engine", break_unit},
              {"operands on chip", break_on_chip},
              {"number formats", break_format},
              {"DMA type", break_dma_type},
              {"HBM bounds", break_hbm},
              {"immutable argument", break_argument},
              {"shared HBM", break_shared},
              {"unnamed tensor", break_unnamed},
              {"remainder", break_remainder},
              {"kernel", break_kernel}};

enum { BREACHES = sizeof breach / sizeof breach[0] };

static wf_nc_program *program_in_kernel(const wf_nc_core *core)
{
    wf_nc_program *p = wf_nc_new(core, true);
    for (int i = 0; i < 4; i++)
        wf_nc_tensor(p, WF_NC_FP32, 1024);
    wf_nc_call(p);
    wf_nc_begin(p, "test");
    wf_nc_use(p, 0, WF_NC_ARGUMENT);
    wf_nc_use(p, 1, WF_NC_RESULT);
    wf_nc_use(p, 2, WF_NC_PRIVATE);
    return p;
}

static const char *const listed[] = {
#define WF_NC_RULE(id, name, sentence) name,
#include "neuron/rules.def"
#undef WF_NC_RULE
};
enum { LISTED = sizeof listed / sizeof listed[0] };

static void test_rules(void)
{
    CHECK((int)LISTED == (int)BREACHES,
          "%d rules, %d that are broken here: a rule has a breach of its name",
          (int)LISTED, (int)BREACHES);
    for (int i = 0; i < BREACHES && i < LISTED; i++) {
        char want[80];
        wf_nc_program *p = program_in_kernel(&wf_nc_trn1);
        CHECK(wf_nc_status(p) == WEFT_OK, "%s before it is broken: %s",
              breach[i].name, wf_error_text());
        breach[i].break_it(p);
        snprintf(want, sizeof want, "NeuronCore rule %s: ", breach[i].name);
        CHECK(wf_nc_status(p) == WEFT_ERR_ARGUMENT &&
                  strncmp(wf_error_text(), want, strlen(want)) == 0,
              "rule %s: status %d, %s", breach[i].name, (int)wf_nc_status(p),
              wf_error_text());
        CHECK(strcmp(listed[i], breach[i].name) == 0, "%s is %s", listed[i],
              breach[i].name);
        /* The first refusal sticks. */
        wf_nc_memset(p, sbuf(1, 1), 0);
        CHECK(wf_nc_finish(p) == WEFT_ERR_ARGUMENT, "%s forgotten",
              breach[i].name);
        wf_nc_free(p);
    }
}

/* What is next to the breaches is allowed. */
static void test_allowed(void)
{
    wf_nc_program *p = program_in_kernel(&wf_nc_trn2);
    wf_nc_use(p, 2, WF_NC_SHARED);
    wf_nc_memset(p, sbuf_at(64, 40, 4), 0);
    wf_nc_memset(p, sbuf_at(96, 32, 4), 0);
    wf_nc_memset(p, sbuf(1, (224 << 10) / 4), 0);
    wf_nc_matmul(p, psum(8, 7, 512), sbuf(128, 8), sbuf(128, 512), false,
                 false);
    wf_nc_matmul(p, psum(8, 7, 512), sbuf(128, 8), sbuf(128, 512), true, true);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_ADD, sbuf(8, 512), psum(8, 7, 512),
                 sbuf(8, 512));
    wf_nc_load(p, row_of(p, 1, 1024), sbuf(1, 1024));
    CHECK(wf_nc_finish(p) == WEFT_OK, "%s", wf_error_text());
    CHECK(wf_nc_counts(p)->sbuf_high == 224 << 10, "sbuf high water %d",
          wf_nc_counts(p)->sbuf_high);
    CHECK(wf_nc_counts(p)->psum_high == 8, "psum high water %d",
          wf_nc_counts(p)->psum_high);
    wf_nc_free(p);
}

/* ---- Costs -------------------------------------------------------------- */

static double cycles_of(const wf_nc_core *core, wf_nc_unit unit,
                        void (*emit)(wf_nc_program *))
{
    wf_nc_program *p = program_in_kernel(core);
    emit(p);
    CHECK(wf_nc_status(p) == WEFT_OK, "%s", wf_error_text());
    double cycles = wf_nc_counts(p)->cycles[unit];
    wf_nc_free(p);
    return cycles;
}

static void matmul_fp32(wf_nc_program *p)
{
    wf_nc_matmul(p, psum(128, 0, 512), sbuf(128, 128), sbuf(128, 512), false,
                 true);
}
static void matmul_bf16(wf_nc_program *p)
{
    wf_nc_matmul(p, psum(128, 0, 8), typed(sbuf(128, 128), WF_NC_BF16),
                 typed(sbuf(128, 8), WF_NC_BF16), false, true);
}
static void transpose(wf_nc_program *p)
{
    wf_nc_transpose(p, WF_NC_TENSOR, psum(8, 0, 100), sbuf(100, 8));
}
static void add_sbuf(wf_nc_program *p)
{
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_ADD, sbuf(8, 100), sbuf(8, 100),
                 sbuf(8, 100));
}
static void add_psum(wf_nc_program *p)
{
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_ADD, sbuf(8, 100), psum(8, 0, 100),
                 sbuf(8, 100));
}
static void add_bf16(wf_nc_program *p)
{
    wf_nc_view v = typed(sbuf(8, 200), WF_NC_BF16);
    wf_nc_binary(p, WF_NC_VECTOR, WF_NC_ADD, v, v, v);
}
static void copy_tiny(wf_nc_program *p)
{
    wf_nc_copy(p, WF_NC_SCALAR, sbuf(8, 5), psum(8, 0, 5));
}

static void test_costs(void)
{
    static const struct {
        const char *what;
        const wf_nc_core *core;
        wf_nc_unit unit;
        void (*emit)(wf_nc_program *);
        double want;
    } row[] = {
        {"fp32 matmul of 512", &wf_nc_trn1, WF_NC_TENSOR, matmul_fp32, 2048},
        {"bf16 matmul of 8", &wf_nc_trn1, WF_NC_TENSOR, matmul_bf16, 64},
        {"transpose 100 x 8", &wf_nc_trn1, WF_NC_TENSOR, transpose, 100},
        {"add in SBUF", &wf_nc_trn1, WF_NC_VECTOR, add_sbuf, 200},
        {"add from PSUM", &wf_nc_trn1, WF_NC_VECTOR, add_psum, 100},
        {"add bf16", &wf_nc_trn1, WF_NC_VECTOR, add_bf16, 200},
        {"add bf16 on trn2", &wf_nc_trn2, WF_NC_VECTOR, add_bf16, 100},
        {"copy of 5", &wf_nc_trn1, WF_NC_SCALAR, copy_tiny, 64}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        double got = cycles_of(row[i].core, row[i].unit, row[i].emit);
        CHECK(got == row[i].want, "%s: %g cycles, %g", row[i].what, got,
              row[i].want);
    }
}

/* A load, a copy that needs it and one that does not. */
static void test_schedule(void)
{
    wf_nc_program *p = program_in_kernel(&wf_nc_trn1);
    wf_nc_view a = wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, 1, 0, 1024);
    wf_nc_view b = wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, 1, 8192, 1024);
    wf_nc_view c = wf_nc_tile(WF_NC_SBUF, WF_NC_FP32, 0, 1, 16384, 1024);
    wf_nc_load(p, a, row_of(p, 0, 1024));
    wf_nc_copy(p, WF_NC_VECTOR, b, a);
    wf_nc_memset(p, c, 0);
    wf_nc_copy(p, WF_NC_SCALAR, a, c);
    wf_nc_load(p, row_of(p, 1, 1024), b);
    CHECK(wf_nc_finish(p) == WEFT_OK, "%s", wf_error_text());
    wf_text text = {0};
    wf_nc_timetable(p, &text);
    double load = 1300 + 4096 / 272.0, copy = load + (60 + 1024) / 1.12;
    double set = copy + 1024 / 1.12, over = set + (60 + 1024) / 1.4;
    char want[400];
    snprintf(want, sizeof want,
             "test dma 0.0 %.1f dma\ntest vector %.1f %.1f copy\n"
             "test vector %.1f %.1f memset\ntest scalar %.1f %.1f copy\n"
             "test dma %.1f %.1f store\n",
             load, load + 60 / 1.12, copy, copy, set, set + 60 / 1.4, over,
             copy, copy + load);
    CHECK(text.data && strcmp(text.data, want) == 0, "%s instead of\n%s",
          text.data ? text.data : "nothing", want);
    wf_text_free(&text);
    double time = wf_nc_trn1.call + wf_nc_trn1.kernel +
                  fmax(over, copy + load);
    CHECK(fabs(wf_nc_time(p) - time) < 1e-6, "time %g, %g", wf_nc_time(p),
          time);
    wf_nc_free(p);
}

/* ---- Numbers ------------------------------------------------------------ */

static noise_state noise = {42};
static float random_float(void)
{
    return (float)noise_real(&noise);
}

enum { K = 37, M = 21, N = 50 };

/* Through HBM, a matmul in two pieces of the contraction, and back. */
static void test_matmul(wf_nc_type type, wf_nc_product product)
{
    wf_nc_core core = wf_nc_trn1;
    core.product = product;
    wf_nc_program *p = wf_nc_new(&core, true);
    float a[K * M], b[K * N], want[M * N];
    float size = type == WF_NC_INT8 ? 127 : 1;
    for (int i = 0; i < K * M; i++)
        a[i] = wf_nc_round(type, size * random_float());
    for (int i = 0; i < K * N; i++)
        b[i] = wf_nc_round(type, size * random_float());
    int from[2] = {wf_nc_constant(p, type, K * M, a),
                   wf_nc_constant(p, type, K * N, b)};
    int to = wf_nc_tensor(p, WF_NC_FP32, M * N);
    wf_nc_call(p);
    wf_nc_begin(p, "matmul");
    wf_nc_use(p, to, WF_NC_RESULT);
    wf_nc_view out = psum(M, 0, N);
    for (int k = 0, piece = 0; k < K; k += piece) {
        piece = k == 0 ? 32 : K - 32;
        wf_nc_view tile[2];
        for (int i = 0; i < 2; i++) {
            int64_t n = i == 0 ? M : N;
            tile[i] = wf_nc_tile(WF_NC_SBUF, type, 0, piece,
                                 wf_nc_sbuf(p, type, n), n);
            wf_nc_view src = wf_nc_hbm(p, from[i], k * n, n, piece);
            src.dims = 1;
            src.dim[0] = (wf_nc_dim){(int32_t)n, 1};
            wf_nc_load(p, tile[i], src);
        }
        wf_nc_matmul(p, out, tile[0], tile[1], k > 0, k + piece == K);
    }
    wf_nc_view back = sbuf(M, N);
    wf_nc_copy(p, WF_NC_SCALAR, back, out);
    wf_nc_view dst = wf_nc_hbm(p, to, 0, N, M);
    dst.dims = 1;
    dst.dim[0] = (wf_nc_dim){N, 1};
    wf_nc_load(p, dst, back);
    CHECK(wf_nc_finish(p) == WEFT_OK, "%s", wf_error_text());
    for (int i = 0; i < M * N; i++) {
        float sum[2] = {0, 0};
        for (int k = 0; k < K; k++) {
            float x = a[k * M + i / N], y = b[k * N + i % N];
            float *s = &sum[k >= 32];
            if (type == WF_NC_FP32)
                *s = (float)((double)*s + (double)x * y);
            else if (product == WF_NC_PRODUCT_BF16)
                *s += wf_bf16_to_f32(wf_f32_to_bf16(x * y));
            else
                *s += x * y;
        }
        for (int k = 0; product == WF_NC_OUTPUT_BF16 && k < 2; k++)
            sum[k] = wf_bf16_to_f32(wf_f32_to_bf16(sum[k]));
        want[i] = sum[0] + sum[1];
    }
    void *block = wf_alloc(wf_nc_machine_bytes(p));
    wf_nc_machine *machine = wf_nc_machine_at(p, block);
    wf_nc_machine_run(machine);
    CHECK(memcmp(wf_nc_machine_tensor(machine, to), want, sizeof want) == 0,
          "matmul of %s, model %d", wf_nc_type_name(type), (int)product);
    wf_free(block);
    wf_nc_free(p);
}

static void test_rounding(void)
{
    CHECK(wf_nc_round(WF_NC_TF32, 1 + 0x1p-11f) == 1, "tf32 tie to even");
    CHECK(wf_nc_round(WF_NC_TF32, 1 + 0x1.8p-10f) == 1 + 0x1p-9f,
          "tf32 tie up to even");
    CHECK(wf_nc_round(WF_NC_TF32, INFINITY) == INFINITY, "tf32 infinity");
    CHECK(wf_nc_round(WF_NC_BF16, 1 + 0x1p-8f) == 1, "bf16 tie to even");
    CHECK(wf_nc_round(WF_NC_FP16, 65520) == INFINITY, "fp16 overflow");
    CHECK(wf_nc_round(WF_NC_INT8, 2.5f) == 2, "int8 tie to even");
    CHECK(wf_nc_round(WF_NC_INT8, -1000) == -128, "int8 saturates");
}

/* Memory that nobody wrote reaches the result as NaN. */
static void test_fresh(void)
{
    wf_nc_program *p = program_in_kernel(&wf_nc_trn1);
    wf_nc_load(p, row_of(p, 1, 1024), sbuf(1, 1024));
    CHECK(wf_nc_finish(p) == WEFT_OK, "%s", wf_error_text());
    void *block = wf_alloc(wf_nc_machine_bytes(p));
    memset(block, 0, wf_nc_machine_bytes(p));
    wf_nc_machine *machine = wf_nc_machine_at(p, block);
    const float *hbm = wf_nc_machine_tensor(machine, 2);
    CHECK(isnan(hbm[0]) && isnan(hbm[1023]), "fresh HBM is %g", hbm[0]);
    wf_nc_machine_run(machine);
    const float *out = wf_nc_machine_tensor(machine, 1);
    for (int i = 0; i < 1024; i++)
        CHECK(isnan(out[i]), "fresh SBUF, element %d is %g", i, out[i]);
    wf_free(block);
    wf_nc_free(p);
}

int main(void)
{
    test_rules();
    test_allowed();
    test_costs();
    test_schedule();
    for (int type = WF_NC_FP32; type <= WF_NC_INT8; type++)
        test_matmul((wf_nc_type)type, WF_NC_EXACT);
    test_matmul(WF_NC_BF16, WF_NC_PRODUCT_BF16);
    test_matmul(WF_NC_BF16, WF_NC_OUTPUT_BF16);
    test_rounding();
    test_fresh();
    CHECK(wf_alloc_live() == 0, "%lld blocks leaked",
          (long long)wf_alloc_live());
    return check_report("neuron_test");
}
