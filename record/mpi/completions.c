// Waits and tests. The file has a line for the beginning of each wait, and a line for each send or receive that is complete,
// in the order in which the program learns of it. Tests have the second only, and a line that says how many tests failed
// before.
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

void begin_wait(unsigned place, struct request* const* requests, int n, bool all) {
    begin_line(all ? "wait" : "any");
    add_number(place);
    for (int i = 0; i < n; ++i)
        if (requests[i] != NULL) add_number(requests[i]->number);
    end_line();
}

void completed(struct request* r, MPI_Status const* status) {
    switch (r->kind) {
    case is_send:
        begin_line("sent");
        add_number(r->number);
        end_line();
        break;
    case is_receive: {
        int count = r->count;
        PMPI_Get_count(status, r->type, &count);
        begin_line("got");
        add_number(r->number);
        add_number(world_rank(r->comm, status->MPI_SOURCE));
        add_number(status->MPI_TAG);
        add_number(value_of(r->buffer, count == MPI_UNDEFINED ? r->count : count, r->type));
        end_line();
        received_into(r->buffer, r->number);
        break;
    }
    case is_collective: end_collective(r->number, (struct data){r->buffer, r->count, r->type}); break;
    }
    r->is_active = false;
}

// Tests look at time: whether one succeeds depends on when it comes. In a replay they succeed where they did.
static unsigned long failed_polls;

void poll_failed(char const* function, unsigned place) {
    if (!is_recording()) return;
    ++failed_polls;
    remark(function, place, "its result depends on when it is called; the recording has the results of this run");
}

void poll_succeeded(void) {
    if (!is_recording()) return;
    begin_line("polls");
    add_number((int64_t)failed_polls);
    end_line();
    failed_polls = 0;
}

// ---- waiting ----------------------------------------------------------------------------------------------------------------

void leave_schedule_with(struct request* r) {
    if (!r->is_scheduled || r->is_complete || r->real == MPI_REQUEST_NULL) return;
    int is_cancelled = 0;
    PMPI_Cancel(&r->real);
    PMPI_Wait(&r->real, &r->status);
    PMPI_Test_cancelled(&r->status, &is_cancelled);
    r->is_scheduled = false;
    r->is_complete = !is_cancelled;
    if (is_cancelled) PMPI_Irecv(r->buffer, r->count, r->type, r->peer, r->tag, r->comm->handle, &r->real);
}

/// Between two looks at requests that are not complete. Receives leave the schedule in the order in which they were posted.
static void pause_in_replay(void) {
    static bool has_left;
    if (!has_left && is_off_schedule()) {
        has_left = true;
        for_each_scheduled(leave_schedule_with);
    }
    nap();
}

int wait_here(struct request* r, MPI_Status* status) {
    int flag = 0;
    while (true) {
        int const code = PMPI_Test(&r->real, &flag, status);
        if (code != MPI_SUCCESS || flag) return code;
        pause_in_replay();
        if (is_off_schedule()) leave_schedule_with(r);
        if (r->is_complete) {
            *status = r->status;
            return MPI_SUCCESS;
        }
    }
}

/// The requests of a call, before it overwrites their handles.
struct group {
    int n;
    MPI_Request* handles;
    struct request** requests; // null: the recorder does not know this one, or it is not active
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
        struct request* const r = is_recording() ? find_request(handles[i], &handles[i]) : NULL;
        g->requests[i] = r != NULL && r->is_active ? r : NULL;
        if (g->requests[i] != NULL) ++g->active;
    }
    look_up(g);
}

static void release(struct group* g) {
    if (g->requests == g->few_requests) return;
    free(g->requests);
    free(g->real);
    free(g->own_statuses);
}

static void begin_group_wait(struct group const* g, unsigned place, bool all) {
    if (g->active != 0) begin_wait(place, g->requests, g->n, all);
}

