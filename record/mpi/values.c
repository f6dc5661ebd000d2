// What messages carry. The trace language has integers: the first element of a buffer of integers stands for its
// message, and a hash stands for everything else. Programs that include <matchpoint/mpi.h> can have expressions instead
// (expressions.c).
#include "values.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash(void const* data, size_t size) {
    unsigned char const* const bytes = data;
    uint64_t h = 14695981039346656037U; // FNV-1a
    for (size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * 1099511628211U;
    return (h ^ h >> 32) & 0xFFFFFFFFU;
}

/// The size of an integer of Fortran, which its compiler's options choose; 0 of another type.
static int size_in_fortran(MPI_Datatype type) {
    MPI_Datatype const integers[] = {
        MPI_INTEGER,  MPI_LOGICAL,
#ifdef MPI_INTEGER8 // a library need not have these, or they are null
        MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8,
#endif
    };
    int size = 0;
    for (size_t i = 0; i < sizeof integers / sizeof *integers && size == 0; ++i)
        if (integers[i] == type && type != MPI_DATATYPE_NULL) PMPI_Type_size(type, &size);
    return size;
}

int integer_size(MPI_Datatype type) {
    if (type == MPI_INT || type == MPI_INT32_T) return -4;
    if (type == MPI_CHAR || type == MPI_SIGNED_CHAR || type == MPI_INT8_T) return -1;
    if (type == MPI_BYTE || type == MPI_UNSIGNED_CHAR || type == MPI_UINT8_T || type == MPI_C_BOOL) return 1;
    if (type == MPI_SHORT || type == MPI_INT16_T) return -2;
    if (type == MPI_UNSIGNED_SHORT || type == MPI_UINT16_T) return 2;
    if (type == MPI_UNSIGNED || type == MPI_UINT32_T) return 4;
    if (type == MPI_LONG) return -(int)sizeof(long);
    if (type == MPI_UNSIGNED_LONG) return sizeof(unsigned long);
    if (type == MPI_LONG_LONG || type == MPI_LONG_LONG_INT || type == MPI_INT64_T || type == MPI_AINT) return -8;
    if (type == MPI_UNSIGNED_LONG_LONG || type == MPI_UINT64_T) return 8;
    if (type == MPI_COUNT || type == MPI_OFFSET) return -8;
    return -size_in_fortran(type);
}

/// An integer of the size that `integer_size` gives.
static int64_t integer_at(void const* buffer, int size) {
    union {
        int8_t i1;
        uint8_t u1;
        int16_t i2;
        uint16_t u2;
        int32_t i4;
        uint32_t u4;
        int64_t i8;
    } n;
    memcpy(&n, buffer, (size_t)abs(size));
    switch (size) {
    case -1: return n.i1;
    case 1: return n.u1;
    case -2: return n.i2;
    case 2: return n.u2;
    case -4: return n.i4;
    case 4: return n.u4;
    case -8: return n.i8;
    case 8: return n.i8; // beyond 2^63: as the signed one
    default: return 0;
    }
}

int packed_size(int count, MPI_Datatype type) {
    int size = 0, at = 0;
    if (ASKING(PMPI_Pack(&size, 0, type, &size, 0, &at, MPI_COMM_SELF)) != MPI_SUCCESS) return -1; // not committed
    return ASKING(PMPI_Pack_size(count, type, MPI_COMM_SELF, &size)) == MPI_SUCCESS ? size : -1;
}

