// Figure 5(a), the input syntax: one struct per production, with the figure's metavariables as names.
//
//   ctp   ::= (t ...)                      Ctp: the commands of all threads, thread after thread
//   t     ::= ([rho c] ... bot)            Thread: a range of them
//   c     ::= (assume e) | (assert e) | (x := e) | (sndi a alpha beta e rho) | (rcvi a beta x rho) | (wait a)
//
// and beside the figure (docs/language.md, "Selectors, modes, barriers, places")
//
//   c     ::= (sndi a alpha beta e rho (tag n)) | (ssndi ...) | (bsndi ...) | (rsndi ...) | (rcvi a beta x rho sel ...) | (barrier b)
//   sel   ::= (from alpha ...) | (tag n ...) | (source y) | (tagged z)
//   [rho c (at "file" line)]
//   m     ::= bot | ((beta alpha n) ... bot)
//
// and of probes (docs/semantics.md, "Probes")
//
//   c     ::= (probe a beta sel ...) | (mprobe a beta sel ...) | (start a x)
//   m     ::= ((beta alpha n) ... (peek beta alpha n) bot)
//
// and of collectives (docs/semantics.md, "Collectives")
//
//   file  ::= (communicators [comm t ...] ...) ctp trace ...
//   c     ::= (collective a comm kind part ...) | (icollective a comm kind part ...)
//   part  ::= (root k) | (op o) | (type t) | (count n ...)
//
// and of choices of time in recordings (docs/language.md, "Choices of time"); they have no meaning
//
//   c      ::= (wait a choice) | (test a result n) | (test choice result n)
//            | (iprobe a beta (from alpha ...) (tag n ...) result n)
//   choice ::= (among a ...) | (some a ...) | (all a ...)
//
// and of shared memory (docs/shared_memory.md)
//
//   file  ::= (shared [x v] ...) ctp trace ...
//   c     ::= (assume e (x := e) ...) | (when e (x := e) ...)
//   trace ::= (sigma ...)                  Trace
//   sigma ::= (rho m)                      Sigma
//   m     ::= bot | ((beta alpha) ... bot) a range of the trace's Movements; bot is the empty one
//   e     ::= (op e e) | (not e) | x | v   Expression: a range of the program's nodes, in post-order
//
// Names are indices into the program's Symbols. Expressions are flat: a million nested operators are a million Nodes in
// one vector, and no function recurses on the depth of an expression.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "base/names.hpp"
#include "base/overloaded.hpp"
#include "base/source.hpp"
#include "base/value.hpp"
#include "grammar/choices.hpp"
#include "grammar/collectives.hpp"
#include "grammar/op.hpp"

namespace matchpoint::grammar {

/// A name as an index. Each kind is its own type, so that an action is not taken for a variable.
template <typename Kind>
struct Id {
    static constexpr std::uint32_t none_index = 0xFFFF'FFFF;
    std::uint32_t index = none_index;

