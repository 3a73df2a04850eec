/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replays a corpus through a fuzz target without libFuzzer, so that every
 * compiler and sanitizer can: each argument is a file, or a folder whose
 * files are taken.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Into a block of exactly the file's size: a sanitizer sees a read beyond. */
static int replay_file(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        fprintf(stderr, "replay: cannot read '%s'\n", path);
        return 1;
    }
    uint8_t *data = NULL;
    long size = -1;
    if (!fseek(stream, 0, SEEK_END))
        size = ftell(stream);
    if (size >= 0 && !fseek(stream, 0, SEEK_SET))
        data = malloc(size ? (size_t)size : 1);
    int bad = !data || fread(data, 1, (size_t)size, stream) != (size_t)size;
    fclose(stream);
    if (bad)
        fprintf(stderr, "replay: cannot read '%s'\n", path);
    else
        LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return bad;
}

static int replay_folder(DIR *folder, const char *path, int *count)
{
    int bad = 0;
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        bad |= replay_file(name);
        ++*count;
    }
    return bad;
}

int main(int argc, char **argv)
{
    int bad = 0, count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder) {
            bad |= replay_folder(folder, argv[i], &count);
            closedir(folder);
        } else {
            bad |= replay_file(argv[i]);
            count++;
        }
    }
    printf("%d inputs replayed\n", count);
    return bad || count == 0;
}
