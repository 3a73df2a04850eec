/* SPDX-License-Identifier: BSD-3-Clause */
/* weft info: the machine as libweft sees it, and what this program can do. */
#include <stdlib.h>

#include <weft/weft.h>

#include "args.h"
#include "io_audio.h"
#include "peer.h"
#include "picture.h"
#include "report.h"

enum { OPT_JSON };

static const arg options[] = {{"json", NULL, "print a JSON report"},
                              {NULL, NULL, NULL}};

static const command self = {
    "info", "[OPTION...]",
    "Prints CPU features, engines and kernels, what this build of weft "
    "was made with, and the other FFT libraries it finds.",
    "  weft info\n"
    "  weft info --json\n"
    "  WEFT_ISA=avx2 weft info\n",
    options};

static void show_part(report *parts, const char *name, const char *version)
{
    report_text(parts, name, version ? version : "left out");
    if (!parts)
        printf("built with: %-12s %s\n", name, version ? version : "left out");
}

static void show_peers(report *root)
{
    static peer_list list; /* large; made once a run */
    peers_open(&list, &(peer_options){.threads = 1}, NULL);
    report *rows = report_array(root, "peers");
    for (int i = 0; i < list.count; i++) {
        const peer *p = &list.peers[i];
        report *row = report_append(rows);
        report_text(row, "name", p->name);
        report_text(row, "build", p->build);
        report_text(row, "path", p->path[p->library[0] ? 0 : 1]);
        if (!root)
            printf("peer:       %-12s %s (%s)\n", p->name, p->build,
                   p->path[p->library[0] ? 0 : 1]);
    }
    for (int i = 0; i < list.absent_count && !root; i++)
        printf("peer:       %-12s absent: %s\n", list.absent[i].name,
               list.absent[i].why.text);
}

static int run(report *root)
{
    size_t length = 0;
    if (weft_info(NULL, 0, &length))
        return fail_library("the machine's description");
    char *text = malloc(length + 1);
    if (!text)
        return fail(CODE_LIBRARY, "no memory for %zu bytes", length + 1);
    if (weft_info(text, length + 1, NULL)) {
        free(text);
        return fail_library("the machine's description");
    }
    report_text(root, "machine", text);
    if (!root)
        printf("weft %s, ISA %s\n%s%s", weft_version(), weft_isa(), text,
               length && text[length - 1] != '\n' ? "\n" : "");
    free(text);
    report *parts = report_object(root, "built_with");
    show_part(parts, "libsndfile", audio_library());
    show_part(parts, "cairo", picture_library());
    show_part(parts, "jansson", report_library());
    show_peers(root);
    return CODE_OK;
}

static int set_json(void *json, int option, const char *value)
{
    (void)option, (void)value; /* there is one, a switch */
    *(bool *)json = true;
    return CODE_OK;
}

int command_info(int argc, char **argv)
{
    report *root = NULL;
    bool json = false;
    int code = args_parse(&self, argc, argv, set_json, &json);
    if (code)
        return code == ARGS_HELP ? CODE_OK : code;
    if (argc > args_operands())
        return fail(CODE_USAGE, "takes no operand, not '%s'",
                    argv[args_operands()]);
    code = json ? report_begin(&root) : CODE_OK;
    if (!code)
        code = run(root);
    int printed = code ? CODE_OK : report_end(root);
    return code ? code : printed;
}
