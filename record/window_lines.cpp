#include "record/window_lines.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/numbers.hpp"

namespace matchpoint::record {

namespace {

/// A line, word by word.
class Words {
public:
    explicit Words(std::string_view line) : rest_(line) {}
    std::string_view next() {
        std::size_t const end = std::min(rest_.find(' '), rest_.size());
        std::string_view const word = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return word;
    }
    std::string_view rest() const { return rest_; }
    bool at_end() const { return rest_.empty(); }
    template <typename Number>
    Number number(int base = 10) {
        std::string_view word = next();
        return take_number<Number>(word, base).value_or(0);
    }

private:
    std::string_view rest_;
};

class Reader {
public:
    Reader(Source const& file, Resolver& resolver) : file_(file), resolver_(resolver) {}

    RankEvents run() {
        std::string_view text = file_.text();
        text = text.substr(0, text.find('\0'));
        while (!text.empty()) {
            std::size_t const end = text.find('\n');
            if (end == std::string_view::npos) break; // it was being written
            line(text.substr(0, end));
            text.remove_prefix(end + 1);
        }
        return std::move(result_);
    }

private:
    void line(std::string_view text) {
        Words w(text);
        std::string_view const word = w.next();
        if (word == "rank") {
            result_.rank = w.number<std::uint32_t>();
        } else if (word == "object") {
            auto const number = w.number<std::uint32_t>();
            objects_[number] = std::string(w.rest());
        } else if (word == "place") {
            auto const number = w.number<std::uint32_t>();
            auto const object = w.number<std::uint32_t>();
            places_[number] = resolver_.line(objects_[object], w.number<std::uint64_t>(16));
        } else if (word == "source") {
            auto const number = w.number<std::uint32_t>();
            auto const at = w.number<std::uint32_t>();
            places_[number] = {std::string(w.rest()), at};
        } else if (word == "comm") {
            communicator(w);
        } else if (word == "rma") {
            one_sided(w);
        } else {
            other(word, w);
        }
    }

    void communicator(Words& w) {
        Communicator& c = communicators_[w.number<std::uint32_t>()];
        c.name = w.next();
        for (c.ranks = 0; !w.at_end(); ++c.ranks) w.next();
    }

    void one_sided(Words& w) {
        std::string_view const word = w.next();
        if (word == "window") return opened(w);
        if (word == "ready") return add(lines::Ready{}, {});
        if (word == "memory") {
            WindowName const name = windows_[w.number<std::uint32_t>()];
            auto const offset = w.number<std::uint64_t>();
            add(lines::Bytes{name, offset, bytes(w.next())}, {});
        } else if (word == "buffer") {
            auto const number = w.number<std::uint32_t>();
            add(lines::Buffer{number, expression(w.rest()), w.rest().find_first_of("=xv") == 0}, {});
        } else if (word == "load") {
            auto const number = w.number<std::uint32_t>();
            auto const value = w.number<std::int64_t>();
            add(lines::Arrived{number, value, own(w.next(), 0)}, {});
        } else {
            SourceLine const at = places_[w.number<std::uint32_t>()];
            if (word == "meet") return meeting(w, at);
            WindowName const window = windows_[w.number<std::uint32_t>()];
            if (word == "flush")
                add(lines::Flush{window, w.rest() == "*" ? std::nullopt : std::optional(w.number<std::uint32_t>())},
                    at);
            else if (word == "lock" || word == "share" || word == "unlock")
                lock(word, window, w, at);
            else if (word == "post" || word == "start" || word == "complete" || word == "wait")
                group(word, window, w, at);
            else
                remote(word, window, w, at);
        }
    }

    void opened(Words& w) {
        auto const number = w.number<std::uint32_t>();
        SourceLine const at = places_[w.number<std::uint32_t>()];
        std::string const communicator = communicators_[w.number<std::uint32_t>()].name;
        windows_[number] = {communicator, w.number<std::uint32_t>()};
        add(lines::Opened{windows_[number], w.number<int>()}, at);
    }

    void meeting(Words& w, SourceLine const& at) {
        Communicator const& c = communicators_[w.number<std::uint32_t>()];
        add(lines::Meeting{c.name, c.ranks}, at);
    }

