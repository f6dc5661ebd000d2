// The s-expressions of SMT-LIB 2.6 (section 3.1 of the standard): what solvers print, and what is sent to them.
//
//   Tokens tokens("(sat (define-fun |M_R 1| () Int (- 5)))");
//   tokens.next();         // '('
//   tokens.next().text;    // "sat"
//   tokens.expression();   // "(define-fun |M_R 1| () Int (- 5))"
//
// White space and comments separate tokens and are skipped. Nothing recurses on the depth of a text, and reading all of
// it takes linear time.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "rooms.hpp"

namespace matchpoint::smt_machine {

class Tokens {
public:
    struct Token {
        enum class Kind : std::uint8_t {
            open,    // (
            close,   // )
            atom,    // a simple symbol, a keyword or a number
            quoted,  // a quoted symbol; `text` has no bars
            string,  // `text` has no quotes around it; a quote inside is still doubled
            end,     // of the text
            unclosed // a quoted symbol or a string that the text ends in
        };
        Kind kind = Kind::end;
        std::string_view text;

        bool is_symbol() const { return kind == Kind::atom || kind == Kind::quoted; }
        bool is_atom(std::string_view word) const { return kind == Kind::atom && text == word; }
    };

    explicit Tokens(std::string_view text) : text_(text) {}

    Token next();

    /// The next expression as it is written, from its first token to its last. None if there is no complete one: at the
    /// end, before a `)` that closes nothing, or if the text ends in the middle. Then nothing is read but white space
    /// and comments.
    std::optional<std::string_view> expression();

    /// Whether nothing is left but white space and comments.
    bool at_end();

    /// How many bytes have been read.
    std::size_t position() const { return at_; }

private:
    void skip_blanks_and_comments();

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Whether the text is one list, with nothing before or after it.
bool is_one_list(std::string_view text);

/// What a list begins with, if that is a symbol or a keyword: `check-sat` of `(check-sat)`. Empty otherwise.
std::string_view head_of_list(std::string_view expression);

/// The symbol that an expression is, without bars; none if it is something else.
std::optional<std::string_view> symbol_of(std::string_view expression);

/// Whether the text has a list `(error ...)` in it, at whatever depth.
bool contains_error(std::string_view text);

/// Whether the text is what solvers answer to (get-model): one list of lists, which can begin with `model`. Not
/// `(error "...")`.
bool is_model(std::string_view text);

/// (define-fun NAME () SORT VALUE) of a model.
struct ModelEntry {
    std::string_view name; // without bars
    std::string_view sort;
    std::string_view value; // as it is written: `5`, `(- 5)`, `true`

    /// None if the value is no integer, or does not fit into 64 bits.
    std::optional<std::int64_t> integer() const;
};

/// Calls `f` with every definition of a constant in an answer to (get-model), at whatever depth. It skips functions
/// with parameters, and stops at a definition that is malformed or cut off.
void read_model(std::string_view model, std::function<void(ModelEntry const&)> const& f);

} // namespace matchpoint::smt_machine
