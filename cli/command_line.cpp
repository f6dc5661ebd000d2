#include "cli/command_line.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/nearest_name.hpp"
#include "base/numbers.hpp"
#include "cli/build_info.hpp"
#include "cli/cli.hpp"
#include "cli/command_files.hpp"
#include "cli/describe/completion.hpp"
#include "cli/describe/help.hpp"
#include "cli/describe/manual.hpp"
#include "cli/output.hpp"
#include "cli/usage_error.hpp"

namespace matchpoint::cli {

// ---------------------------------------------------------------------------------------------------------------------
// Checks

namespace {

std::string is_seconds(std::string const& word) {
    double seconds = 0;
    bool const positive = CLI::detail::lexical_cast(word, seconds) && seconds > 0 && seconds < 1e9;
    return positive ? std::string() : fmt::format("`{}` is not a number of seconds", word);
}

} // namespace

std::string joined(std::vector<std::string> const& words) {
    std::string result;
    for (std::string const& word : words) result += (result.empty() ? "" : "|") + word;
    return result;
}

Check is_one_of(std::vector<std::string> words) {
    return [words = std::move(words)](std::string const& word) {
        bool const is_known = std::find(words.begin(), words.end(), word) != words.end();
        if (is_known) return std::string();
        return fmt::format("`{}` is not one of {}{}", word, joined(words), did_you_mean(word, words));
    };
}

Check is_number(std::uint64_t least, std::uint64_t most, std::string expected) {
    return [=, expected = std::move(expected)](std::string const& word) {
        // CLI11 would make a large number of -1.
        auto const n = to_number<std::uint64_t>(word);
        bool const good = n && *n >= least && *n <= most;
        return good ? std::string() : fmt::format("`{}` is not a {}", word, expected);
    };
}

Check is_number(std::uint64_t least, std::uint64_t most) {
    return is_number(least, most, fmt::format("number from {} to {}", least, most));
}

// ---------------------------------------------------------------------------------------------------------------------
// Options

/// What all commands of a command line refer to.
struct Command::Shared {
    CLI::App app;
    Color color = Color::automatic;
    std::map<CLI::App const*, std::function<ExitCode(Terminal&)>> actions;
    std::map<std::string, std::vector<std::string>*> literal; // command, as in "mpi record" -> its words after `--`
    std::function<ExitCode(Terminal&)> instead;               // what runs instead of a command, if anything

