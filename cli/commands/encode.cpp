#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/causal_models.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/pairs_input.hpp"
#include "cli/program_input.hpp"
#include "encode/problem_size.hpp"
#include "encode/registry.hpp"
#include "executions/exact_pairs.hpp"
#include "explain/words.hpp"

namespace matchpoint::cli {

namespace {

struct EncodeOptions {
    std::string file;
    Buffering buffering = Buffering::infinite;
    PairsMethod pairs = PairsMethod::tight;
    std::string pairs_file; // instead of that method; empty if there is none
    Encoder const* encoding = find_encoder("exact");
    Asked asked = Asked::failure;
    Runs runs = Runs::complete;
    std::optional<std::uint64_t> switches; // at most so many
    std::optional<SwitchesBy> switches_by; // default: segments
    OrderOfWrites writes = OrderOfWrites::clock;
    std::optional<Model> model;       // only the executions that it predicts
    std::optional<std::size_t> trace; // from 1: what it predicts from
    bool no_order = false;
    std::optional<std::uint64_t> limit; // machine steps, for the exact pairs
    Limits limits;
    std::string output;      // default: standard output
    bool statistics = false; // instead of the problem on standard output
    Format format = Format::text;
};

constexpr auto encode_examples = R"(Examples:
  matchpoint encode traces/figure1.ctp | z3 -in    sat: some execution fails
  matchpoint encode traces/figure1.ctp --encoding section5 -o paper.smt2
  matchpoint encode traces/figure1.ctp --statistics
  matchpoint pairs p.ctp > pairs; matchpoint encode p.ctp --pairs pairs
                                         with the pairs that you leave in a file
  matchpoint encode traces/shared_memory/account.ctp --switches 1 | z3 -in

Exit codes: 0 done, 1 a limit reached, 2 the input cannot be read or breaks a
rule, 74 the output could not be written.
)";

/// The size of a program and of its problem.
void show_statistics(EncodeOptions const& options, Prepared const& subject, MatchPairs const& pairs,
                     ProblemSize const& size, Terminal& terminal) {
    Ctp const& ctp = subject.program.ctp;
    std::size_t const receives = subject.messages.receives().size();
    std::size_t const sends = subject.messages.sends().size();
    if (options.format == Format::json) {
        Json json = report_of("encode", subject.source);
        json["buffering"] = to_string(options.buffering);
        json["encoding"] = options.encoding->name;
        json["runs"] = executions::to_string(options.runs);
        json["order"] = !options.no_order;
        json["program"] = {{"threads", ctp.threads.size()},
                           {"commands", ctp.commands.size()},
                           {"receives", receives},
                           {"sends", sends}};
        json["match_pairs"] = pairs.size();
        json["problem"] = {{"bytes", size.bytes()},
                           {"declarations", size.declarations()},
                           {"definitions", size.definitions()},
                           {"assertions", size.assertions()}};
        terminal.out(dump(json));
        return;
    }
    terminal.out(fmt::format(
        "{}: {} ({} buffering)\n  program: {}, {}, {}, {}\n  match pairs: {}\n  problem: {}, {}, {}, {}\n",
        printable(subject.source.name(), 4096), options.encoding->name, to_string(options.buffering),
        plural(ctp.threads.size(), "thread"), plural(ctp.commands.size(), "command"), plural(receives, "receive"),
        plural(sends, "send"), pairs.size(), plural(size.bytes(), "byte"), plural(size.declarations(), "declaration"),
        plural(size.definitions(), "definition"), plural(size.assertions(), "assertion")));
}

/// What is wrong with these options, whatever the program; empty if nothing.
std::string contradiction(EncodeOptions const& options, EncoderOptions const& encoder_options) {
    if (options.format == Format::json && !options.statistics)
        return "--format json is for --statistics: a problem is SMT-LIB";
    if (options.trace && !options.model && !options.encoding->is_of_one_trace())
        return "--trace is for --model and fusion-mcm, which predict from a trace";
    if (options.model && options.runs == Runs::complete)
        return "--model is about executions, not about complete runs: add --runs executions";
    if (options.switches_by && !options.switches)
        return "--switches-by is a form of the bound --switches: add --switches N";
    if (auto const refusal = options.encoding->refuses(encoder_options)) return "--encoding " + *refusal;
    if (options.pairs_file.empty()) return {};
    if (options.runs == Runs::executions)
        return "--pairs FILE is about complete runs: Theorem 5 speaks of no other ones";
    if (options.file == "-" && options.pairs_file == "-") return "the program and its pairs cannot both be `-`";
    return {};
}

/// The pairs of the file or by the method; or the exit code after saying why there are none.
Expected<MatchPairs, ExitCode> pairs_of(EncodeOptions const& options, MessageIndex const& messages,
                                        Budget const& budget, Terminal& terminal) {
    if (options.pairs_file.empty()) {
        if (auto pairs = pairs_by(messages, options.buffering, options.pairs, budget, options.runs))
            return std::move(*pairs);
        complain(terminal, "the exact pairs were not found within the limit of machine steps (--limit)",
                 ErrorKind::limit);
        return Unexpected{unknown};
    }
    if (messages.code().is_plain() && !options.switches) return read_pairs(options.pairs_file, messages, terminal);
    complain(terminal,
             "--pairs FILE is for programs of plain messages, without shared variables, selectors, modes or barriers, "
             "and without a bound on context switches",
             ErrorKind::usage);
    return Unexpected{bad_input};
}

/// What a problem is about, if it is predicted from a trace.
struct Prediction {
    std::optional<Schedule> trace;
    std::optional<CausalModel> model;
};

Expected<Prediction, ExitCode> prediction(EncodeOptions const& options, Prepared const& program, Terminal& terminal) {
    Prediction result;
    if (options.encoding->is_of_one_trace()) {
        auto trace = schedule_to_predict_from(program, options.trace, terminal);
        if (!trace) return Unexpected{trace.error()};
        result.trace = std::move(*trace);
    }
    if (options.model) {
        auto model = causal_model(program, options.buffering, *options.model, options.trace, terminal);
        if (!model) return Unexpected{model.error()};
        result.model = std::move(*model);
    }
    return result;
}

ExitCode encode_command(EncodeOptions const& options, Terminal& terminal) {
    Encoder const& encoder = *options.encoding;
    auto const complain_of_usage = [&](std::string const& what) {
        complain(terminal, what, ErrorKind::usage);
        return bad_input;
    };
    EncoderOptions encoder_options{.buffering = options.buffering,
                                   .asked = options.asked,
                                   .runs = options.runs,
                                   .switches_by = options.switches_by.value_or(SwitchesBy::segments),
                                   .writes = options.writes,
                                   .order = !options.no_order,
                                   .models = true};
    if (options.switches)
        encoder_options.switches = static_cast<std::uint32_t>(std::min<std::uint64_t>(*options.switches, UINT32_MAX));
    if (std::string const wrong = contradiction(options, encoder_options); !wrong.empty())
        return complain_of_usage(wrong);
    auto const read = read_prepared(options.file, terminal, KnowsSharing::yes);
    if (!read) return read.error();
    if (options.runs == Runs::executions && options.pairs == PairsMethod::exact)
        return complain_of_usage(
            "--runs executions needs the pairs of all executions: --pairs exact leaves out those of "
            "receives that are served and not completed");
    if (options.asked == Asked::failure) warn_of_what_is_not_known((*read)->code, (*read)->source, terminal);
    MessageIndex const& messages = (*read)->messages;
    if (auto const refusal = encoder.refuses(messages, encoder_options, options.model.has_value()))
        return complain_of_usage("--encoding " + *refusal);
    auto const predicted = prediction(options, **read, terminal);
    if (!predicted) return predicted.error();
    Budget budget;
    budget.steps = options.limit.value_or(20'000'000);
    auto const pairs = pairs_of(options, messages, budget, terminal);
    if (!pairs) return pairs.error();
    EncoderInput const input{.messages = messages,
                             .method = options.pairs,
                             .budget = budget,
                             .pairs = &*pairs,
                             .trace = predicted->trace ? &*predicted->trace : nullptr,
                             .model = predicted->model ? &*predicted->model : nullptr};
    if (encoder.is_of_one_trace())
        if (auto const text = encoder.encode(input, encoder_options); !text) {
            complain(terminal, "--encoding " + text.error(), ErrorKind::trace);
            return bad_input;
        }
    auto const problem = [&](Sink const& sink) {
        if (auto const refusal = encoder.write(input, encoder_options, sink))
            throw std::logic_error(*refusal); // it takes the program and the trace, and has its pairs
    };
    if (!options.statistics) return write_output(options.output, problem, terminal);
    ProblemSize size;
    auto const counted = [&](Sink const& sink) {
        problem([&](std::string_view text) {
            size.add(text);
            sink(text);
        });
    };
    if (!is_file(options.output))
        counted([](std::string_view) {});
    else if (ExitCode const code = write_output(options.output, counted, terminal); code != holds)
        return code;
    show_statistics(options, **read, *pairs, size, terminal);
    return holds;
}

} // namespace

