#include "cli/cli.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "programs/families.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto exit_codes = R"(Exit codes:
  0   holds: every trace a success, the program safe, nothing wrong
  1   unknown, or a limit reached
  2   usage, or an input that cannot be read or breaks a rule
  3   a solver is missing or failed
  10  a failure: an assertion fails
  11  deadlock: nothing fails, but some execution gets stuck
  12  infeasible: an assumption does not hold, or no run completes
  13  error: a trace does not complete, or some execution has a fault
  20  a solver and the machine disagree
  70  an internal error (a bug in matchpoint)
  74  the output could not be written
Of several traces the worst: success < failure < infeasible < error.
Of several programs the first of 20, 70, 74, 10, 2, 3, 1, 11, 13, 12, 0.
)";

constexpr auto main_examples = R"(Examples:
  matchpoint run traces/figure1.ctp      every trace, and why it ended so
  matchpoint run traces/figure1.ctp --trace 2 --steps
                                         one trace, rule by rule
  matchpoint check traces/figure1.ctp    could any execution have failed?
  matchpoint step traces/figure1.ctp     step through it
  matchpoint draw traces/figure1.ctp     who sent what to whom, and when
  matchpoint lint my_program.ctp         is it well written?
  matchpoint fmt -i my_program.ctp       in canonical form

`matchpoint COMMAND --help` tells more of a command.

)";

constexpr auto run_examples = R"(Examples:
  matchpoint run traces/figure1.ctp
  matchpoint run traces/figure1.ctp --trace 2 --steps
  matchpoint run traces/figure1.ctp --buffering zero
  matchpoint run traces/figure1.ctp --format json | jq '.traces[].status'
  matchpoint run - < traces/figure1.ctp && echo "every trace succeeds"

)";

constexpr auto interrupted = R"(Ctrl-C (SIGINT) ends it at once, and a solver with it, with none of these codes.
What was printed before stays.

)";

constexpr auto step_examples = R"(Commands are gdb's where gdb has them; `help` lists them (docs/guide.md).

Examples:
  matchpoint step traces/figure1.ctp             along the first trace
  matchpoint step traces/figure1.ctp --choose    by choosing what comes next
  echo "search failure
  continue
  why" | matchpoint step traces/figure1.ctp --choose --echo

Exit codes: 0 the end, 2 the input cannot be read or breaks a rule, or a command
of a script or pipe cannot be done.
)";

constexpr auto smt_examples = R"(Examples:
  matchpoint smt traces/figure1.ctp --trace 2    the problem, as SMT-LIB 2.6
  matchpoint smt traces/figure1.ctp --solve      the solver's answer beside the
                                                 machine's status
  matchpoint smt traces/figure1.ctp --check --solver cvc5
  matchpoint smt program.ctp --comb --solve --solver "yices-smt2 --incremental"

)";

constexpr auto check_examples = R"(Examples:
  matchpoint check traces/figure1.ctp
  matchpoint check traces/figure1.ctp -o witness.ctp; matchpoint run witness.ctp
  matchpoint check traces/figure*.ctp --buffering both --timeout 10
  matchpoint check program.ctp --engine smt --solver cvc5
  matchpoint gen scaling 1000 | matchpoint check - --engine sat
  matchpoint check program.ctp --certificate DIR; scripts/check_certificate DIR

Verdicts:
  violated    some complete run fails: an assertion does not hold
  safe        none does, and some complete run succeeds
  vacuous     no run completes, or each that does breaks an assumption
  unknown     not settled; the last lines say why

)";

constexpr auto explore_examples = R"(Examples:
  matchpoint explore traces/figure1.ctp
  matchpoint explore program.ctp --limit 1000    the first 1000 executions
  matchpoint explore program.ctp --verdicts      enough of them for the verdict

)";

constexpr auto pairs_examples = R"(Examples:
  matchpoint pairs traces/figure16.ctp --method overapprox    Figure 15
  matchpoint pairs traces/figure16.ctp --why                  and what is bogus

Exit codes: 0 done, 1 a limit reached, 2 the input cannot be read or breaks a
rule.
)";

constexpr auto encode_examples = R"(Examples:
  matchpoint encode traces/figure1.ctp | z3 -in    sat: some execution fails
  matchpoint encode traces/figure1.ctp --encoding section5 -o paper.smt2

Exit codes: 0 done, 1 a limit reached, 2 the input cannot be read or breaks a
rule, 74 the output could not be written.
)";

constexpr auto draw_examples = R"(Examples:
  matchpoint draw traces/figure1.ctp --trace 2         on the terminal
  matchpoint draw traces/figure1.ctp -o figure1.html   step by step, all traces
  matchpoint draw traces/figure1.ctp --trace 2 -o figure3.svg
  matchpoint draw traces/figure1.ctp -o run.json       for ui.perfetto.dev
  matchpoint draw traces/figure1.ctp --format shiviz -o run.log
                                                       docs/drawing.md has more

