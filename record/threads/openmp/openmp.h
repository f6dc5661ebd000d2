// A runtime of OpenMP for programs whose threads are recorded: the functions that Clang 14 calls, and those of <omp.h>.
//
// It is compiled as the program is, with the pass. So all that it does with memory, mutexes and barriers is recorded:
// which thread gets a chunk, a task or a `single` is a race like others of the program. Its threads are created for
// each parallel region, and joined at its end: that orders what the region does and what the program does before and
// after.
//
// What it does not have, a program that needs it cannot be linked with: taskloop, cancellation, teams, targets, and
// loops that wait for iterations of others (doacross).
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { most_arguments = 64 };

/// A function that a parallel region has become: the numbers of its thread, and what it shares.
typedef void region(int32_t* number, int32_t* bound_number, ...);

/// An explicit task. The compiler's part of it follows, which may need as much alignment as malloc gives.
struct task {
    _Alignas(16) struct task* next; // in the queue
    struct task* parent;
    unsigned children;   // that are not over
    unsigned references; // its own while it is not over, and those of its children
    struct group* group; // taskgroup
    // A task can depend on others of its parent, and they on it:
    struct dependence* depends;
    int dependences;
    unsigned predecessors;        // that are not over
    struct successor* successors; // that wait for it
    struct task* dependent;       // of the parent: those that are not over, in a list
    struct task* next_dependent;
};

/// The tasks of a taskgroup that are not over, and those that they create.
struct group {
    struct group* outer;
    unsigned tasks;
};

/// A loop whose chunks threads take as they come.
struct loop {
    pthread_mutex_t mutex;
    uint64_t next, count; // of its iterations, from 0
    uint64_t chunk;
    bool is_guided;
    pthread_cond_t turn;
    uint64_t ordered; // the iteration whose `ordered` part comes next
    struct loop* after;
};

/// The threads of a parallel region.
struct team {
    int size;
    int level; // how many regions of more than one thread it is in
    region* code;
    int n;
    void* arguments[most_arguments];
    pthread_barrier_t barrier;
    pthread_mutex_t mutex; // of what follows
    unsigned singles;      // that a thread has done
    void* copied;          // copyprivate
    struct task* tasks;    // that nobody executes; the last one first
    pthread_cond_t task_is_over;
    struct loop* loops;
};

/// A thread of a team.
struct member {
    struct team* team;
    int number;
    struct member* outer;
    unsigned singles; // that it has reached
    struct loop* loop;
    int64_t lower, step; // of the loop
    uint64_t iteration;  // of the loop, that it executes
    bool was_ordered;    // its `ordered` part is over
    struct task* task;
    struct task own_task; // the implicit one
    struct group* group;
};

/// This thread in its team. Outside of parallel regions that is a team of one.
struct member* member(void);
/// Waits for all threads of the team, whose tasks are over then.
void wait_for_team(void);
/// Executes tasks until none is left that nobody executes.
void execute_tasks(struct member* m);
void begin_implicit_task(struct member* m);
