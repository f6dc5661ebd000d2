// The commands that move along the plan, and back.

#include <fmt/format.h>

#include "cli/repl/aside.hpp"
#include "cli/rma_repl/repl.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/words.hpp"

namespace matchpoint::cli {

void RmaRepl::need_plan() const {
    if (stepper_.planned() != nullptr) return;
    if (stepper_.ended()) throw Refused(fmt::format("the run has ended: {}; `back` goes back", ending()));
    if (stepper_.is_final()) throw Refused("this is a final state; `back` goes back");
    throw Refused(fmt::format("{}: `choices`, `take`, `auto`, `random` or `search`",
                              stepper_.size() == 0 ? "nothing is planned" : "this is the end of what is planned"));
}

void RmaRepl::need_choices() const {
    if (stepper_.choices().empty()) need_plan();
}

/// What is false here.
void RmaRepl::say_properties() {
    for (std::size_t const i : stepper_.broken())
        out(fmt::format("  {} {}\n", rma::print(program(), program().properties[i]),
                        paint()(Style::bad, "does not hold")));
}

bool RmaRepl::told_step(rma::Transition const* t) {
    rma::State const before = state();
    rma::Transition const what = t != nullptr ? *t : *stepper_.planned();
    auto const broken = stepper_.broken();
    look_again();
    rma::Effect const effect = stepper_.take(what);
    out(fmt::format("{:>5} {}\n", stepper_.at(), rma::narrate(machine_, before, what, effect, state())));
    if (stepper_.broken() != broken) say_properties();
    if (stepper_.is_final()) out("  final state\n");
    std::string const why = stops(before);
    out(why);
    return why.empty() && !stepper_.ended();
}

/// Where a move ended that was not told.
void RmaRepl::say_where() {
    std::string text = fmt::format("at step {}", stepper_.at());
    if (stepper_.planned() != nullptr) text += fmt::format("/{}", stepper_.size());
    if (auto const how = ending(); !how.empty()) text += fmt::format("; {}", how);
    text += "; memory: " + rma::print_memory(program(), state());
    out(text + "\n");
    say_properties();
}

void RmaRepl::step(std::string const& arguments) {
    std::size_t const n = count(arguments);
    need_plan();
    for (std::size_t i = 0; i < n && stepper_.planned() != nullptr && told_step(); ++i) {
    }
}

void RmaRepl::next(std::string const& arguments) {
    none(arguments, "next");
    need_plan();
    bool is_process = false;
    while (!is_process && stepper_.planned() != nullptr) {
        is_process = std::holds_alternative<rma::ProcessStep>(*stepper_.planned());
        if (!told_step()) return;
    }
}

void RmaRepl::travel(std::function<bool()> const& enough) {
    while (stepper_.planned() != nullptr) {
        rma::State const before = state();
        look_again();
        stepper_.forward();
        if (std::string const why = stops(before); !why.empty()) {
            out(why);
            break;
        }
        if (enough()) break;
    }
    say_where();
}

void RmaRepl::go_on(std::string const& arguments) {
    none(arguments, "continue");
    need_plan();
    travel([] { return false; });
}

void RmaRepl::until(std::string const& arguments) {
    if (arguments.empty()) throw misused("until");
    auto const places = place(arguments);
    auto const e = places ? std::nullopt : std::optional(expression(arguments));
    need_plan();
    bool came = false;
    travel([&] { return came = places ? stands_before(state(), *places) : e->holds(state()); });
    if (!came && stepper_.planned() == nullptr) out(fmt::format("{} did not come\n", printable(arguments, 4096)));
}

void RmaRepl::jump(std::string const& arguments) {
    if (arguments.empty()) throw misused("jump");
    std::size_t const n = number(arguments, "step");
    if (n > stepper_.size()) throw Refused(fmt::format("there is no step {}: {} are planned", n, stepper_.size()));
    if (n < stepper_.at()) stepper_.back(stepper_.at() - n);
    while (stepper_.at() < n) stepper_.forward();
    say_where();
}

void RmaRepl::run(std::string const& arguments) {
    none(arguments, "run");
    stepper_.back(stepper_.at());
    need_plan();
    travel([] { return false; });
}

void RmaRepl::end(std::string const& arguments) {
    none(arguments, "end");
    need_plan();
    while (stepper_.planned() != nullptr) stepper_.forward();
    say_where();
}

void RmaRepl::back(std::string const& arguments) {
    std::size_t const n = count(arguments);
    if (stepper_.at() == 0) throw Refused("this is the beginning");
    stepper_.back(n);
    say_where();
}

void RmaRepl::reverse_next(std::string const& arguments) {
    none(arguments, "reverse-next");
    if (stepper_.at() == 0) throw Refused("this is the beginning");
    bool is_process = false;
    while (!is_process && stepper_.at() > 0) {
        is_process = std::holds_alternative<rma::ProcessStep>(stepper_.path().back());
        stepper_.back(1);
    }
    say_where();
}

/// To the last state before this one in which a run from the beginning would have stopped.
void RmaRepl::reverse_continue(std::string const& arguments) {
    none(arguments, "reverse-continue");
    std::size_t const here = stepper_.at();
    if (here == 0) throw Refused("this is the beginning");
    std::size_t last = 0;
    std::string why;
    auto const met_before = breakpoints_; // only what stops this run counts
    auto met_last = met_before;
    auto const there = stepper_.bookmark();
    try {
        stepper_.back(here);
        while (stepper_.at() + 1 < here) {
            rma::State const before = state();
            look_again();
            stepper_.forward();
            std::string const stop = stops(before);
            if (!stop.empty()) {
                last = stepper_.at();
                why = stop;
                met_last = breakpoints_;
            }
            breakpoints_ = met_before;
        }
    } catch (...) { // Ctrl-C: the run stays where it was
        breakpoints_ = met_before;
        stepper_.restore(there);
        throw;
    }
    breakpoints_ = std::move(met_last);
    stepper_.back(stepper_.at() - last);
    out(why);
    say_where();
}

} // namespace matchpoint::cli
