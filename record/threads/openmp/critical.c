#include "critical.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { names = 4096 };

pthread_mutex_t* __matchpoint_mutex_of(void const* name) {
    static struct {
        _Atomic(void const*) name;
        pthread_mutex_t mutex;
    } known[names]; // zeros are mutexes, too
    // The addresses of two names differ by 32 at least. So the same place is free in every run, as long as a program
    // does not have thousands of names.
    uintptr_t const first = (uintptr_t)name / 32;
    for (uintptr_t i = 0; i < names; ++i) {
        void const* expected = NULL;
        uintptr_t const at = (first + i) % names;
        if (atomic_compare_exchange_strong(&known[at].name, &expected, name) || expected == name)
            return &known[at].mutex;
    }
    abort();
}
