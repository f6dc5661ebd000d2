// Parse, print, parse again, run each trace, narrate it, and go all the way back. What is not a program has to give a
// message that can be rendered.

#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "explain/narrate.hpp"
#include "explain/words.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"
#include "machine/machine.hpp"
#include "machine/well_formed.hpp"

namespace {

using namespace matchpoint::grammar;
using namespace matchpoint::machine;
using namespace matchpoint::report;

void require(bool condition, char const* what) {
    if (condition) return;
    std::cerr << "broken: " << what << '\n';
    std::abort();
}

void run_trace(IndexedProgram const& code, std::size_t t, Buffering buffering) {
    Machine machine(code, buffering);
    Findings findings(code);
    std::size_t narrated = 0;
    Narrator narrator(code, [&](std::string_view line) { narrated += line.size(); });
    machine.observe(findings);
    machine.observe(narrator);
    machine.keep_history();
    State const initial = machine.state();
    try {
        Outcome const outcome = run(machine, t);
        require(outcome.error.has_value() == (outcome.s == Status::error),
                "an error has a reason, and nothing else has");
        require(outcome.steps <= code.program().traces[t].entries.size(), "no more steps than entries");
        if (outcome.error) in_words(code, machine.state(), outcome.error->stuck.reason);
        WellFormedness const w = well_formedness(code, machine.state());
        require(!w || outcome.s != Status::error, "an error is not well-formed");
        require(match_set(code, machine.state()).size() <= code.ctp().issued_by.size(), "a match is of an action");
    } catch (LimitReached const&) {
        // The state is the one before the step; going back still has to work.
    }
    while (machine.back()) {
    }
    require(machine.state() == initial, "going back ends at the beginning");
}

void check(std::string_view text) {
    Source const source("fuzz.ctp", std::string(text));
    auto const program = parse(source, {.keep_comments = true});
    if (!program) {
        Diagnostics const& errors = program.error();
        require(!errors.empty(), "what is refused has a reason");
        for (std::size_t i = 1; i < errors.size() && errors[0].rule == "syntax"; ++i)
            require(errors[i - 1].offset < errors[i].offset, "syntax errors are in the order of the text");
        require(!render(program.error(), source, {.color = true}).empty(), "diagnostics can be shown");
        return;
    }
    Source const printed("printed.ctp", print(*program, &source));
    auto const again = parse(printed, {.keep_comments = true});
    require(again.has_value(), "what is printed can be parsed");
    require(*again == *program, "printing and parsing is the identity");
    require(again->comments.size() == program->comments.size(), "comments stay");
    require(print(*again, &printed) == printed.text(), "the canonical form is canonical");

    render(check_discipline(*program, &source), source);
    IndexedProgram const code(*program);
    for (std::size_t t = 0; t < program->traces.size(); ++t)
        for (Buffering const b : {Buffering::infinite, Buffering::zero}) run_trace(code, t, b);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    check({reinterpret_cast<char const*>(data), size});
    return 0;
}
