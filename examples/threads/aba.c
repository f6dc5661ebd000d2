// A stack without locks: who pops reads the top and what is below it, then puts that in place of the top with a
// compare-and-swap.
//
// Meanwhile another thread pops two, keeps the second one, and pushes the first one again. The top is the same then,
// and what is below it is not: what the thread keeps is on the stack again. Repaired: every change also counts, and
// the count is compared, too.
//
// truth: fails at 65
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

enum { none, a, b, c };
static _Atomic(uint32_t) below[4] = {none, b, c, none};
static _Atomic(uint64_t) top = a; // below bit 32, the item; above, the count

static uint64_t on_top(uint64_t old, uint32_t item) {
#ifdef REPAIRED
    return (old - (uint32_t)old) + (UINT64_C(1) << 32) + item;
#else
    (void)old;
    return item;
#endif
}

static uint32_t pop(void) {
    uint64_t const old = top;
    uint32_t const item = (uint32_t)old;
    uint64_t expected = old;
    return atomic_compare_exchange_strong(&top, &expected, on_top(old, below[item])) ? item : (uint32_t)none;
}

static void push(uint32_t item) {
    uint64_t const old = top;
    below[item] = (uint32_t)old;
    uint64_t expected = old;
    atomic_compare_exchange_strong(&top, &expected, on_top(old, item));
}

static uint32_t kept[2];

static void* pop_two_and_push(void* argument) {
    uint32_t const first = pop();
    kept[0] = pop();
    if (first != none) push(first);
    return argument;
}

static void* pop_one(void* argument) {
    kept[1] = pop();
    return argument;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, pop_two_and_push, NULL);
    usleep(20000);
    pthread_create(&threads[1], NULL, pop_one, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    uint32_t const left = (uint32_t)top;
    assert(left == none || (left != kept[0] && left != kept[1]));
    return 0;
}
