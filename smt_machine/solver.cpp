#include "smt_machine/solver.hpp"

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
#include <random>

// The second version of Boost.Process learns of the end of a process from a pidfd; the first one would need a handler
// for SIGCHLD of its own. With std::filesystem it is headers only, but includes too little of what it uses.
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

#include "grammar/overloaded.hpp"
#include "grammar/source.hpp"

namespace matchpoint {

namespace {

namespace asio = boost::asio;
namespace process = boost::process::v2;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using Between = SolverCommand::Between;

/// How long the end of a process may take, from the first sign of it, until it is called one.
constexpr std::chrono::milliseconds grace(500);

/// How much of standard error is kept for messages, in bytes, and how much of anything a message quotes, in characters.
constexpr std::size_t kept_message = 4096;
constexpr std::size_t quoted = 200;

/// z3 spends more than a millisecond on the first declaration after a (reset), and 0.2 ms on a whole small problem in a
/// new scope. But in a scope it solves without its preprocessing; on problems that are larger than this, in bytes, that
/// costs more.
constexpr std::size_t small = 4096;

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view ends_symbol = " \t\r\n;()|\"";

std::string_view trimmed(std::string_view text) {
    std::size_t const begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string quote(std::string_view text) {
    text = trimmed(text);
    std::string line(text.substr(0, 4 * (quoted + 1))); // not more than is shown
    std::replace(line.begin(), line.end(), '\n', ' ');
    return printable(line, quoted);
}

// ---- S-expressions ----

/// Where the s-expression ends that begins at `at` or after blanks and comments; npos if there is none.
std::size_t end_of_expression(std::string_view text, std::size_t at) {
    std::size_t depth = 0;
    while (at < text.size()) {
        switch (char const c = text[at]) {
        case ' ':
        case '\t':
        case '\r':
        case '\n': ++at; continue;
        case ';': at = std::min(text.find('\n', at), text.size()); continue;
        case '(':
            ++depth;
            ++at;
            break;
        case ')':
            if (depth == 0) return std::string_view::npos;
            --depth;
            ++at;
            break;
        case '|':
        case '"': // "" within a string: two strings are as good here
            at = text.find(c, at + 1);
            if (at == std::string_view::npos) return at;
            ++at;
            break;
        default: at = std::min(text.find_first_of(ends_symbol, at), text.size()); break;
        }
        if (depth == 0) return at;
    }
    return std::string_view::npos;
}

bool is_one_list(std::string_view text) {
    return !text.empty() && text.front() == '(' && end_of_expression(text, 0) == text.size();
}

/// (error in a well-formed s-expression, but not within its symbols and strings.
bool has_error(std::string_view text) {
    constexpr std::string_view error = "error";
    for (std::size_t at = 0; (at = text.find_first_of("(|\"", at)) != std::string_view::npos; ++at) {
        if (text[at] != '(') {
            at = text.find(text[at], at + 1);
            if (at == std::string_view::npos) return false;
        } else if (std::string_view const rest = text.substr(at + 1); rest.starts_with(error)) {
            if (rest.size() == error.size() || ends_symbol.find(rest[error.size()]) != std::string_view::npos)
                return true;
        }
    }
    return false;
}

/// The symbols of a list of symbols.
std::optional<std::vector<std::string>> symbols(std::string_view list) {
    if (!is_one_list(list)) return {};
    list = list.substr(1, list.size() - 2);
    std::vector<std::string> result;
    while (!(list = trimmed(list)).empty()) {
        std::size_t const end = end_of_expression(list, 0);
        if (end == std::string_view::npos) return {};
        std::string_view symbol = list.substr(0, end);
        if (symbol.front() == '(' || symbol.front() == '"' || symbol.front() == ';') return {};
        if (symbol.front() == '|') symbol = symbol.substr(1, symbol.size() - 2);
        result.emplace_back(symbol);
        list.remove_prefix(end);
    }
    return result;
}

/// What a problem begins with.
struct Head {
    std::string options;    // set-option ...
    std::string_view logic; // (set-logic ...)
    std::string infos;      // set-info ...
    std::string_view text;  // all of it, as it stands
};

Head head(std::string_view problem) {
    Head h;
    std::size_t at = 0;
    while (h.logic.empty()) {
        std::size_t const end = end_of_expression(problem, at);
        if (end == std::string_view::npos) break;
        std::string_view command = problem.substr(at, end - at);
        // Comments before it are no part of it.
        while (command = trimmed(command), command.starts_with(';'))
            command.remove_prefix(std::min(command.find('\n'), command.size()));
        if (command.starts_with("(set-option"))
            h.options += command;
        else if (command.starts_with("(set-info"))
            h.infos += command;
        else if (command.starts_with("(set-logic"))
            h.logic = command;
        else
            break;
        at = end;
    }
    h.text = problem.substr(0, at);
    return h;
}

// ---- The environment of a process ----

/// While it lives, writing to a pipe that nobody reads is an error of this thread's write and no signal.
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

/// While it lives, no new descriptor is one of 0, 1 and 2: those of the pipes must not be overwritten when the child
/// gets its own.
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

/// What the child does to itself before it becomes the solver. Only calls that are safe after a fork.
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
        if (::getppid() != parent) ::_exit(EXIT_FAILURE); // it died before that
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        std::signal(SIGPIPE, SIG_DFL);
        if (memory != 0) limit(RLIMIT_AS, memory);
        limit(RLIMIT_CORE, 0);
        // The launcher leaves some open, for example the pipes of another solver.
        ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
        return {};
    }

