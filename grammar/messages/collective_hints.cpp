#include "grammar/messages/collective_hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/nearest_name.hpp"
#include "base/source.hpp"
#include "grammar/collectives.hpp"

namespace matchpoint::grammar {

namespace {

constexpr std::string_view part_names[] = {"root", "op", "type", "count"};
constexpr std::string_view parts = "parts are `(root k)`, `(op o)`, `(type t)` and `(count n ...)`";

bool is_part(std::string_view word) {
    return std::find(std::begin(part_names), std::end(part_names), word) != std::end(part_names);
}

/// `MPI_Ibcast`, `Broadcast`: the kind that is meant.
std::optional<std::string_view> kind_meant(std::string_view word) {
    std::string lower(word);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (lower.starts_with("mpi_")) lower.erase(0, 4);
    if (lower == "broadcast") return "bcast";
    for (std::string const& name : {lower, lower.starts_with('i') ? lower.substr(1) : lower})
        if (auto const kind = collective_kind(name)) return to_string(*kind);
    std::vector<std::string_view> names;
    for (CollectiveInfo const& row : all_collectives()) names.push_back(row.name);
    auto const near = nearest_name(lower, names);
    return near ? std::optional(to_string(*collective_kind(*near))) : std::nullopt;
}

/// `(rank 0)`
std::string where_the_name_of_a_part_is(Surroundings const& s) {
    if (!is_atom(s.found)) return std::string(parts);
    std::string_view const word = s.found.text;
    if (word == "rank" || word == "from") return "the root is the number of its thread: `(root 0)`";
    if (word == "tag") return "a collective has no tag";
    auto const near = nearest_name(word, part_names);
    return near ? fmt::format("did you mean `({} {})`?", *near, is_atom(s.next) ? printable(s.next.text) : "...")
                : std::string(parts);
}

/// `(collective K w bcast root 0)`
std::optional<std::string> after_the_kind(Surroundings const& s) {
    std::string_view const command = s.before.empty() ? std::string_view() : s.before.front().text;
    bool const is_here =
        (command == "collective" || command == "icollective") && s.failure.wants(wanted::collective_part);
    if (!is_here || !is_atom(s.found)) return std::nullopt;
    std::string_view const last = s.before.back().text;
    if (is_part(s.found.text))
        return fmt::format("a part has brackets of its own: `({} {})`", s.found.text,
                           is_atom(s.next) ? printable(s.next.text) : "...");
    if (is_part(last)) return fmt::format("a part has brackets of its own: `({} {})`", last, printable(s.found.text));
    return std::string(parts);
}

} // namespace

std::optional<std::string> hint_for_collectives(Surroundings const& s) {
    if (s.failure.wants(wanted::collective_kind) && is_atom(s.found)) {
        auto const kind = kind_meant(s.found.text);
        return kind ? std::optional(fmt::format("did you mean `{}`?", *kind)) : std::nullopt;
    }
    if (s.failure.wants(wanted::collective_part_name)) return where_the_name_of_a_part_is(s);
    if (s.failure.open.size() == command_depth) return after_the_kind(s);
    if (s.failure.wants(wanted::root)) return "the root is the number of its thread: `(root 0)`";
    return std::nullopt;
}

} // namespace matchpoint::grammar