A run that gets stuck is drawn as far as it went.

Exit codes: 0 drawn, 1 a limit reached, 2 the input cannot be read or breaks a
rule, 74 the output could not be written.
)";

constexpr auto validate_examples = R"(Examples:
  matchpoint validate -- exact           our own encoder: nothing is wrong
  matchpoint validate -- section5        Section 5 of the paper to the letter
  matchpoint validate --jobs 2 -- python3 my_encoder.py
  matchpoint validate --buffering infinite -- ./encode --pairs {pairs} {ctp}

The encoder prints an SMT-LIB problem that is satisfiable if some complete run
fails, or `sat` or `unsat`, or a JSON object with a "verdict"
(docs/validate.md).

Exit codes: 0 it agrees in every case, 1 not all cases were asked or answered,
2 usage, 3 it cannot be run, 20 it disagrees, 70 matchpoint disagrees with
itself, 74 the output could not be written.
)";

constexpr auto suite_examples = R"(Examples:
  matchpoint suite conformance
  conformance/check.py --command 'my_checker {ctp} {buffering}'
                                         conformance/README.md tells the rest

Exit codes: 0 done, 2 DIR is there already, 74 it could not be written; then
there is no part of it either.
)";

constexpr auto gen_examples = R"(Examples:
  matchpoint gen --list                        all families and their variants
  matchpoint gen scaling --help                one of them
  matchpoint gen scaling 30 --safe -o scaling.ctp
  matchpoint gen pktuse --safe sums --seed 7 | matchpoint check -
  matchpoint gen vamp formula.cnf | matchpoint check -
  matchpoint gen random 7 --orphans 100 --trace
                                               docs/families.md has more

Exit codes: 0 done, 1 a limit reached, 2 usage, or the formula cannot be read or
breaks a rule, 74 the output could not be written.
)";

constexpr auto family_footer = R"(With the options of `matchpoint gen`: --trace, -o OUT{}.
)";

