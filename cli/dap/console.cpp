#include "cli/dap/console.hpp"

#include "cli/utf16.hpp"

namespace matchpoint::cli {

namespace {

bool begins_with(std::string const& text, std::string_view with) { return text.substr(0, with.size()) == with; }

} // namespace

bool is_expression(std::string const& line, IndexedProgram const& code) {
    if (line.empty()) return false;
    for (std::string_view const queue : {"(", "Q_s(", "Pnd_s(", "Pnd_r("})
        if (begins_with(line, queue)) return true;
    if (line == "true" || line == "false") return true;
    if (line.find_first_not_of("0123456789", line[0] == '-' || line[0] == '+' ? 1 : 0) == std::string::npos)
        return true;
    return code.names().variables.find(line).has_value();
}

void must_be_for_console(std::string const& line) {
    std::string const word = line.substr(0, line.find_first_of(" \t/")); // print/x
    if (line.empty() || line[0] == '#') return;
    Repl::Command const& command = Repl::find(word);
    if (command.group == "Stopping")
        throw Refused(fmt::format("`{}`: set breakpoints in the editor, the console has none", command.name));
    for (std::string_view const name : {"continue", "run", "reverse-continue"})
        if (command.name == name)
            throw Refused(fmt::format("`{}`: use the editor's button, which minds its breakpoints", name));
    if (command.name == "source")
        throw Refused(
            "`source`: the console runs single commands, as a script could have any of those that it refuses");
    if (command.name == "reload") throw Refused("`reload`: use the editor's Restart");
    if (command.name == "quit") throw Refused("`quit`: use the editor's Stop");
}

Incoming completions(Repl const& repl, std::string const& line, std::size_t first_column) {
    LineCompletion const completion = repl.completions(line);
    std::size_t const units = utf16_units(std::string_view(line).substr(0, completion.start));
    std::size_t const length = utf16_units(std::string_view(line).substr(completion.start));
    Incoming targets = Incoming::array();
    for (std::string const& word : completion.words)
        targets.push_back({{"label", word}, {"start", units + first_column}, {"length", length}});
    return targets;
}

std::string beginning(std::string const& text, std::size_t units) {
    std::size_t at = 0;
    for (std::size_t n = 0; at < text.size(); ++at) {
        n += utf16_units(text[at]);
        if (n > units) break;
    }
    return text.substr(0, at);
}

} // namespace matchpoint::cli
