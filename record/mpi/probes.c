// Probes. The reader of the file finds the receive of what a probe saw. A matched probe (MPI_Mprobe) has taken its
// message; the receive of it starts later.
#include "recorder.h"

#include <stdlib.h>

/// The communicator of a probe. Null if the probe is not written down.
static struct communicator* probed(char const* function, int from, int tag, MPI_Comm comm, unsigned place) {
    check_probe(function, place, from, tag, comm);
    struct communicator* const c = from == MPI_PROC_NULL ? NULL : modelled(function, comm, place);
    return c != NULL && can_receive(c, from, tag) ? c : NULL;
}

static unsigned probes; // lines so far

static void begin_probe(unsigned place, struct communicator const* c, int from, int tag) {
    ++probes;
    waits_perhaps_for_thread();
    begin_line("probe");
    add_number(place);
    add_number(c->number);
    add_wanted(c, from, tag);
    end_line();
}

static void end_probe(struct communicator const* c, MPI_Status const* status) {
    begin_line("seen");
    add_number(world_rank(c, status->MPI_SOURCE));
    add_number(status->MPI_TAG);
    end_line();
}

static int probe_in_replay(struct communicator const* c, int from, int tag, MPI_Status* status) {
    int flag = 0;
    while (true) {
        int wanted_from = from;
        int wanted_tag = tag;
        scheduled_probe(c, probes - 1, &wanted_from, &wanted_tag);
        int const code = PROGRAMS(PMPI_Iprobe(wanted_from, wanted_tag, c->handle, &flag, status));
        if (code != MPI_SUCCESS || flag) return code;
        pause_in_replay();
    }
}

RECORDER_API int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
    ENTER;
    unsigned const place = CALLER();
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    struct communicator const* const c = probed("MPI_Probe", from, tag, comm, place);
    if (c != NULL) begin_probe(place, c, from, tag);
    int const code = c != NULL && is_replaying() ? probe_in_replay(c, from, tag, status)
                                                 : PROGRAMS(PMPI_Probe(from, tag, comm, status));
    if (c != NULL && code == MPI_SUCCESS) end_probe(c, status);
    return code;
}

RECORDER_API int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    ENTER;
    unsigned const place = CALLER();
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    struct communicator const* const c = probed("MPI_Iprobe", from, tag, comm, place);
    int const asked_from = from;
    int const asked_tag = tag;
    struct poll* const p = poll_of_probe(place, c, from, tag);
    receives_leave_schedule();
    if (c != NULL) scheduled_probe(c, probes, &from, &tag);
    int code = MPI_SUCCESS;
    do {
        code = PROGRAMS(PMPI_Iprobe(from, tag, comm, flag, status)); // also if it is held back: the library gets on
        if (code == MPI_SUCCESS && poll_is_held_back(p)) *flag = 0;
    } while (code == MPI_SUCCESS && !*flag && poll_goes_on(p));
    if (c == NULL || code != MPI_SUCCESS) return code;
    if (*flag) {
        poll_has_succeeded(p);
        begin_probe(place, c, asked_from, asked_tag);
        end_probe(c, status);
    } else {
        poll_has_failed(p);
    }
    return code;
}

// Messages that a matched probe has taken and nothing has received yet: few.
static struct matched {
    MPI_Message message;
    struct request receive;
    struct matched* next;
} * matched;

static void add_matched(struct request const* receive, MPI_Message message, MPI_Status const* status) {
    begin_line("matched");
    add_number(receive->number);
    add_number(world_rank(receive->comm, status->MPI_SOURCE));
    add_number(status->MPI_TAG);
    end_line();
    struct matched* const m = allocate(sizeof *m);
    *m = (struct matched){message, *receive, matched};
    matched = m;
}

/// The receive of it.
static bool take_matched(MPI_Message message, struct request* receive) {
    for (struct matched** at = &matched; *at != NULL; at = &(*at)->next) {
        struct matched* const m = *at;
        if (m->message != message) continue;
        *receive = m->receive;
        *at = m->next;
        free(m);
        return true;
    }
    return false;
}

