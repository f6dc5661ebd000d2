// Which handles of the program stand for something. The recorder asks the library about handles that a call gets before
// the library has looked at them. A library that is asked about anything else ends the process, or crashes: handles of
// Open MPI are addresses. So the recorder asks only about those that it knows, and finds out once about new ones.
#include "values.h"

#include <string.h>

enum { most_known = 256 };
static struct known {
    enum object kind;
    uintptr_t handle; // 0: free; no object has it
} known[most_known];
// MPICH takes types that are freed for types, and crashes when it is asked more of them. A type that a call makes which
// we do not see has to be committed.
// Operations that are freed twice make libraries crash, which cannot be asked about them.
static struct known freed[most_known];

static size_t hash(enum object kind, uintptr_t handle) {
    uint64_t const bits = ((uint64_t)handle + (uint64_t)kind) * 0x9E3779B97F4A7C15U;
    return (bits >> 40) % most_known;
}

static struct known* slot(enum object kind, uintptr_t handle) { return &known[hash(kind, handle)]; }
static struct known* slot_of_freed(enum object kind, uintptr_t handle) { return &freed[hash(kind, handle)]; }

#ifdef OPEN_MPI

/// The first word of an object, which is the same for all of a class; 0 if it cannot be read.
static uintptr_t class_of(uintptr_t handle) {
    uintptr_t class = 0;
    if (handle % sizeof class != 0 || !is_readable((void const*)handle, sizeof class)) return 0;
    memcpy(&class, (void const*)handle, sizeof class);
    return class;
}

static uintptr_t class_of_made_types(void) {
    static uintptr_t class;
    if (class != 0) return class;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    PMPI_Type_dup(MPI_INT, &made);
    class = class_of(HANDLE(made));
    PMPI_Type_free(&made);
    return class;
}

static bool may_be(enum object kind, uintptr_t handle) {
    if (!is_recording()) return false;
    uintptr_t const class = class_of(handle);
    if (class == 0) return false;
    switch (kind) {
    case a_communicator: return class == class_of(HANDLE(MPI_COMM_WORLD));
    case a_group: return class == class_of(HANDLE(MPI_GROUP_EMPTY));
    case a_type: return class == class_of(HANDLE(MPI_INT)) || class == class_of_made_types();
    default: return true;
    }
}

#else

static bool may_be(enum object kind, uintptr_t handle) {
    (void)kind;
    return is_recording() && handle != 0;
}

#endif

/// Before MPI_Init and after MPI_Finalize nothing is: the library must not be asked.
static bool is_known(enum object kind, uintptr_t handle) {
    struct known const* const at = slot(kind, handle);
    return is_recording() && handle != 0 && at->handle == handle && at->kind == kind;
}

/// The library has been asked for something that each object has.
static bool is_now_known(enum object kind, uintptr_t handle, int code) {
    if (code == MPI_SUCCESS) *slot(kind, handle) = (struct known){kind, handle};
    return code == MPI_SUCCESS;
}

bool was_freed(enum object kind, uintptr_t handle) {
    struct known const* const at = slot_of_freed(kind, handle);
    return handle != 0 && at->handle == handle && at->kind == kind;
}

bool is_type(MPI_Datatype type) {
    uintptr_t const handle = HANDLE(type);
    int answer = 0;
    if (is_known(a_type, handle)) return true;
    if (type == MPI_DATATYPE_NULL || was_freed(a_type, handle) || !may_be(a_type, handle)) return false;
    return is_now_known(a_type, handle, ASKING(PMPI_Type_size(type, &answer)));
}

bool is_communicator(MPI_Comm comm) {
    uintptr_t const handle = HANDLE(comm);
    int answer = 0;
    if (is_known(a_communicator, handle)) return true;
    if (comm == MPI_COMM_NULL || !may_be(a_communicator, handle)) return false;
    return is_now_known(a_communicator, handle, ASKING(PMPI_Comm_test_inter(comm, &answer)));
}

bool is_group(MPI_Group group) {
    uintptr_t const handle = HANDLE(group);
    int answer = 0;
    if (is_known(a_group, handle)) return true;
    if (group == MPI_GROUP_NULL || !may_be(a_group, handle)) return false;
    return is_now_known(a_group, handle, ASKING(PMPI_Group_size(group, &answer)));
}

void handle_is_gone(enum object kind, uintptr_t handle) {
    struct known* const at = slot(kind, handle);
    if (at->kind == kind && at->handle == handle) at->handle = 0;
    *slot_of_freed(kind, handle) = (struct known){kind, handle};
}

void handle_is_there(enum object kind, uintptr_t handle) {
    if (was_freed(kind, handle)) slot_of_freed(kind, handle)->handle = 0;
}
