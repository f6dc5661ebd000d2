#include "solve/solver.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include <fmt/format.h>

#include "base/child_process.hpp"
#include "base/overloaded.hpp"
#include "base/source.hpp"
#include "base/text.hpp"
#include "smt_machine/s_expressions.hpp"

namespace matchpoint::solve {

namespace {

using Clock = std::chrono::steady_clock;
using Between = SolverCommand::Between;

/// How much text a message quotes, in characters.
constexpr std::size_t quoted = 200;

/// Problems up to this size, in bytes, are solved in a scope. z3 spends over a millisecond on the first declaration
/// after a (reset), but 0.2 ms on a whole small problem in a new scope. In a scope it skips preprocessing, which costs
/// more on larger problems.
constexpr std::size_t small = 4096;

constexpr std::string_view blanks = " \t\r\n";

std::string quote(std::string_view text) {
    text = trimmed(text);
    std::string line(text.substr(0, 4 * (quoted + 1))); // enough for what is shown
    std::replace(line.begin(), line.end(), '\n', ' ');
    return printable(line, quoted);
}

/// The symbols of a list of symbols.
std::optional<std::vector<std::string>> symbols(std::string_view list) {
    if (!is_one_list(list)) return {};
    Tokens tokens(list.substr(1, list.size() - 2));
    std::vector<std::string> result;
    while (!tokens.at_end()) {
        auto const expression = tokens.expression();
        auto const symbol = expression ? symbol_of(*expression) : std::nullopt;
        if (!symbol) return {};
        result.emplace_back(*symbol);
    }
    return result;
}

/// What a problem begins with, up to and including (set-logic ...).
struct Head {
    std::string options;    // the set-option commands
    std::string_view logic; // (set-logic ...)
    std::string infos;      // the set-info commands
    std::string_view text;  // all of it, as it is written
};

Head head(std::string_view problem) {
    Head h;
    Tokens tokens(problem);
    std::size_t end = 0;
    while (h.logic.empty()) {
        auto const command = tokens.expression();
        if (!command) break;
        std::string_view const word = head_of_list(*command);
        if (word == "set-option")
            h.options += *command;
        else if (word == "set-info")
            h.infos += *command;
        else if (word == "set-logic")
            h.logic = *command;
        else
            break;
        end = tokens.position();
    }
    h.text = problem.substr(0, end);
    return h;
}

} // namespace

namespace {

/// (set-info :status ...)
bool is_status(std::string_view command) {
    Tokens tokens(command);
    static_cast<void>(tokens.next()); // the parenthesis
    return head_of_list(command) == "set-info" && tokens.next().is_symbol() && tokens.next().is_atom(":status");
}

/// The problem without what it says of its own answer. Line breaks stay, for the lines in error messages.
std::string without_status(std::string_view problem) {
    std::string result;
    Tokens tokens(problem);
    std::size_t kept = 0; // up to here
    while (auto const command = tokens.expression()) {
        if (!is_status(*command)) continue;
        std::size_t const begin = tokens.position() - command->size();
        result += problem.substr(kept, begin - kept);
        result.append(static_cast<std::size_t>(std::count(command->begin(), command->end(), '\n')), '\n');
        kept = tokens.position();
    }
    return result.append(problem.substr(kept));
}

answer::Lack lack(Answer answer) {
    if (auto* const timeout = std::get_if<answer::Timeout>(&answer)) return *timeout;
    return std::move(std::get<answer::Crashed>(answer));
}

} // namespace

/// A running solver, and which settings it was given.
class Solver::Process {
public:
    explicit Process(SolverLimits const& limits) : limits_(limits) {
        std::random_device random;
        name_ = fmt::format("matchpoint-{:08x}{:08x}", random(), random());
    }

    /// An error message, or empty.
    std::string start(SolverCommand const& command) {
        std::string trouble = child_.start(command.arguments, limits_.memory, limits_.output);
        if (trouble.empty() && limits_.stop != nullptr) child_.stop_on(*limits_.stop);
        return trouble;
    }
    bool is_idle() { return child_.is_idle(); }

