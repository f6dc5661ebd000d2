#include "validate/answers.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace matchpoint::validate {

namespace {

/// Problems that are larger than this, in bytes, are not solved sooner in a scope.
constexpr std::size_t largest_in_scope = std::size_t{16} << 10U;

/// What is not answered in a scope by then would not be soon.
constexpr std::chrono::milliseconds soon(250);

/// How much is kept of problems that were answered, in bytes.
constexpr std::size_t most_known = std::size_t{32} << 20U;

SolverCommand in_scopes(SolverCommand command) {
    command.between = SolverCommand::Between::scopes;
    return command;
}

SolverLimits sooner(SolverLimits limits) {
    limits.time = std::min(soon, limits.time.value_or(soon));
    return limits;
}

bool is_settled(Answer const& answer) {
    return std::holds_alternative<answer::Sat>(answer) || std::holds_alternative<answer::Unsat>(answer);
}

} // namespace

Answers::Answers(SolverCommand const& command, SolverLimits const& limits)
    : linear_(in_scopes(command), sooner(limits)), nonlinear_(in_scopes(command), sooner(limits)),
      thorough_(command, limits) {}

Answer Answers::check(std::string_view problem, Wanted wanted) {
    if (command().between == SolverCommand::Between::push_pop && problem.size() <= largest_in_scope)
        for (auto const& [logic, solver] :
             {std::pair("(set-logic QF_LIA)", &linear_), std::pair("(set-logic QF_NIA)", &nonlinear_)})
            if (problem.find(logic) != std::string_view::npos) {
                Answer answer = solver->check(problem, wanted);
                if (is_settled(answer) || std::holds_alternative<answer::Missing>(answer)) return answer;
                break;
            }
    return thorough_.check(problem, wanted);
}

std::optional<bool> Answers::is_sat(std::string const& problem) {
    if (auto const it = known_.find(problem); it != known_.end()) return it->second;
    Answer const answer = check(problem);
    if (!is_settled(answer)) return std::nullopt;
    bool const sat = std::holds_alternative<answer::Sat>(answer);
    if ((known_bytes_ += problem.size()) > most_known) {
        known_.clear();
        known_bytes_ = problem.size();
    }
    known_.emplace(problem, sat);
    return sat;
}

} // namespace matchpoint::validate
