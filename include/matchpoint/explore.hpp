// All executions of a program, on the reference machine: the ground truth.
//
//   Result<Explorer> explorer = explore(program);
//   while (auto const found = *explorer->next()) std::cout << to_string(found->end) << '\n';
//
// Two executions with the same match set differ only in the order of what is independent, and end alike. So the
// explorer shows each match set once. With shared variables, it shows one execution of each class of equivalent ones
// (docs/shared_memory.md). Their number is exponential at worst: at_most_match_sets() bounds it.
#pragma once

#include <matchpoint/execution.hpp>

namespace matchpoint::api {

enum class End : std::uint8_t {
    complete,
    deadlock,
    fault,    // a division by zero
    off_path, // of a program with shared variables: at an assumption that is false
};
std::string_view to_string(End end);

struct Explored {
    End end;
    Execution execution;
};

/// One that was moved from can be assigned to or destroyed, and nothing else.
class Explorer {
public:
    Explorer(Explorer&&) noexcept;
    Explorer& operator=(Explorer&&) noexcept;
    ~Explorer();

    /// The next execution; none if all were shown. Error `limit`: after so many more machine steps, and another call
    /// goes on from there; or because an integer became too large, and every other call returns that error again.
    Result<std::optional<Explored>> next(std::uint64_t steps = UINT64_MAX);
    bool is_done() const;

    class Impl;
    explicit Explorer(std::unique_ptr<Impl> impl);

private:
    std::unique_ptr<Impl> impl_;
};

/// Errors: `input` (breaches of the discipline).
Result<Explorer> explore(Program const& program, Buffering buffering = Buffering::infinite);

/// A bound for the number of match sets: a decimal number, or "about 10^n". Errors as explore().
Result<std::string> at_most_match_sets(Program const& program);

} // namespace matchpoint::api
