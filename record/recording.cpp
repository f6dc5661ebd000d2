#include "record/recording.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>

#include "grammar/operators.hpp"
#include "import/draft_of_calls.hpp"
#include "import/reports.hpp"
#include "import/scanner.hpp"

namespace matchpoint::record {

using import::Call;
using import::Place;
using import::Scanner;

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

struct Communicator {
    std::uint32_t index = 0;            // of its messages, in Calls::communicators
    std::uint32_t collectives = 0;      // of those of its collective calls
    std::vector<std::uint32_t> members; // ranks of the run
};

/// A wildcard or a number: `*`, `3`.
using Selector = std::optional<std::int64_t>;

bool admits(Selector const& selector, std::int64_t n) { return !selector || *selector == n; }
/// Whether it admits everything that the other admits.
bool covers(Selector const& selector, Selector const& other) { return !selector || selector == other; }

/// Communicator, as an index into Calls::communicators -> its ranks.
using Members = std::map<std::uint32_t, std::vector<std::uint32_t>>;

class RankReader {
    static constexpr std::size_t max_inlined = 15; // nodes

public:
    RankReader(std::uint32_t file, Source const& source, Resolver& resolver, import::Reports& reports, Members& members,
               Recording& to)
        : file_(file), source_(source), resolver_(resolver), reports_(reports), members_(members), to_(to) {}

    void read() {
        // What follows the last line break was being written when the rank died.
        std::string_view const text = source_.text();
        std::size_t const zeros = text.find('\0');
        std::size_t const end = text.substr(0, zeros).rfind('\n');
        Source const whole(source_.name(), std::string(end == std::string_view::npos ? "" : text.substr(0, end + 1)));
        import::Lines lines(file_, whole);
        while (auto line = lines.next()) {
            number_++;
            if (number_ == 1)
                header(*line);
            else
                event(*line);
            if (auto const& fault = line->fault()) {
                reports_.error(fault->rule, fault->place, fault->message);
                return;
            }
        }
        if (number_ < 2)
            return reports_.error("syntax", {file_, 1, no_offset, 1}, "the recording of a rank begins with two lines");
        finish();
    }

private:
    static void header(Scanner& line) {
        line.expect("matchpoint-mpi");
        line.number("the version of the format", 1);
        line.expect_end();
    }

    void event(Scanner& line) {
        std::string_view const word = line.word();
        if (number_ == 2 && word != "rank") return line.fail("syntax", word, "the second line is `rank`");
        blocked_ = {};
        if (word == "rank") return rank(line);
        if (word == "library")
            rank_.library = rest(line);
        else if (word == "object")
            object(line);
        else if (word == "place")
            place(line);
        else if (word == "source")
            source(line);
        else if (word == "comm")
            communicator(line);
        else if (word == "send")
            send(line);
        else if (word == "recv")
            receive(line);
        else if (word == "wait")
            wait(line, true);
        else if (word == "any")
            wait(line, false);
        else if (word == "sent")
            sent(line);
        else if (word == "got")
            got(line);
        else if (word == "matched")
            matched(line);
        else if (word == "probe")
            probe(line);
        else if (word == "seen")
            seen(line);
        else if (word == "coll")
            collective(line);
        else if (word == "done")
            done(line);
        else if (word == "off")
            off_schedule(line);
        else if (word == "polls")
            polls(line);
        else if (word == "let")
            let(line);
        else if (word == "assume")
            claim(line, true);
        else if (word == "assert")
            claim(line, false);
        else if (word == "gap")
            note(line, to_.gaps);
        else if (word == "remark")
            note(line, to_.remarks);
        else if (word == "abort")
            abort(line);
        else if (word == "end")
            rank_.end = RankEnd::finalized;
        else
            return line.fail("syntax", word, fmt::format("`{}` is no line of a recording", printable(word)));
        line.expect_end();
    }

    // ---- fields

    static std::string_view rest(Scanner& line) {
        std::string_view const text = line.rest();
        line.take(text);
        return text;
    }

