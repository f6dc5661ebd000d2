// Epochs of windows, as this rank sees them (MPI-3.1, 11.5): accesses need one, those of one process are disjoint, and
// each has to end. What other ranks do, such as the post that a start waits for, is not looked at. Also of windows that
// are not modelled. Findings are written before the library is called, which may end the program or never return.
#include "calls.h"

#include <stdlib.h>

struct epoch {
    char const* function; // that began it; null if it is not open
    unsigned place;
};

static struct watched {
    MPI_Win handle;
    int size, rank;
    MPI_Aint* extents;    // for each rank two: bytes, and unit of displacements; null if not known
    struct epoch fence;   // after which accesses may come
    struct epoch used;    // the first access since then that needs it
    struct epoch started; // MPI_Win_start
    bool* targets;        // of it, by rank
    struct epoch posted;  // MPI_Win_post
    struct epoch all;     // MPI_Win_lock_all
    struct epoch* locks;  // by rank
    int locked;           // how many of them are open
    struct watched* next;
} * windows;

#define IS_OPEN(epoch) ((epoch).function != NULL)
#define CLOSED ((struct epoch){NULL, 0})

static struct watched* find(MPI_Win win) {
    if (!is_recording()) return NULL;
    for (struct watched* w = windows; w != NULL; w = w->next)
        if (w->handle == win) return w;
    return NULL;
}

static bool has_rank(struct watched const* w, int rank) { return rank >= 0 && rank < w->size; }

void watch_window(MPI_Win win, MPI_Comm comm, MPI_Aint bytes, int unit) {
    if (!is_recording()) return;
    struct watched* const w = allocate(sizeof *w);
    *w = (struct watched){.handle = win, .next = windows};
    PMPI_Comm_size(comm, &w->size);
    PMPI_Comm_rank(comm, &w->rank);
    w->locks = allocate((size_t)w->size * sizeof *w->locks);
    w->targets = allocate((size_t)w->size);
    windows = w;
    if (bytes < 0) return;
    w->extents = allocate(2 * (size_t)w->size * sizeof *w->extents);
    MPI_Aint const own[2] = {bytes, unit};
    PMPI_Allgather(own, 2, MPI_AINT, w->extents, 2, MPI_AINT, comm);
}

MPI_Aint room_in_window(MPI_Win win, int target, MPI_Aint displacement) {
    struct watched const* const w = find(win);
    if (w == NULL || w->extents == NULL || !has_rank(w, target)) return -1;
    MPI_Aint const bytes = w->extents[2 * target], at = displacement * w->extents[2 * target + 1];
    return at > bytes ? 0 : bytes - at;
}

int ranks_of_window(MPI_Win win) {
    struct watched const* const w = find(win);
    return w == NULL ? -1 : w->size;
}

// ---- accesses -------------------------------------------------------------------------------------------------------

static bool is_locked(struct watched const* w, int target) { return IS_OPEN(w->all) || IS_OPEN(w->locks[target]); }

void access_in_epoch(char const* function, unsigned place, MPI_Win win, int target, bool by_request) {
    struct watched* const w = find(win);
    if (w == NULL || !has_rank(w, target) || is_locked(w, target)) return;
    if (by_request)
        finding("missing-epoch", function, place, 0, "rank %d is not locked, as a call with a request needs", target);
    else if (IS_OPEN(w->started) && !w->targets[target])
        finding("missing-epoch", function, place, w->started.place, "rank %d is not in the group of MPI_Win_start",
                target);
    else if (!IS_OPEN(w->started) && !IS_OPEN(w->fence))
        finding("missing-epoch", function, place, 0, "no epoch is open in which it may access rank %d", target);
    else if (!IS_OPEN(w->started) && !IS_OPEN(w->used))
        w->used = (struct epoch){function, place};
}