    bool is_none() const { return index == none_index; }
    auto operator<=>(Id const&) const = default;
};

using Location = Id<struct LocationKind>; // rho: the index of its command (unique by rule S1)
using Action = Id<struct ActionKind>;     // a, a_s, a_r
using Variable = Id<struct VariableKind>; // x
using Endpoint = Id<struct EndpointKind>; // alpha (source), beta (destination)
using Tag = Id<struct TagKind>;           // n, of a message
using Barrier = Id<struct BarrierKind>;   // b
using File = Id<struct FileKind>;         // of a place
using Communicator = Id<struct CommunicatorKind>;
using CallId = Id<struct CallKind>;
using ChoiceId = Id<struct ChoiceKind>;
using SelectorsId = Id<struct SelectorsKind>;

struct Node {
    enum class Kind : std::uint8_t { value, variable, operation };
    Kind kind;
    Op op{}; // of an operation
    /// value: index into Ctp::values. variable: the Variable. operation: the number of nodes of its expression, this
    /// one included. The last operand ends right before this node, and each other one right before the next.
    std::uint32_t payload;
    std::uint32_t size() const { return kind == Kind::operation ? payload : 1; }
    bool operator==(Node const&) const = default;
};

/// Nodes [first, first + size) of the program; the last one is the root.
struct Expression {
    std::uint32_t first = 0;
    std::uint32_t size = 0;
    std::uint32_t root() const { return first + size - 1; }
    bool operator==(Expression const&) const = default;
};

// The commands. N says what stands for names and expressions: indices in the syntax tree of a program, text and trees
// in one that is edited (programs/draft.hpp). `parts` lists the parts of a command in the order of the text, for code
// that treats the same parts of all commands alike (parts.hpp).

template <typename N>
struct AssumeOf {
    typename N::Expression e;
    static auto parts(auto& c) { return std::tie(c.e); }
    bool operator==(AssumeOf const&) const = default;
};
template <typename N>
struct AssertOf {
    typename N::Expression e;
    static auto parts(auto& c) { return std::tie(c.e); }
    bool operator==(AssertOf const&) const = default;
};
template <typename N>
struct AssignOf {
    typename N::Variable x;
    typename N::Expression e;
    static auto parts(auto& c) { return std::tie(c.x, c.e); }
    bool operator==(AssignOf const&) const = default;
};
/// How a wait for a send waits (MPI's modes).
enum class Mode : std::uint8_t {
    standard,    // sndi: as the buffering says
    synchronous, // ssndi: until a receive that is posted has the message
    buffered,    // bsndi: never
    ready,       // rsndi: as a standard one; it needs a posted receive that can get the message
};
/// The name of the command.
std::string_view to_string(Mode mode);

/// sel ...: what a receive admits, and what else it assigns.
template <typename N>
struct SelectorsOf {
    std::optional<std::vector<typename N::Endpoint>> from; // only messages of these sources
    std::optional<std::vector<typename N::Tag>> tags;      // only messages with one of these tags
    std::optional<typename N::Variable> source;            // gets the number of the message's source
    std::optional<typename N::Variable> tagged;            // gets its tag
    bool operator==(SelectorsOf const&) const = default;
};

template <typename N>
struct SndiOf {
    typename N::Action a;
    typename N::Endpoint alpha;
    typename N::Endpoint beta;
    typename N::Expression e;
    typename N::ExtraLocation rho; // Figure 5(a)'s extra location, none if left out; it has no effect (errata E3)
    typename N::SendTag tag;       // none if the tag is 0
    Mode mode = Mode::standard;
    static auto parts(auto& c) { return std::tie(c.a, c.alpha, c.beta, c.e, c.rho, c.tag, c.mode); }
    bool operator==(SndiOf const&) const = default;
};
template <typename N>
struct RcviOf {
    typename N::Action a;
    typename N::Endpoint beta;
    typename N::Variable x;
    typename N::ExtraLocation rho; // as in SndiOf
    typename N::Selectors sel;     // none if it admits every message
    static auto parts(auto& c) { return std::tie(c.a, c.beta, c.x, c.rho, c.sel); }
    bool operator==(RcviOf const&) const = default;
};
/// (probe a beta sel ...) waits for a message that a receive with these selectors could get, and takes nothing.
/// (mprobe a beta sel ...) also matches the message to `a`.
template <typename N>
struct ProbeOf {
    typename N::Action a;
    typename N::Endpoint beta;
    typename N::Selectors sel; // none if it admits every message
    bool matches = false;      // it is an mprobe
    static auto parts(auto& c) { return std::tie(c.a, c.beta, c.sel, c.matches); }
    bool operator==(ProbeOf const&) const = default;
};
/// (start a x): the receive of the message that an mprobe matched, into x.
template <typename N>
struct StartOf {
    typename N::Action a;
    typename N::Variable x;
    static auto parts(auto& c) { return std::tie(c.a, c.x); }
    bool operator==(StartOf const&) const = default;
};
template <typename N>
struct WaitOf {
    typename N::Action a;
    static auto parts(auto& c) { return std::tie(c.a); }
    bool operator==(WaitOf const&) const = default;
};
template <typename N>
struct MeetOf {
    typename N::Barrier b;
    static auto parts(auto& c) { return std::tie(c.b); }
    bool operator==(MeetOf const&) const = default;
};
/// A call in which the threads that have the communicator take part, its members.
template <typename N>
struct CollectiveOf {
    typename N::Action a;
    typename N::Communicator comm;
    typename N::Call call; // which one, and what it says
    static auto parts(auto& c) { return std::tie(c.a, c.comm, c.call); }
    bool operator==(CollectiveOf const&) const = default;
};

/// (x := e) in a guarded assignment.
template <typename N>
struct AssignmentOf {
    typename N::Variable x;
    typename N::Expression e;
    bool operator==(AssignmentOf const&) const = default;
};
/// A guarded assignment: (assume e (x := e) ...) with at least one assignment, or (when e (x := e) ...).
template <typename N>
struct GuardedOf {
    typename N::Expression e; // the guard
    typename N::Assignments assigned;
    bool blocks = false; // when: the thread waits until the guard holds
    static auto parts(auto& c) { return std::tie(c.e, c.assigned, c.blocks); }
    bool operator==(GuardedOf const&) const = default;
};

/// Code that treats commands by kind visits this (overloaded.hpp), so that a new kind breaks the build wherever it
/// matters.
template <typename N>
using CommandOf = std::variant<AssumeOf<N>, AssertOf<N>, AssignOf<N>, SndiOf<N>, RcviOf<N>, WaitOf<N>, MeetOf<N>,
                               GuardedOf<N>, ProbeOf<N>, StartOf<N>, CollectiveOf<N>>;

/// Assignments [first, last) of Ctp::assignments.
struct AssignmentRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool operator==(AssignmentRange const&) const = default;
};

