#include <unistd.h>

#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dap/session.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto dap_examples = R"(The Debug Adapter Protocol on standard input and standard output. An editor
starts it; docs/editors.md says how, and editors/vscode is an extension.

Examples:
  matchpoint dap     as an editor starts it; its launch requests are such as
      {"program": "run.ctp", "schedule": "trace", "trace": 2}
      {"program": "run.ctp", "schedule": "first-failure"}

Exit codes: 0 the client disconnected or the input ended, 70 an internal error,
74 the output could not be written.
)";

ExitCode dap_command(Terminal& terminal) {
    Messages messages(STDIN_FILENO);
    DapSession session(messages, terminal);
    session.run();
    return holds;
}

} // namespace

void add_dap(CommandLine& line) {
    Command command = line.add("dap", "Debug programs in an editor, over the Debug Adapter Protocol", dap_examples);
    command.action(dap_command);
}

} // namespace matchpoint::cli
