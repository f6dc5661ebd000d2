// The file of this rank. It is mapped, a window at a time, so that what is written survives the death of the process
// without a system call per line. The space of a window is reserved before it is used: a full disk is an error code
// then, and no signal. Each line lies in one window, and is there as a whole or not at all. Behind the last line of a
// window is always room for saying that the disk is full, and how the rank ends.
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    window_size = 1 << 20,
    max_line = 1 << 16, // longer ones do not occur: names of objects and communicators are cut
    last_words = 512,
    counter_digits = 12,
};

static int file = -1;
static char* window;       // null if none is mapped
static off_t window_start; // in the file
static size_t used;        // bytes of the window
static int own_rank;
static pid_t own_process; // a child that shares our memory is not this rank
static bool recording;
static bool full; // lines are no longer written
static unsigned long lines;

static char line[max_line];
static size_t length;

bool is_recording(void) { return recording; }
bool is_full(void) { return full; }
unsigned long lines_so_far(void) { return lines; }

static void give_up(char const* what, int code) {
    fprintf(stderr, "matchpoint: %s: %s; rank %d is not recorded\n", what, strerror(code), own_rank);
}

void* allocate(size_t size) {
    void* const memory = calloc(1, size == 0 ? 1 : size);
    if (memory != NULL) return memory;
    fputs("matchpoint: the recorder is out of memory\n", stderr);
    abort();
}

