// The values that receives and integer expressions can have in complete runs, where these are few.
//
// A receive has the values of the sends that it may get; an operation has the results over the values of its operands.
// If values go round a cycle of possible matches, this need not terminate. But in a run, a message is computed from
// what was received before it was sent, so no send occurs twice on the way to a value. As many rounds as the cycle has
// sends, or receives, find all values.
#pragma once

#include <optional>
#include <vector>

#include "matching/data_flow.hpp"
#include "matching/match_pairs.hpp"
#include "matching/strong_components.hpp"

namespace matchpoint::check {

class ReachableValues {
public:
    /// Both have to outlive it. The budget is for the values looked at. When it is used up, no receive is known.
    ReachableValues(DataFlow const& flow, MatchPairs const& pairs, std::size_t budget = 10'000'000);

    /// Each value once, in no order. Null if there are too many, or they are not known.
    std::vector<Value> const* of_receive(std::uint32_t receive) const;
    /// The same for a resolved integer node.
    std::vector<Value> const* of(std::uint32_t node);

private:
    struct Set {
        bool is_known = true;
        std::vector<Value> values;
    };
    /// Sends whose values depend on each other, or a single send.
    struct Component {
        std::vector<std::uint32_t> sends;
        std::size_t receives = 0;
    };
    static constexpr std::size_t most = 300;             // values of a receive
    static constexpr std::size_t most_combined = 3000;   // values of an operation
    static constexpr std::size_t most_choices = 100'000; // of values of its operands

    bool add(Set& set, Value const& v);
    bool add(Set& set, Set const& other);
    Set const& evaluate(std::uint32_t node);
    void combine(std::uint32_t node, Set& result);
    Graph flow_of_computed_sends() const;
    bool is_computed(std::uint32_t send) const;
    std::vector<Component> components() const;
    void iterate();

    DataFlow const& flow_;
    MatchPairs const& pairs_;
    std::size_t budget_;
    std::vector<Set> received_;
    std::vector<Set> of_;                 // node
    std::vector<std::uint32_t> computed_; // node -> the round in which of_ was computed
    std::uint32_t round_ = 1;
};

} // namespace matchpoint::check
