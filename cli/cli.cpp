#include "cli/cli.hpp"

#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace matchpoint::cli {

namespace {

constexpr auto exit_codes = R"(Exit codes:
  0   holds: every trace a success, nothing wrong
  1   unknown, or a limit reached
  2   usage, or an input that cannot be read or breaks a rule
  3   a solver is missing or failed
  10  a failure: an assertion fails
  12  infeasible: an assumption does not hold
  13  error: a trace does not complete
  20  a solver and the machine disagree
  70  an internal error (a bug in matchpoint)
  74  the output could not be written
With several traces: the worst of success < failure < infeasible < error.
)";

constexpr auto main_examples = R"(Examples:
  matchpoint run traces/figure1.ctp                 every trace of the file, with the reason of each verdict
  matchpoint run traces/figure1.ctp --trace 2 --steps
                                                    one trace, rule by rule
  matchpoint lint my_program.ctp                    is it well written?
  matchpoint fmt -i my_program.ctp                  in canonical form

`matchpoint COMMAND --help` tells more of a command.

)";

constexpr auto run_examples = R"(Examples:
  matchpoint run traces/figure1.ctp
  matchpoint run traces/figure1.ctp --trace 2 --steps
  matchpoint run traces/figure1.ctp --buffering zero
  matchpoint run traces/figure1.ctp --format json | jq '.traces[].status'
  matchpoint run - < traces/figure1.ctp && echo "every trace succeeds"

)";

constexpr auto smt_examples = R"(Examples:
  matchpoint smt traces/figure1.ctp --trace 2            the problem, as SMT-LIB 2.6
  matchpoint smt traces/figure1.ctp --solve              every trace: the solver's answer beside the machine's status
  matchpoint smt traces/figure1.ctp --check --solver cvc5
  matchpoint smt program.ctp --comb --solve --solver "yices-smt2 --incremental"

)";

constexpr auto lint_examples = R"(Examples:
  matchpoint lint traces/*.ctp
  matchpoint lint --strict program.ctp || echo "not fit for exploration or encoding"

Exit codes: 0 no error (with --strict no warning either), 1 an integer beyond the limit, 2 otherwise.
)";

constexpr auto fmt_examples = R"(Examples:
  matchpoint fmt program.ctp
  matchpoint fmt -i program.ctp
  generate | matchpoint fmt -

Exit codes: 0 done, 1 an integer beyond the limit, 2 the input cannot be read or is no program, 74 the output could not be written. A file that
could not be written as a whole is left as it was.
)";

constexpr auto oracle_examples =
    R"(Requests and answers are JSON-RPC 2.0, one a line, on standard input and standard output (docs/oracle.md).

Examples:
  echo '{"jsonrpc":"2.0","id":1,"method":"load","params":{"file":"traces/figure1.ctp"}}' | matchpoint oracle
  docs/cegar.py traces/figure1.ctp                       a loop that asks it

Exit codes: 0 the end of the input or a request to shut down, 70 an internal error, 74 the output could not be written.
)";

std::map<std::string, Buffering> const bufferings{{"infinite", Buffering::infinite}, {"zero", Buffering::zero}};
std::map<std::string, Format> const formats{{"text", Format::text}, {"json", Format::json}};
std::map<std::string, Color> const colors{
    {"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}};

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

/// What is wrong with the arguments. They are shown escaped: nothing that a user passed reaches the terminal raw.
std::string usage_error(CLI::App const& app, CLI::ParseError const& e, int argc, char const* const* argv) {
    auto const parsed = app.get_subcommands();
    std::string const command = parsed.empty() ? "matchpoint" : "matchpoint " + parsed.front()->get_name();
    std::string what = e.what();
    if (parsed.empty() && argc > 1)
        what = fmt::format("there is no {} `{}`", argv[1][0] == '-' ? "option" : "command", argv[1]);
    else if (argc == 1)
        what = "a command is missing";
    // CLI11 lists all that is left over, in no helpful order: the first option that there is not says it.
    for (int i = 2; i < argc && dynamic_cast<CLI::ExtrasError const*>(&e) != nullptr && !parsed.empty(); ++i) {
        std::string const option = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
        if (option.size() < 2 || option[0] != '-' || parsed.front()->get_option_no_throw(option) != nullptr) continue;
        what = fmt::format("there is no option `{}`", option);
        break;
    }
    return fmt::format("{} (see `{} --help`)", printable(what, 300), command);
}

/// --trace N
void add_trace(CLI::App& app, std::optional<std::size_t>& trace) {
    app.add_option_function<std::string>(
           "--trace", [&trace](std::string const& n) { trace = std::stoul(n); },
           "Only trace N of the file, counted from 1")
        ->check([](std::string const& n) {
            bool const digits = !n.empty() && n.find_first_not_of("0123456789") == std::string::npos;
            bool const number = digits && n.size() <= 10 && std::stoull(n) >= 1 && std::stoull(n) <= 0xFFFF'FFFF;
            return number ? std::string() : fmt::format("`{}` is no trace number: 1, 2, 3 ...", n);
        })
        ->type_name("N");
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
    CLI::App app{"Matchpoint: the reference semantics of asynchronous message passing.\n"};
    app.name("matchpoint");
    app.set_version_flag("--version", "matchpoint " MATCHPOINT_VERSION, "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.footer(std::string(main_examples) + exit_codes);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    app.get_formatter()->label("REQUIRED", "");
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.get_formatter()->label("OPTIONS", "OPTION ...");
    app.get_formatter()->label("Subcommands", "Commands");

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
    smt.add_option("--solver", smt_options.solver, "z3, cvc5, cvc4, or a command that speaks SMT-LIB. Default: z3")
        ->type_name("S");
    smt.add_option("--timeout", smt_options.timeout, "Seconds that the solver may take for one problem")
        ->check([](std::string const& t) {
            double seconds = 0;
            bool const positive = CLI::detail::lexical_cast(t, seconds) && seconds > 0 && seconds < 1e9;
            return positive ? std::string() : fmt::format("`{}` is no number of seconds", t);
        })
        ->type_name("T");
    smt.add_option("-o,--output", smt_options.output, "Write the problem to a file, as a whole or not at all")
        ->type_name("OUT");
    add_common(smt, color);
    smt.footer(std::string(smt_examples) + exit_codes);

    CLI::App& oracle = *app.add_subcommand("oracle", "Answer other programs' questions: is this match set, order or "
                                                     "trace feasible, and if not, why not");
    oracle.footer(oracle_examples);

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

    try {
        app.parse(argc, argv);
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
    } else if (smt.parsed()) {
        code = smt_command(smt_options, terminal);
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
