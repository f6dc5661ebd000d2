#include "validate/case.hpp"

#include <utility>

#include <fmt/format.h>

#include "check/check.hpp"
#include "encode/registry.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "machine/well_formed.hpp"

namespace matchpoint::validate {

namespace {

std::string_view shown(bool fails) { return fails ? "some run fails" : "no run fails"; }

Truth truth_of_trace(Case const& c, TruthOptions const& options) {
    Machine machine(c.code, options.buffering);
    Outcome const outcome = run(machine, *c.trace);
    Truth truth{.by = "the reference machine"};
    if (!well_formedness(c.code, machine.state())) return truth;
    truth.fails = outcome.s == Status::failure;
    if (*truth.fails) truth.run = *c.trace;
    return truth;
}

} // namespace

namespace {

std::unique_ptr<Case> case_of(Source source, Expected<Program, Diagnostics> program, bool of_trace) {
    if (!program || !check_discipline(*program, nullptr, Severity::warning, 1).empty()) return nullptr;
    if (of_trace && program->traces.empty()) return nullptr;
    auto c = std::make_unique<Case>(std::move(source), std::move(*program));
    if (c->code.shares()) return nullptr; // no encoder knows it
    if (of_trace) c->trace = schedule_of(c->code, 0);
    return c;
}

constexpr char const* file_name = "program.ctp";

} // namespace

std::unique_ptr<Case> make_case(std::string text, bool of_trace) {
    Source source(file_name, std::move(text));
    auto program = parse(source);
    return case_of(std::move(source), std::move(program), of_trace);
}

std::unique_ptr<Case> make_case(draft::Draft const& draft, bool of_trace) {
    return case_of(Source(file_name, print(draft)), program_of(draft), of_trace);
}

Truth truth(Case const& c, TruthOptions const& options) {
    if (c.trace) return truth_of_trace(c, options);
    Truth truth;
    CheckOptions explore;
    explore.buffering = options.buffering;
    explore.runs = options.runs;
    explore.engine = EngineChoice::explore;
    explore.steps = options.steps;
    CheckResult const result = check::check(c.messages, explore);
    if (result.verdict != Verdict::unknown) {
        truth.by = "exploration";
        truth.fails = result.verdict == Verdict::violated;
        if (*truth.fails) truth.run = result.run->schedule;
        if (!options.twice) return truth;
    }
    if (options.solver == nullptr) return truth;
    EncoderOptions encoder;
    encoder.buffering = options.buffering;
    encoder.runs = options.runs;
    encoder.check_sat = false;
    if (truth.fails) {
        auto const problem = find_encoder("exact")->encode({.messages = c.messages}, encoder);
        auto const sat = options.solver->is_sat(problem.value());
        if (sat && *sat != *truth.fails)
            truth.disagreement =
                fmt::format("by exploration {}, by the exact encoding {}", shown(*truth.fails), shown(*sat));
        return truth;
    }
    // `check` replays its witness.
    CheckOptions smt;
    smt.buffering = options.buffering;
    smt.runs = options.runs;
    smt.engine = EngineChoice::smt;
    smt.solver = options.solver->command();
    smt.time = std::chrono::seconds(30);
    CheckResult const second = check::check(c.messages, smt);
    if (second.verdict == Verdict::unknown) return truth;
    truth.by = second.engine;
    truth.fails = second.verdict == Verdict::violated;
    if (*truth.fails) truth.run = second.run->schedule;
    return truth;
}

} // namespace matchpoint::validate
