// Two threads carry out the orders of a list. Each account has a lock.
//
// A balance is read under the lock, and written under the lock, and in between another thread may have changed it.
// Repaired: the lock is kept.
//
// truth: fails at 48
// truth -DREPAIRED: nothing
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { accounts = 3, orders = 2 };
static struct account {
    pthread_mutex_t lock;
    int balance;
} account[accounts] = {
    {PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};
static struct order { int from, to, amount; } const order[orders] = {{0, 1, 30}, {2, 1, 20}};
static pthread_mutex_t list = PTHREAD_MUTEX_INITIALIZER;
static int next;

static void add(struct account* a, int amount) {
    pthread_mutex_lock(&a->lock);
    int const balance = a->balance;
#ifndef REPAIRED
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_lock(&a->lock);
#endif
    a->balance = balance + amount;
    pthread_mutex_unlock(&a->lock);
}

static void* carry_out_one(void* a) {
    pthread_mutex_lock(&list);
    int const n = next++;
    pthread_mutex_unlock(&list);
    add(&account[order[n].from], -order[n].amount);
    add(&account[order[n].to], order[n].amount);
    return a;
}

int main(void) {
    pthread_t threads[orders];
    for (int i = 0; i < orders; ++i) pthread_create(&threads[i], NULL, carry_out_one, NULL);
    for (int i = 0; i < orders; ++i) pthread_join(threads[i], NULL);
    int sum = 0;
    for (int i = 0; i < accounts; ++i) sum += account[i].balance;
    assert(sum == 300);
    return 0;
}
