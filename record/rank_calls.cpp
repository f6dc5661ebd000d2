// The calls of a rank: sends and receives, probes, collective calls.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "record/rank_reader.hpp"

namespace matchpoint::record {

namespace {

/// What a collective call makes its ranks wait for.
enum class Shape : std::uint8_t {
    from_root,    // all others wait for the root
    to_root,      // the root waits for all others
    from_earlier, // each rank waits for those with smaller numbers
    all,          // all wait for all
};

Shape shape_of(std::string_view function) {
    constexpr std::array from_root{"Bcast", "Scatter", "Scatterv"};
    constexpr std::array to_root{"Gather", "Gatherv", "Reduce"};
    constexpr std::array from_earlier{"Scan", "Exscan"};
    auto const is = [&](auto const& names) {
        return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
            // MPI_Bcast, MPI_Ibcast
            return function == fmt::format("MPI_{}", name) ||
                   function == fmt::format("MPI_I{}{}", static_cast<char>(name[0] + ('a' - 'A')), name.substr(1));
        });
    };
    if (is(from_root)) return Shape::from_root;
    if (is(to_root)) return Shape::to_root;
    return is(from_earlier) ? Shape::from_earlier : Shape::all;
}

bool is_nonblocking(std::string_view function) {
    return function.size() > 5 && function.starts_with("MPI_I") && function[5] >= 'a' && function[5] <= 'z';
}

bool admits(Selector const& selector, std::int64_t n) { return !selector || *selector == n; }

} // namespace

// ---- calls

void RankReader::send(Scanner& line) {
    std::uint32_t const number = request(line);
    SourceLine const from = at(line);
    std::string_view const mode = line.word();
    Communicator const& c = communicator_of(line);
    std::uint32_t const to = line.process("a rank");
    std::int64_t const tag = integer(line, "a tag");
    draft::Expression value = payload(line);
    if (line.fault()) return;
    importers::Send s{call(CallId::Kind::send, number), to, std::move(value), tag};
    s.mode = mode == "S"   ? Mode::synchronous
             : mode == "b" ? Mode::buffered
             : mode == "r" ? Mode::ready
                           : Mode::standard;
    s.communicator = c.index;
    requests_[number] = {{add(std::move(s), from)}, from, c.index};
}

void RankReader::receive(Scanner& line) {
    std::uint32_t const number = request(line);
    SourceLine const from = at(line);
    Communicator const& c = communicator_of(line);
    Selector const source = selector(line, "a rank");
    Selector const tag = selector(line, "a tag");
    if (line.fault()) return;
    if (receive_what_was_probed(number, c, source, tag, from)) return;
    requests_[number] = {
        {add(receive_of(number, c.index, source, tag), from)}, from, c.index, true, false, false, source, tag};
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
    for (std::uint32_t const call : found->second.calls)
        add(importers::Wait{call, chosen_.of, calls_of(chosen_.requests)}, wait_at_.value_or(found->second.at));
}

std::vector<CallId> RankReader::calls_of(std::vector<std::uint32_t> const& requests) const {
    std::vector<CallId> result;
    for (std::uint32_t const number : requests) {
        auto const found = requests_.find(number);
        if (found == requests_.end()) continue;
        for (std::uint32_t const call : found->second.calls) {
            auto const* const send = std::get_if<importers::Send>(&process_.calls[call].what);
            auto const* const receive = std::get_if<importers::Receive>(&process_.calls[call].what);
            if (send != nullptr) result.push_back(send->id);
            if (receive != nullptr) result.push_back(receive->id);
        }
    }
    return result;
}

void RankReader::wait(Scanner& line, bool all) {
    blocked_.at = at(line);
    wait_at_ = blocked_.at;
    bool all_sends = true;
    bool all_receives = true;
    while (!line.at_end() && !line.fault()) {
        std::uint32_t const number = request(line);
        auto const found = requests_.find(number);
        bool const is_receive = found != requests_.end() && found->second.is_receive;
        all_sends = all_sends && !is_receive;
        all_receives = all_receives && is_receive;
        if (all || blocked_.on.empty()) blocked_.on.push_back(number);
        if (!all && to_.api == Api::mpi) chosen_.requests.push_back(number);
    }
    if (!all && to_.api == Api::mpi) chosen_.of = ChoiceOfTime::Of::among;
    blocked_.in = all_sends ? "for a send" : all_receives ? "for a receive" : "for sends and receives";
}

