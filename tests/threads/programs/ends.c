/* How a program ends, a program each: its name is the argument. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int volatile value = 3;
static int* volatile nowhere;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void stop(char const* why) {
    fprintf(stderr, "%s\n", why);
    exit(7);
}

static void* fails(void* name) {
    if (strcmp(name, "assert") == 0) assert(value == 4 && "four");
    if (strcmp(name, "abort") == 0 && value == 3) abort();
    if (strcmp(name, "exit code") == 0 && value != 4) stop("not four");
    if (strcmp(name, "crash") == 0) *nowhere = value;
    if (strcmp(name, "division") == 0) printf("%d\n", 7 / (value - 3));
    if (strcmp(name, "double free") == 0) {
        char* const volatile block = malloc(100);
        free(block);
        free(block);
    }
    return NULL;
}

static void* counts(void* nothing) {
    for (;;) {
        value = value + 1;
        usleep(20);
    }
    return nothing;
}

static void* locks_twice(void* nothing) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    return nothing;
}

static void handler(int number) { value = number; }

static void* nothing_much(void* nothing) {
    value = value + 1;
    return nothing;
}

int main(int argc, char** argv) {
    char const* const name = argc > 1 ? argv[1] : "";
    pthread_t thread;
    if (strcmp(name, "forever") == 0) {
        for (int i = 0; i < 3; ++i) pthread_create(&thread, NULL, counts, NULL);
        pthread_join(thread, NULL);
    } else if (strcmp(name, "stuck") == 0) {
        pthread_create(&thread, NULL, locks_twice, NULL);
        pthread_join(thread, NULL);
    } else if (strcmp(name, "fork") == 0) {
        pid_t const child = fork();
        value = value + 1;
        if (child == 0) _exit(value);
        int status = 0;
        waitpid(child, &status, 0);
        pthread_create(&thread, NULL, nothing_much, NULL);
        pthread_join(thread, NULL);
        return WEXITSTATUS(status) + value;
    } else if (strcmp(name, "signal") == 0) {
        signal(SIGUSR1, handler);
        raise(SIGUSR1);
        return value == SIGUSR1 ? 0 : 1;
    } else if (strcmp(name, "many") == 0) {
        pthread_t threads[64];
        for (int i = 0; i < 64; ++i) pthread_create(&threads[i], NULL, nothing_much, NULL);
        for (int i = 0; i < 64; ++i) pthread_join(threads[i], NULL);
    } else if (strcmp(name, "code") == 0) {
        return 3;
    } else if (strcmp(name, "main leaves") == 0) {
        pthread_create(&thread, NULL, nothing_much, NULL);
        pthread_exit(NULL);
    } else {
        pthread_create(&thread, NULL, fails, argv[1]);
        pthread_join(thread, NULL);
    }
    puts("done");
    return 0;
}
