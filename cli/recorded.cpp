#include "cli/recorded.hpp"

#include <algorithm>

#include "base/limits.hpp"
#include "record/recording.hpp"

namespace matchpoint::cli {

std::string_view word_of_recording(std::string_view text) {
    auto const command = record::command_of_run(text);
    auto const comment = first_comment(text);
    if (!command || comment.empty()) return {};
    bool const says_mcapi =
        std::any_of(comment.begin(), comment.end(), [](auto line) { return line.ends_with("threads; MCAPI"); });
    if (says_mcapi) return "thread";
    bool const says_ranks =
        std::any_of(comment.begin(), comment.end(), [](auto line) { return line.find(" ranks; ") < line.size(); });
    // The files of `verify` and of `check -o` have the command only.
    std::string_view const launcher = command->substr(0, command->find(' '));
    std::string_view const name = launcher.substr(launcher.rfind('/') + 1);
    bool const is_launcher = name.starts_with("mpirun") || name.starts_with("mpiexec") || name == "srun";
    return says_ranks || is_launcher ? "rank" : "thread";
}

} // namespace matchpoint::cli
