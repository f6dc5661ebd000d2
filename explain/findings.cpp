#include "explain/findings.hpp"

#include <algorithm>

#include "base/overloaded.hpp"
#include "explain/events.hpp"

namespace matchpoint::explain {

void Findings::on(State const& state, Event const& event) {
    std::visit(
        overloaded{
            [&](event::EntryTaken const& e) { at_ = e; },
            [&](event::AssertCommand const& e) {
                if (e.v.is_false() && assertion_count_++ < limit_)
                    assertions_.push_back(finding(state, Finding::Kind::assertion, e.e));
            },
            [&](event::AssumeCommand const& e) {
                if (e.v.is_false() && assumption_count_++ < limit_)
                    assumptions_.push_back(finding(state, Finding::Kind::assumption, e.e));
            },
            [&](event::GuardedAssignment const& e) {
                if (e.v.is_false() && assumption_count_++ < limit_)
                    assumptions_.push_back(finding(state, Finding::Kind::assumption, e.guard));
            },
            [](ExpressionEvent auto const&) {},
            [](MessageEvent auto const&) {},
            [](OneOf<event::AssignCommand, event::MachineStep, event::MovementsTakenBack, event::StuckAt> auto const&) {
            },
        },
        event);
}

Finding Findings::finding(State const& state, Finding::Kind kind, Expression e) const {
    return {kind, at_.entry, at_.rho, e, bindings(*code_, state, e, limit_)};
}

std::vector<Finding::Binding> bindings(IndexedProgram const& code, State const& state, Expression e,
                                       std::size_t limit) {
    std::vector<Finding::Binding> values;
    for (Node const& node : std::span(code.ctp().nodes).subspan(e.first, e.size)) {
        if (node.kind != Node::Kind::variable) continue;
        Variable const x{node.payload};
        bool const seen =
            std::any_of(values.begin(), values.end(), [&](Finding::Binding const& b) { return b.x == x; });
        if (seen) continue;
        if (values.size() == limit) break;
        values.push_back({x, state.h[x.index]});
    }
    return values;
}

} // namespace matchpoint::explain
