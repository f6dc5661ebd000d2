#include "base/child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

// Boost.Process v2 watches the end of a process through a pidfd; v1 would need its own SIGCHLD handler. With
// std::filesystem v2 is header-only, but does not include all that it uses.
#define BOOST_PROCESS_USE_STD_FS
#include <boost/optional.hpp>
#include <boost/type_traits/decay.hpp>
#include <boost/type_traits/is_convertible.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/writable_pipe.hpp>
#include <boost/asio/write.hpp>
#include <boost/process/v2/posix/default_launcher.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/stdio.hpp>
#include <fmt/format.h>

#include "base/expected.hpp"
#include "base/spawn.hpp"

namespace matchpoint::base {

namespace {

namespace asio = boost::asio;
namespace process = boost::process::v2;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

// Not a local variable, so that a signal handler need not construct it.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// How long to wait for a process to end, after the first sign that it does.
constexpr std::chrono::milliseconds grace(500);

/// How long it takes to notice an interruption.
constexpr std::chrono::milliseconds patience(100);

/// How much of standard error is kept for messages, in bytes.
constexpr std::size_t kept_message = 4096;

/// While it exists, a write of this thread to a pipe without a reader fails instead of raising a signal.
class NoSigpipe {
public:
    NoSigpipe() {
        sigset_t pending;
        sigemptyset(&pending);
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
        sigemptyset(&sigpipe_);
        sigaddset(&sigpipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
    }
    NoSigpipe(NoSigpipe const&) = delete;
    NoSigpipe& operator=(NoSigpipe const&) = delete;
    ~NoSigpipe() {
        timespec const at_once{};
        if (!was_pending_)
            while (sigtimedwait(&sigpipe_, nullptr, &at_once) < 0 && errno == EINTR) {
            }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    sigset_t sigpipe_;
    sigset_t before_;
    bool was_pending_;
};

/// While it exists, no new descriptor is 0, 1 or 2. Otherwise the child could overwrite a pipe's descriptor when it
/// sets up its standard streams.
class StandardDescriptorsTaken {
public:
    StandardDescriptorsTaken() {
        int fd = -1;
        while ((fd = ::open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && fd <= STDERR_FILENO)
            taken_[static_cast<std::size_t>(fd)] = true;
        if (fd >= 0) ::close(fd);
    }
    StandardDescriptorsTaken(StandardDescriptorsTaken const&) = delete;
    StandardDescriptorsTaken& operator=(StandardDescriptorsTaken const&) = delete;
    ~StandardDescriptorsTaken() {
        for (int fd = 0; fd <= STDERR_FILENO; ++fd)
            if (taken_[static_cast<std::size_t>(fd)]) ::close(fd);
    }

private:
    std::array<bool, 3> taken_{};
};

/// Runs in the child before the exec. It may only make calls that are safe after a fork.
struct Confinement {
    pid_t parent;
    std::size_t memory;

    static void limit(decltype(RLIMIT_AS) resource, rlim_t value) {
        rlimit now{};
        if (::getrlimit(resource, &now) != 0) return;
        value = std::min(value, now.rlim_max); // RLIM_INFINITY is the largest
        now = {value, value};
        ::setrlimit(resource, &now);
    }

    template <typename Launcher>
    error_code on_exec_setup(Launcher&, std::filesystem::path const&, char const* const*) const {
        ::setpgid(0, 0);
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(EXIT_FAILURE); // the parent is already dead
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        std::signal(SIGPIPE, SIG_DFL);
        limit(RLIMIT_AS, memory != 0 ? memory : RLIM_INFINITY);
        limit(RLIMIT_CORE, 0);
        // The launcher leaves some descriptors open, for example another solver's pipes.
        ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
        return {};
    }

    /// The launcher would call exit, which would flush our own streams a second time.
    template <typename... Any>
    void on_exec_error(Any const&...) const {
        ::_exit(EXIT_FAILURE);
    }
};

} // namespace

std::atomic<bool>& interruption() { return interrupted; }

class ChildProcess::Impl {
public:
    Impl() : in_(context_), out_(context_), err_(context_), process_(context_.get_executor()), timer_(context_) {}
    Impl(Impl const&) = delete;
    Impl& operator=(Impl const&) = delete;
    ~Impl() {
        if (pid_ <= 0 || exited_) return;
        ::kill(-pid_, SIGKILL); // while the pid cannot be reused: kill the group before reaping its leader
        error_code ignored;
        process_.wait(ignored);
    }

    std::string start(std::vector<std::string> const& command, std::size_t memory, std::size_t output) {
        auto const binary = find_binary(command.empty() ? std::string() : command.front());
        if (!binary) return std::strerror(binary.error());
        std::vector<std::string> const arguments(command.begin() + 1, command.end());

        StandardDescriptorsTaken const taken;
        process::process_stdio stdio{in_, out_, err_};
        for (auto const& ec : {stdio.in.ec, stdio.out.ec, stdio.err.ec})
            if (ec) return ec.message();
        Confinement confinement{::getpid(), memory};
        process::posix::default_launcher launcher;
        error_code ec;
        try {
            process_ = launcher(process::process::executor_type(context_.get_executor()), ec, *binary, arguments, stdio,
                                confinement);
        } catch (boost::system::system_error const& error) {
            if (::getpid() != confinement.parent) ::_exit(EXIT_FAILURE); // thrown in the child, before the exec
            // It may have ended before we could watch it, with SIGCHLD ignored.
            exited_ = launcher.pid > 0 && ::waitpid(launcher.pid, nullptr, WNOHANG) != 0;
            if (!exited_) ec = error.code();
        }
        if (ec) {
            // The exec failed, or the child cannot be watched. The launcher does not reap it.
            if (launcher.pid > 0) {
                ::kill(launcher.pid, SIGKILL);
                while (::waitpid(launcher.pid, nullptr, 0) < 0 && errno == EINTR) {
                }
            }
            return ec.message();
        }
        limit_ = output;
        read_output();
        read_messages();
        if (exited_) return {};
        pid_ = process_.id();
        process_.async_wait([this](error_code const& unknown, int) {
            exited_ = true;
            if (!unknown) status_ = process_.native_exit_code();
            ::kill(-pid_, SIGKILL); // its surviving children
        });
        return {};
    }

    void stop_on(std::atomic<bool> const& stop) { stop_ = &stop; }

    Reply ask(std::string text, std::string_view mark, Clock::time_point deadline) {
        sent_ = std::move(text);
        searched_ = 0;
        received_ = output_.size();
        messages_.clear();

        NoSigpipe const no_sigpipe;
        context_.restart();
        if (deadline != Clock::time_point::max()) wake_at(deadline);
        writing_ = true;
        asio::async_write(in_, asio::buffer(sent_), [this, last = mark.empty()](error_code const& ec, std::size_t) {
            writing_ = false;
            refused_ = refused_ || (ec && !last); // it need not read the last text
            error_code ignored;
            if (last) in_.close(ignored);
        });
        std::optional<Clock::time_point> end;
        auto const began = Clock::now();
        bool again = false;
        while (true) {
            if (auto answer = mark.empty() ? std::nullopt : find_answer(mark)) {
                look(); // reads what it has written to standard error
                return {Reply::End::answered, std::move(*answer)};
            }
            if (received_ > limit_) return {Reply::End::too_long, std::move(output_)};
            if (is_interrupted()) return {Reply::End::late, std::move(output_)};
            auto const now = Clock::now();
            if (now >= deadline) {
                // If we wake up this late, we were stopped or starved, and most likely the process was, too.
                if (again || now < deadline + grace) return {Reply::End::late, std::move(output_)};
                again = true;
                deadline = now + (deadline - began);
                wake_at(end ? std::min(*end, deadline) : deadline);
            }
            if ((exited_ && closed_ && quiet_) || (end && now >= *end)) return {Reply::End::ended, std::move(output_)};
            if (!end && (exited_ || closed_ || refused_)) {
                end = now + grace;
                wake_at(std::min(*end, deadline));
            }
            run_one();
        }
    }

    bool is_idle() {
        if (writing_) return false;
        context_.restart();
        look();
        return !exited_ && !closed_ && !refused_ && output_.empty();
    }

    std::string const& messages() const { return messages_; }

    std::optional<int> exit_code() const {
        return exited_ && status_ && WIFEXITED(*status_) ? std::optional(WEXITSTATUS(*status_)) : std::nullopt;
    }

    std::string status() const {
        if (exited_ && status_ && WIFSIGNALED(*status_)) {
            char const* const signal = ::sigabbrev_np(WTERMSIG(*status_));
            return fmt::format("killed by signal {}{}", WTERMSIG(*status_),
                               signal != nullptr ? fmt::format(" (SIG{})", signal) : "");
        }
        if (exited_ && status_) return fmt::format("exited with code {}", WEXITSTATUS(*status_));
        if (exited_) return "exited";
        return closed_ ? "closed its standard output" : "closed its standard input";
    }

private:
    bool is_interrupted() const { return interrupted || (stop_ != nullptr && *stop_); }

    /// Handles an event, or notices an interruption.
    void run_one() {
        while (!is_interrupted() && context_.run_one_for(patience) == 0 && !context_.stopped()) {
        }
    }

    void read_output() {
        out_.async_read_some(asio::buffer(output_chunk_), [this](error_code const& ec, std::size_t n) {
            closed_ = static_cast<bool>(ec);
            if (closed_) return;
            received_ += n;
            output_.append(output_chunk_.data(), n);
            read_output();
        });
    }

    void read_messages() {
        err_.async_read_some(asio::buffer(message_chunk_), [this](error_code const& ec, std::size_t n) {
            quiet_ = static_cast<bool>(ec);
            if (quiet_) return;
            received_ += n;
            messages_.append(message_chunk_.data(), std::min(n, kept_message - messages_.size()));
            read_messages();
        });
    }

    void wake_at(Clock::time_point time) {
        timer_.expires_at(time);
        timer_.async_wait([](error_code const&) {});
    }

    /// Handles pending events, but only so many: there may always be more.
    void look() {
        for (int i = 0; i < 16 && context_.poll_one() != 0; ++i) {
        }
    }

    /// Removes everything up to and including the mark's line from the output, and returns it without the mark. Other
    /// text on the mark's line belongs to the answer.
    std::optional<std::string> find_answer(std::string_view mark) {
        std::size_t const at = output_.find(mark, searched_);
        if (at == std::string::npos) {
            searched_ = output_.size() - std::min(output_.size(), mark.size());
            return {};
        }
        std::size_t const newline = std::min(output_.find('\n', at), output_.size());
        if (newline == output_.size() && newline - at < 2 * mark.size()) {
            searched_ = at;
            return {};
        }
        std::string_view before(output_.data(), at);
        std::string_view after = std::string_view(output_).substr(at + mark.size(), newline - at - mark.size());
        if (after.starts_with('"') && before.ends_with('"')) { // cvc5 echoes with quotes
            before.remove_suffix(1);
            after.remove_prefix(1);
        }
        std::string answer(before);
        answer += after;
        output_.erase(0, std::min(newline + 1, output_.size()));
        return answer;
    }

    asio::io_context context_{1};
    asio::writable_pipe in_;
    asio::readable_pipe out_;
    asio::readable_pipe err_;
    process::process process_;
    asio::steady_timer timer_;
    pid_t pid_ = -1;
    std::size_t limit_ = 0;
    std::atomic<bool> const* stop_ = nullptr;

    std::string sent_;
    std::string output_;
    std::string messages_;
    std::size_t received_ = 0; // bytes since the question
    std::size_t searched_ = 0; // bytes of the output that do not contain the mark
    std::array<char, std::size_t{1} << 16U> output_chunk_;
    std::array<char, kept_message> message_chunk_;

    bool writing_ = false;
    bool refused_ = false; // it closed its input
    bool closed_ = false;  // it closed its output
    bool quiet_ = false;   // it closed its standard error
    bool exited_ = false;  // and was reaped
    std::optional<int> status_;
};

ChildProcess::ChildProcess() = default;
ChildProcess::~ChildProcess() = default;

std::string ChildProcess::start(std::vector<std::string> const& arguments, std::size_t memory, std::size_t output) {
    try {
        impl_ = std::make_unique<Impl>();
        return impl_->start(arguments, memory, output);
    } catch (boost::system::system_error const& error) { // from asio, if there are no descriptors left
        return error.code().message();
    }
}

void ChildProcess::stop_on(std::atomic<bool> const& stop) { impl_->stop_on(stop); }

ChildProcess::Reply ChildProcess::ask(std::string text, std::string_view mark, Clock::time_point deadline) {
    return impl_->ask(std::move(text), mark, deadline);
}

ChildProcess::Reply ChildProcess::finish(std::string text, Clock::time_point deadline) {
    return impl_->ask(std::move(text), {}, deadline);
}

bool ChildProcess::is_idle() { return impl_->is_idle(); }
std::string const& ChildProcess::messages() const { return impl_->messages(); }
std::string ChildProcess::status() const { return impl_->status(); }
std::optional<int> ChildProcess::exit_code() const { return impl_->exit_code(); }

} // namespace matchpoint::base
