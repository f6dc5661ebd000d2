// What this rank sees the program do wrong while the run goes on. The file has each once: for its kind, function and
// places. record/findings.hpp says what else is found, and puts all of it into words.
#include "output.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { chains = 256 };

/// False if it has been said before. Memory: one element for each place of the program, kind and function.
static bool is_new(char const* kind, char const* function, unsigned place, unsigned other) {
    static struct said {
        char const *kind, *function;
        unsigned place, other;
        struct said* next;
    } * before[chains];
    struct said** const chain = &before[(place * 31 + other) % chains];
    for (struct said const* s = *chain; s != NULL; s = s->next)
        if (s->place == place && s->other == other && strcmp(s->kind, kind) == 0 && strcmp(s->function, function) == 0)
            return false;
    struct said* const s = allocate(sizeof *s);
    *s = (struct said){kind, function, place, other, *chain};
    *chain = s;
    return true;
}

void finding(char const* kind, char const* function, unsigned place, unsigned other, char const* format, ...) {
    if (!is_recording() || !is_new(kind, function, place, other)) return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    begin_line_of(a_note, "found");
    add_text(kind);
    add_number(place);
    add_number(other);
    add_text(function);
    add_text(text); // to the end of the line
    end_line();
}
