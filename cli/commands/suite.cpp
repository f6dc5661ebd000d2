#include <fmt/format.h>

#include "base/files.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "explain/words.hpp"
#include "suite/files.hpp"

namespace matchpoint::cli {

namespace {

struct SuiteOptions {
    std::string folder;
};

constexpr auto suite_examples = R"(Examples:
  matchpoint suite conformance
  conformance/check.py --command 'my_checker {ctp} {buffering}'
                                         see conformance/README.md

Exit codes: 0 done, 2 DIR exists already and is not an empty folder, 74 it could
not be written; then no part of it is left.
)";

ExitCode suite_command(SuiteOptions const& options, Terminal& terminal) {
    auto const folder = new_folder(options.folder);
    if (!folder) {
        complain(terminal, folder.error(), ErrorKind::file);
        return bad_input;
    }
    suite::Contents const contents = suite::contents();
    std::vector<NewFile> files;
    for (suite::File const& file : contents.files) files.push_back({file.path, file.text, file.path.ends_with(".py")});
    if (FileError const wrong = write_folder(*folder, files); !wrong.empty()) {
        complain(terminal, wrong, ErrorKind::file);
        return output_failed;
    }
    terminal.out(fmt::format("suite {} in {}: {}, {} of them\n", suite::version, printable(options.folder, 4096),
                             plural(contents.programs, "program"), plural(contents.traces, "trace")));
    return holds;
}

} // namespace

void add_suite(CommandLine& line) {
    auto const options = std::make_shared<SuiteOptions>();
    Command command = line.add("suite",
                               "Write the conformance suite: programs with the results that the semantics requires, "
                               "against which implementations can be tested",
                               suite_examples);
    command.argument("DIR", options->folder, "The folder; it must be empty or not exist");
    command.color();
    command.action([options](Terminal& terminal) { return suite_command(*options, terminal); });
}

} // namespace matchpoint::cli
