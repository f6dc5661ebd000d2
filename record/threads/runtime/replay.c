#define _GNU_SOURCE
#include "replay.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    only_compared = -1,
    report_size = 4096,
    look_again = 50, // milliseconds
    // The exit waits for other threads until they have been asleep for so many milliseconds, have used so many
    // milliseconds of processor time (they may spin), or so many have gone by.
    asleep_at_end = 100,
    used_at_end = 500,
    most_at_end = 10000,
};

struct step {
    uint32_t event;
    int64_t order;    // place in the order, `only_compared`, or as many as have one: held
    uint32_t what;    // enum matchpoint_replayed
    uint32_t line;    // 0 if it is not known
    int32_t variable; // -1 if it is not compared
    uint32_t thread;  // that it creates
    uint32_t outcome; // a wait ends without a signal, or a barrier says so of this thread
};

/// A file that outlives the process: what the command reads about a replay.
static struct report {
    uint32_t done; // events of the order
    uint32_t has_diverged;
    char text[report_size - 8];
} * report;

uint32_t replay_is_on;
static struct step* steps;
static uint32_t* first_step; // of each thread, and the end
static uint32_t threads, ordered, variables;
static uintptr_t* addresses; // of variables, once they are known
static uint32_t* owners;     // of the order: number of a step
static int64_t first_thread = -1;
static uint32_t after; // it goes alone until it has done more events than these
static bool goes_alone;
static bool rests;        // it waits, or has ended
static uint32_t rests_at; // how many events it had done then
static int64_t patience;  // milliseconds
static uint32_t progress;

static void wake_all(void) { syscall(SYS_futex, &report->done, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0); }

void end_replay(void) {
    if (__atomic_exchange_n(&replay_is_on, 0, __ATOMIC_SEQ_CST) != 0) wake_all();
}

static uint32_t done(void) { return __atomic_load_n(&report->done, __ATOMIC_ACQUIRE); }

/// Only the first difference counts.
static void diverge(uint32_t thread, uint32_t event, char const* what, char const* file, uint32_t line) {
    if (__atomic_exchange_n(&report->has_diverged, 1, __ATOMIC_SEQ_CST) == 0)
        snprintf(report->text, sizeof report->text, "%u %u %u %s\n%s", thread, event, line, file == NULL ? "" : file,
                 what);
    end_replay();
}

// ---- the schedule ---------------------------------------------------------------------------------------------------

static bool is_read(FILE* file) {
    unsigned version = 0;
    long long first = -1;
    long long waits = 0;
    unsigned all = 0;
    if (fscanf(
            file,
            "matchpoint threads schedule %u threads %u steps %u ordered %u variables %u first %lld after %u patience "
            "%lld",
            &version, &threads, &all, &ordered, &variables, &first, &after, &waits) != 8 ||
        version != 2)
        return false;
    first_thread = first;
    patience = waits;
    steps = own_memory((all + 1) * sizeof *steps);
    first_step = own_memory((threads + 1) * sizeof *first_step);
    owners = own_memory((ordered + 1) * sizeof *owners);
    addresses = own_memory((variables + 1) * sizeof *addresses);
    uint32_t of = 0;
    for (uint32_t i = 0; i < all; ++i) {
        struct step* const s = &steps[i];
        uint32_t thread;
        long long order;
        if (fscanf(file, "%u %u %lld %u %u %d %u %u", &thread, &s->event, &order, &s->what, &s->line, &s->variable,
                   &s->thread, &s->outcome) != 8 ||
            thread < of || thread >= threads)
            return false;
        s->order = order;
        if (order >= 0 && order < ordered) owners[order] = i;
        while (of < thread) first_step[++of] = i;
    }
    while (of < threads) first_step[++of] = all;
    return true;
}

void begin_replay(void) {
    char const* const name = getenv("MATCHPOINT_THREADS_SCHEDULE");
    if (name == NULL) return;
    if (*name == '\0') {
        unsetenv("MATCHPOINT_THREADS_SCHEDULE");
        return;
    }
    FILE* const file = fopen(name, "re");
    bool const is = file != NULL && is_read(file);
    if (file != NULL) fclose(file);
    unsetenv("MATCHPOINT_THREADS_SCHEDULE");
    char path[4096];
    snprintf(path, sizeof path, "%s/replay", record_folder);
    int const written = is ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (written >= 0 && ftruncate(written, report_size) == 0)
        report = mmap(NULL, report_size, PROT_READ | PROT_WRITE, MAP_SHARED, written, 0);
    if (written >= 0) close(written);
    if (report == NULL || report == MAP_FAILED) {
        fprintf(stderr, "matchpoint: the schedule %s cannot be used\n", name);
        return;
    }
    replay_is_on = 1;
    if (threads > 1) number_threads_from(threads);
    begin_replayed_thread();
    if (ordered == 0 && first_thread < 0) end_replay();
}