    static std::uint32_t small(Scanner& line, std::string_view what) {
        return static_cast<std::uint32_t>(line.number(what, UINT32_MAX));
    }

    static std::int64_t integer(Scanner& line, std::string_view what) {
        std::string_view const word = line.next_word();
        auto const n = import::whole_number(word);
        if (!n) {
            line.fail_here(what);
            return 0;
        }
        line.word();
        return *n;
    }

    static Selector selector(Scanner& line, std::string_view what) {
        if (line.next_word() != "*") return integer(line, what);
        line.word();
        return std::nullopt;
    }

    SourceLine at(Scanner& line) {
        std::uint32_t const number = small(line, "the number of a place");
        if (number == 0 || line.fault()) return {};
        auto const found = places_.find(number);
        if (found == places_.end()) {
            line.fail("syntax", {}, fmt::format("place {} is not known", number));
            return {};
        }
        return found->second;
    }

    Communicator const& communicator_of(Scanner& line) {
        static Communicator const none;
        std::uint32_t const number = small(line, "the number of a communicator");
        if (line.fault()) return none;
        auto const found = communicators_.find(number);
        if (found != communicators_.end()) return found->second;
        line.fail("syntax", {}, fmt::format("communicator {} is not known", number));
        return none;
    }

    /// `x3`, `v5`, `-7`
    draft::Expression operand(Scanner& line) {
        std::string_view const word = line.next_word();
        if (!word.starts_with('x') && !word.starts_with('v'))
            return draft::number(integer(line, "a number or an expression"));
        line.word();
        auto const number = import::natural(word.substr(1));
        if (!number) {
            line.fail("syntax", word, fmt::format("`{}` is no expression", printable(word)));
            return {};
        }
        if (word[0] == 'x') return draft::variable(variable('x', *number));
        auto const found = expressions_.find(*number);
        if (found == expressions_.end()) return draft::variable(variable('v', *number));
        if (found->second.nodes.size() <= max_inlined) return found->second;
        // A large one gets a variable of its own.
        std::string const x = variable('v', *number);
        add(import::Assign{x, std::move(found->second)}, {});
        expressions_.erase(found);
        return draft::variable(x);
    }

    /// What a message carries: `=4` is a constant of the program, `4` may depend on anything.
    draft::Expression payload(Scanner& line) {
        if (!line.take("=") && line.next_word().find_first_of("xv") != 0) to_.has_concrete_values = true;
        return operand(line);
    }

    std::string variable(char kind, std::uint64_t number) const {
        return fmt::format("{}{}_{}", kind, rank_.number, number);
    }
    std::string action(char kind, std::uint64_t number) const { return variable(kind, number); }

    // ---- lines that describe

    void rank(Scanner& line) {
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

    void object(Scanner& line) {
        std::uint32_t const number = small(line, "the number of an object");
        objects_[number] = rest(line);
    }

    void place(Scanner& line) {
        std::uint32_t const number = small(line, "the number of a place");
        std::uint32_t const object = small(line, "the number of an object");
        std::string_view const word = line.word();
        std::uint64_t offset = 0;
        auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), offset, 16);
        if (error != std::errc() || end != word.data() + word.size() || !objects_.contains(object))
            return line.fail("syntax", word, "a place is the number of an object, and an offset in it");
        places_[number] = resolver_.line(objects_[object], offset);
    }

    void source(Scanner& line) {
        std::uint32_t const number = small(line, "the number of a place");
        std::uint32_t const source_line = small(line, "the number of a line");
        places_[number] = {std::string(rest(line)), source_line};
    }

    void communicator(Scanner& line) {
        std::uint32_t const number = small(line, "the number of a communicator");
        std::string const name(line.word());
        Communicator c{to_.calls.communicators(name), to_.calls.communicators(name + "/collective"), {}};
        while (!line.at_end() && !line.fault()) c.members.push_back(line.process("a rank"));
        members_[c.index] = c.members;
        communicators_[number] = std::move(c);
    }

