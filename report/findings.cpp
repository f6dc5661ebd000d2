#include "report/findings.hpp"

#include <algorithm>

namespace matchpoint::report {

void Findings::on(State const& state, Event const& event) {
    if (auto const* const taken = std::get_if<event::EntryTaken>(&event)) {
        at_ = *taken;
    } else if (auto const* const asserted = std::get_if<event::AssertCommand>(&event)) {
        if (!asserted->v.is_false()) return;
        if (assertion_count_++ < limit_) assertions_.push_back(finding(state, Finding::Kind::assertion, asserted->e));
    } else if (auto const* const assumed = std::get_if<event::AssumeCommand>(&event)) {
        if (!assumed->v.is_false()) return;
        if (assumption_count_++ < limit_) assumptions_.push_back(finding(state, Finding::Kind::assumption, assumed->e));
    }
}

Finding Findings::finding(State const& state, Finding::Kind kind, Expression e) const {
    Finding result{kind, at_.entry, at_.rho, e, {}};
    for (Node const& node : std::span(code_->ctp().nodes).subspan(e.first, e.size)) {
        if (node.kind != Node::Kind::variable) continue;
        Variable const x{node.payload};
        bool const seen = std::any_of(result.values.begin(), result.values.end(),
                                      [&](Finding::Binding const& b) { return b.x == x; });
        if (seen) continue;
        if (result.values.size() == limit_) break;
        result.values.push_back({x, state.h[x.index]});
    }
    return result;
}

} // namespace matchpoint::report
