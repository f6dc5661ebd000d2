#include "cli/output.hpp"

#include "cli/cli.hpp"
#include "cli/sha256.hpp"

namespace matchpoint::cli {

bool is_file(std::string const& output) { return !output.empty() && output != "-"; }

ExitCode write_output(std::string const& output, std::string_view text, Terminal& terminal) {
    return write_output(
        output, [&](Write const& write) { write(text); }, terminal);
}

ExitCode write_output(std::string const& output, std::function<void(Write const&)> const& contents,
                      Terminal& terminal) {
    if (!is_file(output)) {
        contents([&](std::string_view text) { terminal.out(text); });
        return holds;
    }
    FileError const failed = replace_file(output, contents);
    if (!failed.empty()) complain(terminal, failed, ErrorKind::file);
    return failed.empty() ? holds : output_failed;
}

ExitCode check_output(std::string const& output, Terminal& terminal) {
    if (!is_file(output)) return holds;
    FileError const failed = can_be_replaced(output);
    if (!failed.empty()) complain(terminal, failed, ErrorKind::file);
    return failed.empty() ? holds : output_failed;
}

ExitCode replace_or_complain(std::string const& path, std::string_view text, Terminal& terminal) {
    FileError const failed = replace_file(path, text);
    if (!failed.empty()) complain(terminal, failed, ErrorKind::file);
    return failed.empty() ? holds : output_failed;
}

Json report_of(std::string_view command) {
    Json json;
    json["schema"] = {{"name", "matchpoint." + std::string(command)}, {"version", 1}};
    return json;
}

Json report_of(std::string_view command, Source const& source) {
    Json json = report_of(command);
    json["file"] = source.name();
    json["sha256"] = sha256(source.text());
    return json;
}

} // namespace matchpoint::cli
