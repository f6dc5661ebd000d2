// A concurrent trace program: what each thread of a recorded run did (Figure 5(a); docs/language.md).
//
//   Result<Program> const program = Program::parse("( ([00 (rcvi r 0 x)] [01 (wait r)])  ([10 (sndi s 1 0 5)]) )");
//   for (Command const c : program->commands()) std::cout << program->at(c).text << '\n';
//
// A Program is a handle: copying it copies a pointer, and what it points to never changes, so threads may share it.
// Everything else in this library keeps the program that it is about alive.
//
// Parts of a program are named by commands. A send and a receive are the commands that issue them, and a message is its
// send. So one type, Command, is enough, and names are needed only where people read.
//
// Rules S1 to S9 make a text a program. Rules D1 to D6, the discipline, are what all questions about more than one run
// need: check(), explore(), match_pairs(), encode() and Feasibility return an Error that lists the breaches.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <matchpoint/result.hpp>
#include <matchpoint/value.hpp>

namespace matchpoint::api {

/// A command of a program: its number in the order of the text, from 0.
enum class Command : std::uint32_t {};

/// What a command is, in the words of docs/language.md.
struct CommandInfo {
    enum class Kind : std::uint8_t {
        assume,
        assertion,
        assign,
        send,    // sndi, ssndi, bsndi, rsndi
        receive, // rcvi
        wait,
        barrier,
        guarded, // (assume e (x := e) ...), and (when e (x := e) ...)
        probe,
        matched_probe, // mprobe
        start,         // of the receive of an mprobe
        collective,    // collective, icollective
    };
    Kind kind;
    std::uint32_t thread = 0;  // from 0
    std::string location = {}; // rho, "03"
    std::string action = {};   // a, of a send, receive, probe or collective: "R2"; of a wait or start, whose it is
    std::optional<Command> waits = {}; // of a wait or start: the send, receive, mprobe or collective that it is for
    std::string text = {};             // "(rcvi R2 0 A)"
    std::string origin = {};           // "mw.c:19", where a recorded command came from; or empty
};

/// A receive, and the send that it gets.
struct Match {
    Command receive;
    Command send;
    auto operator<=>(Match const&) const = default;
};

/// Whether a send waits for its receive. MPI may do either; MCAPI buffers.
enum class Buffering : std::uint8_t { infinite, zero };

std::string_view to_string(Buffering buffering);

class Program {
public:
    /// `name` is the file in messages. Errors: `input`. Linear in the text.
    static Result<Program> parse(std::string text, std::string name = "<text>");
    static Result<Program> read(std::filesystem::path const& file);

    std::string const& name() const;
    /// The canonical text. Parsing it gives an equal program.
    std::string print() const;

    std::uint32_t threads() const;
    /// All of them, in the order of the text: by thread.
    std::vector<Command> commands() const;
    /// Throws std::out_of_range if there is no such thread.
    std::vector<Command> commands(std::uint32_t thread) const;
    std::vector<Command> sends() const;
    std::vector<Command> receives() const;
    /// Throws std::logic_error if the program does not have it.
    CommandInfo at(Command c) const;
    /// The command at a location, or that issues an action; none if neither has that name.
    std::optional<Command> find(std::string_view location_or_action) const;
    std::vector<std::string> variables() const;
    /// How many traces follow the program in its file.
    std::size_t traces() const;

    /// Breaches of the discipline. Only if there is none can the questions about all executions be asked.
    std::vector<Message> breaches() const;

    // Copied, and never moved: every Program has a program.
    Program(Program const&) = default;
    Program& operator=(Program const&) = default;

    class Impl;
    Impl const& impl() const { return *impl_; }
    explicit Program(std::shared_ptr<Impl const> impl) : impl_(std::move(impl)) {}

private:
    std::shared_ptr<Impl const> impl_;
};

} // namespace matchpoint::api