    /// The answer to commands that end with a (check-sat).
    Answer check_sat(std::string commands, Produce produce, Clock::time_point deadline) {
        auto const reply = ask(std::move(commands), deadline);
        if (!reply) return reply.error();
        std::string_view const verdict = trimmed(*reply);
        if (verdict == "sat") return sat(produce, deadline);
        if (verdict == "unsat") return unsat(produce, deadline);
        if (verdict == "unknown") return unknown(deadline);
        return no_answer(*reply, "(check-sat)");
    }

    std::string options;      // set so far; in z3 they outlive a (reset)
    std::string pushed_logic; // of the problem in its only scope; empty if there is no scope

private:
    using Reply = ChildProcess::Reply;

    /// What it prints, or why that cannot be used.
    Expected<std::string, Answer> ask(std::string text, Clock::time_point deadline) {
        std::string const mark = fmt::format("{}-{}", name_, ++asked_);
        text += fmt::format("\n(echo \"{}\")\n", mark);
        auto const began = Clock::now();
        Reply reply = child_.ask(std::move(text), mark, deadline);
        if (auto failure = failure_of(reply, began)) return Unexpected{std::move(*failure)};
        return std::move(reply.text);
    }

    std::optional<Answer> failure_of(Reply const& reply, Clock::time_point began) const {
        std::string const printed = trimmed(reply.text).empty() ? "" : " after printing " + quote(reply.text);
        switch (reply.end) {
        case Reply::End::answered:
            if (child_.messages().find("(error") == std::string::npos) return {};
            return with_messages("reported an error");
        case Reply::End::ended: return with_messages(child_.status() + printed);
        case Reply::End::too_long:
            return with_messages(fmt::format("printed more than {} bytes{}", limits_.output, printed));
        case Reply::End::late: // an interruption needs no limit
            return answer::Timeout{
                limits_.time.value_or(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began))};
        }
        throw std::logic_error("a reply without an end");
    }

    answer::Crashed with_messages(std::string how) const {
        if (!trimmed(child_.messages()).empty())
            how += fmt::format("; its standard error: {}", quote(child_.messages()));
        return {std::move(how)};
    }
    answer::Crashed no_answer(std::string_view reply, std::string_view question) const {
        if (trimmed(reply).empty()) return with_messages(fmt::format("gave no answer to {}", question));
        return with_messages(fmt::format("answered {} to {}", quote(reply), question));
    }

    Answer sat(Produce produce, Clock::time_point deadline) {
        if (!produce.model) return answer::Sat{};
        auto const reply = ask("(get-model)", deadline);
        if (!reply) return answer::Sat{{}, lack(reply.error())};
        std::string_view const model = trimmed(*reply);
        if (!is_one_list(model) || contains_error(model)) return answer::Sat{{}, no_answer(*reply, "(get-model)")};
        return answer::Sat{std::string(model)};
    }
    Answer unsat(Produce produce, Clock::time_point deadline) {
        if (!produce.core) return answer::Unsat{};
        auto const reply = ask("(get-unsat-core)", deadline);
        if (!reply) return answer::Unsat{{}, lack(reply.error())};
        auto core = symbols(trimmed(*reply));
        if (!core) return answer::Unsat{{}, no_answer(*reply, "(get-unsat-core)")};
        return answer::Unsat{std::move(*core)};
    }
    Answer unknown(Clock::time_point deadline) {
        auto const reply = ask("(get-info :reason-unknown)", deadline);
        if (!reply) return reply.error();
        std::string_view reason = trimmed(*reply);
        if (!is_one_list(reason) || contains_error(reason)) return no_answer(*reply, "(get-info :reason-unknown)");
        reason = reason.substr(1, reason.size() - 2);
        if (constexpr std::string_view key = ":reason-unknown"; reason.starts_with(key))
            reason = trimmed(reason.substr(key.size()));
        if (reason.size() >= 2 && reason.front() == '"') reason = reason.substr(1, reason.size() - 2);
        return answer::Unknown{std::string(reason)};
    }

