// The command line: each command declares its name, help, options and action, in its own file.
//
//   void add_suite(CommandLine& line) {
//       auto const options = std::make_shared<SuiteOptions>();
//       Command command = line.add("suite", "Write the conformance suite ...", examples);
//       command.argument("DIR", options->folder, "The folder; it must be empty or not exist");
//       command.color();
//       command.action([options](Terminal& terminal) { return suite_command(*options, terminal); });
//   }
//
// Only command_line.cpp, usage_error.cpp, describe/description.cpp and describe/help.cpp include CLI11, whose headers
// take seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "executions/exact_pairs.hpp"
#include "executions/runs.hpp"

namespace CLI {
class App;
}

namespace matchpoint::cli {

enum class Format { text, json };

/// What is wrong with the word given to an option; an empty string if nothing is.
using Check = std::function<std::string(std::string const&)>;

/// "a|b|c"
std::string joined(std::vector<std::string> const& words);
Check is_one_of(std::vector<std::string> words);
/// `expected` says what the word is not: "number: 1, 2, 3 ...".
Check is_number(std::uint64_t least, std::uint64_t most, std::string expected);
Check is_number(std::uint64_t least, std::uint64_t most);

/// An option that takes a word, or an argument if its name has no dash.
struct Option {
    std::string name;
    std::string type; // what `--help` calls the word
    std::string description;
    std::function<void(std::string const&)> set;
    Check check;
    bool required = false;
    std::string group = {}; // the heading in `--help`; the common one if empty
};

/// The words that an option accepts, with what they mean.
template <typename T>
using Choices = std::map<std::string, T>;

inline constexpr auto file_help = "The program, and its traces; `-` is standard input";
inline constexpr auto program_help = "The program; `-` is standard input";
inline constexpr auto names_help = "Show the names of a recording's commands and messages, such as R0_3 = S2_1, "
                                   "instead of their lines in the source";

/// A handle of a command that is being declared. Options appear in `--help` in the order of these calls. The variables
/// have to live until the action has run.
class Command {
public:
    // Arguments. They are required.

    void argument(std::string const& name, std::string& value, std::string const& description);
    void argument(std::string const& name, std::vector<std::string>& values, std::string const& description);
    /// For commands that read folders: the endings of the files that they read there, as in ".ctp".
    void reads_in_folder(std::vector<std::string> const& endings);
    /// The words after `--`, whatever they look like.
    void command_argument(std::string const& name, std::vector<std::string>& words, std::string const& description);

    // Options of any command.

    void flag(std::string const& name, bool& value, std::string const& description);
    void flag(std::string const& name, std::function<void()> const& set, std::string const& description);
    void option(Option option);
    void text(std::string const& name, std::string const& type, std::string& value, std::string const& description);
    /// May be given several times.
    void texts(std::string const& name, std::string const& type, std::vector<std::string>& values,
               std::string const& description);
    /// Files and folders that are read, beside the arguments. May be given several times.
    void inputs(std::string const& name, std::vector<std::string>& files, std::string const& description);
    /// A file that is written besides that of -o. It must not be an input either, and replaces only its like.
    void report(std::string const& name, Content content, std::string& file, std::string const& description);
    /// A number from 1 on.
    void number(std::string const& name, std::optional<std::uint64_t>& value, std::string const& description);
    /// A number from 0 on.
    void count(std::string const& name, std::string const& type, std::uint64_t& value, std::string const& description);
    void count(std::string const& name, std::optional<std::uint64_t>& value, std::string const& description);
    void range(std::string const& name, std::string const& type, unsigned& value, unsigned least, unsigned most,
               std::string const& description);
    void range(std::string const& name, std::string const& type, std::optional<unsigned>& value, unsigned least,
               unsigned most, std::string const& description);
    void seconds(std::string const& name, std::string const& type, double& value, std::string const& description);
    void seconds(std::string const& name, std::string const& type, std::optional<double>& value,
                 std::string const& description);
    template <typename T>
    void choice(std::string const& name, T& value, Choices<T> const& choices, std::string const& description) {
        std::vector<std::string> names;
        for (auto const& [word, meaning] : choices) names.push_back(word);
        choice(
            name, names, [&value, choices](std::string const& word) { value = choices.at(word); }, description);
    }

    // Options that several commands share.

    void buffering(Buffering& value);
    /// None if it was not given; TraceEnding says it then.
    void buffering(std::optional<Buffering>& value);
    /// infinite, zero or both
    void bufferings(std::vector<Buffering>& values, std::string const& description);
    void runs(Runs& value, std::string const& description);
    void runs(std::optional<Runs>& value, std::string const& description);
    void trace(std::optional<std::size_t>& number, std::string const& description = only_trace);
    void pairs_method(std::string const& name, PairsMethod& value, std::string const& description);
    /// The same, or a file; `file` is empty for a method.
    void pairs_method_or_file(std::string const& name, PairsMethod& value, std::string& file,
                              std::string const& description);
    void pairs_limit(std::optional<std::uint64_t>& steps);
    void limits(Limits& value);
    void solver(std::string& command);
    void solver(std::optional<std::string>& command);
    void output(Content content, std::string& file, std::string const& description);
    /// The same for what the command itself protects from being replaced.
    void output(std::string& file, std::string const& description, std::string const& type);
    void format(Format& value);
    void color();

    /// What the command does once all options are read.
    void action(std::function<ExitCode(Terminal&)> run);

    /// A command of this command, which takes the options of both.
    Command add(std::string const& name, std::string const& summary, std::string const& footer);
    /// The name of the one that was given; empty if there was none.
    std::string given() const;

private:
    friend class CommandLine;
    struct Shared;
    static constexpr auto only_trace = "Only trace N of the file, counted from 1";

    Command(CLI::App& app, Shared& shared) : app_(&app), shared_(&shared) {}
    void choice(std::string const& name, std::vector<std::string> const& words,
                std::function<void(std::string const&)> set, std::string const& description);

    CLI::App* app_;
    Shared* shared_;
};

class CommandLine {
public:
    CommandLine(std::string const& summary, std::string const& footer);
    ~CommandLine();
    CommandLine(CommandLine const&) = delete;
    CommandLine& operator=(CommandLine const&) = delete;

    Command add(std::string const& name, std::string const& summary, std::string const& footer);

    /// Reads the arguments and runs the command that they name. `--help`, `--completion` and `--man-pages` are answered
    /// here, and so are complaints about usage.
    ExitCode run(std::vector<std::string> const& arguments);

    /// As run(), but does nothing if that would need no command, but a description of the command line or a complaint.
    std::optional<ExitCode> run_command(std::vector<std::string> const& arguments);

private:
    std::vector<std::string>* literal_words(std::vector<std::string> const& arguments) const;
    void parse(std::vector<std::string> const& arguments);
    ExitCode run_parsed();
    void add_descriptions();

    std::unique_ptr<Command::Shared> shared_;
};

} // namespace matchpoint::cli
