// Sends and receives. A blocking one is an issue and a wait. The file has both, so that it tells where a rank was when
// the run ended.
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

/// Posts a receive that no message can match, in `r->real`.
static int post_in_vain(struct request* r) {
    static MPI_Comm nobody_sends_here = MPI_COMM_NULL;
    if (nobody_sends_here == MPI_COMM_NULL) PMPI_Comm_dup(MPI_COMM_SELF, &nobody_sends_here);
    r->is_scheduled = true;
    return PMPI_Irecv(r->buffer, r->count, r->type, 0, r->tag, nobody_sends_here, &r->real);
}

/// Posts a receive that was issued, in `r->real`: of a replay, with what it is to take.
static int post(struct request* r) {
    if (is_withdrawn_as_scheduled(r)) return post_in_vain(r);
    int from = r->peer;
    int tag = r->tag;
    r->is_scheduled = scheduled(r, &from, &tag);
    return PROGRAMS(PMPI_Irecv(r->buffer, r->count, r->type, from, tag, r->comm->handle, &r->real));
}

/// Describes a send; false if there is nothing to write down. The library refuses what no send can have.
static bool sends(struct request* r, char const* function, char mode, void const* buffer, int count, MPI_Datatype type,
                  int destination, int tag, MPI_Comm comm, unsigned place) {
    check_send(function, place, buffer, count, type, destination, tag, comm);
    if (destination == MPI_PROC_NULL || count < 0 || !is_type(type) || tag < 0) return false;
    *r = (struct request){.kind = is_send, .mode = mode, .peer = destination, .tag = tag, .count = count, .type = type};
    r->buffer = (void*)(uintptr_t)buffer;
    r->function = function;
    r->made_at = place;
    r->comm = modelled(function, comm, place);
    return r->comm != NULL && world_rank(r->comm, destination) >= 0;
}

/// The same of a receive.
static bool receives(struct request* r, char const* function, void* buffer, int count, MPI_Datatype type, int source,
                     int tag, MPI_Comm comm, unsigned place) {
    check_receive(function, place, buffer, count, type, source, tag, comm);
    if (source == MPI_PROC_NULL || count < 0 || !is_type(type)) return false;
    *r = (struct request){
        .kind = is_receive, .peer = source, .tag = tag, .count = count, .type = type, .buffer = buffer};
    r->function = function;
    r->made_at = place;
    r->comm = modelled(function, comm, place);
    return r->comm != NULL && can_receive(r->comm, source, tag);
}

/// What was issued, or will be started, with the handle and the code that the library has returned.
static void keep(struct request* r, MPI_Request* handle, bool persistent, int code) {
    r->is_persistent = persistent;
    struct request* const kept = code == MPI_SUCCESS ? keep_request(r, handle) : NULL;
    if (kept != NULL && !persistent)
        buffer_is_pending(kept);
    else if (kept == NULL && !persistent)
        failed(r);
}

/// Replay: buffered sends that wait for their receives. Each has a copy of its message. The rank waits for them where
/// it detaches its buffer.
static struct copied_send {
    struct request send;
    void* message;
    struct copied_send* next;
} * copied_sends;

/// In the place of a buffered send. What the program can wait for is complete at once.
static int send_copy(struct request const* s, void const* buffer, MPI_Request* handle) {
    int size = 0, packed = 0;
    int code = PROGRAMS(PMPI_Pack_size(s->count, s->type, s->comm->handle, &size));
    if (code != MPI_SUCCESS) return code;
    struct copied_send* const copy = allocate(sizeof *copy);
    copy->message = allocate((size_t)size + 1);
    code = PROGRAMS(PMPI_Pack(buffer, s->count, s->type, copy->message, size, &packed, s->comm->handle));
    if (code == MPI_SUCCESS)
        code = PROGRAMS(
            PMPI_Issend(copy->message, packed, MPI_PACKED, s->peer, s->tag, s->comm->handle, &copy->send.real));
    if (code != MPI_SUCCESS) {
        free(copy->message);
        free(copy);
        return code;
    }
    struct copied_send** last = &copied_sends;
    while (*last != NULL) last = &(*last)->next;
    *last = copy;
    return PMPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, handle);
}

/// Replay: issues a send that waits for its receive.
static int issue_send_that_waits(struct request const* s, void const* buffer, MPI_Request* handle) {
    if (s->mode == 'b') return send_copy(s, buffer, handle);
    return PROGRAMS(PMPI_Issend(buffer, s->count, s->type, s->peer, s->tag, s->comm->handle, handle));
}

