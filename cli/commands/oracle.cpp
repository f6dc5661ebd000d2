#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/rpc/oracle_requests.hpp"
#include "cli/rpc/oracle_session.hpp"
#include "cli/rpc/request_lines.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto oracle_examples = R"(Requests and answers are JSON-RPC 2.0, one on each line, on standard input and
standard output (docs/oracle.md).

Examples:
  docs/cegar.py traces/figure1.ctp          a loop that asks it
  echo '{"jsonrpc": "2.0", "id": 1, "method": "load",
         "params": {"file": "traces/figure1.ctp"}}' | tr -d '\n' |
    matchpoint oracle

Exit codes: 0 the input ended or a request shut it down, 70 an internal error,
74 the output could not be written.
)";

ExitCode oracle_command(Terminal& terminal) {
    constexpr std::size_t longest_line = std::size_t{1} << 28U; // docs/oracle.md
    Cancellation cancellation;
    // A search must not hold back earlier answers.
    OracleSession session(cancellation, [&] { terminal.flush(); });
    RequestLines lines(STDIN_FILENO, longest_line, [&](std::string_view text) { cancellation.look(text); });
    while (!session.is_over()) {
        // A client that sends one request at a time waits for the answer.
        if (lines.would_wait()) terminal.flush();
        auto const block = lines.take();
        if (!block) break;
        if (block->too_long) terminal.out(session.answer_too_long());
        std::string_view text = block->text;
        while (!text.empty() && !session.is_over()) {
            std::size_t const end = std::min(text.find('\n'), text.size() - 1);
            terminal.out(session.answer(text.substr(0, end + 1)));
            text.remove_prefix(end + 1);
        }
    }
    terminal.flush();
    return holds;
}

} // namespace

void add_oracle(CommandLine& line) {
    Command command = line.add(
        "oracle", "Answer questions from other programs: is this match set, order or trace feasible, and if not, why?",
        fmt::format("Methods and their parameters:\n{}\n{}", OracleRequests::overview(), oracle_examples));
    command.action(oracle_command);
}

} // namespace matchpoint::cli
