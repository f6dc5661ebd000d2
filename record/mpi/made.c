// Calls that make types, groups and operations, and free them. Only the rank that makes them knows them.
#include "recorder.h"

#define MAKES(kind, name, made, parameters, arguments, check)                                                          \
    RECORDER_API int MPI_##name parameters {                                                                           \
        ENTER;                                                                                                         \
        check;                                                                                                         \
        int const code = PROGRAMS(PMPI_##name arguments);                                                              \
        if (code == MPI_SUCCESS && IS_PROGRAMS) object_made(kind, HANDLE(*(made)), "MPI_" #name, CALLER());            \
        return code;                                                                                                   \
    }

// ---- types ----------------------------------------------------------------------------------------------------------

#define MAKES_TYPE(name, parameters, arguments)                                                                        \
    MAKES(a_type, name, made, parameters, arguments, check_part("MPI_" #name, CALLER(), type))

/// The parts of a struct that have elements.
static void check_parts(char const* function, unsigned place, int count, int const* lengths,
                        MPI_Datatype const* types) {
    if (!is_recording() || count <= 0 || lengths == NULL || types == NULL) return;
    for (int i = 0; i < count; ++i) {
        begin_reading(lengths + i, sizeof *lengths);
        int const length = lengths[i];
        begin_reading(types + i, sizeof(MPI_Datatype));
        MPI_Datatype const type = types[i];
        end_reading();
        if (length > 0) check_part(function, place, type);
    }
}

MAKES_TYPE(Type_contiguous, (int count, MPI_Datatype type, MPI_Datatype* made), (count, type, made))
MAKES_TYPE(Type_vector, (int count, int length, int stride, MPI_Datatype type, MPI_Datatype* made),
           (count, length, stride, type, made))
MAKES_TYPE(Type_create_hvector, (int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made),
           (count, length, stride, type, made))
MAKES_TYPE(Type_indexed, (int count, int const lengths[], int const starts[], MPI_Datatype type, MPI_Datatype* made),
           (count, lengths, starts, type, made))
MAKES_TYPE(Type_create_hindexed,
           (int count, int const lengths[], MPI_Aint const starts[], MPI_Datatype type, MPI_Datatype* made),
           (count, lengths, starts, type, made))
MAKES_TYPE(Type_create_indexed_block,
           (int count, int length, int const starts[], MPI_Datatype type, MPI_Datatype* made),
           (count, length, starts, type, made))
MAKES_TYPE(Type_create_hindexed_block,
           (int count, int length, MPI_Aint const starts[], MPI_Datatype type, MPI_Datatype* made),
           (count, length, starts, type, made))
MAKES(a_type, Type_create_struct, made,
      (int count, int const lengths[], MPI_Aint const starts[], const MPI_Datatype types[], MPI_Datatype* made),
      (count, lengths, starts, types, made), check_parts("MPI_Type_create_struct", CALLER(), count, lengths, types))
MAKES_TYPE(Type_create_resized, (MPI_Datatype type, MPI_Aint low, MPI_Aint extent, MPI_Datatype* made),
           (type, low, extent, made))
MAKES_TYPE(Type_create_subarray,
           (int n, int const sizes[], int const parts[], int const starts[], int order, MPI_Datatype type,
            MPI_Datatype* made),
           (n, sizes, parts, starts, order, type, made))
MAKES_TYPE(Type_create_darray,
           (int size, int rank, int n, int const sizes[], int const ways[], int const arguments[], int const grid[],
            int order, MPI_Datatype type, MPI_Datatype* made),
           (size, rank, n, sizes, ways, arguments, grid, order, type, made))

RECORDER_API int MPI_Type_dup(MPI_Datatype type, MPI_Datatype* made) {
    ENTER;
    check_part("MPI_Type_dup", CALLER(), type);
    int const code = PROGRAMS(PMPI_Type_dup(type, made));
    if (code != MPI_SUCCESS || !IS_PROGRAMS) return code;
    bool const is_committed = !is_uncommitted(type);
    object_made(a_type, HANDLE(*made), "MPI_Type_dup", CALLER());
    if (is_committed) type_committed(*made);
    return code;
}

RECORDER_API int MPI_Type_commit(MPI_Datatype* type) {
    ENTER;
    check_not_null("MPI_Type_commit", CALLER(), type == NULL || *type == MPI_DATATYPE_NULL, "type");
    int const code = PROGRAMS(PMPI_Type_commit(type));
    if (code == MPI_SUCCESS) type_committed(*type);
    return code;
}

/// Frees what a handle stands for; it is forgotten before another rank or thread can get the same handle.
#define FREES(kind, name, type, null, what)                                                                            \
    RECORDER_API int MPI_##name(type* handle) {                                                                        \
        ENTER;                                                                                                         \
        check_not_null("MPI_" #name, CALLER(), handle == NULL || *handle == (null), what);                             \
        uintptr_t const freed = handle == NULL ? 0 : HANDLE(*handle);                                                  \
        if (IS_PROGRAMS && freed != 0) check_not_freed("MPI_" #name, CALLER(), kind, freed, what);                     \
        int const code = PROGRAMS(PMPI_##name(handle));                                                                \
        if (code == MPI_SUCCESS) object_freed(kind, freed);                                                            \
        return code;                                                                                                   \
    }

/// Gives handles of types that the program has to free, also if they are those of types that it still has.
RECORDER_API int MPI_Type_get_contents(MPI_Datatype type, int most_integers, int most_addresses, int most_types,
                                       int integers[], MPI_Aint addresses[], MPI_Datatype types[]) {
    ENTER;
    int const code =
        PROGRAMS(PMPI_Type_get_contents(type, most_integers, most_addresses, most_types, integers, addresses, types));
    int n = 0, of_addresses = 0, of_types = 0, combiner = MPI_COMBINER_NAMED;
    if (code != MPI_SUCCESS || !IS_PROGRAMS || !is_recording()) return code;
    PMPI_Type_get_envelope(type, &n, &of_addresses, &of_types, &combiner);
    for (int i = 0; i < of_types; ++i) {
        int of = 0;
        PMPI_Type_get_envelope(types[i], &n, &of_addresses, &of, &combiner);
        if (combiner == MPI_COMBINER_NAMED) continue;
        object_made(a_type, HANDLE(types[i]), "MPI_Type_get_contents", CALLER());
        type_committed(types[i]); // as far as is known
    }
    return code;
}

FREES(a_type, Type_free, MPI_Datatype, MPI_DATATYPE_NULL, "type")

// ---- operations and groups ------------------------------------------------------------------------------------------

MAKES(an_operation, Op_create, made, (MPI_User_function * f, int commutes, MPI_Op* made), (f, commutes, made), )
FREES(an_operation, Op_free, MPI_Op, MPI_OP_NULL, "operation")

/// The empty group need not be freed.
#define MAKES_GROUP(name, parameters, arguments, check)                                                                \
    RECORDER_API int MPI_##name parameters {                                                                           \
        ENTER;                                                                                                         \
        check;                                                                                                         \
        int const code = PROGRAMS(PMPI_##name arguments);                                                              \
        if (code == MPI_SUCCESS && IS_PROGRAMS && *made != MPI_GROUP_EMPTY)                                            \
            object_made(a_group, HANDLE(*made), "MPI_" #name, CALLER());                                               \
        return code;                                                                                                   \
    }
#define CHECK_MEMBERS check_members(__func__, CALLER(), group, n, ranks)
MAKES_GROUP(Comm_group, (MPI_Comm comm, MPI_Group* made), (comm, made), )
MAKES_GROUP(Comm_remote_group, (MPI_Comm comm, MPI_Group* made), (comm, made), )
MAKES_GROUP(Win_get_group, (MPI_Win win, MPI_Group* made), (win, made), )
MAKES_GROUP(Group_incl, (MPI_Group group, int n, int const ranks[], MPI_Group* made), (group, n, ranks, made),
            CHECK_MEMBERS)
MAKES_GROUP(Group_excl, (MPI_Group group, int n, int const ranks[], MPI_Group* made), (group, n, ranks, made),
            CHECK_MEMBERS)
MAKES_GROUP(Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group* made), (group, n, ranges, made), )
MAKES_GROUP(Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group* made), (group, n, ranges, made), )
MAKES_GROUP(Group_union, (MPI_Group a, MPI_Group b, MPI_Group* made), (a, b, made), )
MAKES_GROUP(Group_intersection, (MPI_Group a, MPI_Group b, MPI_Group* made), (a, b, made), )
MAKES_GROUP(Group_difference, (MPI_Group a, MPI_Group b, MPI_Group* made), (a, b, made), )
FREES(a_group, Group_free, MPI_Group, MPI_GROUP_NULL, "group")

RECORDER_API int MPI_Group_translate_ranks(MPI_Group from, int n, int const ranks[], MPI_Group to, int found[]) {
    ENTER;
    check_translated("MPI_Group_translate_ranks", CALLER(), from, n, ranks);
    return PROGRAMS(PMPI_Group_translate_ranks(from, n, ranks, to, found));
}
