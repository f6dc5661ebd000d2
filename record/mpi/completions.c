// Waits and tests. The file has a line for the beginning of each wait, and a line for each send or receive that is
// complete, in the order in which the program learns of it. calls.c writes these lines. Tests have lines that say what
// they tested, and whether it was complete; polls.c writes them.
#include "recorder.h"

#include <stdlib.h>
#include <time.h>

/// The requests of a call, before it overwrites their handles.
struct group {
    int n;
    MPI_Request* handles;
    struct request** requests; // null if the recorder does not know this one, or it is inactive or already complete
    MPI_Request* real;         // the handles that the library knows
    MPI_Status* statuses;      // the caller's, or our own
    int active;
    struct request* few_requests[8];
    MPI_Request few_real[8];
    MPI_Status few_statuses[8];
    MPI_Status* own_statuses;
};

static void look_up(struct group* g) {
    for (int i = 0; i < g->n; ++i) g->real[i] = g->requests[i] == NULL ? g->handles[i] : g->requests[i]->real;
}

static void gather(struct group* g, int n, MPI_Request handles[], MPI_Status* statuses) {
    bool const is_small = n <= 8;
    g->n = n;
    g->handles = handles;
    g->requests = is_small ? g->few_requests : allocate((size_t)n * sizeof(struct request*));
    g->real = is_small ? g->few_real : allocate((size_t)n * sizeof(MPI_Request));
    g->own_statuses = is_small ? g->few_statuses : allocate((size_t)n * sizeof(MPI_Status));
    g->statuses = statuses == MPI_STATUSES_IGNORE || statuses == MPI_STATUS_IGNORE ? g->own_statuses : statuses;
    g->active = 0;
    for (int i = 0; i < n; ++i) {
        struct request* const r = is_recording() ? find_request(handles[i]) : NULL;
        bool const is_new = r != NULL && r->is_active && !r->is_listed; // nothing else is right, but we must not crash
        g->requests[i] = is_new ? r : NULL;
        if (!is_new) continue;
        r->is_listed = true;
        ++g->active;
    }
    look_up(g);
    fills_in(g->statuses, &g->n);
}

/// A request of MPI_PROC_NULL is complete at once, and has no line. A call for one or some of several can return it
/// before the others, or not.
static void name_unknown(struct group const* g, char const* function, unsigned place) {
    for (int i = 0; is_recording() && g->active != 0 && i < g->n; ++i)
        if (g->handles[i] != MPI_REQUEST_NULL && find_request(g->handles[i]) == NULL)
            not_modelled(function, place,
                         "a request that is not recorded, as one of MPI_PROC_NULL, may be complete first");
}

static void release(struct group* g) {
    for (int i = 0; i < g->n; ++i)
        if (g->requests[i] != NULL) g->requests[i]->is_listed = false;
    if (g->requests == g->few_requests) return;
    free(g->requests);
    free(g->real);
    free(g->own_statuses);
}

static void begin_group_wait(char const* word, struct group const* g, unsigned place) {
    if (g->active != 0) begin_wait(word, place, g->requests, g->n);
}

/// Replay: waits until other ranks have made the collective calls that a wait for all is to wait for.
static void meet_others(struct group* g) {
    for (int i = 0; i < g->n && is_replaying(); ++i)
        while (g->requests[i] != NULL && g->requests[i]->kind == is_collective &&
               !has_met_as_scheduled(g->requests[i]->number))
            pause_in_replay();
    look_up(g);
}

/// The library has said that request i is complete: with this status and code.
static void finish(struct group* g, int i, MPI_Status* status, int code) {
    struct request* const r = g->requests[i];
    if (r == NULL) {
        g->handles[i] = g->real[i];
        return;
    }
    if (r->is_complete) *status = r->status;
    r->is_complete = r->is_scheduled = r->is_listed = false;
    completed(r, status, code);
    g->requests[i] = NULL;
    if (r->is_persistent) {
        r->real = r->handle;
        r->may_be_cancelled = false;
    } else {
        forget_request(r);
        g->handles[i] = MPI_REQUEST_NULL;
    }
}

/// The same for request i of a call for one or any. An error that is not the request's own says nothing about it.
static void finish_one(struct group* g, int i, MPI_Status* status, int code) {
    if (i < 0 || i >= g->n) return; // none
    bool const is_over = code == MPI_SUCCESS || g->requests[i] == NULL || g->requests[i]->is_persistent ||
                         g->real[i] == MPI_REQUEST_NULL;
    if (is_over) finish(g, i, status, code);
}