    /// The launcher would call exit, which writes what our own streams have not written yet.
    template <typename... Any>
    void on_exec_error(Any const&...) const {
        ::_exit(EXIT_FAILURE);
    }
};

/// The file that execvp would execute; the errno if there is none.
Expected<std::string, int> find_binary(std::string const& name) {
    if (name.find('/') != std::string::npos) return name;
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

} // namespace

// ---- A process ----

/// A solver's process, with one question at a time. Its output, its end and its messages are waited for as long as it
/// lives, but are only noticed within `ask` and `is_idle`.
class Solver::Process {
public:
    Process() : in_(context_), out_(context_), err_(context_), process_(context_.get_executor()), timer_(context_) {
        std::random_device random;
        name_ = fmt::format("matchpoint-{:08x}{:08x}", random(), random());
    }
    Process(Process const&) = delete;
    Process& operator=(Process const&) = delete;
    ~Process() {
        if (pid_ <= 0 || exited_) return;
        ::kill(-pid_, SIGKILL); // first the group, while the number of its leader cannot be another's
        error_code ignored;
        process_.wait(ignored);
    }

    /// To be called once. What went wrong, or else nothing.
    std::string start(SolverCommand const& command, SolverLimits const& limits) {
        auto const binary = find_binary(command.arguments.empty() ? std::string() : command.arguments.front());
        if (!binary) return std::strerror(binary.error());
        std::vector<std::string> const arguments(command.arguments.begin() + 1, command.arguments.end());

        StandardDescriptorsTaken const taken;
        process::process_stdio stdio{in_, out_, err_};
        for (auto const& ec : {stdio.in.ec, stdio.out.ec, stdio.err.ec})
            if (ec) return ec.message();
        Confinement confinement{::getpid(), limits.memory};
        process::posix::default_launcher launcher;
        error_code ec;
        try {
            process_ = launcher(process::process::executor_type(context_.get_executor()), ec, *binary, arguments, stdio,
                                confinement);
        } catch (boost::system::system_error const& error) {
            if (::getpid() != confinement.parent) ::_exit(EXIT_FAILURE); // thrown in the child, before it is the solver
            // It may have ended before it could be watched, and SIGCHLD be ignored.
            exited_ = launcher.pid > 0 && ::waitpid(launcher.pid, nullptr, WNOHANG) != 0;
            if (!exited_) ec = error.code();
        }
        if (ec) {
            // A child that could not become the solver, or that cannot be watched; the launcher forgets it.
            if (launcher.pid > 0) {
                ::kill(launcher.pid, SIGKILL);
                while (::waitpid(launcher.pid, nullptr, 0) < 0 && errno == EINTR) {
                }
            }
            return ec.message();
        }
        limit_ = limits.output;
        read_output();
        read_messages();
        if (exited_) return {};
        pid_ = process_.id();
        process_.async_wait([this](error_code const& unknown, int) {
            exited_ = true;
            if (!unknown) status_ = process_.native_exit_code();
            ::kill(-pid_, SIGKILL); // those that it left behind
        });
        return {};
    }

