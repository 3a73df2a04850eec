/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weft: Fourier transforms from the command line.  One file a subcommand
 * (cmd_*.c), one file a format (io_*.c); everything is computed by libweft
 * through its public headers.
 */
#include <stdio.h>
#include <string.h>

#include <weft/weft.h>

#include "args.h"
#include "cli.h"

static const struct {
    const char *name;
    command_function *run;
    const char *summary;
} commands[] = {
    {"fft", command_fft, "transform a file"},
    {"stft", command_stft, "spectrogram of a recording, PNG or .npy"},
    {"plan", command_plan, "show the plan of a problem, its costs, why"},
    {"verify", command_verify, "check a problem's results in four ways"},
    {"accuracy", command_accuracy, "measure errors against the reference"},
    {"neuron", command_neuron, "the NeuronCore model beside measurements"},
    {"bench", command_bench, "time problems beside other libraries"},
    {"tune", command_tune, "compile kernels for single problems"},
    {"info", command_info, "CPU features, engines, kernels, this build"},
    {"run-with-fftw", command_run_with_fftw,
     "start a program for FFTW on weft's drop-in libraries"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void usage(FILE *stream)
{
    fprintf(stream,
            "weft %s: fast Fourier transforms\n\n"
            "Usage: weft COMMAND [OPTION...] [OPERAND...]\n\n",
            weft_version());
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(stream, "  %-13s %s\n", commands[i].name, commands[i].summary);
    fputs("\nweft COMMAND --help tells more, with examples; weft(1) is the "
          "manual.\n",
          stream);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return CODE_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h") ||
        !strcmp(name, "help")) {
        usage(stdout);
        return CODE_OK;
    }
    if (!strcmp(name, "--version")) {
        printf("weft %s\n", weft_version());
        return CODE_OK;
    }
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        args_set_command(commands[i].name);
        int code = commands[i].run(argc - 1, argv + 1);
        progress_end();
        if ((fflush(stdout) || ferror(stdout)) && !code)
            return fail(CODE_OUTPUT, "cannot write to standard output");
        return code;
    }
    fprintf(stderr, "weft: unknown command '%s' (try weft --help)\n", name);
    return CODE_USAGE;
}
