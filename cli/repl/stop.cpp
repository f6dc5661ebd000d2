// The commands that set, change and delete breakpoints. breakpoint.cpp has what these do to a run.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.hpp"
#include "base/text.hpp"
#include "cli/places.hpp"
#include "cli/repl/repl.hpp"
#include "cli/suggestion.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "grammar/messages/habits.hpp"
#include "machine/partners.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

namespace {

struct Conditional {
    std::string what;
    std::string condition; // empty if none
};

/// "WHAT if CONDITION", where the `if` is outside of brackets. Throws Refused; `misused` if there is no WHAT.
Conditional conditional(std::string const& text, Refused const& misused) {
    std::size_t depth = 0;
    for (std::size_t i = 1; i + 2 < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && depth > 0) --depth;
        bool const word = depth == 0 && (text[i - 1] == ' ' || text[i - 1] == '\t' || text[i - 1] == ')') &&
                          text.compare(i, 2, "if") == 0 &&
                          std::string_view(" \t(").find(text[i + 2]) != std::string::npos;
        if (!word) continue;
        std::size_t const end = text.find_last_not_of(" \t", i - 1);
        std::size_t const begin = text.find_first_not_of(" \t", i + 2);
        if (end == std::string::npos || begin == std::string::npos) break;
        return {text.substr(0, end + 1), text.substr(begin)};
    }
    if (text.size() > 3 && (text.ends_with(" if") || text.ends_with("\tif")))
        throw Refused("`if` needs a condition: break LOC if EXPR");
    if (text.starts_with("if ") || text.starts_with("if\t") || text.starts_with("if(")) throw Refused(misused);
    return {text, {}};
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

} // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Setting

Repl::Breakpoint Repl::breakpoint_at(std::string const& what) {
    Words const w = words(what);
    bool const half = w.size() == 1 && (is_word_for_thread(w[0]) || w[0] == "receive" || w[0] == "status");
    if (w.empty() || (half && !code_.names().locations.find(w[0]))) throw misused("break");
    Breakpoint b;
    b.text = what;
    if (w.size() == 2 && is_word_for_thread(w[0])) {
        b.kind = Breakpoint::Kind::thread;
        b.subject = thread_number(w[1]);
    } else if (w.size() == 2 && w[0] == "receive") {
        Action const a = receive_action(w[1]);
        Endpoint const beta = code_.as_rcvi(a)->beta;
        b.target = "completed";
        b.look = [this, a, beta] {
            bool const done = state().is_issued(a) && is_completed(state(), code_, beta, state().ordinal[a.index]);
            return std::string(done ? "completed" : "pending");
        };
    } else if (w.size() == 2 && w[0] == "status") {
        if (std::find(statuses.begin(), statuses.end(), w[1]) == statuses.end())
            throw Refused(fmt::format("`{}` is not a status: success, failure, infeasible, error{}", printable(w[1]),
                                      did_you_mean(w[1], statuses)));
        b.target = w[1];
        b.look = [this] { return std::string(to_string(state().s)); };
    } else if (w.size() == 1 && what[0] != '(') {
        b.kind = Breakpoint::Kind::location;
        place(b, w[0]);
    } else {
        b.target = "true";
        b.look = watched(what);
    }
    return b;
}

/// The line in "12", "figure1.ctp:12" and "mw.c:12"; none if it is no such name.
std::optional<Repl::Line> Repl::line(std::string const& name) const {
    std::size_t const colon = name.rfind(':');
    std::string const digits = colon == std::string::npos ? name : name.substr(colon + 1);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return Line{colon == std::string::npos ? "" : name.substr(0, colon), number(digits, "line")};
}

/// The file that commands came from, as they name it; empty if the line is one of the program itself. A line of a
/// recording without a file is one of the source that comes next, as in gdb. Throws Refused if it is another file's.
std::string_view Repl::source_of(Line const& line) const {
    if (line.file.empty()) {
        if (!provenance_of(loaded_.source().text()).is_recorded()) return "";
        std::optional<Location> const next = stepper_.next();
        grammar::File file = next && code_.has(*next) ? code_.ctp().commands[next->index].at.file : grammar::File{};
        for (auto const& c : code_.ctp().commands)
            if (file.is_none()) file = c.at.file;
        return file.is_none() ? "" : code_.names()(file);
    }
    std::string_view const wanted = last_part(line.file);
    if (wanted == last_part(loaded_.path())) return "";
    for (auto const& c : code_.ctp().commands)
        if (!c.at.file.is_none() && last_part(code_.names()(c.at.file)) == wanted) return code_.names()(c.at.file);
    throw Refused(fmt::format("`{}:{}`: the program is in {}", printable(line.file), line.number,
                              printable(loaded_.path(), 4096)));
}

