#include "grammar/selectors.hpp"

#include <algorithm>

namespace matchpoint::grammar {

namespace {

template <typename Names>
bool has(std::optional<Names> const& some, typename Names::value_type name) {
    return !some || std::find(some->begin(), some->end(), name) != some->end();
}

} // namespace

Tag tag_of(Program const& program, Sndi const& send) {
    if (!send.tag.is_none()) return send.tag;
    auto const zero = program.symbols.tags.find("0");
    return zero ? Tag{*zero} : Tag{};
}

bool admits(Selectors const* sel, Endpoint alpha, Tag n) {
    return sel == nullptr || (has(sel->from, alpha) && has(sel->tags, n));
}

} // namespace matchpoint::grammar
