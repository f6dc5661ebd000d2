// How the recording of a rank ends: what the rank waits for, and what nothing completes.
#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "record/rank_reader.hpp"

namespace matchpoint::record {

namespace {

/// "from rank 1, tag 0"
template <typename Source>
std::string asked_for(std::optional<Source> const& source, Selector const& tag) {
    return fmt::format("from {}, {}", source ? fmt::format("rank {}", *source) : std::string("any rank"),
                       tag ? fmt::format("tag {}", *tag) : std::string("any tag"));
}

} // namespace

std::string RankReader::in_words(Request const& request) const {
    std::string text = "a collective call";
    if (to_.api == Api::mpi && request.is_receive) {
        text = "a receive " + asked_for(request.source, request.tag);
    } else if (request.is_receive) {
        text = "a receive";
    } else if (!request.is_collective) {
        text = "a send";
        auto const* const send =
            request.calls.empty() ? nullptr : std::get_if<importers::Send>(&process_.calls[request.calls.front()].what);
        if (send != nullptr && to_.api == Api::mpi) text += fmt::format(" to rank {}, tag {}", send->to, send->tag);
    }
    bool const is_here = request.at.file == blocked_.at.file && request.at.line == blocked_.at.line;
    if (!is_here && request.at.line != 0) text += fmt::format(", begun at {}:{}", request.at.file, request.at.line);
    return text;
}

std::string RankReader::blocked_in_words() const {
    if (!blocked_.in.empty()) return blocked_.in;
    if (blocked_.in_command)
        return "in MPI_Probe for a message " + asked_for(probes_.back().source, probes_.back().tag);
    if (!blocked_.probe.empty())
        return fmt::format("for a message {} in a loop of probes",
                           asked_for(blocked_.probe.front().from, blocked_.probe.front().tag));
    constexpr std::size_t most = 4;
    auto const& requests = blocked_.requests;
    if (blocked_.join) return fmt::format("for the end of its thread {}", *blocked_.join);
    if (requests.empty()) return {};
    std::string text = blocked_.in_detach ? "in MPI_Buffer_detach " : "";
    text += requests.size() > 1 ? "for several requests" : "for ";
    std::string_view separator = requests.size() > 1 ? ": " : "";
    for (std::size_t i = 0; i < requests.size() && i < most; ++i) {
        auto const found = requests_.find(requests[i]);
        text += fmt::format("{}{}", std::exchange(separator, "; "),
                            found == requests_.end() ? "a request" : in_words(found->second));
    }
    if (requests.size() > most) text += fmt::format("; {} more", requests.size() - most);
    return blocked_.in_tests ? text + " in a loop of tests" : text;
}

void RankReader::finish() {
    if (rank_.breaks_off && rank_.end == RankEnd::finalized) rank_.end = RankEnd::elsewhere;
    for (auto const& [number, r] : requests_) requests_of_[r.thread].push_back(number);
    if (has_several_) {
        finish_threads();
    } else {
        if (rank_.breaks_off || has_threads_) blocked_ = {}; // it may go on
        finish_thread();
        add_process();
    }
    to_.ranks.push_back(std::move(rank_));
}

void RankReader::finish_thread() {
    rank_.blocked_in = blocked_in_words();
    bool const is_blocked = !rank_.blocked_in.empty();
    if (blocked_.in_tests) wait_at_ = blocked_.at;
    for (importers::Test& test : blocked_.test) add(std::move(test), blocked_.at);
    std::size_t const before = process_.calls.size();
    for (importers::Receive const& r : blocked_.probe) {
        CallId const id{rank_.number, probed_++, CallId::Kind::probe};
        add(importers::Probe{id, r.from, r.tag, r.communicator, false}, blocked_.at);
    }
    if (blocked_.join) add(importers::Await{flag("ended", *blocked_.join)}, blocked_.at);
    auto const& all = blocked_.requests;
    if (!blocked_.waits_for_all && all.size() > 1) rank_.or_for = calls_of({all.begin() + 1, all.end()});
    for (std::uint32_t const number : blocked_.requests) {
        auto const found = requests_.find(number);
        // A matched probe waits itself.
        bool const is_in_probe = found != requests_.end() && found->second.is_matched && !found->second.has_started;
        if (is_in_probe)
            blocked_.in_command = true;
        else
            wait_for(number);
        if (!blocked_.waits_for_all) break;
    }
    chosen_ = {};
    rank_.pending = static_cast<std::uint32_t>(process_.calls.size() - before) + (blocked_.in_command ? 1 : 0);
    if (rank_.end == RankEnd::elsewhere && is_blocked) {
        rank_.end = RankEnd::blocked;
        rank_.blocked_at = blocked_.at;
        rank_.is_in_window = blocked_.in_window;
        if (blocked_.in_window)
            to_.gaps.push_back({rank_.number, blocked_.at, blocked_.in.substr(blocked_.in.find(' ') + 1),
                                "the rank waits in this call, which is not recorded before it returns"});
        rank_.on_the_way = blocked_.on_the_way;
    }
    if (rank_.end == RankEnd::blocked)
        wait_for_what_is_posted();
    else
        leave_out_what_nothing_completes();
}

void RankReader::add_process() {
    to_.calls.processes.push_back(std::move(process_));
    mendings_.push_back(std::move(mending_));
}

void RankReader::wait_for_what_is_posted() {
    for (std::uint32_t const number : requests_of_[thread_])
        if (Request const& r = requests_.at(number); r.is_receive && !r.is_waited_for) {
            std::size_t const before = process_.calls.size();
            wait_for(number);
            auto const more = static_cast<std::uint32_t>(process_.calls.size() - before);
            rank_.pending += more;
            rank_.posted += more;
        }
}

namespace {

/// What the receives admit that are waited for.
struct Admitted {
    std::set<Selector> sources, tags;
    std::set<std::pair<Selector, Selector>> both;