    SolverLimits const& limits_; // the Solver's
    ChildProcess child_;
    std::string name_;
    std::size_t asked_ = 0;
};

// ---- Commands ----

Expected<SolverCommand, std::string> solver_command(std::string_view name_or_command) {
    SolverCommand command;
    bool in_word = false;
    char open = '\0';
    for (char const c : name_or_command) {
        if (open != '\0') {
            if (c == open)
                open = '\0';
            else
                command.arguments.back() += c;
            continue;
        }
        bool const blank = blanks.find(c) != std::string_view::npos;
        if (!blank && !in_word) command.arguments.emplace_back();
        in_word = !blank;
        if (c == '\'' || c == '"')
            open = c;
        else if (!blank)
            command.arguments.back() += c;
    }
    if (open != '\0') return Unexpected{fmt::format("the quote {} is not closed", open)};
    if (command.arguments.empty()) return Unexpected{std::string("a command without words")};
    std::string const& binary = command.arguments.front();
    command.name = binary.substr(binary.rfind('/') + 1);
    if (command.name == "z3") command.between = Between::push_pop;
    if (command.name == "cvc4") command.between = Between::restart; // its (reset) keeps the names of assertions
    if (command.arguments.size() > 1) return command;
    auto& arguments = command.arguments;
    if (command.name == "z3") arguments.insert(arguments.end(), {"-in", "-smt2"});
    if (command.name == "cvc5" || command.name == "cvc4")
        arguments.insert(arguments.end(), {"--lang", "smt2", "--incremental"});
    return command;
}

std::span<std::string_view const> known_solvers() {
    static constexpr std::string_view names[] = {"z3", "cvc5", "cvc4"};
    return names;
}

namespace {

/// `verdict`, and what is missing beside it.
std::string with_lack(std::string_view verdict, std::string_view part, answer::Lack const& lack,
                      SolverCommand const& solver) {
    auto const without = [&](Answer const& why) {
        return fmt::format("{}, without a {}: {}", verdict, part, to_string(why, solver));
    };
    return std::visit(overloaded{
                          [&](std::monostate) { return std::string(verdict); },
                          [&](answer::Timeout const& a) { return without(a); },
                          [&](answer::Crashed const& a) { return without(a); },
                      },
                      lack);
}

} // namespace

std::string to_string(Answer const& answer, SolverCommand const& solver) {
    return std::visit(
        overloaded{
            [&](answer::Sat const& a) -> std::string { return with_lack("sat", "model", a.no_model, solver); },
            [&](answer::Unsat const& a) -> std::string { return with_lack("unsat", "core", a.no_core, solver); },
            [](answer::Unknown const& a) -> std::string {
                if (a.reason.empty()) return "unknown";
                return a.reason.front() == '(' ? "unknown " + a.reason : fmt::format("unknown ({})", a.reason);
            },
            [](answer::Timeout const& a) -> std::string { return fmt::format("timeout after {} ms", a.limit.count()); },
            [&](answer::Crashed const& a) -> std::string { return fmt::format("{} failed: {}", solver.name, a.how); },
            [](answer::Missing const& a) -> std::string { return "cannot start " + a.what; },
        },
        answer);
}

std::optional<bool> is_sat(Answer const& answer) {
    using Verdict = std::optional<bool>;
    return std::visit(overloaded{
                          [](answer::Sat const&) -> Verdict { return true; },
                          [](answer::Unsat const&) -> Verdict { return false; },
                          [](answer::Unknown const&) -> Verdict { return {}; },
                          [](answer::Timeout const&) -> Verdict { return {}; },
                          [](answer::Crashed const&) -> Verdict { return {}; },
                          [](answer::Missing const&) -> Verdict { return {}; },
                      },
                      answer);
}

