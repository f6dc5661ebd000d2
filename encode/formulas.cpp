#include "encode/formulas.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::encode {

namespace {

/// `neutral` is left out, and one `absorbing` formula decides.
std::string joined_formula(std::string_view op, std::vector<std::string> const& formulas, std::string_view neutral,
                           std::string_view absorbing) {
    std::string text;
    std::size_t count = 0;
    for (std::string const& f : formulas) {
        if (f == absorbing) return std::string(absorbing);
        if (f == neutral) continue;
        if (count++ > 0) text += ' ';
        text += f;
    }
    if (count == 0) return std::string(neutral);
    return count == 1 ? text : fmt::format("({} {})", op, text);
}

} // namespace

std::string conjunction(std::vector<std::string> const& formulas) {
    return joined_formula("and", formulas, truth, falsehood);
}

std::string disjunction(std::vector<std::string> const& formulas) {
    return joined_formula("or", formulas, falsehood, truth);
}

std::string negation(std::string const& formula) {
    if (formula == truth) return std::string(falsehood);
    if (formula == falsehood) return std::string(truth);
    return fmt::format("(not {})", formula);
}

std::string implication(std::string const& premise, std::string const& conclusion) {
    if (premise == truth) return conclusion;
    if (premise == falsehood || conclusion == truth) return std::string(truth);
    if (conclusion == falsehood) return negation(premise);
    return fmt::format("(=> {} {})", premise, conclusion);
}

std::vector<std::string_view> conjuncts_of(std::string_view formula) {
    constexpr std::string_view opens = "(and ";
    std::vector<std::string_view> result;
    for (std::size_t i = 0; i < formula.size();) {
        if (formula.substr(i).starts_with(opens)) {
            i += opens.size();
        } else if (formula[i] == ' ' || formula[i] == ')') {
            ++i;
        } else {
            std::size_t const begin = i;
            std::size_t depth = 0;
            for (; i < formula.size() && (depth > 0 || (formula[i] != ' ' && formula[i] != ')')); ++i)
                if (formula[i] == '(')
                    ++depth;
                else if (formula[i] == ')')
                    --depth;
            result.push_back(formula.substr(begin, i - begin));
        }
    }
    return result;
}

} // namespace matchpoint::encode
