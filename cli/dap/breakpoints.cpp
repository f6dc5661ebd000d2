#include "cli/dap/breakpoints.hpp"

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/numbers.hpp"

namespace matchpoint::cli {

namespace {

std::string without_spaces(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return text;
}

/// "3", "== 3", ">= 3", "> 3", "<= 3", "< 3", "% 3". Throws Refused.
std::function<bool(std::uint64_t)> hit_condition(std::string const& given) {
    std::string const text = without_spaces(given);
    std::size_t const digit = std::min(text.find_first_of("0123456789"), text.size());
    std::string const op = text.substr(0, digit);
    auto const count = natural(text.substr(digit));
    auto const refused = [&] {
        return Refused(fmt::format("`{}` is not a hit condition: 3, >= 3, > 3, <= 3, < 3 or % 3", printable(given)));
    };
    if (!count) throw refused();
    std::uint64_t const n = *count;
    if (op.empty() || op == "=" || op == "==") return [n](std::uint64_t hits) { return hits == n; };
    if (op == ">=") return [n](std::uint64_t hits) { return hits >= n; };
    if (op == ">") return [n](std::uint64_t hits) { return hits > n; };
    if (op == "<=") return [n](std::uint64_t hits) { return hits <= n; };
    if (op == "<") return [n](std::uint64_t hits) { return hits < n; };
    if (op == "%" && n > 0) return [n](std::uint64_t hits) { return hits % n == 0; };
    throw refused();
}

} // namespace

Incoming Breakpoints::set(Kind kind, Incoming const& asked) {
    std::vector<Breakpoint> before = std::exchange(of(kind), {});
    Incoming answers = Incoming::array();
    try {
        for (Incoming const& one : asked) {
            if (!one.is_object()) bad_parameter("each of `breakpoints` has to be an object");
            // The place in its list: it stays the same when the program is read again.
            auto const id = static_cast<std::int64_t>(answers.size() * 3 + static_cast<std::size_t>(kind) + 1);
            answers.push_back(added(kind, id, Parameters(one.get_ref<Parameters::Object const&>())));
        }
    } catch (...) {
        of(kind) = std::move(before);
        throw;
    }
    return answers;
}

/// The answer to one breakpoint that is asked for.
Incoming Breakpoints::added(Kind kind, std::int64_t id, Parameters const& asked) {
    Incoming answer{{"id", id}, {"verified", false}};
    Breakpoint b;
    b.id = id;
    b.kind = kind;
    std::string const condition = text(asked, "condition");
    std::string const hits = text(asked, "hitCondition");
    std::string const logged = text(asked, "logMessage");
    try {
        place(b, asked, answer);
        if (!condition.empty()) {
            refuse_as_condition(condition, debuggee_.code);
            b.condition = watched(condition);
        }
        if (!hits.empty()) b.hits = hit_condition(hits);
        if (!logged.empty()) b.message = message(logged);
    } catch (Refused const& e) {
        answer["message"] = e.what();
        answer["reason"] = "failed";
        return answer;
    }
    answer["verified"] = true;
    of(kind).push_back(std::move(b));
    return answer;
}

/// What it stops at, and where that is.
void Breakpoints::place(Breakpoint& b, Parameters const& asked, Incoming& answer) const {
    switch (b.kind) {
    case Kind::line: {
        std::size_t const line = need_whole(asked, "line");
        answer["line"] = line;
        b.at = debuggee_.places.stops(line, whole(asked, "column"));
        if (b.at.empty()) throw Refused("no command follows this line");
        break;
    }
    case Kind::name: b.at = named(asked.need_text("name")); break;
    case Kind::data:
        b.name = asked.need_text("dataId");
        b.look = watched(b.name);
        b.seen = b.look();
        return;
    }
    Places::Range const range = debuggee_.places.of(b.at.front());
    answer["line"] = range.begin.line;
    answer["column"] = range.begin.column;
    answer["endLine"] = range.end.line;
    answer["endColumn"] = range.end.column;
}

/// "06", a location; or "thread 2", all of its commands.
std::vector<Location> Breakpoints::named(std::string const& name) const {
    auto const& locations = debuggee_.code.names().locations;
    if (auto const rho = locations.find(name); rho && debuggee_.code.has({*rho})) return {{*rho}};
    constexpr std::string_view word = "thread";
    if (name.substr(0, word.size()) == word) {
        auto const t = natural(without_spaces(name.substr(word.size())));
        auto const& threads = debuggee_.code.ctp().threads;
        if (!t || *t >= threads.size())
            throw Refused(fmt::format("`{}`: there are {} threads, from 0", printable(name), threads.size()));
        Thread const& thread = threads[*t];
        std::vector<Location> all;
        for (std::uint32_t i = thread.first; i < thread.last; ++i) all.push_back({i});
        if (all.empty()) throw Refused(fmt::format("{} has no command", printable(name)));
        return all;
    }
    constexpr std::size_t most = 10'000;
    std::vector<std::string> known;
    for (std::uint32_t i = 0; i < debuggee_.code.ctp().commands.size() && i < most; ++i)
        known.emplace_back(locations[i]);
    throw Refused(fmt::format("there is no location `{}`{}", printable(name), did_you_mean(name, known)));
}

/// The value of an expression. Where a limit of this implementation is reached, it has none.
std::function<std::string()> Breakpoints::watched(std::string const& text) const {
    return [look = debuggee_.repl.watched(text)]() -> std::string {
        try {
            return look();
        } catch (LimitReached const& e) {
            return fmt::format("no value: {}", e.what());
        }
    };
}

/// The parts of "R2 got {A}": text, and expressions in braces.
std::vector<std::function<std::string()>> Breakpoints::message(std::string const& text) {
    std::vector<std::function<std::string()>> parts;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const open = std::min(text.find('{', at), text.size());
        if (open > at) parts.emplace_back([part = text.substr(at, open - at)] { return part; });
        if (open == text.size()) break;
        std::size_t const close = text.find('}', open);
        if (close == std::string::npos) throw Refused("a `{` of the log message is not closed");
        parts.push_back(watched(text.substr(open + 1, close - open - 1)));
        at = close + 1;
    }
    return parts;
}

