#include "validate/rule_programs.hpp"

#include <array>

namespace matchpoint::validate {

namespace {

// tests/validate/rule_programs_test.cpp asks whether each change shows, and whether each has a program.
constexpr std::array<RuleProgram, 49> programs_of_rules{{
    {Change::no_property, R"((([00 (assert true)])))"},
    {Change::no_assertion_fails, R"((([00 (x := 1)])))"},
    {Change::no_assumptions, R"((([00 (assume false)] [01 (assert false)])))"},
    {Change::divisor_zero, R"((([00 (x := (div 0 0))] [01 (assert false)])))"},
    {Change::one_assertion_fails, R"((([00 (assert false)] [01 (assert false)])))"},
    {Change::first_assertion_fails, R"((([00 (assert true)] [01 (assert false)])))"},
    {Change::last_assertion_fails, R"((([00 (assert false)] [01 (assert true)])))"},
    {Change::executions, R"((([00 (assert false)] [01 (assume false)])))"},
    {Change::one_version, R"((([00 (x := 1)] [01 (x := 2)] [02 (assert false)])))"},
    {Change::all_received, R"((([00 (sndi S0 0 1 0)] [01 (assert false)])))"},
    {Change::receive_without_candidates, R"((([00 (rcvi R0 0 x)] [01 (wait R0)] [02 (assert false)])))"},
    {Change::not_taken, R"((([00 (sndi S0 0 1 0)] [01 (wait S0)] [02 (assert false)])))"},
    {Change::send_before_receive, R"((([00 (rcvi R0 0 x)] [01 (sndi S0 1 0 0)] [02 (wait R0)] [03 (assert false)])))"},
    {Change::receive_before_send, R"((([00 (sndi S0 1 0 0)] [01 (rcvi R0 0 x)] [02 (wait R0)] [03 (assert false)])))"},
    {Change::free_values, R"((([00 (rcvi R0 0 x)] [01 (wait R0)] [02 (assert (= x 1))]) ([10 (sndi S0 1 0 1)])))"},
    {Change::no_send_before_wait, R"((([00 (rcvi R0 0 x)] [01 (wait R0)] [02 (sndi S0 1 0 0)] [03 (assert false)])))"},
    {Change::overtaken_orphans,
     R"((([00 (rcvi R0 0 x)] [01 (wait R0)] [02 (assert (= x 1))]) ([10 (sndi S0 1 0 1)] [11 (sndi S1 1 0 2)])))"},
    {Change::no_channel_order,
     R"((([00 (rcvi R0 0 x)] [01 (wait R0)] [02 (rcvi R1 0 y)] [03 (wait R1)] [04 (assert (= x 1))])
 ([10 (sndi S0 1 0 1)] [11 (sndi S1 1 0 2)])))"},
    {Change::order_of_waits,
     R"((([00 (rcvi R0 0 x)] [01 (rcvi R1 0 y)] [02 (wait R1)] [03 (wait R0)] [04 (assert (> x y))])
 ([10 (sndi S0 1 0 1)] [11 (sndi S1 1 0 2)])))"},
    {Change::order_of_task, R"((([00 (rcvi R0 0 x)] [01 (rcvi R1 0 y)] [02 (wait R1)] [03 (assert (< x y))])
 ([10 (sndi S0 1 0 1)] [11 (sndi S1 2 0 2)])))"},
    {Change::order_of_endpoint, R"((([00 (rcvi R0 0 x)] [01 (rcvi R1 0 y)] [02 (wait R1)] [03 (assert (!= y 1))])
 ([10 (sndi S0 1 0 1)] [11 (sndi S2 1 3 0)]) ([20 (rcvi R2 3 z)] [21 (wait R2)] [22 (sndi S1 2 0 2)])))"},
    {Change::sends_twice,
     R"((([00 (rcvi R0 0 x)] [01 (wait R0)] [02 (rcvi R1 0 y)] [03 (wait R1)] [04 (assert (!= x y))])
 ([10 (sndi S0 1 0 1)] [11 (sndi S1 2 0 2)])))"},
    {Change::only_waited_for, R"((([00 (rcvi R0 0 x)] [01 (rcvi R1 0 y)] [02 (wait R1)] [03 (assert (= x 1))])
 ([10 (sndi S0 1 0 1)] [11 (sndi S1 1 0 2)])))"},
    {Change::send_returns_early,
     R"((([00 (sndi S0 0 1 0)] [01 (wait S0)] [02 (rcvi R0 1 x)] [03 (wait R0)] [04 (assert false)])))"},
    {Change::completed_before_next,
     R"((([00 (rcvi R0 0 x)] [01 (wait R0)] [02 (rcvi R1 0 y)] [03 (wait R1)] [04 (assert (= x 2))])
 ([10 (sndi S0 1 0 1)] [11 (sndi S1 1 0 2)])))"},
    {Change::wait_of_task,
     R"((([00 (rcvi R0 0 x)] [01 (rcvi R1 1 y)] [02 (wait R1)] [03 (sndi S0 1 0 0)] [04 (wait R0)] [05 (assert false)])
 ([10 (sndi S1 2 1 1)])))"},
    {Change::own_wait,
     R"((([00 (rcvi R0 0 x)] [01 (rcvi R1 0 x)] [02 (wait R1)] [03 (sndi S0 0 1 0)] [04 (assert false)])
 ([10 (rcvi R2 1 y)] [11 (wait R2)] [12 (sndi S1 1 0 0)]) ([20 (sndi S2 2 0 0)])))"},
    {Change::completed_before_dependent, R"((([00 (rcvi R0 0 x)] [01 (wait R0)] [02 (assert (= x 1))])
 ([10 (sndi S0 1 0 1)] [11 (sndi S1 1 2 0)]) ([20 (rcvi R1 2 y)] [21 (wait R1)] [22 (sndi S2 2 0 0)])))"},
    // To an encoder that leaves out pairs as Figure 15 does, the faults of the order of messages show only on these.
    {Change::overtaken_orphans,
     R"((([00 (rcvi R0 0 x)] [01 (rcvi R1 0 y)] [02 (wait R1)] [03 (assert (not (and (= x 1) (= y 1))))])
 ([10 (sndi S0 1 0 0)] [11 (sndi S1 1 0 1)]) ([20 (sndi S2 2 0 1)])))"},
    {Change::no_channel_order,
     R"((([00 (rcvi R0 0 x)] [01 (rcvi R1 0 x)] [02 (rcvi R2 0 y)] [03 (wait R2)] [04 (assert (not (and (= x 1) (= y 0))))])
 ([10 (sndi S0 1 0 0)] [11 (sndi S1 1 0 1)]) ([20 (sndi S2 2 0 1)] [21 (sndi S3 2 0 2)])))"},
    {Change::no_endpoint_order,
     R"((([00 (sndi S0 0 0 1)] [01 (sndi S1 0 0 0)] [02 (rcvi R0 0 x)] [03 (rcvi R1 0 y)] [04 (rcvi R2 0 x)] [05 (wait R1)]
  [06 (assert (!= y x))] [07 (wait R2)]) ([10 (sndi S2 1 0 0)] [11 (sndi S3 1 0 1)])))"},
    // With selectors, modes or barriers
    {Change::no_modes, R"((([00 (ssndi S0 0 1 0)] [01 (wait S0)] [02 (assert false)])))"},
    {Change::no_modes, R"((([00 (bsndi S0 0 1 0)] [01 (wait S0)] [02 (assert false)])))"},
    {Change::no_selectors,
     R"((([00 (rcvi R0 0 x (from 2))] [01 (wait R0)] [02 (assert false)]) ([10 (sndi S0 1 0 0)])))"},
    {Change::no_barriers, R"((([00 (barrier B)] [01 (sndi S0 0 1 0)])
 ([10 (rcvi R0 1 x)] [11 (wait R0)] [12 (barrier B)] [13 (assert false)])))"},
    // With shared variables, or for those who read them
    {Change::first_guard, R"((([00 (assume false)] [01 (assert false)])))"},
    {Change::no_guards, R"((([00 (assume true)] [01 (assume false)] [02 (assert false)])))"},
    {Change::no_initial_value, R"((shared [x 0]) (([00 (assert (= x 1))])))"},
    {Change::stale_reads, R"((shared [x 0]) (([00 (x := 1)] [01 (assert (= x 1))])))"},
    {Change::total_division, R"((shared [x 0]) (([00 (x := (div 1 x))] [01 (assert (= x 0))])))"},
    {Change::executions, R"((([00 (assert false)] [01 (assume false)])))"},
    {Change::only_first_assertion, R"((([00 (assert true)] [01 (assert false)])))"},
    {Change::only_last_assertion, R"((([00 (assert false)] [01 (assert true)])))"},
    {Change::runs_on, R"((shared [x 0]) (([00 (assert false)] [01 (x := (div 1 x))])))"},
    {Change::idle_reads, R"((shared [x 0] [y 0]) (([00 (assert false)] [01 (assume false (x := 1))] [02 (y := x)])))"},
    {Change::one_by_one, R"((shared [x 0] [y 0]) (([00 (assume true (x := 1) (y := x))] [01 (assert (= y 0))])))"},
    {Change::split_commands, R"((shared [x 0] [y 0]) (([00 (when (= x 0) (x := 1))] [01 (y := 1)])
 ([10 (when (= x 0) (x := 1))] [11 (assert (= y 0))])))"},
    {Change::bound_from_1, R"((shared [x 0]) (([00 (x := 1)]) ([10 (assert (= x 0))])))"},
    {Change::shared_times,
     R"((shared [x 0] [y 0]) (([00 (x := 1)]) ([10 (y := 1)]) ([20 (assert (not (and (= x 1) (= y 1))))])))"},
}};
constexpr std::size_t first_of_mpi = 31, first_of_shared = 35;

} // namespace

std::span<RuleProgram const> rule_programs() { return programs_of_rules; }

std::vector<RuleProgram> rule_programs_of(bool shared, bool mpi) {
    auto const begin = programs_of_rules.begin() + (shared ? first_of_shared : 0);
    auto const end =
        shared ? programs_of_rules.end() : programs_of_rules.begin() + (mpi ? first_of_shared : first_of_mpi);
    return {begin, end};
}

} // namespace matchpoint::validate
