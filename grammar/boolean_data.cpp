#include "grammar/boolean_data.hpp"

#include <algorithm>

#include "base/overloaded.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"

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
        bool found = false;
        auto const operation = [&](Op op, std::span<Kind> of, std::uint32_t) {
            for (std::size_t k = 0; k < of.size(); ++k)
                found =
                    found || of[k] == (operand_sort(op, k) == OperandSort::boolean ? Kind::variable : Kind::boolean);
            return result_sort(op, Kind::integer, Kind::boolean, of.back());
        };
        Kind const whole = fold<Kind>(ctp_, e,
                                      Algebra{[](Value const&) { return Kind::integer; },
                                              [](Variable, std::uint32_t) { return Kind::variable; }, operation});
        return found || whole == telling;
    }

    Ctp const& ctp_;
};

} // namespace

bool has_boolean_data(Ctp const& ctp) { return BooleanData(ctp).is_possible(); }

} // namespace matchpoint::grammar
