// How the program begins and ends: exit, failures, signals that kill it, fork.
#define _GNU_SOURCE
#include "objects.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { signals = 6, longest_folder = 4096 };

static pid_t own_process;
static bool has_failed;

/// The last thread to leave ends the process, too, when main has left before.
static void write_end(int code) {
    if (getpid() != own_process || __matchpoint_active == 0) return;
    self.inside = 1;
    if (self.has_pending) end_pending();
    await_end();
    if (!has_failed && !self.has_ended) let_others_go_on();
    if (self.has_ended) open_log_again();
    if (!self.writes) return;
    uint8_t* const begin = begin_record(16);
    if (begin != NULL) end_record(begin, matchpoint_end, put_u(begin + 1, (uint64_t)(unsigned)code & 0xff));
    close_log();
}

static void on_end(int code, void* nothing) {
    (void)nothing;
    write_end(code);
}

/// Only the first failure of the program counts.
static void fails(enum matchpoint_failure how, char const* text) {
    if (getpid() != own_process) return;
    await_end();
    if (__atomic_exchange_n(&has_failed, true, __ATOMIC_RELAXED)) return;
    struct site* const site = self.inside != 0 ? self.site : __matchpoint_passed.site;
    int const before = self.inside;
    self.inside = 1;
    if (self.has_pending && how != matchpoint_crash) end_pending();
    write_failure(site, how, text);
    self.inside = before;
}

// ---- signals that kill ----------------------------------------------------------------------------------------------

static int const fatal[signals] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
static struct sigaction before[signals];

static void on_fatal(int signal, siginfo_t* info, void* context) {
    (void)context;
    char text[] = "signal 00";
    text[7] = (char)('0' + signal / 10);
    text[8] = (char)('0' + signal % 10);
    if (signal < 10) memcpy(text + 7, (char[]){(char)('0' + signal), '\0'}, 2);
    fails(matchpoint_crash, text);
    // The signal comes once more: of itself, if it is a fault; otherwise somebody has sent it.
    for (int i = 0; i < signals; ++i)
        if (fatal[i] == signal) sigaction(signal, &before[i], NULL);
    if (info->si_code <= 0) raise(signal);
}

static void watch_for_signals(void) {
    struct sigaction action = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < signals; ++i) sigaction(fatal[i], &action, &before[i]);
}

// ---- functions ------------------------------------------------------------------------------------------------------

EXPORT void __assert_fail(char const* assertion, char const* file, unsigned line, char const* function) {
    if (self.writes) fails(matchpoint_assertion, assertion);
    REAL(__assert_fail)(assertion, file, line, function);
    __builtin_unreachable();
}

static bool is_in_runtime_of_cxx(void const* caller) {
    Dl_info info;
    return dladdr(caller, &info) != 0 && info.dli_fname != NULL && strstr(info.dli_fname, "libstdc++") != NULL;
}

EXPORT void abort(void) {
    if (self.writes) {
        bool const is = is_in_runtime_of_cxx(__builtin_return_address(0));
        fails(is ? matchpoint_terminate : matchpoint_abort, is ? "std::terminate" : "abort");
    }
    REAL(abort)();
    __builtin_unreachable();
}

EXPORT void exit(int code) {
    if (self.writes && code != 0 && __matchpoint_passed.fails != 0) {
        char text[32];
        snprintf(text, sizeof text, "exit code %d", code & 0xff);
        fails(matchpoint_exit_code, text);
    }
    REAL(exit)(code);
    __builtin_unreachable();
}

EXPORT void _exit(int code) {
    write_end(code);
    REAL(_exit)(code);
    __builtin_unreachable();
}

EXPORT void _Exit(int code) {
    write_end(code);
    REAL(_Exit)(code);
    __builtin_unreachable();
}

EXPORT void quick_exit(int code) {
    write_end(code);
    REAL(quick_exit)(code);
    __builtin_unreachable();
}

// ---- fork -----------------------------------------------------------------------------------------------------------

static void before_fork(void) {
    if (!enter()) return;
    gap(__matchpoint_passed.site, "fork", "what the new process does is not recorded");
    leave();
}

static void in_child(void) {
    __matchpoint_active = 0;
    replay_is_on = 0;
    leave_log();
}

__attribute__((constructor(101))) static void begin(void) {
    char const* const folder = getenv("MATCHPOINT_THREADS_RECORD");
    if (folder == NULL || *folder == '\0') return;
    static char copy[longest_folder];
    if (strlen(folder) >= sizeof copy) return;
    strcpy(copy, folder);
    record_folder = copy;
    unsetenv("MATCHPOINT_THREADS_RECORD"); // programs that this one runs are not recorded
    self.inside = 1;
    open_log(0);
    if (!self.writes) {
        leave();
        return;
    }
    own_process = getpid();
    begin_threads();
    write_modules();
    begin_replay();
    self.is_replayed = replay_is_on != 0;
    on_exit(on_end, NULL);
    pthread_atfork(before_fork, NULL, in_child);
    watch_for_signals();
    __atomic_store_n(&__matchpoint_active, 1, __ATOMIC_SEQ_CST);
    leave();
}
