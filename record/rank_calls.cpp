// The calls of a rank: sends and receives, probes, collective calls.
#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "record/rank_reader.hpp"

namespace matchpoint::record {

namespace {

/// Of MPI_Ibcast that of MPI_Bcast. Functions that are no collective of the language make communicators.
CollectiveKind kind_of(std::string_view function, bool is_nonblocking) {
    std::string name(function.substr(is_nonblocking ? 5 : 4)); // without MPI_I or MPI_
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return grammar::collective_kind(name).value_or(CollectiveKind::construct);
}

bool is_nonblocking(std::string_view function) {
    return function.starts_with("MPI_I") && function.size() > 5 && function[5] >= 'a' && function[5] <= 'z';
}

bool admits(Selector const& selector, std::int64_t n) { return !selector || *selector == n; }

} // namespace

// ---- calls

void RankReader::send(Scanner& line) {
    std::uint32_t const number = request(line);
    std::uint32_t place = 0;
    SourceLine const from = at(line, place);
    std::string_view const mode = line.word();
    Communicator const& c = communicator_of(line);
    std::uint32_t const to = line.process("a rank");
    std::int64_t const tag = integer(line, "a tag");
    draft::Expression value = payload(line);
    if (line.fault()) return;
    elements(line, {number, to, tag, c.index, place, no_signature, 0, true});
    importers::Send s{call(CallId::Kind::send, number), to, std::move(value), tag};
    s.mode = mode == "S"   ? Mode::synchronous
             : mode == "b" ? Mode::buffered
             : mode == "r" ? Mode::ready
                           : Mode::standard;
    s.communicator = c.index;
    bool const is_buffered = s.mode == Mode::buffered;
    Request& request = requests_[number];
    request = {{add(std::move(s), from)}, from, c.index};
    request.is_buffered = is_buffered;
    request.thread = thread_;
    if (is_buffered) buffered_.push_back(number);
}

void RankReader::receive(Scanner& line) {
    std::uint32_t const number = request(line);
    std::uint32_t place = 0;
    SourceLine const from = at(line, place);
    Communicator const& c = communicator_of(line);
    Selector const source = selector(line, "a rank");
    Selector const tag = selector(line, "a tag");
    if (line.fault()) return;
    elements(line, {number, 0, 0, c.index, place, no_signature, 0, false});
    if (has_several_) {
        admitting_.push_back({thread_, number_, from, c.index, source, tag, true});
        known_[received(number)] = {thread_, std::nullopt};
    } else if (receive_what_was_probed(number, c, source, tag, from)) {
        return;
    }
    contest(c.index, source, tag);
    Request& request = requests_[number];
    request = {{add(receive_of(number, c.index, source, tag), from)}, from, c.index, true};
    request.source = source;
    request.tag = tag;
    request.probes_before = probed_;
    request.thread = thread_;
}

void RankReader::matched_probe(Scanner& line) {
    std::uint32_t const number = request(line);
    std::uint32_t place = 0;
    SourceLine const from = at(line, place);
    Communicator const& c = communicator_of(line);
    Selector const source = selector(line, "a rank");
    Selector const tag = selector(line, "a tag");
    if (line.fault()) return;
    contest(c.index, source, tag);
    importers::Receive const r = receive_of(number, c.index, source, tag);
    Request& request = requests_[number];
    request = {{add(importers::Probe{r.id, r.from, r.tag, c.index, true}, from)}, from, c.index, true};
    request.is_matched = true;
    request.place = place;
    request.thread = thread_;
    if (has_several_) admitting_.push_back({thread_, number_, from, c.index, source, tag, true});
}

void RankReader::start(Scanner& line) {
    std::uint32_t const number = request(line);
    auto const found = requests_.find(number);
    if (found == requests_.end() || !found->second.is_matched || found->second.has_started)
        return line.fail("I2", {}, fmt::format("{} is no matched probe of this rank", number));
    elements(line, {number, 0, 0, found->second.communicator, found->second.place, no_signature, 0, false});
    start(number, found->second.at);
}

void RankReader::start(std::uint32_t number, SourceLine const& from) {
    Request& request = requests_[number];
    request.has_started = true;
    add(importers::Start{request.calls.front(), received(number)}, from);
}

void RankReader::send_to_endpoint(Scanner& line) {
    std::uint32_t const number = request(line);
    SourceLine const from = at(line);
    std::uint32_t const alpha = line.process("an endpoint");
    std::uint32_t const beta = line.process("an endpoint");
    draft::Expression value = payload(line);
    if (line.fault()) return;
    importers::Send s{call(CallId::Kind::send, number), beta, std::move(value)};
    s.from = alpha;
    requests_[number] = {{add(std::move(s), from)}, from};
}

void RankReader::receive_at_endpoint(Scanner& line) {
    std::uint32_t const number = request(line);
    SourceLine const from = at(line);
    std::uint32_t const beta = line.process("an endpoint");
    if (line.fault()) return;
    importers::Receive r = receive_of(number, 0, std::nullopt, std::nullopt);
    r.endpoint = beta;
    requests_[number] = {{add(std::move(r), from)}, from, beta, true};
}

importers::Receive RankReader::receive_of(std::uint32_t number, std::uint32_t communicator, Selector source,
                                          Selector tag) const {
    importers::Receive r;
    r.id = call(CallId::Kind::receive, number);
    if (source) r.from = static_cast<std::uint32_t>(*source);
    r.tag = tag;
    r.variable = variable_of(r.id);
    r.communicator = communicator;
    return r;
}

void RankReader::wait_for(std::uint32_t number) {
    auto const found = requests_.find(number);
    if (found == requests_.end() || found->second.is_waited_for) return;
    found->second.is_waited_for = true;
    if (found->second.is_matched && !found->second.has_started) start(number, found->second.at);
    for (std::uint32_t const call : found->second.calls)
        add(importers::Wait{call, chosen_.of, calls_of(chosen_.requests)}, wait_at_.value_or(found->second.at));
}

std::vector<CallId> RankReader::calls_of(std::vector<std::uint32_t> const& requests) const {
    std::vector<CallId> result;
    for (std::uint32_t const number : requests) {
        auto const found = requests_.find(number);
        if (found == requests_.end()) continue;
        for (std::uint32_t const call : found->second.calls)
            std::visit(
                [&](auto const& k) {
                    if constexpr (requires { k.id; }) result.push_back(k.id);
                },
                process_.calls[call].what);
    }
    return result;
}

void RankReader::wait(Scanner& line, bool all) {
    blocked_.at = at(line);
    wait_at_ = blocked_.at;
    while (!line.at_end() && !line.fault()) blocked_.requests.push_back(request(line));
    blocked_.waits_for_all = all;
    if (all || to_.api != Api::mpi) return;
    choose_among(blocked_.requests, "MPI_Waitany", blocked_.at);
    chosen_.of = ChoiceOfTime::Of::among;
    chosen_.requests = blocked_.requests;
}

void RankReader::polls(Scanner& line) {
    line.number("a number of tests", UINT64_MAX);
    wait_at_.reset();
}

void RankReader::wait_in_tests(std::string_view kind, SourceLine const& from,
                               std::vector<std::uint32_t> const& requests,
                               std::vector<importers::Receive> const& probe) {
    blocked_.at = from;
    blocked_.requests = requests;
    blocked_.waits_for_all = kind == "all";
    blocked_.in_tests = true;
    blocked_.probe = probe;
}

/// The next test of the group waits until it succeeds, in a replay.
void RankReader::awaits(Scanner& line) {
    Tests const before = std::exchange(tests_, Tests::wait);
    test(line, false, false);
    tests_ = before;
}

void RankReader::test(Scanner& line, bool result, bool has_count) {
    std::uint32_t const number = small(line, "the number of a group of tests");
    SourceLine const from = at(line);
    std::string_view const kind = line.word();
    using Of = ChoiceOfTime::Of;
    Of const of = kind == "all"     ? Of::all
                  : kind == "some"  ? Of::some
                  : kind == "among" ? Of::among
                  : kind == "seen"  ? Of::seen
                                    : Of::one;
    std::uint64_t const failed = result || !has_count ? 0 : line.number("a number of tests", UINT64_MAX);
    std::vector<std::uint32_t> requests;
    std::vector<importers::Receive> probe;
    if (kind == "seen") {
        Communicator const& c = communicator_of(line);
        Selector const source = selector(line, "a rank");
        probe = {receive_of(number, c.index, source, selector(line, "a tag"))};
    }
    while (!line.at_end() && !line.fault()) requests.push_back(request(line));
    if (line.fault()) return;
    choose_among(requests, "MPI_Test", from);
    auto const before = polls_.find(number);
    if (!result && tests_ == Tests::wait) wait_in_tests(kind, from, requests, probe);
    if (before != polls_.end() && !result) {
        if (has_count) std::get<importers::Test>(process_.calls[before->second].what).times = failed;
        return;
    }
    std::uint64_t const times = !result ? failed
                                : before == polls_.end()
                                    ? 0
                                    : std::get<importers::Test>(process_.calls[before->second].what).times;
    std::vector<CallId> calls = calls_of(requests);
    importers::Test test{of, std::move(calls), result, times};
    test.name = fmt::format("I{}_{}", rank_.number, number);
    test.probe = std::move(probe);
    if (!has_count) {
        blocked_.test = {std::move(test)};
        return;
    }
    std::uint32_t const call = add(std::move(test), from);
    if (!result) polls_[number] = call;
    if (!result || of == Of::seen) return;
    wait_at_ = from;
    chosen_.of = of;
    if (of == Of::among || of == Of::some) chosen_.requests = std::move(requests);
}

void RankReader::got(Scanner& line) {
    std::uint32_t const number = request(line);
    wait_for(number);
    taken(line, number);
    std::int64_t const value = integer(line, "a value"); // of a probe, it is known already what it took
    if (has_several_) known_[received(number)] = {thread_, value};
}

void RankReader::matched(Scanner& line) {
    std::uint32_t const number = request(line);
    taken(line, number);
    returned(number);
}

/// The call came to nothing: it was cancelled, or it failed. What has been waited for stays: it took a message.
void RankReader::dropped(Scanner& line) {
    std::uint32_t const number = request(line);
    auto const found = requests_.find(number);
    if (found == requests_.end()) return line.fail("I2", {}, fmt::format("{} is not a call of this rank", number));
    if (Message* const m = last_message(number)) m->is_dropped = true;
    if (found->second.is_waited_for) return;
    if (found->second.is_matched && found->second.has_started)
        leave_out_matched(found->second); // what was probed stays there
    else
        for (std::uint32_t const call : found->second.calls) leave_out(call);
    requests_.erase(found);
}

void RankReader::taken(Scanner& line, std::uint32_t number) {
    std::uint32_t const from = line.process("a rank");
    std::int64_t const tag = integer(line, "a tag");
    auto const found = requests_.find(number);
    if (found == requests_.end() || !found->second.is_receive)
        return line.fail("I2", {}, fmt::format("{} is not a receive of this rank", number));
    bool const is_known = std::exchange(found->second.is_taken, true) || found->second.is_probed;
    if (!is_known) rank_.taken.push_back({call(CallId::Kind::receive, number), from, tag, found->second.communicator});
}

// ---- probes

void RankReader::probe(Scanner& line) {
    blocked_.at = at(line);
    Communicator const& c = communicator_of(line);
    Probe p{0,
            blocked_.at,
            c.index,
            {rank_.number, probed_, CallId::Kind::probe},
            selector(line, "a rank"),
            selector(line, "a tag")};
    if (line.fault()) return;
    ++probed_;
    if (has_several_) admitting_.push_back({thread_, number_, p.at, c.index, p.source, p.tag, false});
    importers::Probe call{p.id, {}, p.tag, c.index, false};
    if (p.source) call.from = static_cast<std::uint32_t>(*p.source);
    p.call = add(call, p.at);
    blocked_.in_command = true;
    probes_.push_back(p);
}

void RankReader::seen(Scanner& line) {
    if (probes_.empty() || probes_.back().seen_source >= 0) return line.fail("syntax", {}, "`seen` without a probe");
    Probe& p = probes_.back();
    p.seen_source = line.process("a rank");
    p.seen_tag = integer(line, "a tag");
    if (has_several_) return seen_by_thread();
    // A program may look at the same message several times: the first look waits for it.
    for (std::size_t i = 0; i + 1 < probes_.size(); ++i) {
        Probe const& first = probes_[i];
        bool const is_same =
            first.communicator == p.communicator && first.seen_source == p.seen_source && first.seen_tag == p.seen_tag;
        bool const is_what_it_saw = p.source == Selector(p.seen_source) && p.tag == Selector(p.seen_tag);
        if (is_same && (is_what_it_saw || (p.source == first.source && p.tag == first.tag))) {
            leave_out(p.call);
            // An MPI_Iprobe has no choice then.
            auto* const test = p.call == 0 ? nullptr : std::get_if<importers::Test>(&process_.calls[p.call - 1].what);
            if (test != nullptr && !test->probe.empty()) {
                test->of = ChoiceOfTime::Of::one;
                test->probe.clear();
            }
            probes_.pop_back();
            return;
        }
    }
    p.taken = rank_.taken.size();
    rank_.taken.push_back({p.id, static_cast<std::uint32_t>(p.seen_source), p.seen_tag, p.communicator});
    Probe const kept = p;
    probes_.pop_back();
    contest(kept.communicator, kept.source, kept.tag);
    probes_.push_back(kept);
}

void RankReader::contest(std::uint32_t communicator, Selector const& source, Selector const& tag) {
    for (Probe& p : probes_)
        p.is_contested = p.is_contested ||
                         (p.communicator == communicator && admits(source, p.seen_source) && admits(tag, p.seen_tag));
}

bool RankReader::receive_what_was_probed(std::uint32_t number, Communicator const& c, Selector const& source,
                                         Selector const& tag, SourceLine const& from) {
    auto const p = std::find_if(probes_.begin(), probes_.end(), [&](Probe const& probe) {
        return probe.communicator == c.index && !probe.is_contested && source == Selector(probe.seen_source) &&
               (tag == Selector(probe.seen_tag) || tag == probe.tag);
    });
    if (p == probes_.end()) return false;
    CallId id = call(CallId::Kind::probed_receive, number);
    id.part = p->id.number;
    auto& matched = std::get<importers::Probe>(process_.calls[p->call].what);
    matched.id = id;
    matched.matches = true;
    rank_.taken[p->taken].receive = id;
    Request& request = requests_[number];
    request = {{p->call}, from, c.index, true};
    request.is_probed = request.is_matched = true;
    probes_.erase(p);
    start(number, from);
    return true;
}

// ---- collective calls

/// [op O] [type T] [count N ...]
CollectiveCall RankReader::said(Scanner& line) {
    CollectiveCall call;
    if (line.next_word() == "op") {
        line.word();
        call.op = line.word();
    }
    if (line.next_word() == "type") {
        line.word();
        call.type = name_of_type(line.word());
    }
    if (line.next_word() == "count") {
        line.word();
        while (!line.at_end() && !line.fault() && line.next_word() != "sends" && line.next_word() != "gets")
            call.counts.push_back(line.number("a count", UINT64_MAX));
    }
    return call;
}

/// [sends TYPE COUNT ...] [gets TYPE COUNT ...]; of MPI_Alltoallw, TYPE COUNT of each member.
std::vector<Share> RankReader::shares(Scanner& line, std::string_view word, bool has_types) {
    std::vector<Share> result;
    if (line.next_word() != word) return result;
    line.word();
    std::uint32_t type = has_types ? 0 : small(line, "the number of a type");
    while (!line.at_end() && !line.fault() && line.next_word() != "gets") {
        if (has_types) type = small(line, "the number of a type");
        std::uint64_t const count = line.number("a count", UINT64_MAX);
        auto const found = signatures_.find(type);
        if (count != 0 && found == signatures_.end() && !line.fault())
            line.fail("syntax", {}, fmt::format("type {} is not known", type));
        result.push_back({count == 0 || found == signatures_.end() ? no_signature : found->second, count});
    }
    return result;
}

void RankReader::collective(Scanner& line) {
    std::uint32_t const number = request(line);
    std::uint32_t place = 0;
    SourceLine const from = at(line, place);
    std::string const function(line.word());
    Communicator const& c = communicator_of(line);
    std::int64_t const root = integer(line, "a rank");
    std::optional<draft::Expression> value;
    if (line.next_word() == "-")
        line.word();
    else
        value = payload(line);
    CollectiveCall call = said(line);
    bool const waits_later = is_nonblocking(function);
    call.kind = kind_of(function, waits_later);
    bool const has_types = call.kind == CollectiveKind::alltoallw;
    call.blocks = !waits_later;
    CarriedData carried{number, c.index, 0, 0, std::nullopt, call.kind, call.blocks, place, {}, {}};
    carried.sends = shares(line, "sends", has_types);
    carried.gets = shares(line, "gets", has_types);
    if (line.fault()) return;
    CollectiveInfo const& kind = grammar::info(call.kind);
    bool const is_known = std::find(c.members.begin(), c.members.end(), root) != c.members.end();
    if (kind.rooted && is_known) call.root = static_cast<std::uint32_t>(root);
    Request& request = requests_[number];
    request.at = from;
    if (kind.rooted && !is_known) { // MPI_ROOT without an intercommunicator, or no rank
        to_.gaps.push_back({rank_.number, from, function, "its root is no rank of the communicator"});
        return;
    }
    if (!waits_later) {
        blocked_.at = from;
        blocked_.in = "in " + function;
        blocked_.in_command = true;
        wait_at_ = from;
    }
    CallId const id = this->call(CallId::Kind::collective, number);
    std::uint32_t const index = add(importers::Collective{id, c.index, call}, from);
    request.calls = {index};
    request.is_collective = true;
    request.is_waited_for = !waits_later;
    request.thread = thread_;
    std::uint32_t const turn = collectives_[c.index]++;
    carried.turn = turn;
    auto const place_of = [&](std::int64_t member) {
        return static_cast<std::uint32_t>(std::find(c.members.begin(), c.members.end(), member) - c.members.begin());
    };
    carried.own = place_of(rank_.number);
    if (call.root) carried.root = place_of(root);
    rank_.carried.push_back(std::move(carried));
    if (call.kind != CollectiveKind::bcast) return;
    request.broadcast = {c.index, turn, number, *call.root, index, std::nullopt};
    if (root == rank_.number) {
        request.broadcast->value = std::move(value);
        if (request.broadcast->value) mending_.broadcasts.push_back(*request.broadcast);
        request.broadcast.reset();
    }
}

void RankReader::done(Scanner& line) {
    std::uint32_t const number = request(line);
    wait_for(number);
    returned(number);
    if (line.next_word() == "-") {
        line.word();
        return;
    }
    draft::Expression value = payload(line);
    auto const found = requests_.find(number);
    if (line.fault() || found == requests_.end() || !found->second.broadcast) return;
    if (has_several_) known_[received(number)] = {thread_, std::nullopt};
    Broadcast b = *std::exchange(found->second.broadcast, std::nullopt);
    b.call = add(importers::Assign{received(number), std::move(value)}, found->second.at);
    mending_.broadcasts.push_back(std::move(b));
}

} // namespace matchpoint::record
