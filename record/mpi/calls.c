// What calls write into the file, whichever function of MPI makes them: a line when a call is issued, one when the rank
// begins to wait, and one when the program learns that a call is complete.
#include "calls.h"

#include <stdlib.h>
#include <string.h>

struct communicator* modelled(char const* function, MPI_Comm comm, unsigned place) {
    if (!is_recording() || !is_communicator(comm)) return NULL; // the library refuses that one
    struct communicator* const c = find_communicator(comm);
    if (c == NULL)
        not_modelled(function, place, "its communicator was made by a call that is not modelled");
    else if (c->is_inter)
        not_modelled(function, place, "intercommunicators are not modelled");
    return c != NULL && !c->is_inter ? c : NULL;
}

bool can_receive(struct communicator const* c, int from, int tag) {
    return (from == MPI_ANY_SOURCE || world_rank(c, from) >= 0) && (tag == MPI_ANY_TAG || tag >= 0);
}

// ---- issuing --------------------------------------------------------------------------------------------------------

/// So many elements of this type.
static void add_elements(unsigned type, int count) {
    add_text("of");
    add_number(type);
    add_number(count);
}

void start_matched(struct request* r, void* buffer, int count, MPI_Datatype type) {
    bool const is_known = count >= 0 && is_type(type);
    r->buffer = buffer;
    r->count = count;
    r->type = type;
    if (is_known) r->type_number = number_of_type(type);
    look_at_windows();
    begin_line("start");
    add_number(r->number);
    if (is_known) {
        add_elements(r->type_number, count);
        add_number(r->place);
    }
    end_line();
    if (is_known) look_at_buffer_of(r);
}

static void issue_send(struct request* r, unsigned place) {
    look_at_windows();
    look_at_missed_accesses();
    r->number = new_number();
    r->is_active = true;
    r->place = place;
    char const mode[] = {r->mode, '\0'};
    begin_line("send");
    add_number(r->number);
    add_number(place);
    add_text(mode);
    add_number(r->comm->number);
    add_number(world_rank(r->comm, r->peer));
    add_number(r->tag);
    add_value(r->buffer, r->count, r->type);
    add_elements(r->type_number, r->count);
    end_line();
}

void add_wanted(struct communicator const* c, int from, int tag) {
    if (from == MPI_ANY_SOURCE)
        add_text("*");
    else
        add_number(world_rank(c, from));
    if (tag == MPI_ANY_TAG)
        add_text("*");
    else
        add_number(tag);
}

/// Also of a matched probe.
static void issue_receive(struct request* r, unsigned place) {
    look_at_windows(); // a synchronous send may wait for it
    r->number = new_number();
    r->is_active = true;
    r->place = place;
    begin_line(r->is_matched ? "mprobe" : "recv");
    add_number(r->number);
    add_number(place);
    add_number(r->comm->number);
    add_wanted(r->comm, r->peer, r->tag);
    if (!r->is_matched) add_elements(r->type_number, r->count);
    end_line();
}

void issue(struct request* r, unsigned place) {
    r->place = place;
    r->was_started = true;
    if (!r->is_matched) {
        r->type_number = number_of_type(r->type);
        look_at_buffer_of(r);
    }
    if (r->kind == is_send)
        issue_send(r, place);
    else
        issue_receive(r, place);
    compare_with_schedule(r, place);
}

// ---- collective calls -----------------------------------------------------------------------------------------------

static void add_data(struct data d) {
    if (d.count < 0 || !is_type(d.type)) // nothing can be asked of it
        add_text("-");
    else
        add_value(d.buffer, d.count, d.type);
}

static void add_type(MPI_Datatype basic) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    PMPI_Type_get_name(basic, name, &length);
    for (char* c = name; *c != '\0'; ++c)
        if ((unsigned char)*c <= ' ') *c = '_';
    if (*name == '\0') return;
    add_text("type");
    add_text(name);
}

/// The counts are those of the elements of a basic type, so that different types that say the same agree. Nothing is
/// said of types with elements of several basic types, and of what was packed.
static void add_said(struct communicator const* c, struct said said) {
    char const* const op = name_of_reduction(said.op);
    if (op != NULL) {
        add_text("op");
        add_text(op);
    }
    if (said.counts == NULL) return;
    int const n = said.n == of_each_member ? c->size : said.n;
    int elements = 1;
    MPI_Datatype const basic = !is_type(said.type) ? MPI_DATATYPE_NULL : basic_type(said.type, &elements);
    bool is_known = said.type == MPI_DATATYPE_NULL || (basic != MPI_DATATYPE_NULL && basic != MPI_PACKED);
    begin_reading(said.counts, (size_t)n * sizeof(int));
    bool is_empty = true;
    for (int i = 0; i < n; ++i) {
        is_empty = is_empty && said.counts[i] == 0;
        is_known = is_known && said.counts[i] >= 0;
    }
    end_reading();
    if (!is_known && !is_empty) return;
    if (basic != MPI_DATATYPE_NULL && !is_empty) add_type(basic);
    add_text("count");
    for (int i = 0; i < n; ++i) add_number((int64_t)said.counts[i] * (is_empty ? 0 : elements));
}

