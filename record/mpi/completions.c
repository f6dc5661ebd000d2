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
    case is_collective:
        end_collective(r->number, (struct data){r->buffer, r->count, r->type});
        break;
    }
    r->is_active = false;
}

/// The same, for a request that the program waited for or tested: it is gone then, unless it is persistent.
static void finished(struct request* r, MPI_Status const* status) {
    if (r == NULL) return;
    completed(r, status);
    if (!r->is_persistent) forget_request(r);
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

/// The requests of a call, before it overwrites their handles. Waits for large numbers of requests need memory.
struct group {
    struct request** requests; // null: the recorder does not know this one, or it is not active
    MPI_Status* statuses;
    int active;
    struct request* few[8];
    MPI_Status few_statuses[8];
};

static void gather(struct group* g, int n, MPI_Request const handles[]) {
    bool const is_small = n <= 8;
    g->requests = is_small ? g->few : allocate((size_t)n * sizeof(struct request*));
    g->statuses = is_small ? g->few_statuses : allocate((size_t)n * sizeof(MPI_Status));
    g->active = 0;
    for (int i = 0; i < n; ++i) {
        struct request* const r = is_recording() ? find_request(handles[i], &handles[i]) : NULL;
        g->requests[i] = r != NULL && r->is_active ? r : NULL;
        if (g->requests[i] != NULL) ++g->active;
    }
}

static void begin_group_wait(struct group const* g, int n, unsigned place, bool all) {
    if (g->active != 0) begin_wait(place, g->requests, n, all);
}

static void release(struct group* g) {
    if (g->requests == g->few) return;
    free(g->requests);
    free(g->statuses);
}

RECORDER_API int MPI_Wait(MPI_Request* handle, MPI_Status* status) {
    struct group g;
    gather(&g, 1, handle);
    begin_group_wait(&g, 1, CALLER(), true);
    if (status == MPI_STATUS_IGNORE) status = g.statuses;
    int const code = PMPI_Wait(handle, status);
    finished(g.requests[0], status);
    return code;
}

RECORDER_API int MPI_Waitall(int n, MPI_Request handles[], MPI_Status statuses[]) {
    struct group g;
    gather(&g, n, handles);
    begin_group_wait(&g, n, CALLER(), true);
    if (statuses == MPI_STATUSES_IGNORE) statuses = g.statuses;
    int const code = PMPI_Waitall(n, handles, statuses);
    for (int i = 0; i < n; ++i) finished(g.requests[i], &statuses[i]);
    release(&g);
    return code;
}

static char const order[] = "which request is complete first depends on time; the recording has the order of this run";

RECORDER_API int MPI_Waitany(int n, MPI_Request handles[], int* index, MPI_Status* status) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles);
    begin_group_wait(&g, n, place, false);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    int const code = PMPI_Waitany(n, handles, index, status);
    if (*index != MPI_UNDEFINED) finished(g.requests[*index], status);
    if (g.active > 1) remark("MPI_Waitany", place, order);
    release(&g);
    return code;
}

/// `indices` are those of the requests that are complete.
static void finish_some(struct group* g, int done, int const indices[], MPI_Status const statuses[], char const* function,
                        unsigned place) {
    if (done == MPI_UNDEFINED) return;
    for (int i = 0; i < done; ++i) finished(g->requests[indices[i]], &statuses[i]);
    if (g->active > 1) remark(function, place, order);
}

RECORDER_API int MPI_Waitsome(int n, MPI_Request handles[], int* done, int indices[], MPI_Status statuses[]) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles);
    begin_group_wait(&g, n, place, false);
    if (statuses == MPI_STATUSES_IGNORE) statuses = g.statuses;
    int const code = PMPI_Waitsome(n, handles, done, indices, statuses);
    finish_some(&g, *done, indices, statuses, "MPI_Waitsome", place);
    release(&g);
    return code;
}

RECORDER_API int MPI_Test(MPI_Request* handle, int* flag, MPI_Status* status) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, 1, handle);
    if (status == MPI_STATUS_IGNORE) status = g.statuses;
    int const code = PMPI_Test(handle, flag, status);
    if (!*flag) {
        poll_failed("MPI_Test", place);
    } else if (g.active != 0) {
        poll_succeeded();
        finished(g.requests[0], status);
    }
    return code;
}

RECORDER_API int MPI_Testall(int n, MPI_Request handles[], int* flag, MPI_Status statuses[]) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles);
    if (statuses == MPI_STATUSES_IGNORE) statuses = g.statuses;
    int const code = PMPI_Testall(n, handles, flag, statuses);
    if (!*flag) {
        poll_failed("MPI_Testall", place);
    } else if (g.active != 0) {
        poll_succeeded();
        for (int i = 0; i < n; ++i) finished(g.requests[i], &statuses[i]);
    }
    release(&g);
    return code;
}

RECORDER_API int MPI_Testany(int n, MPI_Request handles[], int* index, int* flag, MPI_Status* status) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles);
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    int const code = PMPI_Testany(n, handles, index, flag, status);
    if (!*flag) {
        poll_failed("MPI_Testany", place);
    } else if (*index != MPI_UNDEFINED && g.requests[*index] != NULL) {
        poll_succeeded();
        finished(g.requests[*index], status);
    }
    release(&g);
    return code;
}

RECORDER_API int MPI_Testsome(int n, MPI_Request handles[], int* done, int indices[], MPI_Status statuses[]) {
    unsigned const place = CALLER();
    struct group g;
    gather(&g, n, handles);
    if (statuses == MPI_STATUSES_IGNORE) statuses = g.statuses;
    int const code = PMPI_Testsome(n, handles, done, indices, statuses);
    if (*done == 0)
        poll_failed("MPI_Testsome", place);
    else if (*done != MPI_UNDEFINED && g.active != 0) {
        poll_succeeded();
        finish_some(&g, *done, indices, statuses, "MPI_Testsome", place);
    }
    release(&g);
    return code;
}

RECORDER_API int MPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
    unsigned const place = CALLER();
    int const code = PMPI_Request_get_status(handle, flag, status);
    if (find_request(handle, NULL) != NULL)
        remark("MPI_Request_get_status", place, "its result depends on when it is called; the recording does not have it");
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