struct Indices {
    using Action = grammar::Action;
    using Variable = grammar::Variable;
    using Endpoint = grammar::Endpoint;
    using Expression = grammar::Expression;
    using ExtraLocation = grammar::Location;
    using Tag = grammar::Tag;
    using SendTag = grammar::Tag;
    using Selectors = SelectorsId; // an index into Ctp::selectors
    using Barrier = grammar::Barrier;
    using Communicator = grammar::Communicator;
    using Call = CallId; // an index into Ctp::calls
    using Assignments = AssignmentRange;
};
using Selectors = SelectorsOf<Indices>;
using Assignment = AssignmentOf<Indices>;
using Assume = AssumeOf<Indices>;
using Assert = AssertOf<Indices>;
using Assign = AssignOf<Indices>;
using Sndi = SndiOf<Indices>;
using Rcvi = RcviOf<Indices>;
using Probe = ProbeOf<Indices>;
using Start = StartOf<Indices>;
using Wait = WaitOf<Indices>;
using Meet = MeetOf<Indices>;
using Collective = CollectiveOf<Indices>;
using Guarded = GuardedOf<Indices>;
using Command = CommandOf<Indices>;

// For questions that are about one kind of command only; null if it is of another kind.
template <typename N>
SndiOf<N> const* as_sndi(CommandOf<N> const& c) {
    return std::get_if<SndiOf<N>>(&c);
}
template <typename N>
RcviOf<N> const* as_rcvi(CommandOf<N> const& c) {
    return std::get_if<RcviOf<N>>(&c);
}
template <typename N>
ProbeOf<N> const* as_probe(CommandOf<N> const& c) {
    return std::get_if<ProbeOf<N>>(&c);
}
template <typename N>
StartOf<N> const* as_start(CommandOf<N> const& c) {
    return std::get_if<StartOf<N>>(&c);
}
template <typename N>
WaitOf<N> const* as_wait(CommandOf<N> const& c) {
    return std::get_if<WaitOf<N>>(&c);
}

template <typename N>
CollectiveOf<N> const* as_collective(CommandOf<N> const& c) {
    return std::get_if<CollectiveOf<N>>(&c);
}

