// Parallel regions, and what their threads do together.
#include "openmp.h"

#include <stdlib.h>
#include <unistd.h>

#include "critical.h"
#include "omp.h"

static _Thread_local struct member* current;
static _Thread_local int pushed;   // num_threads of the next region
static int threads_of_regions = 0; // omp_set_num_threads
static int most_levels = 1;

struct member* member(void) {
    static _Thread_local struct team alone;
    static _Thread_local struct member only;
    if (current == NULL) {
        alone.size = 1;
        pthread_mutex_init(&alone.mutex, NULL);
        pthread_cond_init(&alone.task_is_over, NULL);
        only.team = &alone;
        begin_implicit_task(&only);
        current = &only;
    }
    return current;
}

// ---- regions --------------------------------------------------------------------------------------------------------

static void execute_region(struct member* m) {
    struct team const* const t = m->team;
    void* const* const a = t->arguments;
    int32_t number = m->number, bound = 0;
#define FOUR(i) a[i], a[i + 1], a[i + 2], a[i + 3]
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
    // Arguments that a function does not have do no harm: the caller takes them away.
    if (t->n <= 4)
        t->code(&number, &bound, FOUR(0));
    else if (t->n <= 16)
        t->code(&number, &bound, SIXTEEN(0));
    else
        t->code(&number, &bound, SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48));
}

static void* execute_member(void* of) {
    struct member* const m = of;
    current = m;
    begin_implicit_task(m);
    execute_region(m);
    wait_for_team();
    return NULL;
}

static int size_of_next(struct member const* outer, int level) {
    int const wanted = pushed != 0 ? pushed : omp_get_max_threads();
    pushed = 0;
    return level < most_levels && outer->team->level < most_levels ? wanted : 1;
}

static void fork_region(struct team* t) {
    struct member* const outer = member();
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->task_is_over, NULL);
    if (t->size > 1) pthread_barrier_init(&t->barrier, NULL, (unsigned)t->size);
    struct member* const members = calloc((size_t)t->size, sizeof *members);
    pthread_t* const threads = calloc((size_t)t->size, sizeof *threads);
    if (members == NULL || threads == NULL) abort();
    for (int i = 0; i < t->size; ++i) members[i] = (struct member){.team = t, .number = i, .outer = outer};
    for (int i = 1; i < t->size; ++i)
        if (pthread_create(&threads[i], NULL, execute_member, &members[i]) != 0) abort();
    execute_member(&members[0]);
    current = outer;
    for (int i = 1; i < t->size; ++i) pthread_join(threads[i], NULL);
    for (struct loop *l = t->loops, *after; l != NULL; l = after) {
        after = l->after;
        pthread_mutex_destroy(&l->mutex);
        pthread_cond_destroy(&l->turn);
        free(l);
    }
    if (t->size > 1) pthread_barrier_destroy(&t->barrier);
    pthread_cond_destroy(&t->task_is_over);
    pthread_mutex_destroy(&t->mutex);
    free(threads);
    free(members);
}

void __kmpc_fork_call(void* place, int32_t n, region* code, ...) {
    (void)place;
    struct team t = {.code = code, .n = n};
    if (n > most_arguments) abort();
    __builtin_va_list list;
    __builtin_va_start(list, code);
    for (int32_t i = 0; i < n; ++i) t.arguments[i] = __builtin_va_arg(list, void*);
    __builtin_va_end(list);
    int const level = member()->team->level;
    t.size = size_of_next(member(), level);
    t.level = level + (t.size > 1);
    fork_region(&t);
}

// A region whose `if` is false: the compiler calls its function.
void __kmpc_serialized_parallel(void* place, int32_t number) {
    (void)place;
    (void)number;
    struct {
        struct team team;
        struct member member;
    }* const both = calloc(1, sizeof *both);
    if (both == NULL) abort();
    pushed = 0;
    both->team.size = 1;
    both->team.level = member()->team->level;
    pthread_mutex_init(&both->team.mutex, NULL);
    pthread_cond_init(&both->team.task_is_over, NULL);
    both->member = (struct member){.team = &both->team, .outer = member()};
    current = &both->member;
    begin_implicit_task(current);
}

void __kmpc_end_serialized_parallel(void* place, int32_t number) {
    (void)place;
    (void)number;
    struct member* const m = member();
    execute_tasks(m);
    current = m->outer;
    free(m->team); // both
}

void __kmpc_push_num_threads(void* place, int32_t number, int32_t n) {
    (void)place;
    (void)number;
    pushed = n;
}

void __kmpc_push_proc_bind(void* place, int32_t number, int32_t how) {
    (void)place;
    (void)number;
    (void)how;
}

