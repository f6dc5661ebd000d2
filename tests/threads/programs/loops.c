// Two threads read the same numbers, round by round, and write their own.
#include <pthread.h>
#include <stdio.h>

enum { count = 100, rounds = 12 };

static double weights[count], results[2];
static int numbers[count], own[2][count], ordered[2];

static void* run(void* argument) {
    int const which = argument != NULL;
    for (int round = 0; round < rounds; ++round) {
        double sum = 0;
        int total = 0, in_order = 0;
        for (int i = 0; i < count; ++i) sum += weights[i];
        for (int i = 0; i < count; ++i) total += (numbers[i] ^ 5) * 3;
        for (int i = 1; i < count; ++i) in_order += numbers[i - 1] <= numbers[i];
        for (int i = 0; i < count; ++i) own[which][i] = i % 3;
        for (int i = 0; i < count; i += 7) own[which][i] = total + i;
        results[which] += sum;
        ordered[which] += in_order;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    for (int i = 0; i < count; ++i) weights[i] = numbers[i] = (i * 37) % 91;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, &a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%g %g %d %d %d %d\n", results[0], results[1], ordered[0], ordered[1], own[0][7], own[1][8]);
    return 0;
}