template <typename N>
GuardedOf<N> const* as_guarded(CommandOf<N> const& c) {
    return std::get_if<GuardedOf<N>>(&c);
}

/// For code to which only messages matter: calls one of both if the command is a send or a receive.
void visit_message(Command const& c, auto&& on_send, auto&& on_receive) {
    std::visit(overloaded{
                   [&](Sndi const& sndi) { on_send(sndi); },
                   [&](Rcvi const& rcvi) { on_receive(rcvi); },
                   [](Probe const&) {},
                   [](Start const&) {},
                   [](Wait const&) {},
                   [](Meet const&) {},
                   [](Collective const&) {},
                   [](Assume const&) {},
                   [](Assert const&) {},
                   [](Assign const&) {},
                   [](Guarded const&) {},
               },
               c);
}

/// (at "file" line): where a command came from. It has no meaning.
struct Origin {
    File file; // none if it is not said
    std::uint32_t line = 0;
    bool operator==(Origin const&) const = default;
};

/// [rho c]. The location is the index in Ctp::commands; `offset` is the position of rho in the source.
struct LocatedCommand {
    Command c;
    Offset offset = no_offset;
    Origin at = {};
    ChoiceId choice = {}; // an index into Ctp::choices; none if nothing here depended on time
    friend bool operator==(LocatedCommand const& a, LocatedCommand const& b) {
        return a.c == b.c && a.at == b.at && a.choice == b.choice;
    }
};

/// Commands [first, last) of the program.
struct Thread {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    Offset open = no_offset; // of its opening bracket
    Offset bot = no_offset;  // of its `bot`, if it has one
    Offset close = no_offset;
    friend bool operator==(Thread const& a, Thread const& b) { return a.first == b.first && a.last == b.last; }
};

/// The names of a program, by kind. Locations of the CTP come first, in the order of its commands, then locations that
/// only a trace names; likewise endpoints and tags. An endpoint's name and a tag's name are their numbers in canonical
/// decimal form.
struct Symbols {
    Names locations;
    Names actions;
    Names variables;
    Names endpoints;
    Names tags;
    Names barriers;
    Names communicators;
    Names files;
    bool operator==(Symbols const&) const = default;

    std::string_view operator()(Location rho) const { return locations[rho.index]; }
    std::string_view operator()(Action a) const { return actions[a.index]; }
    std::string_view operator()(Variable x) const { return variables[x.index]; }
    std::string_view operator()(Endpoint beta) const { return endpoints[beta.index]; }
    std::string_view operator()(Tag n) const { return tags[n.index]; }
    std::string_view operator()(Barrier b) const { return barriers[b.index]; }
    std::string_view operator()(Communicator c) const { return communicators[c.index]; }
    std::string_view operator()(File f) const { return files[f.index]; }
};

/// [x v], or `atomic [x v]`: a shared variable, and its initial value.
struct SharedVariable {
    Variable x;
    Value v;
    Offset offset = no_offset; // of x in the source
    bool is_atomic = false;    // its accesses are no data races
    friend bool operator==(SharedVariable const& a, SharedVariable const& b) {
        return a.x == b.x && a.v == b.v && a.is_atomic == b.is_atomic;
    }
};

/// [comm t ...]: the threads that are members of a communicator, in their order there. Threads count from 0.
struct CommunicatorMembers {
    Communicator comm;
    std::vector<std::uint32_t> members = {};
    Offset offset = no_offset; // of comm in the source
    friend bool operator==(CommunicatorMembers const& a, CommunicatorMembers const& b) {
        return a.comm == b.comm && a.members == b.members;
    }
};

