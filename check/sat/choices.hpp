// All choices of one value for each operand of an operation.
#pragma once

#include <span>

#include "grammar/fold.hpp"

namespace matchpoint::check {

/// Calls f(chosen, values) for every choice: the index of each operand's value, and the values. The last operand
/// changes first.
template <typename F>
void for_each_choice(PerOperand<std::span<Value const>> const& choices, F const& f) {
    PerOperand<std::size_t> chosen(choices.size(), 0);
    PerOperand<Value> values;
    for (auto const& of_operand : choices) {
        if (of_operand.empty()) return;
        values.push_back(of_operand.front());
    }
    for (std::size_t k = choices.size(); true;) {
        f(chosen, std::span<Value const>(values.data(), values.size()));
        for (k = choices.size(); k > 0 && ++chosen[k - 1] == choices[k - 1].size(); --k) chosen[k - 1] = 0;
        if (k == 0) return;
        for (std::size_t i = k - 1; i < choices.size(); ++i) values[i] = choices[i][chosen[i]];
    }
}

} // namespace matchpoint::check
