// One-sided communication: windows, and what ranks do with each other's memory. The file has a line `rma ...` for each
// element of each call, and what memory holds when a rank makes a call: so the reader sees which of it the program has
// stored. synchronisation.c has the calls that begin and end epochs.
#include "recorder.h"

enum { max_elements = 64 }; // of a call

// ---- windows --------------------------------------------------------------------------------------------------------

static void made(char const* function, unsigned place, void* base, MPI_Aint size, int unit, MPI_Comm comm,
                 MPI_Win win) {
    if (is_recording()) open_window(function, place, base, size, unit, comm, win);
    object_made(a_window, HANDLE(win), function, place);
    window_has_memory(win, base, size);
    watch_window(win, comm, size, unit);
}

RECORDER_API int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win) {
    ENTER;
    unsigned const place = CALLER();
    check_memory("MPI_Win_create", place, base, size);
    int const code = WAITS("MPI_Win_create", place, PMPI_Win_create(base, size, unit, info, comm, win));
    if (code == MPI_SUCCESS) made("MPI_Win_create", place, base, size, unit, comm, *win);
    return code;
}

RECORDER_API int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win) {
    ENTER;
    unsigned const place = CALLER();
    int const code = WAITS("MPI_Win_allocate", place, PMPI_Win_allocate(size, unit, info, comm, base, win));
    if (code == MPI_SUCCESS) made("MPI_Win_allocate", place, *(void**)base, size, unit, comm, *win);
    return code;
}

// ---- remote statements ----------------------------------------------------------------------------------------------

/// An access of elements of a target; `type` is that of one.
struct access {
    struct window* w;
    int target;    // in MPI_COMM_WORLD
    size_t offset; // in bytes
    int size;      // of an element; negative if it is signed
    int count;
    MPI_Datatype type;
    unsigned place;
};

static char const other_elements[] =
    "elements are integers, of the same type on both sides; others, and derived datatypes, are not modelled";

/// False if there is nothing to write down. Looks at memory, too.
static bool describe(struct access* a, char const* function, unsigned place, MPI_Win win, int target,
                     MPI_Aint displacement, int count, MPI_Datatype type, int target_count, MPI_Datatype target_type) {
    if (!is_recording() || target == MPI_PROC_NULL || count <= 0) return false;
    *a = (struct access){.w = find_window(win), .count = count, .type = type, .place = place};
    char const* why = NULL;
    a->size = integer_size(type);
    if (a->w != NULL && world_rank(a->w->comm, target) < 0) return false; // the library refuses it
    if (a->w == NULL)
        why = "its window was made by a call that is not modelled";
    else if (a->size == 0 || integer_size(target_type) != a->size || count != target_count)
        why = other_elements;
    else if (count > max_elements)
        why = "more than 64 elements in one call are not modelled";
    if (why != NULL) {
        not_modelled(function, place, why);
        return false;
    }
    a->target = world_rank(a->w->comm, target);
    a->offset = (size_t)displacement * (size_t)a->w->units[target];
    look_at_windows();
    return true;
}

static size_t width(struct access const* a) { return (size_t)(a->size < 0 ? -a->size : a->size); }
static void const* element(struct access const* a, void const* data, int i) {
    return data == NULL ? NULL : (unsigned char const*)data + (size_t)i * width(a);
}

static void begin_access(struct access const* a, char const* word, int i) {
    begin_line(word);
    add_number(a->place);
    add_number(a->w->number);
    add_number(a->target);
    add_number((int64_t)(a->offset + (size_t)i * width(a)));
    add_number(a->size);
}

/// What the call is: of elements there, and of buffers here.
#define REMOTE_CALL(name, there_count, there_type, ...)                                                                \
    struct remote_call const remote = {.function = (name),                                                             \
                                       .place = place,                                                                 \
                                       .win = win,                                                                     \
                                       .target = target,                                                               \
                                       .displacement = displacement,                                                   \
                                       .count = (there_count),                                                         \
                                       .type = (there_type),                                                           \
                                       __VA_ARGS__}

RECORDER_API int MPI_Put(void const* data, int count, MPI_Datatype type, int target, MPI_Aint displacement,
                         int target_count, MPI_Datatype target_type, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    REMOTE_CALL("MPI_Put", target_count, target_type, .read = {data, count, type}, .compared = no_data,
                .written = no_data);
    remote_call_begins(&remote);
    struct access a;
    if (describe(&a, "MPI_Put", place, win, target, displacement, count, type, target_count, target_type)) {
        for (int i = 0; i < count; ++i) {
            look_at_buffer(element(&a, data, i), a.size, type);
            begin_access(&a, "rma put", i);
            add_local(element(&a, data, i), a.size);
            end_line();
        }
        write_is_pending(a.w, a.target);
    }
    int const code = PROGRAMS(PMPI_Put(data, count, type, target, displacement, target_count, target_type, win));
    remote_call_is_issued(code);
    return code;
}

RECORDER_API int MPI_Get(void* data, int count, MPI_Datatype type, int target, MPI_Aint displacement, int target_count,
                         MPI_Datatype target_type, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    REMOTE_CALL("MPI_Get", target_count, target_type, .read = no_data, .compared = no_data,
                .written = {data, count, type});
    remote_call_begins(&remote);
    struct access a;
    if (describe(&a, "MPI_Get", place, win, target, displacement, count, type, target_count, target_type))
        for (int i = 0; i < count; ++i) {
            void* const to = (unsigned char*)data + (size_t)i * width(&a);
            look_at_buffer(to, a.size, type);
            begin_access(&a, "rma get", i);
            add_local(to, a.size);
            end_line();
            fetch_is_pending(a.w, a.target, to, type);
        }
    int const code = PROGRAMS(PMPI_Get(data, count, type, target, displacement, target_count, target_type, win));
    remote_call_is_issued(code);
    return code;
}

