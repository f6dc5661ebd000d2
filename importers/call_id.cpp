#include "importers/call_id.hpp"

#include <fmt/format.h>

#include "base/numbers.hpp"

namespace matchpoint::importers {

namespace {

constexpr char probed = 'P'; // in front of the part

char letter_of(CallId::Kind kind) {
    switch (kind) {
    case CallId::Kind::send: return 'S';
    case CallId::Kind::receive:
    case CallId::Kind::probed_receive: return 'R';
    case CallId::Kind::probe: return 'P';
    case CallId::Kind::collective: return 'C';
    case CallId::Kind::event: return 'T';
    }
    return '?';
}

std::optional<CallId::Kind> kind_of(char letter) {
    for (CallId::Kind const kind : {CallId::Kind::send, CallId::Kind::receive, CallId::Kind::probe,
                                    CallId::Kind::collective, CallId::Kind::event})
        if (letter == letter_of(kind)) return kind;
    return std::nullopt;
}

/// `2_1`, `2_1.0`
std::string numbers_of(CallId const& id) {
    std::string text = fmt::format("{}_{}", id.rank, id.number);
    if (id.part && id.kind != CallId::Kind::probed_receive) text += fmt::format(".{}", *id.part);
    return text;
}

bool skip(std::string_view& text, char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
}

/// A number as it is printed, so that no two names are of the same call.
std::optional<std::uint32_t> take(std::string_view& text) {
    if (text.size() > 1 && text[0] == '0' && is_digits(text.substr(1, 1))) return std::nullopt;
    return take_number<std::uint32_t>(text);
}

std::optional<std::uint32_t> take_rank(std::string_view& text) {
    auto const rank = take(text);
    return rank && *rank <= max_process ? rank : std::nullopt;
}

} // namespace

std::string name_of(CallId const& id) {
    std::string const name = fmt::format("{}{}", letter_of(id.kind), numbers_of(id));
    return id.kind == CallId::Kind::probed_receive ? fmt::format("{}.{}{}", name, probed, id.part.value_or(0)) : name;
}

std::optional<CallId> call_id_of(std::string_view name) {
    auto const kind = name.empty() ? std::nullopt : kind_of(name[0]);
    if (!kind) return std::nullopt;
    name.remove_prefix(1);
    auto const rank = take_rank(name);
    if (!rank || !skip(name, '_')) return std::nullopt;
    auto const number = take(name);
    if (!number) return std::nullopt;
    CallId id{*rank, *number, *kind};
    if (name.empty()) return id;
    if ((kind != CallId::Kind::send && kind != CallId::Kind::receive) || !skip(name, '.')) return std::nullopt;
    if (kind == CallId::Kind::receive && skip(name, probed)) id.kind = CallId::Kind::probed_receive;
    id.part = take(name);
    return id.part && name.empty() ? std::optional(id) : std::nullopt;
}

std::string variable_of(CallId const& id) { return fmt::format("x{}", numbers_of(id)); }

} // namespace matchpoint::importers
