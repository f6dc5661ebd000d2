// Ranks that die; the first argument says by whose fault. This program replaces functions of the MPI library:
// MPI_Get_count, which the recorder calls on its own account, and MPI_Recv and MPI_Irecv, which the program asks for.
// Two ranks; of "another order" three.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
static char const* what = "";
static int is(char const* name) { return strcmp(what, name) == 0; }
static void crash(void) { *(int volatile*)16 = 1; }

int PMPI_Get_count(MPI_Status const* status, MPI_Datatype type, int* count) {
    int size = 0;
    if (is("own crash")) crash();
    if (is("own abort")) abort();
    if (is("own error")) MPI_Type_size(MPI_DATATYPE_NULL, &size); // which is fatal
    if (is("killed in the recorder")) sleep(100);
    int (*const library)(MPI_Status const*, MPI_Datatype, int*) =
        (int (*)(MPI_Status const*, MPI_Datatype, int*))(size_t)dlsym(RTLD_NEXT, "PMPI_Get_count");
    return library(status, type, count);
}

static int last = 0; // that rank 0 has received in "another order"

int PMPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
    while (last == 2) pause();
    int (*const library)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*) =
        (int (*)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))(size_t)dlsym(RTLD_NEXT, "PMPI_Irecv");
    return library(buffer, count, type, from, tag, comm, request);
}

int PMPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
    if (is("crash of the library") || is("early")) crash();
    while (is("never returns")) pause();
    if (is("error of the program")) MPI_Type_size(MPI_DATATYPE_NULL, &count);
    MPI_Request request;
    PMPI_Irecv(buffer, count, type, from, tag, comm, &request);
    return PMPI_Wait(&request, status);
}

int main(int argc, char** argv) {
    int rank, x = 1, granted;
    char* const bad_buffer = (char*)4096;
    what = argv[1];
    if (is("early")) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, MPI_STATUS_IGNORE); // before MPI_Init
    MPI_Init_thread(&argc, &argv, is("program") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &granted);
    MPI_Comm_rank(WORLD, &rank);
    if (is("another order")) {
        if (rank == 2) usleep(300000);
        for (int i = 0; rank == 0 && i < 2; ++i) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, MPI_STATUS_IGNORE);
            last = x;
        }
        if (rank != 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
    } else if (rank == 1) {
        MPI_Send(is("bad buffer") ? (void*)bad_buffer : &x, 1, MPI_INT, 0, 0, WORLD);
        if (is("killed in the recorder")) usleep(200000), abort();
    } else {
        MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, MPI_STATUS_IGNORE);
    }
    if (is("program")) crash();
    MPI_Finalize();
    return 0;
}
