// What the cases have in common, and their order.
#include "seen.h"

#include <stdarg.h>

static FILE* file;
int rank, other, tag; // the number of the case is its tag
MPI_Comm comm;        // a duplicate of MPI_COMM_WORLD
MPI_Request q[most];
MPI_Status s[most];
int flag, n, index_, at[most], out[most], in[most];

void say(char const* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
}

int code(int error) {
    int class = 0;
    if (error != MPI_SUCCESS) MPI_Error_class(error, &class);
    return class;
}

void status(MPI_Status const* of) {
    int count = 0, cancelled = 0;
    MPI_Get_count(of, MPI_INT, &count);
    MPI_Test_cancelled(of, &cancelled);
    say(" [%d %d %d %d]",
        of->MPI_SOURCE == MPI_ANY_SOURCE  ? -1
        : of->MPI_SOURCE == MPI_PROC_NULL ? -2
                                          : of->MPI_SOURCE,
        of->MPI_TAG == MPI_ANY_TAG ? -1 : of->MPI_TAG, count, cancelled);
}
void cancelled(MPI_Status const* of) {
    int is = 0;
    MPI_Test_cancelled(of, &is);
    say(" cancelled=%d", is);
}

void wipe(void) {
    memset(s, 0x55, sizeof s);
    for (int i = 0; i < most; ++i) q[i] = MPI_REQUEST_NULL, at[i] = in[i] = untouched, out[i] = 100 * rank + i;
    flag = n = index_ = untouched;
}

void requests(int size) {
    say(" null=");
    for (int i = 0; i < size; ++i) say("%d", q[i] == MPI_REQUEST_NULL);
}
void received(int size) {
    say(" in=");
    for (int i = 0; i < size; ++i) say("%d,", in[i]);
}

int main(int argc, char** argv) {
    int level = 0;
    // With a level of threads, Open MPI waits for ever for a request that has failed.
    argc > 2 ? MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level) : MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_dup(WORLD, &comm);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    static char space[4096], name[4096];
    MPI_Buffer_attach(space, sizeof space);
    snprintf(name, sizeof name, "%s-%d", argv[1], rank);
    file = fopen(name, "w");
    if (file == NULL) MPI_Abort(WORLD, 2);
    setvbuf(file, NULL, _IONBF, 0);
    completions();
    struct section const* const all[] = {of_messages, of_collectives, of_neighbours, of_communicators,
                                         of_handles,  of_windows,     of_pointers,   of_later};
    for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)
        for (struct section const* c = all[i]; c->name != NULL; ++c) {
            ++tag;
            wipe();
            say("%s", c->name);
            c->run();
            say("\n");
            MPI_Barrier(WORLD);
        }
    fclose(file);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 3;
}