    struct Reply {
        enum class End { answered, ended, too_long, late };
        End end;
        std::string text;
    };

    /// What is printed until the echo of a mark that is sent after the text. What comes after that stands before the
    /// next answer.
    Reply ask(std::string text, Clock::time_point deadline) {
        std::string const mark = fmt::format("{}-{}", name_, ++asked_);
        sent_ = std::move(text);
        sent_ += fmt::format("\n(echo \"{}\")\n", mark);
        searched_ = 0;
        received_ = output_.size();
        messages_.clear();

        NoSigpipe const no_sigpipe;
        context_.restart();
        if (deadline != Clock::time_point::max()) wake_at(deadline);
        writing_ = true;
        asio::async_write(in_, asio::buffer(sent_), [this](error_code const& ec, std::size_t) {
            writing_ = false;
            refused_ = refused_ || ec;
        });
        std::optional<Clock::time_point> end;
        while (true) {
            if (auto answer = find_answer(mark)) {
                look(); // for what it wrote to standard error before
                return {Reply::End::answered, std::move(*answer)};
            }
            if (received_ > limit_) return {Reply::End::too_long, std::move(output_)};
            auto const now = Clock::now();
            if (now >= deadline) return {Reply::End::late, std::move(output_)};
            if ((exited_ && closed_ && quiet_) || (end && now >= *end)) return {Reply::End::ended, std::move(output_)};
            if (!end && (exited_ || closed_ || refused_)) {
                end = now + grace;
                wake_at(std::min(*end, deadline));
            }
            context_.run_one();
        }
    }

    /// It waits for a question and has said nothing since its last answer.
    bool is_idle() {
        if (writing_) return false;
        context_.restart();
        look();
        return !exited_ && !closed_ && !refused_ && output_.empty();
    }

    /// What it wrote to standard error since the last question, up to a limit.
    std::string const& messages() const { return messages_; }

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

    std::string options;      // that it was given, they outlive (reset) in z3
    std::string pushed_logic; // of the problem in its only scope; empty if it has none

private:
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

    /// What has happened already, but not what goes on for ever.
    void look() {
        for (int i = 0; i < 16 && context_.poll_one() != 0; ++i) {
        }
    }

    /// Takes everything up to the line of the mark off the output. A mark within other text was not echoed: then that
    /// text is part of the answer.
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
        answer += trimmed(after);
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
    std::string name_;
    std::size_t limit_ = 0;

    std::size_t asked_ = 0;
    std::string sent_;
    std::string output_;
    std::string messages_;
    std::size_t received_ = 0; // bytes since the question
    std::size_t searched_ = 0; // of the output, for the mark
    std::array<char, std::size_t{1} << 16U> output_chunk_;
    std::array<char, kept_message> message_chunk_;

