// Files, folders, signals and programs of the system, as base/ handles them.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/signals.hpp"
#include "base/spawn.hpp"
#include "base/temporary_folder.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

/// Another value of an environment variable, as long as this exists.
class EnvironmentVariable {
public:
    EnvironmentVariable(char const* name, char const* value) : name_(name) {
        if (char const* const now = std::getenv(name)) before_ = now;
        ::setenv(name, value, 1);
    }
    EnvironmentVariable(EnvironmentVariable const&) = delete;
    EnvironmentVariable& operator=(EnvironmentVariable const&) = delete;
    ~EnvironmentVariable() {
        if (before_)
            ::setenv(name_, before_->c_str(), 1);
        else
            ::unsetenv(name_);
    }

private:
    char const* name_;
    std::optional<std::string> before_;
};

TEST(TemporaryFolder, GoesWithItsFiles) {
    std::filesystem::path path;
    {
        TemporaryFolder const folder;
        ASSERT_EQ(folder.error(), "");
        path = folder.path();
        EXPECT_TRUE(std::filesystem::is_directory(path));
        std::ofstream(path / "file") << "text";
        EXPECT_EQ(read_file(path / "file").value_or("nothing"), "text");
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, SaysWhyThereIsNone) {
    EnvironmentVariable const variable("TMPDIR", "/no/such/folder");
    TemporaryFolder const folder;
    EXPECT_TRUE(folder.path().empty());
    EXPECT_EQ(folder.error(), "cannot make a temporary folder in /no/such/folder: No such file or directory");
}

TEST(Files, ThatCannotBeReadSayWhy) {
    auto const text = read_file("/no/such/file");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error(), "cannot read /no/such/file: No such file or directory");
    EXPECT_FALSE(read_file("/")); // a folder
}

volatile std::sig_atomic_t handled = 0;

TEST(SignalHandlers, AreThereWhileTheyLive) {
    handled = 0;
    SignalHandlers outer;
    outer.on(SIGUSR1, {.handler = [](int) { handled = 1; }});
    {
        SignalHandlers inner;
        inner.on(SIGUSR1, {.handler = [](int) { handled = 2; }});
        ::raise(SIGUSR1);
        EXPECT_EQ(handled, 2);
    }
    ::raise(SIGUSR1);
    EXPECT_EQ(handled, 1);
}

TEST(SignalHandlers, LeaveAloneWhatIsIgnored) {
    handled = 0;
    SignalHandlers outer;
    outer.on(SIGUSR1, {.handler = SIG_IGN});
    SignalHandlers inner;
    inner.on(SIGUSR1, {.handler = [](int) { handled = 1; }, .keeps_ignored = true});
    ::raise(SIGUSR1);
    EXPECT_EQ(handled, 0);
    inner.on(SIGUSR1, {.handler = [](int) { handled = 1; }});
    ::raise(SIGUSR1);
    EXPECT_EQ(handled, 1);
}

TEST(Spawn, TakesFilesAndVariables) {
    TemporaryFolder const folder;
    Spawn s{.command = {"sh", "-c", "cat; echo \"$WORD\"; echo trouble >&2; exit 3"}};
    s.environment["WORD"] = "after";
    std::ofstream(folder.path() / "in") << "before\n";
    s.input_file = folder.path() / "in";
    s.output_file = folder.path() / "out";
    s.error_file = folder.path() / "err";
    auto const pid = spawn(s);
    ASSERT_TRUE(pid);
    int const status = wait_for(*pid);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3) << status;
    EXPECT_EQ(read_file(s.output_file).value_or("nothing"), "before\nafter\n");
    EXPECT_EQ(read_file(s.error_file).value_or("nothing"), "trouble\n");
}

TEST(Spawn, HasNoSignalThatIsIgnoredForAPipe) {
    SignalHandlers without;
    without.on(SIGPIPE, {.handler = SIG_IGN});
    auto const pid = spawn({.command = {"sh", "-c", "kill -PIPE $$"}});
    ASSERT_TRUE(pid);
    int const status = wait_for(*pid);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) << status;
}

TEST(Spawn, SaysWhatIsMissing) {
    auto const pid = spawn({.command = {"no-such-program-anywhere"}});
    ASSERT_FALSE(pid);
    EXPECT_EQ(pid.error(), ENOENT);
    EXPECT_EQ(find_binary("no-such-program-anywhere").error(), ENOENT);
    EXPECT_TRUE(find_binary("sh"));
    EXPECT_EQ(find_binary("./here").value(), "./here");
}

} // namespace
} // namespace matchpoint::test
