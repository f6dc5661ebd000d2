#include "check/sat/cells.hpp"

namespace matchpoint::check {

Cells::Cells(DataFlow const& flow, bool with_fields) : flow_(flow), at_(flow.messages().code().endpoints().size()) {
    MessageIndex const& m = flow.messages();
    receive_.resize(m.receives().size());
    table_.resize(m.receives().size());
    for (std::uint32_t r = 0; r < receive_.size(); ++r) {
        receive_[r] = r;
        table_[r] = m.receives()[r].beta.index;
    }
    for (std::uint32_t beta = 0; beta < at_.size(); ++beta) add_table({beta}, {});
    if (!with_fields) return;
    fields_.emplace(flow);
    for (std::uint32_t beta = 0; beta < at_.size(); ++beta)
        for (std::uint32_t level = 0; level < fields_->count({beta}); ++level) add_table({beta}, level);
}

void Cells::add_table(Endpoint beta, std::optional<std::uint32_t> level) {
    auto const number = static_cast<std::uint32_t>(tables_.size());
    at_[beta.index].push_back(number);
    Table& table = tables_.emplace_back(Table{beta, level, {}});
    for (std::uint32_t const r : flow_.messages().receives_at(beta)) {
        spend();
        table.cells.push_back(level ? static_cast<std::uint32_t>(receive_.size()) : r);
        if (!level) continue;
        receive_.push_back(r);
        table_.push_back(number);
    }
}

std::optional<std::uint32_t> Cells::of(std::uint32_t node) const {
    if (flow_.ctp().nodes[node].kind == Node::Kind::variable) return flow_.definition(node).index;
    if (!fields_) return std::nullopt;
    auto const field = fields_->of(node);
    if (!field) return std::nullopt;
    auto const& receive = flow_.messages().receives()[field->receive];
    return tables_[at_[receive.beta.index][1 + field->level]].cells[receive.ordinal];
}

std::optional<std::int64_t> Cells::constant(std::uint32_t table, std::uint32_t send) const {
    if (tables_[table].level) return fields_->constant(send, *tables_[table].level);
    auto const& v = flow_.constant(send);
    if (!v) return std::nullopt;
    return v->is_boolean() ? std::optional<std::int64_t>(v->is_true()) : v->small();
}

} // namespace matchpoint::check
