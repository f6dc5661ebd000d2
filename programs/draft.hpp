// A program that can be edited: threads of commands, with names as text and expressions as trees (expression.hpp).
// Generators build drafts and shrinking changes them; program_of() gives the Program (grammar/ast.hpp), and print() the
// text.
//
//   draft::Draft d{.threads = {{draft::rcvi("R", 0, "x"), draft::wait("R")},
//                              {draft::sndi("S", 1, 0, draft::number(1))}}};
//   Program const program = draft::program_of(d).value();
//   std::cout << draft::print(d);
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "base/expected.hpp"
#include "grammar/ast.hpp"
#include "programs/expression.hpp"

namespace matchpoint::programs::draft {

using Action = Name<grammar::ActionKind>;
using Endpoint = Name<grammar::EndpointKind>; // its number, in canonical decimal form
using Tag = Name<grammar::TagKind>;           // the same; empty in a send or a movement that names none
using Barrier = Name<grammar::BarrierKind>;
using Communicator = Name<grammar::CommunicatorKind>;

/// Drafts have no second locations in sndi and rcvi (errata E3).
struct NoLocation {
    bool operator==(NoLocation const&) const = default;
};

/// What stands for names and expressions in a command.
struct Text {
    using Action = draft::Action;
    using Variable = draft::Variable;
    using Endpoint = draft::Endpoint;
    using Expression = draft::Expression;
    using ExtraLocation = NoLocation;
    using Tag = draft::Tag;
    using SendTag = draft::Tag;
    using Selectors = grammar::SelectorsOf<Text>;
    using Barrier = draft::Barrier;
    using Communicator = draft::Communicator;
    using Call = CollectiveCall;
    using Assignments = std::vector<grammar::AssignmentOf<Text>>;
};
using Selectors = Text::Selectors;
using Assignment = grammar::AssignmentOf<Text>;
using Command = grammar::CommandOf<Text>;

Command assume(Expression e);
Command assert_(Expression e);
Command assign(Variable x, Expression e);
Command sndi(Action a, std::uint32_t alpha, std::uint32_t beta, Expression e);
Command sndi(Mode mode, Action a, std::uint32_t alpha, std::uint32_t beta, Expression e, Tag n = {});
Command rcvi(Action a, std::uint32_t beta, Variable x, Selectors sel = {});
Command probe(Action a, std::uint32_t beta, Selectors sel = {});
Command mprobe(Action a, std::uint32_t beta, Selectors sel = {});
Command start(Action a, Variable x);
Command wait(Action a);
Command barrier(Barrier b);
Command collective(Action a, Communicator comm, CollectiveCall call);
/// (assume e (x := e) ...); without assignments `assume`.
Command guarded(Expression guard, std::vector<Assignment> assigned);
Command when(Expression guard, std::vector<Assignment> assigned);

/// The action that a command issues; null if it issues none.
Action const* issued_action(Command const& c);
/// The expression of a command, of a guarded assignment the guard; null if it has none.
Expression const* expression_of(Command const& c);
Expression* expression_of(Command& c);

/// (at "file" line)
struct Origin {
    std::string file; // without quotes and line breaks
    std::uint32_t line = 0;
    bool operator==(Origin const&) const = default;
};

/// Like std::optional, but as small as a pointer: few commands have a choice of time.
class OptionalChoice {
public:
    OptionalChoice() = default;
    OptionalChoice(ChoiceOfTime choice) : choice_(std::make_unique<ChoiceOfTime>(std::move(choice))) {}
    OptionalChoice(OptionalChoice const& other)
        : choice_(other.choice_ ? std::make_unique<ChoiceOfTime>(*other.choice_) : nullptr) {}
    OptionalChoice(OptionalChoice&&) noexcept = default;
    OptionalChoice& operator=(OptionalChoice other) noexcept {
        choice_.swap(other.choice_);
        return *this;
    }
    ~OptionalChoice() = default;

    explicit operator bool() const { return choice_ != nullptr; }
    ChoiceOfTime& operator*() const { return *choice_; }
    ChoiceOfTime* operator->() const { return choice_.get(); }
    bool operator==(OptionalChoice const& other) const {
        return choice_ && other.choice_ ? *choice_ == *other.choice_ : !choice_ && !other.choice_;
    }

private:
    std::unique_ptr<ChoiceOfTime> choice_;
};

/// [rho c].
struct LocatedCommand {
    LocatedCommand(Command command, std::string location = {}, std::optional<Origin> place = {})
        : c(std::move(command)), rho(std::move(location)), at(std::move(place)) {}

    Command c;
    std::string rho; // if empty, name_locations(), program_of() or print() chooses one
    std::optional<Origin> at;
    OptionalChoice choice = {};
    bool operator==(LocatedCommand const&) const = default;
};
using Thread = std::vector<LocatedCommand>;

/// (test choice n): `(assume true)` with the choice.
LocatedCommand test(ChoiceOfTime choice);
/// (wait a choice)
LocatedCommand wait(Action a, ChoiceOfTime choice);

/// (beta alpha) or (beta alpha n), destination first.
struct Movement {
    Endpoint beta;
    Endpoint alpha;
    Tag n = {};
    auto operator<=>(Movement const&) const = default;
};

/// (rho m): movements after the command at rho.
struct Entry {
    std::string rho;
    std::vector<Movement> m;
    std::optional<Movement> peek = {};
    bool operator==(Entry const&) const = default;
};
using Trace = std::vector<Entry>;
/// Calls f with each movement of an entry, and with its peek.
template <typename F>
void for_each_movement(Entry& entry, F&& f) {
    for (Movement& m : entry.m) f(m);
    if (entry.peek) f(*entry.peek);
}

/// [x v], or `atomic [x v]`
struct SharedVariable {
    Variable x;
    Value v;
    bool is_atomic = false;
    bool operator==(SharedVariable const&) const = default;
};

/// [comm t ...]
struct CommunicatorMembers {
    Communicator comm;
    std::vector<std::uint32_t> members = {};
    bool operator==(CommunicatorMembers const&) const = default;
};

struct Draft {
    std::string comment = {}; // lines at the top, without their `;`
    std::vector<SharedVariable> shared = {};
    std::vector<CommunicatorMembers> communicators = {}; // those that are declared
    std::vector<Thread> threads = {};
    std::vector<Trace> traces = {};
    bool operator==(Draft const&) const = default;

    std::size_t commands() const;
};

/// Removes the declarations of shared variables that no command names.
void drop_unused_shared_variables(Draft& draft);

/// The threads were once those of the list: roots of collectives and members of communicators become the numbers that
/// these threads have now. Roots that were other threads become numbers of no thread; such members are removed.
void renumber_threads(Draft& draft, std::span<std::uint32_t const> once);

/// Names every command that has no location: by thread and place, as in the paper ("02", "13") if both have one digit
/// in the whole program, else "t1.c13".
void name_locations(Draft& draft);

/// The draft in the trace language, one command or entry a line. Linear.
std::string print(Draft const& draft);
std::string print(Expression const& e);

/// The program of the draft, equal to what the parser makes of its text; or its violations of the static rules, without
/// positions. Names must be such as the language has them. Linear.
Expected<Program, Diagnostics> program_of(Draft const& draft);
/// The same for a draft that was generated to obey these rules: std::logic_error if it does not.
Program valid_program_of(Draft const& draft);

/// A program as a draft with the same names. Second locations in sndi and rcvi are left out.
Draft draft_of(Program const& program);

} // namespace matchpoint::programs::draft
