#include "validate/ignoring.hpp"

#include <algorithm>

#include "encode/registry.hpp"
#include "lowering/lowered.hpp"

namespace matchpoint::validate {

Changes of_mpi() { return only(Change::no_selectors) | only(Change::no_modes) | only(Change::no_barriers); }

namespace {

void ignore(draft::Command& c, Changes const& ignored) {
    if (auto* const send = std::get_if<SndiOf<draft::Text>>(&c); send != nullptr && has(ignored, Change::no_modes))
        send->mode = Mode::standard;
    auto* const receive = std::get_if<RcviOf<draft::Text>>(&c);
    if (receive == nullptr || !has(ignored, Change::no_selectors)) return;
    receive->sel.from.reset();
    receive->sel.tags.reset();
}

} // namespace

std::unique_ptr<Case> without(Case const& c, Changes const& ignored) {
    draft::Draft draft = draft::draft_of(c.program);
    draft.traces.clear();
    for (draft::Thread& thread : draft.threads) {
        if (has(ignored, Change::no_barriers))
            std::erase_if(thread, [](draft::LocatedCommand const& located) {
                return std::holds_alternative<MeetOf<draft::Text>>(located.c);
            });
        for (draft::LocatedCommand& located : thread) ignore(located.c, ignored);
    }
    return make_case(draft, false);
}

std::optional<std::string> encode_lowered_with(MessageIndex const& messages, Buffering buffering,
                                               Changes const& changes) {
    if (changes.none()) {
        EncoderOptions options;
        options.buffering = buffering;
        options.check_sat = false;
        auto problem = find_encoder("exact")->encode({.messages = messages}, options);
        return problem ? std::optional(std::move(*problem)) : std::nullopt;
    }
    auto const lowered = Lowered::of(messages, buffering);
    if (!lowered) return std::nullopt;
    return encode_with({.messages = &(*lowered)->messages(), .buffering = (*lowered)->buffering()}, changes);
}

} // namespace matchpoint::validate