/// Request i is complete with this status.
static void finish(struct group* g, int i, MPI_Status* status) {
    struct request* const r = g->requests[i];
    if (r == NULL) {
        g->handles[i] = g->real[i];
        return;
    }
    if (r->is_complete) *status = r->status;
    r->is_complete = r->is_scheduled = false;
    completed(r, status);
    if (r->is_persistent) {
        r->real = r->handle;
    } else {
        forget_request(r);
        g->handles[i] = MPI_REQUEST_NULL;
    }
}

/// A request of the group that is complete although it should have been posted anew; -1: none.
static int find_complete(struct group const* g) {
    for (int i = 0; i < g->n; ++i)
        if (g->requests[i] != NULL && g->requests[i]->is_complete) return i;
    return -1;
}

static int wait_for_all(struct group* g) {
    if (!is_replaying()) return PMPI_Waitall(g->n, g->real, g->statuses);
    int flag = 0;
    while (true) {
        int const code = PMPI_Testall(g->n, g->real, &flag, g->statuses);
        if (code != MPI_SUCCESS || flag) return code;
        pause_in_replay();
        look_up(g);
    }
}

/// Of a replay: the request that was complete first in the recorded run, among those of the group; -1: that is not known.
static int first_in_order(struct group const* g) {
    int first = -1;
    unsigned least = 0;
    for (int i = 0; i < g->n; ++i) {
        unsigned const place = g->requests[i] == NULL ? 0 : place_in_order(g->requests[i]->number);
        if (place == 0 || (first >= 0 && place > least)) continue;
        first = i;
        least = place;
    }
    return first;
}

static int wait_for_any(struct group* g, int* index, MPI_Status* status) {
    if (!is_replaying()) return PMPI_Waitany(g->n, g->real, index, status);
    int flag = 0;
    while (true) {
        int const first = is_off_schedule() ? -1 : first_in_order(g);
        *index = find_complete(g);
        if (*index >= 0) return MPI_SUCCESS;
        *index = first;
        int const code =
            first >= 0 ? PMPI_Test(&g->real[first], &flag, status) : PMPI_Testany(g->n, g->real, index, &flag, status);
        if (code != MPI_SUCCESS || flag) return code;
        pause_in_replay();
        look_up(g);
    }
}

RECORDER_API int MPI_Wait(MPI_Request* handle, MPI_Status* status) {
    struct group g;
    gather(&g, 1, handle, status);
    begin_group_wait(&g, CALLER(), true);
    int const code = wait_for_all(&g);
    finish(&g, 0, g.statuses);
    return code;
}

RECORDER_API int MPI_Waitall(int n, MPI_Request handles[], MPI_Status statuses[]) {
    struct group g;
    gather(&g, n, handles, statuses);
    begin_group_wait(&g, CALLER(), true);
    int const code = wait_for_all(&g);
    for (int i = 0; i < n; ++i) finish(&g, i, &g.statuses[i]);
    release(&g);
    return code;
}

static char const order[] = "which request is complete first depends on time; the recording has the order of this run";

RECORDER_API int MPI_Waitany(int n, MPI_Request handles[], int* index, MPI_Status* status) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles, NULL);
    begin_group_wait(&g, place, false);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    int const code = wait_for_any(&g, index, status);
    if (*index != MPI_UNDEFINED) finish(&g, *index, status);
    if (g.active > 1) remark("MPI_Waitany", place, order);
    release(&g);
    return code;
}

/// Of a replay: one request after the other, as long as the rank learned of them without doing anything in between.
static int wait_for_some(struct group* g, int* done, int indices[]) {
    *done = 0;
    while (true) {
        int const n = *done;
        int const code = wait_for_any(g, &indices[n], &g->statuses[n]);
        if (code != MPI_SUCCESS || indices[n] == MPI_UNDEFINED) {
            *done = MPI_UNDEFINED;
            return code;
        }
        struct request* const r = g->requests[indices[n]];
        unsigned const number = r == NULL ? not_recorded : r->number;
        finish(g, indices[n], &g->statuses[n]);
        g->requests[indices[n]] = NULL;
        ++*done;
        look_up(g);
        int const next = is_off_schedule() ? -1 : first_in_order(g);
        if (next < 0 || !is_next_in_order(number, g->requests[next]->number)) return code;
    }
}

