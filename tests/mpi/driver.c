// Does what a file says, so that one program stands for many: `driver FILE`. A line of the file is a rank and what it
// does:
//
//   0 send MODE TO TAG COMM VALUE            MPI_Send, Ssend, Bsend or Rsend: MODE is s, S, b or r
//   0 isend MODE TO TAG COMM VALUE           MPI_Isend, Issend, Ibsend or Irsend: request N, which counts from 0
//   0 psend MODE TO TAG COMM VALUE           a persistent send, started: request N
//   0 recv FROM TAG COMM                     FROM and TAG are -1 for any
//   0 irecv FROM TAG COMM                    request N
//   0 precv FROM TAG COMM                    a persistent receive, started: request N
//   0 start FROM TAG COMM                    a persistent receive: made, started, waited for
//   0 probe FROM TAG COMM                    MPI_Probe, and the receive of what it saw
//   0 iprobe FROM TAG COMM                   MPI_Iprobe until there is something, and the receive of it
//   0 look FROM TAG COMM                     one MPI_Iprobe, and the receive of what it saw
//   0 peek FROM TAG COMM                     MPI_Probe alone
//   0 mprobe FROM TAG COMM                   MPI_Mprobe and MPI_Mrecv
//   0 improbe FROM TAG COMM                  one MPI_Improbe, and MPI_Mrecv of what it saw
//   0 hold FROM TAG COMM                     MPI_Mprobe: message N
//   0 take N                                 MPI_Mrecv of message N
//   0 exchange TO TAG VALUE FROM TAG COMM    MPI_Sendrecv
//   0 wait N                                 MPI_Wait
//   0 waitall | waitany | waitsome N ...     of these requests; if it names none, of all up to here
//   0 test N                                 one MPI_Test
//   0 testall | testany | testsome N ...     likewise
//   0 loop | loopall | loopany | loopsome N  MPI_Test, Testall, ... until it succeeds
//   0 cancel N                               MPI_Cancel of a receive, and the wait for it
//   0 barrier COMM
//   0 coll KIND COMM ROOT                    barrier, bcast, reduce, allreduce, gather or scan
//   0 icoll KIND COMM ROOT                   MPI_Ibarrier, ...: request N
//
// COMM is 0 for MPI_COMM_WORLD, 1 for a duplicate. `0 if K send ...` and `0 unless K send ...` depend on the last
// thing that the rank found: the value that it received, the rank that `peek` saw, the number of the request of a call
// for any (-1 for none), the numbers of those of a call for some (as bits), or whether a test or a single probe
// succeeded, or a receive was cancelled (1 or 0; of a loop, whether its first test failed). Lines with a request count,
// done or not.
//
// With `driver FILE seen`, each rank writes what it found into a file beside its recording: for each call a line with
// its word and numbers.
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most = 256, longest = 256 };

static MPI_Comm comms[2];
static MPI_Request requests[most];
static MPI_Message messages[most];
static int buffers[most];
static int is_receive[most], is_active[most], is_persistent[most];
static int issued;
static int last; // what was found
static int seen_file = -1;
static char found[longest];

static int from(int rank) { return rank < 0 ? MPI_ANY_SOURCE : rank; }
static int any_tag(int tag) { return tag < 0 ? MPI_ANY_TAG : tag; }
static int is(char const* word, char const* other) { return strcmp(word, other) == 0; }

// ---- what was found -------------------------------------------------------------------------------------------------

static void begin(char const* word) { snprintf(found, sizeof found, "%s", word); }

static void add(int n) {
    size_t const used = strlen(found);
    snprintf(found + used, sizeof found - used, " %d", n);
}

/// The line is written at once: the rank may be killed.
static void end(void) {
    strcat(found, "\n");
    if (seen_file >= 0 && write(seen_file, found, strlen(found)) < 0) abort();
}

static void got(char const* word, int value) {
    begin(word);
    add(last = value);
    end();
}

/// Request n is complete.
static void finish(int n) {
    if (is_active[n] && is_receive[n]) add(buffers[n]);
    is_active[n] = 0;
}

// ---- sends and receives ---------------------------------------------------------------------------------------------

static void send(char mode, int to, int tag, MPI_Comm comm, int value) {
    (mode == 's'   ? MPI_Send
     : mode == 'S' ? MPI_Ssend
     : mode == 'b' ? MPI_Bsend
                   : MPI_Rsend)(&value, 1, MPI_INT, to, tag, comm);
}

