/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay.c - a fuzz target without a fuzzer: gives it every file in the
 * folders and files named on the command line, and every file again with
 * each of its bytes changed and cut at each length (up to a limit), so that
 * a small corpus reaches far.  Deterministic.
 */
#define _POSIX_C_SOURCE 200809L /* opendir */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST = 1 << 20, EDITS = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t inputs;

/* A copy of exactly `size` bytes, so that a sanitizer sees its end. */
static void give(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    if (copy == NULL)
        exit(1);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    inputs++;
}

static void give_variants(uint8_t *data, size_t size)
{
    static const uint8_t change[] = {0x01, 0x80, 0xff};
    size_t step = size / EDITS + 1;
    give(data, size);
    for (size_t i = 0; i < size; i += step) {
        give(data, i);
        for (size_t c = 0; c < sizeof change; c++) {
            data[i] ^= change[c];
            give(data, size);
            data[i] ^= change[c];
        }
    }
}

static void replay_file(const char *path)
{
    static uint8_t data[LONGEST];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    give_variants(data, size);
}

static void replay(const char *path)
{
    struct stat status;
    if (stat(path, &status) || !S_ISDIR(status.st_mode)) {
        replay_file(path);
        return;
    }
    DIR *folder = opendir(path);
    if (folder == NULL) {
        perror(path);
        exit(1);
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        replay(name);
    }
    closedir(folder);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%zu inputs\n", inputs);
    return inputs == 0;
}
