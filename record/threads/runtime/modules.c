// Object files: which memory of them nobody writes, and which ones the pass has compiled.
#define _GNU_SOURCE
#include "state.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { most_ranges = 2048, most_modules = 512, name_size = 512 };

static struct range { uintptr_t begin, end; } ranges[most_ranges];
static size_t range_count;

static struct module {
    uintptr_t begin, end;
    bool is_compiled;
    char path[name_size];
} modules[most_modules];
static size_t module_count;

static int compare(void const* a, void const* b) {
    uintptr_t const x = ((struct range const*)a)->begin, y = ((struct range const*)b)->begin;
    return x < y ? -1 : x > y;
}

/// Finds what is not written in an object file: its code, and what the loader protects when it has filled it in.
static int add_module(struct dl_phdr_info* info, size_t size, void* data) {
    (void)size;
    (void)data;
    if (module_count == most_modules) return 0;
    struct module* const m = &modules[module_count++];
    *m = (struct module){.begin = UINTPTR_MAX};
    char const* const name = info->dlpi_name;
    if (name == NULL || *name == '\0') {
        ssize_t const length = readlink("/proc/self/exe", m->path, name_size - 1);
        m->path[length < 0 ? 0 : length] = '\0';
    } else {
        strncpy(m->path, name, name_size - 1);
    }
    for (size_t i = 0; i < info->dlpi_phnum; ++i) {
        ElfW(Phdr) const* const part = &info->dlpi_phdr[i];
        uintptr_t const begin = info->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type == PT_LOAD && begin < m->begin) m->begin = begin;
        if (part->p_type == PT_LOAD && end > m->end) m->end = end;
        bool const is_read_only =
            part->p_type == PT_GNU_RELRO || (part->p_type == PT_LOAD && (part->p_flags & PF_W) == 0);
        if (is_read_only && range_count < most_ranges) ranges[range_count++] = (struct range){begin, end};
    }
    return 0;
}

bool is_read_only(uintptr_t address) {
    size_t low = 0, high = range_count;
    while (low < high) {
        size_t const middle = (low + high) / 2;
        if (ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < range_count && ranges[low].begin <= address;
}

static void write_module(struct module const* m) {
    uint8_t* const begin = begin_record(name_size + 64);
    if (begin == NULL) return;
    uint8_t* at = put_text(begin + 1, m->path);
    at = put_u(put_u(at, m->begin), m->end - m->begin);
    *at++ = m->is_compiled;
    end_record(begin, matchpoint_module, at);
}

void write_modules(void) {
    dl_iterate_phdr(add_module, NULL);
    qsort(ranges, range_count, sizeof *ranges, compare);
    for (size_t i = 0; i < module_count; ++i) write_module(&modules[i]);
}

struct site* site_of_call(uintptr_t address) {
    enum { at_once = 256, name = 24 };
    struct named {
        struct site site;
        char function[name];
    };
    static struct named* fresh;
    static size_t left;
    for (size_t i = 0; i < module_count; ++i) {
        struct module* const m = &modules[i];
        if (!m->is_compiled || address <= m->begin || address > m->end) continue;
        if (left == 0) {
            fresh = own_memory(at_once * sizeof *fresh);
            left = at_once;
        }
        struct named* const made = &fresh[--left];
        snprintf(made->function, sizeof made->function, "+%#zx", (size_t)(address - 1 - m->begin));
        made->site = (struct site){m->path, made->function, 0, 0, 0, 0};
        return &made->site;
    }
    return NULL;
}

void note_compiled(uintptr_t address) {
    for (size_t i = 0; i < module_count; ++i) {
        struct module* const m = &modules[i];
        if (m->is_compiled || address < m->begin || address >= m->end) continue;
        m->is_compiled = true;
        write_module(m);
    }
}

void __matchpoint_begin_module(void const* address) {
    if (!enter()) return;
    note_compiled((uintptr_t)address);
    leave();
}

static void write_variable(void const* address, uint64_t size, char const* name, char const* type) {
    uint8_t* const begin = begin_record(2 * max_text + 64);
    if (begin != NULL) {
        uint8_t* const at = put_u(put_u(begin + 1, (uintptr_t)address), size);
        end_record(begin, matchpoint_global, put_text(put_text(at, name), type));
    }
}

void __matchpoint_global(void const* address, uint64_t size, char const* name, char const* type) {
    if (!enter()) return;
    write_variable(address, size, name, type);
    leave();
}

/// A loop that creates threads says so again and again.
void __matchpoint_local(void const* address, uint64_t size, char const* name, char const* type) {
    enum { remembered = 64 };
    static __thread struct {
        void const* address;
        char const* name;
    } said[remembered] __attribute__((tls_model("initial-exec")));
    if (!enter()) return;
    unsigned const at = ((uintptr_t)address / 8) % remembered;
    if (said[at].address != address || said[at].name != name) write_variable(address, size, name, type);
    said[at].address = address;
    said[at].name = name;
    leave();
}
