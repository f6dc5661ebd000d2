#include "grammar/messages/habits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/numbers.hpp"
#include "base/source.hpp"
#include "grammar/messages/hints.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::grammar {

namespace {

struct LookAlike {
    std::string_view character;
    std::string_view name; // with its article
    std::string_view instead;
};
constexpr LookAlike look_alikes[] = {
    {"\u00A0", "a no-break space (U+00A0)", "a blank"},
    {"\u2007", "a figure space (U+2007)", "a blank"},
    {"\u2009", "a thin space (U+2009)", "a blank"},
    {"\u202F", "a narrow no-break space (U+202F)", "a blank"},
    {"\u3000", "an ideographic space (U+3000)", "a blank"},
    {"\u200B", "a zero-width space (U+200B)", "nothing"},
    {"\u200C", "a zero-width non-joiner (U+200C)", "nothing"},
    {"\u200D", "a zero-width joiner (U+200D)", "nothing"},
    {"\u200E", "a left-to-right mark (U+200E)", "nothing"},
    {"\u200F", "a right-to-left mark (U+200F)", "nothing"},
    {"\u2060", "a word joiner (U+2060)", "nothing"},
    {"\uFEFF", "a byte order mark (U+FEFF)", "nothing"},
    {"\u00AD", "a soft hyphen (U+00AD)", "nothing"},
    {"\u2010", "a hyphen (U+2010)", "`-`"},
    {"\u2011", "a no-break hyphen (U+2011)", "`-`"},
    {"\u2012", "a figure dash (U+2012)", "`-`"},
    {"\u2013", "an en dash (U+2013)", "`-`"},
    {"\u2014", "an em dash (U+2014)", "`-`"},
    {"\u2212", "a minus sign (U+2212)", "`-`"},
    {"\u2018", "a left quotation mark (U+2018)", "no quotes"},
    {"\u2019", "a right quotation mark (U+2019)", "no quotes"},
    {"\u201C", "a left double quotation mark (U+201C)", "no quotes"},
    {"\u201D", "a right double quotation mark (U+201D)", "no quotes"},
    {"\u037E", "a Greek question mark (U+037E)", "`;`"},
    {"\uFF08", "a fullwidth bracket (U+FF08)", "`(`"},
    {"\uFF09", "a fullwidth bracket (U+FF09)", "`)`"},
    {"\uFF1B", "a fullwidth semicolon (U+FF1B)", "`;`"},
    {"\uFF1D", "a fullwidth equals sign (U+FF1D)", "`=`"},
};

struct Statement {
    std::string_view name;
    std::string_view instead;
};
constexpr std::string_view one_path = "a program is one path; the branch taken is an `assume`";
constexpr std::string_view no_loop = "a program is one path; write each round that was run";
constexpr std::string_view to_see = "`matchpoint step` shows the values";
constexpr Statement statements[] = {
    {"if", one_path},
    {"else", one_path},
    {"elif", one_path},
    {"then", one_path},
    {"cond", one_path},
    {"case", one_path},
    {"switch", one_path},
    {"goto", one_path},
    {"while", no_loop},
    {"for", no_loop},
    {"loop", no_loop},
    {"repeat", no_loop},
    {"do", no_loop},
    {"foreach", no_loop},
    {"print", to_see},
    {"printf", to_see},
    {"println", to_see},
    {"echo", to_see},
    {"skip", "`(assume true)` does nothing"},
    {"nop", "`(assume true)` does nothing"},
    {"pass", "`(assume true)` does nothing"},
};

constexpr std::string_view takes_lock =
    "a lock is a shared variable that is 1: `(when (> m 0) (m := (- m 1)))` takes it";
constexpr std::string_view gives_lock = "a lock is a shared variable that is 1: `(m := (+ m 1))` gives it back";
constexpr std::string_view pattern = "docs/shared_memory.md, \"How to write it\", has the commands for it";

constexpr Statement of_threads[] = {
    {"lock", takes_lock},
    {"acquire", takes_lock},
    {"mutex_lock", takes_lock},
    {"pthread_mutex_lock", takes_lock},
    {"unlock", gives_lock},
    {"release", gives_lock},
    {"mutex_unlock", gives_lock},
    {"pthread_mutex_unlock", gives_lock},
    {"cond_wait", pattern},
    {"signal", pattern},
    {"broadcast", pattern},
    {"pthread_cond_wait", pattern},
    {"pthread_cond_signal", pattern},
    {"pthread_cond_broadcast", pattern},
    {"notify", pattern},
    {"notify_one", pattern},
    {"notify_all", pattern},
    {"fork", pattern},
    {"spawn", pattern},
    {"join", pattern},
    {"pthread_create", pattern},
    {"pthread_join", pattern},
    {"sem_wait", pattern},
    {"sem_post", pattern},
    {"pthread_barrier_wait", pattern},
};

std::optional<std::string> instead_of(std::string_view name, std::span<Statement const> rows) {
    auto const found = std::find_if(rows.begin(), rows.end(), [&](Statement const& s) { return s.name == name; });
    if (found == rows.end()) return std::nullopt;
    return fmt::format("there is no `{}`: {}", found->name, found->instead);
}

constexpr std::string_view digits = "0123456789";

bool begins_with_digit(std::string_view word) {
    return !word.empty() && digits.find(word[0]) != std::string_view::npos;
}

/// `!x`, `-x`
std::optional<std::string> sign_before(std::string_view name) {
    std::string_view const rest = name.substr(1);
    bool const is_plain = !rest.empty() && rest.find_first_of("!~¬-+*/%=<>&|") == std::string_view::npos;
    if (!is_plain) return std::nullopt;
    if (name[0] == '!' || name[0] == '~') return fmt::format("(not {})", printable(rest));
    if (name[0] == '-') return fmt::format("(- 0 {})", printable(rest));
    return std::nullopt;
}

/// `x=4`, `x+1`. Names can have `-`, `/` and so on, so these count only before a number.
std::optional<std::string> sign_between(std::string_view name) {
    std::size_t const begin = name.find_first_of("=!<>+-*/%&|");
    if (begin == 0 || begin == std::string_view::npos) return std::nullopt;
    std::size_t const end = std::min(name.find_first_not_of("=!<>+-*/%&|", begin), name.size());
    std::string_view const sign = name.substr(begin, end - begin);
    std::string_view const right = name.substr(end);
    auto const op = parse_op(sign) ? parse_op(sign) : operator_meant(sign);
    bool const is_rare_in_names = sign.find_first_of("=!<>+*%&|") != std::string_view::npos;
    if (!op || right.empty() || (!is_rare_in_names && !is_integer(right))) return std::nullopt;
    if (right.find_first_of("=!<>+*%&|") != std::string_view::npos) return std::nullopt;
    return fmt::format("({} {} {})", to_string(*op), printable(name.substr(0, begin)), printable(right));
}

/// `0x10`, `1_000`, `1'000`: the number in our digits.
std::optional<std::string> number_of(std::string_view name) {
    if (!begins_with_digit(name)) return std::nullopt;
    if (name.starts_with("0x") || name.starts_with("0X") || name.starts_with("0b")) {
        auto const n = to_number<std::uint64_t>(name.substr(2), name[1] == 'b' ? 2 : 16);
        return n ? std::optional(std::to_string(*n)) : std::nullopt;
    }
    if (name.find_first_not_of("0123456789_'") != std::string_view::npos) return std::nullopt;
    std::string number;
    std::copy_if(name.begin(), name.end(), std::back_inserter(number), [](char c) { return c != '_' && c != '\''; });
    return number;
}

} // namespace

