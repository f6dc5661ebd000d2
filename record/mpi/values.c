// What messages carry. The trace language has integers: the first element of a buffer of integers stands for its message,
// and a hash stands for everything else. Programs that include <matchpoint/mpi.h> can have expressions instead
// (expressions.c).
#include "recorder.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash(void const* data, size_t size) {
    unsigned char const* const bytes = data;
    uint64_t h = 14695981039346656037U; // FNV-1a
    for (size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * 1099511628211U;
    return (h ^ h >> 32) & 0xFFFFFFFFU;
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
    return 0;
}

int64_t value_of(void const* buffer, int count, MPI_Datatype type) {
    if (count <= 0 || buffer == NULL) return 0;
    switch (integer_size(type)) {
    case -1: {
        int8_t n;
        memcpy(&n, buffer, sizeof n);
        return n;
    }
    case 1: {
        uint8_t n;
        memcpy(&n, buffer, sizeof n);
        return n;
    }
    case -2: {
        int16_t n;
        memcpy(&n, buffer, sizeof n);
        return n;
    }
    case 2: {
        uint16_t n;
        memcpy(&n, buffer, sizeof n);
        return n;
    }
    case -4: {
        int32_t n;
        memcpy(&n, buffer, sizeof n);
        return n;
    }
    case 4: {
        uint32_t n;
        memcpy(&n, buffer, sizeof n);
        return n;
    }
    case -8: {
        int64_t n;
        memcpy(&n, buffer, sizeof n);
        return n;
    }
    case 8: {
        uint64_t n;
        memcpy(&n, buffer, sizeof n);
        return (int64_t)n;
    } // beyond 2^63: as the signed one
    default: break;
    }
    int size = 0;
    MPI_Aint low = 0, extent = 0;
    PMPI_Type_size(type, &size);
    PMPI_Type_get_extent(type, &low, &extent);
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_NAMED && low == 0 && extent == size)
        return (int64_t)hash(buffer, (size_t)size * (size_t)count);
    int packed = 0, at = 0;
    PMPI_Pack_size(count, type, MPI_COMM_SELF, &packed);
    void* const data = allocate((size_t)packed);
    PMPI_Pack(buffer, count, type, data, packed, &at, MPI_COMM_SELF);
    int64_t const value = (int64_t)hash(data, (size_t)at);
    free(data);
    return value;
}
