// The mutexes of critical sections. This part is not compiled with the pass: which one a name has depends on no thread.
#pragma once

#include <pthread.h>

/// The compiler gives a critical section 32 bytes of zeros, which are too few for a mutex.
pthread_mutex_t* __matchpoint_mutex_of(void const* name);
