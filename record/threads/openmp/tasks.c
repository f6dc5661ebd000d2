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

// ---- dependences ----------------------------------------------------------------------------------------------------

/// As the compiler writes it.
struct dependence {
    intptr_t address;
    size_t size;
    uint8_t flags; // 1: in, 2: out, 4: mutexinoutset, which is taken as an out
};
enum { writes = 2 | 4 };

struct successor {
    struct task* task;
    struct successor* next;
};

static bool depend_on_each_other(struct dependence const* a, int n, struct dependence const* b, int m) {
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < m; ++k)
            if (a[i].address == b[k].address && ((a[i].flags | b[k].flags) & writes) != 0) return true;
    return false;
}

/// The mutex is held here, and in the next ones.
static void push(struct team* team, struct task* t) {
    t->next = team->tasks;
    team->tasks = t;
    pthread_cond_broadcast(&team->task_is_over); // others may wait for one that they can execute
}

/// Lets the task wait for those that its parent has created before.
static void find_predecessors(struct task* t) {
    for (struct task* s = t->parent->dependent; s != NULL; s = s->next_dependent) {
        if (!depend_on_each_other(s->depends, s->dependences, t->depends, t->dependences)) continue;
        struct successor* const link = malloc(sizeof *link);
        if (link == NULL) abort();
        *link = (struct successor){t, s->successors};
        s->successors = link;
        ++t->predecessors;
    }
    t->next_dependent = t->parent->dependent;
    t->parent->dependent = t;
}

static void release_successors(struct team* team, struct task* t) {
    struct task** at = &t->parent->dependent;
    while (*at != t) at = &(*at)->next_dependent;
    *at = t->next_dependent;
    for (struct successor *s = t->successors, *next; s != NULL; s = next) {
        next = s->next;
        if (--s->task->predecessors == 0) push(team, s->task);
        free(s);
    }
    free(t->depends);
}

// ---- the life of a task ---------------------------------------------------------------------------------------------

/// The task is over. Its memory goes once its children have no parent to look at, either.
static void is_over(struct team* team, struct task* t) {
    pthread_mutex_lock(&team->mutex);
    if (t->depends != NULL) release_successors(team, t);
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

/// Takes the task that was added last, of those that descend from another one if that is not null. Others might wait
/// for what the thread does only later. The mutex is held.
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

/// Executes a task of this one's, or waits until another thread has. The mutex is held before and after that.
static void go_on(struct member* m) {
    struct task* const t = take(m->team, m->task);
    if (t == NULL) {
        pthread_cond_wait(&m->team->task_is_over, &m->team->mutex);
        return;
    }
    pthread_mutex_unlock(&m->team->mutex);
    execute(m, t);
    pthread_mutex_lock(&m->team->mutex);
}

/// Executes tasks until none of these is left.
static void wait_for_tasks(struct member* m, unsigned const* left) {
    pthread_mutex_lock(&m->team->mutex);
    while (*left != 0) go_on(m);
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
    push(m->team, t);
    pthread_mutex_unlock(&m->team->mutex);
    return 0;
}

// The second list is empty (noalias).
int32_t __kmpc_omp_task_with_deps(void* place, int32_t number, struct compiled_task* c, int32_t n,
                                  struct dependence const* depends, int32_t more, void const* others) {
    (void)place;
    (void)number;
    (void)more;
    (void)others;
    struct member* const m = member();
    struct task* const t = task_of(c);
    struct dependence* const own = malloc((size_t)n * sizeof *own + 1);
    if (own == NULL) abort();
    for (int i = 0; i < n; ++i) own[i] = depends[i];
    pthread_mutex_lock(&m->team->mutex);
    add_child(m, t);
    t->depends = own;
    t->dependences = n;
    find_predecessors(t);
    if (t->predecessors == 0) push(m->team, t);
    pthread_mutex_unlock(&m->team->mutex);
    return 0;
}

/// Waits for those children that what comes next depends on.
void __kmpc_omp_wait_deps(void* place, int32_t number, int32_t n, struct dependence const* depends, int32_t more,
                          void const* others) {
    (void)place;
    (void)number;
    (void)more;
    (void)others;
    struct member* const m = member();
    pthread_mutex_lock(&m->team->mutex);
    for (struct task const* s = m->task->dependent; s != NULL;)
        if (depend_on_each_other(s->depends, s->dependences, depends, n)) {
            go_on(m);
            s = m->task->dependent; // it may be another list
        } else {
            s = s->next_dependent;
        }
    pthread_mutex_unlock(&m->team->mutex);
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