/// The same of request i of a call for several, whose status is the k-th.
static void finish_of_several(struct group* g, int i, int k, int code) {
    int class = code;
    if (code != MPI_SUCCESS) PMPI_Error_class(code, &class);
    MPI_Status* const status = &g->statuses[k];
    if (class != MPI_ERR_IN_STATUS)
        finish_one(g, i, status, code);
    else if (status->MPI_ERROR != MPI_ERR_PENDING)
        finish_one(g, i, status, status->MPI_ERROR);
}

/// A request of the group that is complete although it should have been posted anew; MPI_UNDEFINED: none.
static int find_complete(struct group const* g) {
    for (int i = 0; i < g->n; ++i)
        if (g->requests[i] != NULL && g->requests[i]->is_complete) return i;
    return MPI_UNDEFINED;
}

static int wait_for_all(struct group* g) {
    if (!is_replaying()) return PROGRAMS(PMPI_Waitall(g->n, g->real, g->statuses));
    int flag = 0;
    while (true) {
        int const code = PROGRAMS_AT_ONCE(PMPI_Testall(g->n, g->real, &flag, g->statuses));
        if (code != MPI_SUCCESS || flag) return code;
        pause_in_replay();
        look_up(g);
    }
}

/// Replay: the request of the group that was complete first in the recorded run; MPI_UNDEFINED if that is unknown.
static int first_in_order(struct group const* g) {
    int first = MPI_UNDEFINED;
    unsigned least = 0;
    for (int i = 0; i < g->n; ++i) {
        unsigned const place = g->requests[i] == NULL ? 0 : place_in_order(g->requests[i]->number);
        if (place == 0 || (first != MPI_UNDEFINED && place > least)) continue;
        first = i;
        least = place;
    }
    return first;
}

/// One look at the request that the schedule has next, or at all if it says nothing.
static int look_for_any(struct group* g, int* index, int* flag, MPI_Status* status) {
    int const first = is_replaying() && !is_off_schedule() ? first_in_order(g) : MPI_UNDEFINED;
    *index = find_complete(g);
    *flag = *index != MPI_UNDEFINED;
    if (*flag) return MPI_SUCCESS;
    *index = first;
    return first != MPI_UNDEFINED ? PROGRAMS_AT_ONCE(PMPI_Test(&g->real[first], flag, status))
                                  : PROGRAMS_AT_ONCE(PMPI_Testany(g->n, g->real, index, flag, status));
}

static bool has_complete(struct group const* g) {
    int flag = 0;
    for (int i = 0; i < g->n && !flag; ++i)
        if (g->requests[i] != NULL) PMPI_Request_get_status(g->real[i], &flag, MPI_STATUS_IGNORE);
    return flag;
}

/// `is_more`: of a call that has one already and returns without another one (MPI_UNDEFINED) if the schedule's does not
/// come. Other calls return another one then: what the schedule says is nothing that they wait for.
static int wait_for_any(struct group* g, int* index, MPI_Status* status, unsigned place, bool is_more) {
    enum { most_seconds = 5 };
    time_t const since = time(NULL);
    int flag = 0;
    while (is_replaying() && g->active != 0) {
        int const code = look_for_any(g, index, &flag, status);
        if (code != MPI_SUCCESS || flag) return code;
        int const first = first_in_order(g);
        bool const is_late = first != MPI_UNDEFINED && !is_off_schedule() && time(NULL) - since > most_seconds;
        if (is_late && (is_more || has_complete(g))) give_up_schedule(g->requests[first]->number, place);
        if (is_more && is_off_schedule()) {
            *index = MPI_UNDEFINED;
            return MPI_SUCCESS;
        }
        pause_in_replay();
        look_up(g);
    }
    return PROGRAMS(PMPI_Waitany(g->n, g->real, index, status));
}

RECORDER_API int MPI_Wait(MPI_Request* handle, MPI_Status* status) {
    ENTER;
    if (is_nowhere("MPI_Wait", CALLER(), handle == NULL, "request")) return PROGRAMS(PMPI_Wait(handle, status));
    struct group g;
    gather(&g, 1, handle, status);
    begin_group_wait("wait", &g, CALLER());
    meet_others(&g);
    int code = MPI_SUCCESS;
    if (is_replaying() && g.requests[0] != NULL) {
        code = wait_here(g.requests[0], g.statuses);
        look_up(&g);
    } else {
        code = PROGRAMS(PMPI_Wait(g.real, g.statuses));
    }
    finish_one(&g, 0, g.statuses, code);
    release(&g);
    return code;
}

