// Calls with unusual arguments: null, empty, inactive, MPI_PROC_NULL, ignored, in place, of size zero, freed,
// cancelled, refused. What a program sees of them has to be the same with the recorder as without it. Two ranks; each
// writes what it sees into the file ARGUMENT-RANK, a line for each case. Nothing of it depends on time.
//
// tests/mpi/harm.py demands that the program calls every function of mpi.h that the recorder has. What a library itself
// cannot do is left out for it.
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
enum { most = 20, untouched = 77, far = 99 }; // no rank is so far

extern int rank, other, tag; // the number of the case is its tag
extern MPI_Comm comm;        // a duplicate of MPI_COMM_WORLD
extern MPI_Request q[most];
extern MPI_Status s[most];
extern int flag, n, index_, at[most], out[most], in[most];

void say(char const* format, ...) __attribute__((format(printf, 1, 2)));
/// The class of what a call returned.
int code(int error);
void status(MPI_Status const* of);
void cancelled(MPI_Status const* of);
/// Before each case.
void wipe(void);
/// Which handles are null, and what came.
void requests(int size);
void received(int size);

enum how { wait, test, waitall, testall, waitany, testany, waitsome, testsome, ways };
/// Completes the first requests in one way, until none is left; `ignores`: statuses. What becomes known in which order
/// depends on time: a sum does not.
void complete(enum how how, int size, int ignores, int shows);

// What a library itself cannot do: it crashes, or waits for ever.
#ifdef OPEN_MPI
#define NOT_IN_OPEN_MPI(...)
#define NOT_IN_MPICH(...) __VA_ARGS__
#else
#define NOT_IN_OPEN_MPI(...) __VA_ARGS__
#define NOT_IN_MPICH(...)
#endif

/// A case has a name, and writes a line.
struct section {
    char const* name;
    void (*run)(void);
};
// Each ends with a null.
extern struct section const of_messages[], of_collectives[], of_neighbours[], of_communicators[], of_handles[],
    of_windows[], of_pointers[], of_later[];
void completions(void);
