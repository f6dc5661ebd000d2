#include "solve/solver.hpp"

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "grammar/overloaded.hpp"
#include "grammar/source.hpp"
#include "smt_machine/smtlib.hpp"
#include "solve/child_process.hpp"

namespace matchpoint::solve {

namespace {

using Clock = std::chrono::steady_clock;
using Between = SolverCommand::Between;

/// How much of anything a message quotes, in characters.
constexpr std::size_t quoted = 200;

/// z3 spends more than a millisecond on the first declaration after a (reset), and 0.2 ms on a whole small problem in a
/// new scope. But in a scope it solves without its preprocessing; on problems that are larger than this, in bytes, that
/// costs more.
constexpr std::size_t small = 4096;

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
    std::size_t const begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string quote(std::string_view text) {
    text = trimmed(text);
    std::string line(text.substr(0, 4 * (quoted + 1))); // not more than is shown
    std::replace(line.begin(), line.end(), '\n', ' ');
    return printable(line, quoted);
}

// ---- S-expressions ----

bool is_one_list(std::string_view text) {
    return !text.empty() && text.front() == '(' && end_of_expression(text, 0) == text.size();
}

/// (error in a well-formed s-expression, but not within its symbols and strings.
bool has_error(std::string_view text) {
    constexpr std::string_view error = "error";
    for (std::size_t at = 0; (at = text.find_first_of("(|\"", at)) != std::string_view::npos; ++at) {
        if (text[at] != '(') {
            at = text.find(text[at], at + 1);
            if (at == std::string_view::npos) return false;
        } else if (std::string_view const rest = text.substr(at + 1); rest.starts_with(error)) {
            if (rest.size() == error.size() || ends_symbol.find(rest[error.size()]) != std::string_view::npos)
                return true;
        }
    }
    return false;
}

/// The symbols of a list of symbols.
std::optional<std::vector<std::string>> symbols(std::string_view list) {
    if (!is_one_list(list)) return {};
    list = list.substr(1, list.size() - 2);
    std::vector<std::string> result;
    while (!(list = trimmed(list)).empty()) {
        std::size_t const end = end_of_expression(list, 0);
        if (end == std::string_view::npos) return {};
        std::string_view symbol = list.substr(0, end);
        if (symbol.front() == '(' || symbol.front() == '"' || symbol.front() == ';') return {};
        if (symbol.front() == '|') symbol = symbol.substr(1, symbol.size() - 2);
        result.emplace_back(symbol);
        list.remove_prefix(end);
    }
    return result;
}

/// What a problem begins with.
struct Head {
    std::string options;    // set-option ...
    std::string_view logic; // (set-logic ...)
    std::string infos;      // set-info ...
    std::string_view text;  // all of it, as it stands
};

Head head(std::string_view problem) {
    Head h;
    std::size_t at = 0;
    while (h.logic.empty()) {
        std::size_t const end = end_of_expression(problem, at);
        if (end == std::string_view::npos) break;
        std::string_view command = problem.substr(at, end - at);
        // Comments before it are no part of it.
        while (command = trimmed(command), command.starts_with(';'))
            command.remove_prefix(std::min(command.find('\n'), command.size()));
        if (command.starts_with("(set-option"))
            h.options += command;
        else if (command.starts_with("(set-info"))
            h.infos += command;
        else if (command.starts_with("(set-logic"))
            h.logic = command;
        else
            break;
        at = end;
    }
    h.text = problem.substr(0, at);
    return h;
}

} // namespace

/// The process, and what it was told that it keeps.
class Solver::Process {
public:
    Process() {
        std::random_device random;
        name_ = fmt::format("matchpoint-{:08x}{:08x}", random(), random());
    }

    std::string start(SolverCommand const& command, SolverLimits const& limits) {
        return child_.start(command.arguments, limits.memory, limits.output);
    }
    ChildProcess::Reply ask(std::string text, Clock::time_point deadline) {
        std::string const mark = fmt::format("{}-{}", name_, ++asked_);
        text += fmt::format("\n(echo \"{}\")\n", mark);
        return child_.ask(std::move(text), mark, deadline);
    }
    bool is_idle() { return child_.is_idle(); }
    std::string const& messages() const { return child_.messages(); }
    std::string status() const { return child_.status(); }