void begin_replayed_thread(void) {
    if (report == NULL || self.number >= threads) return;
    self.next_step = first_step[self.number];
    self.last_step = first_step[self.number + 1];
}

/// The step of an event; null if there is none.
static struct step* step_of(uint32_t event) {
    for (uint32_t i = self.next_step; i < self.last_step && steps[i].event <= event; ++i)
        if (steps[i].event == event) return &steps[i];
    return NULL;
}

uint32_t planned_thread(void) {
    if (report == NULL) return 0;
    if (report->has_diverged != 0) return 0;
    struct step const* const s = step_of(self.events + 1);
    return s == NULL ? 0 : s->thread;
}

uint32_t planned_order(uint32_t after, bool* without_signal) {
    *without_signal = false;
    if (__atomic_load_n(&replay_is_on, __ATOMIC_RELAXED) == 0) return UINT32_MAX;
    struct step const* const s = step_of(self.events + 1 + after);
    if (s == NULL || s->order < 0 || s->order >= ordered) return UINT32_MAX;
    *without_signal = s->outcome != 0;
    return (uint32_t)s->order;
}

bool planned_serial(bool otherwise) {
    if (report == NULL || report->has_diverged != 0) return otherwise;
    struct step const* const s = step_of(self.events + 1);
    return s == NULL ? otherwise : s->outcome != 0;
}

// ---- turns ----------------------------------------------------------------------------------------------------------

static char const* word_for(uint32_t what) {
    switch (what) {
    case matchpoint_replayed_load: return "a load";
    case matchpoint_replayed_store: return "a store";
    case matchpoint_replayed_update: return "an atomic update";
    case matchpoint_replayed_branch: return "a branch";
    case matchpoint_replayed_create: return "pthread_create";
    case matchpoint_replayed_join: return "pthread_join";
    case matchpoint_replayed_outside: return "memory written from outside";
    }
    return "synchronisation";
}

static int64_t milliseconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/// Whether somebody has done anything since the last look.
struct watch {
    uint32_t done, progress;
    int64_t processor, since;
};

static bool moves(struct watch* w) {
    struct watch const now = {done(), __atomic_load_n(&progress, __ATOMIC_RELAXED),
                              milliseconds(CLOCK_PROCESS_CPUTIME_ID), milliseconds(CLOCK_MONOTONIC)};
    bool const is = now.done != w->done || now.progress != w->progress || now.processor - w->processor > 2 * look_again;
    if (is) *w = now;
    return is || now.since - w->since < patience;
}

/// Nobody moves: the thread whose turn it is does not come.
static void give_up(uint32_t at) {
    if (at >= ordered) {
        end_replay();
        return;
    }
    struct step const* const s = &steps[owners[at]];
    uint32_t thread = 0;
    while (first_step[thread + 1] <= owners[at]) ++thread;
    diverge(thread, s->event, "nothing", NULL, 0);
}

static void wait_for(int64_t order) {
    struct watch w = {0, 0, 0, 0};
    moves(&w);
    while (__atomic_load_n(&replay_is_on, __ATOMIC_SEQ_CST) != 0) {
        uint32_t const now = done();
        if (now >= order && (order < ordered || self.number == first_thread)) return;
        syscall(SYS_futex, &report->done, FUTEX_WAIT, now, &(struct timespec){0, look_again * 1000000}, NULL, 0);
        if (done() == now && !moves(&w)) give_up(now);
    }
}

