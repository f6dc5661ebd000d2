#include "record/rank_threads.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "importers/call_id.hpp"
#include "record/rank_reader.hpp"

namespace matchpoint::record {

namespace {

constexpr std::string_view first_line = "\nthread ";
constexpr std::string_view from_here_on = "; what this rank does from here on is not recorded";
constexpr std::string_view left_out = ": what this rank does from here on is left out";

/// Takes the next word of a line.
std::string_view next_word(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    std::string_view const word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    return word;
}

std::optional<std::uint32_t> next_number(std::string_view& line) { return to_number<std::uint32_t>(next_word(line)); }

/// How many words precede the requests of a line, and whether there may be several; none if it has none.
std::optional<std::pair<int, bool>> requests_in(std::string_view word, std::string_view line) {
    if (word == "wait" || word == "any" || word == "some") return std::pair(1, true);
    if (word == "poll" || word == "polled") {
        std::string_view kind = line;
        for (int i = 0; i < 2; ++i) next_word(kind);
        if (next_word(kind) == "seen") return std::nullopt;
        return std::pair(word == "poll" ? 4 : 3, true);
    }
    for (std::string_view const of_one : {"sent", "got", "matched", "start", "done", "dropped", "cancel"})
        if (word == of_one) return std::pair(0, false);
    return std::nullopt;
}

bool lets_in(std::optional<std::int64_t> const& selector, std::int64_t n) { return !selector || *selector == n; }

} // namespace

// ---- reading --------------------------------------------------------------------------------------------------------

void RankReader::look_for_threads(std::string_view text) {
    if (text.find(first_line) == std::string_view::npos) return;
    // Programs with remote memory access have one thread for each rank.
    if (text.find("\nrma ") != std::string_view::npos) threads_wanted_ = Threads::one_only;
    has_several_ = threads_wanted_ == Threads::apart;
    constexpr std::string_view start = "\nstarted ";
    for (std::size_t at = text.find(start); has_several_ && at != std::string_view::npos;
         at = text.find(start, at + 1)) {
        std::string_view line = text.substr(at + start.size());
        line = line.substr(0, line.find('\n'));
        auto const thread = next_number(line);
        auto const begun_by = next_number(line);
        auto const after = next_number(line);
        if (thread && begun_by && after) starts_.emplace(*after, std::pair(*begun_by, *thread));
    }
}

std::string RankReader::flag(std::string_view what, std::uint32_t thread) const {
    return fmt::format("{}_{}_{}", what, rank_.number, thread);
}

void RankReader::switch_to(std::uint32_t thread) {
    if (thread == thread_) return;
    parked_[thread_] = {std::move(process_),         std::move(mending_),        std::move(probes_),
                        std::exchange(wait_at_, {}), std::exchange(chosen_, {}), std::exchange(blocked_, {})};
    thread_ = thread;
    auto const [found, is_new] = parked_.try_emplace(thread);
    process_ = std::move(found->second.process);
    mending_ = std::move(found->second.mending);
    probes_ = std::move(found->second.probes);
    wait_at_ = std::move(found->second.wait_at);
    chosen_ = std::move(found->second.chosen);
    blocked_ = std::move(found->second.blocked);
    if (!is_new) return;
    process_ = {thread, {file_, number_}, {}, rank_.number};
    mending_ = {};
    probes_.clear();
}

void RankReader::add_to(std::uint32_t thread, auto what, SourceLine const& at) {
    std::uint32_t const current = thread_;
    SourceLine last_call = rank_.last_call;
    switch_to(thread);
    add(std::move(what), at);
    switch_to(current);
    rank_.last_call = std::move(last_call);
}

void RankReader::raise_starts() {
    while (number_ > 2 && !starts_.empty() && starts_.begin()->first < number_) {
        auto const [by, thread] = starts_.begin()->second;
        starts_.erase(starts_.begin());
        add_to(by, importers::Raise{flag("started", thread)}, {});
    }
}

void RankReader::started(Scanner& line) {
    std::uint32_t const thread = small(line, "the number of a thread");
    ThreadLife life;
    life.begun_by = small(line, "the number of a thread");
    life.after = small(line, "a number of lines");
    if (line.fault() || !has_several_) return;
    bool const is_known = life.begun_by == 0 || lives_.contains(life.begun_by);
    if (thread == 0 || !is_known || life.after >= number_ || !lives_.emplace(thread, life).second)
        return line.fail("I2", {}, fmt::format("thread {} cannot begin so", thread));
    to_.calls.flags.push_back(flag("started", thread));
    add_to(thread, importers::Await{flag("started", thread)}, {});
}

void RankReader::thread(Scanner& line) {
    std::uint32_t const thread = small(line, "the number of a thread");
    SourceLine const from = at(line);
    if (line.fault()) return;
    if (!has_several_)
        return cut(from, threads_wanted_ == Threads::apart
                             ? fmt::format("calls from several threads of a rank with windows{}", from_here_on)
                             : fmt::format("calls from several threads are recorded, and not replayed{}", left_out));
    auto const life = lives_.find(thread);
    if (thread != 0 && life == lives_.end()) return line.fail("I2", {}, fmt::format("thread {} has not begun", thread));
    if (thread != 0 && !from.file.empty()) life->second.begins_at = from;
    switch_to(thread);
}

void RankReader::ended(Scanner& line) {
    std::uint32_t const thread = small(line, "the number of a thread");
    if (!line.fault()) ended_.emplace(thread, number_);
}

void RankReader::joins(Scanner& line) {
    std::uint32_t const waiting = small(line, "the number of a thread");
    std::uint32_t const ends = small(line, "the number of a thread");
    SourceLine const from = at(line);
    if (line.fault() || !has_several_) return;
    if ((waiting != 0 && !lives_.contains(waiting)) || !lives_.contains(ends))
        return line.fail("I2", {}, fmt::format("thread {} cannot wait for thread {}", waiting, ends));
    std::uint32_t const current = thread_;
    switch_to(waiting);
    blocked_ = {};
    blocked_.join = ends;
    blocked_.at = from;
    switch_to(current);
}

void RankReader::joined(Scanner& line) {
    std::uint32_t const waiting = small(line, "the number of a thread");
    std::uint32_t const ends = small(line, "the number of a thread");
    if (line.fault() || !has_several_) return;
    std::uint32_t const current = thread_;
    auto const life = lives_.find(ends);
    if (life == lives_.end() || (waiting != 0 && !lives_.contains(waiting)))
        return line.fail("I2", {}, fmt::format("thread {} cannot wait for thread {}", waiting, ends));
    switch_to(waiting);
    add(importers::Await{flag("ended", ends)}, blocked_.at);
    blocked_ = {};
    switch_to(current);
    life->second.joined_by = waiting;
    life->second.joined_at = number_;
}

void RankReader::seen_by_thread() {
    Probe const& p = probes_.back();
    auto const from = static_cast<std::uint32_t>(p.seen_source);
    std::get<importers::Probe>(process_.calls[p.call].what).seen = {from, p.seen_tag};
    process_.calls[p.call].place.line = number_;
    seen_.push_back({thread_, number_, p.at, p.communicator, from, p.seen_tag});
    rank_.taken.push_back({p.id, from, p.seen_tag, p.communicator});
    probes_.pop_back();
}

void RankReader::returned(std::uint32_t number) {
    auto const found = has_several_ ? requests_.find(number) : requests_.end();
    if (found == requests_.end() || found->second.calls.empty()) return;
    Call& call = process_.calls[found->second.calls.front()];
    auto const* const collective = std::get_if<importers::Collective>(&call.what);
    if (collective == nullptr || collective->call.blocks) call.place.line = number_;
}

std::string_view RankReader::why_not_told(std::string_view word, std::string_view rest) const {
    constexpr std::string_view of_others =
        "a call for a request of another thread; what this rank does from here on is "
        "not recorded";
    auto const is_others = [&](std::optional<std::uint32_t> const& request) {
        auto const found = request ? requests_.find(*request) : requests_.end();
        return found != requests_.end() && found->second.thread != thread_;
    };
    if (word == "detach" && std::any_of(buffered_.begin(), buffered_.end(), is_others)) return of_others;
    auto const where = requests_in(word, rest);
    if (!where) return "";
    for (int i = 0; i < where->first; ++i) next_word(rest);
    bool is_one = is_others(next_number(rest));
    while (where->second && !is_one && rest.find_first_not_of(' ') != std::string_view::npos)
        is_one = is_others(next_number(rest));
    return is_one ? of_others : "";
}

void RankReader::cut(SourceLine const& from, std::string why) {
    is_cut_ = rank_.breaks_off = true;
    to_.gaps.push_back(
        {rank_.number, from.file.empty() ? rank_.last_call : from, std::string(recorder), std::move(why)});
}

draft::Expression RankReader::as_seen_here(draft::Expression e) {
    if (!has_several_) return e;
    for (draft::Node& node : e.nodes) {
        auto const* const x = std::get_if<draft::Variable>(&node);
        auto const known = x == nullptr ? known_.end() : known_.find(x->text);
        if (known == known_.end() || known->second.thread == thread_) continue;
        to_.has_concrete_values = true;
        if (!known->second.value)
            to_.gaps.push_back({rank_.number, rank_.last_call, "MPI_THREAD_MULTIPLE",
                                "a value that another thread has computed is not known"});
        node = Value::integer(known->second.value.value_or(0));
    }
    return e;
}

// ---- the end --------------------------------------------------------------------------------------------------------

void RankReader::finish_threads() {
    std::vector<std::uint32_t> threads{0};
    for (auto const& [thread, life] : lives_) threads.push_back(thread);
    std::set<std::uint32_t> awaited; // their ends
    for (auto const& [thread, life] : lives_)
        if (life.joined_by) awaited.insert(thread);
    bool all_wait = rank_.end == RankEnd::elsewhere && !rank_.breaks_off && !has_threads_;
    for (std::uint32_t const thread : threads) {
        switch_to(thread);
        all_wait = all_wait && (ended_.contains(thread) || !blocked_in_words().empty());
    }
    for (std::uint32_t const thread : threads) {
        switch_to(thread);
        if (!all_wait) blocked_ = {}; // it may go on
        if (blocked_.join) awaited.insert(*blocked_.join);
    }
    for (std::uint32_t const thread : awaited) {
        to_.calls.flags.push_back(flag("ended", thread));
        if (!ended_.contains(thread)) continue;
        std::uint32_t const last = std::exchange(number_, ended_.at(thread));
        add_to(thread, importers::Raise{flag("ended", thread)}, {});
        number_ = last;
    }
    RankEnd const end = rank_.end;
    for (std::uint32_t const thread : threads)
        if (thread != 0) finish_further(thread, end);
    switch_to(0); // Rank says how this one ends, so it comes last
    rank_.end = end;
    rank_.waits_for_end_of = blocked_.join;
    rank_.has_ended = ended_.contains(0);
    finish_thread();
    add_process();
    if (all_wait) rank_.end = RankEnd::blocked;
    find_contested_probes();
}

void RankReader::finish_further(std::uint32_t thread, RankEnd end) {
    switch_to(thread);
    auto const join = blocked_.join;
    rank_.end = end;
    finish_thread();
    add_process();
    rank_.further.push_back({thread, 0, lives_.at(thread).begins_at, ended_.contains(thread),
                             std::exchange(rank_.blocked_in, {}), std::exchange(rank_.blocked_at, {}),
                             std::exchange(rank_.pending, 0), std::exchange(rank_.posted, 0), join,
                             !std::exchange(rank_.or_for, {}).empty()});
}

bool RankReader::is_ordered(Admitting const& other, SeenByProbe const& probe, std::uint32_t taken_at) const {
    auto const life = [&](std::uint32_t thread) {
        auto const found = lives_.find(thread);
        return found == lives_.end() ? ThreadLife() : found->second;
    };
    ThreadLife const a = life(probe.thread), b = life(other.thread);
    bool const a_is_further = probe.thread != 0, b_is_further = other.thread != 0;
    // The other thread has ended before the probe, or begins after the receive.
    if (b_is_further && b.joined_by &&
        (*b.joined_by == probe.thread ? b.joined_at < probe.line
                                      : a_is_further && *b.joined_by == a.begun_by && b.joined_at <= a.after))
        return true;
    if (b_is_further && (b.begun_by == probe.thread
                             ? b.after >= taken_at
                             : a_is_further && a.joined_by && *a.joined_by == b.begun_by && a.joined_at <= b.after))
        return true;
    // It has created this thread later, or has waited for its end before.
    if (a_is_further && a.begun_by == other.thread && other.line <= a.after) return true;
    return a_is_further && a.joined_by && *a.joined_by == other.thread && other.line >= a.joined_at;
}

void RankReader::find_contested_probes() {
    std::size_t most = 2'000'000; // pairs of calls
    std::set<std::pair<SourceLine, SourceLine>> said;
    for (auto p = seen_.begin(); p != seen_.end(); ++p) {
        auto const admits_it = [&](Admitting const& c) {
            return c.communicator == p->communicator && lets_in(c.from, p->from) && lets_in(c.tag, p->tag);
        };
        auto const taken = std::find_if(admitting_.begin(), admitting_.end(), [&](Admitting const& c) {
            return c.takes && c.thread == p->thread && c.line > p->line && admits_it(c);
        });
        if (taken == admitting_.end()) continue;
        if (most < admitting_.size()) return;
        most -= admitting_.size();
        for (Admitting const& other : admitting_) {
            if (other.thread == p->thread || !admits_it(other) || is_ordered(other, *p, taken->line)) continue;
            if (!said.emplace(p->at, other.at).second) continue;
            Finding f{FindingKind::probe_race, rank_.number, p->at, "MPI_Probe", ""};
            f.other = {rank_.number, other.at};
            f.is_predicted = true;
            f.text = other.takes ? "another thread can receive the message that it has seen"
                                 : "another thread's probe can see the message that it has seen, and only one of them "
                                   "can receive it";
            to_.seen.push_back(std::move(f));
        }
    }
}

// ---- all ranks ------------------------------------------------------------------------------------------------------

namespace {

/// The program wants one thread of each rank for a communicator. Collective calls match by their turns: so where a rank
/// goes on with another thread, all ranks go on with another communicator, of the same members.
void part_communicators(Recording& recording, std::map<std::uint32_t, std::vector<std::uint32_t>>& members) {
    using Turn = std::pair<std::uint32_t, std::uint32_t>;            // communicator, turn
    std::map<std::pair<std::uint32_t, std::uint32_t>, Turn> turn_of; // rank, number of the call
    for (Rank const& rank : recording.ranks)
        for (CarriedData const& c : rank.carried) turn_of[{rank.number, c.call}] = {c.communicator, c.turn};
    std::map<std::pair<std::uint32_t, Turn>, std::uint32_t> caller; // rank, which call -> thread of the program
    for (importers::Process const& p : recording.calls.processes)
        for (Call const& call : p.calls)
            if (auto const* const c = std::get_if<importers::Collective>(&call.what))
                caller[{p.owner(), turn_of.at({p.owner(), c->id.number})}] = p.number;
    std::map<std::uint32_t, std::set<std::uint32_t>>
        changes; // communicator -> turns at which a rank has another thread
    for (auto at = caller.begin(); at != caller.end(); ++at) {
        auto const next = std::next(at);
        auto const& [rank, turn] = at->first;
        if (next != caller.end() && next->first.first == rank && next->first.second.first == turn.first &&
            next->second != at->second)
            changes[turn.first].insert(next->first.second.second);
    }
    for (importers::Process& p : recording.calls.processes)
        for (Call& call : p.calls) {
            auto* const c = std::get_if<importers::Collective>(&call.what);
            auto const found = c == nullptr ? changes.end() : changes.find(c->communicator);
            if (found == changes.end()) continue;
            std::uint32_t const turn = turn_of.at({p.owner(), c->id.number}).second;
            auto const part = std::distance(found->second.begin(), found->second.upper_bound(turn));
            if (part == 0) continue;
            std::uint32_t const whole = c->communicator;
            c->communicator = recording.calls.communicators(
                fmt::format("{}/{}", std::string(recording.calls.communicators.names()[whole]), part + 1));
            members[c->communicator] = members.at(whole);
        }
}

/// communicator, from, to, tag
using Route = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t>;

/// How many messages ranks have sent on each route.
std::map<Route, std::size_t> messages_sent(Recording const& recording) {
    std::map<Route, std::size_t> sent;
    for (Rank const& rank : recording.ranks)
        for (Message const& m : rank.messages)
            if (m.is_send) ++sent[{m.communicator, rank.number, m.peer, m.tag}];
    return sent;
}

/// Probes of two threads have seen a message, and there was only one.
void find_messages_seen_twice(Recording& recording) {
    struct Seen {
        std::uint32_t thread; // of the program
        SourceLine at;
    };
    std::map<CallId, Seen> probes;
    for (importers::Process const& p : recording.calls.processes)
        for (Call const& call : p.calls)
            if (auto const* const probe = std::get_if<importers::Probe>(&call.what);
                probe != nullptr && !probe->matches)
                probes[probe->id] = {
                    p.number, call.original ? SourceLine{recording.calls.original_files.names()[call.original->file],
                                                         call.original->line}
                                            : SourceLine()};
    auto const sent = messages_sent(recording);
    std::set<std::uint32_t> broken; // ranks that may have sent more
    for (Rank const& rank : recording.ranks)
        if (rank.breaks_off) broken.insert(rank.number);
    for (Rank const& rank : recording.ranks) {
        if (rank.further.empty()) continue;
        std::map<Route, Seen> first;
        for (Taken const& t : rank.taken) {
            auto const probe = probes.find(t.receive);
            if (probe == probes.end()) continue;
            Route const route{t.communicator, t.from, rank.number, t.tag};
            auto const [before, is_new] = first.emplace(route, probe->second);
            if (is_new || before->second.thread == probe->second.thread || broken.contains(t.from)) continue;
            if (auto const n = sent.find(route); n == sent.end() || n->second != 1) continue;
            Finding f{FindingKind::probe_race, rank.number, probe->second.at, "MPI_Probe", ""};
            f.other = {rank.number, before->second.at};
            f.text = fmt::format("it has seen the message of rank {} that another thread's probe has seen as well, and "
                                 "only one of them can receive it",
                                 t.from);
            recording.seen.push_back(std::move(f));
        }
    }
}

} // namespace

void number_further_threads(Recording& recording, std::map<std::uint32_t, std::vector<std::uint32_t>>& members,
                            importers::Reports& reports) {
    if (!recording.has_further_threads()) return;
    std::uint64_t next = recording.ranks.front().ranks;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> number_of; // rank, thread of it
    for (Rank& rank : recording.ranks)
        for (FurtherThread& f : rank.further) {
            if (next > importers::max_process)
                return reports.error("limit", {0, 1, no_offset, 1}, "the ranks have too many threads");
            f.thread = static_cast<std::uint32_t>(next++);
            number_of[{rank.number, f.number}] = f.thread;
        }
    for (importers::Process& p : recording.calls.processes)
        if (p.of) p.number = number_of.at({*p.of, p.number});
    part_communicators(recording, members);
    find_messages_seen_twice(recording);
    auto const name_join = [&](std::uint32_t rank, std::optional<std::uint32_t> const& join, std::string& words) {
        if (join && !words.empty()) words = fmt::format("for the end of thread {}", number_of.at({rank, *join}));
    };
    for (Rank& rank : recording.ranks) {
        name_join(rank.number, rank.waits_for_end_of, rank.blocked_in);
        for (FurtherThread& f : rank.further) name_join(rank.number, f.waits_for_end_of, f.blocked_in);
        if (rank.end == RankEnd::blocked && rank.blocked_in.empty()) rank.blocked_in = "for its other threads";
    }
}

} // namespace matchpoint::record
