#include "record/recorded_end.hpp"

#include "base/source.hpp"
#include "machine/machine.hpp"
#include "record/provenance.hpp"

namespace matchpoint::record {

bool RecordedEnd::begins(Matching const& run) const {
    if (is_complete) return false;
    bool some = false;
    for (std::uint32_t r = 0; r < matches.size(); ++r) {
        if (matches[r] == unmatched) continue;
        if (matches[r] != run[r]) return false;
        some = true;
    }
    return some;
}

std::optional<RecordedEnd> recorded_end(MessageIndex const& messages, std::string_view text) {
    IndexedProgram const& code = messages.code();
    std::size_t const traces = code.program().traces.size();
    if (traces == 0 || code.shares()) return std::nullopt;
    TraceEnding const end = trace_endings(text, traces).front();
    if (end.failed.empty() && end.ended.empty()) return std::nullopt;
    Machine machine(code, end.buffering_if(std::nullopt));
    if (machine::run(machine, 0, end.extent()).s != Status::success) return std::nullopt;
    bool const has_failed = !end.failed.empty();
    RecordedEnd result{has_failed ? printable(end.failed, 4096) : end.why_ended(), has_failed, Matching(messages),
                       machine.state().finished()};
    for (auto const& [a_r, a_s] : match_set(code, machine.state()))
        result.matches[messages.receive_number(a_r)] = messages.send_number(a_s);
    return result;
}

} // namespace matchpoint::record