/// Issues a send of a replay.
static int issue_in_replay(struct request* s, void const* buffer) {
    if (s->mode == 'S' || send_waits(s)) return issue_send_that_waits(s, buffer, &s->real);
    int (*const call)(void const*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) = s->mode == 'b'   ? PMPI_Ibsend
                                                                                          : s->mode == 'r' ? PMPI_Irsend
                                                                                                           : PMPI_Isend;
    return PROGRAMS(call(buffer, s->count, s->type, s->peer, s->tag, s->comm->handle, &s->real));
}

/// A blocking one: while the rank waits, its receives may have to leave the schedule.
static int send_in_replay(struct request* s) {
    MPI_Status status;
    int const code = issue_in_replay(s, s->buffer);
    return code == MPI_SUCCESS ? wait_here(s, &status) : code;
}

#define BLOCKING_SEND(name, mode)                                                                                      \
    RECORDER_API int MPI_##name(void const* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {    \
        ENTER;                                                                                                         \
        unsigned const place = CALLER();                                                                               \
        struct request r;                                                                                              \
        bool const known = sends(&r, "MPI_" #name, mode, buffer, count, type, to, tag, comm, place);                   \
        if (known) {                                                                                                   \
            issue(&r, place);                                                                                          \
            begin_wait("wait", place, (struct request*[]){&r}, 1);                                                     \
        }                                                                                                              \
        int const code =                                                                                               \
            known && is_replaying() ? send_in_replay(&r) : PROGRAMS(PMPI_##name(buffer, count, type, to, tag, comm));  \
        if (known) completed(&r, NULL, code);                                                                          \
        return code;                                                                                                   \
    }
BLOCKING_SEND(Send, 's')
BLOCKING_SEND(Ssend, 'S')
BLOCKING_SEND(Bsend, 'b')
BLOCKING_SEND(Rsend, 'r')

#define ISSUING_SEND(name, mode, persistent)                                                                           \
    RECORDER_API int MPI_##name(void const* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,      \
                                MPI_Request* handle) {                                                                 \
        ENTER;                                                                                                         \
        unsigned const place = CALLER();                                                                               \
        struct request r;                                                                                              \
        bool const known = sends(&r, "MPI_" #name, mode, buffer, count, type, to, tag, comm, place) &&                 \
                           !is_nowhere("MPI_" #name, place, handle == NULL, "request");                                \
        if (known && !(persistent)) issue(&r, place);                                                                  \
        bool const waits = known && !(persistent) && send_waits(&r);                                                   \
        int const code = waits ? issue_send_that_waits(&r, buffer, handle)                                             \
                               : PROGRAMS(PMPI_##name(buffer, count, type, to, tag, comm, handle));                    \
        if (known) keep(&r, handle, persistent, code);                                                                 \
        return code;                                                                                                   \
    }
ISSUING_SEND(Isend, 's', false)
ISSUING_SEND(Issend, 'S', false)
ISSUING_SEND(Ibsend, 'b', false)
ISSUING_SEND(Irsend, 'r', false)
ISSUING_SEND(Send_init, 's', true)
ISSUING_SEND(Ssend_init, 'S', true)
ISSUING_SEND(Bsend_init, 'b', true)
ISSUING_SEND(Rsend_init, 'r', true)

/// Replay: waits for the buffered sends that wait for their receives.
static int wait_for_copied_sends(void) {
    MPI_Status status;
    int code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && copied_sends != NULL) {
        struct copied_send* const first = copied_sends;
        code = wait_here(&first->send, &status);
        copied_sends = first->next;
        free(first->message);
        free(first);
    }
    return code;
}

static bool is_attached; // a buffer of buffered sends

RECORDER_API int MPI_Buffer_attach(void* buffer, int size) {
    ENTER;
    check_attached("MPI_Buffer_attach", CALLER(), is_attached, false);
    int const code = PROGRAMS(PMPI_Buffer_attach(buffer, size));
    if (code == MPI_SUCCESS) is_attached = true;
    return code;
}

/// It waits until all buffered messages are gone, and they may need their receives (MPI-3.1, Section 3.6).
RECORDER_API int MPI_Buffer_detach(void* address, int* size) {
    ENTER;
    unsigned const place = CALLER();
    if (is_nowhere("MPI_Buffer_detach", place, address == NULL || size == NULL, "address or size"))
        return PROGRAMS(PMPI_Buffer_detach(address, size));
    check_attached("MPI_Buffer_detach", place, is_attached, true);
    begin_detach(place);
    int code = wait_for_copied_sends();
    if (code == MPI_SUCCESS) code = PROGRAMS(PMPI_Buffer_detach(address, size));
    if (code == MPI_SUCCESS) is_attached = false;
    end_detach();
    return code;
}

RECORDER_API int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                          MPI_Status* status) {
    ENTER;
    unsigned const place = CALLER();
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    struct request r;
    bool const known = receives(&r, "MPI_Recv", buffer, count, type, from, tag, comm, place);
    if (known) {
        issue(&r, place);
        begin_wait("wait", place, (struct request*[]){&r}, 1);
    }
    int code = MPI_SUCCESS;
    if (known && is_replaying()) {
        code = post(&r);
        if (code == MPI_SUCCESS) code = wait_here(&r, status);
    } else {
        code = PROGRAMS(PMPI_Recv(buffer, count, type, from, tag, comm, status));
    }
    if (known) completed(&r, status, code);
    return code;
}

static int issuing_receive(char const* function, bool persistent, void* buffer, int count, MPI_Datatype type, int from,
                           int tag, MPI_Comm comm, MPI_Request* handle, unsigned place) {
    struct request r;
    bool const known = receives(&r, function, buffer, count, type, from, tag, comm, place) &&
                       !is_nowhere(function, place, handle == NULL, "request");
    if (known && !persistent) issue(&r, place);
    int code = MPI_SUCCESS;
    if (persistent) {
        code = PROGRAMS(PMPI_Recv_init(buffer, count, type, from, tag, comm, handle));
    } else if (known) {
        code = post(&r);
        if (code == MPI_SUCCESS) *handle = r.real;
    } else {
        code = PROGRAMS(PMPI_Irecv(buffer, count, type, from, tag, comm, handle));
    }
    if (known) keep(&r, handle, persistent, code);
    return code;
}

RECORDER_API int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                           MPI_Request* handle) {
    ENTER;
    return issuing_receive("MPI_Irecv", false, buffer, count, type, from, tag, comm, handle, CALLER());
}

