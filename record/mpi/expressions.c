// What programs say with <matchpoint/mpi.h>: variables whose values are expressions over what was received, assumptions
// about them, and assertions. A variable stores the number of its expression after its value. The header maintains it,
// and tells us when the lifetime of a variable begins and ends, so that we find it by the address of a buffer.
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matchpoint/recorder.h"

// Expressions are written down once and have numbers: `let 7 (+ x3 v5)`. In a number the lowest bit tells what was
// received (x) from what was computed (v); 0 is not an expression, and the value is what it is.
static unsigned expressions;

// Addresses of variables, and of the expression numbers that they hold.
static struct entry {
    void const* address; // null if free
    uint32_t* expression;
} * table;
static size_t capacity, used; // a power of two

static size_t slot(void const* address) {
    size_t at = ((uintptr_t)address * 0x9E3779B97F4A7C15U >> 20) & (capacity - 1);
    while (table[at].address != NULL && table[at].address != address) at = (at + 1) & (capacity - 1);
    return at;
}

RECORDER_API void matchpoint_enter(void const* address, uint32_t* expression) {
    ENTER;
    if (2 * used >= capacity) {
        size_t const old_capacity = capacity;
        struct entry* const old = table;
        capacity = capacity == 0 ? 64 : 2 * capacity;
        table = allocate(capacity * sizeof *table);
        for (size_t i = 0; i < old_capacity; ++i)
            if (old[i].address != NULL) table[slot(old[i].address)] = old[i];
        free(old);
    }
    size_t const at = slot(address);
    if (table[at].address == NULL) ++used;
    table[at] = (struct entry){address, expression};
}

RECORDER_API void matchpoint_leave(void const* address) {
    ENTER;
    if (capacity == 0) return;
    size_t at = slot(address);
    if (table[at].address == NULL) return;
    // Those after it may move to where it was.
    table[at].address = NULL;
    --used;
    for (size_t next = (at + 1) & (capacity - 1); table[next].address != NULL; next = (next + 1) & (capacity - 1)) {
        struct entry const moved = table[next];
        table[next].address = NULL;
        table[slot(moved.address)] = moved;
    }
}

static uint32_t* expression_at(void const* address) {
    if (capacity == 0 || address == NULL) return NULL;
    struct entry const* const e = &table[slot(address)];
    return e->address != NULL ? e->expression : NULL;
}

static void print_name(char* text, size_t size, uint32_t expression) {
    snprintf(text, size, "%c%u", (expression & 1) != 0 ? 'x' : 'v', (unsigned)(expression >> 1));
}

static void add_name(uint32_t expression) {
    char name[16];
    print_name(name, sizeof name, expression);
    add_text(name);
}

static void add_operand(struct matchpoint_operand o) {
    if (o.expression != 0)
        add_name(o.expression);
    else
        add_number(o.value);
}

void print_value(char* text, size_t size, void const* buffer, MPI_Datatype type) {
    uint32_t const* const expression = expression_at(buffer);
    if (expression != NULL && *expression != 0)
        print_name(text, size, *expression);
    else
        snprintf(text, size, "%s%lld", expression != NULL ? "=" : "", (long long)value_of(buffer, 1, type));
}

void add_value(void const* buffer, int count, MPI_Datatype type) {
    if (count != 1 || expression_at(buffer) == NULL) {
        add_number(value_of(buffer, count, type));
        return;
    }
    char text[32];
    print_value(text, sizeof text, buffer, type);
    add_text(text);
}

void received_into(void const* buffer, unsigned number) {
    uint32_t* const expression = expression_at(buffer);
    if (expression != NULL) *expression = number << 1 | 1;
}

void overwritten(void const* buffer) {
    uint32_t* const expression = expression_at(buffer);
    if (expression != NULL) *expression = 0;
}

RECORDER_API uint32_t matchpoint_compute(char const* operator, struct matchpoint_operand a,
                                         struct matchpoint_operand b) {
    ENTER;
    if (!is_recording()) return 0;
    ++expressions;
    begin_line_of(an_aside, "let");
    add_number(expressions);
    add_text(operator);
    add_operand(a);
    add_operand(b);
    end_line();
    return expressions << 1;
}

static void add_truth(char const* word, uint32_t expression, bool truth, unsigned place) {
    begin_line(word);
    add_number(place);
    add_number(truth);
    if (expression != 0)
        add_name(expression);
    else
        add_text("-");
    end_line();
}

RECORDER_API void matchpoint_branch(uint32_t expression, int truth) {
    ENTER;
    if (is_recording() && expression != 0) add_truth("assume", expression, truth != 0, CALLER());
}

unsigned get_is_pending_at, posted_windows;

RECORDER_API void matchpoint_claim(uint32_t expression, int truth, char const* file, int line) {
    ENTER;
    if (!is_recording()) return;
    unsigned const place = place_in_source(file, line);
    if (get_is_pending_at != 0)
        not_modelled("MATCHPOINT_ASSERT", place,
                     "it is evaluated while a get is pending: whether it reads what has not come yet is not seen");
    if (posted_windows != 0)
        not_modelled("MATCHPOINT_ASSERT", place,
                     "it is evaluated between MPI_Win_post and MPI_Win_wait: whether it reads the window is not seen");
    add_truth("assert", expression, truth != 0, place);
}