    std::map<CLI::App const*, CommandFiles> files;
};

void Command::argument(std::string const& name, std::string& value, std::string const& description) {
    shared_->files[app_].inputs.push_back(&value);
    app_->add_option(name, value, description)->required()->type_name("");
}

void Command::argument(std::string const& name, std::vector<std::string>& values, std::string const& description) {
    shared_->files[app_].more_inputs.push_back(&values);
    app_->add_option(name, values, description)->required()->type_name("");
}

void Command::command_argument(std::string const& name, std::vector<std::string>& words,
                               std::string const& description) {
    shared_->files[app_].more_inputs.push_back(&words); // the program, and perhaps what it reads
    app_->add_option(name, words, description)->required()->type_name("");
    CLI::App const* const above = app_->get_parent();
    bool const is_below = above != nullptr && above->get_parent() != nullptr;
    shared_->literal[is_below ? above->get_name() + " " + app_->get_name() : app_->get_name()] = &words;
}

void Command::reads_in_folder(std::vector<std::string> const& endings) {
    shared_->files[app_].read_in_folders = endings;
}

void Command::flag(std::string const& name, bool& value, std::string const& description) {
    app_->add_flag(name, value, description);
}

void Command::flag(std::string const& name, std::function<void()> const& set, std::string const& description) {
    app_->add_flag_callback(name, set, description);
}

void Command::option(Option o) {
    CLI::Option* const added = app_->add_option_function<std::string>(o.name, o.set, o.description);
    added->check(std::move(o.check))->required(o.required)->type_name(o.type);
    if (!o.group.empty()) added->group(o.group);
}

void Command::text(std::string const& name, std::string const& type, std::string& value,
                   std::string const& description) {
    app_->add_option(name, value, description)->type_name(type);
}

void Command::report(std::string const& name, Content content, std::string& file, std::string const& description) {
    shared_->files[app_].contents.emplace_back(&file, content);
    shared_->files[app_].outputs.emplace_back(name, &file);
    text(name, "FILE", file, description);
}

void Command::inputs(std::string const& name, std::vector<std::string>& files, std::string const& description) {
    shared_->files[app_].more_inputs.push_back(&files);
    texts(name, "PATH", files, description);
}

void Command::texts(std::string const& name, std::string const& type, std::vector<std::string>& values,
                    std::string const& description) {
    app_->add_option(name, values, description)
        ->type_name(type)
        ->expected(1)
        ->allow_extra_args(false) // else it takes a `--` that follows it
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Command::number(std::string const& name, std::optional<std::uint64_t>& value, std::string const& description) {
    option({.name = name,
            .type = "N",
            .description = description,
            .set = [&value](std::string const& digits) { value = to_number<std::uint64_t>(digits).value(); },
            .check = is_number(1, UINT64_MAX, "number: 1, 2, 3 ...")});
}

void Command::count(std::string const& name, std::string const& type, std::uint64_t& value,
                    std::string const& description) {
    app_->add_option(name, value, description)->check(is_number(0, UINT64_MAX, "number: 0, 1, 2 ..."))->type_name(type);
}

void Command::count(std::string const& name, std::optional<std::uint64_t>& value, std::string const& description) {
    option({.name = name,
            .type = "N",
            .description = description,
            .set = [&value](std::string const& digits) { value = to_number<std::uint64_t>(digits).value(); },
            .check = is_number(0, UINT64_MAX, "number: 0, 1, 2 ...")});
}

void Command::range(std::string const& name, std::string const& type, unsigned& value, unsigned least, unsigned most,
                    std::string const& description) {
    app_->add_option(name, value, description)->check(is_number(least, most))->type_name(type);
}

void Command::range(std::string const& name, std::string const& type, std::optional<unsigned>& value, unsigned least,
                    unsigned most, std::string const& description) {
    app_->add_option(name, value, description)->check(is_number(least, most))->type_name(type);
}

void Command::seconds(std::string const& name, std::string const& type, double& value, std::string const& description) {
    app_->add_option(name, value, description)->check(is_seconds)->type_name(type);
}

void Command::seconds(std::string const& name, std::string const& type, std::optional<double>& value,
                      std::string const& description) {
    app_->add_option(name, value, description)->check(is_seconds)->type_name(type);
}

void Command::choice(std::string const& name, std::vector<std::string> const& words,
                     std::function<void(std::string const&)> set, std::string const& description) {
    option({.name = name,
            .type = joined(words),
            .description = description,
            .set = std::move(set),
            .check = is_one_of(words)});
}

// ---------------------------------------------------------------------------------------------------------------------
// Options that several commands share

namespace {

constexpr auto solver_help = "z3, cvc5 or cvc4, or a path that ends in such a name and is one word: run with the "
                             "arguments that it needs. Else a "
                             "command with its arguments, run as it is, without a shell; quotes keep words together. "
                             "It reads SMT-LIB and answers "
                             "at once. Default: z3";

} // namespace

namespace {

Choices<PairsMethod> const& pairs_methods() {
    static Choices<PairsMethod> const methods{{"overapprox", PairsMethod::overapprox},
                                              {"overapprox-all-sends", PairsMethod::overapprox_all_sends},
                                              {"tight", PairsMethod::tight},
                                              {"exact", PairsMethod::exact}};
    return methods;
}

} // namespace

void Command::buffering(Buffering& value) {
    choice("--buffering", value, Choices<Buffering>{{"infinite", Buffering::infinite}, {"zero", Buffering::zero}},
           "infinite: messages are buffered; zero: a send and its receive meet. Default: infinite");
}

void Command::buffering(std::optional<Buffering>& value) {
    static Choices<std::optional<Buffering>> const choices{{"infinite", Buffering::infinite},
                                                           {"zero", Buffering::zero}};
    choice("--buffering", value, choices,
           "infinite: messages are buffered; zero: a send and its receive meet. Default: what the file's first comment "
           "says of the trace, as those of `check -o` do, else infinite");
}

void Command::runs(Runs& value, std::string const& description) {
    static Choices<Runs> const choices{{"executions", Runs::executions}, {"complete", Runs::complete}};
    choice("--runs", value, choices, description);
}

void Command::runs(std::optional<Runs>& value, std::string const& description) {
    static Choices<std::optional<Runs>> const choices{{"executions", Runs::executions}, {"complete", Runs::complete}};
    choice("--runs", value, choices, description);
}

void Command::bufferings(std::vector<Buffering>& values, std::string const& description) {
    choice("--buffering", values,
           Choices<std::vector<Buffering>>{{"infinite", {Buffering::infinite}},
                                           {"zero", {Buffering::zero}},
                                           {"both", {Buffering::infinite, Buffering::zero}}},
           description);
}

void Command::trace(std::optional<std::size_t>& number, std::string const& description) {
    option({.name = "--trace",
            .type = "N",
            .description = description,
            .set = [&number](std::string const& digits) { number = to_number<unsigned>(digits).value(); },
            .check = is_number(1, UINT32_MAX, "trace number: 1, 2, 3 ...")});
}

void Command::pairs_method(std::string const& name, PairsMethod& value, std::string const& description) {
    choice(name, value, pairs_methods(), description);
}

void Command::pairs_method_or_file(std::string const& name, PairsMethod& value, std::string& file,
                                   std::string const& description) {
    shared_->files[app_].inputs.push_back(&file);
    std::vector<std::string> words;
    for (auto const& [word, method] : pairs_methods()) words.push_back(word);
    option({.name = name,
            .type = joined(words) + "|FILE",
            .description = description,
            .set =
                [&value, &file](std::string const& word) {
                    auto const method = pairs_methods().find(word);
                    file = method == pairs_methods().end() ? word : std::string();
                    if (file.empty()) value = method->second;
                },
            .check =
                [words](std::string const& word) {
                    std::error_code error;
                    if (word == "-" || is_one_of(words)(word).empty() || std::filesystem::exists(word, error))
                        return std::string();
                    return fmt::format("`{}` is neither a file nor one of {}{}", word, joined(words),
                                       did_you_mean(word, words));
                }});
}

void Command::pairs_limit(std::optional<std::uint64_t>& steps) {
    number("--limit", steps, "Take at most N machine steps for the exact pairs. Default: 20000000");
}

void Command::limits(Limits& value) {
    seconds("--timeout", "T", value.timeout, "Time limit in seconds. Default: no limit");
    number("--memory", value.memory, "Memory limit in MiB. Default: no limit");
}

void Command::solver(std::string& command) { app_->add_option("--solver", command, solver_help)->type_name("S"); }

void Command::solver(std::optional<std::string>& command) {
    app_->add_option("--solver", command, solver_help)->type_name("S");
}

void Command::output(Content content, std::string& file, std::string const& description) {
    shared_->files[app_].contents.emplace_back(&file, content);
    output(file, description, "OUT");
}

void Command::output(std::string& file, std::string const& description, std::string const& type) {
    shared_->files[app_].outputs.emplace_back("-o", &file);
    text("-o,--output", type, file, description);
}

void Command::format(Format& value) {
    choice("--format", value, Choices<Format>{{"text", Format::text}, {"json", Format::json}}, "Default: text");
}

void Command::color() {
    choice("--color", shared_->color,
           Choices<Color>{{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}},
           "Color the output; `auto` also respects NO_COLOR. Default: auto");
}

void Command::action(std::function<ExitCode(Terminal&)> run) {
    shared_->actions[app_] = [run = std::move(run), app = app_, shared = shared_](Terminal& terminal) {
        auto given = app->get_subcommands(); // of `mpi`: `replay`
        given.push_back(app);
        CommandFiles files;
        for (CLI::App const* const command : given) files.add(shared->files[command]);
        if (std::string const option = files.replaces_an_input(); !option.empty()) {
            complain(terminal, option + " would replace the input", ErrorKind::usage);
            return bad_input;
        }
        for (auto const& [output, content] : files.contents)
            if (ExitCode const code = check_output(*output, content, terminal); code != holds) return code;
        return run(terminal);
    };
}

Command Command::add(std::string const& name, std::string const& summary, std::string const& footer) {
    CLI::App* const command = app_->add_subcommand(name, summary);
    command->fallthrough()->footer(footer);
    app_->require_subcommand(0, 1);
    return {*command, *shared_};
}

std::string Command::given() const {
    auto const commands = app_->get_subcommands();
    return commands.empty() ? std::string() : commands.front()->get_name();
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

ExitCode write_manual(CommandDescription const& all, std::string const& folder, Terminal& terminal) {
    for (ManualPage const& page : manual_pages(all, build_info::version, build_info::date))
        if (ExitCode const code = replace_or_complain(folder + "/" + page.name, page.text, terminal); code != holds)
            return code;
    return holds;
}

} // namespace

CommandLine::CommandLine(std::string const& summary, std::string const& footer)
    : shared_(std::make_unique<Command::Shared>()) {
    CLI::App& app = shared_->app;
    app.description(summary);
    app.name("matchpoint");
    app.set_version_flag("--version", "matchpoint " + std::string(build_info::version),
                         "Print the version and exit, as `matchpoint version` does");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.footer(footer);
    app.require_subcommand(1);
    add_descriptions();
    app.formatter(help_formatter());
}

CommandLine::~CommandLine() = default;

/// Options that print the command line itself. They end the parsing, as `--help` does.
void CommandLine::add_descriptions() {
    Command::Shared& shared = *shared_;
    Command top(shared.app, shared);
    std::vector<std::string> const shells{"bash", "fish", "zsh"};
    auto const write_completion = [&shared](std::string const& shell) {
        shared.instead = [&shared, shell](Terminal& terminal) {
            CommandDescription const all = describe(shared.app);
            terminal.out(shell == "bash"   ? bash_completion(all)
                         : shell == "fish" ? fish_completion(all)
                                           : zsh_completion(all));
            return holds;
        };
        throw CLI::Success();
    };
    // Of another shell none of these is a misspelling: there is no suggestion.
    top.option({.name = "--completion",
                .type = joined(shells),
                .description = "Print a script that completes commands in a shell, and exit",
                .set = write_completion,
                .check = [shells](std::string const& word) {
                    bool const is_known = std::find(shells.begin(), shells.end(), word) != shells.end();
                    return is_known ? std::string() : fmt::format("`{}` is not one of {}", word, joined(shells));
                }});
    auto const write_pages = [&shared](std::string const& folder) {
        shared.instead = [&shared, folder](Terminal& terminal) {
            return write_manual(describe(shared.app), folder, terminal);
        };
        throw CLI::Success();
    };
    top.option({.name = "--man-pages",
                .type = "DIR",
                .description = "Write the manual pages into a folder, and exit",
                .set = write_pages,
                .check = [](std::string const&) { return std::string(); }});
}

Command CommandLine::add(std::string const& name, std::string const& summary, std::string const& footer) {
    CLI::App* const command = shared_->app.add_subcommand(name, summary);
    command->footer(footer);
    return {*command, *shared_};
}

/// Those of the given command; null if it takes none.
std::vector<std::string>* CommandLine::literal_words(std::vector<std::string> const& arguments) const {
    std::string above;
    for (std::size_t i = 1; i < arguments.size() && arguments[i] != "--"; ++i) {
        std::string const& word = arguments[i];
        auto const found = shared_->literal.find(above.empty() ? word : fmt::format("{} {}", above, word));
        if (found != shared_->literal.end()) return found->second;
        if (above.empty()) above = word;
    }
    return nullptr;
}

/// Throws a CLI::Error unless the words are right and name a command.
void CommandLine::parse(std::vector<std::string> const& arguments) {
    // CLI11 splits a word in square brackets, even after `--`, unless it begins with a blank.
    std::vector<std::string> words = arguments;
    std::vector<std::string>* const literal = literal_words(arguments);
    std::size_t marked = 0;
    if (literal != nullptr)
        for (auto word = std::find(words.begin(), words.end(), "--"); word != words.end(); ++word)
            if (marked++ > 0) word->insert(0, " ");
    std::vector<char const*> pointers;
    pointers.reserve(words.size());
    for (std::string const& word : words) pointers.push_back(word.c_str());
    shared_->app.parse(static_cast<int>(pointers.size()), pointers.data());
    if (marked > 0) {
        --marked; // the `--`
        for (std::size_t i = literal->size() - marked; i < literal->size(); ++i) (*literal)[i].erase(0, 1);
    }
}

ExitCode CommandLine::run_parsed() {
    Terminal terminal(shared_->color);
    ExitCode const code = shared_->actions.at(shared_->app.get_subcommands().front())(terminal);
    terminal.flush();
    return code;
}

std::optional<ExitCode> CommandLine::run_command(std::vector<std::string> const& arguments) {
    try {
        parse(arguments);
    } catch (CLI::Error const&) {
        return std::nullopt;
    }
    return run_parsed();
}

ExitCode CommandLine::run(std::vector<std::string> const& arguments) {
    try {
        parse(arguments);
    } catch (CLI::Success const& e) { // --help, --completion, --man-pages
        if (shared_->instead) {
            Terminal terminal(shared_->color);
            ExitCode const code = shared_->instead(terminal);
            terminal.flush();
            return code;
        }
        shared_->app.exit(e);
        if (!std::cout.flush()) throw OutputFailed("cannot write standard output");
        return holds;
    } catch (CLI::ParseError const& e) {
        Terminal terminal(shared_->color);
        bool const has_mark = std::find(arguments.begin(), arguments.end(), "--") != arguments.end();
        std::vector<std::string> hints; // the words before it are read as our options
        if (literal_words(arguments) != nullptr && !has_mark)
            hints.emplace_back("put `--` between our options and the command to run");
        complain(terminal, usage_error(shared_->app, e, arguments), ErrorKind::usage, hints);
        return bad_input;
    }
    return run_parsed();
}

} // namespace matchpoint::cli
