// The other side of the handles of include/matchpoint/: what the rooms know of a program and of an execution, and how
// what the rooms say is said to outsiders. Not installed.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "base/diagnostics.hpp"
#include "base/files.hpp"
#include "base/limits.hpp"
#include "executions/search.hpp"
#include "matching/message_index.hpp"
#include "report/replay.hpp"

#include <matchpoint/execution.hpp>

namespace matchpoint::api {

/// Its members refer to each other.
class Program::Impl {
public:
    Impl(Source s, grammar::Program p);
    Impl(Impl const&) = delete;
    Impl& operator=(Impl const&) = delete;

    Source source;
    grammar::Program program;
    IndexedProgram code;
    Diagnostics breaches;
    std::optional<MessageIndex> messages; // if there are no breaches
};

class Execution::Impl {
public:
    Impl(Program const& of, machine::Schedule s, Extent e, Buffering b)
        : program(of), schedule(std::move(s)), extent(e), buffering(b) {}

    IndexedProgram const& code() const { return program.impl().code; }
    /// Throws LimitReached.
    report::Replay const& replayed() const;

    Program program;
    machine::Schedule schedule;
    Extent extent;
    Buffering buffering;

private:
    mutable std::once_flag once_;
    mutable std::optional<report::Replay> replay_;
};

inline Location location(Command c) { return {static_cast<std::uint32_t>(c)}; }
inline Command command(Location rho) { return Command{rho.index}; }
/// Throws std::logic_error if the program does not have it.
Location checked(IndexedProgram const& code, Command c);
/// The action of a send, or of a receive. Throws std::logic_error if the command is something else.
Action send_of(IndexedProgram const& code, Command c);
Action receive_of(IndexedProgram const& code, Command c);
inline Match match(IndexedProgram const& code, Action a_r, Action a_s) {
    return {command(code.issued_at(a_r)), command(code.issued_at(a_s))};
}
Match match(MessageIndex const& messages, matching::Pair pair);
matching::Pair pair(MessageIndex const& messages, Match const& m);

inline machine::Buffering in_room(Buffering b) {
    return b == Buffering::infinite ? machine::Buffering::infinite : machine::Buffering::zero;
}
Status of_room(machine::Status s);
/// None of bot.
std::optional<Value> of_room(base::Value const& v);

std::vector<Message> messages_of(Diagnostics const& diagnostics, Source const& source);
Error error_of(Diagnostics const& diagnostics, Source const& source);
inline Error limit_error(std::string what) { return {Error::Kind::limit, std::move(what), {}}; }
inline Error usage_error(std::string what) { return {Error::Kind::usage, std::move(what), {}}; }

/// What f() returns, or an Error if it reached a limit.
template <typename F>
auto within_limits(F f) -> decltype(f()) {
    try {
        return f();
    } catch (base::LimitReached const& e) {
        return limit_error(e.what());
    }
}

/// A program of the face, of what parse(source) returns.
template <typename Handle, typename Parse>
Result<Handle> parsed(std::string text, std::string name, Parse parse) {
    if (text.size() > Source::max_size) return limit_error("a program has to be smaller than 4 GiB");
    Source source(std::move(name), std::move(text));
    return within_limits([&]() -> Result<Handle> {
        auto program = parse(source);
        if (!program) return error_of(program.error(), source);
        return Handle(std::make_shared<typename Handle::Impl const>(std::move(source), std::move(*program)));
    });
}
/// The program of a file.
template <typename Handle>
Result<Handle> read(std::filesystem::path const& file) {
    auto text = base::read_file(file.string());
    if (!text) return Error{Error::Kind::input, text.error(), {}};
    return Handle::parse(std::move(*text), file.string());
}

/// Why the questions about all executions cannot be asked; none if they can.
std::optional<Error> undisciplined(Program const& program);

/// Usage: the file of the program does not have this trace.
Error no_such_trace(Program const& program, std::size_t trace);

Execution execution_of(Program const& program, machine::Schedule schedule, Extent extent, Buffering buffering);
Execution execution_of(Program const& program, executions::Run const& run, Buffering buffering);

/// Tells an observer of the face what the machine does.
class Telling final : public machine::Observer {
public:
    Telling(IndexedProgram const& code, api::Observer tell) : code_(&code), tell_(std::move(tell)) {}
    void on(machine::State const& state, machine::Event const& event) override;

private:
    IndexedProgram const* code_;
    api::Observer tell_;
    std::size_t step_ = 0;
    std::optional<Command> at_;
};

} // namespace matchpoint::api