    void note(Scanner& line, std::vector<Gap>& notes) {
        SourceLine const where = at(line);
        std::string const function(line.word());
        notes.push_back({rank_.number, where, function, std::string(rest(line))});
    }

    void off_schedule(Scanner& line) {
        line.number("the number of a request", UINT32_MAX);
        rank_.off_schedule = at(line);
    }

    void abort(Scanner& line) {
        at(line);
        rank_.end = RankEnd::aborted;
        rank_.abort_code = static_cast<int>(integer(line, "an error code"));
    }

    // ---- calls

    std::uint32_t add(auto what, SourceLine const& from) {
        Call call{std::move(what), {file_, number_}};
        if (!from.file.empty()) call.original = {to_.calls.original_files(from.file), from.line};
        process_.calls.push_back(std::move(call));
        return static_cast<std::uint32_t>(process_.calls.size()) - 1;
    }

    /// A send, receive or collective call that can be waited for.
    struct Request {
        std::vector<std::uint32_t> calls; // those that it became
        SourceLine at;
        std::uint32_t communicator = 0;
        bool is_receive = false;
        bool is_waited_for = false;
        bool is_probed = false;
        Selector source = {}, tag = {}; // of a receive
    };

    void send(Scanner& line) {
        std::uint64_t const number = line.number("the number of a request", UINT32_MAX);
        SourceLine const from = at(line);
        std::string_view const mode = line.word();
        Communicator const& c = communicator_of(line);
        std::uint32_t const to = line.process("a rank");
        std::int64_t const tag = integer(line, "a tag");
        draft::Expression value = payload(line);
        if (line.fault()) return;
        import::Send s{action('S', number), to, std::move(value), tag};
        s.mode = mode == "S" ? Mode::synchronous : mode == "b" ? Mode::buffered : Mode::standard;
        s.communicator = c.index;
        requests_[number] = {{add(std::move(s), from)}, from, c.index};
    }

    void receive(Scanner& line) {
        std::uint64_t const number = line.number("the number of a request", UINT32_MAX);
        SourceLine const from = at(line);
        Communicator const& c = communicator_of(line);
        Selector const source = selector(line, "a rank");
        Selector const tag = selector(line, "a tag");
        if (line.fault()) return;
        if (receive_what_was_probed(number, c, source, tag, from)) return;
        requests_[number] = {
            {add(receive_of(number, c.index, source, tag), from)}, from, c.index, true, false, false, source, tag};
    }

    import::Receive receive_of(std::uint64_t number, std::uint32_t communicator, Selector source,
                               Selector tag) const {import::Receive r;
    r.action = action('R', number);
    if (source) r.from = static_cast<std::uint32_t>(*source);
    r.tag = tag;
    r.variable = variable('x', number);
    r.communicator = communicator;
    return r;
}

