// Transition lists of ISP, which MOPPER reads, too:
//
//   Transition list for 0
//   0 o=1 i=0 rank=0 Irecv ring.c:12 src=-1 rtag=0{}{} Matched [1,0]
//   1 o=3 i=1 rank=0 Wait ring.c:14{[0,0]}{}

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/numbers.hpp"
#include "importers/readers.hpp"
#include "importers/scanner.hpp"

namespace matchpoint::importers {

namespace {

constexpr std::uint64_t max_index = UINT32_MAX;
constexpr std::uint64_t no_call = UINT64_MAX; // of another process
constexpr std::string_view title = "Transition list for";

enum class Kind : std::uint8_t { send, receive, wait, wait_all, barrier, nothing };

struct Known {
    std::string_view name;
    Kind kind;
    Mode mode = Mode::standard;
    bool blocking = false;
};
constexpr Known known[] = {
    {"Send", Kind::send, Mode::standard, true},
    {"Ssend", Kind::send, Mode::synchronous, true},
    {"Bsend", Kind::send, Mode::buffered, true},
    {"Rsend", Kind::send, Mode::ready, true},
    {"Isend", Kind::send},
    {"Issend", Kind::send, Mode::synchronous},
    {"Ibsend", Kind::send, Mode::buffered},
    {"Irsend", Kind::send, Mode::ready},
    {"Recv", Kind::receive, Mode::standard, true},
    {"Irecv", Kind::receive},
    {"Wait", Kind::wait},
    {"Waitall", Kind::wait_all},
    {"Barrier", Kind::barrier},
    {"Finalize", Kind::nothing}, // nothing comes after it
    {"Pcontrol", Kind::nothing}, // it is for profilers
};

Known const* find_known(std::string_view name) {
    auto const* const found =
        std::find_if(std::begin(known), std::end(known), [&](Known const& k) { return k.name == name; });
    return found == std::end(known) ? nullptr : found;
}

/// One line, as it is written.
struct Transition {
    std::uint64_t index = 0; // within the process
    std::string_view call;
    OriginalLine original = {};
    std::optional<std::uint32_t> to;
    std::optional<std::uint32_t> from; // none for any
    bool has_source = false;
    std::optional<std::int64_t> tag;                    // none for any, or if unknown
    std::string communicator = "comm0";                 // where no `comm=` says another one
    std::optional<std::vector<std::uint64_t>> requests; // of `req=`
    std::vector<std::uint64_t> ancestors;               // of the same process: indices
};

bool is_any(std::string_view word) {
    return word == "*" || word == "-1" || word == "MPI_ANY_SOURCE" || word == "MPI_ANY_TAG";
}

class Reader {
public:
    Reader(std::uint32_t file, Source const& source, Reading& to) : lines_(file, source), to_(to) {}

    void read() {
        while (auto line = lines_.next()) {
            if (line->at_end()) continue;
            if (to_.reports.is_full(line->whole().file)) break;
            if (line->rest().starts_with(title))
                begin(*line);
            else if (in_list_)
                transition(*line);
            if (auto const& fault = line->fault()) to_.reports.error(fault->rule, fault->place, fault->message);
        }
    }

private:
    void begin(Scanner& line) {
        line.expect(title);
        rank_ = line.process("the rank of a process");
        line.expect_end();
        in_list_ = true;
        process_ = {};
        next_ = 0;
        requests_ = {};
        knows_rank_ = !line.fault();
        if (knows_rank_) process_ = to_.begin(rank_, line.whole());
    }

    void transition(Scanner& line) {
        Transition t;
        line.number("the number of a transition", max_index);
        line.expect("o=");
        line.number("a number", max_index);
        line.expect("i=");
        std::string_view const index = line.next_word();
        t.index = line.number("the index of a call", max_index);
        line.expect("rank=");
        std::string_view const rank = line.next_word();
        std::uint32_t const number = line.process("the rank of a process");
        if (!line.fault() && knows_rank_ && number != rank_)
            line.fail("I1", rank, fmt::format("a transition of process {} in the list of process {}", number, rank_));
        if (!line.fault() && knows_rank_ && t.index < next_)
            line.fail("I1", index, fmt::format("call {} of process {} comes after call {}", t.index, rank_, next_ - 1));
        t.call = line.word();
        source_line(line, t);
        attributes(line, t);
        braces(line, t);
        matched(line);
        if (line.fault()) return;
        next_ = t.index + 1;
        call(line, t);
    }