void add_encode(CommandLine& line) {
    static Choices<OrderOfWrites> const writes{{"clock", OrderOfWrites::clock}, {"pairs", OrderOfWrites::pairs}};
    static Choices<std::optional<SwitchesBy>> const switches_by{{"segments", SwitchesBy::segments},
                                                                {"owner", SwitchesBy::owner}};
    static Choices<Asked> const asked{{"failure", Asked::failure}, {"success", Asked::success}, {"any", Asked::any}};
    std::vector<std::string> encodings;
    for (Encoder const& b : encoders())
        if (!b.is_of_one_trace() || b.asks == Encoder::Asks::failure_of_steps) encodings.emplace_back(b.name);
    std::sort(encodings.begin(), encodings.end());
    auto const options = std::make_shared<EncodeOptions>();
    Command command = line.add(
        "encode", "Print all executions of a program as one SMT problem, satisfiable exactly if some run fails",
        encode_examples);
    command.argument("FILE", options->file, program_help);
    command.buffering(options->buffering);
    command.pairs_method_or_file("--pairs", options->pairs, options->pairs_file,
                                 "The match pairs, as for `pairs --method`; or a file as `pairs` prints it, in text or "
                                 "JSON: only complete runs count whose matches are all in it. Default: tight");
    // Their names are too many for one line of the help.
    command.option({.name = "--encoding",
                    .type = "NAME",
                    .description =
                        "exact: sound and complete; the others are for comparison, each to the letter: section5 and "
                        "section5-zero, "
                        "Section 5 of the paper without and with Section 5.4; short-paper, the short paper; fusion, "
                        "fusion-bounded "
                        "and fusion-mcm, Sections 4, 5 and 6 of Symbolic Predictive Analysis. Default: exact",
                    .set = [options](std::string const& name) { options->encoding = find_encoder(name); },
                    .check = is_one_of(std::move(encodings))});
    command.choice("--asked", options->asked, asked,
                   "failure: a run that fails; success: one that succeeds; any: one that completes. Default: failure");
    command.runs(options->runs, "Which failures: complete: of complete runs; executions: of every execution up to an "
                                "assumption that is false. Default: complete");
    command.count("--switches", options->switches, "Only executions with at most N context switches. Default: all");
    command.choice("--switches-by", options->switches_by, switches_by,
                   "The form of that bound. segments: each command lies between two of N + 2 boundaries; owner: times "
                   "are numbers of segments, and an uninterpreted function gives the thread of each; infinite "
                   "buffering only. Default: segments");
    command.choice("--model", options->model, causal_models(),
                   "Only executions that a causal model predicts from a trace, as for `check`; with --runs executions");
    command.trace(options->trace, "Predict from trace N of the file, counted from 1. Default: 1");
    command.choice(
        "--order-of-writes", options->writes, writes,
        "Of programs with shared variables, how a read tells which writes come before its own. clock: by the "
        "time of the write that it gets; pairs: write by write, cubic in size. Default: clock");
    command.flag("--no-order", options->no_order,
                 "Omit the order constraints; the problem is then also satisfied by match sets that no execution has");
    command.flag("--statistics", options->statistics,
                 "Print the size of the program and of the problem; the problem only to a file, with -o");
    command.pairs_limit(options->limit);
    command.limits(options->limits);
    command.output(Content::problem, options->output, "Write the problem to a file, atomically");
    command.format(options->format);
    command.color();
    command.action([options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return encode_command(*options, terminal); });
    });
}

} // namespace matchpoint::cli
