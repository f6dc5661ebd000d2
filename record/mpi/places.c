// Where calls come from: an object file and an offset in it, which the reader of the recording turns into a line of
// source.
#define _GNU_SOURCE
#include "output.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// Programs have few places that call MPI, and call it there often: an open table, at most half full.
static struct entry {
    void const* address; // of code, or of the name of a file; null if free
    int line;            // 0 for code
    unsigned number;
    bool is_in_bindings; // the place is that of their caller
} * table;
static size_t capacity; // a power of two
static size_t used;
static unsigned places;

static char const** objects;
static unsigned object_count;

static unsigned object_number(char const* path) {
    for (unsigned i = 0; i < object_count; ++i)
        if (strcmp(objects[i], path) == 0) return i + 1;
    char const** const more = allocate((object_count + 1) * sizeof *objects);
    for (unsigned i = 0; i < object_count; ++i) more[i] = objects[i];
    free(objects);
    objects = more;
    objects[object_count++] = strdup(path);
    begin_line_of(a_note, "object");
    add_number(object_count);
    add_text(path); // to the end of the line
    end_line();
    return object_count;
}

static struct entry* find(void const* address, int line) {
    size_t at = (((uintptr_t)address + (uintptr_t)line) * 0x9E3779B97F4A7C15U >> 20) & (capacity - 1);
    while (table[at].address != NULL && (table[at].address != address || table[at].line != line))
        at = (at + 1) & (capacity - 1);
    return &table[at];
}

static void grow(void) {
    size_t const old_capacity = capacity;
    struct entry* const old = table;
    capacity = capacity == 0 ? 64 : 2 * capacity;
    table = allocate(capacity * sizeof *table);
    for (size_t i = 0; i < old_capacity; ++i)
        if (old[i].address != NULL) *find(old[i].address, old[i].line) = old[i];
    free(old);
}

/// The call is before the address that it returns to.
static unsigned describe(void const* return_address) {
    Dl_info info;
    if (dladdr(return_address, &info) == 0 || info.dli_fname == NULL) return 0;
    char* const whole = realpath(info.dli_fname, NULL); // that of the program can be relative
    unsigned const object = object_number(whole != NULL ? whole : info.dli_fname);
    free(whole);
    begin_line_of(a_note, "place");
    add_number(++places);
    add_number(object);
    add_hexadecimal((uintptr_t)return_address - 1 - (uintptr_t)info.dli_fbase);
    end_line();
    return is_full() ? 0 : places;
}

static struct entry* find_or_make_room(void const* address, int line) {
    if (2 * used >= capacity) grow();
    return find(address, line);
}

static void keep(struct entry* e, struct entry new) {
    *e = new;
    ++used;
}

unsigned place_of(void const* return_address) {
    if (!is_recording()) return 0;
    unsigned const in_python = place_in_python();
    if (in_python != 0 || return_address == NULL) return in_python;
    struct entry* const e = find_or_make_room(return_address, 0);
    if (e->address == NULL) lead_bindings_here();
    if (e->address == NULL && is_in_bindings(return_address))
        keep(e, (struct entry){.address = return_address, .is_in_bindings = true});
    if (e->is_in_bindings) return place_of(caller_of_bindings(return_address));
    if (e->address != NULL) return e->number;
    unsigned const number = describe(return_address);
    if (number != 0) keep(e, (struct entry){return_address, 0, number, false});
    return number;
}

unsigned place_in_source(char const* file, int line) {
    struct entry* const e = find_or_make_room(file, line);
    if (e->address != NULL) return e->number;
    lead_bindings_here();
    keep(e, (struct entry){file, line, ++places, false});
    begin_line_of(a_note, "source");
    add_number(places);
    add_number(line);
    add_text(file); // to the end of the line
    end_line();
    return places;
}
