// Expressions as sums of shared variables, each as some command reads it:
//
//   (t := x)  (assert (<= (+ t y) 3))      the sum  x at the first command + y at the second one - 3, and it is <= 0
//
// Locals are replaced by what they were assigned. `true` is 1 and `false` is 0.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "grammar/operators.hpp"
#include "matching/message_index.hpp"

namespace matchpoint::counting {

/// constant + the sum of factor * x, where x is read by a command. Its numbers are below 2^40.
struct Sum {
    struct Part {
        std::uint32_t at; // command
        Variable x;
        std::int64_t factor; // not 0
        auto operator<=>(Part const&) const = default;
    };
    std::int64_t constant = 0;
    std::vector<Part> parts = {}; // ascending, a variable once at each command
};

/// A sum compared with 0.
struct Comparison {
    Sum sum;
    Relation relation;
};

/// What is known of a condition: it holds, it does not hold, or neither is known.
using Known = std::optional<bool>;

class Sums {
public:
    /// The messages have to outlive it. Linear in the size of the program, times the number of parts of a sum.
    explicit Sums(MessageIndex const& messages);

    bool is_shared(Variable x) const { return x.index < is_shared_.size() && is_shared_[x.index]; }
    /// The expression of a command; none if it is not a sum, or has large numbers or many parts.
    std::optional<Sum> of(std::uint32_t command, Expression e) const;
    /// The conjuncts of a condition; none for a conjunct that compares no sums.
    std::vector<std::optional<Comparison>> conjuncts(std::uint32_t command, Expression e) const;
    /// What is known of a condition, by what is known of its comparisons.
    Known evaluate(std::uint32_t command, Expression e, std::function<Known(Comparison const&)> const& known) const;

private:
    void add_thread(Thread const& thread, MessageIndex const& messages,
                    std::vector<std::vector<std::uint32_t>> const& completed);

    Ctp const& ctp_;
    std::vector<bool> is_shared_;            // by variable
    std::vector<std::uint32_t> local_;       // node that is a local -> its number in values_
    std::vector<std::optional<Sum>> values_; // what was assigned to locals
};

} // namespace matchpoint::counting
