// The functions of a recorder that values.h calls. An MPI program runs without the recorder, too: they are weak, and
// null then. <matchpoint/mcapi.h> defines them.
#pragma once

#include <stdint.h>

/// Whether a function is there. A compiler warns of the question if it sees the function.
#ifdef MATCHPOINT_RECORDER_IS_THERE
#define MATCHPOINT_HAS(f) 1
#else
#define MATCHPOINT_HAS(f) (f)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// An expression is a number that the recorder gave; 0: none, the value stands for itself.
struct matchpoint_operand {
    uint32_t expression;
    int64_t value;
};

/// A variable begins and ends to live. The recorder sets its expression when a message is received into it.
void matchpoint_enter(void const* address, uint32_t* expression) __attribute__((weak));
void matchpoint_leave(void const* address) __attribute__((weak));
/// The expression `(operator a b)`; at least one of the two is no constant. `not` has one operand, the first.
uint32_t matchpoint_compute(char const* operation, struct matchpoint_operand a, struct matchpoint_operand b)
    __attribute__((weak));
/// The program goes on as it does because the expression is true, or false.
void matchpoint_branch(uint32_t expression, int truth) __attribute__((weak));
/// The program claims that the expression is true; `truth` is what it is in this run.
void matchpoint_claim(uint32_t expression, int truth, char const* file, int line) __attribute__((weak));

#ifdef __cplusplus
}
#endif
