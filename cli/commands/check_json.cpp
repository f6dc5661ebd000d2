// The JSON of `check` (docs/formats.md).
#include "cli/commands/check_report.hpp"
#include "cli/commands/data_race.hpp"
#include "cli/output.hpp"
#include "cli/sha256.hpp"
#include "explain/blocked.hpp"
#include "explain/matching_words.hpp"
#include "explain/reads_from.hpp"
#include "explain/words.hpp"

namespace matchpoint::cli {

Json CheckReport::json() const {
    Json json;
    json["file"] = name_;
    json["sha256"] = s_ == nullptr ? Json(nullptr) : Json(sha256(s_->source.text()));
    json["buffering"] = shown_buffering_;
    json["runs"] = executions::to_string(runs_);
    if (model_) json["model"] = {{"name", to_string(model_->model)}, {"trace", model_->trace}};
    json["verdict"] = check::shown_verdict(r_.verdict, scope_);
    json["assertions"] = scope_.assertions;
    if (!scope_.evaluated.empty()) {
        Json& evaluated = json["evaluated"] = Json::array();
        for (Location const rho : scope_.evaluated)
            evaluated.push_back({{"location", s_->code.names()(rho)}, {"place", shown_place(s_->code, rho)}});
    }
    if (is_beside_the_run() && end_.empty())
        json["recorded_run_deadlocked"] = true;
    else if (is_beside_the_run())
        json[has_failed_ ? "recorded_run_failed" : "recorded_run_ended"] = why_;
    if (!verify_.empty()) {
        auto const receives = [&](std::vector<Location> const& locations) {
            Json names = Json::array();
            for (Location const rho : locations)
                names.push_back(s_->code.names()(as_rcvi(s_->code.command_at(rho))->a));
            return names;
        };
        json["received_values"] = {{"followed", receives(scope_.followed)},
                                   {"not_followed", receives(scope_.not_followed)}};
    }
    json["engine"] = r_.engine.empty() ? Json(nullptr) : Json(r_.engine);
    json["run"] = complete(r_.run);
    json["run_that_succeeds"] = r_.verdict == Verdict::violated ? complete(r_.safe) : Json(nullptr);
    if (r_.switches) json["context_switches"] = {{"least", r_.switches->least}, {"most", r_.switches->most}};
    if (r_.windows) {
        auto const& [events, all, looked_at, whole, switches] = *r_.windows;
        json["windows"] = {{"events", events},
                           {"all", all},
                           {"looked_at", looked_at},
                           {"whole", whole},
                           {"switches", switches ? Json(*switches) : Json(nullptr)}};
    }
    if (r_.lifted_at) json["bound_lifted_at"] = *r_.lifted_at;
    json["deadlock"] = reached(r_.deadlock);
    json["fault"] = reached(r_.fault);
    if (pairs_) json["given_pairs"] = *pairs_;
    if (!is_about_a_part()) json["leaves_path"] = reached(r_.leaves_path);
    if (r_.race) json["data_race"] = json_of_race(s_->code, *r_.race);
    if (r_.inductive) json["invariants"] = r_.inductive->conditions;
    Json& orphans = json["orphans"] = Json::array();
    for (std::uint32_t beta = 0; some_complete() && beta < s_->code.endpoints().size(); ++beta)
        if (std::uint32_t const n = orphans_at(s_->messages, {beta}); n > 0)
            orphans.push_back({{"endpoint", s_->code.names()(Endpoint{beta})}, {"messages", n}});
    Json& trouble = json["trouble"] = Json::array();
    for (Trouble const& t : r_.trouble) trouble.push_back({{"kind", label(t.kind)}, {"what", t.what}});
    json["work"] = {{"samples", r_.work.samples},
                    {"executions", r_.work.executions},
                    {"steps", r_.work.steps},
                    {"solver_calls", r_.work.solver_calls},
                    {"refinements", r_.work.refinements},
                    {"match_pairs", r_.work.match_pairs}};
    if (statistics_) {
        Json& inferences = json["inferences"] = Json::object();
        for (Inference const i : all_inferences)
            inferences[std::string(matching::to_string(i))] = r_.work.inferences[i];
    }
    return json;
}

Json CheckReport::complete(std::optional<Run> const& run) const {
    if (!run) return nullptr;
    return {{"status", machine::to_string(run->s)},
            {"completes", run->extent == Extent::complete},
            {"matches", to_json(s_->messages, run->matching)},
            {"trace", shown_trace(s_->code, run->schedule)},
            {"then", after(*run)}};
}

Json CheckReport::after(Run const& run) const {
    Json result = Json::array();
    if (run.extent == Extent::complete || run.s == Status::infeasible || r_.switches) return result;
    for (Replay::Halt const& halt : replay(run).halts()) result.push_back(report::shown(s_->code, halt));
    return result;
}

Json CheckReport::reached(Reached const& r) const {
    Json json;
    json["answer"] = check::to_string(r.answer);
    json["why"] = r.answer == Reached::Answer::yes ? Json(why(r)) : Json::array();
    if (!r.why_unknown.empty()) json["why"].push_back(r.why_unknown);
    json["trace"] = r.answer == Reached::Answer::yes ? Json(shown_trace(s_->code, r.schedule)) : Json(nullptr);
    json["then_delivered"] = r.answer == Reached::Answer::yes ? Json(shown_movements(r.schedule)) : Json(nullptr);
    bool const has_several_kinds = s_->code.collectives() != nullptr || s_->code.has_ready_sends();
    if (r.fault && has_several_kinds) json["reason"] = to_string(r.fault->stuck.reason);
    if (may_refuse_ && &r == &r_.deadlock) {
        json["depends_on_library"] = r.depends_on_library();
        json["engine"] = r.answer == Reached::Answer::unknown ? Json(nullptr) : Json(r.engine);
        json["fewer_possible"] = r.is_fewer_possible;
        Json& refusing = json["refusing"] = Json::array();
        for (Action const a : r.refusing) {
            Location const rho = s_->code.issued_at(a);
            std::string_view const kind = s_->code.as_collective(a) == nullptr ? "send" : "collective";
            refusing.push_back({{kind, s_->code.names()(a)},
                                {"location", s_->code.names()(rho)},
                                {"place", shown_place(s_->code, rho)}});
        }
    }
    bool const is_deadlock = r.answer == Reached::Answer::yes && !r.fault && &r != &r_.leaves_path;
    if (!is_deadlock || !s_->code.shares()) return json;
    if (auto const found = Replay(s_->code, buffering_, r.schedule, Extent::prefix).blocked())
        add_blocked(json, s_->code, *found, reads_from(s_->code, buffering_, r.schedule),
                    [&](std::uint32_t step) { return r.schedule.entry(step).rho; });
    return json;
}

} // namespace matchpoint::cli
