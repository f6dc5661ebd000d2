// Whether threads can be about to execute some commands at the same time, as a program that fails exactly if they can:
// these threads end there and count that they have arrived, and another thread waits for all of them and fails. No
// assertion of the program fails there.
//
//   Meeting const meeting(code, {first, second});
//   CheckResult const r = check(meeting.messages(), options);
//   if (r.verdict == Verdict::violated) schedule = meeting.raised(r.run->schedule); // of the program itself
#pragma once

#include <optional>
#include <vector>

#include "machine/schedule.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::check {

class Meeting {
public:
    /// The program has no messages and barriers, and no divisor can be zero. The commands are of different threads, and
    /// there are some.
    Meeting(IndexedProgram const& code, std::vector<std::uint32_t> const& commands);
    Meeting(Meeting const&) = delete;
    Meeting& operator=(Meeting const&) = delete;

    MessageIndex const& messages() const { return *messages_; }
    /// The commands of the program in an execution of the meeting.
    Schedule raised(Schedule const& schedule) const;

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    void add(Command c, std::uint32_t original);

    Program program_;
    std::vector<std::uint32_t> original_; // command -> of the program; none
    std::optional<IndexedProgram> code_;
    std::optional<MessageIndex> messages_;
};

} // namespace matchpoint::check
