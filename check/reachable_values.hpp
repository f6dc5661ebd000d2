// Which values receives and integer expressions can have in complete runs, where these are few.
//
// A receive has the values of what it may get, an operation those of its operands' values. Where values go round in a
// circle of possible matches that would never end; but in a run what a message is made of was received before it was sent,
// so nothing comes twice on the way to a value, and as many rounds as the circle has sends, or receives, find all of them.
#pragma once

#include <optional>
#include <vector>

#include "matching/data_flow.hpp"
#include "matching/match_pairs.hpp"

namespace matchpoint::check {

class ReachableValues {
public:
    /// Both have to outlive it. `budget`: of what is looked at; when it is used up, no more is known.
    ReachableValues(DataFlow const& flow, MatchPairs const& pairs, std::size_t budget = 10'000'000);

    /// Each once, in no order. None: too many, or not known.
    std::vector<Value> const* of_receive(std::uint32_t receive) const;
    /// Of a resolved node of integers.
    std::vector<Value> const* of(std::uint32_t node);

private:
    struct Set {
        bool is_known = true;
        std::vector<Value> values;
    };
    struct Circle {
        std::vector<std::uint32_t> sends;
        std::size_t receives = 0;
    };
    static constexpr std::size_t most = 300;           // of one receive
    static constexpr std::size_t most_combined = 3000; // of one operation
    static constexpr std::size_t most_pairs = 100'000; // of operands' values

    bool add(Set& set, Value const& v);
    bool add(Set& set, Set const& other);
    Set const& evaluate(std::uint32_t node);
    void combine(std::uint32_t node, Set& result);
    std::vector<Circle> in_order() const;
    void iterate();

    DataFlow const& flow_;
    MatchPairs const& pairs_;
    std::size_t budget_;
    std::vector<Set> received_;
    std::vector<Set> of_;                 // node
    std::vector<std::uint32_t> computed_; // node -> in which round
    std::uint32_t round_ = 1;
};

} // namespace matchpoint::check
