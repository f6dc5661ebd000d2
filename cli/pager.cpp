#include "cli/pager.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/signals.hpp"
#include "base/spawn.hpp"

namespace matchpoint::cli {

namespace {

constexpr int not_executable = 126; // exit codes of a shell
constexpr int not_found = 127;

} // namespace

std::string pager_command() {
    char const* const term = std::getenv("TERM");
    if (term == nullptr || std::strcmp(term, "dumb") == 0) return {};
    if (char const* const pager = std::getenv("PAGER")) return std::strcmp(pager, "cat") == 0 ? "" : pager;
    return find_binary("less") ? "less -FRX" : "";
}

Pager::Pager(std::string const& command) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        could_run_ = false;
        return;
    }
    Spawn pager{.command = {"/bin/sh", "-c", command}, .input = ends[0]};
    pager.environment.emplace("LESS", "FRX");
    auto const pid = spawn(pager);
    ::close(ends[0]);
    could_run_ = pid.has_value();
    if (could_run_) {
        pid_ = *pid;
        pipe_ = ends[1];
    } else {
        ::close(ends[1]);
    }
}

Pager::~Pager() { finish(); }

void Pager::write(std::string_view text) {
    constexpr std::size_t capacity = std::size_t{1} << 16U; // of a pipe
    if (could_run_ && pipe_ < 0) return;                    // the user has quit it
    if (!is_read_) text_ += text;
    if (pipe_ < 0) return;
    // A pager that has quit must not end this program.
    SignalHandlers without;
    without.on(SIGPIPE, {.handler = SIG_IGN});
    while (!text.empty()) {
        ssize_t const written = ::write(pipe_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue; // Ctrl-C is for the pager too: it says when to stop
        if (written < 0) {
            finish();
            break;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (text.empty() && text_.size() > capacity) {
        is_read_ = true;
        text_.clear();
    }
}

bool Pager::finish() {
    if (pipe_ >= 0) ::close(pipe_);
    pipe_ = -1;
    if (pid_ > 0) {
        int const status = wait_for(pid_);
        pid_ = -1;
        int const code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        could_run_ = is_read_ || (code != not_executable && code != not_found);
    }
    return could_run_;
}

} // namespace matchpoint::cli
