#include "encode/registry.hpp"

#include <fmt/format.h>

#include "encode/exact.hpp"
#include "encode/literal_encoders.hpp"
#include "encode/partial_runs.hpp"
#include "encode/selecting.hpp"
#include "lowering/lowered.hpp"
#include "matching/reach.hpp"

namespace matchpoint::encode {

namespace {

using Refusal = Encoder::Refusal;
using enum Bufferings;
using enum Encoder::Of;
using enum Encoder::Asks;

Refusal exact(EncoderInput const& input, EncoderOptions const& options, Sink const& sink);

/// Calls `write` with the match pairs of the input.
template <typename Write>
Refusal with_pairs(EncoderInput const& input, Buffering buffering, Runs runs, Write write) {
    if (input.pairs != nullptr) {
        write(*input.pairs);
        return {};
    }
    auto const pairs = pairs_by(input.messages, buffering, input.method, input.budget, runs);
    if (!pairs) return "the exact pairs were not found within the limit of machine steps";
    write(*pairs);
    return {};
}

/// The plain program that it is lowered to, or the program as it stands.
Refusal exact_of_others(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    if (auto const lowered = Lowered::of(input.messages, options.buffering)) {
        EncoderOptions plain = options;
        plain.buffering = (*lowered)->buffering();
        return exact({.messages = (*lowered)->messages(), .method = input.method, .budget = input.budget}, plain, sink);
    }
    SelectingGoal const goal = options.asked == Asked::failure   ? SelectingGoal::failure
                               : options.asked == Asked::success ? SelectingGoal::success
                                                                 : SelectingGoal::any;
    encode_selecting(input.messages, {options.buffering, options.runs, goal}, options, sink);
    return {};
}

Refusal exact(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    if (!input.messages.code().is_plain()) return exact_of_others(input, options, sink);
    bool const need_not_complete = options.runs == Runs::executions && options.asked == Asked::failure &&
                                   !all_can_complete(input.messages, options.buffering);
    if (need_not_complete) {
        EncoderInput of_all = input; // exact pairs leave out those of receives that are served and not completed
        if (input.method == PairsMethod::exact) of_all.method = PairsMethod::tight;
        return with_pairs(of_all, options.buffering, Runs::executions, [&](MatchPairs const& pairs) {
            sink(encode_failing_execution(input.messages, pairs, options));
        });
    }
    return with_pairs(input, options.buffering, Runs::complete,
                      [&](MatchPairs const& pairs) { encode_exact(input.messages, pairs, options, sink); });
}

template <auto encode>
Refusal literal(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    return with_pairs(input, options.buffering, Runs::complete,
                      [&](MatchPairs const& pairs) { sink(encode(input.messages, pairs, options)); });
}

Refusal figures_9_10(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) {
    if (input.trace == nullptr) return "figures-9-10 is for one trace, and there is none";
    auto const text = encode_figures_9_10(input.messages.code(), *input.trace, options);
    if (!text) return text.error();
    sink(*text);
    return {};
}

// clang-format off
constexpr Encoder table[] = {
    {"exact", "our own (docs/encoding.md)",
     both, all_executions, anything, exact},
    {"section5", "Sections 5.1 to 5.3 of the paper",
     infinite, all_executions, failure_in_order, literal<encode_section5>},
    {"section5-zero", "Sections 5.1 to 5.4 of the paper",
     zero, all_executions, failure_in_order, literal<encode_section5_zero>},
    {"short-paper", "Figures 2 and 3 of the short paper, and Section 2 around them",
     infinite, all_executions, failure_in_order, literal<encode_short_paper>},
    {"figures-9-10", "Figures 9 and 10 of the paper; Definitions 10, 11 and 16",
     infinite, one_trace, failure_in_order, figures_9_10},
};
// clang-format on

} // namespace

Encoder::Refusal Encoder::refuses(EncoderOptions const& options) const {
    if (!handles(options.buffering))
        return fmt::format("{} is for {} buffering", name, bufferings == Bufferings::zero ? "zero" : "infinite");
    if (asks == Asks::failure_in_order && (options.asked != Asked::failure || !options.order))
        return fmt::format("{} asks for a failure, with the order", name);
    if (asks == Asks::failure_in_order && options.runs == Runs::executions)
        return fmt::format("{} is about complete runs", name);
    return {};
}

Encoder::Refusal Encoder::refuses(MessageIndex const& messages) const {
    if (messages.code().shares()) return fmt::format("{} knows no shared variables and guarded assignments", name);
    if (asks != Asks::failure_in_order || messages.code().is_plain()) return {};
    return fmt::format("{} knows no selectors, modes and barriers", name);
}

Encoder::Refusal Encoder::write(EncoderInput const& input, EncoderOptions const& options, Sink const& sink) const {
    if (auto refusal = refuses(options)) return refusal;
    if (auto refusal = refuses(input.messages)) return refusal;
    return function(input, options, sink);
}

Expected<std::string, std::string> Encoder::encode(EncoderInput const& input, EncoderOptions const& options) const {
    std::string text;
    auto refusal = write(input, options, [&](std::string_view part) { text += part; });
    if (refusal) return Unexpected{std::move(*refusal)};
    return text;
}

std::span<Encoder const> encoders() { return table; }

Encoder const* find_encoder(std::string_view name) {
    for (Encoder const& e : table)
        if (e.name == name) return &e;
    return nullptr;
}

Schedule schedule_of(IndexedProgram const& code, std::size_t t) {
    Schedule result;
    for (std::size_t i = 0; i < code.program().traces[t].entries.size(); ++i) {
        Entry const entry = code.entry(t, i);
        for (Channel const c : entry.m) result.move(c);
        result.step(entry.rho);
    }
    return result;
}

} // namespace matchpoint::encode