void flush_in_epoch(char const* function, unsigned place, MPI_Win win, int target) {
    struct watched const* const w = find(win);
    if (w == NULL || (target >= 0 && !has_rank(w, target))) return;
    if (target >= 0 && !is_locked(w, target))
        finding("missing-epoch", function, place, 0, "rank %d is not locked", target);
    else if (target == all_targets && !IS_OPEN(w->all) && w->locked == 0)
        finding("missing-epoch", function, place, 0, "no rank is locked");
}

// ---- beginnings -----------------------------------------------------------------------------------------------------

static void begins_twice(char const* function, unsigned place, struct epoch const* open) {
    finding("double-epoch", function, place, open->place, "the epoch of an earlier %s is open", open->function);
}

/// The lock that is open, of any rank. Null if there is none.
static struct epoch const* any_lock(struct watched const* w) {
    if (IS_OPEN(w->all)) return &w->all;
    for (int i = 0; i < w->size && w->locked > 0; ++i)
        if (IS_OPEN(w->locks[i])) return &w->locks[i];
    return NULL;
}

/// An epoch of accesses begins that others than those of fences must not overlap. A fence after which no access came
/// has begun none.
static void leave_fence(struct watched* w, char const* function, unsigned place) {
    if (IS_OPEN(w->used)) begins_twice(function, place, &w->fence);
    w->fence = w->used = CLOSED;
}

void fence_in_epoch(unsigned place, int assertion, MPI_Win win) {
    struct watched* const w = find(win);
    if (w == NULL) return;
    struct epoch const* const lock = any_lock(w);
    if (lock != NULL) begins_twice("MPI_Win_fence", place, lock);
    if (IS_OPEN(w->started)) begins_twice("MPI_Win_fence", place, &w->started);
    if (IS_OPEN(w->posted)) begins_twice("MPI_Win_fence", place, &w->posted);
    if ((assertion & MPI_MODE_NOPRECEDE) != 0 && IS_OPEN(w->used))
        finding("argument", "MPI_Win_fence", place, w->used.place,
                "it asserts MPI_MODE_NOPRECEDE, and accesses precede it");
    w->used = CLOSED;
    w->fence = (assertion & MPI_MODE_NOSUCCEED) != 0 ? CLOSED : (struct epoch){"MPI_Win_fence", place};
}

void lock_in_epoch(unsigned place, MPI_Win win, int target) {
    struct watched* const w = find(win);
    if (w == NULL || !has_rank(w, target)) return;
    struct epoch const now = {"MPI_Win_lock", place};
    if (IS_OPEN(w->locks[target]))
        finding("double-epoch", now.function, place, w->locks[target].place, "rank %d is locked already", target);
    else if (IS_OPEN(w->all))
        begins_twice(now.function, place, &w->all);
    if (IS_OPEN(w->started)) begins_twice(now.function, place, &w->started);
    if (IS_OPEN(w->posted) && target == w->rank)
        finding("double-epoch", now.function, place, w->posted.place,
                "the rank locks its own window while it is posted");
    leave_fence(w, now.function, place);
    w->locked += IS_OPEN(w->locks[target]) ? 0 : 1;
    w->locks[target] = now;
}

void lock_all_in_epoch(unsigned place, MPI_Win win) {
    struct watched* const w = find(win);
    if (w == NULL) return;
    struct epoch const* const lock = any_lock(w);
    if (lock != NULL) begins_twice("MPI_Win_lock_all", place, lock);
    if (IS_OPEN(w->started)) begins_twice("MPI_Win_lock_all", place, &w->started);
    if (IS_OPEN(w->posted)) begins_twice("MPI_Win_lock_all", place, &w->posted);
    leave_fence(w, "MPI_Win_lock_all", place);
    w->all = (struct epoch){"MPI_Win_lock_all", place};
}

