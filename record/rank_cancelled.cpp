// What a rank cancels (MPI-3.1, Section 3.8.4). Whether MPI_Cancel of a receive comes in time is a choice of time: it
// looks at the messages that the receive could match, as MPI_Iprobe does.
//
//   in time     no message is there; the receive is withdrawn, and an assumption takes its place in the program
//   too late    a message has matched the receive by then
#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "record/rank_reader.hpp"

namespace matchpoint::record {

void RankReader::cancel(Scanner& line) {
    std::uint32_t const number = request(line);
    auto const found = requests_.find(number);
    bool const is_there = found != requests_.end() && !found->second.calls.empty();
    Call* const issued = is_there ? &process_.calls[found->second.calls.front()] : nullptr;
    if (issued != nullptr && std::holds_alternative<importers::Send>(issued->what))
        cancel_send(last_message(number), found->second, std::get<importers::Send>(issued->what));
    else if (issued != nullptr && found->second.is_receive && !found->second.is_waited_for)
        cancel_receive(line, number);
    else
        line.fail("I2", {}, fmt::format("{} is not a pending send or receive of this rank", number));
}

/// A wait for a send that was cancelled returns, whatever other ranks do. If the library does not take it back, it is a
/// buffered send.
void RankReader::cancel_send(Message* message, Request& request, importers::Send& send) {
    send.mode = Mode::buffered;
    request.is_buffered = true;
    if (message != nullptr) message->is_cancelled = true;
}

void RankReader::cancel_receive(Scanner& line, std::uint32_t number) {
    SourceLine const from = at(line);
    std::uint64_t const is_late = line.number("0 or 1", 1);
    if (line.fault()) return;
    Request& request = requests_[number];
    auto const* const receive = std::get_if<importers::Receive>(&process_.calls[request.calls.front()].what);
    if (receive == nullptr || request.is_probed || request.thread != thread_) {
        to_.gaps.push_back({rank_.number, from, "MPI_Cancel",
                            request.thread != thread_ ? "it cancels a receive of another thread"
                                                      : "it cancels the receive of what a probe saw"});
        return;
    }
    importers::Test test{ChoiceOfTime::Of::seen, {}, is_late == 1, is_late == 1 ? 0u : 1u};
    test.name = cancellation_of(receive->id);
    test.probe = {*receive};
    add(std::move(test), from);
    wait_at_ = from;
    if (is_late == 1) return wait_for(number);
    if (may_have_been_passed_over(number))
        to_.gaps.push_back({rank_.number, from, "MPI_Cancel",
                            "the rank received the same messages, or probed for some, while this receive was posted; "
                            "that they came after MPI_Cancel is not modelled"});
    if (Message* const m = last_message(number)) m->is_dropped = true;
    std::uint32_t const call = request.calls.front();
    Call in_its_place = process_.calls[call];
    in_its_place.what = importers::Assume{draft::truth(true)};
    mending_.by[call] = {std::move(in_its_place)};
    requests_.erase(number);
}

/// Whether the rank has completed another receive of the same messages since, or may have seen one of them: without the
/// receive, executions would be possible that are not.
bool RankReader::may_have_been_passed_over(std::uint32_t number) const {
    Request const& r = requests_.at(number);
    auto const meets = [](Selector const& a, Selector const& b) { return !a || !b || *a == *b; };
    return r.probes_before != probed_ ||
           std::any_of(std::next(requests_.find(number)), requests_.end(), [&](auto const& later) {
               Request const& other = later.second;
               return other.is_receive && other.is_waited_for && other.communicator == r.communicator &&
                      meets(r.source, other.source) && meets(r.tag, other.tag);
           });
}

Message* RankReader::last_message(std::uint32_t number) {
    auto const m = std::find_if(rank_.messages.rbegin(), rank_.messages.rend(),
                                [&](Message const& other) { return other.call == number; });
    return m == rank_.messages.rend() ? nullptr : &*m;
}

} // namespace matchpoint::record