static bool has_name(char const* function, unsigned place, MPI_Op op) {
    if (name_of_operation(op) == NULL) not_modelled(function, place, "this operation is not modelled");
    return name_of_operation(op) != NULL;
}

RECORDER_API int MPI_Accumulate(void const* data, int count, MPI_Datatype type, int target, MPI_Aint displacement,
                                int target_count, MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    REMOTE_CALL("MPI_Accumulate", target_count, target_type, .read = {data, count, type}, .compared = no_data,
                .written = no_data);
    remote_call_begins(&remote);
    struct access a;
    if (describe(&a, "MPI_Accumulate", place, win, target, displacement, count, type, target_count, target_type) &&
        has_name("MPI_Accumulate", place, op)) {
        for (int i = 0; i < count; ++i) {
            look_at_buffer(element(&a, data, i), a.size, type);
            begin_access(&a, "rma accumulate", i);
            add_text(name_of_operation(op));
            add_local(element(&a, data, i), a.size);
            end_line();
        }
        write_is_pending(a.w, a.target);
    }
    int const code =
        PROGRAMS(PMPI_Accumulate(data, count, type, target, displacement, target_count, target_type, op, win));
    remote_call_is_issued(code);
    return code;
}

/// Writes down that an element is fetched, and changed with an operand. There need not be one for MPI_NO_OP.
static void fetch(struct access const* a, char const* word, MPI_Op op, void const* operand, void* result, int i) {
    void const* const from = op == MPI_NO_OP ? NULL : element(a, operand, i);
    void* const to = (unsigned char*)result + (size_t)i * width(a);
    look_at_buffer(from, a->size, a->type);
    look_at_buffer(to, a->size, a->type);
    begin_access(a, word, i);
    add_text(name_of_operation(op));
    add_local(from, a->size);
    add_local(to, a->size);
    end_line();
    fetch_is_pending(a->w, a->target, to, a->type);
}

RECORDER_API int MPI_Get_accumulate(void const* data, int count, MPI_Datatype type, void* result, int result_count,
                                    MPI_Datatype result_type, int target, MPI_Aint displacement, int target_count,
                                    MPI_Datatype target_type, MPI_Op op, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    bool const reads = op != MPI_NO_OP;
    REMOTE_CALL("MPI_Get_accumulate", target_count, target_type,
                .read = reads ? (struct data){data, count, type} : no_data, .compared = no_data,
                .written = {result, result_count, result_type});
    remote_call_begins(&remote);
    struct access a;
    bool const is_known = describe(&a, "MPI_Get_accumulate", place, win, target, displacement, result_count,
                                   result_type, target_count, target_type) &&
                          has_name("MPI_Get_accumulate", place, op);
    if (is_known && reads && (count != result_count || integer_size(type) != a.size))
        not_modelled("MPI_Get_accumulate", place, other_elements);
    else if (is_known)
        for (int i = 0; i < result_count; ++i) fetch(&a, "rma fetches", op, data, result, i);
    int const code = PROGRAMS(PMPI_Get_accumulate(data, count, type, result, result_count, result_type, target,
                                                  displacement, target_count, target_type, op, win));
    remote_call_is_issued(code);
    return code;
}

RECORDER_API int MPI_Fetch_and_op(void const* data, void* result, MPI_Datatype type, int target, MPI_Aint displacement,
                                  MPI_Op op, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    REMOTE_CALL("MPI_Fetch_and_op", 1, type, .read = op == MPI_NO_OP ? no_data : (struct data){data, 1, type},
                .compared = no_data, .written = {result, 1, type});
    remote_call_begins(&remote);
    struct access a;
    if (describe(&a, "MPI_Fetch_and_op", place, win, target, displacement, 1, type, 1, type) &&
        has_name("MPI_Fetch_and_op", place, op))
        fetch(&a, "rma fetch", op, data, result, 0);
    int const code = PROGRAMS(PMPI_Fetch_and_op(data, result, type, target, displacement, op, win));
    remote_call_is_issued(code);
    return code;
}

RECORDER_API int MPI_Compare_and_swap(void const* data, void const* compared, void* result, MPI_Datatype type,
                                      int target, MPI_Aint displacement, MPI_Win win) {
    ENTER;
    unsigned const place = CALLER();
    REMOTE_CALL("MPI_Compare_and_swap", 1, type, .read = {data, 1, type}, .compared = {compared, 1, type},
                .written = {result, 1, type});
    remote_call_begins(&remote);
    struct access a;
    if (describe(&a, "MPI_Compare_and_swap", place, win, target, displacement, 1, type, 1, type)) {
        look_at_buffer(data, a.size, type);
        look_at_buffer(compared, a.size, type);
        look_at_buffer(result, a.size, type);
        begin_access(&a, "rma swap", 0);
        add_local(data, a.size);
        add_local(compared, a.size);
        add_local(result, a.size);
        end_line();
        fetch_is_pending(a.w, a.target, result, type);
    }
    int const code = PROGRAMS(PMPI_Compare_and_swap(data, compared, result, type, target, displacement, win));
    remote_call_is_issued(code);
    return code;
}
