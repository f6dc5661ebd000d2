// SARIF 2.1.0 of findings in runs of real programs: what the files of `mpi` and `threads` share.
#pragma once

#include <string>
#include <string_view>

#include "cli/exit_code.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

Json sarif_message(std::string_view text);

/// A rule, whose help names a page.
Json sarif_rule(std::string_view id, std::string_view brief, bool is_error, std::string_view page);

/// A place in a source file, and who was there: "rank 2". Both may be empty, and the line 0.
Json sarif_location(std::string_view file, std::uint32_t line, std::string_view who);

/// The whole document.
Json sarif_of(Json rules, Json results, ExitCode code);

} // namespace matchpoint::cli
