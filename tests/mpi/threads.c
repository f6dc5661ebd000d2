// Threads of a rank that call MPI. The first argument says which program. All are right, but
// for `errors`, `forbidden` and `stuck`.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
enum { threads = 4, rounds = 60 };
static int rank;
static char const* what;
static int is(char const* name) { return strcmp(what, name) == 0; }

/// Exchanges numbers with the other rank in several ways, with a tag of its own.
static void* exchange(void* own_tag) {
    int const tag = (int)(size_t)own_tag, other = 1 - rank;
    MPI_Request q[2], persistent[2];
    MPI_Status s[2];
    int out = 0, in = 0, flag = 0;
    MPI_Send_init(&out, 1, MPI_INT, other, tag, WORLD, &persistent[0]);
    MPI_Recv_init(&in, 1, MPI_INT, other, tag, WORLD, &persistent[1]);
    for (out = 1; out <= rounds; ++out) {
        switch (out % 5) {
        case 0:
            MPI_Irecv(&in, 1, MPI_INT, other, tag, WORLD, &q[0]);
            MPI_Isend(&out, 1, MPI_INT, other, tag, WORLD, &q[1]);
            MPI_Waitall(2, q, s);
            break;
        case 1:
            MPI_Isend(&out, 1, MPI_INT, other, tag, WORLD, &q[0]);
            MPI_Probe(other, tag, WORLD, &s[0]);
            MPI_Recv(&in, 1, MPI_INT, other, tag, WORLD, &s[0]);
            MPI_Wait(&q[0], MPI_STATUS_IGNORE);
            break;
        case 2: MPI_Sendrecv(&out, 1, MPI_INT, other, tag, &in, 1, MPI_INT, other, tag, WORLD, &s[0]); break;
        case 3:
            MPI_Startall(2, persistent);
            MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
            break;
        default:
            MPI_Irecv(&in, 1, MPI_INT, other, tag, WORLD, &q[0]);
            MPI_Send(&out, 1, MPI_INT, other, tag, WORLD);
            for (flag = 0; !flag;) MPI_Test(&q[0], &flag, &s[0]);
        }
        if (in != out) abort();
    }
    MPI_Request_free(&persistent[0]);
    MPI_Request_free(&persistent[1]);
    return NULL;
}

/// A library that deals with an error may hold a lock of its own.
static void* send_nowhere_or_here(void* own_tag) {
    int const tag = (int)(size_t)own_tag;
    int out = 0, in = 0;
    for (int i = 0; i < rounds; ++i) {
        if (tag % 2 == 0 && MPI_Send(&out, 1, MPI_INT, 99, tag, WORLD) == MPI_SUCCESS) abort();
        if (tag % 2 != 0)
            MPI_Sendrecv(&out, 1, MPI_INT, 0, tag, &in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void* barrier(void* none) {
    MPI_Barrier(WORLD);
    return none;
}

/// What the other thread waits for, when it has waited for long.
static void* send_late(void* none) {
    int x = 1;
    usleep(1500000);
    MPI_Send(&x, 1, MPI_INT, rank, 0, WORLD);
    return none;
}

static void* compute(void* none) {
    usleep(200000);
    return none;
}

static void run(void* (*f)(void*), int n) {
    pthread_t t[threads];
    for (int i = 0; i < n; ++i) pthread_create(&t[i], NULL, f, (void*)(size_t)i);
    for (int i = 0; i < n; ++i) pthread_join(t[i], NULL);
}

int main(int argc, char** argv) {
    int granted, x = 0;
    what = argv[1];
    int const wanted = is("turns")                         ? MPI_THREAD_SERIALIZED
                       : is("funneled") || is("forbidden") ? MPI_THREAD_FUNNELED
                                                           : MPI_THREAD_MULTIPLE;
    MPI_Init_thread(&argc, &argv, wanted, &granted);
    if (granted < wanted) return 9;
    MPI_Comm_rank(WORLD, &rank);
    if (is("one")) MPI_Barrier(WORLD);
    if (is("funneled")) run(compute, 1), MPI_Barrier(WORLD);
    if (is("errors")) {
        MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
        run(send_nowhere_or_here, threads);
    }
    if (is("at once")) MPI_Barrier(WORLD), run(exchange, threads);
    if (is("turns") || is("forbidden")) MPI_Barrier(WORLD), run(barrier, 1), MPI_Barrier(WORLD);
    if (is("helped")) {
        pthread_t t;
        pthread_create(&t, NULL, send_late, NULL);
        MPI_Recv(&x, 1, MPI_INT, rank, 0, WORLD, MPI_STATUS_IGNORE);
        pthread_join(t, NULL);
    }
    if (is("orders")) {
        if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
        for (int i = 1; rank == 0 && i < 3; ++i) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, MPI_STATUS_IGNORE);
        run(barrier, 1);
    }
    if (is("stuck")) MPI_Recv(&x, 1, MPI_INT, 1 - rank, 0, WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
