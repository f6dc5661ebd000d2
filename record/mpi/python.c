// Where a Python program calls MPI. The interpreter knows; it is asked if there is one in the process, and if it
// executes a program in this thread. Nothing of it is needed to build the recorder.
//
// The interpreter may be asked only under its lock, which mpi4py gives back for the time of a call. It takes the lock
// again when the call returns: what would hold that up holds up the program without the recorder, too.
#define _GNU_SOURCE
#include "output.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/// Functions of the interpreter, all of which are there, or the first is null; `is_finalizing` has two names. Objects
/// are void* here.
static struct interpreter {
    int (*is_initialized)(void);
    int (*is_finalizing)(void);
    void* (*state_of_thread)(void); // null if no Python program is executed in it
    int (*lock)(void);
    void (*unlock)(int);
    void (*take_error)(void**, void**, void**);
    void (*give_error_back)(void*, void*, void*);
    void* (*frame)(void); // not counted as a reference
    int (*line)(void*);
    void* (*attribute)(void*, char const*);
    char const* (*text)(void*);
    void (*forget)(void*);
} python;

static bool find(void* function, char const* name) {
    void* const found = dlsym(RTLD_DEFAULT, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void find_interpreter(void) {
    if (!find(&python.is_finalizing, "Py_IsFinalizing")) find(&python.is_finalizing, "_Py_IsFinalizing");
    bool const is_there = find(&python.state_of_thread, "PyGILState_GetThisThreadState") &&
                          find(&python.lock, "PyGILState_Ensure") && find(&python.unlock, "PyGILState_Release") &&
                          find(&python.take_error, "PyErr_Fetch") && find(&python.give_error_back, "PyErr_Restore") &&
                          find(&python.frame, "PyEval_GetFrame") && find(&python.line, "PyFrame_GetLineNumber") &&
                          find(&python.attribute, "PyObject_GetAttrString") && find(&python.text, "PyUnicode_AsUTF8") &&
                          find(&python.forget, "Py_DecRef");
    if (is_there) find(&python.is_initialized, "Py_IsInitialized");
}

/// A name that lives on. Few files call MPI.
static char const* kept(char const* name) {
    static struct file {
        char* name;
        struct file* next;
    } * files;
    for (struct file const* f = files; f != NULL; f = f->next)
        if (strcmp(f->name, name) == 0) return f->name;
    struct file* const f = allocate(sizeof *f);
    *f = (struct file){strdup(name), files};
    files = f;
    return f->name;
}

/// The file of a frame; null if it is not a frame.
static char const* file_of(void* frame) {
    void* const code = python.attribute(frame, "f_code");
    void* const name = code == NULL ? NULL : python.attribute(code, "co_filename");
    char const* const text = name == NULL ? NULL : python.text(name);
    char const* const file = text == NULL ? NULL : kept(text);
    if (name != NULL) python.forget(name);
    if (code != NULL) python.forget(code);
    return file;
}

/// The innermost frame that has a file: an import has some that have none.
static unsigned place_of_frame(void* frame) {
    char const* file = file_of(frame);
    void* owned = NULL;
    while (file != NULL && strncmp(file, "<frozen ", 8) == 0) {
        frame = python.attribute(frame, "f_back");
        if (owned != NULL) python.forget(owned);
        owned = frame;
        file = frame == NULL ? NULL : file_of(frame); // that of the outermost is None
    }
    unsigned const place = file == NULL ? 0 : place_in_source(file, python.line(frame));
    if (owned != NULL) python.forget(owned);
    return place;
}

unsigned place_in_python(void) {
    static bool has_looked;
    if (!has_looked) find_interpreter();
    has_looked = true;
    if (python.is_initialized == NULL || !python.is_initialized()) return 0;
    // A thread that takes the lock of an interpreter that is about to end may be ended.
    if (python.is_finalizing != NULL && python.is_finalizing()) return 0;
    if (python.state_of_thread() == NULL) return 0;
    // Who has the turn never waits for the interpreter, or who waits for the turn could be the one that it waits for.
    bool const has_turn = give_up_turn();
    int const before = python.lock();
    if (has_turn) take_turn();
    void *kind = NULL, *error = NULL, *trace = NULL;
    python.take_error(&kind, &error, &trace);
    void* const frame = python.frame();
    unsigned const place = frame == NULL ? 0 : place_of_frame(frame);
    python.give_error_back(kind, error, trace); // also instead of one that we have made
    python.unlock(before);
    return place;
}
