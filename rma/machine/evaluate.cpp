#include "rma/machine/evaluate.hpp"

namespace matchpoint::rma {

std::optional<Value> evaluate(Graph const& graph, State const& state, Expression e) {
    return evaluate_nodes(graph.program(), e, [&](Variable x) {
        VariableInfo const& info = graph.program()[x];
        if (info.kind != VariableInfo::Kind::place) return state.M[x.index];
        return Value::boolean(graph.stands_before(state.pc[info.process], info.at));
    });
}

} // namespace matchpoint::rma
