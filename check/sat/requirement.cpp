#include "check/sat/requirement.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include "grammar/operators.hpp"

namespace matchpoint::check {

namespace {

class Conjuncts {
public:
    Conjuncts(DataFlow const& flow, std::span<Requirement const> requirements, std::vector<Requirement>& atoms)
        : flow_(flow), work_(requirements.rbegin(), requirements.rend()), atoms_(atoms) {}

    bool run() {
        while (!work_.empty()) {
            spend(4);
            Requirement const r = work_.back();
            work_.pop_back();
            std::uint32_t const node = flow_.resolve(r.node);
            if (!seen_.insert(key(node, r.value)).second) continue;
            if (seen_.contains(key(node, !r.value)) || !take_apart(node, r.value)) return false;
        }
        return true;
    }

private:
    static std::uint64_t key(std::uint32_t node, bool value) { return 2 * std::uint64_t{node} + (value ? 1 : 0); }

    /// False: it cannot hold.
    bool take_apart(std::uint32_t node, bool value) {
        if (!flow_.is_boolean(node)) return value; // an assumption or an assertion that is no boolean is not false
        switch (Node const& at = flow_.ctp().nodes[node]; at.kind) {
        case Node::Kind::value: return flow_.ctp().values[at.payload].is_true() == value;
        case Node::Kind::variable: return take_apart_received(node, value);
        case Node::Kind::operation: take_apart_operation(node, at.op, value); break;
        }
        return true;
    }

    bool take_apart_received(std::uint32_t node, bool value) {
        MessageIndex const& m = flow_.messages();
        std::uint32_t const r = flow_.definition(node).index;
        auto const& receive = m.receives()[r];
        auto const send = m.only_send(r);
        if (send) work_.push_back({flow_.payload(*send), value});
        if (!send && m.channels_to(receive.beta).size() <= 1) return false; // it gets nothing
        atoms_.push_back({node, value});
        return true;
    }

    void take_apart_operation(std::uint32_t node, Op op, bool value) {
        auto const* const connective = std::get_if<Connective>(&row(op).meaning);
        auto const only = connective != nullptr ? connective->only_row(value) : std::nullopt;
        if (!only) return atoms_.push_back({node, value});
        auto const operands = flow_.operands(node);
        for (std::size_t k = operands.size(); k-- > 0;) work_.push_back({operands[k], Connective::operand(*only, k)});
    }

    DataFlow const& flow_;
    std::vector<Requirement> work_;
    std::vector<Requirement>& atoms_;
    boost::unordered_flat_set<std::uint64_t> seen_;
};

} // namespace

bool conjuncts(DataFlow const& flow, std::span<Requirement const> requirements, std::vector<Requirement>& atoms) {
    return Conjuncts(flow, requirements, atoms).run();
}

} // namespace matchpoint::check
