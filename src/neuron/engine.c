/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * engine.c - the NeuronCore behind engine.h.
 *
 * A price is a whole axis lowered without being kept: instructions checked,
 * counted and scheduled.  Sums of kernel prices would not do, since what an
 * engine does hides behind what another does, and starting a kernel costs
 * more than most of them run.
 *
 * A program holds one machine, made when it is bound; simultaneous executions
 * make more, and wait for a free one when there is no memory, as the CPU's do
 * for their scratch.  Samples go from the caller's layout to the planes on the
 * device and back on the host, outside the model's time.
 */
#include "neuron/engine.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "neuron/lower.h"
#include "neuron/program.h"
#include "plan/search.h"

enum { POOL = 64 };

struct wf_program {
    wf_nc_core core;
    wf_problem problem;
    wf_nc_program *code;
    wf_nc_ends ends;
    atomic_bool busy[POOL];
    void *block[POOL];
};

static wf_nc_core core_of(const wf_engine *engine);

static weft_status accepts(const wf_problem *problem)
{
    wf_nc_mode mode;
    const char *precision = wf_precision_name(problem->precision);
    bool slices = problem->precision == WEFT_PRECISION_SLICES;
    if (problem->kind == WEFT_R2R)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "engine neuron has the kinds c2c, r2c and c2r, not %s",
                       wf_kind_name(problem->kinds[0]));
    if (problem->type != WEFT_F32 && !slices)
        return wf_nc_lacks(WF_NC_RULE_FORMAT, "engine neuron",
                           "type f64 is for precision slices only");
    if (problem->scrambled)
        return wf_fail(WEFT_ERR_UNSUPPORTED,
                       "engine neuron has the natural order only: its passes "
                       "sort as they store");
    if (!wf_problem_is_matrix(problem) &&
        !wf_nc_mode_of(problem->precision, &mode))
        return wf_nc_lacks(WF_NC_RULE_FORMAT, "engine neuron", precision);
    return WEFT_OK;
}

/* ---- Prices ------------------------------------------------------------- */

static const int *widths(weft_type type)
{
    static const int none[] = {0};
    (void)type;
    return none;
}

/* Only a whole transform has a kernel of its own (and only its own price,
 * `weigh`, is looked at), and only slices are matrix steps. */
static double price(wf_role role, weft_type type, int width, int radix)
{
    enum { LONGEST = 4096 }; /* about what SBUF has room for */
    (void)type, (void)width;
    return role == WF_ROLE_LEAF && radix <= LONGEST ? 0 : -1;
}

static double flops(wf_role role, weft_type type, int width, int radix)
{
    (void)role, (void)type, (void)width, (void)radix;
    return 0;
}

static double products(wf_format format, bool *emulated)
{
    (void)format;
    *emulated = false;
    return 1;
}

static double weigh(const wf_engine *engine, const wf_problem *problem,
                    const wf_step *axis, double *operations)
{
    wf_nc_core core = core_of(engine);
    core.call = 0; /* once for the whole tree: machine.call */
    wf_nc_program *p = wf_nc_new(&core, false);
    weft_status status = p == NULL ? WEFT_ERR_NO_MEMORY
                                   : wf_nc_lower_axis(p, problem, axis);
    double time = status == WEFT_ERR_NO_MEMORY ? NAN
                  : wf_nc_walks(problem, axis) ? -1
                                               : -2;
    if (status == WEFT_OK) {
        time = wf_nc_time(p);
        *operations = 2.0 * (double)wf_nc_counts(p)->multiplies;
    }
    wf_nc_free(p);
    return time;
}

/* ---- Programs ----------------------------------------------------------- */

static void release(wf_program *program)
{
    if (program == NULL)
        return;
    wf_nc_free(program->code);
    for (int i = 0; i < POOL; i++)
        wf_free(program->block[i]);
    wf_free(program);
}

static weft_status bind(const wf_engine *engine, const wf_problem *problem,
                        const wf_step *tree, wf_program **program)
{
    *program = NULL;
    wf_program *made = wf_calloc(1, sizeof *made);
    if (made == NULL)
        return wf_fail(WEFT_ERR_NO_MEMORY, "no memory for a plan");
    made->core = core_of(engine);
    made->problem = *problem;
    made->code = wf_nc_new(&made->core, true);
    weft_status status = made->code == NULL ? wf_fail(WEFT_ERR_NO_MEMORY,
                                                      "no memory for a plan")
                                            : wf_nc_lower(made->code, problem,
                                                          tree, &made->ends);
    if (status == WEFT_OK) {
        made->block[0] = wf_alloc(wf_nc_machine_bytes(made->code));
        if (made->block[0] == NULL)
            status = wf_fail(WEFT_ERR_NO_MEMORY,
                             "no memory for a NeuronCore's memories");
    }
    if (status != WEFT_OK) {
        release(made);
        return status;
    }
    *program = made;
    return WEFT_OK;
}

