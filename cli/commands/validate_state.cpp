#include "cli/commands/validate_state.hpp"

#include "solve/solver.hpp"

namespace matchpoint::cli {

namespace {

Json json_of(Counts const& c) {
    Json trouble = Json::object();
    for (std::size_t t = 1; t < trouble_count; ++t)
        if (c.trouble[t] > 0) trouble[std::string(to_string(static_cast<NoAnswer>(t)))] = c.trouble[t];
    return {{"cases", c.cases},         {"agrees", c.agrees}, {"unsound", c.wrong[0]}, {"incomplete", c.wrong[1]},
            {"unsettled", c.unsettled}, {"known", c.known},   {"failing", c.failing},  {"trouble", trouble}};
}

Counts counts_of(Json const& j) {
    Counts c;
    c.cases = j.at("cases"), c.agrees = j.at("agrees"), c.wrong = {j.at("unsound"), j.at("incomplete")};
    c.unsettled = j.at("unsettled"), c.known = j.at("known"), c.failing = j.at("failing");
    for (std::size_t t = 1; t < trouble_count; ++t)
        c.trouble[t] = j.at("trouble").value(std::string(to_string(static_cast<NoAnswer>(t))), std::uint64_t{0});
    return c;
}

Json json_of(Changes const& changes) {
    Json result = Json::array();
    for (ChangeInfo const& i : validate::changes())
        if (has(changes, i.change))
            result.push_back({{"rule", to_string(i.rule)},
                              {"direction", i.direction == Direction::stronger ? "too much" : "missing"},
                              {"change", i.name},
                              {"errata", i.errata}});
    return result;
}

Changes changes_of(Json const& j) {
    Changes changes;
    for (Json const& c : j)
        for (ChangeInfo const& i : validate::changes())
            if (to_string(i.rule) == c.at("rule").get<std::string>() && i.name == c.at("change").get<std::string>())
                changes |= only(i.change);
    return changes;
}

Json json_of(Explanation const& e) {
    return {{"changes", json_of(e.here)}, {"beside", json_of(e.changes & ~e.here)}, {"agrees", e.agrees}, {"of", e.of}};
}

Json json_of(Answered const& a) {
    return {{"program", a.program}, {"buffering", to_string(a.buffering)}, {"sat", a.sat}};
}

Answered answered_of(Json const& j) {
    return {j.at("program"), j.at("buffering") == "zero" ? Buffering::zero : Buffering::infinite, j.at("sat")};
}

Json json_of(Apart const& a) {
    Json result = json_of(static_cast<Answered const&>(a));
    result["predicted_by"] = a.first ? "first" : "next";
    return result;
}

Json json_of(OnlyAnswer const& always) { return {{"sat", always.sat}, {"programs", always.programs}}; }

Json json_of(Found const& f) {
    Json why = Json::array(), apart = Json::array();
    for (Explanation const& e : f.reason.why) why.push_back(json_of(e));
    for (Apart const& a : f.reason.apart) apart.push_back(json_of(a));
    return {{"kind", to_string(f.kind)},
            {"buffering", to_string(f.buffering)},
            {"origin", f.origin},
            {"smallest", f.smallest},
            {"shape", f.shape},
            {"like_it", f.like_it},
            {"explained", is_explained(f.reason)},
            {"always", f.reason.always ? json_of(*f.reason.always) : Json()},
            {"cut_short", f.reason.is_cut_short},
            {"why", why},
            {"apart", apart}};
}

Found found_of(Json const& f) {
    Found found{.kind = f.at("kind") == "unsound" ? Kind::unsound : Kind::incomplete,
                .buffering = f.at("buffering") == "zero" ? Buffering::zero : Buffering::infinite,
                .origin = f.at("origin")};
    found.smallest = f.at("smallest"), found.shape = f.at("shape"), found.like_it = f.at("like_it");
    for (Json const& e : f.at("why")) {
        Changes const here = changes_of(e.at("changes"));
        found.reason.why.push_back({here | changes_of(e.at("beside")), here, e.at("agrees"), e.at("of")});
    }
    if (Json const& always = f.at("always"); !always.is_null())
        found.reason.always = {always.at("sat"), always.at("programs")};
    found.reason.is_cut_short = f.at("cut_short");
    for (Json const& a : f.at("apart")) found.reason.apart.push_back({answered_of(a), a.at("predicted_by") == "first"});
    return found;
}

validate::Result result_of(Json const& j) {
    validate::Result r;
    r.programs = j.at("programs");
    r.counts = {counts_of(j.at("infinite")), counts_of(j.at("zero"))};
    for (auto const& [n, count] : j.at("sizes").items()) r.sizes[std::stoul(n)] = count;
    for (auto const& [t, count] : j.at("traits").items()) r.traits[t] = count;
    for (auto const& [s, count] : j.at("sources").items()) r.sources[s] = count;
    for (Json const& t : j.at("troubles"))
        for (std::size_t k = 1; k < trouble_count; ++k)
            if (to_string(static_cast<NoAnswer>(k)) == t.at("kind").get<std::string>())
                r.troubles.push_back({static_cast<NoAnswer>(k), t.at("what")});
    r.unreadable = j.at("unreadable").get<std::vector<std::string>>();
    r.seconds = j.at("seconds");
    for (Json const& f : j.at("findings")) r.found.push_back(found_of(f));
    for (Json const& a : j.at("asked")) r.asked.push_back(answered_of(a));
    return r;
}

} // namespace

Json identity_of(ValidateOptions const& options, CampaignOptions const& campaign) {
    Json bufferings = Json::array();
    for (Buffering const b : campaign.bufferings) bufferings.push_back(to_string(b));
    Json identity = {{"encoder", campaign.subject.command},
                     {"buffering", bufferings},
                     {"runs", to_string(campaign.subject.question.runs)},
                     {"traces", campaign.of_trace},
                     {"level", campaign.level},
                     {"cases", campaign.random},
                     {"seed", campaign.seed},
                     {"corpus", campaign.corpus},
                     {"shard", campaign.shard},
                     {"shards", campaign.shards},
                     {"solver", options.solver.value_or("z3")}};
    if (campaign.rules) identity["rules"] = true;
    if (campaign.mpi) identity["mpi"] = true;
    if (campaign.shared) identity["shared"] = true;
    if (campaign.hybrid) identity["hybrid"] = true;
    if (campaign.subject.question.model) identity["model"] = to_string(*campaign.subject.question.model);
    if (campaign.subject.question.switches) identity["switches"] = *campaign.subject.question.switches;
    return identity;
}

Json json_of(validate::Result const& r) {
    Json found = Json::array();
    for (Found const& f : r.found) found.push_back(json_of(f));
    Json sizes = Json::object(), traits = Json::object(), sources = Json::object(), troubles = Json::array();
    for (auto const& [n, count] : r.sizes) sizes[std::to_string(n)] = count;
    for (auto const& [t, count] : r.traits) traits[t] = count;
    for (auto const& [s, count] : r.sources) sources[s] = count;
    for (auto const& t : r.troubles) troubles.push_back({{"kind", to_string(t.kind)}, {"what", t.what}});
    return {{"programs", r.programs},
            {"of", r.all},
            {"complete", r.complete},
            {"infinite", json_of(r.counts[0])},
            {"zero", json_of(r.counts[1])},
            {"sources", sources},
            {"sizes", sizes},
            {"traits", traits},
            {"troubles", troubles},
            {"unreadable", r.unreadable},
            {"disagreement", r.disagreement},
            {"findings", found},
            {"seconds", r.seconds}};
}

std::string state_text(Json const& identity, validate::Result const& r) {
    Json result = json_of(r);
    Json& asked = result["asked"] = Json::array();
    for (Answered const& a : r.asked) asked.push_back(json_of(a));
    return dump(Json{{"identity", identity}, {"result", std::move(result)}});
}

std::optional<validate::Result> state_of(std::string_view text, Json const& identity) {
    Json const state = Json::parse(text, nullptr, false);
    if (!state.is_object() || state.value("identity", Json()) != identity || !state.contains("result"))
        return std::nullopt;
    try {
        return result_of(state.at("result"));
    } catch (Json::exception const&) {
        return std::nullopt;
    }
}

} // namespace matchpoint::cli