    void wait_for(std::uint64_t number) {
    auto const found = requests_.find(number);
    if (found == requests_.end() || found->second.is_waited_for) return;
    found->second.is_waited_for = true;
    for (std::uint32_t const call : found->second.calls) add(import::Wait{call}, wait_at_.value_or(found->second.at));
}

void wait(Scanner& line, bool all) {
    blocked_.at = at(line);
    wait_at_ = blocked_.at;
    bool all_sends = true;
    bool all_receives = true;
    while (!line.at_end() && !line.fault()) {
        std::uint64_t const number = line.number("the number of a request", UINT32_MAX);
        auto const found = requests_.find(number);
        bool const is_receive = found != requests_.end() && found->second.is_receive;
        all_sends = all_sends && !is_receive;
        all_receives = all_receives && is_receive;
        if (all || blocked_.on.empty()) blocked_.on.push_back(number);
    }
    blocked_.in = all_sends ? "for a send" : all_receives ? "for a receive" : "for sends and receives";
}

/// What is complete next was tested.
void polls(Scanner& line) {
    line.number("a number of tests", UINT64_MAX);
    wait_at_.reset();
}

void sent(Scanner& line) { wait_for(line.number("the number of a request", UINT32_MAX)); }

void got(Scanner& line) {
    std::uint64_t const number = line.number("the number of a request", UINT32_MAX);
    wait_for(number);
    taken(line, number);
    integer(line, "a value");
}

void matched(Scanner& line) {
    std::uint64_t const number = line.number("the number of a request", UINT32_MAX);
    wait_for(number);
    line.process("a rank");
    integer(line, "a tag");
}

void taken(Scanner& line, std::uint64_t number) {
    std::uint32_t const from = line.process("a rank");
    std::int64_t const tag = integer(line, "a tag");
    auto const found = requests_.find(number);
    if (found == requests_.end() || !found->second.is_receive)
        return line.fail("I2", {}, fmt::format("{} is no receive of this rank", number));
    rank_.taken.push_back({action('R', number) + std::string(found->second.is_probed ? probed : ""), from, tag,
                           found->second.communicator});
}

// ---- probes

struct Probe {
    std::uint32_t call; // its place among the calls; an assumption that says nothing stands there
    SourceLine at;
    std::uint32_t communicator;
    Selector source, tag; // what it admits
    std::int64_t seen_source = -1, seen_tag = -1;
};

void probe(Scanner& line) {
    blocked_.at = at(line);
    blocked_.in = "in MPI_Probe";
    Communicator const& c = communicator_of(line);
    Probe p{0, blocked_.at, c.index, selector(line, "a rank"), selector(line, "a tag")};
    if (line.fault()) return;
    p.call = add(import::Assume{draft::truth(true)}, p.at);
    blocked_.probe = true;
    probes_.push_back(p);
}

void seen(Scanner& line) {
    if (probes_.empty() || probes_.back().seen_source >= 0) return line.fail("syntax", {}, "`seen` without a probe");
    Probe& p = probes_.back();
    p.seen_source = line.process("a rank");
    p.seen_tag = integer(line, "a tag");
    // A program may look at the same message several times: the first look waits for it.
    for (std::size_t i = 0; i + 1 < probes_.size(); ++i)
        if (probes_[i].communicator == p.communicator && probes_[i].seen_source == p.seen_source &&
            probes_[i].seen_tag == p.seen_tag) {
            unused_.push_back(p.call);
            probes_.pop_back();
            return;
        }
}

/// The receive that takes what a probe saw is posted where the probe is, with what the probe admits.
bool receive_what_was_probed(std::uint64_t number, Communicator const& c, Selector const& source, Selector const& tag,
                             SourceLine const& from) {
    auto const p = std::find_if(probes_.begin(), probes_.end(), [&](Probe const& probe) {
        return probe.communicator == c.index && admits(source, probe.seen_source) && admits(tag, probe.seen_tag);
    });
    if (p == probes_.end()) return false;
    bool const is_seen = source == Selector(p->seen_source) && tag == Selector(p->seen_tag);
    bool const is_same = covers(source, p->source) && covers(tag, p->tag);
    std::uint32_t const call = p->call;
    if (is_seen || is_same || (source == Selector(p->seen_source) && covers(tag, p->tag)) ||
        (tag == Selector(p->seen_tag) && covers(source, p->source))) {
        import::Receive r = receive_of(number, c.index, p->source, p->tag);
        r.action += probed;
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

void collective(Scanner& line) {
    std::uint64_t const number = line.number("the number of a request", UINT32_MAX);
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
        add(import::Meet{c.index}, from);
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
            import::Receive r = receive_of(number, c.collectives, other, std::nullopt);
            r.action += fmt::format(".{}", other);
            if (shape != Shape::from_root) r.variable += fmt::format(".{}", other);
            request.calls.push_back(add(std::move(r), from));
        }
        if (to_other) {
            import::Send s{fmt::format("{}.{}", action('S', number), other), other, value.value_or(draft::number(0)),
                           0};
            s.communicator = c.collectives;
            request.calls.push_back(add(std::move(s), from));
        }
    }
}

static bool is_earlier(Communicator const& c, std::uint32_t a, std::uint32_t b) {
    return std::find(c.members.begin(), c.members.end(), a) < std::find(c.members.begin(), c.members.end(), b);
}

void done(Scanner& line) {
    wait_for(line.number("the number of a request", UINT32_MAX));
    if (line.next_word() == "-")
        line.word();
    else
        payload(line);
}

// ---- what the program says about its values

void let(Scanner& line) {
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
    if (!op || arity(*op) != 2) return line.fail("syntax", word, fmt::format("`{}` is no operator", printable(word)));
    expressions_[number] = draft::operation(*op, std::move(a), std::move(b));
}

void claim(Scanner& line, bool is_assumption) {
    SourceLine const from = at(line);
    bool const truth = integer(line, "0 or 1") != 0;
    std::optional<draft::Expression> e;
    if (line.next_word() == "-")
        line.word();
    else
        e = operand(line);
    if (line.fault()) return;
    if (is_assumption) {
        if (e) add(import::Assume{truth ? std::move(*e) : draft::operation(Op::not_, std::move(*e))}, from);
    } else if (e) {
        add(import::Assert{std::move(*e)}, from);
    } else if (!truth) {
        add(import::Assert{draft::truth(false)}, from);
    } else {
        ++to_.concrete_assertions;
    }
}

// ---- the end

void finish() {
    std::size_t const before = process_.calls.size();
    for (std::uint64_t const number : blocked_.on) wait_for(number);
    rank_.pending = static_cast<std::uint32_t>(process_.calls.size() - before);
    bool const is_blocked = !blocked_.in.empty();
    if (blocked_.probe) {
        Probe const p = probes_.back();
        probes_.pop_back();
        import::Receive r = receive_of(UINT32_MAX, p.communicator, p.source, p.tag);
        r.blocking = true;
        process_.calls[p.call].what = std::move(r);
        rank_.pending = 2; // rcvi and wait
    }
    if (is_blocked && !process_.calls.empty() && std::holds_alternative<import::Meet>(process_.calls.back().what))
        rank_.pending = 1;
    if (rank_.end == RankEnd::elsewhere && is_blocked) {
        rank_.end = RankEnd::blocked;
        rank_.blocked_in = blocked_.in;
        rank_.blocked_at = blocked_.at;
    }
    for (Probe const& p : probes_) {
        to_.remarks.push_back({rank_.number, p.at, "MPI_Probe", "the program does not receive what it saw"});
        unused_.push_back(p.call);
    }
    leave_out_what_nothing_completes();
    remove_unused();
    to_.calls.processes.push_back(std::move(process_));
    to_.ranks.push_back(std::move(rank_));
}

/// Receives that no wait completes, not even one for a later receive (rule D3).
void leave_out_what_nothing_completes() {
    for (auto const& [number, r] : requests_) {
        if (!r.is_receive || r.is_waited_for) continue;
        bool is_completed = false;
        bool matters = false;
        for (auto const& [later, other] : requests_) {
            if (later <= number || !other.is_receive || !other.is_waited_for || other.communicator != r.communicator)
                continue;
            matters = true;
            is_completed = is_completed || (covers(r.source, other.source) && covers(r.tag, other.tag));
        }
        if (is_completed) continue;
        unused_.insert(unused_.end(), r.calls.begin(), r.calls.end());
        (matters ? to_.gaps : to_.remarks)
            .push_back({rank_.number, r.at, "MPI_Irecv", "nothing waits for this receive; it is left out"});
    }
}

void remove_unused() {
    if (unused_.empty()) return;
    std::vector<std::uint32_t> new_index(process_.calls.size());
    std::vector<Call> kept;
    std::sort(unused_.begin(), unused_.end());
    for (std::uint32_t i = 0; i < process_.calls.size(); ++i) {
        new_index[i] = static_cast<std::uint32_t>(kept.size());
        if (!std::binary_search(unused_.begin(), unused_.end(), i)) kept.push_back(std::move(process_.calls[i]));
    }
    for (Call& call : kept)
        if (auto* const w = std::get_if<import::Wait>(&call.what)) w->call = new_index[w->call];
    process_.calls = std::move(kept);
}

std::uint32_t file_;
Source const& source_;
Resolver& resolver_;
import::Reports& reports_;
Members& members_;
Recording& to_;

std::uint32_t number_ = 0; // of the line
Rank rank_;
import::Process process_;
std::unordered_map<std::uint32_t, std::string> objects_;
std::unordered_map<std::uint32_t, SourceLine> places_;
std::unordered_map<std::uint32_t, Communicator> communicators_;
std::map<std::uint64_t, Request> requests_;
std::unordered_map<std::uint64_t, draft::Expression> expressions_; // those that have no variable
std::vector<Probe> probes_;                                        // whose message has not been received yet
std::vector<std::uint32_t> unused_;
std::optional<SourceLine> wait_at_;

/// What the last line says that the rank waits for.
struct Blocked {
    std::string in; // empty: it does not wait
    SourceLine at;
    std::vector<std::uint64_t> on;
    bool probe = false;
} blocked_;
}; // namespace

