// Breakpoints and watchpoints.

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/rma_repl/repl.hpp"

namespace matchpoint::cli {

bool RmaRepl::stands_before(rma::State const& state, std::vector<rma::StatementIndex> const& places) const {
    return std::any_of(places.begin(), places.end(), [&](rma::StatementIndex i) {
        return machine_.graph().stands_before(state.pc[program().process_of(i)], i);
    });
}

void RmaRepl::add(Breakpoint b) {
    b.number = ++breakpoint_number_;
    out(fmt::format("{} {}: {}\n", b.changes ? "watchpoint" : "breakpoint", b.number, b.text));
    breakpoints_.push_back(std::move(b));
}

void RmaRepl::break_at(std::string const& arguments) {
    if (arguments.empty()) throw misused("break");
    Breakpoint b{.text = printable(arguments, 4096)};
    if (auto places = place(arguments))
        b.before = std::move(*places);
    else
        b.becomes = expression(arguments);
    add(std::move(b));
}

void RmaRepl::watch(std::string const& arguments) {
    if (arguments.empty()) throw misused("watch");
    add({.text = printable(arguments, 4096), .changes = expression(arguments)});
}

/// Before a step.
void RmaRepl::look_again() {
    for (Breakpoint& b : breakpoints_)
        if (b.becomes || b.changes) b.seen = (b.becomes ? b.becomes : b.changes)->value(state());
}

std::string RmaRepl::stops(rma::State const& before) {
    std::string why;
    for (Breakpoint& b : breakpoints_) {
        bool met = false;
        std::string more;
        if (!b.before.empty()) {
            // A process that reaches it; those that were there before do not count.
            met = std::any_of(b.before.begin(), b.before.end(), [&](rma::StatementIndex i) {
                std::vector const one{i};
                return stands_before(state(), one) && !stands_before(before, one);
            });
        } else {
            std::string const now = (b.becomes ? b.becomes : b.changes)->value(state());
            met = now != b.seen && (b.changes || now == "true");
            if (met && b.changes) more = fmt::format("  was {}\n  is  {}\n", b.seen, now);
        }
        if (!met) continue;
        ++b.hits;
        why += fmt::format("{} {}: {}\n{}", b.changes ? "watchpoint" : "breakpoint", b.number, b.text, more);
    }
    return why;
}

void RmaRepl::breakpoints(std::string const& arguments) {
    none(arguments, "breakpoints");
    for (Breakpoint const& b : breakpoints_)
        out(fmt::format("{:>3}  {}{}; met {}\n", b.number, b.changes ? "watch " : "", b.text, plural(b.hits, "time")));
    if (breakpoints_.empty()) out("there are none\n");
}

void RmaRepl::delete_breakpoints(std::string const& arguments) {
    if (arguments.empty()) {
        breakpoints_.clear();
        return;
    }
    for (std::string const& word : words(arguments)) {
        std::size_t const n = number(word, "breakpoint");
        if (std::erase_if(breakpoints_, [&](Breakpoint const& b) { return b.number == n; }) == 0)
            throw Refused(fmt::format("there is no breakpoint {}", n));
    }
}

} // namespace matchpoint::cli
