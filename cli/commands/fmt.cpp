#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "grammar/print.hpp"

namespace matchpoint::cli {

ExitCode fmt_command(FmtOptions const& options, Terminal& terminal) {
    if (options.in_place && options.file == "-") {
        complain(terminal, "fmt -i needs a file: standard input cannot be replaced");
        return bad_input;
    }
    auto const source = read_source(options.file);
    if (!source) {
        complain(terminal, source.error());
        return bad_input;
    }
    auto const program = parse(*source, {.keep_comments = true});
    if (!program) {
        show(terminal, program.error(), *source);
        return refused(program.error());
    }
    std::string const text = print(*program, &*source);
    if (!options.in_place) {
        terminal.out(text);
    } else if (text != source->text()) {
        if (FileError const error = replace_file(options.file, text); !error.empty()) {
            complain(terminal, error);
            return output_failed;
        }
    }
    return holds;
}

} // namespace matchpoint::cli