/// A barrier that not all have come to when the run ended: those that have come wait for those that have not.
void part_meetings(Recording& r, Members const& members) {
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> times; // communicator -> rank -> times
    for (auto const& [communicator, ranks] : members)
        for (std::uint32_t const rank : ranks) times[communicator][rank] = 0;
    for (import::Process const& p : r.calls.processes)
        for (Call const& call : p.calls)
            if (auto const* const meet = std::get_if<import::Meet>(&call.what)) ++times[meet->communicator][p.number];
    for (import::Process& p : r.calls.processes) {
        if (p.calls.empty()) continue;
        auto const* const meet = std::get_if<import::Meet>(&p.calls.back().what);
        if (meet == nullptr) continue;
        auto const& all = times[meet->communicator];
        std::uint32_t const communicator = meet->communicator;
        Call const last = p.calls.back();
        bool is_first = true;
        for (auto const& [rank, n] : all) {
            if (n >= all.at(p.number)) continue;
            Rank& stopped =
                *std::find_if(r.ranks.begin(), r.ranks.end(), [&](Rank const& x) { return x.number == p.number; });
            if (is_first) {
                p.calls.pop_back();
                stopped.pending = 0;
            }
            is_first = false;
            stopped.pending += 2; // rcvi and wait
            import::Receive waits_for;
            waits_for.action = fmt::format("{}{}.{}", unmet_barrier, p.number, rank);
            waits_for.variable = fmt::format("b{}.{}", p.number, rank);
            waits_for.from = rank;
            waits_for.communicator = r.calls.communicators(r.calls.communicators.names()[communicator] + "/barrier");
            waits_for.blocking = true;
            p.calls.push_back({std::move(waits_for), last.place, last.original});
        }
    }
}

} // namespace matchpoint::record

bool Recording::is_readable() const { return std::none_of(faults.begin(), faults.end(), has_error); }

Recording read_recording(std::span<Source const> files, Resolver& resolver) {
    Recording recording;
    Members members;
    import::Reports reports(files.size());
    for (std::uint32_t i = 0; i < files.size(); ++i)
        RankReader(i, files[i], resolver, reports, members, recording).read();
    std::sort(recording.ranks.begin(), recording.ranks.end(), [](auto& a, auto& b) { return a.number < b.number; });
    part_meetings(recording, members);
    recording.faults = reports.take();
    return recording;
}

draft::Draft program_of(Recording const& recording) {
    import::Reports reports(recording.faults.size());
    std::vector<Source> const files(recording.faults.size(), Source("", ""));
    draft::Draft program = import::draft_of_calls(recording.calls, files, std::nullopt, reports);
    if (reports.refused()) throw std::logic_error("a recording is no program");
    program.comment = {};
    return program;
}

} // namespace matchpoint::record
