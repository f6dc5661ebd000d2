// Windows.
#include "seen.h"

static MPI_Win win = MPI_WIN_NULL;
static int memory[4];

static void open(int value) {
    for (int i = 0; i < 4; ++i) memory[i] = value + i;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
}
static void held(void) {
    say(" memory=");
    for (int i = 0; i < 4; ++i) say("%d,", memory[i]);
}

static void made(void) {
    void* base = NULL;
    MPI_Win w = MPI_WIN_NULL;
    say(" %d", code(MPI_Win_free(&w)));
    say(" %d", code(MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, MPI_COMM_NULL, &w)));
    say(" %d", code(MPI_Win_create(memory, -1, 4, MPI_INFO_NULL, WORLD, &w)));
    say(" %d", code(MPI_Win_create(memory, sizeof memory, 0, MPI_INFO_NULL, WORLD, &w)));
    say(" %d", code(MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, WORLD, &w)));
    say(" %d", code(MPI_Win_free(&w)));
    say("%d", w == MPI_WIN_NULL);
    say(" %d", code(MPI_Win_allocate(rank == 0 ? 0 : 8, 4, MPI_INFO_NULL, WORLD, &base, &w)));
    say(" %d", code(MPI_Win_free(&w)));
    say(" %d", code(MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_NULL, &base, &w)));
    say(" %d", code(MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, WORLD, &base, &w)));
    say(" %d", code(MPI_Win_free(&w)));
    say(" %d", code(MPI_Win_allocate_shared(8, 4, MPI_INFO_NULL, MPI_COMM_NULL, &base, &w)));
    say(" %d", code(MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &w)));
    say(" %d", code(MPI_Win_free(&w)));
    say(" %d", code(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_NULL, &w)));
}

/// Between fences: to the other rank, to nobody, of nothing, and refused.
static void fences(void) {
    open(10 * rank);
    int result[2] = {untouched, untouched};
    int const one = 1;
    say(" %d", code(MPI_Win_fence(MPI_MODE_NOPRECEDE, win)));
    say(" %d", code(MPI_Put(&out[1], 1, MPI_INT, other, 0, 1, MPI_INT, win)));
    say(" %d", code(MPI_Put(out, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win)));
    say(" %d", code(MPI_Put(NULL, 0, MPI_INT, other, 0, 0, MPI_INT, win)));
    say(" %d", code(MPI_Win_fence(0, win)));
    held();
    say(" %d", code(MPI_Get(in, 2, MPI_INT, other, 1, 2, MPI_INT, win)));
    say(" %d", code(MPI_Get(in, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win)));
    say(" %d", code(MPI_Get(NULL, 0, MPI_INT, other, 0, 0, MPI_INT, win)));
    say(" %d", code(MPI_Win_fence(0, win)));
    received(2);
    say(" %d", code(MPI_Accumulate(&one, 1, MPI_INT, other, 2, 1, MPI_INT, MPI_SUM, win)));
    say(" %d", code(MPI_Accumulate(&one, 1, MPI_INT, MPI_PROC_NULL, 2, 1, MPI_INT, MPI_SUM, win)));
    say(" %d", code(MPI_Accumulate(NULL, 0, MPI_INT, other, 0, 0, MPI_INT, MPI_SUM, win)));
    say(" %d", code(MPI_Get_accumulate(&one, 1, MPI_INT, &result[0], 1, MPI_INT, other, 3, 1, MPI_INT, MPI_SUM, win)));
    say(" %d", code(MPI_Get_accumulate(&one, 1, MPI_INT, in, 1, MPI_INT, MPI_PROC_NULL, 3, 1, MPI_INT, MPI_SUM, win)));
    say(" %d", code(MPI_Win_fence(MPI_MODE_NOSUCCEED, win)));
    held();
    say(" %d", result[0]);
    say(" %d", code(MPI_Win_free(&win)));
}

/// A lock of the own rank and of the other one; each rank has an element of its own.
static void locks(void) {
    open(10 * rank);
    int result = untouched, compared = 10 * other + 3;
    int const new = 42;
    say(" %d", code(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win)));
    say(" %d", code(MPI_Put(&out[1], 1, MPI_INT, other, 1, 1, MPI_INT, win)));
    say(" %d", code(MPI_Win_flush(other, win)));
    say(" %d", code(MPI_Get(in, 1, MPI_INT, other, 1, 1, MPI_INT, win)));
    say(" %d", code(MPI_Win_flush_local(other, win)));
    say(" %d", code(MPI_Fetch_and_op(&new, &result, MPI_INT, other, 2, MPI_SUM, win)));
    say(" %d", code(MPI_Win_flush_all(win)));
    say(" %d", result);
    say(" %d", code(MPI_Compare_and_swap(&new, &compared, &result, MPI_INT, other, 3, win)));
    say(" %d", code(MPI_Win_flush_local_all(win)));
    say(" %d", code(MPI_Win_unlock(other, win)));
    say(" %d", result);
    received(1);
    MPI_Barrier(WORLD);
    say(" %d", code(MPI_Win_lock(MPI_LOCK_SHARED, rank, MPI_MODE_NOCHECK, win)));
    held();
    say(" %d", code(MPI_Win_unlock(rank, win)));
    say(" %d", code(MPI_Win_lock(MPI_LOCK_SHARED, MPI_PROC_NULL, 0, win)));
    say(" %d", code(MPI_Win_unlock(MPI_PROC_NULL, win)));
    say(" %d", code(MPI_Win_free(&win)));
}