/* ---- Samples ------------------------------------------------------------ */

static double number(const void *at, bool f64, int64_t i)
{
    return f64 ? ((const double *)at)[i] : (double)((const float *)at)[i];
}

static void set_number(void *at, bool f64, int64_t i, double value)
{
    if (f64)
        ((double *)at)[i] = value;
    else
        ((float *)at)[i] = (float)value;
}

/* Numbers, of a plane on the device or of the caller. */
typedef struct side {
    void *at;
    bool f64;
    int scalars; /* of one element */
} side;

/* The planes hold every element, packed.  A half spectrum's other half is its
 * mirror image: made on the way in, left behind on the way out. */
typedef struct walk {
    weft_dim dim[2 * WEFT_MAX_RANK];
    int dims, loops;
    int64_t half; /* columns of the last dimension that the caller has */
} walk;

static walk walk_of(const wf_problem *problem, bool in)
{
    walk w = {.loops = problem->loops};
    for (int i = 0; i < problem->loops; i++)
        w.dim[w.dims++] = problem->loop[i];
    for (int i = 0; i < problem->rank; i++)
        w.dim[w.dims++] = problem->dim[i];
    w.half = INT64_MAX;
    if (problem->kind == (in ? WEFT_C2R : WEFT_R2C))
        w.half = problem->dim[problem->rank - 1].n / 2 + 1;
    return w;
}

/* Where element `index` is with the caller; of one beyond the half, its mirror
 * image. */
static int64_t place_of(const walk *w, const int64_t *index, bool in,
                        bool mirrored)
{
    int64_t at = 0;
    for (int i = 0; i < w->dims; i++) {
        int64_t k = mirrored && i >= w->loops && index[i] > 0
                        ? w->dim[i].n - index[i]
                        : index[i];
        at += k * (in ? w->dim[i].is : w->dim[i].os);
    }
    return at;
}

/* Element by element, in the order of the packed planes; `sign`: of what is
 * mirrored.  A plane that the caller has not is zeros. */
static void move(const wf_problem *problem, side plane, side user, bool in,
                 double sign)
{
    walk w = walk_of(problem, in);
    int64_t index[2 * WEFT_MAX_RANK] = {0};
    bool both = problem->rank > 0;
    for (int64_t k = 0; k < problem->total; k++) {
        int64_t column = both ? index[w.dims - 1] : 0;
        bool mirrored = column >= w.half;
        if (in && user.at == NULL)
            set_number(plane.at, plane.f64, k, 0);
        else if (in)
            set_number(plane.at, plane.f64, k,
                       (mirrored ? sign : 1) *
                           number(user.at, user.f64,
                                  place_of(&w, index, in, mirrored) *
                                      user.scalars));
        else if (!mirrored)
            set_number(user.at, user.f64,
                       place_of(&w, index, in, false) * user.scalars,
                       number(plane.at, plane.f64, k));
        for (int i = w.dims - 1; i >= 0 && ++index[i] == w.dim[i].n; i--)
            index[i] = 0;
    }
}

/* The imaginary parts of X[0] and X[n/2] of rows: no result of reals has them,
 * and no real result reads them. */
static void clear_real_ends(const wf_problem *problem, side im)
{
    int64_t n = problem->dim[problem->rank - 1].n;
    for (int64_t row = 0; row < problem->total; row += n) {
        set_number(im.at, im.f64, row, 0);
        if (n % 2 == 0)
            set_number(im.at, im.f64, row + n / 2, 0);
    }
}

/* Plane 0 or 1 of what goes in or comes out. */
static side plane_of(const wf_program *program, wf_nc_machine *m, int plane,
                     bool in)
{
    const wf_nc_ends *ends = &program->ends;
    wf_nc_pair pair = in ? ends->in : ends->out;
    if (!ends->sliced)
        return (side){wf_nc_machine_tensor(m, plane ? pair.im : pair.re),
                      false, 1};
    double *re = wf_nc_machine_room(m, ends->planes);
    return (side){re + plane * program->problem.total, true, 1};
}

