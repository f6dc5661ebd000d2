#include "cli/program_input.hpp"

#include "cli/files.hpp"
#include "grammar/discipline.hpp"

namespace matchpoint::cli {

std::variant<std::unique_ptr<Prepared>, ExitCode> read_prepared(std::string const& file, Terminal& terminal) {
    auto source = read_source(file);
    if (!source) {
        complain(terminal, source.error());
        return bad_input;
    }
    auto program = parse(*source);
    if (!program) {
        show(terminal, program.error(), *source);
        return refused(program.error());
    }
    if (Diagnostics const faults = check_discipline(*program, &*source, Severity::error); !faults.empty()) {
        show(terminal, faults, *source);
        return refused(faults);
    }
    return std::make_unique<Prepared>(std::move(*source), std::move(*program));
}

} // namespace matchpoint::cli
