#include "cli/rma_repl/expression.hpp"

#include <fmt/format.h>

#include "cli/typed_expression.hpp"
#include "rma/language/parse.hpp"
#include "rma/machine/evaluate.hpp"

namespace matchpoint::cli {

RmaExpression::RmaExpression(std::string const& text, Source const& source, rma::Program const& program) : text_(text) {
    refuse_unclosed(text);
    // A property is of sort Bool, so it is a comparison of the expression with itself.
    std::string const before = std::string(source.text().substr(0, program.close)) + "(invariant (= ";
    std::string const with = before + text + "\n" + text + "\n))" + std::string(source.text().substr(program.close));
    Source const file("", with);
    auto parsed = rma::parse_rma(file);
    if (!parsed) {
        Diagnostic const& d = parsed.error().front();
        bool const is_inside = d.offset >= before.size() && d.offset < before.size() + 2 * (text.size() + 1);
        std::string const why = is_inside ? d.message : "it is not complete";
        throw Refused(fmt::format("`{}` is not an expression: {}", printable(text), why));
    }
    program_ = std::make_shared<rma::Program const>(std::move(*parsed));
    graph_ = std::make_shared<rma::Graph const>(*program_);
    Expression const whole = program_->properties.back().e;
    e_ = {whole.first, (whole.size - 1) / 2}; // the left side
}

std::optional<Value> RmaExpression::evaluated(rma::State const& state) const {
    return rma::evaluate(*graph_, state, e_);
}

std::string RmaExpression::value(rma::State const& state) const {
    auto const v = evaluated(state);
    return v ? v->to_string() : "no value: it divides by zero";
}

bool RmaExpression::holds(rma::State const& state) const {
    auto const v = evaluated(state);
    return v && v->is_true();
}

} // namespace matchpoint::cli
