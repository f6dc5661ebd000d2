// The file of a thread, and its window: a small file that is mapped, in which records are written, so that what is
// written survives the death of the process without a system call per record. A window that is full goes to the end of
// the file; its pages are used again, so that they cost nothing. Behind the last record of a window is always room for
// saying that the disk is full, and that the program has failed.
#define _GNU_SOURCE
#include "cells.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    max_note = 2 * max_text + 64,
    window_size = 1 << 17,
    last_words = 1024,
};

__thread struct thread self __attribute__((tls_model("initial-exec"))) = {.file = -1};
char const* record_folder;

static void give_up(char const* what, int code) {
    fprintf(stderr, "matchpoint: %s: %s; thread %u is not recorded\n", what, strerror(code), self.number);
}

void* own_memory(size_t size) {
    void* const memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) return memory;
    static char const text[] = "matchpoint: the recorder is out of memory\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(127);
    _exit(127);
}

/// A limit on the size of files is an error code, too: the signal for it is not the program's.
static void hold_limit(sigset_t* before) {
    sigset_t limit;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, before);
}

static void release_limit(sigset_t const* before, int code) {
    sigset_t limit;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    if (code == EFBIG) sigtimedwait(&limit, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

static uint8_t* first_record(void) { return self.window + matchpoint_window_head; }

/// The window has what follows so many bytes of the file.
static void begin_window(uint64_t after) {
    self.at = first_record();
    forget_repetition();
    *self.at = 0; // before it says that these are other bytes
    __atomic_store_n((uint64_t*)self.window, after, __ATOMIC_RELEASE);
}

/// Writes the window to the end of the file. Returns an error code; what is in the window counts then.
static int write_window(void) {
    uint8_t const* const begin = first_record();
    size_t const size = (size_t)(self.at - begin);
    sigset_t before;
    hold_limit(&before);
    int code = 0;
    for (size_t done = 0; done < size && code == 0;) {
        ssize_t const n = write(self.file, begin + done, size - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno != EINTR)
            code = errno;
    }
    release_limit(&before, code);
    if (code == 0) begin_window(*(uint64_t*)self.window + size);
    return code;
}

static bool name_file(char* name, size_t size, char const* ending) {
    int const length = snprintf(name, size, "%s/thread-%05u.%s", record_folder, self.number, ending);
    return length < (int)size;
}

/// Maps a window, whose space is reserved: a full disk is an error code then, and no signal. Returns one.
static int open_window(char const* name) {
    int const file = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return errno;
    sigset_t before;
    hold_limit(&before);
    int code = EINTR;
    while (code == EINTR) code = posix_fallocate(file, 0, window_size);
    release_limit(&before, code);
    void* mapped = MAP_FAILED;
    if (code == 0 && (mapped = mmap(NULL, window_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)) == MAP_FAILED)
        code = errno;
    close(file);
    if (code != 0) {
        unlink(name);
        return code;
    }
    self.window = mapped;
    self.limit = self.window + window_size - last_words;
    begin_window((uint64_t)lseek(self.file, 0, SEEK_END));
    return 0;
}

static bool is_event(enum matchpoint_record kind) {
    return (kind >= matchpoint_create && kind < matchpoint_awaits) ||
           (kind >= matchpoint_concrete && kind <= matchpoint_exchange) || kind == matchpoint_outside;
}

void end_record(uint8_t* begin, enum matchpoint_record kind, uint8_t* end) {
    *end = 0;                                  // what was here before
    atomic_signal_fence(memory_order_seq_cst); // a record without its first byte is none
    *begin = (uint8_t)kind;
    self.at = end;
    self.events += is_event(kind);
}

static uint8_t* put_cut(uint8_t* at, char const* text, size_t most) {
    size_t const size = text == NULL ? 0 : strnlen(text, most);
    at = put_u(at, size);
    if (size > 0) memcpy(at, text, size);
    return at + size;
}

uint8_t* put_text(uint8_t* at, char const* text) { return put_cut(at, text, max_text); }

/// A text in the room for last words.
static uint8_t* put_short(uint8_t* at, char const* text) { return put_cut(at, text, last_words / 8); }

static void stop_writing(int code) {
    uint8_t* const begin = self.at;
    uint8_t* at = put_u(begin + 1, 0);
    at = put_short(at, "recorder");
    char text[last_words / 8];
    snprintf(text, sizeof text, "this thread is not recorded from here on: %.80s", strerror(code));
    at = put_short(at, text);
    end_record(begin, matchpoint_gap, at);
    self.writes = false;
    fprintf(stderr, "matchpoint: thread %u is not recorded from here on: %s\n", self.number, strerror(code));
}

uint8_t* begin_record(size_t size) {
    if (self.at + size <= self.limit) return self.at;
    if (!self.writes) return NULL;
    int const before = errno;
    int const code = write_window();
    if (code != 0) stop_writing(code);
    errno = before;
    return code == 0 ? self.at : NULL;
}

/// Opens the file, and the window that begins where it ends.
static bool open_file(int flags) {
    char name[4096], window[4096];
    if (!name_file(name, sizeof name, "threads") || !name_file(window, sizeof window, "window"))
        give_up(record_folder, ENAMETOOLONG);
    else if ((self.file = open(name, O_RDWR | O_APPEND | O_CLOEXEC | flags, 0666)) < 0)
        give_up(name, errno);
    if (self.file < 0) return false;
    int const code = open_window(window);
    if (code == 0) return true;
    give_up(name, code);
    close(self.file);
    self.file = -1;
    return false;
}

void open_log(uint32_t number) {
    self.number = number;
    if (!open_file(O_CREAT | O_EXCL)) return;
    if (self.said == NULL) self.said = own_memory(said_turns * sizeof *self.said);
    memcpy(self.at, matchpoint_threads_magic, 8);
    self.at += 8;
    *self.at = 0;
    self.is_replayed = __atomic_load_n(&replay_is_on, __ATOMIC_RELAXED) != 0;
    self.writes = true;
}

void open_log_again(void) {
    self.said = own_memory(said_turns * sizeof *self.said);
    self.writes = open_file(0);
}

void leave_log(void) {
    self.writes = false;
    if (self.window != NULL) munmap(self.window, window_size);
    self.window = NULL;
    if (self.file >= 0) close(self.file);
    self.file = -1;
}

static void forget(struct number_set* set) {
    if (set->bits != NULL) munmap(set->bits, set->words * sizeof *set->bits);
    *set = (struct number_set){NULL, 0};
}

void close_log(void) {
    char name[4096];
    if (self.file >= 0 && self.window != NULL && write_window() == 0 && name_file(name, sizeof name, "window"))
        unlink(name); // it has nothing
    leave_log();
    forget(&self.places);
    forget(&self.forms);
    if (self.said != NULL) munmap(self.said, said_turns * sizeof *self.said);
    self.said = NULL;
    memset(self.lasts, 0, sizeof self.lasts);
}

// ---- places and forms ----------------------------------------------------------------------------------------------

static void add_known(struct number_set* set, uint32_t number) {
    if (number / 64 >= set->words) {
        size_t const words = (size_t)(number / 64 + 512) / 512 * 1024; // pages
        uint64_t* const more = own_memory(words * sizeof *more);
        if (set->bits != NULL) {
            memcpy(more, set->bits, set->words * sizeof *more);
            munmap(set->bits, set->words * sizeof *more);
        }
        *set = (struct number_set){more, words};
    }
    set->bits[number / 64] |= (uint64_t)1 << number % 64;
}

/// The number that this has, or the next one of the whole run.
static uint32_t number_of(uint32_t* of, uint32_t* last) {
    uint32_t number = __atomic_load_n(of, __ATOMIC_RELAXED);
    if (number != 0) return number;
    uint32_t const mine = __atomic_add_fetch(last, 1, __ATOMIC_RELAXED);
    return __atomic_compare_exchange_n(of, &number, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ? mine : number;
}

uint32_t place_of(struct site* site) {
    if (site == NULL) return 0;
    static uint32_t last;
    uint32_t const number = number_of(&site->number, &last);
    if (is_known(&self.places, number)) return number;
    uint8_t* const begin = begin_record(max_note);
    if (begin == NULL) return 0;
    uint8_t* at = put_u(begin + 1, number);
    at = put_text(at, site->file);
    at = put_u(at, site->line);
    at = put_u(at, site->column);
    at = put_text(at, site->function);
    end_record(begin, matchpoint_place, at);
    add_known(&self.places, number);
    return number;
}

bool describe(struct form* form) {
    static uint32_t last;
    uint32_t const place = place_of(form->site);
    uint32_t const number = number_of(&form->number, &last);
    uint8_t* const begin = begin_record(form->operation_bytes + 64);
    if (begin == NULL) return false;
    uint8_t* at = put_u(begin + 1, number);
    *at++ = (uint8_t)form->kind;
    if (form->kind == matchpoint_operation) {
        memcpy(at, form->operations, form->operation_bytes);
        at += form->operation_bytes;
    } else if (form->kind == matchpoint_branch || form->kind == matchpoint_concrete) {
        at = put_u(put_u(at, place), form->how & 0xff);
        if (form->operation_bytes != 0) memcpy(at, form->operations, form->operation_bytes);
        at += form->operation_bytes;
        if (form->kind == matchpoint_branch && form->operation_bytes == 0) *at++ = 0;
    } else {
        unsigned const flags = form->how >> size_bits & ((1U << flag_bits) - 1);
        at = put_u(put_u(at, place), flags);
        *at++ = (uint8_t)(form->how & ((1U << size_bits) - 1));
        if ((flags & matchpoint_is_concrete) != 0) at = put_u(at, form->how >> (size_bits + flag_bits));
    }
    end_record(begin, matchpoint_form, at);
    add_known(&self.forms, number);
    self.lasts[number % last_addresses] = (struct last_short){.form = number};
    return true;
}

// ---- notes ----------------------------------------------------------------------------------------------------------

/// Whether the text was not noted before, by any thread. Texts are string literals.
static bool is_new(char const* function, char const* why) {
    enum { most = 256 };
    static struct { char const *function, *why; } said[most];
    static int n;
    static char lock;
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) {
    }
    bool is = n < most;
    for (int i = 0; i < n && is; ++i) is = strcmp(said[i].function, function) != 0 || strcmp(said[i].why, why) != 0;
    if (is) {
        said[n].function = function;
        said[n++].why = why;
    }
    __atomic_clear(&lock, __ATOMIC_RELEASE);
    return is;
}

void gap(struct site* site, char const* function, char const* why) {
    if (!self.writes || !is_new(function, why)) return;
    uint32_t const place = place_of(site);
    uint8_t* const begin = begin_record(max_note);
    if (begin == NULL) return;
    uint8_t* at = put_u(begin + 1, place);
    at = put_text(at, function);
    at = put_text(at, why);
    end_record(begin, matchpoint_gap, at);
}

void write_failure(struct site* site, enum matchpoint_failure how, char const* text) {
    if (self.window == NULL || self.file < 0) return;
    uint32_t const number = site == NULL ? 0 : site->number;
    bool const is_there = number != 0 && is_known(&self.places, number);
    uint32_t const place = is_there ? number : self.writes && self.at + max_note <= self.limit ? place_of(site) : 0;
    uint8_t* const begin = self.at;
    if (begin + last_words / 2 > self.window + window_size) return;
    uint8_t* at = put_u(begin + 1, place);
    at = put_u(at, how);
    at = put_short(at, text);
    end_record(begin, matchpoint_failed, at);
}