RECORDER_API int MPI_Recv_init(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                               MPI_Request* handle) {
    ENTER;
    return issuing_receive("MPI_Recv_init", true, buffer, count, type, from, tag, comm, handle, CALLER());
}

/// What MPI_Sendrecv and MPI_Sendrecv_replace have in common: both issue, then wait for both.
struct exchange {
    struct request receive, send;
    bool has_receive, has_send;
    bool is_in_place; // they have one buffer
};

static void begin_exchange(struct exchange* e, unsigned place) {
    struct request* both[2];
    int n = 0;
    if (e->has_receive) issue(both[n++] = &e->receive, place);
    if (e->has_send) issue(both[n++] = &e->send, place);
    if (n == 2 && !e->is_in_place) compare_buffers(both[0], both[1]);
    if (n != 0) begin_wait("wait", place, both, n);
}

static void end_exchange(struct exchange* e, MPI_Status const* status, int code) {
    if (e->has_receive) completed(&e->receive, status, code);
    if (e->has_send) completed(&e->send, NULL, code);
}

/// Whether a replay does both itself: what is received may be forced, and the send may have to wait.
static bool is_replayed(struct exchange const* e, int from) {
    return is_replaying() && e->has_send && (e->has_receive || from == MPI_PROC_NULL);
}

/// Both at once, in a replay.
static int exchange_in_replay(struct exchange* e, void const* out, MPI_Status* status) {
    struct request* both[2] = {NULL, NULL};
    int code = MPI_SUCCESS;
    if (e->has_receive) {
        both[0] = &e->receive;
        code = post(&e->receive);
    } else {
        code = PMPI_Recv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_SELF, status); // for its status
    }
    if (code == MPI_SUCCESS) {
        both[1] = &e->send;
        code = issue_in_replay(&e->send, out);
    }
    MPI_Status own;
    if (both[0] != NULL && code == MPI_SUCCESS) code = wait_here(both[0], status);
    if (both[1] != NULL && code == MPI_SUCCESS) code = wait_here(both[1], &own);
    return code;
}

