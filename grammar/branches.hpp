// Which parts of an expression are evaluated only under a condition: the operands that an `ite` chooses from.
//
//   Branches const branches(ctp, e);
//   for (Branch const& b : branches.around(node)) ...   // from the outermost to the innermost
#pragma once

#include <algorithm>
#include <vector>

#include "grammar/fold.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::grammar {

/// An operand that is evaluated if the condition with this root is `holds`.
struct Branch {
    std::uint32_t condition;
    bool holds;
    Op op;                // of the choice
    std::uint32_t around; // the branch that the choice is in, as an index; none
};

class Branches {
public:
    /// Linear in the size of the expression.
    template <typename Tree>
    Branches(Tree const& tree, Expression e) : first_(e.first), branch_of_(e.size, none) {
        for (std::uint32_t n = e.root() + 1; n-- > e.first;) {
            Node const node = tree.nodes[n];
            if (node.kind != Node::Kind::operation) continue;
            auto const operands = operand_roots(tree, n);
            for (std::uint32_t const operand : operands) branch_of_[operand - first_] = branch_of_[n - first_];
            if (!is_choice(node.op)) continue;
            for (bool const holds : {true, false}) {
                branch_of_[operands[Choice::operand(holds)] - first_] = static_cast<std::uint32_t>(all_.size());
                all_.push_back({operands.front(), holds, node.op, branch_of_[n - first_]});
            }
        }
    }

    /// Whether a node of the expression is in a branch.
    bool has(std::uint32_t node) const { return branch_of_[node - first_] != none; }
    /// The branches that a node is in, from the outermost to the innermost.
    std::vector<Branch> around(std::uint32_t node) const {
        std::vector<Branch> result;
        for (std::uint32_t b = branch_of_[node - first_]; b != none; b = all_[b].around) result.push_back(all_[b]);
        std::reverse(result.begin(), result.end());
        return result;
    }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    std::uint32_t first_;
    std::vector<std::uint32_t> branch_of_; // node -> the innermost branch
    std::vector<Branch> all_;
};

} // namespace matchpoint::grammar
