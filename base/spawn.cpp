#include "base/spawn.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace matchpoint::base {

namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    result.reserve(words.size() + 1);
    for (std::string& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

/// What the new process does before it becomes the program.
class Preparation {
public:
    explicit Preparation(Spawn const& s) {
        posix_spawn_file_actions_init(&actions_);
        if (s.input >= 0) posix_spawn_file_actions_adddup2(&actions_, s.input, STDIN_FILENO);
        open(STDIN_FILENO, s.input_file, O_RDONLY);
        open(STDOUT_FILENO, s.output_file, O_WRONLY | O_CREAT | O_TRUNC);
        open(STDERR_FILENO, s.error_file, O_WRONLY | O_CREAT | O_TRUNC);
        posix_spawnattr_init(&attributes_);
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes_, &pipe);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
    }
    Preparation(Preparation const&) = delete;
    Preparation& operator=(Preparation const&) = delete;
    ~Preparation() {
        posix_spawnattr_destroy(&attributes_);
        posix_spawn_file_actions_destroy(&actions_);
    }

    posix_spawn_file_actions_t const* actions() const { return &actions_; }
    posix_spawnattr_t const* attributes() const { return &attributes_; }

private:
    void open(int descriptor, std::string const& file, int flags) {
        if (!file.empty()) posix_spawn_file_actions_addopen(&actions_, descriptor, file.c_str(), flags, 0666);
    }

    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

} // namespace

std::map<std::string, std::string> environment() {
    std::map<std::string, std::string> variables;
    for (char** e = environ; *e != nullptr; ++e) {
        std::string_view const entry(*e);
        std::size_t const sign = entry.find('=');
        if (sign != std::string_view::npos) variables.emplace(entry.substr(0, sign), entry.substr(sign + 1));
    }
    return variables;
}

Expected<std::string, int> find_binary(std::string_view name) {
    if (name.find('/') != std::string_view::npos) return std::string(name);
    char const* const variable = std::getenv("PATH");
    std::string_view path = variable != nullptr ? variable : "/bin:/usr/bin";
    int trouble = ENOENT;
    while (!name.empty()) {
        std::size_t const colon = std::min(path.find(':'), path.size());
        std::string const file = fmt::format("{}/{}", colon == 0 ? "." : path.substr(0, colon), name);
        struct stat info {};
        if (::stat(file.c_str(), &info) == 0 && S_ISREG(info.st_mode)) {
            if (::access(file.c_str(), X_OK) == 0) return file;
            trouble = errno;
        }
        if (colon == path.size()) break;
        path.remove_prefix(colon + 1);
    }
    return Unexpected{trouble};
}

Expected<pid_t, int> spawn(Spawn const& s) {
    std::vector<std::string> words = s.command;
    std::vector<std::string> variables;
    variables.reserve(s.environment.size());
    for (auto const& [name, value] : s.environment) variables.push_back(fmt::format("{}={}", name, value));
    Preparation const preparation(s);
    pid_t pid = 0;
    int const code = posix_spawnp(&pid, words.front().c_str(), preparation.actions(), preparation.attributes(),
                                  pointers(words).data(), pointers(variables).data());
    if (code != 0) return Unexpected{code};
    return pid;
}

int wait_for(pid_t pid) {
    int status = 0;
    pid_t got = 0;
    while ((got = ::waitpid(pid, &status, 0)) < 0 && errno == EINTR) {
    }
    return got == pid ? status : -1;
}

} // namespace matchpoint::base
