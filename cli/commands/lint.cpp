#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "grammar/discipline.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

namespace {

Diagnostics faults_of(Source const& source, bool strict) {
    auto program = parse(source);
    if (!program) return std::move(program).error();
    return check_discipline(*program, &source, strict ? Severity::error : Severity::warning);
}

} // namespace

ExitCode lint_command(LintOptions const& options, Terminal& terminal) {
    auto const source = read_source(options.file);
    if (!source) {
        complain(terminal, source.error());
        return bad_input;
    }
    Diagnostics const faults = faults_of(*source, options.strict);
    if (options.format == Format::json) {
        Json json;
        json["schema"] = {{"name", "matchpoint.lint"}, {"version", 1}};
        json["file"] = source->name();
        json["sha256"] = sha256(source->text());
        json["diagnostics"] = to_json(faults, *source);
        terminal.out(dump(json));
    } else {
        terminal.out(render(faults, *source, {terminal.out_has_color()}));
    }
    return has_error(faults) ? refused(faults) : holds;
}

} // namespace matchpoint::cli
