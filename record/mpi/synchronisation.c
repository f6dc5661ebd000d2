// One-sided communication: the calls that begin and end epochs, and wait for accesses (MPI-3.1, 11.5).
#include "recorder.h"

#include <stdlib.h>

// ---- windows that are not modelled ----------------------------------------------------------------------------------

RECORDER_API int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                                         MPI_Win* win) {
    ENTER;
    unsigned const place = CALLER();
    not_modelled("MPI_Win_allocate_shared", place, "windows of shared memory are not modelled");
    int const code =
        WAITS("MPI_Win_allocate_shared", place, PMPI_Win_allocate_shared(size, unit, info, comm, base, win));
    if (code != MPI_SUCCESS) return code;
    object_made(a_window, HANDLE(*win), "MPI_Win_allocate_shared", place);
    window_may_grow(); // the memory of others is here, too
    watch_window(*win, comm, size, unit);
    return code;
}

RECORDER_API int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
    ENTER;
    unsigned const place = CALLER();
    not_modelled("MPI_Win_create_dynamic", place, "windows that grow are not modelled");
    int const code = WAITS("MPI_Win_create_dynamic", place, PMPI_Win_create_dynamic(info, comm, win));
    if (code != MPI_SUCCESS) return code;
    object_made(a_window, HANDLE(*win), "MPI_Win_create_dynamic", place);
    window_may_grow();
    watch_window(*win, comm, -1, 1);
    return code;
}

// ---- flushes --------------------------------------------------------------------------------------------------------

static struct window* window_of(MPI_Win win) {
    struct window* const w = is_recording() ? find_window(win) : NULL;
    if (w != NULL) look_at_windows();
    return w;
}

