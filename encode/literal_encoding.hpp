// What the two papers' encoders of messages (literal_encoders.hpp) have in common: their text, and the names in it.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "encode/program_terms.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

/// The base class of an encoding. The messages and pairs must outlive it.
class LiteralEncoding {
protected:
    LiteralEncoding(MessageIndex const& messages, MatchPairs const& pairs)
        : messages_(messages), code_(messages.code()), pairs_(pairs), values_(messages) {}

    void line(std::string_view text) {
        out_ += text;
        out_ += '\n';
    }
    std::string name(std::string_view prefix, auto id) const {
        return fmt::format("{}{}", prefix, mangle(code_.names()(id)));
    }
    std::string order(Location rho) const { return name("order_", rho); }

    MessageIndex const& messages_;
    IndexedProgram const& code_;
    MatchPairs const& pairs_;
    ProgramTerms const values_;
    std::string out_;
};

} // namespace matchpoint::encode
