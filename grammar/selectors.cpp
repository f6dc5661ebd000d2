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

void name_tag_0(Symbols& names) {
    if (names.tags.size() > 0) names.tags.intern("0");
}

std::string admitted_by(Selectors const* sel) {
    if (!restricts(sel)) return {};
    if ((sel->from && sel->from->empty()) || (sel->tags && sel->tags->empty())) return "nothing";
    std::string text;
    auto const add = [&](auto const& names) {
        if (names) {
            std::vector<std::uint32_t> numbers;
            for (auto const& name : *names) numbers.push_back(name.index);
            std::sort(numbers.begin(), numbers.end());
            numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
            for (std::uint32_t const number : numbers) text += std::to_string(number) + ' ';
        }
        text += names ? "only;" : "all;";
    };
    add(sel->from);
    add(sel->tags);
    return text;
}

bool admits(Selectors const* sel, Endpoint alpha, Tag n) {
    return sel == nullptr || (has(sel->from, alpha) && has(sel->tags, n));
}

} // namespace matchpoint::grammar
