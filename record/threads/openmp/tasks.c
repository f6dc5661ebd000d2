// Explicit tasks. A thread that waits at the end of a region, at a barrier or for tasks executes those that nobody has
// begun; which thread executes which task is a race for their queue.
#include "openmp.h"

#include <stdlib.h>
#include <string.h>

/// What the compiler knows of a task. What it shares follows, and before that what it has for itself.
struct compiled_task {
    void* shared;
    int32_t (*entry)(int32_t number, struct compiled_task*);
    int32_t part;
    void* unused[2];
};

static struct compiled_task* compiled(struct task* t) { return (struct compiled_task*)(t + 1); }
static struct task* task_of(struct compiled_task* c) { return (struct task*)c - 1; }

void begin_implicit_task(struct member* m) {
    m->own_task = (struct task){.references = 1};
    m->task = &m->own_task;
}

/// The task is over. Its memory goes once its children have no parent to look at, either.
static void is_over(struct team* team, struct task* t) {
    pthread_mutex_lock(&team->mutex);
    for (struct group* g = t->group; g != NULL; g = g->outer) --g->tasks;
    --t->parent->children;
    while (--t->references == 0) { // those of an implicit one never are: it has its own
        struct task* const parent = t->parent;
        free(t);
        t = parent;
    }
    pthread_cond_broadcast(&team->task_is_over);
    pthread_mutex_unlock(&team->mutex);
}

static void execute(struct member* m, struct task* t) {
    struct task* const before = m->task;
    struct group* const group = m->group;
    m->task = t;
    m->group = t->group;
    compiled(t)->entry(m->number, compiled(t));
    m->task = before;
    m->group = group;
    is_over(m->team, t);
}

static bool descends(struct task const* t, struct task const* from) {
    while (t != NULL && t != from) t = t->parent;
    return t != NULL;
}

/// Takes the task that was added last, of those that descend from another one if that is not null. Others might wait for
/// what the thread does only later. The mutex is held.
static struct task* take(struct team* team, struct task const* from) {
    struct task** at = &team->tasks;
    while (*at != NULL && from != NULL && !descends(*at, from)) at = &(*at)->next;
    struct task* const t = *at;
    if (t != NULL) *at = t->next;
    return t;
}

void execute_tasks(struct member* m) {
    if (m->team->size == 1 && m->task->children == 0) return;
    while (true) {
        pthread_mutex_lock(&m->team->mutex);
        struct task* const t = take(m->team, NULL);
        pthread_mutex_unlock(&m->team->mutex);
        if (t == NULL) return;
        execute(m, t);
    }
}

/// Executes tasks until none of these is left.
static void wait_for_tasks(struct member* m, unsigned const* left) {
    pthread_mutex_lock(&m->team->mutex);
    while (*left != 0) {
        struct task* const t = take(m->team, m->task);
        if (t == NULL) {
            pthread_cond_wait(&m->team->task_is_over, &m->team->mutex);
            continue;
        }
        pthread_mutex_unlock(&m->team->mutex);
        execute(m, t);
        pthread_mutex_lock(&m->team->mutex);
    }
    pthread_mutex_unlock(&m->team->mutex);
}

void* __kmpc_omp_task_alloc(void* place, int32_t number, int32_t flags, size_t size, size_t shared_size,
                            int32_t (*entry)(int32_t, struct compiled_task*)) {
    (void)place;
    (void)number;
    (void)flags;
    size_t const own = (size + 15) / 16 * 16;
    struct task* const t = calloc(1, sizeof *t + own + shared_size);
    if (t == NULL) abort();
    struct compiled_task* const c = compiled(t);
    c->shared = shared_size == 0 ? NULL : (char*)c + own;
    c->entry = entry;
    return c;
}

static void add_child(struct member* m, struct task* t) {
    *t = (struct task){.parent = m->task, .references = 1, .group = m->group};
    ++m->task->children;
    ++m->task->references;
    for (struct group* g = m->group; g != NULL; g = g->outer) ++g->tasks;
}

int32_t __kmpc_omp_task(void* place, int32_t number, struct compiled_task* c) {
    (void)place;
    (void)number;
    struct member* const m = member();
    struct task* const t = task_of(c);
    pthread_mutex_lock(&m->team->mutex);
    add_child(m, t);
    t->next = m->team->tasks;
    m->team->tasks = t;
    pthread_cond_broadcast(&m->team->task_is_over); // others may wait for one that they can execute
    pthread_mutex_unlock(&m->team->mutex);
    return 0;
}

// A task whose `if` is false: the compiler calls its function in between.
void __kmpc_omp_task_begin_if0(void* place, int32_t number, struct compiled_task* c) {
    (void)place;
    (void)number;
    struct member* const m = member();
    pthread_mutex_lock(&m->team->mutex);
    add_child(m, task_of(c));
    pthread_mutex_unlock(&m->team->mutex);
    m->task = task_of(c);
}
void __kmpc_omp_task_complete_if0(void* place, int32_t number, struct compiled_task* c) {
    (void)place;
    (void)number;
    struct member* const m = member();
    struct task* const t = task_of(c);
    m->task = t->parent;
    is_over(m->team, t);
}

int32_t __kmpc_omp_taskwait(void* place, int32_t number) {
    (void)place;
    (void)number;
    struct member* const m = member();
    wait_for_tasks(m, &m->task->children);
    return 0;
}

int32_t __kmpc_omp_taskyield(void* place, int32_t number, int32_t end) {
    (void)place;
    (void)number;
    (void)end;
    return 0;
}

void __kmpc_taskgroup(void* place, int32_t number) {
    (void)place;
    (void)number;
    struct member* const m = member();
    struct group* const g = calloc(1, sizeof *g);
    if (g == NULL) abort();
    g->outer = m->group;
    m->group = g;
}
void __kmpc_end_taskgroup(void* place, int32_t number) {
    (void)place;
    (void)number;
    struct member* const m = member();
    struct group* const g = m->group;
    wait_for_tasks(m, &g->tasks);
    m->group = g->outer;
    free(g);
}