/// Reserves space in the file. A limit on its size is an error code, too: the signal for it is not the program's.
static int reserve(off_t start, off_t size) {
    sigset_t limit, before;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    int code = EINTR;
    while (code == EINTR) code = posix_fallocate(file, start, size);
    if (code == EFBIG) sigtimedwait(&limit, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

/// Maps the window that begins with the page in which the last line ends. Returns an error code.
static int map_window(void) {
    off_t const end = window_start + (off_t)used;
    off_t const start = end - end % sysconf(_SC_PAGESIZE);
    int const code = reserve(start, window_size);
    if (code != 0) return code;
    void* const mapped = mmap(NULL, window_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, start);
    if (mapped == MAP_FAILED) return errno;
    if (window != NULL) munmap(window, window_size);
    window = mapped;
    window_start = start;
    used = (size_t)(end - start);
    return 0;
}

/// There has to be room.
static void write_line(char const* text, size_t size) {
    memcpy(window + used, text, size - 1);
    atomic_signal_fence(memory_order_seq_cst); // the line break comes last: a line without one is none
    window[used + size - 1] = text[size - 1];
    used += size;
    ++lines;
}

void write_crash(char const* function, char const* how, int code) {
    char text[last_words / 4];
    size_t size = 0;
    char const* const words[] = {"crash ", function, " ", how, " "};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        for (char const* c = words[i]; *c != '\0' && size < sizeof text - 8; ++c) text[size++] = *c;
    for (int power = 100; power > 0; power /= 10)
        if (code >= power || power == 1) text[size++] = (char)('0' + code / power % 10);
    text[size++] = '\n';
    if (recording && window != NULL && used + size <= window_size) write_line(text, size);
    recording = false;
}

void write_early(char const* function) {
    char const* const folder = getenv("MATCHPOINT_RECORD");
    if (file >= 0 || own_process != 0 || folder == NULL || *folder == '\0') return;
    char name[4096];
    if (snprintf(name, sizeof name, "%s/%d.early", folder, (int)getpid()) >= (int)sizeof name) return;
    int const early = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (early < 0) return;
    if (write(early, function, strlen(function)) < 0) unlink(name);
    close(early);
}

void write_left(void) {
    static char const text[] = "left\n";
    size_t const size = sizeof text - 1;
    if (recording && window != NULL && getpid() == own_process && used + size <= window_size) write_line(text, size);
}

static void stop_writing(int code) {
    full = true;
    char text[last_words / 2];
    int const size = snprintf(text, sizeof text, "gap 0 recorder rank %d is not recorded from here on: %.100s\n",
                              own_rank, strerror(code));
    write_line(text, (size_t)size);
    fprintf(stderr, "matchpoint: rank %d is not recorded from here on: %s\n", own_rank, strerror(code));
}

/// A forked child is not this rank.
static void in_child(void) {
    recording = false;
    file = -1;
}

void open_log(char const* folder, int rank, int size) {
    char name[4096];
    own_rank = rank;
    if (snprintf(name, sizeof name, "%s/rank-%05d.mpirec", folder, rank) >= (int)sizeof name)
        give_up(folder, ENAMETOOLONG);
    else if ((file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) < 0)
        give_up(name, errno);
    if (file < 0) return;
    int const code = map_window();
    if (code != 0) {
        give_up(name, code);
        return;
    }
    recording = true;
    own_process = getpid();
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
    if (window != NULL && ftruncate(file, window_start + (off_t)used) != 0)
        perror("matchpoint: the recording cannot be cut to its length");
    if (window != NULL) munmap(window, window_size);
    window = NULL;
    close(file);
    file = -1;
}

static void put(char const* text, size_t size) {
    if (size > max_line - 1 - length) size = max_line - 1 - length; // one is left for the line break
    memcpy(line + length, text, size);
    length += size;
}

static __thread unsigned long about_calls __attribute__((tls_model("initial-exec")));
unsigned long lines_about_calls(void) { return about_calls; }
static bool is_left_out; // the line

void begin_line_of(enum told told, char const* word) {
    say_which_thread();
    if (told == a_call || told == the_end) ++about_calls;
    is_left_out = (told == a_call || told == an_aside) && is_cut_off();
    length = 0;
    put(word, strlen(word));
}

void begin_line(char const* word) { begin_line_of(a_call, word); }

void add_text(char const* text) {
    put(" ", 1);
    put(text, strlen(text));
}

void add_number(int64_t n) {
    enum { most = 22 }; // characters, with blank and sign
    if (length + most >= max_line) return;
    uint64_t rest = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    size_t digits = 1;
    for (uint64_t power = 10; rest >= power && digits < 20; power *= 10) ++digits;
    line[length++] = ' ';
    if (n < 0) line[length++] = '-';
    length += digits;
    for (char* to = line + length; digits-- > 0; rest /= 10) *--to = (char)('0' + rest % 10);
}

void add_hexadecimal(uint64_t n) {
    char digits[24];
    size_t at = sizeof digits;
    do digits[--at] = "0123456789abcdef"[n % 16];
    while ((n /= 16) != 0);
    digits[--at] = ' ';
    put(digits + at, sizeof digits - at);
}

static void print_counter(char* to, uint64_t n) {
    for (int i = counter_digits; i-- > 0; n /= 10) to[i] = (char)('0' + n % 10);
}

/// Whether the line can be written.
static bool make_room(void) {
    if (full || used + length + last_words <= window_size) return !full;
    int const code = map_window();
    if (code != 0) stop_writing(code);
    return !full;
}

void end_line(void) {
    line[length++] = '\n';
    if (recording && !is_left_out && make_room()) write_line(line, length);
}

struct counter add_counter(uint64_t n) {
    if (!recording || is_left_out) return (struct counter){0};
    put(" ", 1);
    struct counter const c = {(int64_t)(window_start + (off_t)used + (off_t)length)};
    char digits[counter_digits];
    print_counter(digits, n);
    put(digits, sizeof digits);
    return c;
}

bool count_in_place(struct counter const* c, uint64_t n) {
    bool const is_there =
        recording && !full && c->at >= window_start && c->at + counter_digits <= window_start + (off_t)used;
    if (is_there && c->at != 0) print_counter(window + (c->at - window_start), n);
    return full || (is_there && c->at != 0);
}

void end_line_in_any_case(void) {
    line[length++] = '\n';
    if (recording && (make_room() || length <= last_words / 4)) write_line(line, length);
}

// ---- notes ----------------------------------------------------------------------------------------------------------

static bool is_new(char const* function, char const* what) {
    static struct said {
        char const *function, *what;
        struct said* next;
    } * before;
    for (struct said const* s = before; s != NULL; s = s->next)
        if (strcmp(s->function, function) == 0 && strcmp(s->what, what) == 0) return false;
    struct said* const s = allocate(sizeof *s);
    *s = (struct said){function, what, before};
    before = s;
    return true;
}

static void write_note(char const* word, char const* function, unsigned place, char const* what) {
    if (!is_recording() || !is_new(function, what)) return;
    begin_line_of(a_note, word);
    add_number(place);
    add_text(function);
    add_text(what); // to the end of the line
    end_line();
}

void not_modelled(char const* function, unsigned place, char const* why) { write_note("gap", function, place, why); }
void remark(char const* function, unsigned place, char const* what) { write_note("remark", function, place, what); }
