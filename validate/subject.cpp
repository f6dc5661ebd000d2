#include "validate/subject.hpp"

#include <fmt/format.h>

#include "encode/literal_encoders.hpp"
#include "encode/section5.hpp"

namespace matchpoint::validate {

namespace {

EncoderOptions options_of(Question const& q) {
    EncoderOptions options;
    options.buffering = q.buffering;
    options.check_sat = q.check_sat;
    options.cores = q.cores;
    options.models = q.models;
    return options;
}

/// An encoder of all executions, asked.
Expected<std::string, std::string> ask(std::string_view name, Question const& q,
                                       std::string (*encoder)(MessageIndex const&, MatchPairs const&,
                                                              EncoderOptions const&)) {
    if (!find_built_in(name)->speaks_of(q.buffering))
        return Unexpected{
            fmt::format("{} is for {} buffering", name, q.buffering == Buffering::zero ? "infinite" : "zero")};
    if (q.match_pairs != nullptr) return encoder(q.messages, *q.match_pairs, options_of(q));
    auto const pairs = pairs_by(q.messages, q.buffering, q.pairs);
    if (!pairs) return Unexpected{std::string("the exact pairs were not found within the limit of machine steps")};
    return encoder(q.messages, *pairs, options_of(q));
}

Expected<std::string, std::string> ask_figures_9_10(Question const& q) {
    if (q.buffering == Buffering::zero) return Unexpected{std::string("figures-9-10 is for infinite buffering")};
    if (q.trace == nullptr) return Unexpected{std::string("figures-9-10 is for one trace, and there is none")};
    return encode::figures_9_10(q.messages.code(), *q.trace, options_of(q));
}

constexpr BuiltIn table[] = {
    {"exact", "our own (docs/encoding.md)", true, true, false,
     [](Question const& q) { return ask("exact", q, encode::encode); }},
    {"section5", "Sections 5.1 to 5.3 of the paper", true, false, false,
     [](Question const& q) { return ask("section5", q, encode_section5); }},
    {"section5-zero", "Sections 5.1 to 5.4 of the paper", false, true, false,
     [](Question const& q) { return ask("section5-zero", q, encode::section5_zero); }},
    {"short-paper", "Figures 2 and 3 of the short paper, and Section 2 around them", true, false, false,
     [](Question const& q) { return ask("short-paper", q, encode::short_paper); }},
    {"figures-9-10", "Figures 9 and 10 of the paper; Definitions 10, 11 and 16", true, false, true, ask_figures_9_10},
};

} // namespace

std::span<BuiltIn const> built_in() { return table; }

BuiltIn const* find_built_in(std::string_view name) {
    for (BuiltIn const& b : table)
        if (b.name == name) return &b;
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

} // namespace matchpoint::validate