void start_in_epoch(unsigned place, MPI_Win win, int const* ranks, int n) {
    struct watched* const w = find(win);
    if (w == NULL) return;
    struct epoch const* const lock = any_lock(w);
    if (lock != NULL) begins_twice("MPI_Win_start", place, lock);
    if (IS_OPEN(w->started)) begins_twice("MPI_Win_start", place, &w->started);
    leave_fence(w, "MPI_Win_start", place);
    w->started = (struct epoch){"MPI_Win_start", place};
    for (int i = 0; i < w->size; ++i) w->targets[i] = false;
    for (int i = 0; i < n; ++i)
        if (has_rank(w, ranks[i])) w->targets[ranks[i]] = true;
}

void post_in_epoch(unsigned place, MPI_Win win) {
    struct watched* const w = find(win);
    if (w == NULL) return;
    if (IS_OPEN(w->posted)) begins_twice("MPI_Win_post", place, &w->posted);
    if (is_locked(w, w->rank))
        finding("double-epoch", "MPI_Win_post", place, IS_OPEN(w->all) ? w->all.place : w->locks[w->rank].place,
                "the rank has locked its own window");
    if (!IS_OPEN(w->posted)) ++posted_windows;
    w->posted = (struct epoch){"MPI_Win_post", place};
}

// ---- ends -----------------------------------------------------------------------------------------------------------

static void ends(struct epoch* epoch, char const* function, unsigned place, char const* beginning) {
    if (!IS_OPEN(*epoch))
        finding("unbegun-epoch", function, place, 0, "it ends an epoch that no %s has begun", beginning);
    *epoch = CLOSED;
}

void unlock_in_epoch(unsigned place, MPI_Win win, int target) {
    struct watched* const w = find(win);
    if (w == NULL || !has_rank(w, target)) return;
    if (IS_OPEN(w->locks[target]))
        --w->locked;
    else
        finding("unbegun-epoch", "MPI_Win_unlock", place, 0, "no MPI_Win_lock has locked rank %d", target);
    w->locks[target] = CLOSED;
}

void end_in_epoch(enum end_of_epoch end, unsigned place, MPI_Win win) {
    struct watched* const w = find(win);
    if (w == NULL) return;
    if ((end == waits || end == has_tested) && IS_OPEN(w->posted)) --posted_windows;
    switch (end) {
    case unlocks_all: ends(&w->all, "MPI_Win_unlock_all", place, "MPI_Win_lock_all"); break;
    case completes: ends(&w->started, "MPI_Win_complete", place, "MPI_Win_start"); break;
    case waits: ends(&w->posted, "MPI_Win_wait", place, "MPI_Win_post"); break;
    case tests:
        if (!IS_OPEN(w->posted)) ends(&w->posted, "MPI_Win_test", place, "MPI_Win_post");
        break;
    case has_tested: w->posted = CLOSED; break;
    }
}

static void is_left_open(struct epoch const* epoch, unsigned place, char const* end) {
    if (IS_OPEN(*epoch)) finding("unended-epoch", epoch->function, epoch->place, place, "no %s ends its epoch", end);
}

/// The window is freed at a place, or the program ends (0).
static void look_for_open_epochs(struct watched const* w, unsigned place) {
    is_left_open(&w->started, place, "MPI_Win_complete");
    is_left_open(&w->posted, place, "MPI_Win_wait");
    is_left_open(&w->all, place, "MPI_Win_unlock_all");
    for (int i = 0; i < w->size; ++i) is_left_open(&w->locks[i], place, "MPI_Win_unlock");
    if (IS_OPEN(w->used))
        finding("unended-epoch", w->fence.function, w->fence.place, w->used.place,
                "accesses follow it, and no other MPI_Win_fence");
}

void unwatch_window(unsigned place, MPI_Win win) {
    struct watched* const gone = find(win);
    if (gone == NULL) return;
    look_for_open_epochs(gone, place);
    if (IS_OPEN(gone->posted)) --posted_windows;
    struct watched** at = &windows;
    while (*at != gone) at = &(*at)->next;
    *at = gone->next;
    free(gone->locks);
    free(gone->targets);
    free(gone->extents);
    free(gone);
}

void find_open_epochs(void) {
    for (struct watched const* w = windows; w != NULL; w = w->next) look_for_open_epochs(w, 0);
}