struct Ctp {
    std::vector<SharedVariable> shared;
    std::vector<CommunicatorMembers> communicators; // those that are declared
    std::vector<Thread> threads;
    std::vector<LocatedCommand> commands;
    std::vector<Node> nodes;
    std::vector<Value> values;
    std::vector<Selectors> selectors;
    std::vector<Assignment> assignments; // of guarded assignments
    std::vector<CollectiveCall> calls;   // of collectives
    std::vector<ChoiceOfTime> choices;   // of time
    /// action -> the command that issues it, a send, a receive, a probe or a collective, as an index into commands
    std::vector<std::uint32_t> issued_by;
    /// No divisor that the machine does not evaluate is zero: lowering has seen to that (docs/lowering.md).
    bool has_guarded_divisors = false;
    Offset shared_open = no_offset; // of `(shared ...)`, if there is one
    Offset shared_close = no_offset;
    Offset communicators_open = no_offset; // of `(communicators ...)`, if there is one
    Offset open = no_offset;
    Offset close = no_offset;

    std::span<Assignment const> assigned(Guarded const& c) const {
        return std::span(assignments).subspan(c.assigned.first, c.assigned.last - c.assigned.first);
    }
    CollectiveCall const& call(Collective const& c) const { return calls[c.call.index]; }
    /// Null if nothing depended on time.
    ChoiceOfTime const* choice(LocatedCommand const& c) const {
        return c.choice.is_none() ? nullptr : &choices[c.choice.index];
    }

    friend bool operator==(Ctp const& a, Ctp const& b) {
        return a.shared == b.shared && a.communicators == b.communicators && a.threads == b.threads &&
               a.commands == b.commands && a.nodes == b.nodes && a.values == b.values && a.selectors == b.selectors &&
               a.assignments == b.assignments && a.calls == b.calls && a.choices == b.choices &&
               a.issued_by == b.issued_by;
    }
};

/// (beta alpha) or (beta alpha n), destination first.
struct Movement {
    Endpoint beta;
    Endpoint alpha;
    Tag n = {}; // of the message; none if the movement names no tag
    bool operator==(Movement const&) const = default;
};

/// (peek beta alpha) or (peek beta alpha n): which message the probe at an entry sees.
struct PeekAt {
    std::uint32_t entry = 0; // of the trace, from 0
    Movement m;
    bool operator==(PeekAt const&) const = default;
};

/// (rho m). m is the range [the previous entry's last_movement, last_movement) of the trace's movements.
struct Sigma {
    Location rho;
    std::uint32_t last_movement = 0;
    Offset offset = no_offset; // of rho
    friend bool operator==(Sigma const& a, Sigma const& b) {
        return a.rho == b.rho && a.last_movement == b.last_movement;
    }
};

struct Trace {
    std::vector<Sigma> entries;
    std::vector<Movement> movements;
    std::vector<PeekAt> peeks; // by entry
    Offset open = no_offset;
    Offset close = no_offset;

    /// The peek of an entry; null if it has none.
    PeekAt const* peek_at(std::size_t entry) const {
        auto const at = std::lower_bound(peeks.begin(), peeks.end(), entry,
                                         [](PeekAt const& p, std::size_t e) { return p.entry < e; });
        return at != peeks.end() && at->entry == entry ? &*at : nullptr;
    }
    std::span<Movement const> m(std::size_t entry) const {
        std::size_t const first = entry == 0 ? 0 : entries[entry - 1].last_movement;
        return std::span(movements).subspan(first, entries[entry].last_movement - first);
    }
    friend bool operator==(Trace const& a, Trace const& b) {
        return a.entries == b.entries && a.movements == b.movements && a.peeks == b.peeks;
    }
};

/// A comment of the source, from its `;` to the end of its line. Kept on demand, for the printer; equality ignores it.
struct Comment {
    Offset offset;
    std::uint32_t length;
};

/// A file: one concurrent trace program and its traces. It obeys the static rules.
struct Program {
    Symbols symbols;
    Ctp ctp;
    std::vector<Trace> traces;
    std::vector<Comment> comments;

    friend bool operator==(Program const& a, Program const& b) {
        return a.symbols == b.symbols && a.ctp == b.ctp && a.traces == b.traces;
    }
};

} // namespace matchpoint::grammar
