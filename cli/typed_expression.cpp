#include "cli/typed_expression.hpp"

#include <fmt/format.h>

#include "cli/suggestion.hpp"
#include "grammar/parse.hpp"
#include "machine/machine_step.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

namespace {
constexpr std::string_view target = "value!of!the!expression";
} // namespace

TypedExpression::TypedExpression(std::string const& text, IndexedProgram const& code)
    : source_("", "(([0 (" + std::string(target) + " := " + text + ")]))"), program_(parsed(text)), code_(program_) {
    auto const& names = program_.symbols.variables;
    for (std::uint32_t x = 0; x < names.size(); ++x) {
        if (names[x] == target) {
            result_ = x;
            continue;
        }
        auto const there = code.names().variables.find(names[x]);
        if (!there)
            throw Refused(fmt::format("there is no variable `{}`{}", printable(names[x]),
                                      maybe(names[x], code.names().variables)));
        variables_.emplace_back(x, *there);
    }
}

Expected<Value, std::string> TypedExpression::evaluated(State const& of) const {
    State state(code_);
    for (auto const& [x, there] : variables_) state.h[x] = of.h[there];
    Workspace workspace;
    Step const step = machine_step(state, code_, Buffering::infinite, {Location{0}, {}}, Observers(), workspace);
    if (step.is_stuck()) return Unexpected{explain(code_, state, step.why().reason)};
    return state.h[result_];
}

std::string TypedExpression::value(State const& of) const {
    auto const result = evaluated(of);
    return result ? shown(*result) : "no value: " + result.error();
}

bool TypedExpression::gives_integer() const {
    Node const& root = program_.ctp.nodes[expression_of(program_.ctp.commands.front().c)->root()];
    switch (root.kind) {
    case Node::Kind::value: return program_.ctp.values[root.payload].is_integer();
    case Node::Kind::variable: return false;
    case Node::Kind::operation: break;
    }
    return !gives_boolean(root.op);
}

Program TypedExpression::parsed(std::string const& text) const {
    auto program = parse(source_);
    if (!program)
        throw Refused(fmt::format("`{}` is no expression: {}", printable(text), program.error().front().message));
    if (program->ctp.commands.size() != 1 || !program->traces.empty())
        throw Refused(fmt::format("`{}` is no expression", printable(text)));
    return std::move(*program);
}

} // namespace matchpoint::cli
