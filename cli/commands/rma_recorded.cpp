#include "cli/commands/rma_recorded.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

Evaluated::Evaluated(RmaInput const& input) : input_(input) {
    if (!provenance_of(input.source.text()).is_recorded()) return;
    rma::Program const& p = input.program;
    for (rma::StatementIndex i = 0; i < p.statements.size(); ++i) {
        auto const* const assertion = std::get_if<rma::Assert>(&p.statements[i].c);
        if (assertion == nullptr) continue;
        Node const& root = p.nodes[assertion->e.root()];
        bool const is_true = root.kind == Node::Kind::value && p.values[root.payload].is_true();
        if (is_true)
            found_.push_back(i);
        else
            ++others_;
    }
}

bool Evaluated::decides(rma::CheckResult const& result) const {
    return result.verdict == rma::Verdict::safe && has_any();
}

std::vector<std::string> Evaluated::lines() const {
    constexpr std::size_t most = 5;
    std::vector<std::string> places;
    for (rma::StatementIndex const i : found_) {
        std::string there = place(input_.program.statements[i]);
        if (std::find(places.begin(), places.end(), there) == places.end()) places.push_back(std::move(there));
    }
    std::size_t const hidden = places.size() - std::min(most, places.size());
    places.resize(places.size() - hidden);
    bool const is_one = found_.size() == 1;
    std::vector<std::string> lines{
        fmt::format("{} evaluated in the recorded run, {}: {}{}",
                    is_one ? "1 assertion was" : fmt::format("{} assertions were", found_.size()),
                    provenance_of(input_.source.text()).failed ? "which failed" : "and true there",
                    fmt::join(places, ", "), hidden > 0 ? fmt::format(" and {} more", hidden) : "")};
    if (others_ > 0) lines.push_back(fmt::format("{} cannot fail", plural(others_, "other assertion")));
    lines.push_back(fmt::format("whether {} can be false in another run is not known", is_one ? "it" : "they"));
    return lines;
}

Json Evaluated::json() const {
    Json all = Json::array();
    for (rma::StatementIndex const i : found_) {
        Json& one = all.emplace_back(statement_to_json(input_.program, input_.source, i));
        one["place"] = place(input_.program.statements[i]);
    }
    return all;
}

std::string Evaluated::place(rma::Statement const& s) const {
    if (std::string place = recorded_place(input_.source, s); !place.empty()) return place;
    auto const at = input_.source.line_column(s.open);
    return fmt::format("{}:{}", printable(input_.source.name(), 4096), at.line);
}

std::string call_path(Source const& source, rma::Program const& program, rma::StatementIndex i) {
    rma::Process const& process = program.processes[program.process_of(i)];
    // A call can become several statements, the first of which has its place. The recorder sees a store at the next
    // call.
    bool const is_store = std::holds_alternative<rma::Store>(program.statements[i].c);
    for (auto k = i; k >= process.first && k < process.last; k += is_store ? 1U : -1U)
        if (std::string place = recorded_place(source, program.statements[k]); !place.empty()) return place;
    return {};
}

std::string call_place(Source const& source, rma::Program const& program, rma::StatementIndex i) {
    std::string const place = call_path(source, program, i);
    return place.substr(place.rfind('/') + 1);
}

std::string recorded_place(Source const& source, rma::Statement const& s) {
    if (s.close == no_offset) return {};
    std::string_view rest = source.text().substr(s.close + 1);
    rest = rest.substr(0, rest.find('\n'));
    constexpr std::string_view mark = " ; ";
    return rest.starts_with(mark) ? printable(rest.substr(mark.size()), 4096) : std::string();
}

} // namespace matchpoint::cli