Answer needing_model(Answer answer) {
    auto* const sat = std::get_if<answer::Sat>(&answer);
    if (sat == nullptr) return answer;
    return std::visit(overloaded{
                          [&](std::monostate) { return std::move(answer); },
                          [](answer::Timeout const& a) { return Answer(a); },
                          [](answer::Crashed const& a) { return Answer(a); },
                      },
                      answer::Lack(sat->no_model));
}

// ---- The conversation ----

namespace {

/// What an answer says about the process that gave it.
enum class ProcessState { usable, busy, broken };

ProcessState process_after(Answer const& answer) {
    using enum ProcessState;
    auto const after = overloaded{
        [](std::monostate) { return usable; },
        [](answer::Timeout const&) { return busy; },
        [](answer::Crashed const&) { return broken; },
    };
    return std::visit(overloaded{
                          [&](answer::Sat const& a) { return std::visit(after, a.no_model); },
                          [&](answer::Unsat const& a) { return std::visit(after, a.no_core); },
                          [](answer::Unknown const&) { return usable; }, [](answer::Timeout const&) { return busy; },
                          [](answer::Crashed const&) { return broken; },
                          [](answer::Missing const&) { return usable; }, // there is none to give up
                      },
                      answer);
}

} // namespace

Solver::Solver(SolverCommand command, SolverLimits limits) : command_(std::move(command)), limits_(limits) {}

Solver::~Solver() = default;

Answer Solver::check(std::string_view problem, Produce produce) {
    auto deadline = Clock::time_point::max();
    // Ignore a limit that the clock cannot represent.
    if (limits_.time && *limits_.time < std::chrono::hours(24 * 365 * 100))
        deadline = Clock::now() + std::max(*limits_.time, std::chrono::milliseconds(0));
    if (process_ && !process_->is_idle()) process_.reset();
    bool const reused = process_ != nullptr;
    std::string bare;
    if (problem.find(":status") != std::string_view::npos) problem = bare = without_status(problem);
    Answer answer = attempt(problem, produce, deadline);
    // Earlier problems may be to blame.
    if (reused && process_after(answer) == ProcessState::broken) {
        Answer again = attempt(problem, produce, deadline);
        if (is_sat(again) || !is_sat(answer)) answer = std::move(again); // a verdict without its model beats none
    }
    return answer;
}

Answer Solver::attempt(std::string_view problem, Produce produce, Clock::time_point deadline) {
    Head const h = head(problem);
    // On the first line of the problem, so that line numbers in error messages are the problem's.
    std::string const preamble =
        fmt::format("(set-option :print-success false)(set-option :produce-models {})", produce.model);
    std::string const options = preamble + h.options;
    bool const in_scope =
        command_.between == Between::scopes ||
        (command_.between == Between::push_pop && problem.size() <= small && h.logic.starts_with("(set-logic QF_LIA"));

    if (process_ && process_->options != options) process_.reset();
    std::string text;
    if (process_ && in_scope && process_->pushed_logic == h.logic) {
        text += "(pop 1)(push 1)" + h.infos;
    } else {
        if (process_) {
            text += "(reset)";
        } else {
            process_ = std::make_unique<Process>(limits_);
            if (std::string const trouble = process_->start(command_); !trouble.empty()) {
                process_.reset();
                std::string const binary = command_.arguments.empty() ? "" : command_.arguments.front();
                return answer::Missing{fmt::format("{}: {}", printable(binary, quoted), trouble)};
            }
            process_->options = options;
        }
        text += preamble;
        text += h.text;
        if (in_scope) text += "(push 1)";
        process_->pushed_logic = in_scope ? h.logic : "";
    }
    text += problem.substr(h.text.size());
    text += "\n(check-sat)";

    Answer answer = process_->check_sat(std::move(text), produce, deadline);
    if (command_.between == Between::restart || process_after(answer) != ProcessState::usable) process_.reset();
    return answer;
}

} // namespace matchpoint::solve
