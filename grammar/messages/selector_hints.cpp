#include "grammar/messages/selector_hints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest_name.hpp"
#include "base/source.hpp"
#include "grammar/messages/lexer.hpp"

namespace matchpoint::grammar {

namespace {

constexpr std::string_view names[] = {"from", "tag", "source", "tagged"};

std::string_view first(Surroundings const& s) { return s.before.empty() ? std::string_view() : s.before.front().text; }
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}
bool is_name(std::string_view word) { return std::find(std::begin(names), std::end(names), word) != std::end(names); }
bool selects(std::string_view command) { return is_one_of(command, {"rcvi", "probe", "mprobe"}); }
bool is_anything(std::string_view word) {
    return is_one_of(word, {"*", "any", "ANY", "all", "-1", "MPI_ANY_SOURCE", "MPI_ANY_TAG"});
}

/// The kind of selector that is meant by another word.
std::string_view meant(Surroundings const& s) {
    std::string_view const word = s.found.text;
    bool const has_number = endpoint_name(s.next.text).has_value();
    if (is_one_of(word, {"src", "sender", "rank", "source_rank", "by"})) return has_number ? "from" : "source";
    if (is_one_of(word, {"only", "sources", "senders", "of"})) return "from";
    if (is_one_of(word, {"tags", "with", "label", "type", "msgtag"})) return "tag";
    if (is_one_of(word, {"get_tag", "tag_of", "status"})) return "tagged";
    auto const near = nearest_name(word, names);
    return near ? *std::find(std::begin(names), std::end(names), *near) : std::string_view();
}

constexpr std::string_view kinds = "selectors are `(from alpha ...)`, `(tag n ...)`, `(source y)` and `(tagged z)`";

/// `(src 1)`
std::string where_a_name_stands(Surroundings const& s) {
    if (is_open(s.found)) return "selectors follow one another: `(from 1 2) (tag 3)`";
    std::string_view const name = is_atom(s.found) ? meant(s) : std::string_view();
    if (name.empty()) return std::string(kinds);
    return fmt::format("did you mean `({} {})`?", name,
                       is_atom(s.next) ? printable(s.next.text)
                                       : std::string(is_one_of(name, {"from", "tag"}) ? "1" : "y"));
}

/// `(from 1)` in a send
std::string in_the_tag_of_a_send(Surroundings const& s) {
    if (is_name(s.found.text))
        return fmt::format("`({} ...)` belongs in a receive; a send has a source endpoint, alpha, and perhaps a tag: "
                           "`(sndi a alpha beta e (tag n))`",
                           s.found.text);
    bool const is_number = endpoint_name(s.found.text).has_value();
    return fmt::format("the tag of a message is written `(tag {})`", is_number ? s.found.text : "n");
}

/// `(from x)`, `(tag 1 x)`
std::string in_a_list(Surroundings const& s, bool of_send) {
    bool const is_from = first(s) == "from";
    if (of_send && s.failure.wants(wanted::close)) return "a message has one tag: `(tag n)`";
    if (of_send) return "the tag of a message is a number: `(tag n)`";
    if (is_anything(s.found.text))
        return fmt::format("a receive without `({} ...)` admits every {}", first(s), is_from ? "source" : "tag");
    if (is_open(s.found)) return "selectors follow one another: `(from 1 2) (tag 3)`";
    return fmt::format("`{}` lists {} that the receive admits, by their numbers: `({} 1 2)`", first(s),
                       is_from ? "the source endpoints" : "the tags", first(s));
}

/// `(source)`, `(source 1)`, `(tagged y z)`
std::string where_a_variable_stands(Surroundings const& s) {
    bool const is_source = first(s) == "source";
    std::string form = is_source ? "`(source y)` assigns the number of the message's source endpoint to the variable y"
                                 : "`(tagged z)` assigns the message's tag to the variable z";
    if (!endpoint_name(s.found.text) || s.failure.wants(wanted::close)) return form;
    return fmt::format("{}; to admit no other, write `({} {})`", form, is_source ? "from" : "tag", s.found.text);
}

/// `(rcvi a beta x from 1)`, `(rcvi a beta x (from 1) 02)`
std::optional<std::string> behind_parts_of_a_command(Surroundings const& s) {
    bool const of_send = is_send(first(s));
    if (!of_send && !selects(first(s))) return std::nullopt;
    std::string_view const last = s.before.back().text;
    bool const is_behind_group =
        of_send ? s.before.size() >= 6 && is_open(s.before.back()) && !s.failure.wants(wanted::send_tag)
                : is_open(s.before.back()) && s.failure.wants(wanted::selector);
    if (of_send && is_behind_group && is_open(s.found) && s.next.text == "tag")
        return "a message has one tag: `(tag n)`";
    if (is_behind_group && is_atom(s.found))
        return fmt::format("the location at the end of a `{}` comes before its {}", first(s),
                           of_send ? "tag" : "selectors");
    bool const may_follow = s.failure.wants(of_send ? wanted::send_tag : wanted::selector);
    if (!may_follow || !is_atom(s.found) || !(of_send ? last == "tag" : is_name(last))) return std::nullopt;
    return fmt::format("{} has brackets of its own: `({} {})`", of_send ? "the tag" : "a selector", last,
                       printable(s.found.text));
}

} // namespace

bool is_send(std::string_view command) { return is_one_of(command, {"sndi", "ssndi", "bsndi", "rsndi"}); }

std::optional<std::string> hint_for_selectors(Surroundings const& s) {
    std::size_t const depth = s.failure.open.size();
    if (s.failure.wants(wanted::selector_name)) return where_a_name_stands(s);
    if (s.failure.wants(wanted::send_tag_name)) return in_the_tag_of_a_send(s);
    if (depth == command_depth) return behind_parts_of_a_command(s);
    if (depth != command_depth + 1) return std::nullopt;
    Token const command = Lexer(s.failure.text, s.failure.open[command_depth - 1].at + 1).next();
    if (!is_send(command.text) && !selects(command.text)) return std::nullopt;
    if (is_one_of(first(s), {"from", "tag"})) return in_a_list(s, is_send(command.text));
    if (is_one_of(first(s), {"source", "tagged"})) return where_a_variable_stands(s);
    return std::nullopt;
}

std::optional<std::string> hint_for_place(Surroundings const& s) {
    if (first(s) != "at" || s.failure.open.size() != command_depth) return std::nullopt;
    if (s.failure.wants(wanted::assignment_sign) && s.found.text.starts_with('"'))
        return "a place follows the command: `[00 (x := 1) (at \"main.c\" 12)]`";
    if (s.failure.wants(wanted::file) && s.found.text == "\"") return "a string ends on its line";
    if (s.failure.wants(wanted::file) && is_atom(s.found) && !endpoint_name(s.found.text))
        return fmt::format("the name of the file is in quotes: `(at \"{}\" 12)`", printable(s.found.text));
    bool const is_place = s.failure.wants(wanted::file) || s.failure.wants(wanted::line) ||
                          (s.before.size() > 1 && s.before[1].text.starts_with('"'));
    if (!is_place) return std::nullopt;
    return "a place is written `(at \"main.c\" 12)`: a file, in quotes, and a line";
}

} // namespace matchpoint::grammar