static void isend(char mode, int to, int tag, MPI_Comm comm, int value) {
    buffers[issued] = value;
    (mode == 's'   ? MPI_Isend
     : mode == 'S' ? MPI_Issend
     : mode == 'b' ? MPI_Ibsend
                   : MPI_Irsend)(&buffers[issued], 1, MPI_INT, to, tag, comm, &requests[issued]);
}

static void psend(char mode, int to, int tag, MPI_Comm comm, int value) {
    buffers[issued] = value;
    (mode == 's'   ? MPI_Send_init
     : mode == 'S' ? MPI_Ssend_init
     : mode == 'b' ? MPI_Bsend_init
                   : MPI_Rsend_init)(&buffers[issued], 1, MPI_INT, to, tag, comm, &requests[issued]);
    is_persistent[issued] = 1;
    MPI_Start(&requests[issued]);
}

/// What a probe saw is received.
static int receive_of(MPI_Status const* status, MPI_Comm comm) {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, status->MPI_SOURCE, status->MPI_TAG, comm, MPI_STATUS_IGNORE);
    return value;
}

static int receive_of_message(MPI_Message* message) {
    int value = 0;
    MPI_Mrecv(&value, 1, MPI_INT, message, MPI_STATUS_IGNORE);
    return value;
}

static void found_or_not(char const* word, int flag, int value) {
    begin(word);
    add(last = flag);
    if (flag) add(value);
    end();
}

/// Whether the receive has a word of its own.
static int receive(char const* word, int source, int tag, MPI_Comm comm) {
    int value = 0;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int flag = 0;
    if (is(word, "recv")) {
        MPI_Recv(&value, 1, MPI_INT, source, tag, comm, &status);
        got(word, value);
    } else if (is(word, "irecv")) {
        MPI_Irecv(&buffers[issued], 1, MPI_INT, source, tag, comm, &requests[issued]);
    } else if (is(word, "precv")) {
        MPI_Recv_init(&buffers[issued], 1, MPI_INT, source, tag, comm, &requests[issued]);
        is_persistent[issued] = 1;
        MPI_Start(&requests[issued]);
    } else if (is(word, "start")) {
        MPI_Recv_init(&value, 1, MPI_INT, source, tag, comm, &request);
        MPI_Start(&request);
        MPI_Wait(&request, &status);
        MPI_Request_free(&request);
        got(word, value);
    } else if (is(word, "probe")) {
        MPI_Probe(source, tag, comm, &status);
        got(word, receive_of(&status, comm));
    } else if (is(word, "iprobe")) {
        int is_later = -1;
        for (; !flag; ++is_later) MPI_Iprobe(source, tag, comm, &flag, &status);
        begin(word);
        add(is_later > 0);
        add(last = receive_of(&status, comm));
        end();
    } else if (is(word, "look")) {
        MPI_Iprobe(source, tag, comm, &flag, &status);
        if (flag) value = receive_of(&status, comm);
        found_or_not(word, flag, value);
    } else if (is(word, "peek")) {
        MPI_Probe(source, tag, comm, &status);
        begin(word);
        add(last = status.MPI_SOURCE);
        add(status.MPI_TAG);
        end();
    } else if (is(word, "mprobe")) {
        MPI_Mprobe(source, tag, comm, &message, &status);
        got(word, receive_of_message(&message));
    } else if (is(word, "improbe")) {
        MPI_Improbe(source, tag, comm, &flag, &message, &status);
        if (flag) value = receive_of_message(&message);
        found_or_not(word, flag, value);
    } else if (is(word, "hold")) {
        MPI_Mprobe(source, tag, comm, &messages[issued], &status);
    } else {
        return 0;
    }
    return 1;
}

// ---- completion -----------------------------------------------------------------------------------------------------

static void cancel(int n) {
    if (!is_active[n]) return;
    MPI_Status status;
    MPI_Cancel(&requests[n]);
    MPI_Wait(&requests[n], &status);
    MPI_Test_cancelled(&status, &last);
    begin("cancel");
    add(last);
    if (last)
        is_active[n] = 0;
    else
        finish(n);
    end();
}

/// The requests of a call, in one piece.
struct list {
    int n;
    int number[most];
    MPI_Request real[most];
};

static void store(struct list const* l) {
    for (int i = 0; i < l->n; ++i) requests[l->number[i]] = l->real[i];
}

