// Threads of a rank that call MPI, with MPI_THREAD_MULTIPLE. The first argument says which program; rank 0 has the
// threads. `together` and `stuck` are wrong, and so is what `by turns` would be without its semaphore.
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
static char const* what;
static int is(char const* name) { return strcmp(what, name) == 0; }
static sem_t is_received;
static pthread_barrier_t both_have_seen;
static MPI_Comm other;
static MPI_Request request;
static int shared;

/// The thread that is `late` finds that the other one has received the message.
static void receive_what_was_seen(int late) {
    MPI_Status s;
    int n, x[16];
    MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &s);
    if (is("together")) pthread_barrier_wait(&both_have_seen);
    if (is("together") && late) usleep(300000);
    MPI_Get_count(&s, MPI_INT, &n);
    MPI_Recv(x, n, MPI_INT, s.MPI_SOURCE, 0, WORLD, MPI_STATUS_IGNORE);
}

static void receive_what_was_taken(void) {
    MPI_Status s;
    MPI_Message m;
    int n, x[16];
    MPI_Mprobe(MPI_ANY_SOURCE, 0, WORLD, &m, &s);
    MPI_Get_count(&s, MPI_INT, &n);
    MPI_Mrecv(x, n, MPI_INT, &m, MPI_STATUS_IGNORE);
}

static void* second(void* none) {
    int x = 0;
    if (is("by turns")) sem_wait(&is_received);
    if (is("by turns") || is("together") || is("joined")) receive_what_was_seen(1);
    if (is("matched")) receive_what_was_taken();
    if (is("own communicator")) MPI_Barrier(other);
    if (is("same communicator")) MPI_Barrier(WORLD);
    if (is("handed on")) MPI_Send(&shared, 1, MPI_INT, 1, 0, WORLD);
    if (is("request")) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (is("stuck")) MPI_Recv(&x, 1, MPI_INT, 1, 1, WORLD, MPI_STATUS_IGNORE);
    return none;
}

static void first(void) {
    if (is("by turns") || is("together") || is("joined")) receive_what_was_seen(0);
    if (is("by turns")) sem_post(&is_received);
    if (is("matched")) receive_what_was_taken();
}

int main(int argc, char** argv) {
    int granted, rank, x[16] = {0};
    what = argv[1];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &granted);
    if (granted != MPI_THREAD_MULTIPLE) return 9;
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_dup(WORLD, &other);
    sem_init(&is_received, 0, 0);
    pthread_barrier_init(&both_have_seen, NULL, 2);
    int const sends = is("by turns") || is("together") || is("joined") || is("matched");
    if (rank != 0 && sends) {
        if (rank == 2) usleep(300000); // the first probe sees the message of rank 1
        MPI_Send(x, 4 * rank, MPI_INT, 0, 0, WORLD);
    }
    if (rank == 0) {
        pthread_t t;
        if (is("handed on")) MPI_Recv(&shared, 1, MPI_INT, 1, 0, WORLD, MPI_STATUS_IGNORE);
        if (is("request")) MPI_Irecv(x, 1, MPI_INT, 1, 0, WORLD, &request);
        pthread_create(&t, NULL, second, NULL);
        if (!is("joined")) first();
        pthread_join(t, NULL);
        if (is("joined")) first();
    } else if (rank == 1) {
        if (is("own communicator")) MPI_Barrier(other);
        if (is("same communicator")) MPI_Barrier(WORLD);
        if (is("handed on") || is("request")) MPI_Send(x, 1, MPI_INT, 0, 0, WORLD);
        if (is("handed on")) MPI_Recv(x, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE);
    }
    if (is("own communicator") || is("same communicator")) MPI_Barrier(WORLD);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
