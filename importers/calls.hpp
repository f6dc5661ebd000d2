// What the imported files say, before it is a program: the calls of each process, with the place of each. The readers
// of all formats (readers.hpp) write this, and draft_of_calls.hpp makes a program of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/source.hpp"
#include "grammar/ast.hpp"
#include "importers/call_id.hpp"
#include "programs/expression.hpp"

namespace matchpoint::importers {

/// Part of a line of an imported file.
struct Place {
    std::uint32_t file = 0; // the files are numbered 0, 1, 2 ...
    std::uint32_t line = 1;
    Offset offset = no_offset;
    std::uint32_t length = 1; // in bytes
};

/// A line of the program that was recorded.
struct OriginalLine {
    std::uint32_t file = 0; // an index into Calls::original_files
    std::uint32_t line = 0;
};

struct Send {
    CallId id;                 // unique among all calls
    std::uint32_t to = 0;      // a process; with Calls::explicit_endpoints, an endpoint
    draft::Expression payload; // no nodes: unknown
    std::int64_t tag = 0;      // 0 too if the format has no tags
    Mode mode = Mode::standard;
    bool blocking = false;          // it is waited for at once
    std::uint32_t communicator = 0; // an index into Calls::communicators
    /// Only with Calls::explicit_endpoints: the endpoint that it is sent from; the one that it is sent to exists then,
    /// whether or not anybody receives at it. If none, it is sent from the endpoint of the process.
    std::optional<std::uint32_t> from = {};
};

struct Receive {
    CallId id;
    std::optional<std::uint32_t> from; // a process; none for any
    std::optional<std::int64_t> tag;   // none for any, or if unknown
    std::string variable;              // empty if the format has none
    std::uint32_t endpoint = 0;        // only with Calls::explicit_endpoints
    bool blocking = false;
    std::uint32_t communicator = 0;
};

/// Only without explicit endpoints.
struct Probe {
    CallId id;
    std::optional<std::uint32_t> from; // a process; none for any
    std::optional<std::int64_t> tag;   // none for any
    std::uint32_t communicator = 0;
    bool matches = false; // a matched probe, which takes the message
    /// The message that it saw, if the program is this one only then: a process, and a tag.
    struct Seen {
        std::uint32_t from = 0;
        std::int64_t tag = 0;
    };
    std::optional<Seen> seen = {};
};
/// The receive of what a matched probe took.
struct Start {
    std::uint32_t call; // the probe, as an index into the calls of the process
    std::string variable;
};
/// Only without explicit endpoints. The root is a process.
struct Collective {
    CallId id;
    std::uint32_t communicator = 0;
    CollectiveCall call;
};
struct Wait {
    std::uint32_t call; // the send, receive, matched probe or nonblocking collective, as an index into the calls
    /// Where that depended on time: the calls of which one was complete, or some were; this one among them.
    ChoiceOfTime::Of of = ChoiceOfTime::Of::one;
    std::vector<CallId> among = {};
};
/// A test whether calls are complete. If it was true, their waits follow it.
struct Test {
    ChoiceOfTime::Of of;
    std::vector<CallId> calls;
    bool result;
    std::uint64_t times;             // as in ChoiceOfTime
    std::string name = {};           // where it tests no call: of a probe, for example
    std::vector<Receive> probe = {}; // one, which could get the message that it looks for; none if it tests calls
};
struct Assign {
    draft::Variable x;
    draft::Expression e;
};
struct Assume {
    draft::Expression e;
};
struct Assert {
    draft::Expression e;
};
struct Meet {
    std::uint32_t communicator;
};
/// A flag of Calls::flags is raised, by one process and once; or a process waits until it is.
struct Raise {
    std::string flag;
};
struct Await {
    std::string flag;
};

struct Call {
    std::variant<Send, Receive, Probe, Start, Collective, Wait, Assign, Assume, Assert, Meet, Test, Raise, Await> what;
    Place place;
    std::optional<OriginalLine> original = {};
};

struct Process {
    std::uint32_t number = 0;
    Place place; // where it begins
    std::vector<Call> calls = {};
    /// A further thread of another process, whose endpoints it uses.
    std::optional<std::uint32_t> of = {};

    std::uint32_t owner() const { return of.value_or(number); }
};

/// Names as numbers, in the order of appearance.
class Numbering {
public:
    std::uint32_t operator()(std::string_view name) {
        auto const [found, is_new] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
        if (is_new) names_.emplace_back(name);
        return found->second;
    }
    std::vector<std::string> const& names() const { return names_; }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::string> names_;
};

struct Calls {
    /// In the order of appearance.
    std::vector<Process> processes = {};
    /// Receives name an endpoint, and sends name the endpoint that they send to. Otherwise both name processes.
    bool explicit_endpoints = false;
    Numbering communicators = {};
    /// Communicator that collectives name -> its processes, in their order; not all such communicators are there.
    std::map<std::uint32_t, std::vector<std::uint32_t>> members = {};
    Numbering original_files = {};       // of recorded programs
    std::vector<std::string> flags = {}; // no process has a variable of such a name
};

} // namespace matchpoint::importers
