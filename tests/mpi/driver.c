// Does what a file says, so that one program stands for many. A line of the file is a rank and what it does:
//
//   0 send MODE TO TAG COMM VALUE            MPI_Send, Ssend or Bsend: MODE is s, S or b
//   0 isend MODE TO TAG COMM VALUE           MPI_Isend, Issend or Ibsend; its request gets the next number, from 0
//   0 recv FROM TAG COMM                     FROM and TAG are -1 for any
//   0 irecv FROM TAG COMM                    likewise
//   0 start FROM TAG COMM                    a persistent receive: made, started, waited for
//   0 probe FROM TAG COMM                    MPI_Probe, and the receive of what it saw
//   0 iprobe FROM TAG COMM                   MPI_Iprobe until there is something, and the receive of it
//   0 mprobe FROM TAG COMM                   MPI_Mprobe and MPI_Mrecv
//   0 exchange TO TAG VALUE FROM TAG COMM    MPI_Sendrecv
//   0 wait N | waitall | waitany | waitsome  for request N, all, or one or some of those that are not complete yet
//   0 barrier COMM
//
// COMM is 0 for MPI_COMM_WORLD, 1 for a duplicate. Which way a rank goes does not depend on what it receives.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 256 };

static MPI_Comm comms[2];
static MPI_Request requests[most];
static int buffers[most];
static int issued;

static int from(int rank) { return rank < 0 ? MPI_ANY_SOURCE : rank; }
static int any_tag(int tag) { return tag < 0 ? MPI_ANY_TAG : tag; }

static void send(char mode, int to, int tag, MPI_Comm comm, int value) {
    (mode == 's' ? MPI_Send : mode == 'S' ? MPI_Ssend : MPI_Bsend)(&value, 1, MPI_INT, to, tag, comm);
}

static void isend(char mode, int to, int tag, MPI_Comm comm, int value) {
    buffers[issued] = value;
    (mode == 's'   ? MPI_Isend
     : mode == 'S' ? MPI_Issend
                   : MPI_Ibsend)(&buffers[issued], 1, MPI_INT, to, tag, comm, &requests[issued]);
    ++issued;
}

/// Whether the receive has a word of its own.
static int receive(char const* word, int source, int tag, MPI_Comm comm) {
    int value = 0;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    int flag = 0;
    if (strcmp(word, "recv") == 0) {
        MPI_Recv(&value, 1, MPI_INT, source, tag, comm, &status);
    } else if (strcmp(word, "irecv") == 0) {
        MPI_Irecv(&buffers[issued], 1, MPI_INT, source, tag, comm, &requests[issued]);
        ++issued;
    } else if (strcmp(word, "start") == 0) {
        MPI_Recv_init(&value, 1, MPI_INT, source, tag, comm, &request);
        MPI_Start(&request);
        MPI_Wait(&request, &status);
        MPI_Request_free(&request);
    } else if (strcmp(word, "probe") == 0) {
        MPI_Probe(source, tag, comm, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
    } else if (strcmp(word, "iprobe") == 0) {
        while (!flag) MPI_Iprobe(source, tag, comm, &flag, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, comm, &status);
    } else if (strcmp(word, "mprobe") == 0) {
        MPI_Mprobe(source, tag, comm, &message, &status);
        MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    } else {
        return 0;
    }
    return 1;
}

static void run(char const* line) {
    char word[16], mode = 0;
    int n[6] = {0}, which[most], value = 0;
    if (sscanf(line, "%*d %15s", word) != 1) abort();
    if (sscanf(line, "%*d %*s %c %d %d %d %d", &mode, &n[0], &n[1], &n[2], &n[3]) == 5 && strstr(word, "send") != NULL)
        return (word[0] == 'i' ? isend : send)(mode, n[0], n[1], comms[n[2]], n[3]);
    sscanf(line, "%*d %*s %d %d %d %d %d %d", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]);
    if (strcmp(word, "wait") == 0)
        MPI_Wait(&requests[n[0]], MPI_STATUS_IGNORE);
    else if (strcmp(word, "waitall") == 0)
        MPI_Waitall(issued, requests, MPI_STATUSES_IGNORE);
    else if (strcmp(word, "waitany") == 0)
        MPI_Waitany(issued, requests, which, MPI_STATUS_IGNORE);
    else if (strcmp(word, "waitsome") == 0)
        MPI_Waitsome(issued, requests, &value, which, MPI_STATUSES_IGNORE);
    else if (strcmp(word, "barrier") == 0)
        MPI_Barrier(comms[n[0]]);
    else if (strcmp(word, "exchange") == 0)
        MPI_Sendrecv(&n[2], 1, MPI_INT, n[0], n[1], &value, 1, MPI_INT, from(n[3]), any_tag(n[4]), comms[n[5]],
                     MPI_STATUS_IGNORE);
    else if (!receive(word, from(n[0]), any_tag(n[1]), comms[n[2]]))
        abort();
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    static char space[1 << 16], line[256];
    MPI_Buffer_attach(space, sizeof space);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    FILE* const file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
    while (fgets(line, sizeof line, file) != NULL)
        if (atoi(line) == rank) run(line);
    fclose(file);
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return 0;
}
