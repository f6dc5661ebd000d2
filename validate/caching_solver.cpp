#include "validate/caching_solver.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/overloaded.hpp"

namespace matchpoint::validate {

namespace {

/// For larger problems, in bytes, a scope is not faster.
constexpr std::size_t largest_in_scope = std::size_t{16} << 10U;

/// How long to wait for an answer in a scope.
constexpr std::chrono::milliseconds soon(250);

/// The size of the cache, in bytes of problems.
constexpr std::size_t most_known = std::size_t{32} << 20U;

SolverCommand in_scopes(SolverCommand command) {
    command.between = SolverCommand::Between::scopes;
    return command;
}

SolverLimits sooner(SolverLimits limits) {
    limits.time = std::min(soon, limits.time.value_or(soon));
    return limits;
}

/// Whether asking again, outside of a scope, would not help. A model or a core can come too late.
bool is_final(Answer const& answer) {
    auto const is_all = [](answer::Lack const& lack) { return std::holds_alternative<std::monostate>(lack); };
    return std::visit(overloaded{
                          [&](answer::Sat const& a) { return is_all(a.no_model); },
                          [&](answer::Unsat const& a) { return is_all(a.no_core); },
                          [](answer::Unknown const&) { return false; },
                          [](answer::Timeout const&) { return false; },
                          [](answer::Crashed const&) { return false; },
                          [](answer::Missing const&) { return true; },
                      },
                      answer);
}

} // namespace

CachingSolver::CachingSolver(SolverCommand const& command, SolverLimits const& limits)
    : linear_(in_scopes(command), sooner(limits)), nonlinear_(in_scopes(command), sooner(limits)),
      other_(in_scopes(command), sooner(limits)), thorough_(command, limits) {}

Answer CachingSolver::check(std::string_view problem, Produce produce) {
    if (command().between != SolverCommand::Between::push_pop || problem.size() > largest_in_scope)
        return thorough_.check(problem, produce);
    auto const has = [&](std::string_view text) { return problem.find(text) != std::string_view::npos; };
    Solver* const in_scope = has("(set-logic QF_LIA)")   ? &linear_
                             : has("(set-logic QF_NIA)") ? &nonlinear_
                             : has("(set-logic ")        ? &other_
                                                         : nullptr;
    if (in_scope == nullptr) return thorough_.check(problem, produce);
    Answer answer = in_scope->check(problem, produce);
    if (is_final(answer)) return answer;
    Answer again = thorough_.check(problem, produce);
    bool const is_worse = solve::is_sat(answer) && !solve::is_sat(again);
    return is_worse ? answer : again; // a verdict without its model beats none
}

std::optional<bool> CachingSolver::is_sat(std::string const& problem) {
    if (auto const it = known_.find(problem); it != known_.end()) return it->second;
    auto const sat = solve::is_sat(check(problem));
    if (!sat) return std::nullopt;
    if ((known_bytes_ += problem.size()) > most_known) {
        known_.clear();
        known_bytes_ = problem.size();
    }
    known_.emplace(problem, *sat);
    return sat;
}

} // namespace matchpoint::validate
