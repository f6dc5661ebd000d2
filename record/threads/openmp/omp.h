// OpenMP's functions, as far as programs that are recorded have them (record/threads/openmp/openmp.h).
#ifndef MATCHPOINT_OMP_H
#define MATCHPOINT_OMP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    long long words[6];
} omp_lock_t;
typedef struct {
    omp_lock_t lock;
    int depth;
} omp_nest_lock_t;

int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
void omp_set_num_threads(int n);
int omp_get_num_procs(void);
int omp_in_parallel(void);
int omp_get_level(void);
int omp_get_active_level(void);
void omp_set_max_active_levels(int levels);
int omp_get_max_active_levels(void);
void omp_set_nested(int is);
int omp_get_nested(void);
void omp_set_dynamic(int is);
int omp_get_dynamic(void);
int omp_get_thread_limit(void);

void omp_init_lock(omp_lock_t* lock);
void omp_init_lock_with_hint(omp_lock_t* lock, int hint);
void omp_destroy_lock(omp_lock_t* lock);
void omp_set_lock(omp_lock_t* lock);
void omp_unset_lock(omp_lock_t* lock);
int omp_test_lock(omp_lock_t* lock);
void omp_init_nest_lock(omp_nest_lock_t* lock);
void omp_destroy_nest_lock(omp_nest_lock_t* lock);
void omp_set_nest_lock(omp_nest_lock_t* lock);
void omp_unset_nest_lock(omp_nest_lock_t* lock);
int omp_test_nest_lock(omp_nest_lock_t* lock);

double omp_get_wtime(void);
double omp_get_wtick(void);

#ifdef __cplusplus
}
#endif

#endif
