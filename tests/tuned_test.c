/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tuned_test.c - code compiled for single steps.
 *
 *   tuned_test COMPILER WEFT-GEN HEADERS
 *
 * Compiles what weft_plan_source writes, as its comment says, and loads it:
 * the plan made then runs it and gives the same bits; a plan that differs in
 * one number, and a file in which one number was changed, stay apart.  What
 * is unsafe, foreign or broken is refused with its reason.  Without the
 * compiler only the refusals that need none are checked.
 */
#define _GNU_SOURCE
#include "base/base.h"
#include "check.h"
#include "cpu/node.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <weft/weft.h>

enum { PATH = 400, LONGEST = 5120 * 16 };

static char folder[] = "/tmp/weft-tuned-XXXXXX";
static const char *compiler, *generator, *headers;

/* ---- Plans and results ---------------------------------------------------- */

static const struct sample {
    const char *problem;
    weft_type type;
    const char *tree; /* with %d: the widest vectors */
} samples[] = {
    {"c2c:f64:512", WEFT_F64, "(rank (rows 0 (stockham 512 w%d 8+8.8)))"},
    /* a scale, legs in reverse, a fused pair, input that is output */
    {"c2c:f32:256:inverse:inplace:norm=backward", WEFT_F32,
     "(rank (rows 0 (stockham 256 w%d 16.4+4)))"},
    /* planes, vectors that overlap at the end of a row, a large prime */
    {"c2c:f64:207:split", WEFT_F64, "(rank (rows 0 (stockham 207 w%d 9.23)))"},
    /* the caller's two arrays between passes, as planes */
    {"c2c:f64:512:split", WEFT_F64,
     "(rank (rows 0 (stockham 512 w%d 8.8.8)))"},
    /* below another step */
    {"c2c:f64:257", WEFT_F64,
     "(rank (rows 0 (rader 257 (stockham 256 w%d 8.8.4))))"},
    /* two of them */
    {"c2c:f64:5120", WEFT_F64,
     "(rank (rows 0 (sixstep 5120 64x80 (stockham 64 w%d 8.8) "
     "(stockham 80 w%d 8.10))))"},
};
enum { SAMPLES = sizeof samples / sizeof samples[0], TWO = SAMPLES - 1 };

static weft_status create(const struct sample *s, weft_plan **plan)
{
    char tree[200];
    int width = wf_cpu_widths(s->type)[0];
    snprintf(tree, sizeof tree, s->tree, width, width);
    weft_plan_options options = {.size = sizeof options, .tree = tree};
    weft_problem problem;
    weft_status status = weft_problem_parse(s->problem, &problem);
    return status == WEFT_OK ? weft_plan_create(&problem, &options, plan)
                             : status;
}

static weft_plan *plan_of(const struct sample *s)
{
    weft_plan *plan = NULL;
    CHECK(create(s, &plan) == WEFT_OK, "%s as %s: %s", s->problem, s->tree,
          weft_error_text());
    return plan;
}

static double figure(const weft_plan *plan, const char *name)
{
    double value = -1;
    CHECK(weft_plan_figure(plan, name, &value) == WEFT_OK, "%s: %s", name,
          weft_error_text());
    return value;
}

/* What the plan leaves in `out`, the imaginary parts LONGEST bytes on. */
static void run(const weft_plan *plan, const struct sample *s, char *out)
{
    static double in[LONGEST / sizeof(double)];
    float *singles = (float *)(void *)in;
    for (int i = 0; i < (int)(LONGEST / sizeof(float)); i++)
        if (s->type == WEFT_F32)
            singles[i] = (float)(i * 7919 % 1000) / 500 - 1;
        else if (i % 2 == 0)
            in[i / 2] = (i * 7919 % 1000) / 500.0 - 1;
    weft_status status;
    memset(out, 0, 2 * LONGEST);
    if (strstr(s->problem, "split")) {
        status = weft_execute_split(plan, in, in + 128, out, out + LONGEST);
    } else if (strstr(s->problem, "inplace")) {
        memcpy(out, in, LONGEST);
        status = weft_execute(plan, out, out);
    } else {
        status = weft_execute(plan, in, out);
    }
    CHECK(status == WEFT_OK, "%s: %s", s->problem, weft_error_text());
}

/* ---- Files ---------------------------------------------------------------- */

static const char *in_folder(const char *name)
{
    static char path[4][PATH];
    static int next;
    char *p = path[next++ % 4];
    snprintf(p, PATH, "%s/%s", folder, name);
    return p;
}

static void write_file(const char *name, const char *data, size_t size)
{
    FILE *file = fopen(in_folder(name), "w");
    if (CHECK(file != NULL, "cannot write %s", name)) {
        fwrite(data, 1, size, file);
        fclose(file);
        chmod(in_folder(name), 0644);
    }
}