/// Calls that name a target, or all of them. What the library refuses, or asks of nobody, flushes nothing.
#define FLUSHES(name, is_local, parameters, rank, ...)                                                                 \
    RECORDER_API int MPI_##name parameters {                                                                           \
        ENTER;                                                                                                         \
        unsigned const place = CALLER();                                                                               \
        if ((rank) != all_targets) check_target("MPI_" #name, place, win, rank);                                       \
        flush_in_epoch("MPI_" #name, place, win, rank);                                                                \
        if ((rank) != all_targets && !(is_local)) only_one_is_flushed(win, rank, place);                               \
        struct window* const w = window_of(win);                                                                       \
        accesses_are_awaited(win, rank, place);                                                                        \
        bool const may_wait = bytes_on_the_way() != 0; /* programs flush in loops */                                   \
        int const code =                                                                                               \
            may_wait ? WAITS("MPI_" #name, place, PMPI_##name(__VA_ARGS__)) : PROGRAMS(PMPI_##name(__VA_ARGS__));      \
        if (code != MPI_SUCCESS) return code;                                                                          \
        accesses_are_complete(win, rank, place, is_local);                                                             \
        if (w == NULL) return code;                                                                                    \
        int const target = (rank) == all_targets ? all_targets : world_rank(w->comm, rank);                            \
        if (target < 0 && (rank) != all_targets) return code;                                                          \
        if (is_local)                                                                                                  \
            flushed_locally("MPI_" #name, w, place, target);                                                           \
        else                                                                                                           \
            flushed(w, place, target);                                                                                 \
        return code;                                                                                                   \
    }

FLUSHES(Win_flush, false, (int rank, MPI_Win win), rank, rank, win)
FLUSHES(Win_flush_all, false, (MPI_Win win), all_targets, win)
FLUSHES(Win_flush_local, true, (int rank, MPI_Win win), rank, rank, win)
FLUSHES(Win_flush_local_all, true, (MPI_Win win), all_targets, win)

RECORDER_API int MPI_Win_sync(MPI_Win win) {
    ENTER;
    not_modelled("MPI_Win_sync", CALLER(), "what a rank reads in its own window, and waits for, is not seen");
    window_of(win);
    return PROGRAMS(PMPI_Win_sync(win));
}

// ---- locks ----------------------------------------------------------------------------------------------------------

static void write_lock(char const* word, struct window const* w, unsigned place, int rank) {
    int const target = world_rank(w->comm, rank);
    if (target < 0) return;
    begin_line(word);
    add_number(place);
    add_number(w->number);
    add_number(target);
    end_line();
}

RECORDER_API int MPI_Win_lock(int kind, int rank, int assertion, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    check_target("MPI_Win_lock", place, win, rank);
    check_assertion("MPI_Win_lock", place, assertion, MPI_MODE_NOCHECK);
    if (kind != MPI_LOCK_EXCLUSIVE && kind != MPI_LOCK_SHARED)
        finding("argument", "MPI_Win_lock", place, 0, "its kind of lock is %d", kind);
    lock_in_epoch(place, win, rank);
    int const code = WAITS("MPI_Win_lock", place, PMPI_Win_lock(kind, rank, assertion, win));
    struct window* const w = is_recording() && code == MPI_SUCCESS ? find_window(win) : NULL;
    if (w == NULL) return code;
    write_lock(kind == MPI_LOCK_EXCLUSIVE ? "rma lock" : "rma share", w, place, rank);
    look_at_windows();
    return code;
}

RECORDER_API int MPI_Win_unlock(int rank, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    check_target("MPI_Win_unlock", place, win, rank);
    unlock_in_epoch(place, win, rank);
    struct window* const w = window_of(win);
    accesses_are_awaited(win, rank, place);
    int const code = WAITS("MPI_Win_unlock", place, PMPI_Win_unlock(rank, win));
    if (code != MPI_SUCCESS) return code;
    accesses_are_complete(win, rank, place, false);
    if (w == NULL || world_rank(w->comm, rank) < 0) return code;
    flushed(w, place, world_rank(w->comm, rank));
    write_lock("rma unlock", w, place, rank); // of a shared lock, too: the reader knows which it is
    return code;
}

RECORDER_API int MPI_Win_lock_all(int assertion, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    check_assertion("MPI_Win_lock_all", place, assertion, MPI_MODE_NOCHECK);
    lock_all_in_epoch(place, win);
    int const code = WAITS("MPI_Win_lock_all", place, PMPI_Win_lock_all(assertion, win));
    struct window* const w = is_recording() && code == MPI_SUCCESS ? find_window(win) : NULL;
    if (w == NULL) return code;
    for (int rank = 0; rank < w->comm->size; ++rank) write_lock("rma share", w, place, rank);
    look_at_windows();
    return code;
}

RECORDER_API int MPI_Win_unlock_all(MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    end_in_epoch(unlocks_all, place, win);
    struct window* const w = window_of(win);
    accesses_are_awaited(win, all_targets, place);
    int const code = WAITS("MPI_Win_unlock_all", place, PMPI_Win_unlock_all(win));
    if (code != MPI_SUCCESS) return code;
    accesses_are_complete(win, all_targets, place, false);
    if (w == NULL) return code;
    flushed(w, place, all_targets);
    for (int rank = 0; rank < w->comm->size; ++rank) write_lock("rma unlock", w, place, rank);
    return code;
}

// ---- fences ---------------------------------------------------------------------------------------------------------

/// All ranks of the window meet, when each has flushed.
static void meet(struct window* w, unsigned place) {
    begin_line("rma meet");
    add_number(place);
    add_number(w->comm->number);
    end_line();
}

RECORDER_API int MPI_Win_fence(int assertion, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    check_assertion("MPI_Win_fence", place, assertion,
                    MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED);
    fence_in_epoch(place, assertion, win);
    struct window* const w = window_of(win);
    accesses_are_awaited(win, all_targets, place);
    int const code = WAITS("MPI_Win_fence", place, PMPI_Win_fence(assertion, win));
    if (code != MPI_SUCCESS) return code;
    accesses_are_complete(win, all_targets, place, false);
    if (w != NULL) flushed(w, place, all_targets);
    if (w != NULL && (assertion & MPI_MODE_NOPRECEDE) == 0) meet(w, place); // otherwise nobody has to wait
    return code;
}

RECORDER_API int MPI_Win_free(MPI_Win* win) {
    ENTER;
    unsigned const place = CALLER();
    if (is_nowhere("MPI_Win_free", place, win == NULL, "window")) return PROGRAMS(PMPI_Win_free(win));
    check_not_null("MPI_Win_free", place, *win == MPI_WIN_NULL, "window");
    unwatch_window(place, *win);
    struct window* const w = window_of(*win);
    accesses_are_awaited(*win, all_targets, place);
    accesses_are_complete(*win, all_targets, place, false);
    if (w != NULL) {
        flushed(w, place, all_targets); // an epoch has to be over
        meet(w, place);
        w->handle = MPI_WIN_NULL;
        free(w->seen);
        w->seen = NULL;
    }
    window_has_gone(*win);
    object_freed(a_window, HANDLE(*win));
    return WAITS("MPI_Win_free", place, PMPI_Win_free(win));
}

// ---- groups: post, start, complete, wait ----------------------------------------------------------------------------

/// The ranks in the window of the members of a group, which are allocated; how many they are.
static int members(MPI_Group group, MPI_Win win, int** ranks) {
    *ranks = NULL;
    if (!is_recording() || ranks_of_window(win) < 0 || !is_group(group)) return 0;
    int n = 0;
    PMPI_Group_size(group, &n);
    MPI_Group all = MPI_GROUP_NULL;
    PMPI_Win_get_group(win, &all);
    int* const own = allocate((size_t)(n + 1) * sizeof *own);
    *ranks = allocate((size_t)(n + 1) * sizeof **ranks);
    for (int i = 0; i < n; ++i) own[i] = i;
    PMPI_Group_translate_ranks(group, n, own, all, *ranks);
    PMPI_Group_free(&all);
    free(own);
    return n;
}

/// What a rank of the window begins with others; and when it ends that, with the same ones.
static struct partners {
    MPI_Win win;
    bool is_start;
    int* ranks;
    int n;
    struct partners* next;
} * partners;

static void write_partners(char const* word, struct window const* w, unsigned place, int const* ranks, int n) {
    begin_line(word);
    add_number(place);
    add_number(w->number);
    for (int i = 0; i < n; ++i)
        if (world_rank(w->comm, ranks[i]) >= 0) add_number(world_rank(w->comm, ranks[i]));
    end_line();
}

static void begin_with(bool is_start, MPI_Win win, int* ranks, int n) {
    struct partners* const p = allocate(sizeof *p);
    *p = (struct partners){win, is_start, ranks, n, partners};
    partners = p;
}

static void end_with(bool is_start, unsigned place, MPI_Win win) {
    struct partners** at = &partners;
    while (*at != NULL && ((*at)->win != win || (*at)->is_start != is_start)) at = &(*at)->next;
    struct partners* const p = *at;
    if (p == NULL) return;
    struct window const* const w = find_window(win);
    if (w != NULL) write_partners(is_start ? "rma complete" : "rma wait", w, place, p->ranks, p->n);
    *at = p->next;
    free(p->ranks);
    free(p);
}

RECORDER_API int MPI_Win_post(MPI_Group group, int assertion, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    check_assertion("MPI_Win_post", place, assertion, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT);
    check_not_null("MPI_Win_post", place, group == MPI_GROUP_NULL, "group");
    post_in_epoch(place, win);
    struct window* const w = window_of(win);
    look_at_missed_accesses();
    int* ranks = NULL;
    int const n = members(group, win, &ranks);
    if (w != NULL) write_partners("rma post", w, place, ranks, n);
    if (ranks != NULL) begin_with(false, win, ranks, n);
    return WAITS("MPI_Win_post", place, PMPI_Win_post(group, assertion, win));
}

RECORDER_API int MPI_Win_start(MPI_Group group, int assertion, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    check_assertion("MPI_Win_start", place, assertion, MPI_MODE_NOCHECK);
    check_not_null("MPI_Win_start", place, group == MPI_GROUP_NULL, "group");
    int* ranks = NULL;
    int const n = members(group, win, &ranks);
    start_in_epoch(place, win, ranks, n);
    struct window* const w = window_of(win);
    if (w != NULL) write_partners("rma start", w, place, ranks, n);
    if (ranks != NULL) begin_with(true, win, ranks, n);
    return WAITS("MPI_Win_start", place, PMPI_Win_start(group, assertion, win));
}

RECORDER_API int MPI_Win_complete(MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    end_in_epoch(completes, place, win);
    struct window* const w = window_of(win);
    accesses_are_awaited(win, all_targets, place);
    int const code = WAITS("MPI_Win_complete", place, PMPI_Win_complete(win));
    if (code != MPI_SUCCESS) return code;
    accesses_are_complete(win, all_targets, place, false);
    if (w != NULL) flushed(w, place, all_targets);
    end_with(true, place, win);
    return code;
}

RECORDER_API int MPI_Win_wait(MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    end_in_epoch(waits, place, win);
    window_of(win);
    int const code = WAITS("MPI_Win_wait", place, PMPI_Win_wait(win));
    if (code != MPI_SUCCESS) return code;
    end_with(false, place, win);
    window_of(win);
    return code;
}

RECORDER_API int MPI_Win_test(MPI_Win win, int* flag) {
    ENTER;
    unsigned const place = CALLER();
    if (is_nowhere("MPI_Win_test", place, flag == NULL, "flag")) return PROGRAMS(PMPI_Win_test(win, flag));
    end_in_epoch(tests, place, win);
    window_of(win);
    int const code = PROGRAMS(PMPI_Win_test(win, flag));
    if (code != MPI_SUCCESS || !*flag) return code;
    end_in_epoch(has_tested, place, win);
    end_with(false, place, win);
    window_of(win);
    return code;
}