RECORDER_API int MPI_Waitall(int n, MPI_Request handles[], MPI_Status statuses[]) {
    ENTER;
    if (is_nowhere("MPI_Waitall", CALLER(), n > 0 && handles == NULL, "array of requests"))
        return PROGRAMS(PMPI_Waitall(n, handles, statuses));
    struct group g;
    gather(&g, n, handles, statuses);
    begin_group_wait("wait", &g, CALLER());
    meet_others(&g);
    int const code = wait_for_all(&g);
    for (int i = 0; i < n; ++i) finish_of_several(&g, i, i, code);
    release(&g);
    return code;
}

RECORDER_API int MPI_Waitany(int n, MPI_Request handles[], int* index, MPI_Status* status) {
    ENTER;
    if (is_nowhere("MPI_Waitany", CALLER(), (n > 0 && handles == NULL) || index == NULL, "array of requests or index"))
        return PROGRAMS(PMPI_Waitany(n, handles, index, status));
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles, NULL);
    name_unknown(&g, "MPI_Waitany", place);
    begin_group_wait("any", &g, place);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    *index = MPI_UNDEFINED;
    int const code = wait_for_any(&g, index, status, place, false);
    finish_one(&g, *index, status, code);
    release(&g);
    return code;
}

/// The n-th of several has failed, after others that have not.
static int fail_in_status(MPI_Status statuses[], int n, int code) {
    for (int i = 0; i < n; ++i) statuses[i].MPI_ERROR = MPI_SUCCESS;
    statuses[n].MPI_ERROR = code;
    return MPI_ERR_IN_STATUS;
}

/// Takes request i, which is complete; in a replay also those that the rank learned of next, without doing anything in
/// between.
static int take_some(struct group* g, int i, int code, int* done, int indices[], unsigned place) {
    *done = 0;
    while (true) {
        int const n = *done;
        unsigned const number = g->requests[i] == NULL ? not_recorded : g->requests[i]->number;
        finish_one(g, i, &g->statuses[n], code);
        indices[n] = i;
        ++*done;
        if (code != MPI_SUCCESS) return fail_in_status(g->statuses, n, code);
        look_up(g);
        int const next = is_off_schedule() ? MPI_UNDEFINED : first_in_order(g);
        if (next == MPI_UNDEFINED || !is_next_in_order(number, g->requests[next]->number)) return code;
        code = wait_for_any(g, &i, &g->statuses[n + 1], place, true);
        if (i == MPI_UNDEFINED) return code;
    }
}

static int wait_for_some(struct group* g, int* done, int indices[], unsigned place) {
    int i = MPI_UNDEFINED;
    int const code = wait_for_any(g, &i, g->statuses, place, false);
    *done = MPI_UNDEFINED;
    return i == MPI_UNDEFINED ? code : take_some(g, i, code, done, indices, place);
}

RECORDER_API int MPI_Waitsome(int n, MPI_Request handles[], int* done, int indices[], MPI_Status statuses[]) {
    ENTER;
    if (is_nowhere("MPI_Waitsome", CALLER(), (n > 0 && (handles == NULL || indices == NULL)) || done == NULL,
                   "array of requests or of indices, or its count"))
        return PROGRAMS(PMPI_Waitsome(n, handles, done, indices, statuses));
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles, statuses);
    name_unknown(&g, "MPI_Waitsome", place);
    begin_group_wait("some", &g, place);
    int code = MPI_SUCCESS;
    if (is_replaying()) {
        code = wait_for_some(&g, done, indices, place);
    } else {
        *done = MPI_UNDEFINED;
        fills_in(g.statuses, done);
        code = PROGRAMS(PMPI_Waitsome(n, g.real, done, indices, g.statuses));
        for (int k = 0; *done != MPI_UNDEFINED && k < *done; ++k) finish_of_several(&g, indices[k], k, code);
    }
    release(&g);
    return code;
}

// ---- testing --------------------------------------------------------------------------------------------------------

/// Begins a loop that runs once, and in a replay until the test comes out as the schedule says.
static struct poll* begin_test(char const* kind, unsigned place, struct group* g) {
    receives_leave_schedule();
    look_up(g);
    struct poll* const p = g->active == 0 ? NULL : poll_of(g->n == 1 ? "one" : kind, place, g->requests, g->n);
    if (poll_is_held_back(p)) look_at_held_back(g->real, g->n);
    return p;
}

static bool tests_again(struct poll* p, struct group* g, bool is_over) {
    if (!is_over && poll_goes_on(p)) {
        look_up(g);
        return true;
    }
    if (is_over)
        poll_has_succeeded(p);
    else
        poll_has_failed(p);
    return false;
}