    void lock(std::string_view word, WindowName const& window, Words& w, SourceLine const& at) {
        using Kind = lines::Lock::Kind;
        Kind const kind = word == "lock" ? Kind::exclusive : word == "share" ? Kind::shared : Kind::end;
        add(lines::Lock{window, w.number<std::uint32_t>(), kind}, at);
    }

    void group(std::string_view word, WindowName const& window, Words& w, SourceLine const& at) {
        using Kind = lines::Group::Kind;
        lines::Group g{window, Kind::post, {}};
        if (word != "post") g.kind = word == "start" ? Kind::start : word == "complete" ? Kind::complete : Kind::wait;
        while (!w.at_end()) g.ranks.push_back(w.number<std::uint32_t>());
        add(std::move(g), at);
    }

    void remote(std::string_view word, WindowName const& window, Words& w, SourceLine const& at) {
        using Kind = lines::Remote::Kind;
        Cell cell{window, w.number<std::uint32_t>(), 0, 0};
        cell.offset = w.number<std::uint64_t>();
        cell.size = std::clamp(w.number<int>(), -8, 8);
        if (cell.size == 0) cell.size = 8;
        lines::Remote r{.kind = Kind::put, .cell = cell};
        auto const next = [&] { return own(w.next(), cell.size); };
        if (word == "put") {
            r.operand = next();
        } else if (word == "get") {
            r.kind = Kind::get;
            r.result = next();
        } else if (word == "swap") {
            r.kind = Kind::swap;
            r.operand = next();
            r.compared = next();
            r.result = next();
        } else {
            r.is_of_several = word == "fetches";
            r.kind = word == "fetch" || r.is_of_several ? Kind::fetch : Kind::accumulate;
            r.op = w.next();
            r.operand = next();
            if (r.kind == Kind::fetch) r.result = next();
        }
        add(std::move(r), at);
    }

    /// What a function does to memory is not recorded.
    void lacks_writes(std::string_view function) {
        constexpr std::string_view others[] = {"MPI_Get", "MPI_Rget", "MPI_Win_flush_local", "MPI_Win_flush_local_all"};
        bool const writes = std::find(std::begin(others), std::end(others), function) == std::end(others);
        result_.lacks_writes = result_.lacks_writes || writes;
    }

    void other(std::string_view word, Words& w) {
        if (word == "gap") {
            w.next();
            lacks_writes(w.next());
        } else if (word == "let") {
            auto const number = w.number<std::uint32_t>();
            std::string const op(w.next());
            lines::Expression const a = expression(w.next());
            lines::Expression const b = expression(w.next());
            lines::Expression& e = expressions_[number];
            if (a.text.empty() || b.text.empty() || a.text.size() + b.text.size() > max_expression) return;
            e = op == "not" ? negation(a)
                            : lines::Expression{fmt::format("({} {} {})", op, a.text, b.text), a.depends_on};
            if (op != "not") e.depends_on.insert(b.depends_on.begin(), b.depends_on.end());
        } else if (word == "assume" || word == "assert") {
            claim(word == "assume", w);
        } else if (word == "coll") {
            collective(w);
        } else if (word == "done") {
            add(lines::Done{w.number<std::uint32_t>()}, {});
        } else if (word == "send" || word == "recv" || word == "mprobe") {
            message(word == "send", w);
        } else if (word == "sent") {
            add(lines::Complete{w.number<std::uint32_t>(), std::nullopt}, {});
        } else if (word == "got") {
            got(w);
        }
    }

    /// All ranks wait for all others in most blocking calls.
    void collective(Words& w) {
        auto const number = w.number<std::uint32_t>();
        SourceLine const at = places_[w.number<std::uint32_t>()];
        std::string const function(w.next());
        Communicator& c = communicators_[w.number<std::uint32_t>()];
        auto const root = w.number<std::int64_t>();
        bool const is_nonblocking = function.starts_with("MPI_I");
        if (root < 0 && !is_nonblocking) return add(lines::Meeting{c.name, c.ranks}, at);
        add(lines::Collective{function, c.name, c.ranks, ++collectives_[c.name],
                              root < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(root)), number},
            at);
    }

