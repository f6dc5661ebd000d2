// The file of this rank. It is mapped, a window at a time, so that what is written survives the death of the process
// without a system call per line. The space of a window is reserved before it is used: a full disk is an error code then,
// and no signal.
#define _GNU_SOURCE
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    window_size = 1 << 20,
    max_line = 1 << 16, // longer ones do not occur: names of objects and communicators are cut
};

static int file = -1;
static char* window;       // null: none is mapped
static off_t window_start; // in the file
static size_t used;        // bytes of the window
static bool recording;

static char line[max_line];
static size_t length;

bool is_recording(void) { return recording; }

static void give_up(char const* what) {
    recording = false;
    fprintf(stderr, "matchpoint: %s: %s; this rank is not recorded from here on\n", what, strerror(errno));
}

void* allocate(size_t size) {
    void* const memory = calloc(1, size == 0 ? 1 : size);
    if (memory != NULL) return memory;
    fputs("matchpoint: the recorder is out of memory\n", stderr);
    abort();
}

static bool map_window(off_t start) {
    int const code = posix_fallocate(file, start, window_size);
    if (code != 0) {
        errno = code;
        give_up("the recording cannot grow");
        return false;
    }
    void* const mapped = mmap(NULL, window_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, start);
    if (mapped == MAP_FAILED) {
        give_up("the recording cannot be mapped");
        return false;
    }
    if (window != NULL) munmap(window, window_size);
    window = mapped;
    window_start = start;
    used = 0;
    return true;
}

/// A forked child is not this rank.
static void in_child(void) {
    recording = false;
    file = -1;
}

void open_log(char const* folder, int rank, int size) {
    char name[4096];
    if (snprintf(name, sizeof name, "%s/rank-%05d.mpirec", folder, rank) >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        give_up(folder);
        return;
    }
    file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) give_up(name);
    if (file < 0 || !map_window(0)) return;
    recording = true;
    pthread_atfork(NULL, NULL, in_child);
    begin_line("matchpoint-mpi");
    add_number(1);
    end_line();
    begin_line("rank");
    add_number(rank);
    add_number(size);
    end_line();
}

void close_log(void) {
    if (file < 0) return;
    recording = false;
    if (ftruncate(file, window_start + (off_t)used) != 0) perror("matchpoint: the recording cannot be cut to its length");
    munmap(window, window_size);
    window = NULL;
    close(file);
    file = -1;
}

static void put(char const* text, size_t size) {
    if (size > max_line - 1 - length) size = max_line - 1 - length; // one is left for the line break
    memcpy(line + length, text, size);
    length += size;
}

void begin_line(char const* word) {
    check_thread();
    length = 0;
    put(word, strlen(word));
}

void add_text(char const* text) {
    put(" ", 1);
    put(text, strlen(text));
}

static void add_digits(uint64_t n, unsigned base, bool is_negative) {
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[n % base];
        n /= base;
    } while (n != 0);
    if (is_negative) digits[--at] = '-';
    digits[--at] = ' ';
    put(digits + at, sizeof digits - at);
}

void add_number(int64_t n) { add_digits(n < 0 ? 0 - (uint64_t)n : (uint64_t)n, 10, n < 0); }
void add_hexadecimal(uint64_t n) { add_digits(n, 16, false); }

void end_line(void) {
    if (!recording) return;
    line[length++] = '\n';
    size_t const text = length - 1;
    for (size_t at = 0; at < length;) {
        if (used == window_size && !map_window(window_start + window_size)) return;
        size_t const room = window_size - used;
        // The line break comes last: a line without one is none.
        size_t const left = at < text ? text - at : 1;
        size_t const part = left < room ? left : room;
        atomic_signal_fence(memory_order_seq_cst);
        memcpy(window + used, line + at, part);
        used += part;
        at += part;
    }
}
