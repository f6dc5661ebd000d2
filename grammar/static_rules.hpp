// The rules S (docs/language.md), checked while a program is built: by the parser, from a text, or from a draft
// (programs/draft.hpp), which has none.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// An atom of the source; one that is in no source has no_offset.
struct Token {
    std::string_view text;
    Offset offset = 0;
};

class StaticRules {
public:
    /// No source: there is no text to point to.
    StaticRules(Program& program, Source const* source) : program_(program), source_(source) {}

    /// S1, locations are unique: the location of the next command.
    Location define_location(Token rho);
    /// An action, not yet known or known.
    Action action(std::string_view name);
    /// S2, actions are unique. `command` issues it.
    void issued(Action a, std::uint32_t command, Offset at);
    /// S3, every wait and every start names an action. An action that is not known yet is looked up again at the end.
    /// `by` is the command's name.
    void awaited(Action a, Offset at, std::string_view by = "wait");
    /// S4, operators have the right number of operands.
    void check_arity(Op op, std::uint32_t operands, Offset offset);
    /// S5, the extra atom of a sndi or rcvi is a location. It is looked up at the end.
    void use_location(Token rho, std::uint32_t command);
    /// S6, a shared variable is declared once.
    Variable declare_shared(Token x);
    /// S7, the variables that one command assigns to differ: a guarded assignment assigns to x.
    void assigned(Variable x, std::uint32_t command, Token at);
    /// S8, a receive has each kind of selector at most once: this one is there a second time.
    void repeated_selector(Token kind);
    /// S9, a barrier occurs as often in each thread that has it. `thread`: a number of the thread that has this
    /// occurrence.
    void meets(Barrier b, std::uint32_t thread, Offset at);

    /// S10, a collective has each part at most once: this one is there a second time.
    void repeated_part(Token part);

    /// S10, a communicator is declared once. Its members follow in the program.
    void declare_communicator(Token comm);

    /// All of the CTP has been read.
    void end_of_ctp();

    /// The violations, in the order of the text.
    Diagnostics take_faults();

private:
    /// The new fault, so that the caller can add notes; null beyond the limit, or if there is no source.
    Diagnostic* fault(std::string_view rule, std::string message, Token at);

    /// Adds the nearest of the names that are known to a fault, if there is a fault and such a name.
    void suggest(Diagnostic* d, std::string_view name, std::function<std::vector<std::string_view>()> const& known);

    struct LocationUse {
        Token rho;
        std::uint32_t command;
    };
    struct ActionUse {
        Action a;
        Offset at;
        std::string_view by;
    };

    /// The occurrences of a barrier in one thread.
    struct Occurrences {
        std::uint32_t thread;
        std::uint32_t count;
        Offset last;
    };
    void check_barriers();
    void check_members();
    void check_collectives();
    void check_collective(std::uint32_t command, std::uint32_t thread, std::vector<std::uint32_t> const& members);
    void check_waits_for_collectives();
    /// An atom of a command, if there is a source.
    Token atom_of(std::uint32_t command, std::size_t atom) const;

    Program& program_;
    Source const* source_;
    Diagnostics faults_;
    std::vector<std::vector<Occurrences>> barriers_; // by barrier
    std::vector<std::uint32_t> assigned_by_; // variable -> the last guarded assignment to it, as far as it is there
    std::vector<Offset> location_offsets_;   // where each location was first defined; filled at the first duplicate
    std::vector<ActionUse> undefined_actions_;
    std::vector<LocationUse> location_uses_;
};

} // namespace matchpoint::grammar