    void message(bool is_send, Words& w) {
        auto const number = w.number<std::uint32_t>();
        SourceLine const at = places_[w.number<std::uint32_t>()];
        bool const is_synchronous = is_send && w.next() == "S";
        std::string const& communicator = communicators_[w.number<std::uint32_t>()].name;
        if (!is_send) {
            receives_[number] = communicator;
            return add(lines::Message{number, std::nullopt, false}, at);
        }
        auto const to = w.number<std::uint32_t>();
        auto const tag = w.number<std::int64_t>();
        add(lines::Message{number, lines::Channel{communicator, result_.rank, to, tag}, is_synchronous}, at);
    }

    void got(Words& w) {
        auto const number = w.number<std::uint32_t>();
        auto const from = w.number<std::uint32_t>();
        auto const tag = w.number<std::int64_t>();
        add(lines::Complete{number, lines::Channel{receives_[number], from, result_.rank, tag}}, {});
    }

    void claim(bool is_assumption, Words& w) {
        SourceLine const at = places_[w.number<std::uint32_t>()];
        bool const truth = w.next() == "1";
        std::string_view const operand = w.next();
        if (operand != "-")
            add(lines::Claim{is_assumption,
                             is_assumption && !truth ? negation(expression(operand)) : expression(operand)},
                at);
        else if (!is_assumption)
            add(lines::Claim{false, {"true", {}}}, at); // as in RankReader::claim
    }

    static lines::Expression negation(lines::Expression const& e) {
        if (e.text.empty()) return e; // it is too long
        return {fmt::format("(not {})", e.text), e.depends_on};
    }

    /// `x3`, `v5`, `=7`, `7`
    lines::Expression expression(std::string_view word) {
        if (word.starts_with('=')) word.remove_prefix(1);
        if (!word.starts_with('x') && !word.starts_with('v')) return {std::string(word), {}};
        std::string_view digits = word.substr(1);
        std::uint32_t const n = take_number<std::uint32_t>(digits).value_or(0);
        if (word.starts_with('v')) return expressions_[n];
        result_.used.insert(n);
        return {variable_of(CallId{result_.rank, n, CallId::Kind::receive}), {n}};
    }

    /// `w0.8`, `b3` or `-`
    OwnMemory own(std::string_view word, int size) {
        std::string_view rest = word.substr(std::min<std::size_t>(1, word.size()));
        std::uint32_t const n = take_number<std::uint32_t>(rest).value_or(0);
        if (word.starts_with('b')) return n;
        if (!word.starts_with('w')) return {};
        rest.remove_prefix(std::min<std::size_t>(1, rest.size()));
        Cell cell{windows_[n], result_.rank, 0, size};
        cell.offset = take_number<decltype(cell.offset)>(rest).value_or(0);
        return cell;
    }

    static std::string bytes(std::string_view digits) {
        std::string result;
        for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
            result += static_cast<char>(to_number<unsigned>(digits.substr(i, 2), 16).value_or(0));
        }
        return result;
    }

    template <typename What>
    void add(What what, SourceLine const& at) {
        result_.events.push_back({std::move(what), at});
    }

    static constexpr std::size_t max_expression = 4096; // longer ones are empty

    struct Communicator {
        std::string name;
        std::size_t ranks = 0;
    };
    Source const& file_;
    Resolver& resolver_;
    RankEvents result_;
    std::map<std::uint32_t, std::string> objects_;
    std::map<std::uint32_t, SourceLine> places_;
    std::map<std::uint32_t, Communicator> communicators_;
    std::map<std::uint32_t, WindowName> windows_; // of this rank
    std::map<std::string, std::size_t> collectives_;
    std::map<std::uint32_t, std::string> receives_; // number -> communicator
    std::map<std::uint32_t, lines::Expression> expressions_;
};

} // namespace

std::string_view lines::Remote::function() const {
    switch (kind) {
    case Kind::put: return "MPI_Put";
    case Kind::get: return "MPI_Get";
    case Kind::accumulate: return "MPI_Accumulate";
    case Kind::fetch: return is_of_several ? "MPI_Get_accumulate" : "MPI_Fetch_and_op";
    case Kind::swap: break;
    }
    return "MPI_Compare_and_swap";
}

RankEvents window_events(Source const& file, Resolver& resolver) { return Reader(file, resolver).run(); }

} // namespace matchpoint::record
