#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "report/words.hpp"
#include "suite/files.hpp"

namespace matchpoint::cli {

ExitCode suite_command(SuiteOptions const& options, Terminal& terminal) {
    auto const folder = new_folder(options.folder);
    if (!folder) {
        complain(terminal, folder.error());
        return bad_input;
    }
    suite::Contents const contents = suite::contents();
    std::vector<NewFile> files;
    for (suite::File const& file : contents.files) files.push_back({file.path, file.text, file.path.ends_with(".py")});
    if (FileError const wrong = write_folder(*folder, files); !wrong.empty()) {
        complain(terminal, wrong);
        return output_failed;
    }
    terminal.out(fmt::format("suite {} in {}: {}, {} of them\n", suite::version, printable(options.folder, 4096),
                             plural(contents.programs, "program"), plural(contents.traces, "trace")));
    return holds;
}

} // namespace matchpoint::cli