static void finish_all(struct list const* l) {
    for (int i = 0; i < l->n; ++i) finish(l->number[i]);
}

static void finish_any(struct list const* l, int index) {
    last = index == MPI_UNDEFINED ? -1 : l->number[index];
    add(last);
    if (index != MPI_UNDEFINED) finish(last);
}

/// In the order of the requests: that of the call is up to the library.
static void finish_some(struct list const* l, int n, int const indices[]) {
    int is_done[most] = {0};
    last = 0;
    add(n == MPI_UNDEFINED ? -1 : n);
    for (int k = 0; n != MPI_UNDEFINED && k < n; ++k) is_done[indices[k]] = 1;
    for (int i = 0; i < l->n; ++i) {
        if (!is_done[i]) continue;
        last |= 1 << l->number[i];
        add(l->number[i]);
        finish(l->number[i]);
    }
}

/// One call or, of a loop, the last one.
static void complete(char const* word, struct list* l) {
    static MPI_Status statuses[most];
    int indices[most], n = 0, flag = 0, is_later = -1;
    begin(word);
    if (is(word, "wait")) {
        int const found_something = is_active[l->number[0]] && is_receive[l->number[0]];
        MPI_Wait(&l->real[0], statuses);
        store(l);
        finish_all(l);
        if (found_something) last = buffers[l->number[0]];
        if (!found_something) return;
    } else if (is(word, "waitall")) {
        MPI_Waitall(l->n, l->real, statuses);
        finish_all(l);
    } else if (is(word, "waitany")) {
        MPI_Waitany(l->n, l->real, &n, statuses);
        finish_any(l, n);
    } else if (is(word, "waitsome")) {
        MPI_Waitsome(l->n, l->real, &n, indices, statuses);
        finish_some(l, n, indices);
    } else if (is(word, "test")) {
        MPI_Test(&l->real[0], &flag, statuses);
        add(last = flag);
        if (flag) finish_all(l);
    } else if (is(word, "loop")) {
        for (; !flag; ++is_later) MPI_Test(&l->real[0], &flag, statuses);
        add(last = is_later > 0);
        finish_all(l);
    } else if (is(word, "testall")) {
        MPI_Testall(l->n, l->real, &flag, statuses);
        add(last = flag);
        if (flag) finish_all(l);
    } else if (is(word, "loopall")) {
        for (; !flag; ++is_later) MPI_Testall(l->n, l->real, &flag, statuses);
        add(last = is_later > 0);
        finish_all(l);
    } else if (is(word, "testany")) {
        MPI_Testany(l->n, l->real, &n, &flag, statuses);
        add(flag);
        last = -1;
        if (flag) finish_any(l, n);
    } else if (is(word, "loopany")) {
        for (; !flag; ++is_later) MPI_Testany(l->n, l->real, &n, &flag, statuses);
        add(is_later > 0);
        finish_any(l, n);
    } else if (is(word, "testsome")) {
        MPI_Testsome(l->n, l->real, &n, indices, statuses);
        finish_some(l, n, indices);
    } else if (is(word, "loopsome")) {
        for (; n == 0; ++is_later) MPI_Testsome(l->n, l->real, &n, indices, statuses);
        add(is_later > 0);
        finish_some(l, n, indices);
    } else {
        abort();
    }
    store(l);
    end();
}

// ---- collective calls -----------------------------------------------------------------------------------------------

static void collective(char const* kind, MPI_Comm comm, int root, MPI_Request* request) {
    static int in[most], out[most][most];
    int* const to = out[request == NULL ? 0 : request - requests];
    in[0] = 1;
    if (is(kind, "barrier"))
        request == NULL ? MPI_Barrier(comm) : MPI_Ibarrier(comm, request);
    else if (is(kind, "bcast"))
        request == NULL ? MPI_Bcast(to, 1, MPI_INT, root, comm) : MPI_Ibcast(to, 1, MPI_INT, root, comm, request);
    else if (is(kind, "reduce"))
        request == NULL ? MPI_Reduce(in, to, 1, MPI_INT, MPI_SUM, root, comm)
                        : MPI_Ireduce(in, to, 1, MPI_INT, MPI_SUM, root, comm, request);
    else if (is(kind, "allreduce"))
        request == NULL ? MPI_Allreduce(in, to, 1, MPI_INT, MPI_SUM, comm)
                        : MPI_Iallreduce(in, to, 1, MPI_INT, MPI_SUM, comm, request);
    else if (is(kind, "gather"))
        request == NULL ? MPI_Gather(in, 1, MPI_INT, to, 1, MPI_INT, root, comm)
                        : MPI_Igather(in, 1, MPI_INT, to, 1, MPI_INT, root, comm, request);
    else if (is(kind, "scan"))
        request == NULL ? MPI_Scan(in, to, 1, MPI_INT, MPI_SUM, comm)
                        : MPI_Iscan(in, to, 1, MPI_INT, MPI_SUM, comm, request);
    else
        abort();
}

