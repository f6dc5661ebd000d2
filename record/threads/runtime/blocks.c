// Memory that is allocated and freed. The C library's own functions do it.
#define _GNU_SOURCE
#include "objects.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t n, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* block);

static uint64_t order; // of all blocks

static void write_alloc(void const* block, size_t size) {
    uint32_t const place = place_of_call();
    begin_block((uintptr_t)block, size);
    uint8_t* const begin = begin_record(64);
    if (begin == NULL) return;
    uint8_t* at = put_u(begin + 1, __atomic_add_fetch(&order, 1, __ATOMIC_RELAXED));
    at = put_u(put_u(at, place), (uintptr_t)block);
    end_record(begin, matchpoint_alloc, put_u(at, size));
}

static void write_free(void const* block) {
    uint32_t const place = place_of_call();
    uint8_t* const begin = begin_record(64);
    if (begin == NULL) return;
    uint8_t* const at = put_u(begin + 1, __atomic_add_fetch(&order, 1, __ATOMIC_RELAXED));
    end_record(begin, matchpoint_free, put_u(put_u(at, place), (uintptr_t)block));
}

static void* allocated(void* block, size_t size) {
    if (block == NULL || !enter()) return block;
    write_alloc(block, size);
    leave();
    return block;
}

EXPORT void* malloc(size_t size) { return allocated(__libc_malloc(size), size); }
EXPORT void* calloc(size_t n, size_t size) { return allocated(__libc_calloc(n, size), n * size); }
EXPORT void* memalign(size_t alignment, size_t size) { return allocated(__libc_memalign(alignment, size), size); }
EXPORT void* aligned_alloc(size_t alignment, size_t size) { return allocated(__libc_memalign(alignment, size), size); }

EXPORT int posix_memalign(void** block, size_t alignment, size_t size) {
    if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
    int const before = errno;
    void* const made = __libc_memalign(alignment, size);
    errno = before;
    if (made == NULL) return ENOMEM;
    *block = allocated(made, size);
    return 0;
}

EXPORT void free(void* block) {
    if (block != NULL && enter()) {
        if (end_block((uintptr_t)block)) write_free(block);
        leave();
    }
    __libc_free(block);
}

/// A recorded block moves: what is in it is copied as the program would.
EXPORT void* realloc(void* block, size_t size) {
    if (block == NULL) return malloc(size);
    if (!self.writes || self.inside != 0 || size == 0) {
        if (size == 0) {
            free(block);
            return NULL;
        }
        return __libc_realloc(block, size);
    }
    size_t const before = malloc_usable_size(block);
    void* const made = malloc(size);
    if (made == NULL) return NULL;
    __matchpoint_copy(__matchpoint_passed.site, made, block, before < size ? before : size);
    free(block);
    return made;
}

EXPORT void* reallocarray(void* block, size_t n, size_t size) {
    size_t all;
    if (!__builtin_mul_overflow(n, size, &all)) return realloc(block, all);
    errno = ENOMEM;
    return NULL;
}
