#include "grammar/boolean_data.hpp"

#include <algorithm>

#include "base/overloaded.hpp"

namespace matchpoint::grammar {

namespace {

class BooleanData {
public:
    explicit BooleanData(Ctp const& ctp) : ctp_(ctp) {}

    bool is_possible() {
        return !ctp_.shared.empty() ||
               std::any_of(ctp_.values.begin(), ctp_.values.end(), [](Value const& v) { return v.is_boolean(); }) ||
               std::any_of(ctp_.commands.begin(), ctp_.commands.end(),
                           [&](LocatedCommand const& located) { return is_in(located.c); });
    }

private:
    enum class Kind : std::uint8_t { integer, variable, boolean };

    bool is_in(Command const& c) {
        return std::visit(overloaded{
                              [&](Assume const& assume) { return is_in(assume.e, Kind::variable); },
                              [&](Assert const& assertion) { return is_in(assertion.e, Kind::variable); },
                              [&](Assign const& assign) { return is_in(assign.e, Kind::boolean); },
                              [&](Sndi const& sndi) { return is_in(sndi.e, Kind::boolean); },
                              [](Guarded const&) { return true; }, // it may be
                              [](auto const&) { return false; },
                          },
                          c);
    }

    /// Whether it is inside an expression, or the expression is of the kind that means so.
    bool is_in(Expression e, Kind telling) {
        stack_.clear();
        for (std::uint32_t i = 0; i < e.size; ++i) {
            Node const node = ctp_.nodes[e.first + i];
            if (node.kind != Node::Kind::operation) {
                stack_.push_back(node.kind == Node::Kind::variable ? Kind::variable : Kind::integer);
                continue;
            }
            auto const first = stack_.end() - static_cast<std::ptrdiff_t>(arity(node.op));
            bool const is_boolean = operands(node.op) == Operands::booleans;
            if (std::find(first, stack_.end(), is_boolean ? Kind::variable : Kind::boolean) != stack_.end())
                return true;
            stack_.erase(first, stack_.end());
            stack_.push_back(gives_boolean(node.op) ? Kind::boolean : Kind::integer);
        }
        return stack_.back() == telling;
    }

    Ctp const& ctp_;
    std::vector<Kind> stack_;
};

} // namespace

bool has_boolean_data(Ctp const& ctp) { return BooleanData(ctp).is_possible(); }

} // namespace matchpoint::grammar