bool begins_foreign_comment(std::string_view atom) {
    return atom.starts_with("//") || atom.starts_with("/*") || atom.starts_with("#") || atom.starts_with("--");
}

std::optional<std::string> hint_for_characters(std::string_view atom) {
    for (LookAlike const& l : look_alikes)
        if (atom.find(l.character) != std::string_view::npos)
            return fmt::format("there is {} in it: write {}", l.name, l.instead);
    return std::nullopt;
}

std::optional<std::string> hint_for_statement(std::string_view name) { return instead_of(name, statements); }

std::optional<std::string> hint_for_threads(std::string_view name) { return instead_of(name, of_threads); }

std::optional<std::string> hint_for_assignment(std::string_view name, std::string_view sign, std::string_view value) {
    for (std::string_view const twice : {"++", "--"}) {
        std::string_view x = name;
        if (x.ends_with(twice))
            x.remove_suffix(2);
        else if (x.starts_with(twice))
            x.remove_prefix(2);
        else if (sign != twice)
            continue;
        return fmt::format("an assignment is written `({0} := ({1} {0} 1))`", printable(x), twice[0]);
    }
    if (sign.size() < 2 || !sign.ends_with('=') || sign.starts_with(':')) return std::nullopt;
    std::string_view const without = sign.substr(0, sign.size() - 1);
    auto const op = parse_op(without) ? parse_op(without) : operator_meant(without);
    if (!op || result_sort(*op) != OperandSort::integer) return std::nullopt;
    return fmt::format("an assignment is written `({0} := ({1} {0} {2}))`", printable(name), to_string(*op), value);
}

std::optional<std::string> hint_for_semicolon(std::string_view text) {
    for (std::size_t at = text.find(';'); at != std::string_view::npos; at = text.find(';', at)) {
        std::size_t const end = std::min(text.find('\n', at), text.size());
        if (text.substr(at, end - at).find_first_of(")]") != std::string_view::npos)
            return "`;` begins a comment, and a closing bracket is in it: commands do not end with `;`";
        at = end;
    }
    return std::nullopt;
}

std::optional<std::string> hint_for_expression_as_name(std::string_view name) {
    if (name.empty()) return std::nullopt;
    std::optional<std::string> meant = number_of(name);
    if (!meant) meant = sign_before(name);
    if (!meant) meant = sign_between(name);
    if (!meant) return std::nullopt;
    return fmt::format("`{}` is read as a name; write `{}`", printable(name), *meant);
}

std::optional<std::string> hint_for_boolean(std::string_view atom) {
    std::string lower(atom);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (lower != "true" && lower != "false") return std::nullopt;
    return fmt::format("did you mean `{}`?", lower);
}

bool is_float(std::string_view atom) {
    bool const has_digit = std::any_of(atom.begin(), atom.end(), [](char c) { return c >= '0' && c <= '9'; });
    return has_digit && atom.find('.') != std::string_view::npos &&
           atom.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
}

std::optional<std::string> hint_for_punctuation(std::string_view name) {
    if (name.size() < 2 || (name.back() != ',' && name.back() != ':')) return std::nullopt;
    return fmt::format("the name `{}` has a {} in it: blanks separate the parts of a command", printable(name),
                       name.back() == ',' ? "comma" : "colon");
}

} // namespace matchpoint::grammar
