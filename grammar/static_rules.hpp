// Rules S1 to S5 (docs/language.md), checked while the parser reads.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "grammar/ast.hpp"
#include "grammar/diagnostics.hpp"

namespace matchpoint::grammar {

/// An atom of the source.
struct Token {
    std::string_view text;
    Offset offset = 0;
};

class StaticRules {
public:
    StaticRules(Program& program, Source const& source) : program_(program), source_(source) {}

    /// S1, locations are unique: the location of the next command.
    Location define_location(Token rho);
    /// S2, actions are unique. `command` is the one that issues it.
    Action define_action(Token a, std::uint32_t command);
    /// S3, every wait names an action. An action that is not known yet is looked up again at the end.
    Action use_action(Token a);
    /// S4, operators have the right number of operands.
    void check_arity(Op op, std::uint32_t operands, Offset offset);
    /// S5, the extra atom of a sndi or rcvi is a location. It is looked up at the end.
    void use_location(Token rho, std::uint32_t command);

    /// All of the CTP has been read.
    void end_of_ctp();

    /// The violations, in the order of the text.
    Diagnostics take_faults();

private:
    /// The new fault, so that the caller can add notes; null beyond the limit.
    Diagnostic* fault(std::string_view rule, std::string message, Token at);

    struct LocationUse {
        Token rho;
        std::uint32_t command;
    };
    struct ActionUse {
        Token a;
        Action action;
    };

    Program& program_;
    Source const& source_;
    Diagnostics faults_;
    std::vector<Offset> location_offsets_; // where each location was first defined; filled at the first duplicate
    std::vector<ActionUse> undefined_actions_;
    std::vector<LocationUse> location_uses_;
};

} // namespace matchpoint::grammar
