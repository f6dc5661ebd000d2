#include "cli/trace_end.hpp"

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/numbers.hpp"
#include "check/confirmed.hpp"
#include "record/recording.hpp"

namespace matchpoint::cli {

namespace {

constexpr std::string_view begin_of_line = "trace ";
constexpr std::string_view before_what = " buffering: ";

bool stops_early(std::string_view what) {
    return what == trace_end::deadlock || what == trace_end::fault || what == trace_end::leaves_path ||
           what.ends_with(trace_end::so_far) || what.find(trace_end::on_path_only) != std::string_view::npos;
}

} // namespace

std::string trace_end::words(std::size_t trace, Buffering buffering, std::string_view what) {
    return fmt::format("{}{}, {}{}{}", begin_of_line, trace, machine::to_string(buffering), before_what, what);
}

std::string trace_end::line(std::size_t trace, Buffering buffering, std::string_view what) {
    return fmt::format("; {}\n", words(trace, buffering, what));
}

std::vector<TraceEnd> trace_ends(std::string_view text, std::size_t traces) {
    std::vector<TraceEnd> ends(traces);
    if (auto const failed = record::failure_of_run(text); failed && traces != 0) {
        auto const said = record::said_in_failed_run(text);
        ends[0].failed = said ? fmt::format("{}: {}", *failed, *said) : std::string(*failed);
    }
    // What other ranks would have done in a failed run is not recorded.
    if (traces != 0) ends[0].stops_early = record::has_deadlocked(text) || !ends[0].failed.empty();
    for (std::string_view const line : first_comment(text)) {
        if (!line.starts_with(begin_of_line)) continue;
        std::string_view rest = line.substr(begin_of_line.size());
        std::size_t const number = take_number<std::size_t>(rest).value_or(0);
        std::size_t const what = line.find(before_what);
        if (number < 1 || number > traces || what == std::string_view::npos) continue;
        ends[number - 1].stops_early = stops_early(line.substr(what + before_what.size()));
        for (Buffering const b : {Buffering::infinite, Buffering::zero})
            if (line.substr(0, what).ends_with(fmt::format(", {}", machine::to_string(b))))
                ends[number - 1].buffering = b;
    }
    return ends;
}

std::optional<Blocked> deadlock_behind(Machine const& machine) {
    if (machine.state().s == Status::error || machine.state().finished()) return std::nullopt;
    try {
        if (!check::is_deadlock(machine)) return std::nullopt;
    } catch (LimitReached const&) {
        return std::nullopt;
    }
    return blocked_behind_deliveries(machine.code(), machine.buffering(), machine.state());
}

} // namespace matchpoint::cli