static bool is_at(struct step const* s, uintptr_t address) {
    if (s->variable < 0 || address == 0) return true;
    uintptr_t known = 0;
    if (__atomic_compare_exchange_n(&addresses[s->variable], &known, address, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        return true;
    return known - address + 7 < 15;
}

void await_turn_of(enum matchpoint_replayed what, struct site* site, uintptr_t address) {
    uint32_t const event = self.events + 1;
    if (self.number == first_thread) __atomic_store_n(&rests, false, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&progress, 1, __ATOMIC_RELAXED);
    while (self.next_step < self.last_step && steps[self.next_step].event < event) {
        struct step const* const missed = &steps[self.next_step];
        if (missed->order != only_compared && missed->order < ordered) {
            diverge(self.number, missed->event, "another event", site == NULL ? NULL : site->file,
                    site == NULL ? 0 : site->line);
            return;
        }
        ++self.next_step;
    }
    bool const is_beyond = self.next_step == self.last_step; // what the schedule does not have comes after it
    if (!is_beyond && steps[self.next_step].event > event) return;
    struct step const* const s = &steps[self.next_step];
    int64_t const order = is_beyond ? ordered : s->order;
    int const before = errno;
    if (order != only_compared) wait_for(order);
    errno = before;
    if (__atomic_load_n(&replay_is_on, __ATOMIC_SEQ_CST) == 0) return;
    if (order == ordered) {
        // It goes first. Others, which may end the run, go on when it is written what it has done.
        goes_alone = true;
        self.has_turn = true;
        return;
    }
    bool const is_same_line = s->line == 0 || site == NULL || site->line == 0 || site->line == s->line;
    if ((s->what & what) == 0 || !is_same_line || !is_at(s, address)) {
        char text[128];
        bool const is_elsewhere = (s->what & what) != 0 && is_same_line;
        snprintf(text, sizeof text, "%s%s", word_for(what), is_elsewhere ? " of other memory" : "");
        diverge(self.number, s->event, text, site == NULL ? NULL : site->file, site == NULL ? 0 : site->line);
        return;
    }
    if (s->order == only_compared) {
        ++self.next_step;
        return;
    }
    self.has_turn = true;
}

void end_turn_now(void) {
    if (goes_alone && self.number == first_thread) {
        self.has_turn = false;
        if (self.events > after) end_replay();
        return;
    }
    struct step const* const s = &steps[self.next_step];
    if (self.events < s->event) return; // it waits
    self.has_turn = false;
    ++self.next_step;
    if (self.number == first_thread && self.events != rests_at) __atomic_store_n(&rests, false, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&replay_is_on, __ATOMIC_SEQ_CST) == 0) return;
    uint32_t const now = __atomic_add_fetch(&report->done, 1, __ATOMIC_SEQ_CST);
    if (now == ordered && (first_thread < 0 || __atomic_load_n(&rests, __ATOMIC_SEQ_CST)))
        end_replay();
    else
        wake_all();
}

void goes_no_longer_first(void) {
    if (replay_is_on == 0 || self.number != first_thread) return;
    rests_at = self.events;
    __atomic_store_n(&rests, true, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&report->done, __ATOMIC_SEQ_CST) == ordered) end_replay();
}

void await_end(void) {
    if (__atomic_load_n(&replay_is_on, __ATOMIC_RELAXED) != 0 && !self.has_turn) wait_for(ordered);
}

void end_replayed_thread(void) {
    if (__atomic_load_n(&replay_is_on, __ATOMIC_RELAXED) == 0) return;
    for (uint32_t i = self.next_step; i < self.last_step; ++i)
        if (steps[i].order != only_compared && steps[i].order < ordered) {
            diverge(self.number, steps[i].event, "its end", NULL, 0);
            return;
        }
}

/// Whether a thread of this process runs, or would if there were a processor.
static bool runs(char const* task) {
    char path[64], text[256];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", task);
    int const file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t const size = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    if (size <= 0) return false; // it has ended
    text[size] = 0;
    char const* const name_ends = strrchr(text, ')');
    return name_ends != NULL && strncmp(name_ends, ") R", 3) == 0;
}

/// Whether another one does. Without readdir, which allocates memory.
static bool others_run(void) {
    struct entry { // of getdents64
        uint64_t inode;
        int64_t offset;
        uint16_t size;
        unsigned char type;
        char name[];
    };
    int const folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return false;
    long const own = syscall(SYS_gettid);
    bool is = false;
    _Alignas(struct entry) char buffer[4096];
    for (long n; !is && (n = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;)
        for (long at = 0; !is && at < n;) {
            struct entry const* const e = (struct entry const*)(buffer + at);
            at += e->size;
            is = e->name[0] != '.' && strtol(e->name, NULL, 10) != own && runs(e->name);
        }
    close(folder);
    return is;
}

// What a thread does between its last event and its next branch has no turn, and the exit would come before it. If
// threads are ended later, that is a run, too, and shows more of its path.
void let_others_go_on(void) {
    if (report == NULL || threads_alive() <= 1) return;
    if (self.number == first_thread && done() == ordered) end_replay();
    int64_t const begin = milliseconds(CLOCK_MONOTONIC), used = milliseconds(CLOCK_PROCESS_CPUTIME_ID);
    int64_t since = begin;
    uint32_t before = done();
    while (threads_alive() > 1) {
        nanosleep(&(struct timespec){0, 5 * 1000000}, NULL);
        int64_t const now = milliseconds(CLOCK_MONOTONIC);
        if (others_run() || done() != before) since = now;
        before = done();
        if (now - since > asleep_at_end || now - begin > most_at_end ||
            milliseconds(CLOCK_PROCESS_CPUTIME_ID) - used > used_at_end)
            return;
    }
}