/// Whether it stops the run, once it is met. It may log something instead.
bool Breakpoints::stops(Breakpoint& b, bool holds, std::optional<Location> rho) {
    if (!holds) return false;
    if (++b.count; b.hits && !b.hits(b.count)) return false;
    if (b.message.empty()) return true;
    std::string text;
    for (auto const& part : b.message) text += part();
    log_(text, rho);
    return false;
}

std::optional<Breakpoints::Hit> Breakpoints::before(Location rho) {
    std::optional<Hit> hit;
    for (Kind const kind : {Kind::line, Kind::name})
        for (Breakpoint& b : of(kind)) {
            if (!std::binary_search(b.at.begin(), b.at.end(), rho) || !stops(b, holds(b), rho)) continue;
            if (!hit) hit = Hit{{}, kind, ""};
            hit->ids.push_back(b.id);
        }
    return hit;
}

void Breakpoints::look_again() {
    for (Breakpoint& b : of(Kind::data)) b.seen = b.look();
}

void Breakpoints::judge() {
    for (Breakpoint& b : of(Kind::data)) b.did_hold = holds(b);
}

std::optional<Breakpoints::Hit> Breakpoints::after(std::optional<Location> rho) {
    return changed(rho, [this](Breakpoint const& b) { return holds(b); });
}

std::optional<Breakpoints::Hit> Breakpoints::behind(std::optional<Location> rho) {
    return changed(rho, [](Breakpoint const& b) { return b.did_hold; });
}

std::optional<Breakpoints::Hit> Breakpoints::changed(std::optional<Location> rho,
                                                     std::function<bool(Breakpoint const&)> const& holds) {
    std::optional<Hit> hit;
    for (Breakpoint& b : of(Kind::data)) {
        std::string now = b.look();
        if (now == b.seen) continue;
        std::string const was = std::exchange(b.seen, std::move(now));
        if (!stops(b, holds(b), rho)) continue;
        if (!hit) hit = Hit{{}, Kind::data, ""};
        hit->ids.push_back(b.id);
        hit->text += fmt::format("{}{} was {}, is {}", hit->text.empty() ? "" : "; ", printable(b.name), was, b.seen);
    }
    return hit;
}

} // namespace matchpoint::cli
