// Programs with selectors, modes, barriers, mprobes and collectives as plain programs, which have none
// (IndexedProgram::is_plain). What is known of plain programs - match pairs, encodings, engines - is then known of
// these.
//
//   auto const lowered = Lowered::of(messages, Buffering::infinite);
//   if (!lowered) return explore(messages);                       // lowered.error() says why
//   CheckResult const r = check((*lowered)->messages(), {.buffering = (*lowered)->buffering()});
//   Schedule const schedule = (*lowered)->raised(r.run->schedule);  // of the program itself
//
//   selectors  If every message to beta is admitted by the receives of one class alone, each class gets an endpoint of
//              its own. Receives are of one class if they admit the same messages. Messages of one channel can belong
//              to several classes, by their tags; they are independent. A program is not lowered if a wait for a
//              receive of one class completes one of another.
//   source, tagged
//              What they assign is a constant if all messages of the class agree. Otherwise a message carries it, and v
//              becomes (v * K + source) * L + tag. A class whose messages are Bool is not lowered then.
//   modes      A synchronous send behaves under either buffering as every send does with zero buffering. So the plain
//              program runs with zero buffering if some wait is for one. Waits for sends that do not wait are left out,
//              and such a message can be delivered later, when its receive is posted: nothing else depends on when that
//              happens.
//   barriers   The thread that comes first in the program gathers a message from each of the others and then sends one
//              to each.
//   mprobes    An mprobe becomes a receive and the wait for it, and the wait for it an assignment. A program is not
//              lowered if a wait for a send may wait for the start of an mprobe, and something comes before that start.
//   collectives
//              A call sends a message to each thread that needs it, and receives one from each that it needs. The program
//              is not lowered if two calls that belong together disagree. With Calls::may_refuse a call that some members
//              need not have made, as far as it is concerned, also sends a message to nobody, and waits for that.
//   divisors   In a branch of `ite`, a divisor becomes 1 where the machine does not evaluate it (guarded_divisors.hpp).
//
// Names of the program stay; new ones have braces in them, which no name of the language has. docs/lowering.md defines
// the plain program so that certificates can speak of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/expected.hpp"
#include "machine/schedule.hpp"
#include "matching/matching.hpp"

namespace matchpoint::lowering {

/// Which members a collective waits for.
enum class Calls : std::uint8_t {
    as_buffered, // those that it needs; under zero buffering all
    may_refuse,  // those that it needs, under either buffering. Then a library may keep it (Lowered::returns())
};

class Lowered {
public:
    /// The messages have to outlive it. An error is the reason why the program is not lowered, as a sentence without a
    /// full stop. Time: linear in the size of the program, times the classes at an endpoint that admit messages of one
    /// source.
    static Expected<std::unique_ptr<Lowered>, std::string> of(MessageIndex const& messages, Buffering buffering,
                                                              Calls calls = Calls::as_buffered);
    Lowered(Lowered const&) = delete;
    Lowered& operator=(Lowered const&) = delete;

    /// The plain program, and the buffering that it runs with.
    MessageIndex const& messages() const { return *plain_messages_; }
    Buffering buffering() const { return buffering_; }

    /// An execution of the plain program as one of the program. `to_the_end`: it also executes commands that the plain
    /// program leaves out, where it can.
    Schedule raised(Schedule const& schedule, bool to_the_end = true) const;
    /// A match set of the plain program.
    Matching raised(Matching const& matching) const;
    /// A receive or a send of the plain program, by number; none if it is part of a barrier.
    std::optional<std::uint32_t> raised_receive(std::uint32_t r) const { return receive_of_[r]; }
    std::optional<std::uint32_t> raised_send(std::uint32_t s) const { return send_of_[s]; }
    /// Calls::may_refuse: a collective that may return before all members have called.
    struct Return {
        Action call;                          // of the program
        std::uint32_t send;                   // of the plain program, to nobody: its wait is where the call returns
        std::optional<std::uint32_t> meeting; // of meetings(); none if some member never calls
    };
    std::vector<Return> const& returns() const { return returns_; }
    /// The commands of the plain program that come first in calls that belong together, one for each member. When they
    /// are executed, all have called.
    std::vector<std::vector<Location>> const& meetings() const { return meetings_; }
    /// The command that a command of the plain program is, or is a part of.
    Location raised(Location rho) const { return {part_of_[rho.index]}; }

private:
    friend class Lowering;
    Lowered(MessageIndex const& messages, Buffering of_program, Buffering buffering)
        : messages_(messages), of_program_(of_program), buffering_(buffering) {}
    void index();

    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    MessageIndex const& messages_;
    Buffering of_program_;
    Buffering buffering_; // of the plain program
    Program program_;
    std::optional<IndexedProgram> code_;
    std::optional<MessageIndex> plain_messages_;
    std::vector<std::uint32_t> original_; // command of the plain program -> of the program; none
    std::vector<std::uint32_t> part_of_;  // command of the plain program -> the command that it is a part of
    std::vector<bool> is_left_out_;       // command of the program
    std::vector<std::optional<std::uint32_t>> receive_of_;
    std::vector<std::optional<std::uint32_t>> send_of_;
    std::vector<Return> returns_;
    std::vector<std::vector<Location>> meetings_;
};

} // namespace matchpoint::lowering
