// Handles that stand for nothing: of variables without a value, of what was freed, of anything; and memory that is not
// there. One rank. `early` calls before MPI_Init; `refused` calls what libraries refuse and says what its error handler
// got; `freed` and `garbage` end in a call of the library, or after it.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
static MPI_Comm no_comm;
static MPI_Datatype no_type;
static int errors, last;

static void count(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    ++errors;
    MPI_Error_class(*code, &last);
}

static void say(char const* call, int code) {
    int class = 0;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
    printf("%s: class %d; %d errors, the last of class %d\n", call, class, errors, last);
}
#define SAY(call) say(#call, call)

static void refused(void) {
    int x = 0, all[12] = {0};
    MPI_Request request;
    MPI_Datatype row, rows;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Errhandler handler, now;
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_set_errhandler(WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Type_contiguous(3, MPI_INT, &row);
    MPI_Type_vector(2, 1, 2, row, &rows);
    SAY(MPI_Send(&x, 1, MPI_INT, 0, 0, no_comm));
    SAY(MPI_Send(&x, 1, no_type, 0, 0, WORLD));
    SAY(MPI_Send(all, 1, rows, 0, 0, WORLD));
    SAY(MPI_Isend(&x, 1, no_type, 0, 0, WORLD, &request));
    SAY(MPI_Isend(all, 1, rows, 0, 0, WORLD, &request));
    SAY(MPI_Recv(&x, 1, MPI_INT, 0, 0, no_comm, MPI_STATUS_IGNORE));
    SAY(MPI_Irecv(&x, 1, no_type, 0, 0, WORLD, &request));
    SAY(MPI_Barrier(no_comm));
    SAY(MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, 0, no_comm));
#ifndef OPEN_MPI // which crashes
    SAY(MPI_Allreduce(&x, all, 1, no_type, MPI_SUM, WORLD));
#endif
    MPI_Comm_get_errhandler(WORLD, &now);
    printf("the handler is %s\n", now == handler ? "there" : "another one");
    SAY(MPI_Win_create((void*)(uintptr_t)0x10000, 64, 1, MPI_INFO_NULL, WORLD, &window));
    if (window != MPI_WIN_NULL) MPI_Win_free(&window); // not every library makes it
    MPI_Type_free(&rows);
    MPI_Type_free(&row);
}

static void freed(void) {
    int x = 0, y = 0;
    MPI_Request request;
    MPI_Datatype type, same_type;
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    same_type = type;
    MPI_Type_free(&type);
    MPI_Irecv(&y, 1, MPI_INT, 0, 0, WORLD, &request);
    MPI_Send(&x, 1, same_type, 0, 0, WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/// No mistake: where the root is in a communicator that the recorder does not know, and what its arguments mean.
static void unknown(void) {
    int all[1] = {1};
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_idup(WORLD, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT, 0, comm);
    MPI_Comm_free(&comm);
}

static void garbage(void) {
    int x = 0;
    MPI_Send(&x, 1, (MPI_Datatype)(uintptr_t)0x12345678, 0, 0, WORLD);
}

int main(int argc, char** argv) {
    if (strcmp(argv[1], "early") == 0) garbage();
    MPI_Init(&argc, &argv);
    if (strcmp(argv[1], "refused") == 0) refused();
    if (strcmp(argv[1], "freed") == 0) freed();
    if (strcmp(argv[1], "garbage") == 0) garbage();
    if (strcmp(argv[1], "unknown") == 0) unknown();
    MPI_Finalize();
    return 0;
}