static void move_all(const wf_program *program, wf_nc_machine *m, void *re,
                     void *im, bool in)
{
    const wf_problem *problem = &program->problem;
    bool f64 = problem->type == WEFT_F64;
    wf_side which = in ? WF_INPUT : WF_OUTPUT;
    bool complex = wf_side_is_complex(problem->kind, which);
    int scalars = wf_side_scalars(problem, which);
    bool halves = complex && problem->kind != WEFT_C2C && problem->rank == 1;
    if (halves && !in)
        clear_real_ends(problem, plane_of(program, m, 1, false));
    if (complex && !problem->split)
        im = f64 ? (void *)((double *)re + 1) : (void *)((float *)re + 1);
    move(problem, plane_of(program, m, 0, in), (side){re, f64, scalars}, in,
         1);
    if (complex || in)
        move(problem, plane_of(program, m, 1, in),
             (side){complex ? im : NULL, f64, scalars}, in, -1);
    if (halves && in)
        clear_real_ends(problem, plane_of(program, m, 1, in));
}

static int take(wf_program *program)
{
    for (;;) {
        for (int i = 0; i < POOL; i++) {
            if (atomic_exchange_explicit(&program->busy[i], true,
                                         memory_order_acquire))
                continue;
            if (program->block[i] == NULL)
                program->block[i] = wf_alloc(
                    wf_nc_machine_bytes(program->code));
            if (program->block[i] != NULL)
                return i;
            atomic_store_explicit(&program->busy[i], false,
                                  memory_order_release);
        }
        sched_yield();
    }
}

static void execute(const wf_program *shared, const void *in_re,
                    const void *in_im, void *out_re, void *out_im)
{
    wf_program *program = (wf_program *)(uintptr_t)shared;
    int slot = take(program);
    wf_nc_machine *m = wf_nc_machine_at(program->code, program->block[slot]);
    move_all(program, m, (void *)(uintptr_t)in_re, (void *)(uintptr_t)in_im,
             true);
    wf_nc_machine_run(m);
    move_all(program, m, out_re, out_im, false);
    atomic_store_explicit(&program->busy[slot], false, memory_order_release);
}

/* The model's time: there is no other. */
static weft_status measure(wf_program *program, const wf_problem *problem,
                           double limit, double *seconds)
{
    (void)problem, (void)limit;
    *seconds = 1e-9 * wf_nc_time(program->code);
    return WEFT_OK;
}

static void sizes(const wf_program *program, size_t *tables, size_t *scratch)
{
    *tables = wf_nc_table_bytes(program->code);
    *scratch = wf_nc_machine_bytes(program->code);
}

static void order(const wf_program *program, int64_t *at, int64_t n)
{
    (void)program;
    for (int64_t i = 0; i < n; i++)
        at[i] = i;
}

static void explain(const wf_program *program, wf_text *text)
{
    wf_nc_report(program->code, text);
}

static void timetable(const wf_program *program, wf_text *text)
{
    wf_nc_timetable(program->code, text);
}

static bool figure(const wf_program *program, const char *name, double *value)
{
    return wf_nc_figure(program->code, name, value);
}

/* ---- Errors ------------------------------------------------------------- */

static void errors(const wf_program *program, double *bound, double *expected)
{
    *expected = program->ends.error;
    *bound = program->ends.bound;
}

/* ---- The doors ---------------------------------------------------------- */

/* The only rate that planning adds itself: starting the graph. */
static const wf_machine *machine(void)
{
    static const wf_machine rates = {.call = 857e3};
    return &rates;
}

#define NEURON(variable, title)                                      \
    const wf_engine variable = {.name = title,                       \
                                .accepts = accepts,                  \
                                .machine = machine,                  \
                                .widths = widths,                    \
                                .price = price,                      \
                                .flops = flops,                      \
                                .products = products,                \
                                .weigh = weigh,                      \
                                .has = wf_nc_has,                    \
                                .matrix_radix = WF_NC_LARGEST_RADIX, \
                                .bind = bind,                        \
                                .execute = execute,                  \
                                .measure = measure,                  \
                                .release = release,                  \
                                .sizes = sizes,                      \
                                .order = order,                      \
                                .errors = errors,                    \
                                .explain = explain,                  \
                                .timetable = timetable,              \
                                .figure = figure}

NEURON(wf_neuron_trn1, "neuron");
NEURON(wf_neuron_trn2, "neuron-trn2");
NEURON(wf_neuron_product, "neuron-product");
NEURON(wf_neuron_output, "neuron-output");

static wf_nc_core core_of(const wf_engine *engine)
{
    wf_nc_core core = engine == &wf_neuron_trn2 ? wf_nc_trn2 : wf_nc_trn1;
    if (engine == &wf_neuron_product)
        core.product = WF_NC_PRODUCT_BF16;
    if (engine == &wf_neuron_output)
        core.product = WF_NC_OUTPUT_BF16;
    return core;
}