RECORDER_API int MPI_Sendrecv(void const* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
                              int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                              MPI_Status* status) {
    ENTER;
    unsigned const place = CALLER();
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    struct exchange e = {.is_in_place = false};
    e.has_receive = receives(&e.receive, "MPI_Sendrecv", in, in_count, in_type, from, in_tag, comm, place);
    e.has_send = sends(&e.send, "MPI_Sendrecv", 's', out, out_count, out_type, to, out_tag, comm, place);
    begin_exchange(&e, place);
    int const code = is_replayed(&e, from) ? exchange_in_replay(&e, out, status)
                                           : PROGRAMS(PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count,
                                                                    in_type, from, in_tag, comm, status));
    end_exchange(&e, status, code);
    return code;
}

RECORDER_API int MPI_Sendrecv_replace(void* buffer, int count, MPI_Datatype type, int to, int out_tag, int from,
                                      int in_tag, MPI_Comm comm, MPI_Status* status) {
    ENTER;
    unsigned const place = CALLER();
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    struct exchange e = {.is_in_place = true};
    e.has_receive = receives(&e.receive, "MPI_Sendrecv_replace", buffer, count, type, from, in_tag, comm, place);
    e.has_send = sends(&e.send, "MPI_Sendrecv_replace", 's', buffer, count, type, to, out_tag, comm, place);
    begin_exchange(&e, place);
    int code = MPI_SUCCESS;
    if (is_replayed(&e, from)) {
        MPI_Aint low = 0, extent = 0, true_low = 0, true_extent = 0;
        PMPI_Type_get_extent(type, &low, &extent);
        PMPI_Type_get_true_extent(type, &true_low, &true_extent);
        size_t const size = count <= 0 ? 0 : (size_t)((count - 1) * extent + true_extent);
        char* const out = allocate(size);
        memcpy(out, (char const*)buffer + true_low, size);
        code = exchange_in_replay(&e, out - true_low, status);
        free(out);
    } else {
        code = PROGRAMS(PMPI_Sendrecv_replace(buffer, count, type, to, out_tag, from, in_tag, comm, status));
    }
    end_exchange(&e, status, code);
    return code;
}

/// Issues a persistent request if it is known and not active. A replay posts receives itself, and sends that are to
/// wait for their receives: others of the same request need not.
static struct request* issue_persistent(char const* function, MPI_Request handle, unsigned place) {
    if (!is_recording()) return NULL;
    struct request* const r = find_request(handle);
    check_not_null(function, place, handle == MPI_REQUEST_NULL, "request");
    if (r != NULL && !r->is_persistent)
        finding("argument", function, place, r->place, "its request is not persistent, but that of %s", r->function);
    else if (r != NULL && r->is_active)
        finding("argument", function, place, r->place, "its request is active already");
    if (r == NULL || !r->is_persistent || r->is_active) return NULL;
    issue(r, place);
    return r;
}

static int start(char const* function, MPI_Request* handle, unsigned place) {
    struct request* const r = issue_persistent(function, *handle, place);
    bool const is_posted = r != NULL && is_replaying() && r->kind == is_receive;
    int const code = is_posted                    ? post(r)
                     : r != NULL && send_waits(r) ? issue_send_that_waits(r, r->buffer, &r->real)
                                                  : PROGRAMS(PMPI_Start(handle));
    if (r != NULL && code == MPI_SUCCESS)
        buffer_is_pending(r);
    else if (r != NULL)
        failed(r);
    return code;
}

RECORDER_API int MPI_Start(MPI_Request* handle) {
    ENTER;
    if (is_nowhere("MPI_Start", CALLER(), handle == NULL, "request")) return PROGRAMS(PMPI_Start(handle));
    return start("MPI_Start", handle, CALLER());
}

RECORDER_API int MPI_Startall(int n, MPI_Request handles[]) {
    ENTER;
    if (is_nowhere("MPI_Startall", CALLER(), n > 0 && handles == NULL, "array of requests"))
        return PROGRAMS(PMPI_Startall(n, handles));
    unsigned const place = CALLER();
    int code = MPI_SUCCESS;
    if (is_replaying() && n > 0) {
        for (int i = 0; i < n && code == MPI_SUCCESS; ++i) code = start("MPI_Startall", &handles[i], place);
        return code;
    }
    // Each is pending before the next one is issued: their buffers must not overlap either.
    for (int i = 0; i < n; ++i) {
        struct request* const r = issue_persistent("MPI_Startall", handles[i], place);
        if (r != NULL) buffer_is_pending(r);
    }
    code = PROGRAMS(PMPI_Startall(n, handles));
    if (code != MPI_SUCCESS)
        not_modelled("MPI_Startall", place, "it returned an error; what it has done is not recorded");
    return code;
}