// ---- lines ----------------------------------------------------------------------------------------------------------

static int has_request(char const* word) {
    static char const* const words[] = {"isend", "psend", "irecv", "precv", "hold", "icoll"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (is(word, words[i])) return 1;
    return 0;
}

static void run_word(char const* word, char const* rest) {
    char kind[16] = "";
    char mode = 0;
    int n[6] = {0}, value = 0, used = 0;
    if (strstr(word, "send") != NULL) {
        if (sscanf(rest, " %c %d %d %d %d", &mode, &n[0], &n[1], &n[2], &n[3]) != 5) abort();
        return (word[0] == 'i' ? isend : word[0] == 'p' ? psend : send)(mode, n[0], n[1], comms[n[2]], n[3]);
    }
    if (strstr(word, "coll") != NULL) {
        if (sscanf(rest, " %15s %d %d", kind, &n[0], &n[1]) != 3) abort();
        return collective(kind, comms[n[0]], n[1], word[0] == 'i' ? &requests[issued] : NULL);
    }
    if (strncmp(word, "wait", 4) == 0 || strncmp(word, "test", 4) == 0 || strncmp(word, "loop", 4) == 0) {
        static struct list l;
        for (l.n = 0; sscanf(rest, "%d%n", &l.number[l.n], &used) == 1; rest += used) ++l.n;
        if (l.n == 0)
            for (; l.n < issued; ++l.n) l.number[l.n] = l.n;
        for (int i = 0; i < l.n; ++i) l.real[i] = requests[l.number[i]];
        return complete(word, &l);
    }
    sscanf(rest, "%d %d %d %d %d %d", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]);
    if (is(word, "barrier")) {
        MPI_Barrier(comms[n[0]]);
    } else if (is(word, "cancel")) {
        cancel(n[0]);
    } else if (is(word, "take")) {
        if (messages[n[0]] != MPI_MESSAGE_NULL) got(word, receive_of_message(&messages[n[0]]));
    } else if (is(word, "exchange")) {
        MPI_Sendrecv(&n[2], 1, MPI_INT, n[0], n[1], &value, 1, MPI_INT, from(n[3]), any_tag(n[4]), comms[n[5]],
                     MPI_STATUS_IGNORE);
        got(word, value);
    } else if (!receive(word, from(n[0]), any_tag(n[1]), comms[n[2]])) {
        abort();
    }
}

static void run(char const* line) {
    char word[16];
    int used = 0, more = 0, wanted = 0;
    if (sscanf(line, "%*d %15s%n", word, &used) != 1) abort();
    int is_done = 1;
    if (is(word, "if") || is(word, "unless")) {
        int const is_if = is(word, "if");
        if (sscanf(line + used, "%d %15s%n", &wanted, word, &more) != 2) abort();
        used += more;
        is_done = (last == wanted) == is_if;
    }
    if (is_done) {
        is_receive[issued] = strstr(word, "recv") != NULL;
        is_active[issued] = has_request(word);
        run_word(word, line + used);
    }
    if (has_request(word)) ++issued;
}

static void open_seen(int rank) {
    char name[4096];
    char const* const folder = getenv("MATCHPOINT_RECORD");
    if (folder == NULL) return;
    snprintf(name, sizeof name, "%s/seen-%d", folder, rank);
    seen_file = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    if (seen_file < 0) abort();
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    static char space[1 << 16], line[longest];
    MPI_Buffer_attach(space, sizeof space);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    for (int i = 0; i < most; ++i) requests[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < most; ++i) messages[i] = MPI_MESSAGE_NULL;
    FILE* const file = argc >= 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
    if (argc == 3) open_seen(rank);
    while (fgets(line, sizeof line, file) != NULL)
        if (atoi(line) == rank) run(line);
    fclose(file);
    for (int i = 0; i < issued; ++i)
        if (is_persistent[i]) MPI_Request_free(&requests[i]);
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return 0;
}
