#include "cli/repl/aside.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <vector>

#include <fmt/format.h>

#include "base/signals.hpp"
#include "cli/progress.hpp"

namespace matchpoint::cli {

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t interrupt_flag = 0;
void on_interrupt(int) { interrupt_flag = 1; }
std::function<bool()>& other_interrupt() {
    static std::function<bool()> told;
    return told;
}

/// Between two looks at Ctrl-C, the clock and the memory.
constexpr std::chrono::milliseconds tick{50};
/// A task that looks at the clock itself has this much longer to say what it tried.
constexpr std::chrono::milliseconds grace{500};

// ---- What the child writes into the pipe: messages of a kind, a length and a content ----

enum class MessageKind : char { progress, text, plan, limit, bug };

void write_all(int fd, void const* data, std::size_t size) {
    for (auto const* at = static_cast<char const*>(data); size > 0;) {
        ssize_t const written = ::write(fd, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) ::_exit(EXIT_FAILURE);
        at += written;
        size -= static_cast<std::size_t>(written);
    }
}

void send(int fd, MessageKind kind, std::string_view content) {
    std::uint64_t const size = content.size();
    write_all(fd, &kind, sizeof kind);
    write_all(fd, &size, sizeof size);
    write_all(fd, content.data(), content.size());
}

/// Each entry: its location, its peek, how many channels, and these.
std::string packed(Schedule const& schedule) {
    std::string result;
    auto const add = [&](std::uint32_t n) { result.append(reinterpret_cast<char const*>(&n), sizeof n); };
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        Entry const entry = schedule.entry(i);
        add(entry.rho.index);
        add(entry.peek.index);
        add(static_cast<std::uint32_t>(entry.m.size()));
        for (Channel const c : entry.m) add(c.index);
    }
    return result;
}

Schedule unpacked(std::string_view text) {
    Schedule result;
    auto const next = [&] {
        std::uint32_t n = 0;
        std::memcpy(&n, text.data(), sizeof n);
        text.remove_prefix(sizeof n);
        return n;
    };
    while (!text.empty()) {
        std::uint32_t const rho = next();
        std::uint32_t const peek = next();
        for (std::uint32_t left = next(); left > 0; --left) result.move(Channel{next()});
        result.step(Location{rho}, Channel{peek});
    }
    return result;
}

[[noreturn]] void run_in_child(pid_t session, int fd, std::function<AsideResult(Progress const&)> const& task) {
    handle(SIGINT, {.handler = SIG_IGN}); // the session decides
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != session) ::_exit(EXIT_FAILURE); // it is already dead
    try {
        AsideResult const result = task([fd](std::string_view what) { send(fd, MessageKind::progress, what); });
        if (result.plan) send(fd, MessageKind::plan, packed(*result.plan));
        send(fd, MessageKind::text, result.text);
    } catch (LimitReached const& e) {
        send(fd, MessageKind::limit, e.what());
    } catch (std::bad_alloc const&) {
        send(fd, MessageKind::limit, "out of memory");
    } catch (std::exception const& e) {
        send(fd, MessageKind::bug, e.what());
    }
    ::_exit(EXIT_SUCCESS); // exit would flush the streams of the session a second time
}

// ---- The child, seen from the session ----

