// Programs that run beside this one, with its terminal or with files: a pager, a launcher of MPI. (Programs that answer
// questions are ChildProcess's.)
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/expected.hpp"

namespace matchpoint::base {

/// The variables of this process's environment.
std::map<std::string, std::string> environment();

/// The file that execvp would execute for this name; or an errno.
Expected<std::string, int> find_binary(std::string_view name);

struct Spawn {
    std::vector<std::string> command; // its first word is searched in PATH
    std::map<std::string, std::string> environment = base::environment();
    int input = -1; // a descriptor that is its standard input; negative: see below
    // Files for its standard input, output and error; empty for those of this process.
    std::string input_file = {};
    std::string output_file = {};
    std::string error_file = {};
};

/// Starts it. It has no handlers of signals; what is ignored stays ignored, except for SIGPIPE. An errno if it cannot
/// be started.
Expected<pid_t, int> spawn(Spawn const& s);

/// Waits until it ends. Its status, as waitpid(2) has it; negative if there is none.
int wait_for(pid_t pid);

} // namespace matchpoint::base
