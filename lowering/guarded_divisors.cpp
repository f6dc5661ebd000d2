#include "lowering/guarded_divisors.hpp"

#include <vector>

#include "base/limits.hpp"
#include "grammar/add_nodes.hpp"
#include "grammar/branches.hpp"
#include "machine/indexed_program.hpp"

namespace matchpoint::lowering {

namespace {

class Guarding {
public:
    Guarding(Ctp& ctp, Expression e) : ctp_(ctp), e_(e), branches_(ctp, e), new_first_(e.size), new_root_(e.size) {
        std::vector<std::uint32_t> division_of(e.size, none); // by the divisor's first node, and by its root
        for (std::uint32_t n = e.first; n <= e.root(); ++n) {
            if (!divisor_may_be_zero(ctp, n) || !branches_.has(n)) continue;
            std::uint32_t const divisor = operand_roots(ctp, n).back();
            division_of[expression_at(ctp, divisor).first - e.first] = division_of[divisor - e.first] = n;
        }
        division_of_ = std::move(division_of);
    }

    std::optional<Expression> run() {
        std::uint32_t const begin = node_count(ctp_);
        std::vector<std::uint32_t> guards; // of divisors that are not complete: where they begin
        for (std::uint32_t n = e_.first; n <= e_.root(); ++n) {
            std::uint32_t const division = division_of_[n - e_.first];
            std::uint32_t const divisor = division == none ? none : operand_roots(ctp_, division).back();
            if (divisor != none && n == expression_at(ctp_, divisor).first) {
                guards.push_back(node_count(ctp_));
                add_path(division);
            }
            add(n);
            if (n == divisor) {
                add_value(ctp_, Value::integer(1));
                add_operation(ctp_, branches_.around(division).back().op, guards.back());
                guards.pop_back();
            }
            new_root_[n - e_.first] = node_count(ctp_) - 1;
            if (node_count(ctp_) - begin > most_nodes) return std::nullopt;
        }
        return expression_since(ctp_, begin);
    }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFF;
    static constexpr std::uint32_t most_nodes = 1'000'000; // as docs/lowering.md has it

    void add(std::uint32_t n) {
        new_first_[n - e_.first] = node_count(ctp_);
        Node const node = ctp_.nodes[n];
        if (node.kind == Node::Kind::operation)
            add_operation(ctp_, node.op, new_first_[expression_at(ctp_, n).first - e_.first]);
        else
            ctp_.nodes.push_back(node);
    }

    /// All conditions of the branches around a division.
    void add_path(std::uint32_t division) {
        std::uint32_t const begin = node_count(ctp_);
        bool is_first = true;
        for (Branch const& b : branches_.around(division)) {
            Expression const condition = expression_at(ctp_, new_root_[b.condition - e_.first]);
            spend(condition.size);
            std::uint32_t const first = node_count(ctp_);
            for (std::uint32_t n = condition.first; n <= condition.root(); ++n)
                ctp_.nodes.push_back(Node(ctp_.nodes[n]));
            if (!b.holds) add_operation(ctp_, Op::not_, first);
            if (!is_first) add_operation(ctp_, Op::and_, begin);
            is_first = false;
        }
    }

    Ctp& ctp_;
    Expression e_;
    Branches branches_;
    std::vector<std::uint32_t> division_of_;
    std::vector<std::uint32_t> new_first_; // node -> where its copy begins, of a leaf
    std::vector<std::uint32_t> new_root_;  // node -> the root of its copy
};

} // namespace

std::optional<Expression> with_guarded_divisors(Ctp& ctp, Expression e) {
    return has_conditional_divisor(ctp, e) ? Guarding(ctp, e).run() : e;
}

} // namespace matchpoint::lowering