    bool writing_ = false;
    bool refused_ = false; // what we write
    bool closed_ = false;  // its output
    bool quiet_ = false;   // its standard error is closed
    bool exited_ = false;  // and was waited for
    std::optional<int> status_;
};

// ---- Commands ----

Expected<SolverCommand, std::string> solver_command(std::string_view name_or_command) {
    SolverCommand command;
    bool in_word = false;
    char open = '\0';
    for (char const c : name_or_command) {
        if (open != '\0') {
            if (c == open)
                open = '\0';
            else
                command.arguments.back() += c;
            continue;
        }
        bool const blank = blanks.find(c) != std::string_view::npos;
        if (!blank && !in_word) command.arguments.emplace_back();
        in_word = !blank;
        if (c == '\'' || c == '"')
            open = c;
        else if (!blank)
            command.arguments.back() += c;
    }
    if (open != '\0') return Unexpected{fmt::format("the quote {} is not closed", open)};
    if (command.arguments.empty()) return Unexpected{std::string("a command without words")};
    std::string const& binary = command.arguments.front();
    command.name = binary.substr(binary.rfind('/') + 1);
    if (command.name == "z3") command.between = Between::push_pop;
    if (command.name == "cvc4") command.between = Between::restart; // its (reset) keeps the names of assertions
    if (command.arguments.size() > 1) return command;
    auto& arguments = command.arguments;
    if (command.name == "z3") arguments.insert(arguments.end(), {"-in", "-smt2"});
    if (command.name == "cvc5" || command.name == "cvc4")
        arguments.insert(arguments.end(), {"--lang", "smt2", "--incremental"});
    return command;
}

std::string to_string(Answer const& answer, SolverCommand const& solver) {
    return std::visit(
        overloaded{
            [](answer::Sat const&) -> std::string { return "sat"; },
            [](answer::Unsat const&) -> std::string { return "unsat"; },
            [](answer::Unknown const& a) -> std::string {
                if (a.reason.empty()) return "unknown";
                return a.reason.front() == '(' ? "unknown " + a.reason : fmt::format("unknown ({})", a.reason);
            },
            [](answer::Timeout const& a) -> std::string { return fmt::format("timeout after {} ms", a.limit.count()); },
            [&](answer::Crashed const& a) -> std::string { return fmt::format("{} failed: {}", solver.name, a.how); },
            [](answer::Missing const& a) -> std::string { return "cannot start " + a.what; },
        },
        answer);
}

// ---- The conversation ----

Solver::Solver(SolverCommand command, SolverLimits limits) : command_(std::move(command)), limits_(limits) {}

Solver::~Solver() = default;

Answer Solver::check(std::string_view problem, Wanted wanted) {
    auto deadline = Clock::time_point::max();
    // A limit that the clock cannot represent is none.
    if (limits_.time && *limits_.time < std::chrono::hours(24 * 365 * 100))
        deadline = Clock::now() + std::max(*limits_.time, std::chrono::milliseconds(0));
    if (process_ && !process_->is_idle()) process_.reset();
    bool const kept = process_ != nullptr;
    Answer answer = attempt(problem, wanted, deadline);
    if (kept && std::holds_alternative<answer::Crashed>(answer)) answer = attempt(problem, wanted, deadline);
    return answer;
}

Answer Solver::attempt(std::string_view problem, Wanted wanted, Clock::time_point deadline) {
    Head const h = head(problem);
    // On the first line of the problem, so that the lines of error messages are the problem's.
    std::string const preamble =
        fmt::format("(set-option :print-success false)(set-option :produce-models {})", wanted.model);
    std::string const options = preamble + h.options;
    bool const in_scope =
        command_.between == Between::push_pop && problem.size() <= small && h.logic.starts_with("(set-logic QF_LIA");

    if (process_ && process_->options != options) process_.reset();
    std::string text;
    // z3 keeps the status of the problem before.
    if (process_) text = "(set-info :status unknown)";
    if (process_ && in_scope && process_->pushed_logic == h.logic) {
        text += "(pop 1)(push 1)" + h.infos;
    } else {
        if (process_) {
            text += "(reset)";
        } else {
            std::string trouble;
            try {
                process_ = std::make_unique<Process>();
                trouble = process_->start(command_, limits_);
            } catch (boost::system::system_error const& error) { // of asio, without descriptors
                trouble = error.code().message();
            }
            if (!trouble.empty()) {
                process_.reset();
                std::string const binary = command_.arguments.empty() ? "" : command_.arguments.front();
                return answer::Missing{fmt::format("{}: {}", printable(binary, quoted), trouble)};
            }
            process_->options = options;
        }
        text += preamble;
        text += h.text;
        if (in_scope) text += "(push 1)";
        process_->pushed_logic = in_scope ? h.logic : "";
    }
    text += problem.substr(h.text.size());
    text += "\n(check-sat)";

    Answer answer = converse(std::move(text), wanted, deadline);
    if (command_.between == Between::restart || std::holds_alternative<answer::Crashed>(answer) ||
        std::holds_alternative<answer::Timeout>(answer))
        process_.reset();
    return answer;
}

Answer Solver::converse(std::string text, Wanted wanted, Clock::time_point deadline) {
    using End = Process::Reply::End;
    Process::Reply reply;
    auto const with_messages = [&](std::string how) {
        if (!trimmed(process_->messages()).empty())
            how += fmt::format("; its standard error: {}", quote(process_->messages()));
        return answer::Crashed{std::move(how)};
    };
    /// Why the reply to a question is of no use.
    auto const failed = [&]() -> std::optional<Answer> {
        std::string const printed = trimmed(reply.text).empty() ? "" : " after printing " + quote(reply.text);
        switch (reply.end) {
        case End::answered:
            if (process_->messages().find("(error") != std::string::npos) break;
            return {};
        case End::ended: return with_messages(process_->status() + printed);
        case End::too_long: return with_messages(fmt::format("printed more than {} bytes{}", limits_.output, printed));
        case End::late: return answer::Timeout{limits_.time.value()};
        }
        return with_messages("reported an error");
    };
    auto const no_answer = [&](std::string_view question) {
        if (trimmed(reply.text).empty()) return with_messages(fmt::format("gave no answer to {}", question));
        return with_messages(fmt::format("answered {} to {}", quote(reply.text), question));
    };

    reply = process_->ask(std::move(text), deadline);
    if (auto trouble = failed()) return *trouble;
    std::string const verdict(trimmed(reply.text));

    if (verdict == "sat") {
        answer::Sat sat;
        if (wanted.model) {
            reply = process_->ask("(get-model)", deadline);
            if (auto trouble = failed()) return *trouble;
            sat.model = trimmed(reply.text);
            if (!is_one_list(sat.model) || has_error(sat.model)) return no_answer("(get-model)");
        }
        return sat;
    }
    if (verdict == "unsat") {
        answer::Unsat unsat;
        if (wanted.core) {
            reply = process_->ask("(get-unsat-core)", deadline);
            if (auto trouble = failed()) return *trouble;
            auto core = symbols(trimmed(reply.text));
            if (!core) return no_answer("(get-unsat-core)");
            unsat.core = std::move(*core);
        }
        return unsat;
    }
    if (verdict == "unknown") {
        reply = process_->ask("(get-info :reason-unknown)", deadline);
        if (auto trouble = failed()) return *trouble;
        std::string_view reason = trimmed(reply.text);
        if (!is_one_list(reason) || has_error(reason)) return no_answer("(get-info :reason-unknown)");
        reason = reason.substr(1, reason.size() - 2);
        if (constexpr std::string_view key = ":reason-unknown"; reason.starts_with(key))
            reason = trimmed(reason.substr(key.size()));
        if (reason.size() >= 2 && reason.front() == '"') reason = reason.substr(1, reason.size() - 2);
        return answer::Unknown{std::string(reason)};
    }
    return no_answer("(check-sat)");
}

} // namespace matchpoint