    std::string options;      // that it was given, they outlive (reset) in z3
    std::string pushed_logic; // of the problem in its only scope; empty if it has none

private:
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

std::string to_string(Answer const& answer, SolverCommand const& solver) {
    return std::visit(
        overloaded{
            [](answer::Sat const&) -> std::string { return "sat"; },
            [](answer::Unsat const&) -> std::string { return "unsat"; },
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

// ---- The conversation ----

Solver::Solver(SolverCommand command, SolverLimits limits) : command_(std::move(command)), limits_(limits) {}

Solver::~Solver() = default;

Answer Solver::check(std::string_view problem, Wanted wanted) {
    auto deadline = Clock::time_point::max();
    // A limit that the clock cannot represent is none.
    if (limits_.time && *limits_.time < std::chrono::hours(24 * 365 * 100))
        deadline = Clock::now() + std::max(*limits_.time, std::chrono::milliseconds(0));
    if (process_ && !process_->is_idle()) process_.reset();
    bool const kept = process_ != nullptr;
    Answer answer = attempt(problem, wanted, deadline);
    if (kept && std::holds_alternative<answer::Crashed>(answer)) answer = attempt(problem, wanted, deadline);
    return answer;
}

Answer Solver::attempt(std::string_view problem, Wanted wanted, Clock::time_point deadline) {
    Head const h = head(problem);
    // On the first line of the problem, so that the lines of error messages are the problem's.
    std::string const preamble =
        fmt::format("(set-option :print-success false)(set-option :produce-models {})", wanted.model);
    std::string const options = preamble + h.options;
    bool const in_scope =
        command_.between == Between::scopes ||
        (command_.between == Between::push_pop && problem.size() <= small && h.logic.starts_with("(set-logic QF_LIA"));

    if (process_ && process_->options != options) process_.reset();
    std::string text;
    // z3 keeps the status of the problem before.
    if (process_) text = "(set-info :status unknown)";
    if (process_ && in_scope && process_->pushed_logic == h.logic) {
        text += "(pop 1)(push 1)" + h.infos;
    } else {
        if (process_) {
            text += "(reset)";
        } else {
            process_ = std::make_unique<Process>();
            if (std::string const trouble = process_->start(command_, limits_); !trouble.empty()) {
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

    Answer answer = converse(std::move(text), wanted, deadline);
    if (command_.between == Between::restart || std::holds_alternative<answer::Crashed>(answer) ||
        std::holds_alternative<answer::Timeout>(answer))
        process_.reset();
    return answer;
}

Answer Solver::converse(std::string text, Wanted wanted, Clock::time_point deadline) {
    using End = ChildProcess::Reply::End;
    ChildProcess::Reply reply;
    auto const with_messages = [&](std::string how) {
        if (!trimmed(process_->messages()).empty())
            how += fmt::format("; its standard error: {}", quote(process_->messages()));
        return answer::Crashed{std::move(how)};
    };
    /// Why the reply to a question is of no use.
    auto const failed = [&]() -> std::optional<Answer> {
        std::string const printed = trimmed(reply.text).empty() ? "" : " after printing " + quote(reply.text);
        switch (reply.end) {
        case End::answered:
            if (process_->messages().find("(error") != std::string::npos) break;
            return {};
        case End::ended: return with_messages(process_->status() + printed);
        case End::too_long: return with_messages(fmt::format("printed more than {} bytes{}", limits_.output, printed));
        case End::late: return answer::Timeout{limits_.time.value()};
        }
        return with_messages("reported an error");
    };
    auto const no_answer = [&](std::string_view question) {
        if (trimmed(reply.text).empty()) return with_messages(fmt::format("gave no answer to {}", question));
        return with_messages(fmt::format("answered {} to {}", quote(reply.text), question));
    };

    reply = process_->ask(std::move(text), deadline);
    if (auto trouble = failed()) return *trouble;
    std::string const verdict(trimmed(reply.text));

    if (verdict == "sat") {
        answer::Sat sat;
        if (wanted.model) {
            reply = process_->ask("(get-model)", deadline);
            if (auto trouble = failed()) return *trouble;
            sat.model = trimmed(reply.text);
            if (!is_one_list(sat.model) || has_error(sat.model)) return no_answer("(get-model)");
        }
        return sat;
    }
    if (verdict == "unsat") {
        answer::Unsat unsat;
        if (wanted.core) {
            reply = process_->ask("(get-unsat-core)", deadline);
            if (auto trouble = failed()) return *trouble;
            auto core = symbols(trimmed(reply.text));
            if (!core) return no_answer("(get-unsat-core)");
            unsat.core = std::move(*core);
        }
        return unsat;
    }
    if (verdict == "unknown") {
        reply = process_->ask("(get-info :reason-unknown)", deadline);
        if (auto trouble = failed()) return *trouble;
        std::string_view reason = trimmed(reply.text);
        if (!is_one_list(reason) || has_error(reason)) return no_answer("(get-info :reason-unknown)");
        reason = reason.substr(1, reason.size() - 2);
        if (constexpr std::string_view key = ":reason-unknown"; reason.starts_with(key))
            reason = trimmed(reason.substr(key.size()));
        if (reason.size() >= 2 && reason.front() == '"') reason = reason.substr(1, reason.size() - 2);
        return answer::Unknown{std::string(reason)};
    }
    return no_answer("(check-sat)");
}

} // namespace matchpoint::solve
