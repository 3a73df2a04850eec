/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * convolve.c - Rader and Bluestein: transforms as convolutions with a fixed
 * sequence whose spectrum (with the 1/m of the inverse) is a table.
 *
 * The inner length is transformed twice by one binding, of the sign of the
 * outer transform, which only fixes how the table is made.  Back is forth with
 * re and im exchanged on both ways (Bluestein's products do it), or with the
 * result in the opposite order (Rader's way of reading it).
 */
#include <string.h>

#include "cpu/chirps.h"
#include "cpu/convolved.h"
#include "cpu/joined.h"
#include "cpu/spectrum.h"
#include "num/num.h"

typedef struct convolution {
    wf_node node;
    wf_mover mover;
    int64_t n, m; /* m: of the child */
    int parts;    /* Bluestein: 1, or 2 of opposite twist (docs/math.md) */
    wf_part part[2];
    wf_joined joined;
    wf_joined_fourstep trips;
    const uint32_t *powers; /* Rader: n - 1 */
    size_t buffer;          /* bytes of m complex */
} convolution;

static void transform(const convolution *c, void *buffer, char *scratch)
{
    const wf_node *child = c->node.child[0];
    wf_samples one = {buffer, buffer, buffer, buffer};
    child->run(child, &one, scratch);
}

/* To `buffer`, with re and im exchanged, what is still to be multiplied by the
 * chirp. */
static void convolve(const convolution *c, const wf_part *by, const void *in,
                     void *buffer, char *below)
{
    size_t n = (size_t)c->n, m = (size_t)c->m, bytes = c->node.bytes;
    WF_MOVE(&c->mover, multiply, buffer, in, by->chirp_in, n);
    memset(wf_to(buffer, 2 * c->n, bytes), 0, 2 * (m - n) * bytes);
    transform(c, buffer, below);
    WF_MOVE(&c->mover, multiply_turned, buffer, (const void *)buffer,
            by->spectrum, m);
    transform(c, buffer, below);
}

static void run_bluestein(const wf_node *node, const wf_samples *at,
                          char *scratch)
{
    const convolution *c = (const convolution *)node;
    convolve(c, &c->part[0], at->in_re, scratch, scratch + c->buffer);
    WF_MOVE(&c->mover, multiply_turned, at->out_re, (const void *)scratch,
            c->part[0].chirp_out, (size_t)c->n);
}

static void run_two_parts(const wf_node *node, const wf_samples *at,
                          char *scratch)
{
    const convolution *c = (const convolution *)node;
    const void *a = scratch, *b = scratch + c->buffer;
    char *below = scratch + 2 * c->buffer;
    convolve(c, &c->part[0], at->in_re, scratch, below);
    convolve(c, &c->part[1], at->in_re, scratch + c->buffer, below);
    WF_MOVE(&c->mover, multiply_turned_both, at->out_re, a,
            c->part[0].chirp_out, b, c->part[1].chirp_out, (size_t)c->n);
}

static void run_joined(const wf_node *node, const wf_samples *at,
                       char *scratch)
{
    const convolution *c = (const convolution *)node;
    wf_joined_run(&c->joined, c->part, at->in_re, at->out_re, scratch);
}

static void run_trips(const wf_node *node, const wf_samples *at, char *scratch)
{
    const convolution *c = (const convolution *)node;
    wf_joined_fourstep_run(&c->trips, c->part[0].spectrum, at->in_re,
                           at->out_re, scratch);
}

/* a[0..1] + b[0..1] to sum: the three single elements Rader treats apart. */
static void add_one(wf_real real, void *sum, const void *a, const void *b)
{
    if (real == WF_F64) {
        const double *x = a, *y = b;
        double re = x[0] + y[0], im = x[1] + y[1];
        ((double *)sum)[0] = re;
        ((double *)sum)[1] = im;
    } else {
        const float *x = a, *y = b;
        float re = x[0] + y[0], im = x[1] + y[1];
        ((float *)sum)[0] = re;
        ((float *)sum)[1] = im;
    }
}

/* X[0] = x[0] + sum of the others; adding x[0] to the product's element 0
 * adds it to every other output. */
static void run_rader(const wf_node *node, const wf_samples *at, char *scratch)
{
    const convolution *c = (const convolution *)node;
    size_t m = (size_t)c->m;
    char *below = scratch + c->buffer;
    void *buffer = scratch;
    double x0[2], sum[2]; /* room for either type */
    memcpy(x0, at->in_re, 2 * node->bytes);
    WF_MOVE(&c->mover, gather_index, buffer, at->in_re, c->powers, m);
    transform(c, buffer, below);
    add_one(node->real, sum, x0, buffer);
    WF_MOVE(&c->mover, multiply, buffer, (const void *)buffer,
            c->part[0].spectrum, m);
    add_one(node->real, buffer, buffer, x0);
    transform(c, buffer, below);
    WF_MOVE(&c->mover, scatter_index, at->out_re, (const void *)buffer,
            c->powers, m);
    memcpy(at->out_re, sum, 2 * node->bytes);
}

/* ---- Binding ------------------------------------------------------------- */

static weft_status bind_inner(const wf_binder *binder, const wf_step *child,
                              convolution *c)
{
    wf_usage usage = {.in_place = true, .split = false, .scale = 1};
    wf_node *node;
    weft_status status = wf_bind_transform(binder, child, &usage, &node);
    if (status != WEFT_OK)
        return status;
    wf_node_adopt(&c->node, node);
    c->buffer = wf_round64((size_t)c->m * 2 * binder->bytes);
    c->node.scratch = (size_t)c->parts * c->buffer + node->scratch;
    return WEFT_OK;
}

static convolution *new_convolution(const wf_binder *binder,
                                    const wf_step *step, int parts,
                                    wf_run *run)
{
    convolution *c = (convolution *)wf_node_new(binder, sizeof *c, run);
    if (c != NULL) {
        c->mover = wf_mover_best(binder->real);
        c->n = step->n;
        c->m = step->child[0]->n;
        c->parts = parts;
    }
    return c;
}

/* The first part's, where the sequence was. */
static void make_spectrum(const convolution *c, void *table, void *image,
                          void *scratch)
{
    const wf_node *child = c->node.child[0];
    const wf_sequence sequence = {.m = c->m,
                                  .symmetry = WF_SYMMETRY_EVEN,
                                  .energy = (double)(2 * c->n - 1),
                                  .factor = 1.0 / c->parts};
    if (c->parts == 1)
        wf_spectrum(child, &sequence, table, scratch);
    else
        wf_plain_spectrum(child, &sequence, table, image, scratch);
}

/* Two parts in fewer trips: tables in blocks. */
static weft_status make_joined(const wf_binder *binder, convolution *c,
                               wf_chirps *chirps, void *const spectrum[2],
                               void *work)
{
    chirps->sequence = wf_alloc((size_t)c->m * 2 * c->node.bytes);
    const bool made = chirps->sequence != NULL &&
                      wf_chirps_fill(binder, chirps, work);
    if (made) {
        make_spectrum(c, chirps->sequence, spectrum[1], work);
        wf_joined_spectra(c->node.real, &c->joined.order, chirps->sequence,
                          spectrum);
        c->node.scratch = c->joined.scratch;
        c->node.run = run_joined;
    }
    wf_free(chirps->sequence);
    return made ? WEFT_OK : wf_no_memory();
}

static weft_status make_apart(const wf_binder *binder, convolution *c,
                              wf_chirps *chirps, void *const spectrum[2],
                              void *work)
{
    chirps->sequence = spectrum[0];
    if (!wf_chirps_fill(binder, chirps, work))
        return wf_no_memory();
    make_spectrum(c, spectrum[0], spectrum[1], work);
    if (c->parts == 2)
        wf_spectrum_image(c->node.real, c->m, spectrum[0], spectrum[1]);
    return WEFT_OK;
}

/* For tables, and after them for the transform that makes the spectrum. */
static void *alloc_work(const wf_node *transform, size_t bytes)
{
    const size_t scratch = transform->scratch;
    return wf_alloc(bytes > scratch ? bytes : scratch);
}

static bool open_tables(convolution *c, wf_chirps *chirps, void *spectrum[2])
{
    const size_t room = 2 * ((size_t)c->n + WF_CHIRPS_PAD);
    for (int p = 0; p < c->parts; p++) {
        chirps->in[p] = wf_node_table(&c->node, room);
        spectrum[p] = wf_node_table(&c->node, 2 * (size_t)c->m);
        if (chirps->in[p] == NULL || spectrum[p] == NULL)
            return false;
    }
    for (int p = 0; p < c->parts; p++) {
        chirps->out[p] = chirps->scale == 1 ? chirps->in[c->parts - 1 - p]
                                            : wf_node_table(&c->node, room);
        if (chirps->out[p] == NULL)
            return false;
        c->part[p] = (wf_part){spectrum[p], chirps->in[p], chirps->out[p]};
    }
    return true;
}

static weft_status make_chirps(const wf_binder *binder, const wf_step *step,
                               convolution *c, double scale)
{
    const wf_node *child = c->node.child[0];
    const bool joined = c->parts == 2 &&
                        wf_joined_bind(step, child, c->n, binder->threads,
                                       &c->joined);
    wf_chirps chirps = {.n = c->n,
                        .m = c->m,
                        .parts = c->parts,
                        .width = joined ? c->joined.order.width : 1,
                        .scale = scale};
    void *spectrum[2] = {NULL, NULL};
    if (!open_tables(c, &chirps, spectrum))
        return wf_no_memory();
    void *work = alloc_work(child, wf_chirps_work(&chirps));
    if (work == NULL)
        return wf_no_memory();
    weft_status status = (joined ? make_joined : make_apart)(binder, c,
                                                             &chirps, spectrum,
                                                             work);
    wf_free(work);
    return status;
}

/* In fewer trips and fewer numbers: what both parts have in common, and twists. */
static bool open_twists(convolution *c, wf_chirps *chirps)
{
    wf_node *node = &c->node;
    const size_t all = 2 * (size_t)c->m, rows = 2 * (size_t)chirps->rows;
    chirps->in[0] = wf_node_table(node, all);
    chirps->out[0] = chirps->scale == 1 ? chirps->in[0]
                                        : wf_node_table(node, all);
    chirps->row = wf_node_table(node, rows);
    chirps->column = wf_node_table(node, 2 * all / rows);
    wf_twists *twists = &c->trips.users.twists;
    twists->in = chirps->in[0];
    twists->out = chirps->out[0];
    twists->row = chirps->row;
    twists->column = chirps->column;
    return chirps->in[0] != NULL && chirps->out[0] != NULL &&
           chirps->row != NULL && chirps->column != NULL;
}

static weft_status make_trips(const wf_binder *binder, const wf_step *step,
                              convolution *c, double scale)
{
    weft_status status = wf_joined_fourstep_bind(binder, step, &c->node, c->n,
                                                 &c->trips);
    if (status != WEFT_OK)
        return status;
    wf_chirps chirps = {.n = c->n,
                        .m = c->m,
                        .parts = 2,
                        .width = c->trips.users.width,
                        .scale = scale,
                        .rows = c->trips.users.rows,
                        .span = c->trips.users.twists.span};
    const size_t all = (size_t)c->m * 2 * c->node.bytes;
    void *spectrum[2] = {wf_node_table(&c->node, 2 * (size_t)c->m), NULL};
    void *work = alloc_work(c->node.child[0], wf_chirps_work(&chirps));
    chirps.sequence = wf_alloc(2 * all);
    const bool made = open_twists(c, &chirps) && spectrum[0] != NULL &&
                      work != NULL && chirps.sequence != NULL &&
                      wf_chirps_fill(binder, &chirps, work);
    if (made) {
        const wf_joined_order order = wf_joined_fourstep_order(&c->trips);
        char *sequence = chirps.sequence;
        make_spectrum(c, sequence, sequence + all, work);
        wf_joined_spectra(c->node.real, &order, sequence, spectrum);
        c->part[0].spectrum = spectrum[0];
        c->node.scratch = c->trips.scratch;
        c->node.run = run_trips;
    }
    wf_free(chirps.sequence);
    wf_free(work);
    return made ? WEFT_OK : wf_no_memory();
}

weft_status wf_bind_bluestein(const wf_binder *binder, const wf_step *step,
                              const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split)
        return wf_fail(WEFT_ERR_ARGUMENT, "bluestein on split data");
    const int parts = step->split[0] == step->child[0]->n ? 1 : 2;
    convolution *c = new_convolution(
        binder, step, parts, parts == 1 ? run_bluestein : run_two_parts);
    if (c == NULL)
        return wf_no_memory();
    weft_status status = bind_inner(binder, step->child[0], c);
    const bool trips = parts == 2 &&
                       wf_step_joins_trips(step->child[0], binder->bytes);
    if (status == WEFT_OK)
        status = (trips ? make_trips : make_chirps)(binder, step->child[0], c,
                                                    usage->scale);
    if (status != WEFT_OK) {
        wf_node_free(&c->node);
        return status;
    }
    *node = &c->node;
    return WEFT_OK;
}

/* The sequence exp(-+ 2 pi i g^-q / n).  The convolution's element q belongs to
 * g^-q, and is element -q of what the second transform makes. */
static inline void fill_sequence(wf_real real, const wf_half_circle *roots,
                                 const uint32_t *powers, int64_t m,
                                 void *sequence)
{
    for (int64_t q = 0; q < m / 2; q++) {
        double re, im;
        wf_half_circle_read(roots, powers[q], &re, &im);
        wf_table_put(real, sequence, q == 0 ? 0 : m - q, re, im);
        wf_table_put(real, sequence, m / 2 - q, re, -im);
    }
}

/* g^q: with m = n - 1, g^(m/2) = -1 mod n. */
weft_status wf_rader_tables(const wf_binder *binder, int64_t n,
                            const wf_node *transform, wf_node *node,
                            const uint32_t **powers, const void **spectrum)
{
    const int64_t m = n - 1, half = m / 2;
    uint32_t *power = wf_node_index_table(node, m);
    void *table = wf_node_table(node, 2 * (size_t)m);
    void *work = alloc_work(transform, wf_half_circle_bytes(n));
    wf_half_circle roots;
    if (power == NULL || table == NULL || work == NULL ||
        !wf_half_circle_make(n, binder->inverse, work, &roots)) {
        wf_free(work);
        return wf_no_memory();
    }
    wf_powers_mod(wf_primitive_root((uint64_t)n), (uint64_t)n, (size_t)half,
                  power);
    for (int64_t q = 0; q < half; q++)
        power[half + q] = (uint32_t)n - power[q];
    if (binder->real == WF_F64)
        fill_sequence(WF_F64, &roots, power, m, table);
    else
        fill_sequence(WF_F32, &roots, power, m, table);
    *powers = power;
    *spectrum = table;
    const wf_sequence sequence = {.m = m,
                                  .symmetry = WF_SYMMETRY_TURNED,
                                  .energy = (double)m,
                                  .gauss = n,
                                  .factor = 1};
    wf_spectrum(transform, &sequence, table, work);
    wf_free(work);
    return WEFT_OK;
}

weft_status wf_bind_rader(const wf_binder *binder, const wf_step *step,
                          const wf_usage *usage, wf_node **node)
{
    *node = NULL;
    if (usage->split || step->n > INT32_MAX || !wf_is_prime((uint64_t)step->n))
        return wf_fail(WEFT_ERR_ARGUMENT, "rader %lld: not for this length",
                       (long long)step->n);
    convolution *c = new_convolution(binder, step, 1, run_rader);
    if (c == NULL)
        return wf_no_memory();
    weft_status status = bind_inner(binder, step->child[0], c);
    if (status == WEFT_OK)
        status = wf_rader_tables(binder, c->n, c->node.child[0], &c->node,
                                 &c->powers, &c->part[0].spectrum);
    if (status != WEFT_OK) {
        wf_node_free(&c->node);
        return status;
    }
    *node = &c->node;
    return WEFT_OK;
}