RECORDER_API int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
    ENTER;
    unsigned const place = CALLER();
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    struct request r = {.kind = is_receive, .peer = from, .tag = tag, .is_matched = true};
    r.comm = probed("MPI_Mprobe", from, tag, comm, place);
    if (r.comm != NULL) {
        issue(&r, place);
        begin_wait("wait", place, (struct request*[]){&r}, 1);
    }
    int flag = 0;
    int code = r.comm != NULL && is_replaying() ? MPI_SUCCESS : PROGRAMS(PMPI_Mprobe(from, tag, comm, message, status));
    while (r.comm != NULL && is_replaying() && code == MPI_SUCCESS && !flag) {
        int wanted_from = from;
        int wanted_tag = tag;
        scheduled(&r, &wanted_from, &wanted_tag);
        code = PROGRAMS(PMPI_Improbe(wanted_from, wanted_tag, comm, &flag, message, status));
        if (!flag) pause_in_replay();
    }
    if (r.comm != NULL && code == MPI_SUCCESS)
        add_matched(&r, *message, status);
    else if (r.comm != NULL)
        failed(&r);
    return code;
}

RECORDER_API int MPI_Improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
    ENTER;
    unsigned const place = CALLER();
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    struct request r = {.kind = is_receive, .peer = from, .tag = tag, .is_matched = true};
    r.comm = probed("MPI_Improbe", from, tag, comm, place);
    r.number = next_number();
    struct poll* const p = poll_of_probe(place, r.comm, from, tag);
    receives_leave_schedule();
    if (r.comm != NULL) scheduled(&r, &from, &tag);
    int code = MPI_SUCCESS;
    do {
        bool const is_held_back = poll_is_held_back(p);
        code = is_held_back ? PROGRAMS(PMPI_Iprobe(from, tag, comm, flag, status)) // so that the library gets on
                            : PROGRAMS(PMPI_Improbe(from, tag, comm, flag, message, status));
        if (code == MPI_SUCCESS && is_held_back) *flag = 0;
    } while (code == MPI_SUCCESS && !*flag && poll_goes_on(p));
    if (r.comm == NULL || code != MPI_SUCCESS) return code;
    if (*flag) {
        poll_has_succeeded(p);
        issue(&r, place);
        add_matched(&r, *message, status);
    } else {
        poll_has_failed(p);
    }
    return code;
}

RECORDER_API int MPI_Mrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    ENTER;
    if (is_nowhere("MPI_Mrecv", CALLER(), message == NULL, "message"))
        return PROGRAMS(PMPI_Mrecv(buffer, count, type, message, status));
    MPI_Status own;
    if (status == MPI_STATUS_IGNORE) status = &own;
    struct request r;
    bool const known = is_recording() && take_matched(*message, &r);
    r.function = "MPI_Mrecv";
    r.place = CALLER();
    if (known) start_matched(&r, buffer, count, type);
    int const code = PROGRAMS(PMPI_Mrecv(buffer, count, type, message, status));
    if (known) completed(&r, status, code);
    return code;
}

RECORDER_API int MPI_Imrecv(void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* handle) {
    ENTER;
    if (is_nowhere("MPI_Imrecv", CALLER(), message == NULL || handle == NULL, "message or request"))
        return PROGRAMS(PMPI_Imrecv(buffer, count, type, message, handle));
    struct request r;
    bool const known = is_recording() && take_matched(*message, &r);
    r.function = "MPI_Imrecv";
    r.place = CALLER();
    if (known) start_matched(&r, buffer, count, type);
    int const code = PROGRAMS(PMPI_Imrecv(buffer, count, type, message, handle));
    if (known && code == MPI_SUCCESS)
        buffer_is_pending(keep_request(&r, handle));
    else if (known)
        failed(&r);
    return code;
}
