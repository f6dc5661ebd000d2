// Errors in calls of the library. Most programs leave them to the library, which ends the process; some have them
// returned. Whatever becomes of an error, the library passes it to one function of its own. That is defined here, too,
// writes the error into the file of the rank, and calls the library's. The program keeps its error handlers, and sees
// no difference.
#define _GNU_SOURCE
#include "output.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASS(name)                                                                                                    \
    { name, #name }
static struct {
    int class;
    char const* name;
} const classes[] = {CLASS(MPI_ERR_BUFFER),       CLASS(MPI_ERR_COUNT),       CLASS(MPI_ERR_TYPE),
                     CLASS(MPI_ERR_TAG),          CLASS(MPI_ERR_COMM),        CLASS(MPI_ERR_RANK),
                     CLASS(MPI_ERR_REQUEST),      CLASS(MPI_ERR_ROOT),        CLASS(MPI_ERR_GROUP),
                     CLASS(MPI_ERR_OP),           CLASS(MPI_ERR_TOPOLOGY),    CLASS(MPI_ERR_DIMS),
                     CLASS(MPI_ERR_ARG),          CLASS(MPI_ERR_UNKNOWN),     CLASS(MPI_ERR_TRUNCATE),
                     CLASS(MPI_ERR_OTHER),        CLASS(MPI_ERR_INTERN),      CLASS(MPI_ERR_IN_STATUS),
                     CLASS(MPI_ERR_PENDING),      CLASS(MPI_ERR_ACCESS),      CLASS(MPI_ERR_AMODE),
                     CLASS(MPI_ERR_ASSERT),       CLASS(MPI_ERR_BAD_FILE),    CLASS(MPI_ERR_BASE),
                     CLASS(MPI_ERR_CONVERSION),   CLASS(MPI_ERR_DISP),        CLASS(MPI_ERR_DUP_DATAREP),
                     CLASS(MPI_ERR_FILE_EXISTS),  CLASS(MPI_ERR_FILE_IN_USE), CLASS(MPI_ERR_FILE),
                     CLASS(MPI_ERR_INFO_KEY),     CLASS(MPI_ERR_INFO_NOKEY),  CLASS(MPI_ERR_INFO_VALUE),
                     CLASS(MPI_ERR_INFO),         CLASS(MPI_ERR_IO),          CLASS(MPI_ERR_KEYVAL),
                     CLASS(MPI_ERR_LOCKTYPE),     CLASS(MPI_ERR_NAME),        CLASS(MPI_ERR_NO_MEM),
                     CLASS(MPI_ERR_NOT_SAME),     CLASS(MPI_ERR_NO_SPACE),    CLASS(MPI_ERR_NO_SUCH_FILE),
                     CLASS(MPI_ERR_PORT),         CLASS(MPI_ERR_QUOTA),       CLASS(MPI_ERR_READ_ONLY),
                     CLASS(MPI_ERR_RMA_CONFLICT), CLASS(MPI_ERR_RMA_SYNC),    CLASS(MPI_ERR_SERVICE),
                     CLASS(MPI_ERR_SIZE),         CLASS(MPI_ERR_SPAWN),       CLASS(MPI_ERR_UNSUPPORTED_DATAREP),
                     CLASS(MPI_ERR_WIN),          CLASS(MPI_ERR_RMA_RANGE),   CLASS(MPI_ERR_UNSUPPORTED_OPERATION),
                     CLASS(MPI_ERR_RMA_ATTACH),   CLASS(MPI_ERR_RMA_FLAVOR),  CLASS(MPI_ERR_RMA_SHARED)};

static char const* name_of_class(int class) {
    for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
        if (classes[i].class == class) return classes[i].name;
    return "MPI_ERR"; // the program's own
}

/// What the library says of an error, in one line. Open MPI begins with the class. MPICH goes on with a stack of its
/// functions, whose last line may say more: "Invalid root (value given was -1)".
static char const* text_of(int code) {
    static char text[MPI_MAX_ERROR_STRING + 1];
    int size = 0;
    if (PMPI_Error_string(code, text, &size) != MPI_SUCCESS || *text == '\0') return "unknown error";
    if (strncmp(text, "MPI_ERR", 7) == 0) {
        char const* const after = strstr(text, ": ");
        return after == NULL ? text : after + 2;
    }
    char* const stack = strstr(text, ", error stack:");
    if (stack == NULL) {
        text[strcspn(text, "\n")] = '\0';
        return text;
    }
    *stack = '\0';
    char* last = stack + 1;
    for (char* at = last; (at = strchr(at, '\n')) != NULL && at[1] != '\0';) last = ++at;
    last[strcspn(last, "\n")] = '\0';
    char const* const detail = strstr(last, ": ");
    bool const says_more = detail != NULL && strncmp(detail + 2, text, strlen(text)) == 0;
    return says_more ? detail + 2 : text;
}

/// The first caller that is not of the library. The recorder does not define the function that the program has called.
static unsigned place_outside(void const* caller) {
    enum { most_frames = 32 };
    void* frames[most_frames];
    Dl_info library, object;
    int const n = backtrace(frames, most_frames);
    if (dladdr(dlsym(RTLD_NEXT, "PMPI_Error_class"), &library) == 0) return 0;
    int i = 0;
    while (i < n && frames[i] != caller) ++i;
    while (i < n && dladdr(frames[i], &object) != 0 && object.dli_fbase == library.dli_fbase) ++i;
    return i < n ? place_of(frames[i]) : 0;
}

/// "MPI_Bcast" of "PMPI_Bcast", "internal_Bcast" and "named_Bcast"
static char const* function_of(char const* name) {
    static char function[64] = "MPI_";
    char const* const after = name == NULL ? NULL : strchr(name, '_');
    strncpy(function + 4, after == NULL ? "" : after + 1, sizeof function - 5);
    return function;
}

/// A call for several requests says that one of them failed. The error is in its status.
static int error_of_request(struct work const* call, int code) {
    int class = MPI_SUCCESS;
    PMPI_Error_class(code, &class);
    if (class != MPI_ERR_IN_STATUS || call->statuses == NULL) return code;
    for (int i = 0; i < *call->n; ++i) {
        int const error = call->statuses[i].MPI_ERROR;
        PMPI_Error_class(error, &class);
        if (class != MPI_SUCCESS && class != MPI_ERR_PENDING) return error;
    }
    return code;
}

/// Errors that are returned can be many: each is written down once.
static bool is_new(unsigned place, int class) {
    enum { most = 64 };
    static struct {
        unsigned place;
        int class;
    } before[most];
    static unsigned n;
    for (unsigned i = 0; i < n; ++i)
        if (before[i].place == place && before[i].class == class) return false;
    if (n == most) return false;
    before[n].place = place;
    before[n++].class = class;
    return true;
}

/// An error of a call of the program.
struct error {
    bool is_known;
    unsigned place;
    int class;
    char function[64];
    char text[MPI_MAX_ERROR_STRING + 1];
};

static void write_error(struct error const* e, bool is_fatal) {
    if (!e->is_known || !(is_fatal || is_new(e->place, e->class))) return;
    begin_line_of(a_note, "error");
    add_number(e->place);
    add_text(e->function);
    add_text(is_fatal ? "fatal" : "returned");
    add_text(name_of_class(e->class));
    add_text(e->text); // to the end of the line
    end_line_in_any_case();
}

/// The library is about to deal with an error.
static void describe_error(struct error* e, char const* function, int code, void const* caller) {
    e->is_known = false;
    if (work.is_recorders || !is_recording()) return;
    bool const is_ours = work.function != NULL;
    struct work const before = enter_recorder(work.function, work.caller);
    code = error_of_request(&before, code);
    e->class = MPI_ERR_UNKNOWN;
    PMPI_Error_class(code, &e->class);
    e->place = is_ours ? place_of(before.caller) : place_outside(caller);
    snprintf(e->function, sizeof e->function, "%s", function_of(is_ours ? before.function : function));
    snprintf(e->text, sizeof e->text, "%s", text_of(code));
    e->is_known = e->class != MPI_SUCCESS;
    work = before;
}

static void note_error(bool is_fatal, char const* function, int code, void const* caller) {
    if (work.is_recorders && is_fatal) die_in_recorder();
    if (work.is_recorders || !is_recording() || !take_turn_soon()) return;
    struct error e;
    describe_error(&e, function, code, caller);
    write_error(&e, is_fatal);
    end_turn();
}

/// The library's function of a name.
#define NEXT(function, name) *(void**)&(function) = dlsym(RTLD_NEXT, name)

#ifdef OPEN_MPI

RECORDER_API int ompi_errhandler_invoke(MPI_Errhandler handler, void* object, int kind, int code, char const* function);

int ompi_errhandler_invoke(MPI_Errhandler handler, void* object, int kind, int code, char const* function) {
    if (work.asks) return code;
    note_error(handler == NULL || handler == MPI_ERRORS_ARE_FATAL, function, code, __builtin_return_address(0));
    int (*library)(MPI_Errhandler, void*, int, int, char const*) = NULL;
    NEXT(library, "ompi_errhandler_invoke");
    return library == NULL ? code : library(handler, object, kind, code, function);
}

#endif
#ifdef MPICH_VERSION

// Objects begin with their handles. The functions ask the launcher to kill the process.

static bool is_fatal(MPI_Errhandler handler) {
    if (handler != MPI_ERRORS_ARE_FATAL && handler != MPI_ERRORS_RETURN && handler != MPI_ERRHANDLER_NULL)
        PMPI_Errhandler_free(&handler); // we have another reference to it now
    return handler == MPI_ERRORS_ARE_FATAL;
}

// With MPI_THREAD_MULTIPLE the thread holds the lock of the library, which cannot be asked for the handler then. An
// error is fatal if the library's function does not return.

static __thread struct error* unhandled;

void note_fatal_error(void) {
    if (unhandled == NULL) return;
    if (work.is_recorders) die_in_recorder();
    if (!take_turn_soon()) return;
    write_error(unhandled, true);
    end_turn();
}

static int with_unhandled(int (*library)(void*, char const*, int), void* object, char const* function, int code,
                          void const* caller) {
    struct error e;
    bool const has_turn = take_turn_soon();
    if (has_turn) describe_error(&e, function, code, caller);
    if (has_turn) end_turn();
    unhandled = &e;
    if (!has_turn) e.is_known = false;
    code = library(object, function, code);
    unhandled = NULL;
    if (e.is_known && take_turn_soon()) {
        write_error(&e, false);
        end_turn();
    }
    return code;
}

RECORDER_API int MPIR_Err_return_comm(void* comm, char const* function, int code);

int MPIR_Err_return_comm(void* comm, char const* function, int code) {
    if (work.asks) return code;
    int (*library)(void*, char const*, int) = NULL;
    NEXT(library, "MPIR_Err_return_comm");
    if (is_recording() && threads_may_call_at_once() && library != NULL)
        return with_unhandled(library, comm, function, code, __builtin_return_address(0));
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (is_recording()) PMPI_Comm_get_errhandler(comm == NULL ? MPI_COMM_WORLD : *(MPI_Comm const*)comm, &handler);
    note_error(is_fatal(handler), function, code, __builtin_return_address(0));
    return library == NULL ? code : library(comm, function, code);
}

RECORDER_API int MPIR_Err_return_win(void* win, char const* function, int code);

int MPIR_Err_return_win(void* win, char const* function, int code) {
    if (work.asks) return code;
    int (*library)(void*, char const*, int) = NULL;
    NEXT(library, "MPIR_Err_return_win");
    if (is_recording() && threads_may_call_at_once() && library != NULL)
        return with_unhandled(library, win, function, code, __builtin_return_address(0));
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (is_recording() && win != NULL) PMPI_Win_get_errhandler(*(MPI_Win const*)win, &handler);
    note_error(is_fatal(handler), function, code, __builtin_return_address(0));
    return library == NULL ? code : library(win, function, code);
}

#else

void note_fatal_error(void) {}

#endif
