// The recorder sits between an MPI program and its MPI library: it defines the MPI_ functions that communicate, writes
// down each call, and calls the PMPI_ function of the same name. Its files are in layers, from the lowest one. A layer
// has one header, which includes that of the layer below; a file includes the header of its own layer.
// tests/architecture.py checks this.
//
//   output.h     log.c                  the file of this rank, and what is noted there
//                threads.c              whose turn it is, and which calls have an order
//                lives.c                threads that call: where they begin, end, and wait for each other
//                crashes.c              whose fault it is that a rank dies
//                errors.c               errors of the library
//                places.c               where calls come from
//                bindings.c             the same of Fortran, whose calls it leads here
//                python.c               the same of Python
//                findings.c             what the program does wrong
//   values.h     handles.c              which handles stand for something
//                values.c               what a message carries, as a number
//                types.c                what elements types have
//                expressions.c          as an expression: what programs say with <matchpoint/mpi.h>
//   tables.h     communicators.c        names that all ranks agree on, and ranks of MPI_COMM_WORLD
//                objects.c              what the program has made and has to free
//                requests.c             what is issued and not yet complete
//                buffers.c              memory of what is pending
//                parts.c                the buffers of collective calls
//                schedule.c             replay: which message each receive takes
//   calls.h      calls.c                what calls write into the file
//                polls.c                tests of requests
//                arguments.c            what no call may be given
//                memory.c               windows, and what they hold
//                flushes.c              what is on its way there, and comes with a flush
//                epochs.c               epochs of windows: what is done outside of one, and begun or ended wrongly
//                accesses.c             buffers of accesses that are not complete
//   recorder.h   session.c              MPI_Init to MPI_Finalize
//                messages.c             sends and receives
//                completions.c          waits and tests
//                probes.c               probes
//                collectives.c          collective calls
//                communicator_calls.c   calls that make communicators
//                made.c                 calls that make and free types, groups and operations
//                windows.c              one-sided communication: windows and accesses
//                synchronisation.c      the same: epochs, locks, fences, flushes
//                unmodelled.c           what the trace language has no words for
//                named.c                the same, of functions that not every library has
//
// The files of the last layer define the MPI_ functions, and do not call each other.
//
// docs/formats.md has the grammar of the file. All functions but those of the last layer are for the thread that has
// its turn (threads.c): ENTER takes it, and PROGRAMS gives it up for the time of a call of the library. What a function
// has looked up before such a call is still there after it.
#pragma once

#include "calls.h"
