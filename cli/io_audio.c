/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings by libsndfile: see io_audio.h. */
#include "io_audio.h"

#if WEFT_CLI_SNDFILE

#include <string.h>

#include <sndfile.h>

#include <weft/weft.h>

/* libsndfile reads through these from a block in memory, so that a pipe
 * works as well as a file. */
typedef struct memory_file {
    const unsigned char *bytes;
    sf_count_t length, at;
} memory_file;

static sf_count_t memory_length(void *context)
{
    return ((memory_file *)context)->length;
}

static sf_count_t memory_seek(sf_count_t offset, int whence, void *context)
{
    memory_file *file = context;
    sf_count_t base = whence == SEEK_SET   ? 0
                      : whence == SEEK_CUR ? file->at
                                           : file->length;
    if (offset < -base || offset > file->length - base)
        return -1;
    file->at = base + offset;
    return file->at;
}

static sf_count_t memory_read(void *to, sf_count_t count, void *context)
{
    memory_file *file = context;
    if (count > file->length - file->at)
        count = file->length - file->at;
    memcpy(to, file->bytes + file->at, (size_t)count);
    file->at += count;
    return count;
}

static sf_count_t memory_write(const void *from, sf_count_t count,
                               void *context)
{
    (void)from, (void)count, (void)context;
    return 0;
}

static sf_count_t memory_tell(void *context)
{
    return ((memory_file *)context)->at;
}

static bool is_wide(int format)
{
    int sub = format & SF_FORMAT_SUBMASK;
    return sub == SF_FORMAT_DOUBLE || sub == SF_FORMAT_PCM_32;
}

/* The header's count of frames is a promise, not to be trusted: space grows
 * as frames arrive. */
static bool read_frames(SNDFILE *sound, const SF_INFO *info, array *result,
                        reason *why)
{
    enum { BLOCK = 65536 };
    size_t frame = (size_t)info->channels * array_element(result->type);
    int64_t capacity = BLOCK, frames = 0;
    char *data = weft_alloc((size_t)capacity * frame);
    while (data) {
        char *to = data + (size_t)frames * frame;
        sf_count_t got = array_is_double(result->type)
                             ? sf_readf_double(sound, (double *)to, BLOCK)
                             : sf_readf_float(sound, (float *)to, BLOCK);
        if (got <= 0)
            break;
        frames += got;
        if (frames + BLOCK <= capacity)
            continue;
        char *larger = weft_alloc(2 * (size_t)capacity * frame);
        if (larger)
            memcpy(larger, data, (size_t)frames * frame);
        weft_free(data);
        data = larger;
        capacity *= 2;
    }
    if (!data) {
        because(why, "no memory for its frames");
        return false;
    }
    result->shape[0] = frames;
    result->shape[1] = info->channels;
    result->count = frames * info->channels;
    result->data = data;
    return true;
}

/* The bytes that the head of a RIFF file speaks of; 0: it does not know, or is a
 * pipe's, which has some number beyond its reach. */
static size_t promised_bytes(const unsigned char *bytes, size_t length)
{
    const uint32_t unknown = 0x7fff0000;
    if (length < 8 || memcmp(bytes, "RIFF", 4) != 0)
        return 0;
    const uint32_t size = bytes[4] | (uint32_t)bytes[5] << 8 |
                          (uint32_t)bytes[6] << 16 | (uint32_t)bytes[7] << 24;
    return size < unknown ? (size_t)size + 8 : 0;
}

static void note_cut(const SF_INFO *info, const unsigned char *bytes,
                     size_t length, int64_t frames, reason *why)
{
    const size_t promised = promised_bytes(bytes, length);
    if (promised > length + 1) /* a last pad byte is often missing */
        because(why, "cut short: %zu of %zu bytes are there, %lld frames",
                length, promised, (long long)frames);
    else if (frames < info->frames && info->frames < INT64_MAX)
        because(why, "cut short: %lld of %lld frames are there",
                (long long)frames, (long long)info->frames);
}

int audio_parse(const unsigned char *bytes, size_t length, array *result,
                reason *why)
{
    *result = (array){.data = NULL};
    why->text[0] = 0;
    SF_VIRTUAL_IO io = {memory_length, memory_seek, memory_read, memory_write,
                        memory_tell};
    memory_file file = {bytes, (sf_count_t)length, 0};
    SF_INFO info = {.format = 0};
    SNDFILE *sound = sf_open_virtual(&io, SFM_READ, &info, &file);
    if (!sound) {
        because(why, "libsndfile says: %s", sf_strerror(NULL));
        return CODE_INPUT;
    }
    if (info.channels < 1 || info.channels > 1024) {
        because(why, "it claims %d channels", info.channels);
        sf_close(sound);
        return CODE_INPUT;
    }
    result->type = is_wide(info.format) ? ARRAY_F64 : ARRAY_F32;
    result->rank = info.channels > 1 ? 2 : 1;
    result->rate = info.samplerate;
    bool good = read_frames(sound, &info, result, why);
    sf_close(sound);
    if (good)
        note_cut(&info, bytes, length, result->shape[0], why);
    return good ? CODE_OK : CODE_INPUT;
}

const char *audio_library(void)
{
    return sf_version_string();
}

#else

int audio_parse(const unsigned char *bytes, size_t length, array *result,
                reason *why)
{
    (void)bytes, (void)length;
    *result = (array){.data = NULL};
    because(why, "weft was built without libsndfile, which reads "
                 "recordings (.npy, .csv and raw files need it not)");
    return CODE_ABSENT;
}

const char *audio_library(void)
{
    return NULL;
}

#endif
