// Terms for values: what each thread computes from what it receives (Definitions 5 and 7 to 9). Under D1 to D6 they are
// the same in every run, so all encodings of all executions share them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "encode/encoder.hpp"
#include "matching/match_pairs.hpp"
#include "matching/message_index.hpp"
#include "smt_machine/translation.hpp"

namespace matchpoint::encode {

class ProgramTerms {
public:
    explicit ProgramTerms(MessageIndex const& messages);
    ProgramTerms(ProgramTerms const&) = delete;
    ProgramTerms& operator=(ProgramTerms const&) = delete;

    /// Versions of variables, payloads and divisors: an SMT-LIB assertion each, without a line break. They are always
    /// satisfiable, since SMT-LIB's operators are total.
    std::vector<std::string> definitions;
    /// A term's text, with its location.
    struct Condition {
        Location rho;
        std::string text;
    };
    /// Symbols that are not zero in a run that gets past their command (errata E31).
    std::vector<Condition> divisors;
    std::vector<Condition> assumptions;
    std::vector<Condition> assertions;
    /// Declarations of the symbols used.
    std::vector<std::string> declarations;
    bool nonlinear = false;

    /// value_R.
    std::string received(std::uint32_t receive) const { return terms_.name(received_[receive]); }
    /// source_R and tag_R, if the receive assigns them.
    std::optional<std::string> source(std::uint32_t receive) const { return name_of(sources_[receive]); }
    std::optional<std::string> tag(std::uint32_t receive) const { return name_of(tags_[receive]); }
    /// value_S; or the payload itself, if it is a constant.
    std::string const& sent(std::uint32_t send) const { return sent_[send]; }

private:
    std::optional<std::string> name_of(std::optional<Symbol> const& s) const {
        return s ? std::optional(std::string(terms_.name(*s))) : std::nullopt;
    }

    Terms terms_;
    std::vector<Symbol> received_;
    std::vector<std::optional<Symbol>> sources_;
    std::vector<std::optional<Symbol>> tags_;
    std::vector<std::string> sent_;
};

/// The first lines of a problem, without the last line break: the version, the options and the logic. `functions`:
/// uninterpreted ones.
std::string preamble(EncoderOptions const& options, bool nonlinear, bool functions = false);

/// An SMT-LIB assertion with a name: (assert (! TERM :named |LOCATION WHAT|)).
std::string named_assertion(IndexedProgram const& code, Location rho, std::string_view what, std::string_view term);

} // namespace matchpoint::encode