/// What is sent or received: the numbers of its types, which have lines of their own before that of the call.
struct described {
    struct share share;
    int n;
    unsigned one, *each; // MPI_Alltoallw has a type for each member
    bool is_known;
};

static struct described describe(struct communicator const* c, struct share share) {
    struct described d = {.share = share, .n = share.n == of_each_member ? c->size : share.n};
    if (share.counts == NULL || d.n == 0 || (share.types == NULL && share.type == MPI_DATATYPE_NULL)) return d;
    size_t const n = (size_t)d.n;
    MPI_Datatype* const types = share.types == NULL ? NULL : allocate(n * sizeof *types);
    d.is_known = true;
    begin_reading(share.counts, n * sizeof(int));
    for (size_t i = 0; i < n; ++i) d.is_known = d.is_known && share.counts[i] >= 0;
    if (types != NULL) {
        begin_reading(share.types, n * sizeof *types);
        memcpy(types, share.types, n * sizeof *types);
        begin_reading(share.counts, n * sizeof(int));
        for (size_t i = 0; i < n; ++i)
            if (share.counts[i] == 0) types[i] = MPI_DATATYPE_NULL;
    }
    end_reading();
    for (size_t i = 0; types != NULL && i < n; ++i)
        d.is_known = d.is_known && (types[i] == MPI_DATATYPE_NULL || is_type(types[i]));
    d.is_known = d.is_known && (types != NULL || is_type(share.type)); // the library refuses the others
    if (d.is_known && types != NULL) {
        d.each = allocate(n * sizeof *d.each);
        for (size_t i = 0; i < n; ++i)
            d.each[i] = types[i] == MPI_DATATYPE_NULL ? no_type_number : number_of_type(types[i]);
    } else if (d.is_known) {
        d.one = number_of_type(share.type);
    }
    free(types);
    return d;
}

static void add_described(char const* word, struct described* d) {
    if (d->is_known) add_text(word);
    if (d->is_known && d->each == NULL) add_number(d->one);
    if (d->is_known) begin_reading(d->share.counts, (size_t)d->n * sizeof(int));
    for (int i = 0; d->is_known && i < d->n; ++i) {
        if (d->each != NULL) add_number(d->each[i] == no_type_number ? 0 : d->each[i]);
        add_number(d->share.counts[i]);
    }
    end_reading();
    free(d->each);
}

unsigned begin_collective(char const* function, MPI_Comm comm, struct said said, unsigned place, struct data out) {
    check_collective(function, place, comm, said);
    struct communicator* const c = modelled(function, comm, place);
    if (c == NULL || (said.root != no_root && world_rank(c, said.root) < 0)) return not_recorded; // refused
    struct request const r = {.number = new_number(), .kind = is_collective, .comm = c};
    compare_with_schedule(&r, place);
    look_at_windows();
    waits_perhaps_for_thread();
    look_at_missed_accesses();
    struct described sends = describe(c, said.sends), gets = describe(c, said.gets);
    begin_line("coll");
    add_number(r.number);
    add_number(place);
    add_text(function);
    add_number(c->number);
    add_number(said.root < 0 ? -1 : world_rank(c, said.root));
    add_data(out);
    add_said(c, said);
    add_described("sends", &sends);
    add_described("gets", &gets);
    end_line();
    bool const is_nonblocking = strncmp(function, "MPI_I", 5) == 0;
    if (is_replaying()) announce_as_scheduled(r.number);
    while (!is_nonblocking && is_replaying() && !has_met_as_scheduled(r.number)) nap();
    return r.number;
}

void end_collective(unsigned number, struct data in) {
    if (number == not_recorded) return;
    begin_line("done");
    add_number(number);
    add_data(in);
    end_line();
    if (in.count >= 0)
        received_into(in.buffer, number);
    else
        overwritten(in.buffer);
}

// ---- waits and tests ------------------------------------------------------------------------------------------------

void begin_wait(char const* word, unsigned place, struct request* const* requests, int n) {
    now_waits_at(place);
    waits_perhaps_for_thread();
    begin_line(word);
    add_number(place);
    for (int i = 0; i < n; ++i)
        if (requests[i] != NULL) add_number(requests[i]->number);
    end_line();
}

