/* What OpenMP has, for tests/threads/openmp.py. Each prints what does not depend on the order of its threads, and is compared with GCC's runtime.
 * The name of the program is the argument. */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { n = 40 };
static int marks[n], total;
static int own;
#pragma omp threadprivate(own)

static void show(char const* what) {
    printf("%s:", what);
    for (int i = 0; i < n; ++i) printf(" %d", marks[i]);
    printf(", %d\n", total);
    memset(marks, 0, sizeof marks);
    total = 0;
}

static void loops(void) {
    unsigned const m = n;
    int last = 0;
#pragma omp parallel for num_threads(3)
    for (int i = 0; i < n; ++i) marks[i] += i + 100 * omp_get_thread_num();
    show("even");
#pragma omp parallel for num_threads(3) schedule(static, 4) lastprivate(last)
    for (unsigned i = 1; i < m; i += 2) {
        marks[i] += (int)i + 100 * omp_get_thread_num();
        last = (int)i;
    }
    total = last;
    show("chunks");
#pragma omp parallel for num_threads(3) schedule(dynamic, 3) lastprivate(last)
    for (long i = n - 1; i >= 0; --i) {
        marks[i] += (int)i;
        last = (int)i;
    }
    total = last + 1;
    show("dynamic");
#pragma omp parallel for num_threads(3) schedule(guided) reduction(+ : total)
    for (unsigned long i = 3; i < n; i += 3) total += (int)i;
    show("guided");
#pragma omp parallel num_threads(3)
    {
#pragma omp for nowait schedule(dynamic)
        for (int i = 0; i < 5; ++i) marks[i] = 1;
#pragma omp for schedule(runtime)
        for (int i = 5; i < 10; ++i) marks[i] = 2;
#pragma omp for
        for (int i = 0; i < 2; ++i) marks[10 + i] = omp_get_num_threads();
    }
    show("several");
#pragma omp parallel for ordered num_threads(3) schedule(dynamic)
    for (int i = 0; i < 8; ++i) {
#pragma omp ordered
        if (i % 3 != 1) marks[total++] = i;
    }
    show("ordered");
#pragma omp parallel for collapse(2) num_threads(3)
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j) marks[5 * i + j] = i * j;
    show("collapsed");
}

static void together(void) {
    int copied = 0;
#pragma omp parallel num_threads(3) firstprivate(copied)
    {
#pragma omp single copyprivate(copied)
        copied = 7;
#pragma omp critical
        total += copied;
#pragma omp barrier
#pragma omp master
        marks[0] = total;
#pragma omp single nowait
        marks[1] = 1;
#pragma omp sections
        {
#pragma omp section
            marks[2] = 2;
#pragma omp section
            marks[3] = 3;
        }
#pragma omp atomic
        marks[4] += 1;
#pragma omp critical(other)
        marks[5] += 1;
    }
    show("together");
    int product = 1, most = 0;
    double sum = 0.5;
#pragma omp parallel for num_threads(3) reduction(* : product) reduction(max : most) reduction(+ : sum)
    for (int i = 1; i < 6; ++i) {
        product *= i;
        most = i > most ? i : most;
        sum += i / 2.0;
    }
    printf("reductions: %d %d %g\n", product, most, sum);
    own = 5;
#pragma omp parallel num_threads(3) copyin(own)
    {
        own += omp_get_thread_num();
        marks[omp_get_thread_num()] = own;
    }
    show("threadprivate");
#pragma omp parallel num_threads(3) if (total > 100)
    marks[0] += omp_get_num_threads();
    omp_set_num_threads(2);
#pragma omp parallel
    {
#pragma omp atomic
        marks[1] += omp_get_num_threads();
#pragma omp parallel num_threads(4)
#pragma omp atomic
        marks[2] += 10 * omp_get_level() + omp_get_num_threads();
    }
    show("regions");
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
#pragma omp atomic
    marks[0] += 100 * omp_get_active_level() + omp_get_num_threads();
    show("nested");
}

static int fibonacci(int k) {
    int a, b;
    if (k < 2) return k;
#pragma omp task shared(a)
    a = fibonacci(k - 1);
#pragma omp task shared(b) if (k > 3)
    b = fibonacci(k - 2);
#pragma omp taskwait
    return a + b;
}

static void tasks(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
    total = fibonacci(6);
    show("taskwait");
#pragma omp parallel num_threads(3)
    {
#pragma omp single
        {
#pragma omp taskgroup
            {
                for (int i = 0; i < 6; ++i)
#pragma omp task firstprivate(i)
                {
#pragma omp task
                    marks[10 + i] = i;
                    marks[i] = i;
                }
            }
            for (int i = 0; i < 16; ++i) total += marks[i];
        }
#pragma omp task
        {
#pragma omp atomic
            marks[20] += 1;
        }
#pragma omp barrier
#pragma omp master
        marks[21] = marks[20];
    }
    show("taskgroup");
}

static void dependences(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp task depend(out : marks[0])
        marks[0] = 1;
#pragma omp task depend(in : marks[0]) depend(out : marks[1])
        marks[1] = marks[0] + 1;
#pragma omp task depend(in : marks[0]) depend(out : marks[2])
        marks[2] = marks[0] + 2;
#pragma omp task depend(inout : marks[0]) depend(in : marks[1], marks[2])
        marks[0] = 10 * marks[1] + marks[2];
#pragma omp task depend(in : marks[0]) if (total > 100)
        marks[3] = marks[0];
        for (int i = 0; i < 5; ++i)
#pragma omp task depend(inout : total)
        {
            total = 2 * total + i;
#pragma omp task
            marks[10 + i] = i;
        }
#pragma omp taskwait
        marks[20] = total;
    }
    show("dependences");
}

static void locks(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(3)
    {
        omp_set_lock(&lock);
        ++total;
        omp_unset_lock(&lock);
        while (!omp_test_lock(&lock)) {
        }
        ++total;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        marks[0] += omp_test_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    show("locks");
}

/* For `verify`: two regions on the same stack. */
static void twice(void) {
    int sum = 0;
    for (int k = 0; k < 2; ++k) {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
        for (int i = 1; i <= 2; ++i) sum += i;
    }
    printf("%d\n", sum);
}

static void first_come(void) {
    int who = -1;
#pragma omp parallel num_threads(2)
#pragma omp single
    who = omp_get_thread_num();
    printf("%s\n", who < 0 ? "nobody" : "one");
}

int main(int count, char** words) {
    char const* const name = count > 1 ? words[1] : "";
    void (*const all[])(void) = {loops, together, tasks, dependences, locks, twice, first_come};
    char const* const names[] = {"loops", "together", "tasks", "dependences", "locks", "twice", "first come"};
    for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)
        if (strcmp(name, names[i]) == 0) {
            all[i]();
            return 0;
        }
    return 2;
}