constexpr auto lint_examples = R"(Examples:
  matchpoint lint traces/*.ctp
  matchpoint lint --strict program.ctp || echo "no program for check"

Exit codes: 0 no error (with --strict no warning either), 1 an integer beyond
the limit, 2 otherwise.
)";

constexpr auto fmt_examples = R"(Examples:
  matchpoint fmt program.ctp
  matchpoint fmt -i program.ctp
  generate | matchpoint fmt -

Exit codes: 0 done, 1 an integer beyond the limit, 2 the input cannot be read or
is no program, 74 the output could not be written. A file that could not be
written as a whole is left as it was.
)";

constexpr auto oracle_examples = R"(Requests and answers are JSON-RPC 2.0, one a line, on standard input and
standard output (docs/oracle.md).

Examples:
  docs/cegar.py traces/figure1.ctp          a loop that asks it
  echo '{"jsonrpc": "2.0", "id": 1, "method": "load",
         "params": {"file": "traces/figure1.ctp"}}' | tr -d '\n' |
    matchpoint oracle

Exit codes: 0 the end of the input or a request to shut down, 70 an internal
error, 74 the output could not be written.
)";

std::map<std::string, Buffering> const bufferings{{"infinite", Buffering::infinite}, {"zero", Buffering::zero}};
std::map<std::string, std::vector<Buffering>> const buffering_sets{
    {"infinite", {Buffering::infinite}}, {"zero", {Buffering::zero}}, {"both", {Buffering::infinite, Buffering::zero}}};
std::map<std::string, EngineChoice> const engines{{"auto", EngineChoice::automatic},
                                                  {"explore", EngineChoice::explore},
                                                  {"sat", EngineChoice::sat},
                                                  {"smt", EngineChoice::smt}};
std::map<std::string, PairsMethod> const pair_methods{{"overapprox", PairsMethod::overapprox},
                                                      {"overapprox-all-sends", PairsMethod::overapprox_all_sends},
                                                      {"tight", PairsMethod::tight},
                                                      {"exact", PairsMethod::exact}};
std::map<std::string, Encoder const*> const encodings = [] {
    std::map<std::string, Encoder const*> of_all_executions;
    for (Encoder const& b : encoders())
        if (!b.is_of_one_trace()) of_all_executions.emplace(b.name, &b);
    return of_all_executions;
}();
std::map<std::string, Asked> const askeds{
    {"failure", Asked::failure}, {"success", Asked::success}, {"any", Asked::any}};
std::map<std::string, Format> const formats{{"text", Format::text}, {"json", Format::json}};
std::map<std::string, std::optional<Picture>> const pictures{
    {"text", Picture::text},     {"svg", Picture::svg},           {"html", Picture::html}, {"dot", Picture::dot},
    {"shiviz", Picture::shiviz}, {"perfetto", Picture::perfetto}, {"itf", Picture::itf}};
std::map<std::string, Color> const colors{
    {"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}};

/// The words of a text on lines of at most `width` characters; lines that it has stay apart.
std::string wrapped(std::string_view text, std::size_t width) {
    std::string result;
    std::size_t column = 0;
    while (!text.empty()) {
        std::size_t const end = text.find_first_of(" \n");
        std::string_view const word = text.substr(0, end);
        if (column > 0 && column + 1 + word.size() > width) {
            result += '\n';
            column = 0;
        }
        if (column > 0) result += ' ';
        column += word.size() + (column > 0 ? 1 : 0);
        result += word;
        if (end == std::string_view::npos) break;
        if (text[end] == '\n') {
            result += '\n';
            column = 0;
        }
        text.remove_prefix(end + 1);
    }
    return result;
}

/// Help for terminals of 80 columns.
class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter() {
        column_width(34);
        label("REQUIRED", "");
        label("SUBCOMMAND", "COMMAND");
        label("OPTIONS", "OPTION ...");
        label("Subcommands", "Commands");
    }
    std::string make_description(CLI::App const* app) const override {
        return wrapped(CLI::Formatter::make_description(app), 80);
    }
    std::string make_option_desc(CLI::Option const* option) const override {
        return wrapped(option->get_description(), 80 - get_column_width());
    }
    std::string make_subcommand(CLI::App const* command) const override {
        std::size_t column = 12;
        for (CLI::App const* sibling : command->get_parent()->get_subcommands({}))
            column = std::max(column, sibling->get_name().size() + 4);
        std::ostringstream out;
        CLI::detail::format_help(out, command->get_name(), wrapped(command->get_description(), 80 - column), column);
        return out.str();
    }
};

/// An option whose value is one of a few words.
template <typename T>
void add_choice(CLI::App& app, std::string const& name, T& value, std::map<std::string, T> const& choices,
                std::string const& description) {
    std::string words;
    for (auto const& [word, unused] : choices) words += (words.empty() ? "" : "|") + word;
    app.add_option_function<std::string>(
           name, [&value, &choices](std::string const& word) { value = choices.at(word); }, description)
        ->check([&choices, words](std::string const& word) {
            return choices.count(word) != 0 ? std::string() : fmt::format("`{}` is none of {}", word, words);
        })
        ->type_name(words);
}

/// Whether a command has an option, or one that it is a part of.
bool has_option(CLI::App const& app, std::string const& option) {
    for (CLI::App const* a = &app; a != nullptr; a = a->get_parent())
        if (a->get_option_no_throw(option) != nullptr) return true;
    return false;
}

/// What is wrong with the arguments. They are shown escaped: nothing that a user passed reaches the terminal raw.
std::string usage_error(CLI::App const& app, CLI::ParseError const& e, int argc, char const* const* argv) {
    CLI::App const* innermost = &app;
    std::string command = "matchpoint";
    while (!innermost->get_subcommands().empty()) {
        innermost = innermost->get_subcommands().front();
        command += " " + innermost->get_name();
    }
    std::string what = e.what();
    if (innermost == &app && argc > 1)
        what = fmt::format("there is no {} `{}`", argv[1][0] == '-' ? "option" : "command", argv[1]);
    else if (argc == 1)
        what = "a command is missing";
    // CLI11 lists all that is left over, in no helpful order: the first option that there is not says it.
    for (int i = 2; i < argc && dynamic_cast<CLI::ExtrasError const*>(&e) != nullptr && innermost != &app; ++i) {
        std::string const option = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
        if (option.size() < 2 || option[0] != '-' || has_option(*innermost, option)) continue;
        what = fmt::format("there is no option `{}`", option);
        break;
    }
    return fmt::format("{} (see `{} --help`)", printable(what, 300), command);
}

std::string is_trace_number(std::string const& n) {
    bool const digits = !n.empty() && n.find_first_not_of("0123456789") == std::string::npos;
    bool const number = digits && n.size() <= 10 && std::stoull(n) >= 1 && std::stoull(n) <= 0xFFFF'FFFF;
    return number ? std::string() : fmt::format("`{}` is no trace number: 1, 2, 3 ...", n);
}

/// --trace N
void add_trace(CLI::App& app, std::optional<std::size_t>& trace,
               std::string const& description = "Only trace N of the file, counted from 1") {
    app.add_option_function<std::string>(
           "--trace", [&trace](std::string const& n) { trace = std::stoul(n); }, description)
        ->check(is_trace_number)
        ->type_name("N");
}

/// An option that takes a positive number.
void add_number(CLI::App& app, std::string const& name, std::optional<std::uint64_t>& n,
                std::string const& description) {
    app.add_option_function<std::string>(
           name, [&n](std::string const& digits) { n = std::stoull(digits); }, description)
        ->check([](std::string const& digits) {
            bool const good = !digits.empty() && digits.size() <= 18 &&
                              digits.find_first_not_of("0123456789") == std::string::npos && std::stoull(digits) > 0;
            return good ? std::string() : fmt::format("`{}` is no number: 1, 2, 3 ...", digits);
        })
        ->type_name("N");
}

/// Of an option that takes a number from 0 on; CLI11 would make a large one of -1.
std::string is_count(std::string const& digits) {
    bool const good =
        !digits.empty() && digits.size() <= 18 && digits.find_first_not_of("0123456789") == std::string::npos;
    return good ? std::string() : fmt::format("`{}` is no number: 0, 1, 2 ...", digits);
}

template <typename T>
void add_solver(CLI::App& app, T& solver) {
    app.add_option(
           "--solver", solver,
           "z3, cvc5 or cvc4, or a path that ends in such a name and is one word: run with the arguments that it "
           "needs. Else a command with its arguments, run as it is, without a shell; quotes keep words together. "
           "It reads SMT-LIB and answers at once. Default: z3")
        ->type_name("S");
}

template <typename T>
void add_timeout(CLI::App& app, T& timeout, std::string const& description, std::string const& name = "--timeout",
                 std::string const& unit = "T") {
    app.add_option(name, timeout, description)
        ->check([](std::string const& t) {
            double seconds = 0;
            bool const positive = CLI::detail::lexical_cast(t, seconds) && seconds > 0 && seconds < 1e9;
            return positive ? std::string() : fmt::format("`{}` is no number of seconds", t);
        })
        ->type_name(unit);
}

/// The command for a family of `gen`.
void add_family(CLI::App& gen, families::Family const& family, GenOptions& options) {
    CLI::App& app = *gen.add_subcommand(std::string(family.name), std::string(family.summary));
    app.fallthrough();
    if (family.reads_formula)
        app.add_option("FILE", options.file, "The formula, in DIMACS format; `-` is standard input")
            ->required()
            ->type_name("");
    for (std::size_t i = 0; i < family.parameters.size(); ++i) {
        families::Parameter const& p = family.parameters[i];
        std::string meaning = fmt::format("{}, {} to {}", p.meaning, p.least, p.most);
        if (p.otherwise) meaning += fmt::format(". Default: {}", *p.otherwise);
        app.add_option_function<std::string>(
               std::string(p.name),
               [&options, i](std::string const& digits) { options.numbers[i] = std::stoull(digits); }, meaning)
            ->check([p](std::string const& digits) {
                bool const number = !digits.empty() && digits.size() <= 18 &&
                                    digits.find_first_not_of("0123456789") == std::string::npos;
                bool const good = number && std::stoull(digits) >= p.least && std::stoull(digits) <= p.most;
                return good ? std::string() : fmt::format("`{}` is no number from {} to {}", digits, p.least, p.most);
            })
            ->required(!p.otherwise)
            ->type_name("");
    }
    // "--safe" is a flag; "--safe sums" and "--safe order" are one option with a word.
    std::map<std::string, std::map<std::string, std::string>> words; // option -> word -> meaning
    for (families::Variant const& v : family.variants) {
        std::size_t const blank = v.option.find(' ');
        std::string const option(v.option.substr(0, blank));
        if (blank != std::string_view::npos)
            words[option][std::string(v.option.substr(blank + 1))] = v.meaning;
        else if (!v.option.empty())
            app.add_flag_callback(
                option, [&options, option] { options.variants.push_back(option); }, std::string(v.meaning));
    }
    for (auto const& [option, meanings] : words) {
        std::string choices;
        std::string help;
        for (auto const& [word, meaning] : meanings) {
            choices += (choices.empty() ? "" : "|") + word;
            help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", word, meaning);
        }
        app.add_option_function<std::string>(
               option,
               [&options, option = option](std::string const& w) { options.variants.push_back(option + " " + w); },
               help)
            ->check([choices, meanings = meanings](std::string const& word) {
                return meanings.count(word) != 0 ? std::string() : fmt::format("`{}` is none of {}", word, choices);
            })
            ->type_name(choices);
    }
    for (families::Knob const& k : family.knobs)
        app.add_option_function<std::string>(
               std::string(k.option),
               [&options, option = std::string(k.option)](std::string const& digits) {
                   options.knobs[option] = std::stoull(digits);
               },
               fmt::format("{}. Default: {}", k.meaning, k.otherwise))
            ->check([](std::string const& digits) {
                bool const good = is_count(digits).empty() && std::stoull(digits) <= 100;
                return good ? std::string() : fmt::format("`{}` is no number from 0 to 100", digits);
            })
            ->type_name("P")
            ->group("In how many of 100 programs there may be");
    app.footer(fmt::format(fmt::runtime(family_footer), family.has_seed ? ", --seed S" : ""));
}

constexpr auto buffering_help = "infinite: messages are buffered; zero: a send and its receive meet. Default: infinite";

void add_common(CLI::App& app, Color& color) {
    add_choice(app, "--color", color, colors, "Color the output; `auto` also minds NO_COLOR. Default: auto");
}

} // namespace

void complain(Terminal& terminal, std::string_view message) {
    terminal.err(fmt::format("matchpoint: error: {}\n", message));
}

ExitCode refused(Diagnostics const& diagnostics) { return diagnostics.front().rule == "limit" ? unknown : bad_input; }

void show(Terminal& terminal, Diagnostics const& diagnostics, Source const& source) {
    if (!diagnostics.empty()) terminal.err(render(diagnostics, source, {terminal.err_has_color()}));
}

int cli_main(int argc, char const* const* argv) {
    // `matchpoint help run` is `matchpoint run --help`.
    std::vector<char const*> help(argv, argv + argc);
    if (argc >= 2 && std::string_view(argv[1]) == "help") {
        help.erase(help.begin() + 1);
        help.push_back("--help");
        argv = help.data();
    }
    CLI::App app{"Matchpoint: the reference semantics of asynchronous message passing.\n"};
    app.name("matchpoint");
    app.set_version_flag("--version", "matchpoint " MATCHPOINT_VERSION, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.footer(std::string(main_examples) + exit_codes);
    app.require_subcommand(1);
    app.formatter(std::make_shared<HelpFormatter>());

    Color color = Color::automatic;
    constexpr auto file_help = "The program, and its traces; `-` is standard input";

    RunOptions run_options;
    CLI::App& run = *app.add_subcommand("run", "Run the traces of a program on the reference machine, and say how each "
                                               "ended and why");
    run.add_option("FILE", run_options.file, file_help)->required()->type_name("");
    add_trace(run, run_options.trace);
    add_choice(run, "--buffering", run_options.buffering, bufferings, buffering_help);
    run.add_flag("--steps", run_options.steps,
                 "Print the run rule by rule, as the paper names the rules. Only with --format text");
    add_choice(run, "--format", run_options.format, formats, "Default: text");
    add_common(run, color);
    run.footer(std::string(run_examples) + exit_codes);

    StepOptions step_options;
    CLI::App& step = *app.add_subcommand("step", "Step through a run, along a trace or by choosing what comes next, "
                                                 "forward and back");
    step.add_option("FILE", step_options.file, "The program, and its traces")->required()->type_name("");
    add_trace(step, step_options.trace, "Follow trace N of the file, counted from 1. Default: 1");
    step.add_flag("--choose", step_options.choose, "Follow no trace: begin by choosing");
    add_choice(step, "--buffering", step_options.buffering, bufferings, buffering_help);
    step.add_option("-x,--script", step_options.script, "First do what the lines of a file say")->type_name("SCRIPT");
    step.add_flag("--echo", step_options.echo, "Print each command that is read from a pipe, behind `> `");
    add_common(step, color);
    step.footer(step_examples);

    SmtOptions smt_options;
    CLI::App& smt =
        *app.add_subcommand("smt", "Turn a trace into an SMT problem, and ask a solver whether it agrees with "
                                   "the machine");
    smt.add_option("FILE", smt_options.file, file_help)->required()->type_name("");
    add_trace(smt, smt_options.trace);
    add_choice(smt, "--buffering", smt_options.buffering, bufferings, buffering_help);
    smt.add_flag("--comb", smt_options.comb, "Combine all traces of the file into one problem (COMB)");
    smt.add_flag("--solve", smt_options.solve, "Print the solver's answer beside the machine's status");
    smt.add_flag("--check", smt_options.check,
                 "The same, and say whether Lemma 3 holds: satisfiable exactly on failure");
    add_solver(smt, smt_options.solver);
    add_timeout(smt, smt_options.timeout, "Seconds that the solver may take for one problem. Default: no limit");
    smt.add_option("-o,--output", smt_options.output, "Write the problem to a file, as a whole or not at all")
        ->type_name("OUT");
    add_common(smt, color);
    smt.footer(std::string(smt_examples) + interrupted + exit_codes);

    CheckCommandOptions check_options;
    CLI::App& check =
        *app.add_subcommand("check", "Say whether any execution of a program can fail, get stuck or divide by zero, "
                                     "with a trace that does");
    check.add_option("FILE", check_options.files, "Programs; `-` is standard input")->required()->type_name("");
    add_choice(check, "--buffering", check_options.bufferings, buffering_sets,
               "infinite: messages are buffered; zero: a send and its receive meet. Default: infinite");
    add_choice(
        check, "--engine", check_options.engine, engines,
        "explore: the reference machine, by all executions that can differ in their verdict; sat: a SAT solver that is "
        "built in; smt: an SMT solver, whose answers are checked; auto: random executions, a short exploration, sat, "
        "then what is left. Default: auto");
    check.add_flag("--refine", check_options.refine,
                   "Give the SMT solver a problem without order constraints, and add what excludes each answer that no "
                   "execution has");
    add_solver(check, check_options.solver);
    add_timeout(check, check_options.timeout, "Seconds for each program under each buffering. Default: no limit");
    add_number(check, "--limit", check_options.limit, "Explore for at most N machine steps. Default: no limit");
    add_number(check, "--memory", check_options.memory,
               "MiB of memory for all but a solver. Beyond that the answer is `unknown`. Default: no limit");
    check
        .add_option("-o,--output", check_options.output,
                    "Write the program to a file, with traces for what the answer says: of a run that fails, of one "
                    "that succeeds, to a deadlock, to a fault; as a whole or not at all")
        ->type_name("OUT");
    check
        .add_option("--certificate", check_options.certificate,
                    "Make a folder by which somebody else can check that the program is safe or vacuous: clauses with "
                    "a reason each, and a proof (docs/certificates.md)")
        ->type_name("DIR");
    add_choice(check, "--format", check_options.format, formats, "Default: text");
    add_common(check, color);
    check.footer(std::string(check_examples) + interrupted + exit_codes);

    ExploreOptions explore_options;
    CLI::App& explore =
        *app.add_subcommand("explore", "Show all executions of a program: every match set with its status and a "
                                       "trace, deadlocks, faults, exact match pairs");
    explore.add_option("FILE", explore_options.file, "The program; `-` is standard input")->required()->type_name("");
    add_choice(explore, "--buffering", explore_options.buffering, bufferings, buffering_help);
    add_number(explore, "--limit", explore_options.limit, "Stop after N executions. Default: no limit");
    explore.add_flag("--verdicts", explore_options.verdicts,
                     "Leave out executions that cannot differ in status, deadlock or fault from one that is there, "
                     "and match pairs");
    add_choice(explore, "--format", explore_options.format, formats, "Default: text");
    add_common(explore, color);
    explore.footer(std::string(explore_examples) + interrupted + exit_codes);

    PairsOptions pairs_options;
    CLI::App& pairs =
        *app.add_subcommand("pairs", "Show the match pairs of a program: which sends each receive may get");
    pairs.add_option("FILE", pairs_options.file, "The program; `-` is standard input")->required()->type_name("");
    add_choice(pairs, "--buffering", pairs_options.buffering, bufferings, buffering_help);
    add_choice(
        pairs, "--method", pairs_options.method, pair_methods,
        "overapprox-all-sends: an earlier version of Figure 15; overapprox: Figure 15; tight: what quick reasoning "
        "leaves of it; exact: what some complete run has. Each includes the next. Default: tight");
    pairs.add_flag("--why", pairs_options.why, "For each pair of overapprox that no complete run has, say why not");
    add_number(pairs, "--limit", pairs_options.limit,
               "Take at most N machine steps for the exact pairs. Default: 20000000");
    add_choice(pairs, "--format", pairs_options.format, formats, "Default: text");
    add_common(pairs, color);
    pairs.footer(pairs_examples);

    EncodeOptions encode_options;
    CLI::App& encode =
        *app.add_subcommand("encode", "Print all executions of a program as one SMT problem, satisfiable exactly if "
                                      "some complete run fails");
    encode.add_option("FILE", encode_options.file, "The program; `-` is standard input")->required()->type_name("");
    add_choice(encode, "--buffering", encode_options.buffering, bufferings, buffering_help);
    add_choice(encode, "--pairs", encode_options.pairs, pair_methods,
               "The match pairs, as `pairs --method` has them. Default: tight");
    add_choice(
        encode, "--encoding", encode_options.encoding, encodings,
        "exact: sound and complete; the others are for comparison, each to the letter: section5 and section5-zero, "
        "Section 5 of the paper without and with Section 5.4; short-paper, the short paper. Default: exact");
    add_choice(encode, "--asked", encode_options.asked, askeds,
               "failure: a run that fails; success: one that succeeds; any: one that completes. Default: failure");
    encode.add_flag("--no-order", encode_options.no_order,
                    "Leave out order constraints, so that match sets which no execution has satisfy it too");
    add_number(encode, "--limit", encode_options.limit,
               "Take at most N machine steps for the exact pairs. Default: 20000000");
    encode.add_option("-o,--output", encode_options.output, "Write the problem to a file, as a whole or not at all")
        ->type_name("OUT");
    add_common(encode, color);
    encode.footer(encode_examples);

    DrawOptions draw_options;
    CLI::App& draw =
        *app.add_subcommand("draw", "Draw the traces of a program as space-time diagrams: for the terminal, "
                                    "as a page to step through, or for other viewers");
    draw.add_option("FILE", draw_options.file, file_help)->required()->type_name("");
    add_trace(draw, draw_options.trace,
              "Only trace N of the file, counted from 1. Default: all for text, html and shiviz, else the first");
    add_choice(draw, "--buffering", draw_options.buffering, bufferings, buffering_help);
    add_choice(draw, "--format", draw_options.format, pictures,
               "Default: as OUT ends: .txt, .svg, .html, .dot, .log (shiviz), .json (perfetto), .itf.json (itf); text "
               "without OUT");
    draw.add_option("-o,--output", draw_options.output, "Write the picture to a file, as a whole or not at all")
        ->type_name("OUT");
    add_common(draw, color);
    draw.footer(draw_examples);

    CLI::App& oracle = *app.add_subcommand("oracle", "Answer other programs' questions: is this match set, order or "
                                                     "trace feasible, and if not, why not");
    oracle.footer(oracle_examples);

    ValidateOptions validate_options;
    CLI::App& validate = *app.add_subcommand("validate", "Find out whether an encoder of executions is right, and what "
                                                         "is wrong with it");
    validate
        .add_option(
            "ENCODER", validate_options.encoder,
            "The encoder's command, behind `--`: {ctp} in it is a file with the program (else that is its "
            "standard input), {pairs} one with its match pairs, {buffering} is infinite or zero; or the name of "
            "one that is built in: exact, section5, section5-zero, short-paper, figures-9-10")
        ->required()
        ->type_name("");
    add_choice(validate, "--buffering", validate_options.bufferings, buffering_sets, "Default: both");
    validate.add_flag(
        "--traces", validate_options.traces,
        "The encoder is one of single runs: each program has one trace, and the question is whether it fails");
    validate
        .add_option("--level", validate_options.level,
                    "All small programs up to a size, from 1 to 8; 0: none. Default: 6")
        ->check(CLI::Range(0U, 8U))
        ->type_name("L");
    validate.add_option("--cases", validate_options.cases, "So many random programs behind them. Default: 2000")
        ->check(is_count)
        ->type_name("N");
    validate.add_option("--seed", validate_options.seed, "Of the random programs. Default: 1")
        ->check(is_count)
        ->type_name("S");
    validate.add_option("--corpus", validate_options.corpus, "Last, the programs of a file or folder; may be repeated")
        ->type_name("PATH")
        ->expected(1)
        ->allow_extra_args(false) // else a `--` behind it is its own
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    std::string shard;
    validate.add_option("--shard", shard, "Part I of N: N machines do what one would do")
        ->type_name("I/N")
        ->check([&](std::string const& text) -> std::string {
            std::uint64_t i = 0, n = 0;
            char slash = 0;
            std::istringstream in(text);
            if (!(in >> i >> slash >> n) || slash != '/' || !in.eof() || i < 1 || i > n)
                return "it is I/N, I from 1 to N";
            validate_options.shard = {i, n};
            return {};
        });
    validate.add_option("--jobs", validate_options.jobs, "Encoders that run at a time. Default: 1")
        ->check(CLI::Range(1U, 256U))
        ->type_name("J");
    add_timeout(validate, validate_options.time, "Seconds for all of it. Default: no limit", "--time");
    add_timeout(validate, validate_options.subject_time,
                "Seconds that the encoder may take for a program, and the solver for its problem. Default: 10",
                "--encoder-time", "SECONDS");
    validate.add_option("--memory", validate_options.memory, "MiB that the encoder may have. Default: 1024")
        ->check(CLI::Range(1U, 1U << 30U))
        ->type_name("MIB");
    validate
        .add_option("--findings", validate_options.findings,
                    "End when so many different ones were found; 0: only count. Default: 8")
        ->check(is_count)
        ->type_name("K");
    add_solver(validate, validate_options.solver);
    validate
        .add_option("-o,--output", validate_options.output,
                    "The folder for what is found; `-`: none. Default: findings")
        ->type_name("DIR");
    validate.add_option("--state", validate_options.state, "Keep what is done in a file, and go on from it")
        ->type_name("FILE");
    validate.add_option("--junit", validate_options.junit, "Write a report as JUnit's XML")->type_name("FILE");
    add_choice(validate, "--format", validate_options.format, formats, "Default: text");
    add_common(validate, color);
    validate.footer(validate_examples);

    SuiteOptions suite_options;
    CLI::App& suite = *app.add_subcommand("suite", "Write the conformance suite: programs with what the semantics says "
                                                   "of them, for implementations to test themselves");
    suite.add_option("DIR", suite_options.folder, "The folder; it must not be there yet, or be empty")
        ->required()
        ->type_name("");
    add_common(suite, color);
    suite.footer(suite_examples);

    GenOptions gen_options;
    CLI::App& gen = *app.add_subcommand("gen", "Write a program of a family: as large as you like, and what `check` "
                                               "says of it is known");
    for (families::Family const& family : families::all()) add_family(gen, family, gen_options);
    gen.require_subcommand(0, 1);
    gen.add_flag("--list", gen_options.list, "Show all families with their variants");
    add_number(gen, "--seed", gen_options.seed, "Choose otherwise what is chosen at random. Default: 1");
    gen.add_flag("--trace", gen_options.trace, "With a trace, of a run as it could have been recorded");
    gen.add_option("-o,--output", gen_options.output, "Write the program to a file, as a whole or not at all")
        ->type_name("OUT");
    add_common(gen, color);
    gen.footer(gen_examples);

    std::vector<std::string> lint_files;
    LintOptions lint_options;
    CLI::App& lint = *app.add_subcommand("lint", "Check rules S1 to S5 (errors) and D1 to D6 (warnings)");
    lint.add_option("FILE", lint_files, file_help)->required()->type_name("");
    lint.add_flag("--strict", lint_options.strict, "Rules D1 to D6 are errors too");
    add_choice(lint, "--format", lint_options.format, formats, "Default: text");
    add_common(lint, color);
    lint.footer(lint_examples);

    FmtOptions fmt_options;
    CLI::App& fmt = *app.add_subcommand("fmt", "Print a program in canonical form; comments stay");
    fmt.add_option("FILE", fmt_options.file, file_help)->required()->type_name("");
    fmt.add_flag("-i,--in-place", fmt_options.in_place, "Replace the file, as a whole or not at all");
    add_common(fmt, color);
    fmt.footer(fmt_examples);

    // CLI11 takes a word in square brackets apart, even behind `--`; not if it begins with a blank.
    std::vector<std::string> words(argv, argv + argc);
    std::size_t literal = 0; // words of the encoder's command that have one
    if (argc > 1 && words[1] == "validate") {
        auto const mark = std::find(words.begin(), words.end(), "--");
        for (auto word = mark == words.end() ? mark : mark + 1; word != words.end(); ++word, ++literal)
            *word = ' ' + *word;
    }
    std::vector<char const*> arguments;
    for (std::string const& word : words) arguments.push_back(word.c_str());

    try {
        app.parse(argc, arguments.data());
    } catch (CLI::Success const& e) { // --help, --version
        app.exit(e);
        if (!std::cout.flush()) throw OutputFailed("cannot write standard output");
        return holds;
    } catch (CLI::ParseError const& e) {
        Terminal terminal(color);
        complain(terminal, usage_error(app, e, argc, argv));
        return bad_input;
    }

    Terminal terminal(color);
    ExitCode code = holds;
    if (run.parsed()) {
        code = run_command(run_options, terminal);
    } else if (step.parsed()) {
        code = step_command(step_options, terminal);
    } else if (smt.parsed()) {
        code = smt_command(smt_options, terminal);
    } else if (check.parsed()) {
        code = check_command(check_options, terminal);
    } else if (explore.parsed()) {
        code = explore_command(explore_options, terminal);
    } else if (pairs.parsed()) {
        code = pairs_command(pairs_options, terminal);
    } else if (encode.parsed()) {
        code = encode_command(encode_options, terminal);
    } else if (draw.parsed()) {
        code = draw_command(draw_options, terminal);
    } else if (validate.parsed()) {
        auto& encoder = validate_options.encoder;
        for (std::size_t i = encoder.size() - literal; i < encoder.size(); ++i) encoder[i].erase(0, 1);
        code = validate_command(validate_options, terminal);
    } else if (suite.parsed()) {
        code = suite_command(suite_options, terminal);
    } else if (gen.parsed()) {
        for (CLI::App const* family : gen.get_subcommands()) gen_options.family = family->get_name();
        code = gen_command(gen_options, terminal);
    } else if (oracle.parsed()) {
        code = oracle_command(terminal);
    } else if (fmt.parsed()) {
        code = fmt_command(fmt_options, terminal);
    } else {
        for (std::string const& file : lint_files) {
            lint_options.file = file;
            code = std::max(code, lint_command(lint_options, terminal));
        }
    }
    terminal.flush();
    return code;
}

} // namespace matchpoint::cli