static void requests_of_windows(void) {
    open(10 * rank);
    int result = untouched;
    int const one = 1;
    MPI_Win_lock_all(0, win);
    say(" %d", code(MPI_Win_sync(win)));
    NOT_IN_OPEN_MPI(say(" %d", code(MPI_Win_flush(MPI_PROC_NULL, win))));
    NOT_IN_OPEN_MPI(say(" %d", code(MPI_Win_flush_local(MPI_PROC_NULL, win))));
    say(" %d", code(MPI_Rput(&out[1], 1, MPI_INT, other, 0, 1, MPI_INT, win, &q[0])));
    say(" %d", code(MPI_Rget(in, 1, MPI_INT, other, 1, 1, MPI_INT, win, &q[1])));
    say(" %d", code(MPI_Raccumulate(&one, 1, MPI_INT, other, 2, 1, MPI_INT, MPI_SUM, win, &q[2])));
    say(" %d",
        code(MPI_Rget_accumulate(&one, 1, MPI_INT, &result, 1, MPI_INT, other, 3, 1, MPI_INT, MPI_SUM, win, &q[3])));
    MPI_Waitall(4, q, MPI_STATUSES_IGNORE);
    requests(4);
    say(" %d", code(MPI_Rput(out, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &q[0])));
    say(" %d", code(MPI_Rget(in, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &q[1])));
    say(" %d", code(MPI_Raccumulate(&one, 1, MPI_INT, MPI_PROC_NULL, 2, 1, MPI_INT, MPI_SUM, win, &q[2])));
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    requests(3);
    say(" %d", code(MPI_Win_unlock_all(win)));
    MPI_Barrier(WORLD);
    received(1);
    say(" %d", result);
    held();
    say(" %d", code(MPI_Win_free(&win)));
}

static void epochs(void) {
    open(10 * rank);
    MPI_Group all, group;
    say(" %d", code(MPI_Win_get_group(win, &all)));
    MPI_Group_incl(all, 1, &other, &group);
    for (int i = 0; i < 2; ++i) {
        say(" %d", code(MPI_Win_post(group, 0, win)));
        say(" %d", code(MPI_Win_start(group, 0, win)));
        say(" %d", code(MPI_Put(&out[i], 1, MPI_INT, other, i, 1, MPI_INT, win)));
        say(" %d", code(MPI_Win_complete(win)));
        if (i == 0)
            say(" %d", code(MPI_Win_wait(win)));
        else
            for (flag = 0; !flag;)
                if (code(MPI_Win_test(win, &flag)) != MPI_SUCCESS) say(" wrong"), flag = 1;
        held();
    }
    say(" %d", code(MPI_Win_post(MPI_GROUP_EMPTY, 0, win)));
    say(" %d", code(MPI_Win_wait(win)));
    say(" %d", code(MPI_Win_start(MPI_GROUP_EMPTY, 0, win)));
    say(" %d", code(MPI_Win_complete(win)));
    MPI_Group_free(&all), MPI_Group_free(&group);
    MPI_Barrier(WORLD);
    say(" %d", code(MPI_Win_free(&win)));
}

static void refused(void) {
    MPI_Group group;
    open(0);
    MPI_Win const null = MPI_WIN_NULL;
    MPI_Win_fence(0, win);
    say(" %d", code(MPI_Put(out, 1, MPI_INT, far, 0, 1, MPI_INT, win)));
    say(" %d", code(MPI_Put(out, -1, MPI_INT, other, 0, 1, MPI_INT, win)));
    say(" %d", code(MPI_Put(out, 1, MPI_DATATYPE_NULL, other, 0, 1, MPI_INT, win)));
    say(" %d", code(MPI_Put(out, 1, MPI_INT, other, 0, 1, MPI_INT, null)));
    say(" %d", code(MPI_Get(in, 1, MPI_INT, far, 0, 1, MPI_INT, win)));
    say(" %d", code(MPI_Get(in, 1, MPI_INT, other, 0, 1, MPI_INT, null)));
    say(" %d", code(MPI_Accumulate(out, 1, MPI_INT, far, 0, 1, MPI_INT, MPI_SUM, win)));
    say(" %d", code(MPI_Accumulate(out, 1, MPI_INT, other, 0, 1, MPI_INT, MPI_OP_NULL, win)));
    say(" %d", code(MPI_Fetch_and_op(out, in, MPI_INT, far, 0, MPI_SUM, win)));
    say(" %d", code(MPI_Compare_and_swap(out, out, in, MPI_INT, far, 0, win)));
    say(" %d", code(MPI_Get_accumulate(out, 1, MPI_INT, in, 1, MPI_INT, far, 0, 1, MPI_INT, MPI_SUM, win)));
    MPI_Win_fence(0, win);
    say(" %d", code(MPI_Win_lock(MPI_LOCK_SHARED, far, 0, win)));
    say(" %d", code(MPI_Win_lock(0, other, 0, win)));
    say(" %d", code(MPI_Win_fence(0, null)));
    NOT_IN_OPEN_MPI(say(" %d", code(MPI_Win_flush(far, win)) != MPI_SUCCESS));
    say(" %d", code(MPI_Win_flush_all(null)));
    say(" %d", code(MPI_Win_sync(null)));
    NOT_IN_OPEN_MPI(say(" %d", code(MPI_Win_unlock(far, win)) != MPI_SUCCESS));
    say(" %d", code(MPI_Win_get_group(null, &group)));
    say(" %d", code(MPI_Win_free(&win)));
}

struct section const of_windows[] = {{"windows", made},  {"fences", fences},
                                     {"locks", locks},   {"requests of windows", requests_of_windows},
                                     {"epochs", epochs}, {"refused by windows", refused},
                                     {NULL, NULL}};
