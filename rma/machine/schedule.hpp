// Schedules: what happens in a run, one after the other, as words that people write and read.
//
//   2          process 2 takes its next step
//   2=3        it is a `choose`, and takes the value 3
//   r:2#1      a network card executes a pending read of the first remote statement of process 2 (nic_r)
//   w:2#1      its write (nic_w); w:2#1=3 the one that carries 3, if writes with several values are pending
//   rw:2#1     the read, and then the write of what it has read
//   a:2#1      a network card executes a pending remote atomic (nic_a)
//   aw:2#1     the atomic, and then the write of the value that it has fetched
//
// `2.rho` is the remote statement at location rho of process 2.
//
//   auto const schedule = parse_schedule(graph, "2 2 rw:2#1");
//   Run const run = run_schedule(machine, *schedule);
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/expected.hpp"
#include "rma/machine/machine.hpp"

namespace matchpoint::rma {

/// One word of a schedule.
struct ScheduleWord {
    enum class Kind : std::uint8_t { process, read, write, read_and_write, atomic, atomic_and_write };
    Kind kind;
    std::uint32_t of; // the process, or the remote statement
    std::optional<Value> value;
    std::string text;
};
using Schedule = std::vector<ScheduleWord>;

/// The words, or what is wrong with one of them: "`r:2#7`: process 2 has 2 remote statements".
Expected<Schedule, std::string> parse_schedule(Graph const& graph, std::string_view text);

/// `2#1`: the name of a remote statement.
std::string name_of(Graph const& graph, RemoteIndex s);

/// The word for what can happen in a state.
std::string word_of(Machine const& machine, State const& state, Transition const& t);

/// The words for what happened in a run from the initial state on.
std::string print_schedule(Machine const& machine, std::span<Transition const> transitions);

/// The transitions that a word means in a state, or why it does not apply there.
Expected<std::vector<Transition>, std::string> transitions_of(Machine const& machine, State const& state,
                                                              ScheduleWord const& word);

/// A word of a schedule that does not apply where it comes.
struct Inapplicable {
    std::size_t word; // from 0
    std::string why;
};
/// "word 3, `r:2#1`, does not apply: ..."
std::string in_words(Schedule const& schedule, Inapplicable const& what);
/// Sets `run` to the transitions that a schedule means from the initial state on: up to one that discards the run or
/// faults, or up to a word that does not apply, which it returns.
std::optional<Inapplicable> run_of(Machine const& machine, Schedule const& schedule, std::vector<Transition>& run);

/// Why a process does not step, in words.
std::string in_words(Machine const& machine, Blocked const& blocked);

} // namespace matchpoint::rma
