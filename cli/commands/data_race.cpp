#include "cli/commands/data_race.hpp"

#include <fmt/format.h>

#include "explain/words.hpp"
#include "grammar/synchronisation.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

namespace {

/// A guarded assignment, as which atomic operations are written.
bool is_one_step(IndexedProgram const& code, Location rho) {
    Guarded const* const guarded = as_guarded(code.command_at(rho));
    return guarded != nullptr && !code.ctp().assigned(*guarded).empty();
}

} // namespace

std::vector<std::string> race_sentences(IndexedProgram const& code, Race const& race) {
    std::vector<std::string> result;
    for (Location const rho : {race.first, race.second})
        result.push_back(fmt::format("thread {} is about to execute {} {}", code.thread_of(rho),
                                     explain::shown(code, rho), explain::shown(code, code.command_at(rho))));
    result.push_back(fmt::format("both access {}, and nothing orders them", explain::shown(code, race.x)));
    if (auto const reset = grammar::reset_of_count(code.ctp(), race.x)) {
        std::string_view const l = code.names()(race.x);
        result.push_back(fmt::format("{} is no lock: {} {} does not give back one, as ({} := (+ {} 1)) does",
                                     explain::shown(code, race.x), explain::shown(code, *reset),
                                     explain::shown(code, code.command_at(*reset)), l, l));
    }
    if (is_one_step(code, race.first) && is_one_step(code, race.second))
        result.emplace_back(
            "if both are atomic in the program, as a fetch-and-add or a compare-and-swap is, this is not a data race");
    return result;
}

Json json_of_race(IndexedProgram const& code, Race const& race) {
    bool const is_there = race.answer == Reached::Answer::yes;
    Json json;
    json["answer"] = check::to_string(race.answer);
    json["variable"] = is_there ? Json(code.names()(race.x)) : Json(nullptr);
    Json& commands = json["commands"] = Json::array();
    if (is_there)
        for (Location const rho : {race.first, race.second}) commands.push_back(code.names()(rho));
    json["trace"] = is_there ? Json(shown_trace(code, race.schedule)) : Json(nullptr);
    return json;
}

} // namespace matchpoint::cli
