#include "record/rank_reader.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "grammar/operators.hpp"
#include "record/findings.hpp"
#include "record/source_lines.hpp"

namespace matchpoint::record {

void RankReader::read(Missing missing, std::size_t most) {
    bool const is_large = source_.text().find('\0') > most && source_.text().size() > most;
    // What follows the last line break was being written when the rank died, or was cut off.
    std::string_view const text = source_.text().substr(0, is_large ? most : std::string_view::npos);
    std::size_t const zeros = text.find('\0');
    std::size_t const end = text.substr(0, zeros).rfind('\n') + 1; // 0 if there is none
    Source const whole(source_.name(), std::string(text.substr(0, end)));
    importers::Lines lines(file_, whole);
    look_for_threads(whole.text());
    while (auto line = lines.next()) {
        number_++;
        if (has_several_) raise_starts();
        if (number_ == 1)
            header(*line);
        else
            event(*line);
        if (auto const& fault = line->fault()) {
            reports_.error(fault->rule, fault->place, fault->message);
            return;
        }
    }
    // A rank that dies leaves zeros. One that finishes writes `end`.
    bool const is_cut = zeros == std::string_view::npos &&
                        (end != text.size() || (to_.api == Api::mpi && rank_.end != RankEnd::finalized));
    if (number_ >= 2) {
        if (is_cut)
            break_off(is_large ? "the file of this rank is too large, and was not read to its end"
                               : "the file of this rank breaks off");
        return finish();
    }
    is_lost_ = is_cut || text.empty();
    if (!is_lost_ && missing == Missing::refused)
        reports_.error("syntax", {file_, 1, no_offset, 1}, "the recording of a rank begins with two lines");
}

void RankReader::break_off(std::string why) {
    rank_.breaks_off = true;
    to_.gaps.push_back({rank_.number, rank_.last_call, std::string(recorder), std::move(why)});
}

void RankReader::header(Scanner& line) {
    Api const api = line.next_word() == "matchpoint-mcapi" ? Api::mcapi : Api::mpi;
    if (!to_.ranks.empty() && to_.api != api)
        return line.fail("I3", line.next_word(), "these are recordings of MPI and of MCAPI");
    to_.api = api;
    to_.calls.explicit_endpoints = api == Api::mcapi;
    line.expect(api == Api::mcapi ? "matchpoint-mcapi" : "matchpoint-mpi");
    line.number("the version of the format", 1);
    line.expect_end();
}

void RankReader::event(Scanner& line) {
    using Read = void (RankReader::*)(Scanner&);
    static constexpr std::pair<std::string_view, Read> known[] = {
        {"rank", &RankReader::rank},
        {"library", &RankReader::library},
        {"object", &RankReader::object},
        {"place", &RankReader::place},
        {"source", &RankReader::source},
        {"comm", &RankReader::communicator},
        {"send", &RankReader::send},
        {"recv", &RankReader::receive},
        {"wait", &RankReader::wait_for_all},
        {"any", &RankReader::wait_for_any},
        {"sent", &RankReader::sent},
        {"got", &RankReader::got},
        {"matched", &RankReader::matched},
        {"probe", &RankReader::probe},
        {"seen", &RankReader::seen},
        {"coll", &RankReader::collective},
        {"done", &RankReader::done},
        {"polls", &RankReader::polls},
        {"let", &RankReader::let},
        {"assume", &RankReader::assumption},
        {"assert", &RankReader::assertion},
        {"gap", &RankReader::gap},
        {"remark", &RankReader::remark},
        {"off", &RankReader::off_schedule},
        {"abort", &RankReader::abort},
        {"end", &RankReader::end},
        {"rma", &RankReader::one_sided},
        {"dropped", &RankReader::dropped},
        {"cancel", &RankReader::cancel},
        {"crash", &RankReader::crash},
        {"error", &RankReader::error},
        {"left", &RankReader::left},
        {"threads", &RankReader::threads},
        {"thread", &RankReader::thread},
        {"started", &RankReader::started},
        {"others", &RankReader::others},
        {"ended", &RankReader::ended},
        {"joins", &RankReader::joins},
        {"joined", &RankReader::joined},
        {"some", &RankReader::wait_for_some},
        {"poll", &RankReader::poll},
        {"polled", &RankReader::polled},
        {"awaits", &RankReader::awaits},
        {"mprobe", &RankReader::matched_probe},
        {"start", static_cast<Read>(&RankReader::start)},
        {"type", &RankReader::type},
        {"found", &RankReader::found},
        {"detach", &RankReader::detach},
        {"detached", &RankReader::detached},
        {"in", &RankReader::enters},
        {"out", &RankReader::leaves},
    };
    // Lines that can follow the choice of a call. Those about places and notes change nothing.
    static constexpr std::string_view completions[] = {"got",     "sent",   "done",    "matched", "dropped", "place",
                                                       "source",  "object", "remark",  "gap",     "let",     "type",
                                                       "found",   "error",  "threads", "in",      "out",     "thread",
                                                       "started", "others", "ended",   "joins",   "joined",  "off"};
    // A rank that ends in a call is still in it. Lines about threads say themselves what they change.
    static constexpr std::string_view ends[] = {"error",  "left",    "place",  "object", "type",  "found", "off",
                                                "thread", "started", "others", "ended",  "joins", "joined"};
    // What is read of a rank that is cut off.
    static constexpr std::string_view notes[] = {"place", "source", "object", "type",  "gap",  "remark",
                                                 "found", "abort",  "end",    "error", "left", "crash"};
    // Of threads, some lines are others, and some are not there.
    static constexpr std::pair<std::string_view, Read> of_mcapi[] = {
        {"send", &RankReader::send_to_endpoint},
        {"recv", &RankReader::receive_at_endpoint},
        {"comm", nullptr},
        {"matched", nullptr},
        {"mprobe", nullptr},
        {"start", nullptr},
        {"probe", nullptr},
        {"seen", nullptr},
        {"coll", nullptr},
        {"done", nullptr},
        {"abort", nullptr},
        {"dropped", nullptr},
        {"cancel", nullptr},
        {"crash", nullptr},
        {"error", nullptr},
        {"left", nullptr},
        {"threads", nullptr},
        {"thread", nullptr},
        {"started", nullptr},
        {"others", nullptr},
        {"ended", nullptr},
        {"joins", nullptr},
        {"joined", nullptr},
        {"rma", nullptr},
        {"some", nullptr},
        {"poll", nullptr},
        {"polled", nullptr},
        {"type", nullptr},
        {"found", nullptr},
        {"awaits", nullptr},
        {"detach", nullptr},
        {"detached", nullptr},
        {"in", nullptr},
        {"out", nullptr},
    };
    std::string_view const word = line.word();
    if (number_ == 2 && word != "rank") return line.fail("syntax", word, "the second line is `rank`");
    auto const* const found =
        std::find_if(std::begin(known), std::end(known), [&](auto const& k) { return k.first == word; });
    Read read = found == std::end(known) ? nullptr : found->second;
    if (to_.api == Api::mcapi)
        for (auto const& [name, other] : of_mcapi)
            if (name == word) read = other;
    if (read == nullptr)
        return line.fail("syntax", word, fmt::format("`{}` is not a line of a recording", printable(word)));
    if (has_several_ && !is_cut_)
        if (std::string_view const why = why_not_told(word, line.rest()); !why.empty()) cut({}, std::string(why));
    if (is_cut_ && std::find(std::begin(notes), std::end(notes), word) == std::end(notes)) {
        rest(line);
        return;
    }
    if (std::find(std::begin(ends), std::end(ends), word) == std::end(ends)) blocked_ = {};
    if (std::find(std::begin(completions), std::end(completions), word) == std::end(completions)) chosen_ = {};
    (this->*read)(line);
    line.expect_end();
}

// ---- fields

std::string_view RankReader::rest(Scanner& line) {
    std::string_view const text = line.rest();
    line.take(text);
    return text;
}

std::uint32_t RankReader::small(Scanner& line, std::string_view what) {
    return static_cast<std::uint32_t>(line.number(what, UINT32_MAX));
}

std::int64_t RankReader::integer(Scanner& line, std::string_view what) {
    std::string_view const word = line.next_word();
    auto const n = to_number<std::int64_t>(word);
    if (!n) {
        line.fail_here(what);
        return 0;
    }
    line.word();
    return *n;
}

Selector RankReader::selector(Scanner& line, std::string_view what) {
    if (line.next_word() != "*") return integer(line, what);
    line.word();
    return std::nullopt;
}

SourceLine RankReader::at(Scanner& line) {
    std::uint32_t number = 0;
    return at(line, number);
}

SourceLine RankReader::at(Scanner& line, std::uint32_t& number) {
    number = small(line, "the number of a place");
    if (number == 0 || line.fault()) return {};
    auto const found = rank_.places.find(number);
    if (found == rank_.places.end()) {
        line.fail("syntax", {}, fmt::format("place {} is not known", number));
        return {};
    }
    return found->second;
}

Communicator const& RankReader::communicator_of(Scanner& line) {
    static Communicator const none;
    std::uint32_t const number = small(line, "the number of a communicator");
    if (line.fault()) return none;
    auto const found = communicators_.find(number);
    if (found != communicators_.end()) return found->second;
    line.fail("syntax", {}, fmt::format("communicator {} is not known", number));
    return none;
}

draft::Expression RankReader::operand(Scanner& line) {
    std::string_view const word = line.next_word();
    if (!word.starts_with('x') && !word.starts_with('v'))
        return draft::number(integer(line, "a number or an expression"));
    line.word();
    auto const number = natural(word.substr(1));
    bool const is_received = word[0] == 'x';
    if (!number || (is_received && *number > UINT32_MAX)) {
        line.fail("syntax", word, fmt::format("`{}` is not an expression", printable(word)));
        return {};
    }
    if (is_received) return as_seen_here(draft::variable(received(static_cast<std::uint32_t>(*number))));
    std::string const x = fmt::format("v{}_{}", rank_.number, *number);
    auto const found = expressions_.find(*number);
    if (found == expressions_.end()) return as_seen_here(draft::variable(x));
    if (found->second.nodes.size() <= max_inlined) return as_seen_here(found->second);
    // A large one gets a variable of its own.
    add(importers::Assign{x, as_seen_here(std::move(found->second))}, {});
    if (has_several_) known_[x] = {thread_, std::nullopt};
    expressions_.erase(found);
    return draft::variable(x);
}

draft::Expression RankReader::payload(Scanner& line) {
    if (!line.take("=") && line.next_word().find_first_of("xv") != 0) to_.has_concrete_values = true;
    return operand(line);
}

// ---- lines that describe

void RankReader::rank(Scanner& line) {
    rank_.number = line.process("a rank");
    rank_.ranks = line.process("the number of ranks");
    line.expect_end();
    if (line.fault()) return;
    auto const same = [&](Rank const& r) { return r.number == rank_.number; };
    if (std::any_of(to_.ranks.begin(), to_.ranks.end(), same))
        return line.fail("I3", {}, fmt::format("rank {} is there already: these are several runs", rank_.number));
    process_.number = rank_.number;
    process_.place = line.whole();
}

void RankReader::object(Scanner& line) {
    std::uint32_t const number = small(line, "the number of an object");
    objects_[number] = rest(line);
}

void RankReader::place(Scanner& line) {
    std::uint32_t const number = small(line, "the number of a place");
    std::uint32_t const object = small(line, "the number of an object");
    std::string_view const word = line.word();
    auto const offset = to_number<std::uint64_t>(word, 16);
    if (!offset || !objects_.contains(object))
        return line.fail("syntax", word, "a place is the number of an object, and an offset in it");
    rank_.places[number] = resolver_.line(objects_[object], *offset);
}

void RankReader::source(Scanner& line) {
    std::uint32_t const number = small(line, "the number of a place");
    std::uint32_t const source_line = small(line, "the number of a line");
    rank_.places[number] = {shown_file(std::string(rest(line))), source_line};
}

void RankReader::communicator(Scanner& line) {
    std::uint32_t const number = small(line, "the number of a communicator");
    std::string const name(line.word());
    Communicator c{to_.calls.communicators(name), {}};
    while (!line.at_end() && !line.fault()) c.members.push_back(line.process("a rank"));
    members_[c.index] = c.members;
    communicators_[number] = std::move(c);
}

void RankReader::gap(Scanner& line) {
    note(line, to_.gaps);
    rank_.breaks_off = rank_.breaks_off || to_.gaps.back().function == recorder;
}

void RankReader::note(Scanner& line, std::vector<Gap>& notes) {
    SourceLine const where = at(line);
    std::string const function(line.word());
    notes.push_back({rank_.number, where, function, std::string(rest(line))});
}

std::string RankReader::name_of_type(std::string_view name) {
    if (name == "MPI_C_FLOAT_COMPLEX") return "MPI_C_COMPLEX";
    if (name == "MPI_LONG_LONG") return "MPI_LONG_LONG_INT";
    return std::string(name);
}

void RankReader::type(Scanner& line) {
    std::uint32_t const number = small(line, "the number of a type");
    Signature s;
    s.bytes = line.number("a size", UINT64_MAX);
    s.times = line.number("a number of times", UINT64_MAX);
    while (!line.at_end() && !line.fault()) {
        std::string name = name_of_type(line.word());
        s.runs.emplace_back(std::move(name), line.number("a number of elements", UINT64_MAX));
    }
    if (line.fault()) return;
    auto const next = static_cast<std::uint32_t>(to_.signatures.size());
    auto const [known, is_new] = to_.signature_numbers.emplace(s, next);
    signatures_[number] = known->second;
    if (is_new) to_.signatures.push_back(std::move(s));
}

void RankReader::elements(Scanner& line, Message m) {
    m.signature = no_signature;
    m.thread = thread_;
    if (line.next_word() == "of") {
        line.word();
        std::uint32_t const type = small(line, "the number of a type");
        m.count = line.number("a count", UINT64_MAX);
        if (line.fault()) return;
        auto const found = signatures_.find(type);
        if (found == signatures_.end()) return line.fail("syntax", {}, fmt::format("type {} is not known", type));
        m.signature = found->second;
        if (!line.at_end()) at(line, m.place);
    }
    rank_.messages.push_back(m);
}

void RankReader::found(Scanner& line) {
    std::string_view const word = line.word();
    auto const kind = finding_kind(word);
    if (!kind) return line.fail("syntax", word, fmt::format("`{}` is not a kind of finding", printable(word)));
    Finding f;
    f.kind = *kind;
    f.rank = rank_.number;
    f.at = at(line);
    f.other = {rank_.number, at(line)};
    f.function = line.word();
    f.text = rest(line);
    to_.seen.push_back(std::move(f));
}

void RankReader::off_schedule(Scanner& line) {
    request(line);
    rank_.off_schedule = at(line);
}

/// windows.hpp reads it. What was fetched is a number here.
void RankReader::one_sided(Scanner& line) {
    if (!to_.windows) to_.windows.emplace();
    if (line.take("load")) {
        std::uint32_t const number = small(line, "the number of a variable");
        add(importers::Assign{received(number), draft::number(integer(line, "a value"))}, {});
        to_.has_concrete_values = true;
    }
    rest(line);
}

/// A call for windows begins, which may wait for other ranks.
void RankReader::enters(Scanner& line) {
    blocked_.at = at(line);
    blocked_.in = "in " + printable(line.word());
    blocked_.in_window = true;
    blocked_.on_the_way = line.number("a number of bytes", UINT64_MAX);
    wait_at_ = blocked_.at;
}

void RankReader::abort(Scanner& line) {
    rank_.blocked_at = at(line);
    rank_.end = RankEnd::aborted;
    rank_.abort_code = static_cast<int>(integer(line, "an error code"));
}

void RankReader::crash(Scanner& line) {
    std::string const function(line.word());
    bool const is_signal = line.take("signal");
    if (!is_signal && !line.take("exit")) return line.fail("syntax", line.next_word(), "`signal` or `exit` is missing");
    auto const n = static_cast<int>(line.number("a signal", 255));
    if (line.fault()) return;
    char const* const name = is_signal ? sigabbrev_np(n) : nullptr;
    rank_.end = RankEnd::crashed;
    rank_.crash =
        is_signal ? fmt::format("in {}: signal {} ({})", printable(function), n, name == nullptr ? "unknown" : name)
                  : fmt::format("in {}: a call of the MPI library that it made ended the process", printable(function));
}

void RankReader::error(Scanner& line) {
    MpiError e{at(line), printable(line.word()), {}};
    bool const is_fatal = line.take("fatal");
    if (!is_fatal && !line.take("returned"))
        return line.fail("syntax", line.next_word(), "`fatal` or `returned` is missing");
    std::string const name = printable(line.word());
    e.what = fmt::format("{}: {}", name, printable(rest(line), 200));
    if (is_fatal)
        rank_.error = std::move(e);
    else
        to_.errors.push_back({rank_.number, e.at, e.function, "it returned " + e.what});
}

// ---- what the program says about its values

void RankReader::let(Scanner& line) {
    std::uint64_t const number = line.number("the number of an expression", UINT32_MAX);
    std::string_view const word = line.word();
    draft::Expression a = operand(line);
    draft::Expression b = operand(line);
    if (line.fault()) return;
    if (word == "not") {
        expressions_[number] = draft::operation(Op::not_, std::move(a));
        return;
    }
    auto const op = parse_op(word);
    if (!op || arity(*op) != 2)
        return line.fail("syntax", word, fmt::format("`{}` is not an operator", printable(word)));
    expressions_[number] = draft::operation(*op, std::move(a), std::move(b));
}

void RankReader::claim(Scanner& line, bool is_assumption) {
    SourceLine const from = at(line);
    bool const truth = integer(line, "0 or 1") != 0;
    std::optional<draft::Expression> e;
    if (line.next_word() == "-")
        line.word();
    else
        e = operand(line);
    if (line.fault()) return;
    if (is_assumption) {
        if (e) add(importers::Assume{truth ? std::move(*e) : draft::operation(Op::not_, std::move(*e))}, from);
    } else {
        // Whether it was true says nothing of other runs. If it was not, the run failed, and its comment says so.
        add(importers::Assert{e ? std::move(*e) : draft::truth(true)}, from);
    }
}

} // namespace matchpoint::record