void RankReader::polls(Scanner& line) {
    line.number("a number of tests", UINT64_MAX);
    wait_at_.reset();
}

void RankReader::test(Scanner& line, bool result) {
    std::uint32_t const number = small(line, "the number of a group of tests");
    SourceLine const from = at(line);
    std::string_view const kind = line.word();
    using Of = ChoiceOfTime::Of;
    Of const of = kind == "all"     ? Of::all
                  : kind == "some"  ? Of::some
                  : kind == "among" ? Of::among
                  : kind == "seen"  ? Of::seen
                                    : Of::one;
    std::uint64_t const failed = result ? 0 : line.number("a number of tests", UINT64_MAX);
    std::vector<std::uint32_t> requests;
    std::vector<importers::Receive> probe;
    if (kind == "seen") {
        Communicator const& c = communicator_of(line);
        Selector const source = selector(line, "a rank");
        probe = {receive_of(number, c.index, source, selector(line, "a tag"))};
    }
    while (!line.at_end() && !line.fault()) requests.push_back(request(line));
    if (line.fault()) return;
    auto const before = polls_.find(number);
    if (before != polls_.end() && !result) {
        std::get<importers::Test>(process_.calls[before->second].what).times = failed;
        return;
    }
    std::uint64_t const times = !result ? failed
                                : before == polls_.end()
                                    ? 0
                                    : std::get<importers::Test>(process_.calls[before->second].what).times;
    std::vector<CallId> calls = calls_of(requests);
    // A collective call can have several messages.
    bool const needs_all = of == Of::all || (of == Of::one && calls.size() > 1);
    importers::Test test{needs_all ? Of::all : of, std::move(calls), result, times};
    test.name = fmt::format("I{}_{}", rank_.number, number);
    test.probe = std::move(probe);
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
    integer(line, "a value");
}

void RankReader::matched(Scanner& line) {
    std::uint32_t const number = request(line);
    wait_for(number);
    line.process("a rank");
    integer(line, "a tag");
}

/// The call came to nothing: it was cancelled, or it failed. What has been waited for stays: it took a message.
void RankReader::dropped(Scanner& line) {
    std::uint32_t const number = request(line);
    auto const found = requests_.find(number);
    if (found == requests_.end()) return line.fail("I2", {}, fmt::format("{} is not a call of this rank", number));
    if (found->second.is_waited_for) return;
    unused_.insert(unused_.end(), found->second.calls.begin(), found->second.calls.end());
    requests_.erase(found);
}

void RankReader::taken(Scanner& line, std::uint32_t number) {
    std::uint32_t const from = line.process("a rank");
    std::int64_t const tag = integer(line, "a tag");
    auto const found = requests_.find(number);
    if (found == requests_.end() || !found->second.is_receive)
        return line.fail("I2", {}, fmt::format("{} is not a receive of this rank", number));
    CallId::Kind const kind = found->second.is_probed ? CallId::Kind::probed_receive : CallId::Kind::receive;
    rank_.taken.push_back({call(kind, number), from, tag, found->second.communicator});
}

// ---- probes

void RankReader::probe(Scanner& line) {
    blocked_.at = at(line);
    blocked_.in = "in MPI_Probe";
    Communicator const& c = communicator_of(line);
    Probe p{0, blocked_.at, c.index, selector(line, "a rank"), selector(line, "a tag")};
    if (line.fault()) return;
    p.call = add(importers::Assume{draft::truth(true)}, p.at);
    blocked_.probe = true;
    probes_.push_back(p);
}

