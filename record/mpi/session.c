// From MPI_Init to MPI_Finalize. MATCHPOINT_RECORD names the folder of the recording; without it nothing is recorded.
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

static void start(int granted) {
    char const* const folder = getenv("MATCHPOINT_RECORD");
    if (folder == NULL || *folder == '\0') return;
    int rank = 0, size = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    expect_threads(granted);
    open_log(folder, rank, size);
    read_schedule(folder, rank);
    if (!is_recording()) return;
    watch_for_crashes();
    find_shared_handles();
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    PMPI_Get_library_version(name, &length);
    name[strcspn(name, "\n,")] = '\0';
    for (char* c = name; *c != '\0'; ++c)
        if (*c == '\t') *c = ' ';
    begin_line("library");
    add_text(name);
    end_line();
    start_communicators();
}

RECORDER_API int MPI_Init(int* argc, char*** argv) {
    ENTER;
    before_library_starts();
    lead_bindings_here();
    int const code = PROGRAMS(PMPI_Init(argc, argv));
    if (code == MPI_SUCCESS) start(MPI_THREAD_SINGLE);
    return code;
}

RECORDER_API int MPI_Init_thread(int* argc, char*** argv, int wanted, int* granted) {
    ENTER;
    before_library_starts();
    lead_bindings_here();
    int const code = PROGRAMS(PMPI_Init_thread(argc, argv, wanted, granted));
    if (code == MPI_SUCCESS) start(*granted);
    return code;
}

RECORDER_API int MPI_Finalize(void) {
    ENTER;
    if (is_recording()) {
        lead_bindings_here(); // it says so if some were loaded
        find_unfinished_requests();
        find_open_epochs();
        find_leaks();
        begin_line_of(the_end, "end");
        end_line_in_any_case();
    }
    close_log();
    return PROGRAMS(PMPI_Finalize());
}

RECORDER_API int MPI_Abort(MPI_Comm comm, int error) {
    ENTER;
    unsigned const place = CALLER();
    if (is_recording()) {
        begin_line_of(the_end, "abort");
        add_number(place);
        add_number(error);
        end_line_in_any_case();
    }
    return PROGRAMS(PMPI_Abort(comm, error));
}