/// Bytes that a process has in use. 0: it is not known.
std::size_t resident(std::string const& process) {
    std::ifstream file("/proc/" + process + "/statm");
    std::size_t all = 0;
    std::size_t pages = 0;
    file >> all >> pages;
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

class Child {
public:
    explicit Child(std::function<AsideResult(Progress const&)> const& task) : memory_of_session_(resident("self")) {
        int ends[2];
        if (::pipe(ends) != 0) fail();
        pid_t const session = ::getpid();
        pid_ = ::fork();
        if (pid_ == 0) {
            ::close(ends[0]);
            run_in_child(session, ends[1], task);
        }
        ::close(ends[1]);
        fd_ = ends[0];
        if (pid_ < 0) {
            ::close(fd_);
            fail();
        }
    }
    Child(Child const&) = delete;
    Child& operator=(Child const&) = delete;
    ~Child() {
        ::close(fd_);
        ::kill(pid_, SIGKILL);
        // The kernel takes its time to free many gigabytes. Nobody should wait for that.
        dying().push_back(pid_);
        std::erase_if(dying(), [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
    }

    /// Waits for output, for one tick at most. False: the child has closed its end.
    bool read() {
        pollfd input{fd_, POLLIN, 0};
        if (::poll(&input, 1, static_cast<int>(tick.count())) <= 0) return true;
        char chunk[1U << 16U];
        ssize_t const n = ::read(fd_, chunk, sizeof chunk);
        if (n > 0) received_.append(chunk, static_cast<std::size_t>(n));
        return n > 0 || (n < 0 && errno == EINTR);
    }
    /// The next message, if all of it is here.
    std::optional<std::pair<MessageKind, std::string>> message() {
        std::uint64_t size = 0;
        constexpr std::size_t head = sizeof(MessageKind) + sizeof size;
        if (received_.size() < head) return std::nullopt;
        std::memcpy(&size, received_.data() + sizeof(MessageKind), sizeof size);
        if (received_.size() - head < size) return std::nullopt;
        std::pair<MessageKind, std::string> result{static_cast<MessageKind>(received_[0]),
                                                   received_.substr(head, size)};
        received_.erase(0, head + size);
        return result;
    }
    /// Beyond what it has from the session. With the solver that it may have started.
    std::size_t memory() const {
        std::size_t const now = resident(std::to_string(pid_));
        std::size_t result = now - std::min(now, memory_of_session_);
        std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", pid_));
        for (std::string child; children >> child;) result += resident(child);
        return result;
    }

private:
    static std::vector<pid_t>& dying() {
        static std::vector<pid_t> pids;
        return pids;
    }
    [[noreturn]] static void fail() {
        throw AsideFailed(fmt::format("no process can be started for it: {}", std::strerror(errno)));
    }

    pid_t pid_ = -1;
    int fd_ = -1;
    std::size_t memory_of_session_;
    std::string received_;
};

class Waiting {
public:
    Waiting(AsideLimits const& limits, Child& child)
        : limits_(limits), child_(child), deadline_(Clock::now() + limits.time + grace) {}

    AsideResult result() {
        while (true) {
            bool const more = child_.read();
            while (auto message = child_.message()) take(std::move(*message));
            if (done_) return std::move(result_);
            if (!more) throw AsideFailed("its process ended without a result: perhaps the system was out of memory");
            if (auto why = ended()) return {std::move(*why), std::nullopt};
        }
    }

private:
    void take(std::pair<MessageKind, std::string>&& message) {
        auto& [kind, content] = message;
        switch (kind) {
        case MessageKind::progress: what_ = std::move(content); return;
        case MessageKind::plan: result_.plan = unpacked(content); return;
        case MessageKind::text:
            result_.text = std::move(content);
            done_ = true;
            return;
        case MessageKind::limit: throw LimitReached(content);
        case MessageKind::bug: throw std::logic_error(content);
        }
    }

    /// Why it must not go on; none if it may.
    std::optional<std::string> ended() {
        if (interrupted()) return "interrupted\n";
        if (Clock::now() > deadline_)
            return fmt::format("unknown: no answer within {} s (`set timeout` allows more)\n", limits_.time.count());
        std::size_t const memory = child_.memory();
        if (memory > limits_.memory)
            return fmt::format("unknown: no answer within {} MiB (`set memory` allows more)\n", limits_.memory >> 20U);
        if (line_.is_due())
            line_.show(fmt::format("{}; {:.1f} s, {} MiB; Ctrl-C ends it", what_, line_.seconds(), memory >> 20U));
        return std::nullopt;
    }

    AsideLimits const& limits_;
    Child& child_;
    ProgressLine line_;
    Clock::time_point deadline_;
    std::string what_ = "searching";
    AsideResult result_;
    bool done_ = false;
};

} // namespace

bool interrupted() { return interrupt_flag != 0 || (other_interrupt() && other_interrupt()()); }
void also_interrupted_by(std::function<bool()> told) { other_interrupt() = std::move(told); }
void clear_interrupt() { interrupt_flag = 0; }
void catch_interrupts() {
    handle(SIGINT, {.handler = on_interrupt}); // no SA_RESTART: a read should end
}

AsideResult run_aside(Terminal& terminal, AsideLimits const& limits,
                      std::function<AsideResult(Progress const&)> const& task) {
    terminal.flush();
    Child child(task);
    return Waiting(limits, child).result();
}

} // namespace matchpoint::cli
