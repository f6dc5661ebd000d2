// The commands that set breakpoints, and the breakpoints themselves.

#include <algorithm>

#include <fmt/format.h>

#include "cli/repl/repl.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

void Repl::add_breakpoint(std::string const& arguments, bool temporary) {
    Words const w = words(arguments);
    bool const half = w.size() == 1 && (w[0] == "thread" || w[0] == "receive" || w[0] == "status");
    if (w.empty() || (half && !code_.names().locations.find(w[0])))
        throw Refused("usage: break LOC | thread I | receive A | status S | EXPR");
    Breakpoint b{breakpoint_number_ + 1, Breakpoint::Kind::becomes, arguments, temporary, 0, {}, {}, {}, 0};
    if (w.size() == 2 && w[0] == "thread") {
        b.kind = Breakpoint::Kind::thread;
        b.subject = thread_number(w[1]);
    } else if (w.size() == 2 && w[0] == "receive") {
        Action const a = receive_action(w[1]);
        Endpoint const beta = code_.as_rcvi(a)->beta;
        b.target = "completed";
        b.look = [this, a, beta] {
            bool const done = state().is_issued(a) && state().ordinal[a.index] < state().Q_s.completed[beta.index];
            return std::string(done ? "completed" : "pending");
        };
    } else if (w.size() == 2 && w[0] == "status") {
        auto const all = {Status::success, Status::failure, Status::infeasible, Status::error};
        if (std::none_of(all.begin(), all.end(), [&](Status s) { return to_string(s) == w[1]; }))
            throw Refused(fmt::format("`{}` is no status: success, failure, infeasible, error", printable(w[1])));
        b.target = w[1];
        b.look = [this] { return std::string(to_string(state().s)); };
    } else if (w.size() == 1 && arguments[0] != '(') {
        b.kind = Breakpoint::Kind::location;
        b.subject = location(w[0]).index;
    } else {
        b.target = "true";
        b.look = watched(arguments);
    }
    breakpoints_.push_back(std::move(b));
    ++breakpoint_number_;
    out(fmt::format("breakpoint {}: {}\n", breakpoint_number_, printable(arguments)));
}

void Repl::break_at(std::string const& arguments) { add_breakpoint(arguments, false); }
void Repl::tbreak(std::string const& arguments) { add_breakpoint(arguments, true); }

void Repl::watch(std::string const& arguments) {
    if (arguments.empty()) throw Refused("usage: watch X | Q_s(BETA) | Pnd_r(BETA) | Pnd_s(BETA,ALPHA)");
    Breakpoint b{breakpoint_number_ + 1, Breakpoint::Kind::changes, arguments, false, 0, {}, {}, {}, 0};
    b.look = watched(arguments);
    b.seen = b.look();
    out(fmt::format("watchpoint {}: now {}\n", b.number, named(arguments, b.seen)));
    breakpoints_.push_back(std::move(b));
    ++breakpoint_number_;
}

void Repl::delete_breakpoints(std::string const& arguments) {
    Words const w = words(arguments);
    if (w.empty()) breakpoints_.clear();
    for (std::string const& word : w) {
        std::size_t const n = number(word, "breakpoint");
        auto const it =
            std::find_if(breakpoints_.begin(), breakpoints_.end(), [&](Breakpoint const& b) { return b.number == n; });
        if (it == breakpoints_.end()) throw Refused(fmt::format("there is no breakpoint {}", n));
        breakpoints_.erase(it);
    }
}

void Repl::look_again() {
    for (Breakpoint& b : breakpoints_)
        if (b.look) b.seen = b.look();
}

/// The first breakpoint on what comes next.
std::optional<std::string> Repl::breakpoint_before() {
    auto const rho = stepper_.next();
    if (!rho) return std::nullopt;
    for (Breakpoint& b : breakpoints_) {
        bool const met = (b.kind == Breakpoint::Kind::location && b.subject == rho->index) ||
                         (b.kind == Breakpoint::Kind::thread && code_.has(*rho) && code_.thread_of(*rho) == b.subject);
        if (!met) continue;
        ++b.hits;
        std::string const text = fmt::format("breakpoint {}: {}\n", b.number, printable(b.text));
        if (b.temporary) std::erase_if(breakpoints_, [n = b.number](Breakpoint const& x) { return x.number == n; });
        return text;
    }
    return std::nullopt;
}

/// All breakpoints on what the last step changed.
std::optional<std::string> Repl::breakpoint_after() {
    std::string text;
    std::vector<std::uint32_t> gone;
    for (Breakpoint& b : breakpoints_) {
        if (!b.look) continue;
        std::string const now = b.look();
        bool const met = now != b.seen && (b.kind == Breakpoint::Kind::changes || now == b.target);
        if (met) {
            ++b.hits;
            text +=
                b.kind == Breakpoint::Kind::changes
                    ? fmt::format("watchpoint {}: {}\n  was {}\n  is  {}\n", b.number, printable(b.text), b.seen, now)
                    : fmt::format("breakpoint {}: {}\n", b.number, printable(b.text));
            if (b.temporary) gone.push_back(b.number);
        }
        b.seen = now;
    }
    std::erase_if(breakpoints_,
                  [&](Breakpoint const& b) { return std::find(gone.begin(), gone.end(), b.number) != gone.end(); });
    if (text.empty()) return std::nullopt;
    return text;
}

} // namespace matchpoint::cli