void RankReader::seen(Scanner& line) {
    if (probes_.empty() || probes_.back().seen_source >= 0) return line.fail("syntax", {}, "`seen` without a probe");
    Probe& p = probes_.back();
    p.seen_source = line.process("a rank");
    p.seen_tag = integer(line, "a tag");
    // A program may look at the same message several times: the first look waits for it.
    for (std::size_t i = 0; i + 1 < probes_.size(); ++i)
        if (probes_[i].communicator == p.communicator && probes_[i].seen_source == p.seen_source &&
            probes_[i].seen_tag == p.seen_tag) {
            unused_.push_back(p.call);
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

bool RankReader::receive_what_was_probed(std::uint32_t number, Communicator const& c, Selector const& source,
                                         Selector const& tag, SourceLine const& from) {
    auto const p = std::find_if(probes_.begin(), probes_.end(), [&](Probe const& probe) {
        return probe.communicator == c.index && admits(source, probe.seen_source) && admits(tag, probe.seen_tag);
    });
    if (p == probes_.end()) return false;
    bool const is_seen = source == Selector(p->seen_source) && tag == Selector(p->seen_tag);
    bool const is_same = covers(source, p->source) && covers(tag, p->tag);
    std::uint32_t const call = p->call;
    if (is_seen || is_same || (source == Selector(p->seen_source) && covers(tag, p->tag)) ||
        (tag == Selector(p->seen_tag) && covers(source, p->source))) {
        importers::Receive r = receive_of(number, c.index, p->source, p->tag);
        r.id.kind = CallId::Kind::probed_receive;
        r.blocking = true;
        process_.calls[call].what = std::move(r);
        requests_[number] = {{call}, p->at, c.index, true, true, true};
        probes_.erase(p);
        return true;
    }
    to_.gaps.push_back({rank_.number, from, "MPI_Probe",
                        "the receive that follows it admits other messages than it does and than the one that it saw; "
                        "that it waits for a message is not modelled"});
    unused_.push_back(call);
    probes_.erase(p);
    return false;
}

// ---- collective calls

void RankReader::collective(Scanner& line) {
    std::uint32_t const number = request(line);
    SourceLine const from = at(line);
    std::string const function(line.word());
    Communicator const& c = communicator_of(line);
    std::int64_t const root = integer(line, "a rank");
    std::optional<draft::Expression> value;
    if (line.next_word() == "-")
        line.word();
    else
        value = payload(line);
    if (line.fault()) return;
    bool const waits_later = is_nonblocking(function);
    Request& request = requests_[number];
    request = {{}, from, c.collectives};
    if (!waits_later) {
        blocked_.at = from;
        blocked_.in = "in " + function;
        blocked_.on = {number};
        wait_at_ = from;
    }
    Shape const shape = shape_of(function);
    if (shape == Shape::all && !waits_later) {
        request.calls = {};
        request.is_waited_for = true;
        blocked_.on.clear();
        add(importers::Meet{c.index}, from);
        return;
    }
    for (std::uint32_t const other : c.members) {
        if (other == rank_.number) continue;
        bool const to_other = shape == Shape::all || (shape == Shape::from_root && root == rank_.number) ||
                              (shape == Shape::to_root && root == other) ||
                              (shape == Shape::from_earlier && is_earlier(c, rank_.number, other));
        bool const from_other = shape == Shape::all || (shape == Shape::from_root && root == other) ||
                                (shape == Shape::to_root && root == rank_.number) ||
                                (shape == Shape::from_earlier && is_earlier(c, other, rank_.number));
        if (from_other) {
            importers::Receive r = receive_of(number, c.collectives, other, std::nullopt);
            r.id.part = other;
            if (shape != Shape::from_root) r.variable = variable_of(r.id);
            request.calls.push_back(add(std::move(r), from));
        }
        if (to_other) {
            importers::Send s{call(CallId::Kind::send, number), other, value.value_or(draft::number(0)), 0};
            s.id.part = other;
            s.communicator = c.collectives;
            request.calls.push_back(add(std::move(s), from));
        }
    }
}

bool RankReader::is_earlier(Communicator const& c, std::uint32_t a, std::uint32_t b) {
    return std::find(c.members.begin(), c.members.end(), a) < std::find(c.members.begin(), c.members.end(), b);
}

void RankReader::done(Scanner& line) {
    wait_for(request(line));
    if (line.next_word() == "-")
        line.word();
    else
        payload(line);
}

} // namespace matchpoint::record
