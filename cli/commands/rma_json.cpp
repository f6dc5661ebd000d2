#include "cli/commands/rma_json.hpp"

#include "rma/language/print.hpp"
#include "rma/machine/replay.hpp"
#include "rma/machine/schedule.hpp"

namespace matchpoint::cli {

Json to_json(rma::Program const& program, std::vector<Value> const& M) {
    Json json = Json::object();
    for (Variable const x : program.declared) json[std::string(program.symbols(x))] = report::to_json(M[x.index]);
    return json;
}

Json pending_to_json(rma::Graph const& graph, rma::State const& state) {
    Json json = Json::array();
    for (rma::RemoteIndex s = 0; s < graph.remotes().size(); ++s) {
        if (std::uint32_t const count = state.reads(s))
            json.push_back(
                {{"statement", rma::name_of(graph, s)}, {"half", "read"}, {"value", nullptr}, {"count", count}});
        for (rma::PendingWrites const& w : state.W)
            if (w.s == s)
                json.push_back({{"statement", rma::name_of(graph, s)},
                                {"half", "write"},
                                {"value", report::to_json(w.val)},
                                {"count", w.count}});
    }
    for (auto const& queue : state.A)
        for (rma::RemoteIndex const s : queue)
            json.push_back(
                {{"statement", rma::name_of(graph, s)}, {"half", "atomic"}, {"value", nullptr}, {"count", 1}});
    return json;
}

Json statement_to_json(rma::Program const& program, Source const& source, rma::StatementIndex i) {
    auto const [line, column] = source.line_column(program.statements[i].open);
    return {{"line", line}, {"column", column}, {"statement", rma::print(program, i)}};
}

void add_run(Json& json, rma::Machine const& machine, std::span<rma::Transition const> run) {
    json["memory"] = to_json(machine.program(), rma::replay(machine, run).state.M);
    json["run"] = rma::print_schedule(machine, run);
    json["steps"] = run.size();
}

} // namespace matchpoint::cli