void begin_detach(unsigned place) {
    if (!is_recording()) return;
    now_waits_at(place);
    waits_perhaps_for_thread();
    begin_line("detach");
    add_number(place);
    end_line();
}

void end_detach(void) {
    if (!is_recording()) return;
    begin_line("detached");
    end_line();
}

void waits_in(char const* function, unsigned place) {
    if (!is_recording()) return;
    waits_perhaps_for_thread();
    begin_line("in");
    add_number(place);
    add_text(function);
    add_number((int64_t)bytes_on_the_way());
    end_line();
}

int has_waited(int code) {
    if (!is_recording()) return code;
    begin_line("out");
    end_line();
    return code;
}

/// Whether a call did what it is for. A message that is too long for its receive is taken all the same.
static bool came_about(int code) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) PMPI_Error_class(code, &class);
    return class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE;
}

static bool was_cancelled(struct request const* r, MPI_Status const* status) {
    int flag = 0;
    if (r->may_be_cancelled) PMPI_Test_cancelled(status, &flag);
    return flag != 0;
}

static void write_dropped(struct request const* r) {
    begin_line("dropped");
    add_number(r->number);
    end_line();
}

void failed(struct request* r) {
    buffer_is_free(r);
    r->is_active = false;
    not_modelled(r->kind == is_send      ? "MPI_Send"
                 : r->kind == is_receive ? "MPI_Recv"
                                         : "MPI_Ibarrier",
                 r->place, "it returned an error; what it has done is not recorded");
    write_dropped(r);
}

static void received(struct request const* r, MPI_Status const* status) {
    int count = r->count;
    PMPI_Get_count(status, r->type, &count);
    if (count == MPI_UNDEFINED || count > r->count) count = r->count;
    begin_line("got");
    add_number(r->number);
    add_number(world_rank(r->comm, status->MPI_SOURCE));
    add_number(status->MPI_TAG);
    add_number(value_of(r->buffer, count, r->type));
    end_line();
    received_into(r->buffer, r->number);
}

void completed(struct request* r, MPI_Status const* status, int code) {
    if (!came_about(code)) {
        failed(r);
        return;
    }
    buffer_is_free(r);
    r->is_active = false;
    if (r->kind == is_collective) {
        end_collective(r->number, (struct data){r->buffer, r->count, r->type});
    } else if (r->is_withdrawn) {
        r->is_withdrawn = false; // the line of MPI_Cancel says so
    } else if (was_cancelled(r, status)) {
        if (r->kind == is_receive)
            not_modelled("MPI_Cancel", r->place, "the library withdrew a receive after the call of MPI_Cancel");
        write_dropped(r);
    } else if (r->kind == is_receive) {
        received(r, status);
    } else {
        begin_line("sent");
        add_number(r->number);
        end_line();
    }
}

// ---- waiting in a replay --------------------------------------------------------------------------------------------

/// Posts a receive anew, with what the program says, unless it is complete. The program keeps the handle that it has:
/// so the library must not give it to another request, and Open MPI's Fortran must find it.
static void leave_schedule_with(struct request* r) {
    if (!r->is_scheduled || r->is_complete || r->real == MPI_REQUEST_NULL) return;
    if (r->may_be_cancelled || r->comm->is_freed) return; // it cannot be posted anew
    int is_complete = 0, is_cancelled = 0;
    PMPI_Cancel(&r->real);
    while (!is_complete) PMPI_Request_get_status(r->real, &is_complete, &r->status);
    PMPI_Test_cancelled(&r->status, &is_cancelled);
    r->is_scheduled = false;
    r->is_complete = !is_cancelled;
    if (r->real == r->handle)
        r->owns_handle = true;
    else
        PMPI_Request_free(&r->real);
    r->real = MPI_REQUEST_NULL;
    if (is_cancelled) PMPI_Irecv(r->buffer, r->count, r->type, r->peer, r->tag, r->comm->handle, &r->real);
}

/// In the order in which they were posted.
void receives_leave_schedule(void) {
    static bool have_left;
    if (have_left || !is_replaying() || !is_off_schedule()) return;
    have_left = true;
    for_each_scheduled(leave_schedule_with);
}

void pause_in_replay(void) {
    receives_leave_schedule();
    nap();
}

int wait_here(struct request* r, MPI_Status* status) {
    int flag = 0;
    while (true) {
        int const code = PROGRAMS_AT_ONCE(PMPI_Test(&r->real, &flag, status));
        if (code != MPI_SUCCESS || flag) return code;
        pause_in_replay();
        if (is_off_schedule()) leave_schedule_with(r);
        if (r->is_complete) {
            *status = r->status;
            return MPI_SUCCESS;
        }
    }
}
