#include <matchpoint/recording.hpp>

#include "api/impl.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"

namespace matchpoint::api {

std::optional<Recording> recording_of(Program const& program) {
    record::Provenance const from = record::provenance_of(program.impl().source.text());
    if (!from.is_recorded()) return std::nullopt;
    return Recording{std::string(*from.command),
                     std::string(from.thread),
                     from.failed ? std::optional<std::string>(*from.failed) : std::nullopt,
                     from.said ? std::optional<std::string>(*from.said) : std::nullopt,
                     from.ended ? std::optional<std::string>(*from.ended) : std::nullopt,
                     from.deadlocked,
                     from.concrete_values};
}

std::string in_source(Program const& program, Match const& match) {
    IndexedProgram const& code = program.impl().code;
    record::Provenance const from = record::provenance_of(program.impl().source.text());
    explain::ToldByPlaces const told(code, from.thread, from.is_recorded());
    return explain::shown_match(code, receive_of(code, match.receive), send_of(code, match.send));
}

} // namespace matchpoint::api