int32_t __kmpc_global_thread_num(void* place) {
    (void)place;
    return member()->number;
}

// ---- together -------------------------------------------------------------------------------------------------------

void wait_for_team(void) {
    struct member* const m = member();
    execute_tasks(m);
    if (m->team->size > 1) pthread_barrier_wait(&m->team->barrier);
}

void __kmpc_barrier(void* place, int32_t number) {
    (void)place;
    (void)number;
    wait_for_team();
}

void __kmpc_flush(void* place) {
    (void)place;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

int32_t __kmpc_master(void* place, int32_t number) {
    (void)place;
    (void)number;
    return member()->number == 0;
}
void __kmpc_end_master(void* place, int32_t number) {
    (void)place;
    (void)number;
}
int32_t __kmpc_masked(void* place, int32_t number, int32_t filter) {
    (void)place;
    (void)number;
    return member()->number == filter;
}
void __kmpc_end_masked(void* place, int32_t number) {
    (void)place;
    (void)number;
}

/// The first thread that reaches it does it.
int32_t __kmpc_single(void* place, int32_t number) {
    (void)place;
    (void)number;
    struct member* const m = member();
    unsigned const which = m->singles++;
    if (m->team->size == 1) return 1;
    pthread_mutex_lock(&m->team->mutex);
    bool const is_first = m->team->singles == which;
    if (is_first) ++m->team->singles;
    pthread_mutex_unlock(&m->team->mutex);
    return is_first;
}
void __kmpc_end_single(void* place, int32_t number) {
    (void)place;
    (void)number;
}

void __kmpc_copyprivate(void* place, int32_t number, size_t size, void* data, void (*copy)(void* to, void* from),
                        int32_t is_source) {
    (void)place;
    (void)number;
    (void)size;
    struct team* const t = member()->team;
    if (is_source) t->copied = data;
    wait_for_team();
    if (!is_source) copy(data, t->copied);
    wait_for_team();
}

// ---- critical sections and reductions -------------------------------------------------------------------------------

void __kmpc_critical(void* place, int32_t number, void const* name) {
    (void)place;
    (void)number;
    pthread_mutex_lock(__matchpoint_mutex_of(name));
}
void __kmpc_critical_with_hint(void* place, int32_t number, void const* name, uint32_t hint) {
    (void)hint;
    __kmpc_critical(place, number, name);
}
void __kmpc_end_critical(void* place, int32_t number, void const* name) {
    (void)place;
    (void)number;
    pthread_mutex_unlock(__matchpoint_mutex_of(name));
}

/// Each thread adds what it has, one after the other.
int32_t __kmpc_reduce_nowait(void* place, int32_t number, int32_t n, size_t size, void* data,
                             void (*reduce)(void*, void*), void const* name) {
    (void)n;
    (void)size;
    (void)data;
    (void)reduce;
    __kmpc_critical(place, number, name);
    return 1;
}
void __kmpc_end_reduce_nowait(void* place, int32_t number, void const* name) {
    __kmpc_end_critical(place, number, name);
}
int32_t __kmpc_reduce(void* place, int32_t number, int32_t n, size_t size, void* data, void (*reduce)(void*, void*),
                      void const* name) {
    return __kmpc_reduce_nowait(place, number, n, size, data, reduce, name);
}
void __kmpc_end_reduce(void* place, int32_t number, void const* name) {
    __kmpc_end_critical(place, number, name);
    wait_for_team();
}

// ---- <omp.h> --------------------------------------------------------------------------------------------------------

int omp_get_thread_num(void) { return member()->number; }
int omp_get_num_threads(void) { return member()->team->size; }
int omp_in_parallel(void) { return member()->team->level != 0; }
int omp_get_active_level(void) { return member()->team->level; }
int omp_get_level(void) {
    int level = 0;
    for (struct member const* m = member()->outer; m != NULL; m = m->outer) ++level;
    return level;
}
int omp_get_num_procs(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }

int omp_get_max_threads(void) {
    if (threads_of_regions > 0) return threads_of_regions;
    char const* const text = getenv("OMP_NUM_THREADS");
    int const n = text == NULL ? 0 : atoi(text);
    return n > 0 ? n : omp_get_num_procs();
}
void omp_set_num_threads(int n) { threads_of_regions = n; }

void omp_set_max_active_levels(int levels) { most_levels = levels; }
int omp_get_max_active_levels(void) { return most_levels; }
void omp_set_nested(int is) { most_levels = is ? INT32_MAX : 1; }
int omp_get_nested(void) { return most_levels > 1; }
void omp_set_dynamic(int is) { (void)is; }
int omp_get_dynamic(void) { return 0; }
int omp_get_thread_limit(void) { return INT32_MAX; }
