#include "cli/commands/rma_kept_flushes.hpp"

#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "rma/programs/edit.hpp"

namespace matchpoint::cli {

namespace {

constexpr std::string_view no_flush = "none";

std::string place_of_flush(Source const& source, rma::Program const& program, rma::StatementIndex flush) {
    auto const at = source.line_column(program.statements[flush].open);
    return fmt::format("{}:{}", at.line, at.column);
}

} // namespace

void KeptFlushes::declare(Command& command) {
    command.flag("--everywhere", everywhere, "Run it with a flush after every remote statement instead of its own");
    command.text("--flushes", "PLACES", places,
                 "Run it with these of its flushes only: their lines and columns, as in 8:32,9:52, or `none`. "
                 "`rma flushes` prints such commands");
}

bool KeptFlushes::apply(RmaInput& input, Terminal& terminal) const {
    if (everywhere) input.program = rma::with_a_flush_behind_every_remote(input.program);
    if (places.empty()) return true;
    auto const flushes = rma::flushes_of(input.program);
    std::set<std::size_t> kept;
    for (std::string const& place : places == no_flush ? std::vector<std::string>() : parts_of_list(places)) {
        std::size_t number = 0;
        while (number < flushes.size() && place_of_flush(input.source, input.program, flushes[number]) != place)
            ++number;
        if (number == flushes.size()) {
            complain(
                terminal,
                fmt::format("--flushes: no flush is at `{}`; expected `none`{}", printable(place),
                            flushes.empty() ? "" : " or some of " + places_of(input.source, input.program, flushes)),
                ErrorKind::usage);
            return false;
        }
        kept.insert(number);
    }
    input.program = rma::with_flushes(input.program, [&](std::size_t i) { return kept.contains(i); });
    return true;
}

std::string KeptFlushes::text() const {
    return fmt::format("{}{}", everywhere ? " --everywhere" : "", places.empty() ? "" : " --flushes " + places);
}

std::string places_of(Source const& source, rma::Program const& program,
                      std::vector<rma::StatementIndex> const& flushes) {
    std::string list;
    for (rma::StatementIndex const flush : flushes) append_item(list, place_of_flush(source, program, flush), ",");
    return list.empty() ? std::string(no_flush) : list;
}

} // namespace matchpoint::cli
