// The threads of OpenMP add the numbers of a loop to one sum.
//
// They read it at the same time, and one addition is lost. Repaired: each thread has a sum of its own, and the
// reduction adds them.
//
// truth: fails at 26, data race
// truth -DREPAIRED: nothing
#include <assert.h>
#include <unistd.h>

enum { n = 2 };

static int squared(int i) {
    usleep(20000 * (unsigned)(i - 1));
    return i * i;
}

int main(void) {
    int sum = 0;
#ifdef REPAIRED
#pragma omp parallel for num_threads(2) reduction(+ : sum)
#else
#pragma omp parallel for num_threads(2)
#endif
    for (int i = 1; i <= n; ++i) sum += squared(i);
    assert(sum == 5);
    return 0;
}