std::string Repl::instead_of_break(std::string const& name) const {
    auto const& names = code_.names();
    if (auto const a = names.actions.find(name)) {
        Location const rho = issued_at({*a});
        if (code_.as_rcvi(Action{*a}) != nullptr)
            return fmt::format(
                "; it is a receive: `break receive {}` stops when a wait completes it, `break {}` before it "
                "is issued",
                printable(code_.names()(Action{*a})), shown_name(code_, rho));
        auto const& channel = code_[code_.channel_of(Action{*a})];
        return fmt::format(
            "; it is a send: `break {}` stops before it, `watch Q_s({})` when messages are delivered there",
            shown_name(code_, rho), shown(code_, channel.beta));
    }
    if (auto const hint = grammar::hint_for_expression_as_name(name)) return "; " + *hint;
    if (names.variables.find(name)) return fmt::format("; it is a variable: `watch {}` stops when it changes", name);
    auto const count = static_cast<std::uint32_t>(code_.ctp().commands.size());
    if (std::string near = name_suggestion(name, names.locations, count); !near.empty()) return near;
    return "; `watch X` and `watch Q_s(BETA)` stop at changes, `help break` has all forms";
}

void Repl::place(Breakpoint& b, std::string const& name) const {
    auto rho = code_.names().locations.find(name);
    if (rho && !code_.has({*rho})) rho.reset();
    if (!rho)
        if (auto const at = line(name)) {
            if (std::string_view const file = source_of(*at); !file.empty())
                return place_in_source(b, file, at->number);
            Places const places(loaded_.source(), code_);
            auto const stops = places.stops(at->number, std::nullopt);
            if (stops.empty())
                throw Refused(fmt::format("there is no location `{}`, and no command from line {} on", printable(name),
                                          at->number));
            rho = stops.front().index;
            b.text = code_.names()(stops.front());
            b.note = fmt::format(", in line {}", places.of(stops.front()).begin.line);
        }
    if (!rho) throw Refused(fmt::format("there is no location `{}`{}", printable(name), instead_of_break(name)));
    b.subject = *rho;
}

/// At the first command of every call on the line, or on the next line that has one.
void Repl::place_in_source(Breakpoint& b, std::string_view file, std::size_t line) const {
    auto const& commands = code_.ctp().commands;
    auto const is_there = [&](grammar::LocatedCommand const& c) {
        return !c.at.file.is_none() && code_.names()(c.at.file) == file;
    };
    std::optional<std::uint32_t> nearest;
    for (auto const& c : commands)
        if (is_there(c) && c.at.line >= line) nearest = std::min(nearest.value_or(c.at.line), c.at.line);
    if (!nearest)
        throw Refused(fmt::format("no command came from line {} of {} or a later one", line, printable(file)));
    b.kind = Breakpoint::Kind::source_line;
    std::set<std::uint32_t> threads;
    for (std::uint32_t i = 0; i < commands.size(); ++i) {
        if (!is_there(commands[i]) || commands[i].at.line != *nearest) continue;
        std::uint32_t const thread = code_.thread_of({i});
        // A call that waits, such as MPI_Send or MPI_Waitall, ends with waits on its line.
        bool const continues = i > 0 && code_.thread_of({i - 1}) == thread && commands[i - 1].at == commands[i].at &&
                               std::holds_alternative<grammar::Wait>(commands[i].c);
        if (continues) continue;
        b.calls.push_back({i});
        threads.insert(thread);
    }
    b.text = fmt::format("{}:{}", last_part(file), *nearest);
    b.note = fmt::format("{}, {} of {}{} {}", *nearest == line ? "" : fmt::format(" (line {} has no command)", line),
                         plural(b.calls.size(), "command"), word_for_thread(code_), threads.size() == 1 ? "" : "s",
                         fmt::join(threads, ", "));
}

Repl::Breakpoint Repl::watchpoint(std::string const& what) {
    Breakpoint b;
    b.kind = Breakpoint::Kind::changes;
    b.text = what;
    b.look = watched(what);
    return b;
}

/// Sets or removes a condition. Throws Refused, with the breakpoint as before.
void Repl::give(Breakpoint& b, std::string const& condition) const {
    std::shared_ptr<TypedExpression const> holds;
    if (!condition.empty()) {
        refuse_as_condition(condition, code_);
        holds = std::make_shared<TypedExpression>(condition, code_);
    }
    b.holds = std::move(holds);
    b.condition = condition;
    b.unknown = 0;
    b.why_unknown.clear();
}

void Repl::add(Breakpoint b, std::string const& condition) {
    give(b, condition);
    b.number = breakpoint_number_ + 1;
    if (b.look) b.seen = b.look();
    std::string const is = condition.empty() ? "" : fmt::format(" if {}", printable(condition));
    out(b.is_watch() ? fmt::format("watchpoint {}: now {}{}\n", b.number, named(b.text, b.seen), is)
                     : fmt::format("breakpoint {}: {}{}{}\n", b.number, printable(b.text), b.note, is));
    breakpoints_.push_back(std::move(b));
    ++breakpoint_number_;
}

void Repl::break_at(std::string const& arguments) {
    auto const [what, condition] = conditional(arguments, misused("break"));
    add(breakpoint_at(what), condition);
}