    /// `ring.c:12`. The file name ends at the first colon followed by a number and then a blank, a brace or nothing.
    void source_line(Scanner& line, Transition& t) {
        std::string_view const text = line.rest();
        for (std::size_t colon = text.find(':'); colon < text.size(); colon = text.find(':', colon + 1)) {
            std::size_t const end = std::min(text.find_first_not_of("0123456789", colon + 1), text.size());
            if (end == colon + 1 || colon == 0) continue;
            if (end < text.size() && blanks.find(text[end]) == std::string_view::npos && text[end] != '{') continue;
            line.take(text.substr(0, colon + 1));
            auto const number = static_cast<std::uint32_t>(line.number("the number of a line", UINT32_MAX));
            t.original = {to_.calls.original_files(text.substr(0, colon)), number};
            return;
        }
        line.fail_here("a source file and its line, `file.c:12`,");
    }

    void attributes(Scanner& line, Transition& t) {
        while (!line.at_end() && !line.rest().starts_with("{") && !line.rest().starts_with("Matched")) {
            std::string_view const all = line.next_word("{");
            std::size_t const sign = all.find('=');
            if (sign == 0 || sign == std::string_view::npos) return line.fail_here("`name=value`, `{` or `Matched`");
            attribute(line, t, all.substr(0, sign), all.substr(sign + 1));
            line.word("{");
        }
    }

    void attribute(Scanner& line, Transition& t, std::string_view name, std::string_view value) {
        if (name == "dest") {
            t.to = rank_of(line, value);
        } else if (name == "src") {
            t.has_source = true;
            if (!is_any(value)) t.from = rank_of(line, value);
        } else if (name == "stag" || name == "rtag" || name == "tag") {
            if (is_any(value)) return;
            t.tag = to_number<std::int64_t>(value);
            if (!t.tag || *t.tag < 0) line.fail("syntax", value, fmt::format("`{}` is not a tag", printable(value)));
        } else if (name == "comm") {
            t.communicator = fmt::format("comm{}", value);
        } else if (name == "req") {
            t.requests.emplace();
            list_of_requests(line, value, *t.requests);
        } else if (unknown_.insert(std::string(name)).second) {
            to_.reports.warning("I5", line.place_of(name),
                                fmt::format("`{}` is left out: it has no counterpart", printable(name)));
        }
    }

    static std::optional<std::uint32_t> rank_of(Scanner& line, std::string_view value) {
        auto const rank = natural(value);
        if (rank && *rank <= max_process) return static_cast<std::uint32_t>(*rank);
        line.fail("I5", value,
                  fmt::format("`{}` is not a rank of a process, and has no counterpart", printable(value)));
        return std::nullopt;
    }

    /// `3`, `[3,4]`
    static void list_of_requests(Scanner& line, std::string_view value, std::vector<std::uint64_t>& to) {
        std::string_view rest = value;
        if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
        while (true) {
            std::size_t const comma = std::min(rest.find(','), rest.size());
            auto const request = natural(rest.substr(0, comma));
            if (!request)
                return line.fail("syntax", value, fmt::format("`{}` is not a list of calls", printable(value)));
            to.push_back(*request);
            if (comma == rest.size()) return;
            rest.remove_prefix(comma + 1);
        }
    }

    /// `{[0,1] [0,2]}{...}`: the calls that have to complete before, and those that have to match before. Only those of
    /// waits are of use.
    void braces(Scanner& line, Transition& t) {
        bool const of_wait = t.call == "Wait" || t.call == "Waitall";
        for (int group = 0; group < 2 && line.take("{"); ++group) {
            if (group == 0 && of_wait && !t.requests) ancestors(line, t);
            std::string_view const rest = line.rest();
            line.take(rest.substr(0, rest.find('}')));
            line.expect("}");
        }
    }

    /// Calls `[0,1]`, with or without commas between them.
    void ancestors(Scanner& line, Transition& t) {
        while (!line.fault() && !line.rest().starts_with("}")) {
            if (!t.ancestors.empty()) line.take(",");
            auto const [rank, index] = call_name(line);
            t.ancestors.push_back(rank == rank_ ? index : no_call);
        }
    }

