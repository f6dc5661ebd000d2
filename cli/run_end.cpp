#include "cli/run_end.hpp"

#include <fmt/format.h>

#include "explain/words.hpp"
#include "machine/well_formed.hpp"

namespace matchpoint::cli {

std::string complete_text(IndexedProgram const& code, State const& state, bool modified, Paint const& paint) {
    std::string_view const kind = modified                       ? "modified by hand"
                                  : well_formedness(code, state) ? "well-formed"
                                                                 : "not well-formed";
    return fmt::format("the run is complete: {} ({})", shown(state.s, paint), kind);
}

std::string blocked_text(Blocked::Kind why, Paint const& paint) {
    return fmt::format("nothing can come next: a {}", paint(Style::stuck, to_string(why)));
}

std::string open_end_text(CutShort const& cut) { return "the recording ends here; " + cut.in_words(); }

std::string stuck_text(IndexedProgram const& code, State const& state, RunError const& error) {
    return fmt::format("rule {}: {}", to_string(error.stuck.rule), in_words(code, state, error.stuck.reason));
}

} // namespace matchpoint::cli