void Repl::tbreak(std::string const& arguments) {
    auto const [what, condition] = conditional(arguments, misused("break"));
    Breakpoint b = breakpoint_at(what);
    b.temporary = true;
    add(std::move(b), condition);
}

void Repl::watch(std::string const& arguments) {
    if (arguments.empty()) throw misused("watch");
    auto const [what, condition] = conditional(arguments, misused("watch"));
    add(watchpoint(what), condition);
}

// ---------------------------------------------------------------------------------------------------------------------
// Changing

Repl::Breakpoint& Repl::breakpoint(std::string const& word) {
    std::size_t const n = number(word, "number of a breakpoint");
    auto const it =
        std::find_if(breakpoints_.begin(), breakpoints_.end(), [&](Breakpoint const& b) { return b.number == n; });
    if (it == breakpoints_.end()) throw Refused(fmt::format("there is no breakpoint {}", n));
    return *it;
}

/// "2 4-6"; by default all.
std::vector<Repl::Breakpoint*> Repl::breakpoints(std::string const& numbers) {
    std::vector<Breakpoint*> result;
    Words const w = words(numbers);
    if (w.empty())
        for (Breakpoint& b : breakpoints_) result.push_back(&b);
    for (std::string const& word : w) {
        std::size_t const dash = word.find('-');
        if (dash == std::string::npos) {
            result.push_back(&breakpoint(word));
            continue;
        }
        std::size_t const first = number(word.substr(0, dash), "number of a breakpoint");
        std::size_t const last = number(word.substr(dash + 1), "number of a breakpoint");
        std::size_t const before = result.size();
        for (Breakpoint& b : breakpoints_)
            if (b.number >= first && b.number <= last) result.push_back(&b);
        if (result.size() == before) throw Refused(fmt::format("there is no breakpoint from {} to {}", first, last));
    }
    return result;
}

void Repl::condition(std::string const& arguments) {
    std::size_t const end = arguments.find_first_of(" \t");
    if (arguments.empty()) throw misused("condition");
    Breakpoint& b = breakpoint(arguments.substr(0, end));
    std::size_t const begin = arguments.find_first_not_of(" \t", std::min(end, arguments.size()));
    give(b, begin == std::string::npos ? std::string() : arguments.substr(begin));
    out(breakpoint_line(b));
}

void Repl::ignore(std::string const& arguments) {
    Words const w = words(arguments);
    if (w.size() != 2) throw misused("ignore");
    Breakpoint& b = breakpoint(w[0]);
    b.ignore = number(w[1], "number of stops");
    out(breakpoint_line(b));
}

void Repl::enable(std::string const& arguments) {
    for (Breakpoint* const b : breakpoints(arguments)) b->enabled = true;
}

void Repl::disable(std::string const& arguments) {
    for (Breakpoint* const b : breakpoints(arguments)) b->enabled = false;
}

void Repl::delete_breakpoints(std::string const& arguments) {
    std::set<std::uint32_t> gone;
    for (Breakpoint const* const b : breakpoints(arguments)) gone.insert(b->number);
    std::erase_if(breakpoints_, [&](Breakpoint const& b) { return gone.count(b.number) != 0; });
}

// ---------------------------------------------------------------------------------------------------------------------
// Looking at them

std::string Repl::breakpoint_line(Breakpoint const& b) const {
    std::string line = fmt::format("{:>3}  {} {}", b.number, b.is_watch() ? "watch" : "break", printable(b.text));
    if (!b.condition.empty()) line += fmt::format(" if {}", printable(b.condition));
    if (b.temporary) line += ", once";
    if (!b.enabled) line += ", disabled";
    if (b.ignore > 0) line += fmt::format(", the next {} ignored", b.ignore == 1 ? "stop" : plural(b.ignore, "stop"));
    if (b.hits > 0) line += fmt::format(", met {}", plural(b.hits, "time"));
    line += '\n';
    if (b.unknown > 0)
        line += fmt::format("     its condition was neither true nor false {}: {}\n", plural(b.unknown, "time"),
                            b.why_unknown);
    return line;
}

void Repl::info_breakpoints(std::string const& arguments) {
    if (breakpoints_.empty()) out("there are none\n");
    for (Breakpoint const* const b : breakpoints(arguments)) out(breakpoint_line(*b));
}

void Repl::info_watchpoints(std::string const& arguments) {
    none(arguments, "info watchpoints");
    bool some = false;
    for (Breakpoint const& b : breakpoints_)
        if (b.is_watch()) some = true, out(breakpoint_line(b));
    if (!some) out("there are none\n");
}

/// "B" or, of a breakpoint that is disabled, "b".
std::string Repl::marked(Location rho) const {
    std::string mark = " ";
    for (Breakpoint const& b : breakpoints_)
        if (b.is_at(rho) && mark != "B") mark = b.enabled ? "B" : "b";
    return mark;
}

} // namespace matchpoint::cli