    /// `[0,1]`: call 1 of process 0.
    static std::pair<std::uint64_t, std::uint64_t> call_name(Scanner& line) {
        line.expect("[");
        std::uint64_t const rank = line.number("the rank of a process", max_index);
        line.expect(",");
        std::uint64_t const index = line.number("the index of a call", max_index);
        line.expect("]");
        return {rank, index};
    }

    /// `Matched [1,4]`; of a call that all make together, the calls of all.
    static void matched(Scanner& line) {
        if (line.take("Matched")) {
            do call_name(line);
            while (line.rest().starts_with("["));
        }
        line.expect_end();
    }

    void call(Scanner& line, Transition const& t) {
        Known const* const k = find_known(t.call);
        if (k == nullptr)
            return line.fail("I5", t.call,
                             fmt::format("`{}` has no counterpart: calls are `Send`, `Recv`, their variants, `Wait`, "
                                         "`Waitall` and `Barrier`",
                                         printable(t.call)));
        switch (k->kind) {
        case Kind::send: return send(line, t, *k);
        case Kind::receive: return receive(line, t, *k);
        case Kind::wait:
        case Kind::wait_all: return wait(line, t, k->kind == Kind::wait_all);
        case Kind::barrier: return add(line, t, Meet{communicator(t)});
        case Kind::nothing: return;
        }
    }

    std::uint32_t communicator(Transition const& t) { return to_.calls.communicators(t.communicator); }

    void send(Scanner& line, Transition const& t, Known const& k) {
        if (!t.to) return line.fail("syntax", t.call, fmt::format("`{}` has no `dest=`", t.call));
        Send send{id(CallId::Kind::send, t), *t.to, {}, t.tag.value_or(0), k.mode, k.blocking, communicator(t)};
        issue(t, k.blocking);
        add(line, t, std::move(send));
    }

    void receive(Scanner& line, Transition const& t, Known const& k) {
        if (!t.has_source) return line.fail("syntax", t.call, fmt::format("`{}` has no `src=`", t.call));
        Receive receive{id(CallId::Kind::receive, t), t.from, t.tag, {}, 0, k.blocking, communicator(t)};
        issue(t, k.blocking);
        add(line, t, std::move(receive));
    }

    CallId id(CallId::Kind kind, Transition const& t) const {
        return {rank_, static_cast<std::uint32_t>(t.index), kind};
    }

    void issue(Transition const& t, bool blocking) {
        if (blocking || !process_) return;
        requests_.issue(t.index, static_cast<std::uint32_t>(to_.calls.processes[*process_].calls.size()));
    }

    /// Without `req=`, a wait is for the calls among its ancestors that nothing has waited for yet.
    void wait(Scanner& line, Transition const& t, bool all) {
        if (!process_) return; // its calls are not kept either
        std::vector<std::uint64_t> requests = t.requests.value_or(t.ancestors);
        if (!t.requests) {
            std::erase_if(requests, [&](std::uint64_t r) { return !requests_.is_pending(r); });
            std::sort(requests.begin(), requests.end());
            requests.erase(std::unique(requests.begin(), requests.end()), requests.end());
        }
        if (!all && requests.empty())
            return line.fail("I2", t.call, "nothing says which call it waits for: `req=` or the first braces can");
        if (!all && requests.size() > 1)
            return line.fail("I2", t.call,
                             fmt::format("it waits for one of {} calls, and nothing says which", requests.size()));
        for (std::uint64_t const request : requests) {
            auto const awaited =
                requests_.complete(request, std::to_string(request), line.place_of(t.call), to_.reports);
            if (awaited) add(line, t, Wait{*awaited});
        }
    }

    template <typename What>
    void add(Scanner const& line, Transition const& t, What what) {
        if (process_) to_.calls.processes[*process_].calls.push_back({std::move(what), line.whole(), t.original});
    }

    Lines lines_;
    Reading& to_;
    bool in_list_ = false;
    std::uint32_t rank_ = 0;
    bool knows_rank_ = false;              // the line that began the list is right
    std::optional<std::uint32_t> process_; // none if the line that began its list is wrong
    std::uint64_t next_ = 0;               // the least index that can come next
    Requests requests_;
    std::unordered_set<std::string> unknown_; // attributes
};

} // namespace

void read_transition_lists(std::uint32_t file, Source const& source, Reading& reading) {
    Reader(file, source, reading).read();
}

} // namespace matchpoint::importers