RECORDER_API int MPI_Test(MPI_Request* handle, int* flag, MPI_Status* status) {
    ENTER;
    if (is_nowhere("MPI_Test", CALLER(), handle == NULL || flag == NULL, "request or flag"))
        return PROGRAMS(PMPI_Test(handle, flag, status));
    struct group g;
    gather(&g, 1, handle, status);
    struct poll* const p = begin_test("one", CALLER(), &g);
    int code = MPI_SUCCESS;
    do {
        *flag = 0;
        if (!poll_is_held_back(p)) code = PROGRAMS(PMPI_Test(g.real, flag, g.statuses));
    } while (tests_again(p, &g, *flag != 0 || code != MPI_SUCCESS));
    if (*flag != 0 || code != MPI_SUCCESS) finish_one(&g, 0, g.statuses, code);
    release(&g);
    return code;
}

RECORDER_API int MPI_Testall(int n, MPI_Request handles[], int* flag, MPI_Status statuses[]) {
    ENTER;
    if (is_nowhere("MPI_Testall", CALLER(), (n > 0 && handles == NULL) || flag == NULL, "array of requests or flag"))
        return PROGRAMS(PMPI_Testall(n, handles, flag, statuses));
    struct group g;
    gather(&g, n, handles, statuses);
    struct poll* const p = begin_test("all", CALLER(), &g);
    int code = MPI_SUCCESS;
    do {
        *flag = 0;
        if (!poll_is_held_back(p)) code = PROGRAMS(PMPI_Testall(n, g.real, flag, g.statuses));
    } while (tests_again(p, &g, *flag != 0 || code != MPI_SUCCESS));
    for (int i = 0; (*flag != 0 || code != MPI_SUCCESS) && i < n; ++i) finish_of_several(&g, i, i, code);
    release(&g);
    return code;
}

RECORDER_API int MPI_Testany(int n, MPI_Request handles[], int* index, int* flag, MPI_Status* status) {
    ENTER;
    if (is_nowhere("MPI_Testany", CALLER(), (n > 0 && handles == NULL) || index == NULL || flag == NULL,
                   "array of requests, index or flag"))
        return PROGRAMS(PMPI_Testany(n, handles, index, flag, status));
    struct group g;
    gather(&g, n, handles, NULL);
    unsigned const place = CALLER();
    name_unknown(&g, "MPI_Testany", place);
    struct poll* const p = begin_test("among", place, &g);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    int code = MPI_SUCCESS;
    do {
        *index = MPI_UNDEFINED;
        *flag = 0;
        if (!poll_is_held_back(p)) code = look_for_any(&g, index, flag, status);
    } while (tests_again(p, &g, *flag != 0 || code != MPI_SUCCESS));
    if (*flag != 0 || code != MPI_SUCCESS)
        finish_one(&g, *index, status, code);
    else
        *index = MPI_UNDEFINED;
    release(&g);
    return code;
}

/// Whether the requests that a call for several returns are taken one by one, not as the library says.
static bool is_one_by_one(struct group const* g) {
    bool const is_planned = is_replaying() && !is_off_schedule() && first_in_order(g) != MPI_UNDEFINED;
    return is_planned || find_complete(g) != MPI_UNDEFINED;
}

RECORDER_API int MPI_Testsome(int n, MPI_Request handles[], int* done, int indices[], MPI_Status statuses[]) {
    ENTER;
    if (is_nowhere("MPI_Testsome", CALLER(), (n > 0 && (handles == NULL || indices == NULL)) || done == NULL,
                   "array of requests or of indices, or its count"))
        return PROGRAMS(PMPI_Testsome(n, handles, done, indices, statuses));
    struct group g;
    gather(&g, n, handles, statuses);
    unsigned const place = CALLER();
    name_unknown(&g, "MPI_Testsome", place);
    struct poll* const p = begin_test("some", place, &g);
    int code = MPI_SUCCESS;
    bool const one_by_one = is_one_by_one(&g);
    int first = MPI_UNDEFINED;
    do {
        int flag = 0;
        *done = 0;
        if (poll_is_held_back(p)) continue;
        if (one_by_one) {
            code = look_for_any(&g, &first, &flag, g.statuses);
            *done = flag || code != MPI_SUCCESS;
        } else {
            *done = MPI_UNDEFINED;
            fills_in(g.statuses, done);
            code = PROGRAMS(PMPI_Testsome(n, g.real, done, indices, g.statuses));
        }
    } while (tests_again(p, &g, *done != 0));
    if (one_by_one && *done != 0)
        code = take_some(&g, first, code, done, indices, place);
    else
        for (int k = 0; *done != MPI_UNDEFINED && k < *done; ++k) finish_of_several(&g, indices[k], k, code);
    release(&g);
    return code;
}

