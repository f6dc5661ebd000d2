#include <unistd.h>

#include "cli/cli.hpp"
#include "cli/rpc/oracle_session.hpp"
#include "cli/rpc/request_lines.hpp"

namespace matchpoint::cli {

ExitCode oracle_command(Terminal& terminal) {
    constexpr std::size_t longest_line = std::size_t{1} << 28U; // docs/oracle.md
    Cancellation cancellation;
    // What has been answered is not held back by what comes next.
    OracleSession session(cancellation, [&] { terminal.flush(); });
    RequestLines lines(STDIN_FILENO, longest_line, [&](std::string_view text) { cancellation.look(text); });
    while (!session.is_over()) {
        // Whoever asks one thing at a time waits for the answer.
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

} // namespace matchpoint::cli