/// A hash of the elements if they are contiguous, otherwise of what the library packs.
static int64_t hash_of(void const* buffer, int count, MPI_Datatype type) {
    int size = 0;
    MPI_Aint low = 0, extent = 0, first = 0, length = 0;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &low, &extent);
    PMPI_Type_get_true_extent(type, &first, &length);
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    bool const is_dense = combiner == MPI_COMBINER_NAMED && low == 0 && extent == size;
    int packed = 0, at = 0;
    if (!is_dense && (packed = packed_size(count, type)) < 0) return 0;
    char* const data = is_dense ? NULL : allocate((size_t)packed);
    begin_reading((char const*)buffer + first, (size_t)((count - 1) * extent + length));
    if (!is_dense) ASKING(PMPI_Pack(buffer, count, type, data, packed, &at, MPI_COMM_SELF));
    int64_t const value = (int64_t)(is_dense ? hash(buffer, (size_t)size * (size_t)count) : hash(data, (size_t)at));
    end_reading();
    free(data);
    return value;
}

int64_t value_of(void const* buffer, int count, MPI_Datatype type) {
    if (count <= 0 || buffer == NULL) return 0;
    int const size = integer_size(type);
    bool const is_opaque = type == MPI_BYTE && count > 1; // objects, packed by the program: the first byte says nothing
    if (size == 0 || is_opaque) return hash_of(buffer, count, type);
    begin_reading(buffer, sizeof(int64_t));
    int64_t const n = integer_at(buffer, size);
    end_reading();
    return n;
}

static MPI_Datatype only_basic_type(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED) return type;
    if (types == 0) return MPI_DATATYPE_NULL;
    int* const numbers = allocate((size_t)integers * sizeof(int));
    MPI_Aint* const displacements = allocate((size_t)addresses * sizeof(MPI_Aint));
    MPI_Datatype* const parts = allocate((size_t)types * sizeof(MPI_Datatype));
    PMPI_Type_get_contents(type, integers, addresses, types, numbers, displacements, parts);
    MPI_Datatype result = MPI_DATATYPE_NULL;
    bool is_only = true;
    int const n = types;
    for (int i = 0; i < n; ++i) {
        MPI_Datatype const basic = only_basic_type(parts[i]);
        is_only = is_only && basic != MPI_DATATYPE_NULL && (i == 0 || basic == result);
        result = basic;
        PMPI_Type_get_envelope(parts[i], &integers, &addresses, &types, &combiner);
        if (combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&parts[i]); // these are new handles
    }
    free(numbers);
    free(displacements);
    free(parts);
    return is_only ? result : MPI_DATATYPE_NULL;
}

MPI_Datatype basic_type(MPI_Datatype type, int* elements) {
    MPI_Datatype const basic = only_basic_type(type);
    int size = 0, of_basic = 0;
    if (basic != MPI_DATATYPE_NULL) {
        PMPI_Type_size(type, &size);
        PMPI_Type_size(basic, &of_basic);
    }
    *elements = of_basic > 0 ? size / of_basic : 1;
    return basic;
}

char const* name_of_reduction(MPI_Op op) {
    struct known {
        MPI_Op op;
        char const* name;
    };
    struct known const known[] = {{MPI_MAX, "MPI_MAX"},   {MPI_MIN, "MPI_MIN"},       {MPI_SUM, "MPI_SUM"},
                                  {MPI_PROD, "MPI_PROD"}, {MPI_LAND, "MPI_LAND"},     {MPI_BAND, "MPI_BAND"},
                                  {MPI_LOR, "MPI_LOR"},   {MPI_BOR, "MPI_BOR"},       {MPI_LXOR, "MPI_LXOR"},
                                  {MPI_BXOR, "MPI_BXOR"}, {MPI_MINLOC, "MPI_MINLOC"}, {MPI_MAXLOC, "MPI_MAXLOC"}};
    if (op == MPI_OP_NULL) return NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (known[i].op == op) return known[i].name;
    return "user";
}

char const* name_of_operation(MPI_Op op) {
    if (op == MPI_SUM) return "+";
    if (op == MPI_PROD) return "*";
    if (op == MPI_MIN) return "min";
    if (op == MPI_MAX) return "max";
    if (op == MPI_REPLACE) return "replace";
    return op == MPI_NO_OP ? "no-op" : NULL;
}