RECORDER_API int MPI_Waitsome(int n, MPI_Request handles[], int* done, int indices[], MPI_Status statuses[]) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles, statuses);
    begin_group_wait(&g, place, false);
    int code = MPI_SUCCESS;
    if (is_replaying()) {
        code = wait_for_some(&g, done, indices);
    } else {
        code = PMPI_Waitsome(n, g.real, done, indices, g.statuses);
        for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i) finish(&g, indices[i], &g.statuses[i]);
    }
    if (g.active > 1) remark("MPI_Waitsome", place, order);
    release(&g);
    return code;
}

// ---- testing ----------------------------------------------------------------------------------------------------------------

/// All that have to be, and to be known, for a test to be written down.
static void tested(struct group const* g, char const* function, unsigned place, bool succeeded) {
    if (!succeeded)
        poll_failed(function, place);
    else if (g->active != 0)
        poll_succeeded();
}

RECORDER_API int MPI_Test(MPI_Request* handle, int* flag, MPI_Status* status) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, 1, handle, status);
    int const code = PMPI_Test(g.real, flag, g.statuses);
    tested(&g, "MPI_Test", place, *flag != 0);
    if (*flag) finish(&g, 0, g.statuses);
    return code;
}

RECORDER_API int MPI_Testall(int n, MPI_Request handles[], int* flag, MPI_Status statuses[]) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles, statuses);
    int const code = PMPI_Testall(n, g.real, flag, g.statuses);
    tested(&g, "MPI_Testall", place, *flag != 0);
    for (int i = 0; *flag && i < n; ++i) finish(&g, i, &g.statuses[i]);
    release(&g);
    return code;
}

RECORDER_API int MPI_Testany(int n, MPI_Request handles[], int* index, int* flag, MPI_Status* status) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles, NULL);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    int code = MPI_SUCCESS;
    *index = find_complete(&g);
    *flag = 1;
    if (*index < 0) code = PMPI_Testany(n, g.real, index, flag, status);
    tested(&g, "MPI_Testany", place, *flag != 0);
    if (*flag && *index != MPI_UNDEFINED) finish(&g, *index, status);
    release(&g);
    return code;
}

RECORDER_API int MPI_Testsome(int n, MPI_Request handles[], int* done, int indices[], MPI_Status statuses[]) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles, statuses);
    int code = MPI_SUCCESS;
    *indices = find_complete(&g);
    *done = 1;
    if (*indices < 0) code = PMPI_Testsome(n, g.real, done, indices, g.statuses);
    tested(&g, "MPI_Testsome", place, *done != 0);
    for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i) finish(&g, indices[i], &g.statuses[i]);
    release(&g);
    return code;
}

RECORDER_API int MPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
    unsigned const place = CALLER();
    int const code = PMPI_Request_get_status(handle, flag, status);
    if (find_request(handle, NULL) != NULL)
        remark("MPI_Request_get_status", place,
               "its result depends on when it is called; the recording does not have it");
    return code;
}

RECORDER_API int MPI_Request_free(MPI_Request* handle) {
    unsigned const place = CALLER();
    struct request* const r = is_recording() ? find_request(*handle, handle) : NULL;
    if (r != NULL) {
        if (r->is_active && r->kind != is_send)
            not_modelled("MPI_Request_free", place, "the program does not learn when this request is complete");
        forget_request(r);
    }
    return PMPI_Request_free(handle);
}

RECORDER_API int MPI_Cancel(MPI_Request* handle) {
    not_modelled("MPI_Cancel", CALLER(), "whether it comes in time is not recorded");
    return PMPI_Cancel(handle);
}