static size_t read_file(const char *name, char *data, size_t size)
{
    FILE *file = fopen(in_folder(name), "r");
    size_t length = file ? fread(data, 1, size, file) : 0;
    if (file)
        fclose(file);
    return length;
}

/* The words of the source's line that begins with `first`. */
static void words_of(const char *source, const char *first, char *words,
                     size_t size)
{
    char start[40];
    snprintf(start, sizeof start, "\n%s ", first);
    const char *line = strstr(source, start);
    words[0] = '\0';
    if (CHECK(line != NULL, "no line %s in the source", first)) {
        line += strlen(start);
        snprintf(words, size, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

static bool shell(const char *format, const char *words, const char *name)
{
    char line[6000];
    snprintf(line, sizeof line, format, folder,
             strstr(format, "-I") ? compiler : generator, words,
             strstr(format, "-I") ? headers : "", name);
    return CHECK(system(line) == 0, "%s", line);
}

/* Part `part` of a plan as file NAME.so. */
static bool compile(const weft_plan *plan, int part, const char *name)
{
    static char source[1 << 16];
    char words[4000];
    size_t length = 0;
    weft_status status = weft_plan_source(plan, part, source, sizeof source,
                                          &length);
    if (!CHECK(status == WEFT_OK && length < sizeof source, "source: %s",
               weft_error_text()))
        return false;
    write_file("step.c", source, length);
    words_of(source, "weft-gen", words, sizeof words);
    if (!shell("cd %s && '%s' %s%s", words, ""))
        return false;
    words_of(source, "cc", words, sizeof words);
    return shell("umask 022; cd %s && '%s' %s -Wall -Wextra -Werror "
                 "-I '%s' step.c -o %s",
                 words, name);
}

/* A copy of a file in which the last character of a text, wherever that stands
 * (compilers sort their texts as they like), is another one. */
static void change(const char *from, const char *to, const char *text,
                   size_t size)
{
    static char data[1 << 20];
    size_t length = read_file(from, data, sizeof data);
    char *end = data + length, *found = data;
    int changes = 0;
    for (; (found = memmem(found, (size_t)(end - found), text, size));
         found += size, changes++) {
        char *last = found + strnlen(text, size) - 1;
        *last = *last == '1' ? '2' : '1';
    }
    if (CHECK(changes > 0, "%s has no \"%s\"", from, text))
        write_file(to, data, length);
}

/* ---- What is refused ------------------------------------------------------ */

static void refuse(const char *path, weft_status want, const char *says)
{
    weft_status status = weft_tuned_load(path);
    CHECK(status == want && strstr(weft_error_text(), says) != NULL,
          "%s: %s, %s; want %s, %s", path ? path : "NULL",
          weft_status_name(status), weft_error_text(), weft_status_name(want),
          says);
}

static void check_refusals(void)
{
    const char text[] = "no code at all";
    refuse(NULL, WEFT_ERR_ARGUMENT, "NULL");
    refuse("", WEFT_ERR_ARGUMENT, "empty");
    refuse(in_folder("nothing"), WEFT_ERR_IO, "nothing");
    refuse("/dev/null", WEFT_ERR_ARGUMENT, "neither a file nor a folder");
    CHECK(weft_tuned_load(folder) == WEFT_OK, "an empty folder: %s",
          weft_error_text());
    write_file("bad.so", text, sizeof text);
    refuse(in_folder("bad.so"), WEFT_ERR_PARSE, "bad.so");
    refuse(folder, WEFT_ERR_PARSE, "bad.so");
    chmod(in_folder("bad.so"), 0666);
    refuse(in_folder("bad.so"), WEFT_ERR_ARGUMENT, "0666");
    refuse(folder, WEFT_ERR_ARGUMENT, "0666");
    chmod(in_folder("bad.so"), 0620);
    refuse(in_folder("bad.so"), WEFT_ERR_ARGUMENT, "0620");
    if (geteuid() == 0 && chown(in_folder("bad.so"), 12345, 0) == 0) {
        chmod(in_folder("bad.so"), 0644);
        refuse(in_folder("bad.so"), WEFT_ERR_ARGUMENT, "user 12345");
    }
    unlink(in_folder("bad.so"));
    write_file("file", text, sizeof text);
    CHECK(symlink("file", in_folder("link.so")) == 0, "symlink");
    refuse(folder, WEFT_ERR_ARGUMENT, "link.so");
    unlink(in_folder("link.so"));
    chmod(folder, 0777);
    refuse(folder, WEFT_ERR_ARGUMENT, "0777");
    refuse(in_folder("file"), WEFT_ERR_ARGUMENT, "0777");
    chmod(folder, 01777); /* that will do further up only */
    refuse(in_folder("file"), WEFT_ERR_ARGUMENT, "1777");
    chmod(folder, 0700);
    unlink(in_folder("file"));
}

static void no_source(const char *text, int part, const char *says)
{
    weft_problem problem;
    weft_plan *plan = NULL;
    size_t length = 77;
    char buffer[8] = "before";
    weft_status status = weft_problem_parse(text, &problem);
    if (status == WEFT_OK)
        status = weft_plan_create(&problem, NULL, &plan);
    CHECK(status == WEFT_OK, "%s: %s", text, weft_error_text());
    status = weft_plan_source(plan, part, buffer, sizeof buffer, &length);
    CHECK(status == WEFT_ERR_UNSUPPORTED && length == 77 &&
              strcmp(buffer, "before") == 0 &&
              strstr(weft_error_text(), says) != NULL,
          "%s: %s, %s", text, weft_status_name(status), weft_error_text());
    weft_plan_release(plan);
}

static void check_sources(void)
{
    char small[10], *text;
    size_t length = 0, again = 0;
    weft_plan *plan = plan_of(&samples[0]);
    no_source("c2c:f64:8", 0, "has 0 steps");
    no_source("c2c:f64:8*0", 0, "does nothing");
    no_source("c2c:f32:4096:engine=neuron", 0, "neuron");
    CHECK(weft_plan_source(NULL, 0, NULL, 0, NULL) == WEFT_ERR_ARGUMENT, "-");
    CHECK(weft_plan_source(plan, -1, NULL, 0, NULL) == WEFT_ERR_ARGUMENT, "-");
    CHECK(weft_plan_source(plan, 0, NULL, 9, NULL) == WEFT_ERR_ARGUMENT, "-");
    CHECK(weft_plan_source(plan, 1, NULL, 0, NULL) == WEFT_ERR_UNSUPPORTED &&
              strstr(weft_error_text(), "has 1 steps") != NULL,
          "%s", weft_error_text());
    CHECK(weft_plan_source(plan, 0, NULL, 0, &length) == WEFT_OK, "-");
    CHECK(weft_plan_source(plan, 0, small, sizeof small, &again) == WEFT_OK &&
              again == length && strlen(small) == 9,
          "%zu, then %zu", length, again);
    CHECK(figure(plan, "tunable_steps") == 1, "-");
    for (int64_t n = 0;; n++) { /* no memory, at every place */
        int64_t live = wf_alloc_live();
        wf_alloc_fail_after(n);
        weft_status status = weft_plan_source(plan, 0, NULL, 0, NULL);
        wf_alloc_fail_after(-1);
        CHECK(wf_alloc_live() == live, "allocation %d leaks", (int)n);
        if (status == WEFT_OK)
            break;
        CHECK(status == WEFT_ERR_NO_MEMORY && n < 100, "allocation %d: %s",
              (int)n, weft_status_name(status));
    }
    text = malloc(length + 1);
    CHECK(weft_plan_source(plan, 0, text, length + 1, NULL) == WEFT_OK &&
              strlen(text) == length,
          "-");
    free(text);
    weft_plan_release(plan);
}

/* ---- What is compiled ----------------------------------------------------- */

/* A file that is foreign, or of another time or place. */
static void check_changed(const char *file)
{
    static const char other[] = "int something;\n";
    const char *version = weft_version();
    wf_isa level = wf_isa_of_width(WF_F64, wf_cpu_widths(WEFT_F64)[0]);
    const char *isa = wf_isa_name(level);
    change(file, "version.so", version, strlen(version) + 1);
    refuse(in_folder("version.so"), WEFT_ERR_UNSUPPORTED, "this is");
    change(file, "isa.so", isa, strlen(isa) + 1);
    refuse(in_folder("isa.so"), WEFT_ERR_UNSUPPORTED, "in use is");
    write_file("other.c", other, sizeof other - 1);
    if (shell("cd %s && '%s' %s -shared -fPIC -I '%s' other.c -o %s", "",
              "other.so"))
        refuse(in_folder("other.so"), WEFT_ERR_PARSE, "weft_tuned_");
    /* One number of the key: loaded, and no step is found to fit. */
    change(file, "stale.so", ".in_leg = 1", 11);
    CHECK(weft_tuned_load(in_folder("stale.so")) == WEFT_OK, "%s",
          weft_error_text());
    weft_plan *stale = plan_of(&samples[0]);
    CHECK(figure(stale, "tuned_steps") == 0, "code for other numbers is used");
    weft_plan_release(stale);
    unlink(in_folder("version.so"));
    unlink(in_folder("isa.so"));
    unlink(in_folder("other.so"));
    unlink(in_folder("stale.so"));
}

static void check_tuned(const struct sample *s, const weft_plan *builtin)
{
    static char want[2 * LONGEST], got[2 * LONGEST], text[1 << 16];
    weft_plan *tuned = plan_of(s);
    CHECK(figure(builtin, "tuned_steps") == 0, "%s: an older plan changed",
          s->problem);
    CHECK(figure(tuned, "tuned_steps") == figure(tuned, "tunable_steps"),
          "%s: the code is not used", s->problem);
    run(builtin, s, want);
    run(tuned, s, got);
    CHECK(memcmp(want, got, sizeof want) == 0, "%s: other bits", s->problem);
    CHECK(weft_plan_explain(tuned, text, sizeof text, NULL) == WEFT_OK &&
              strstr(text, "\ntuned: stockham ") != NULL,
          "%s: weft_plan_explain does not say it", s->problem);
    CHECK(weft_info(text, sizeof text, NULL) == WEFT_OK &&
              strstr(text, "\ntuned: stockham ") != NULL,
          "weft_info does not say it");
    weft_plan_release(tuned);
}

/* A scale is a number, too. */
static void check_other_numbers(void)
{
    struct sample s = samples[1];
    s.problem = "c2c:f32:256:inverse:inplace:norm=ortho";
    weft_plan *plan = plan_of(&s);
    CHECK(figure(plan, "tuned_steps") == 0, "used for another scale");
    weft_plan_release(plan);
}

/* No memory while planning with code there: refused, or without the code. */
static void check_no_memory(void)
{
    weft_plan *plan = NULL;
    for (int64_t n = 0; n < 10000; n++) {
        int64_t live = wf_alloc_live();
        wf_alloc_fail_after(n);
        weft_status status = create(&samples[0], &plan);
        bool failed = wf_alloc_fail_after(-1) > n;
        weft_plan_release(plan);
        CHECK(wf_alloc_live() == live, "allocation %d leaks", (int)n);
        CHECK(status == WEFT_OK || status == WEFT_ERR_NO_MEMORY,
              "allocation %d: %s", (int)n, weft_status_name(status));
        if (!failed)
            return;
    }
}

static void *load_and_plan(void *wrong)
{
    for (int i = 0; i < 8; i++) {
        weft_plan *plan = NULL;
        double tuned = 0;
        if (weft_tuned_load(folder) != WEFT_OK ||
            create(&samples[0], &plan) != WEFT_OK ||
            weft_plan_figure(plan, "tuned_steps", &tuned) != WEFT_OK ||
            tuned != 1)
            *(int *)wrong = 1;
        weft_plan_release(plan);
    }
    return NULL;
}

static void check_threads(void)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    int wrong[THREADS] = {0}, made = 0;
    while (made < THREADS &&
           !pthread_create(&thread[made], NULL, load_and_plan, &wrong[made]))
        made++;
    for (int i = 0; i < made; i++) {
        pthread_join(thread[i], NULL);
        CHECK(!wrong[i], "thread %d", i);
    }
}

static void check_compiled(void)
{
    weft_plan *builtin[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        builtin[i] = plan_of(&samples[i]);
    for (int i = 0; i < SAMPLES; i++) {
        int parts = (int)figure(builtin[i], "tunable_steps");
        CHECK(parts == (i == TWO ? 2 : 1), "%s: %d parts", samples[i].problem,
              parts);
        for (int part = 0; part < parts; part++) {
            char name[20];
            snprintf(name, sizeof name, "%d-%d.so", i, part);
            if (!compile(builtin[i], part, name))
                continue;
            if (i == 0)
                check_changed(name);
            CHECK(weft_tuned_load(in_folder(name)) == WEFT_OK, "%s",
                  weft_error_text());
        }
        check_tuned(&samples[i], builtin[i]);
    }
    check_other_numbers();
    check_no_memory();
    check_threads();
    for (int i = 0; i < SAMPLES; i++)
        weft_plan_release(builtin[i]);
}

int main(int argc, char **argv)
{
    char line[PATH];
    if (argc != 4 || mkdtemp(folder) == NULL) {
        fputs("tuned_test COMPILER WEFT-GEN HEADERS, and /tmp\n", stderr);
        return 2;
    }
    compiler = argv[1];
    generator = argv[2];
    headers = argv[3];
    check_refusals();
    check_sources();
    snprintf(line, sizeof line, "'%s' --version >/dev/null 2>&1", compiler);
    if (system(line) == 0)
        check_compiled();
    else
        printf("left out: %s does not run here\n", compiler);
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    CHECK(system(line) == 0, "%s", line);
    return check_report("tuned_test");
}
