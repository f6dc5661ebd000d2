// Whose fault it is that a rank dies. Each MPI_ function of the recorder notes that the recorder is at work, and that
// it is not while the library does what the program has asked for. A signal that ends the process, and an end by
// exit(), then find out whether they come from the recorder's own work; that includes calls of the library that the
// program has not made. If so, the file of the rank says it, with the function. A rank that somebody else kills in the
// meantime (the launcher, because another rank has failed) leaves no such line.
//
// One thing that the recorder does is the program's fault: it reads the buffers that the program passes. And once the
// program has freed something twice, all memory may be broken.
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct work work __attribute__((tls_model("initial-exec")));

enum { signals = 6, address_bits = 47 };
static int const fatal[signals] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
static bool is_broken;                   // the program has freed something twice
static struct sigaction before[signals]; // what the library or the program does about them

/// Whether the fault is in a buffer of the program. The processor does not report an address that is not canonical.
static bool is_in_buffer(siginfo_t const* info) {
    if (work.begin == NULL && work.end == NULL) return false;
    if (work.begin > work.end) return true; // no buffer reaches around
    if (info->si_code == SI_KERNEL)
        return (uintptr_t)work.begin >> address_bits != 0 || (uintptr_t)work.end >> address_bits != 0;
    return (char const*)info->si_addr >= work.begin && (char const*)info->si_addr < work.end;
}

/// Whether the signal comes from what this thread did.
static bool is_own(int signal, siginfo_t const* info) {
    if (signal == SIGABRT) return info->si_code <= 0 && info->si_pid == getpid();
    return info->si_code > 0;
}

void memory_may_be_broken(void) { is_broken = true; }

static void on_fatal(int signal, siginfo_t* info, void* context) {
    (void)context;
    bool const is_fault = signal == SIGSEGV || signal == SIGBUS;
    if (work.is_recorders && !is_broken && is_own(signal, info) && !(is_fault && is_in_buffer(info)))
        write_crash(work.function, "signal", signal);
    // The signal comes once more: of itself, if it is a fault; otherwise somebody has sent it.
    for (int i = 0; i < signals; ++i)
        if (fatal[i] == signal) sigaction(signal, &before[i], NULL);
    if (info->si_code <= 0) raise(signal);
}

bool memory_is_there(void const* begin, void const* end) {
    uintptr_t const page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t const first = (uintptr_t)begin / page * page;
    return msync((void*)first, (uintptr_t)end - first, MS_ASYNC) == 0;
}

/// The kernel reads a set of signals before it finds out that it is to do nothing with it.
static bool word_is_readable(uintptr_t address) {
    enum { nothing = -1, size = 8 };
    return syscall(SYS_rt_sigprocmask, nothing, address / size * size, NULL, size) != 0 && errno != EFAULT;
}

bool is_readable(void const* begin, size_t size) {
    if (size == 0) return true;
    uintptr_t const page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t const first = (uintptr_t)begin, last = first + size - 1;
    if (last < first) return false;
    int const before = errno;
    bool is = word_is_readable(last);
    for (uintptr_t at = first; is && at <= last; at = at / page * page + page) is = word_is_readable(at);
    errno = before;
    return is;
}

void watch_for_crashes(void) {
    struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < signals; ++i) sigaction(fatal[i], &action, &before[i]);
}

// A call that has a fatal error ends the process: with Open MPI by _exit(), with others perhaps by exit(). errors.c
// sees the error before.

void die_in_recorder(void) {
    if (work.is_recorders) write_crash(work.function, "exit", 0);
}

__attribute__((destructor)) static void at_exit(void) {
    die_in_recorder();
    note_fatal_error();
    bool const aborts = work.function != NULL && strcmp(work.function, "MPI_Abort") == 0;
    if (!aborts) write_left();
}

RECORDER_API void _exit(int code) {
    at_exit();
    while (true) syscall(SYS_exit_group, code);
}
