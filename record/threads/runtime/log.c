// The file of a thread. It is mapped, a window at a time, so that what is written survives the death of the process
// without a system call per record. The space of a window is reserved before it is used: a full disk is an error code
// then, and no signal. Behind the last record of a window is always room for saying that the disk is full, and that
// the program has failed.
#define _GNU_SOURCE
#include "state.h"

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
    first_window = 1 << 17,
    largest_window = 1 << 22,
    last_words = 1024,
    page_size = 4096
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

/// Reserves space in the file. A limit on its size is an error code, too: the signal for it is not the program's.
static int reserve(off_t start, size_t size) {
    sigset_t limit, before;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    int code = EINTR;
    while (code == EINTR) code = posix_fallocate(self.file, start, (off_t)size);
    if (code == EFBIG) sigtimedwait(&limit, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

/// Maps the window that begins with the page in which the last record ends. Returns an error code.
static int map_window(void) {
    off_t const end = self.window == NULL ? lseek(self.file, 0, SEEK_END) : self.window_start + (self.at - self.window);
    off_t const start = end - end % page_size;
    size_t size = self.window == NULL ? first_window : 2 * self.window_size;
    if (size > largest_window) size = largest_window;
    int const code = reserve(start, size);
    if (code != 0) return code;
    void* const mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, self.file, start);
    if (mapped == MAP_FAILED) return errno;
    if (self.window != NULL) munmap(self.window, self.window_size);
    self.window = mapped;
    self.window_size = size;
    self.window_start = start;
    self.at = self.window + (end - start);
    self.limit = self.window + size - last_words;
    return 0;
}

static bool is_event(enum matchpoint_record kind) {
    return (kind >= matchpoint_create && kind < matchpoint_awaits) ||
           (kind >= matchpoint_concrete && kind <= matchpoint_exchange) || kind == matchpoint_outside;
}

void end_record(uint8_t* begin, enum matchpoint_record kind, uint8_t* end) {
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
    int const code = map_window();
    if (code != 0) stop_writing(code);
    errno = before;
    return code == 0 ? self.at : NULL;
}

/// Opens the file, and maps its first window, or the one that begins where it ends.
static bool open_file(int flags) {
    char name[4096];
    if (snprintf(name, sizeof name, "%s/thread-%05u.threads", record_folder, self.number) >= (int)sizeof name)
        give_up(record_folder, ENAMETOOLONG);
    else if ((self.file = open(name, O_RDWR | O_CLOEXEC | flags, 0666)) < 0)
        give_up(name, errno);
    if (self.file < 0) return false;
    int const code = map_window();
    if (code == 0) return true;
    give_up(name, code);
    close(self.file);
    self.file = -1;
    return false;
}

void open_log(uint32_t number) {
    self.number = number;
    if (!open_file(O_CREAT | O_EXCL)) return;
    memcpy(self.at, matchpoint_threads_magic, 8);
    self.at += 8;
    self.writes = true;
}

void open_log_again(void) { self.writes = open_file(0); }

void leave_log(void) {
    self.writes = false;
    if (self.window != NULL) munmap(self.window, self.window_size);
    self.window = NULL;
    if (self.file >= 0) close(self.file);
    self.file = -1;
}

void close_log(void) {
    if (self.file >= 0 && self.window != NULL && ftruncate(self.file, self.window_start + (self.at - self.window)) != 0)
        perror("matchpoint: the recording cannot be cut to its length");
    leave_log();
    if (self.places != NULL) munmap(self.places, self.place_words * sizeof *self.places);
    self.places = NULL;
    self.place_words = 0;
}

// ---- places ---------------------------------------------------------------------------------------------------------

static bool has_place(uint32_t number) {
    return number / 64 < self.place_words && (self.places[number / 64] >> number % 64 & 1) != 0;
}

static void mark_place(uint32_t number) {
    if (number / 64 >= self.place_words) {
        size_t const words = (size_t)(number / 64 + 512) / 512 * 1024; // pages
        uint64_t* const more = own_memory(words * sizeof *more);
        if (self.places != NULL) {
            memcpy(more, self.places, self.place_words * sizeof *more);
            munmap(self.places, self.place_words * sizeof *more);
        }
        self.places = more;
        self.place_words = words;
    }
    self.places[number / 64] |= (uint64_t)1 << number % 64;
}

/// Numbers are those of the whole run.
static uint32_t number_of(struct site* site) {
    static uint32_t places;
    uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
    if (number != 0) return number;
    uint32_t const mine = __atomic_add_fetch(&places, 1, __ATOMIC_RELAXED);
    return __atomic_compare_exchange_n(&site->number, &number, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
               ? mine
               : number;
}

uint32_t place_of(struct site* site) {
    if (site == NULL) return 0;
    uint32_t const number = number_of(site);
    if (has_place(number)) return number;
    uint8_t* const begin = begin_record(max_note);
    if (begin == NULL) return 0;
    uint8_t* at = put_u(begin + 1, number);
    at = put_text(at, site->file);
    at = put_u(at, site->line);
    at = put_u(at, site->column);
    at = put_text(at, site->function);
    end_record(begin, matchpoint_place, at);
    mark_place(number);
    return number;
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
    bool const is_there = number != 0 && has_place(number);
    uint32_t const place = is_there ? number : self.writes && self.at + max_note <= self.limit ? place_of(site) : 0;
    uint8_t* const begin = self.at;
    if (begin + last_words / 2 > self.window + self.window_size) return;
    uint8_t* at = put_u(begin + 1, place);
    at = put_u(at, how);
    at = put_short(at, text);
    end_record(begin, matchpoint_failed, at);
}
