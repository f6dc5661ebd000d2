#include "grammar/selectors.hpp"

#include <algorithm>

namespace matchpoint::grammar {

namespace {

template <typename Names>
bool has(std::optional<Names> const& some, typename Names::value_type name) {
    return !some || std::find(some->begin(), some->end(), name) != some->end();
}

template <typename Names>
bool has_all_of(std::optional<Names> const& a, std::optional<Names> const& b) {
    if (!a) return true;
    return b && std::all_of(b->begin(), b->end(), [&](auto name) { return has(a, name); });
}

bool admits_nothing(Selectors const& sel) { return (sel.from && sel.from->empty()) || (sel.tags && sel.tags->empty()); }

} // namespace

Tag tag_of(Program const& program, Sndi const& send) {
    if (!send.tag.is_none()) return send.tag;
    auto const zero = program.symbols.tags.find("0");
    return zero ? Tag{*zero} : Tag{};
}

bool restricts(Selectors const* sel) { return sel != nullptr && (sel->from || sel->tags); }

bool admits(Selectors const* sel, Endpoint alpha, Tag n) {
    return sel == nullptr || (has(sel->from, alpha) && has(sel->tags, n));
}

bool admits_all_of(Selectors const* a, Selectors const* b) {
    if (!restricts(a)) return true;
    if (b == nullptr) return false;
    return admits_nothing(*b) || (has_all_of(a->from, b->from) && has_all_of(a->tags, b->tags));
}

} // namespace matchpoint::grammar