// ---- requests that are looked at, freed, or cancelled
// --------------------------------------------------------------------------

RECORDER_API int MPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
    ENTER;
    if (is_nowhere("MPI_Request_get_status", CALLER(), flag == NULL, "flag"))
        return PROGRAMS(PMPI_Request_get_status(handle, flag, status));
    unsigned const place = CALLER();
    receives_leave_schedule();
    struct request const* const r = is_recording() ? find_request(handle) : NULL;
    if (r != NULL && r->is_active)
        remark("MPI_Request_get_status", place,
               "its result depends on when it is called; the recording does not have it");
    if (r == NULL || !r->is_complete)
        return PROGRAMS(PMPI_Request_get_status(r == NULL ? handle : r->real, flag, status));
    *flag = 1;
    if (status != MPI_STATUS_IGNORE) *status = r->status;
    return MPI_SUCCESS;
}

RECORDER_API int MPI_Request_free(MPI_Request* handle) {
    ENTER;
    if (is_nowhere("MPI_Request_free", CALLER(), handle == NULL, "request")) return PROGRAMS(PMPI_Request_free(handle));
    unsigned const place = CALLER();
    if (is_recording()) check_not_null("MPI_Request_free", place, *handle == MPI_REQUEST_NULL, "request");
    struct request* const r = is_recording() ? find_request(*handle) : NULL;
    if (r == NULL || r->is_listed) return PROGRAMS(PMPI_Request_free(handle));
    if (r->is_active && r->kind != is_send) {
        not_modelled("MPI_Request_free", place, "the program does not learn when this request is complete");
        finding("freed-request", r->function, r->place, place,
                "its request is freed before it is complete, so nobody learns when it is");
    }
    if (r->is_persistent && !r->was_started)
        finding("never-started", r->function, r->made_at, place,
                "its persistent request is freed, and was never started");
    MPI_Request real = r->real;
    bool const is_posted_anew = real != r->handle;
    bool const is_persistent = r->is_persistent;
    forget_request(r);
    int code = MPI_SUCCESS;
    if (is_posted_anew && real != MPI_REQUEST_NULL) code = PROGRAMS(PMPI_Request_free(&real));
    if (!is_posted_anew || is_persistent) return PROGRAMS(PMPI_Request_free(handle));
    *handle = MPI_REQUEST_NULL;
    return code;
}

/// A receive is either withdrawn by MPI_Cancel, or a message has matched it before: libraries know at once. In a replay
/// it waits for a message if one is to match.
static int cancel_receive(struct request* r, unsigned place) {
    struct poll* const p = poll_of_cancel(place, r);
    MPI_Status status = r->status;
    int is_over = 0, is_withdrawn = 0;
    do
        if (!r->is_complete) PMPI_Request_get_status(r->real, &is_over, &status);
    while (!is_over && !r->is_complete && poll_goes_on(p));
    if (!r->is_complete) {
        int const code = PROGRAMS(PMPI_Cancel(&r->real));
        if (code != MPI_SUCCESS) {
            not_modelled("MPI_Cancel", place, "it returned an error; what it has done is not recorded");
            return code;
        }
        PMPI_Request_get_status(r->real, &is_over, &status);
        if (is_over) PMPI_Test_cancelled(&status, &is_withdrawn);
    }
    r->is_withdrawn = is_withdrawn;
    r->may_be_cancelled = true;
    begin_line("cancel");
    add_number(r->number);
    add_number(place);
    add_number(!is_withdrawn);
    end_line();
    return MPI_SUCCESS;
}

RECORDER_API int MPI_Cancel(MPI_Request* handle) {
    ENTER;
    unsigned const place = CALLER();
    if (is_nowhere("MPI_Cancel", place, handle == NULL, "request")) return PROGRAMS(PMPI_Cancel(handle));
    struct request* const r = is_recording() ? find_request(*handle) : NULL;
    check_cancelled("MPI_Cancel", place, *handle, r);
    if (r == NULL || !r->is_active || r->may_be_cancelled)
        return r != NULL && r->is_complete ? MPI_SUCCESS : PROGRAMS(PMPI_Cancel(r == NULL ? handle : &r->real));
    if (r->kind == is_receive && !r->is_matched) return cancel_receive(r, place);
    not_modelled("MPI_Cancel", place, "whether it comes in time is not recorded");
    r->may_be_cancelled = true;
    if (r->kind == is_send) {
        begin_line("cancel");
        add_number(r->number);
        end_line();
    }
    return r->is_complete ? MPI_SUCCESS : PROGRAMS(PMPI_Cancel(&r->real));
}