    /// Whether one of them admits no more than this.
    bool has_one_within(Selector const& source, Selector const& tag) const {
        if (!source && !tag) return !both.empty();
        if (!source) return tags.contains(tag);
        return tag ? both.contains({source, tag}) : sources.contains(source);
    }
};

} // namespace

void RankReader::leave_out_what_nothing_completes() {
    std::map<std::uint32_t, Admitted> admitted;            // communicator -> by the receives after the current one
    std::vector<std::pair<Request const*, bool>> left_out; // and whether there are such receives
    auto const& own = requests_of_[thread_];
    for (auto at = own.rbegin(); at != own.rend(); ++at) {
        Request const& r = requests_.at(*at);
        if (!r.is_receive) continue;
        if (r.is_matched) {
            if (!r.is_waited_for) leave_out_matched(r);
            continue;
        }
        if (!r.is_waited_for) rank_.open_receives.push_back({r.communicator, r.source, r.tag});
        Admitted& behind = admitted[r.communicator];
        if (r.is_waited_for) {
            behind.sources.insert(r.source);
            behind.tags.insert(r.tag);
            behind.both.emplace(r.source, r.tag);
        } else if (!behind.has_one_within(r.source, r.tag)) {
            left_out.emplace_back(&r, !behind.both.empty());
        }
    }
    std::reverse(left_out.begin(), left_out.end());
    for (auto const& [r, matters] : left_out) {
        for (std::uint32_t const call : r->calls) leave_out(call);
        (matters ? to_.gaps : to_.remarks)
            .push_back({rank_.number, r->at, to_.api == Api::mpi ? "MPI_Irecv" : "mcapi_msg_recv_i",
                        "nothing waits for this receive; it is left out"});
    }
}

/// A matched probe remains as a probe.
void RankReader::leave_out_matched(Request const& r) {
    std::uint32_t const call = r.calls.front();
    auto& probe = std::get<importers::Probe>(process_.calls[call].what);
    probe.matches = false;
    for (std::uint32_t i = call; i < process_.calls.size(); ++i)
        if (auto const* const s = std::get_if<importers::Start>(&process_.calls[i].what);
            s != nullptr && s->call == call)
            leave_out(i);
    to_.gaps.push_back({rank_.number, r.at, r.is_probed ? "MPI_Irecv" : "MPI_Mprobe",
                        "the rank does not wait for the receive of what was probed; the receive is left out"});
}

} // namespace matchpoint::record
