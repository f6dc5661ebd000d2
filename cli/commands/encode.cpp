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
#include "report/table.hpp"

namespace matchpoint::cli {

namespace {

enum class SizeFormat : std::uint8_t { text, json, csv, latex };

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
    bool compare = false;    // instead of a problem
    SizeFormat format = SizeFormat::text;
};

constexpr auto encode_examples = R"(Examples:
  matchpoint encode traces/figure1.ctp | z3 -in    sat: some execution fails
  matchpoint encode traces/figure1.ctp --encoding section5 -o paper.smt2
  matchpoint encode traces/figure1.ctp --statistics
  matchpoint encode traces/figure1.ctp --compare
  matchpoint pairs p.ctp > pairs; matchpoint encode p.ctp --pairs pairs
                                         with the pairs that you leave in a file
  matchpoint encode traces/shared_memory/account.ctp --switches 1 | z3 -in

Exit codes: 0 done, 1 a limit reached, 2 the input cannot be read or breaks a
rule, 74 the output could not be written.
)";

using Counts = ProblemSize::Counts;

/// The numbers of a problem, and what they are called in tables and in JSON.
constexpr std::pair<std::string_view, std::uint64_t Counts::*> counted_columns[] = {
    {"declarations", &Counts::declarations},
    {"definitions", &Counts::definitions},
    {"assertions", &Counts::assertions},
    {"clauses", &Counts::clauses},
    {"atoms", &Counts::atoms},
    {"terms", &Counts::terms}};

Json json_of(Counts const& counts) {
    Json json = Json::object();
    for (auto const& [name, number] : counted_columns) json[std::string(name)] = counts.*number;
    return json;
}

/// A table with these names and the numbers of problems or of their parts.
class CountsTable {
public:
    explicit CountsTable(std::string_view of) : table_{{std::string(of)}, {}} {
        for (auto const& [name, number] : counted_columns) table_.head.emplace_back(name);
    }
    void add(std::string_view name, Counts const& counts) {
        table_.rows.push_back({std::string(name)});
        for (auto const& [_, number] : counted_columns) table_.rows.back().push_back(std::to_string(counts.*number));
    }
    /// In a format that is no JSON.
    std::string text(SizeFormat format) const {
        switch (format) {
        case SizeFormat::csv: return report::as_csv(table_);
        case SizeFormat::latex: return report::as_latex(table_);
        case SizeFormat::text:
        case SizeFormat::json: break;
        }
        return report::as_text(table_, "  ");
    }

private:
    report::Table table_;
};

/// A program as a subject of statistics.
class SizeReport {
public:
    SizeReport(EncodeOptions const& options, Prepared const& subject, MatchPairs const& pairs)
        : options_(options), subject_(subject), pairs_(pairs) {}

    /// The size of the problem, and of each class of constraint.
    std::string of_problem(ProblemSize const& size) const {
        Counts const total = size.total();
        if (options_.format == SizeFormat::json) {
            Json json = header();
            json["encoding"] = options_.encoding->name;
            json["order"] = !options_.no_order;
            json["problem"] = json_of(total);
            json["problem"]["bytes"] = size.bytes();
            Json& classes = json["classes"] = Json::array();
            for (ProblemSize::Class const& c : size.classes()) {
                classes.push_back(json_of(c.counts));
                classes.back()["name"] = name_of(c);
            }
            return dump(json);
        }
        CountsTable table("class");
        for (ProblemSize::Class const& c : size.classes()) table.add(name_of(c), c.counts);
        table.add("all", total);
        if (options_.format != SizeFormat::text) return table.text(options_.format);
        return fmt::format("{}: {} ({} buffering)\n{}  problem: {}\n{}", name(), options_.encoding->name,
                           to_string(options_.buffering), program(), plural(size.bytes(), "byte"),
                           table.text(options_.format));
    }

    /// The sizes of the problems of all encoders beside each other.
    struct Compared {
        std::string_view encoding;
        std::string refusal; // why there is no problem; empty if there is one
        ProblemSize size = {};
    };
    std::string of_all(std::vector<Compared> const& all) const {
        if (options_.format == SizeFormat::json) {
            Json json = header();
            Json& compared = json["compared"] = Json::array();
            for (Compared const& c : all) {
                Json& one = compared.emplace_back(c.refusal.empty() ? json_of(c.size.total()) : Json::object());
                one["encoding"] = c.encoding;
                one["refused"] = c.refusal.empty() ? Json(nullptr) : Json(c.refusal);
                if (c.refusal.empty()) one["bytes"] = c.size.bytes();
            }
            return dump(json);
        }
        CountsTable table("encoding");
        std::string refused;
        for (Compared const& c : all)
            if (c.refusal.empty())
                table.add(c.encoding, c.size.total());
            else
                refused += fmt::format("  {}\n", c.refusal);
        if (options_.format != SizeFormat::text) return table.text(options_.format);
        return fmt::format("{} ({} buffering)\n{}{}{}", name(), to_string(options_.buffering), program(),
                           table.text(options_.format), refused);
    }

private:
    std::string name() const { return printable(subject_.source.name(), 4096); }
    static std::string name_of(ProblemSize::Class const& c) { return c.name.empty() ? "(unnamed)" : c.name; }

    std::string program() const {
        return fmt::format("  program: {}, {}, {}, {}\n  match pairs: {}\n",
                           plural(subject_.program.ctp.threads.size(), "thread"),
                           plural(subject_.program.ctp.commands.size(), "command"),
                           plural(subject_.messages.receives().size(), "receive"),
                           plural(subject_.messages.sends().size(), "send"), pairs_.size());
    }
    Json header() const {
        Json json = report_of("encode", subject_.source);
        json["buffering"] = to_string(options_.buffering);
        json["runs"] = executions::to_string(options_.runs);
        json["program"] = {{"threads", subject_.program.ctp.threads.size()},
                           {"commands", subject_.program.ctp.commands.size()},
                           {"receives", subject_.messages.receives().size()},
                           {"sends", subject_.messages.sends().size()}};
        json["match_pairs"] = pairs_.size();
        return json;
    }

    EncodeOptions const& options_;
    Prepared const& subject_;
    MatchPairs const& pairs_;
};

/// What is wrong with these options, whatever the program; empty if nothing.
std::string contradiction(EncodeOptions const& options, EncoderOptions const& encoder_options) {
    if (options.format != SizeFormat::text && !options.statistics && !options.compare)
        return "--format is for --statistics and --compare: a problem is SMT-LIB";
    if (options.compare && options.statistics) return "--compare has the statistics of all encodings: leave out one";
    if (options.compare && !options.output.empty()) return "--compare writes no problem: leave out -o";
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

/// The problems of all encoders of all executions.
std::vector<SizeReport::Compared> compared(EncoderInput const& input, EncoderOptions const& options) {
    std::vector<SizeReport::Compared> result;
    for (Encoder const& encoder : encoders()) {
        if (encoder.is_of_one_trace()) continue;
        SizeReport::Compared& one = result.emplace_back(SizeReport::Compared{encoder.name, {}});
        auto refusal = encoder.refuses(options);
        if (!refusal) refusal = encoder.refuses(input.messages, options, input.model != nullptr);
        if (!refusal) refusal = encoder.write(input, options, [&](std::string_view text) { one.size.add(text); });
        if (refusal) one.refusal = *refusal;
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
    SizeReport const report(options, **read, *pairs);
    if (options.compare) {
        terminal.out(report.of_all(compared(input, encoder_options)));
        return holds;
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
    terminal.out(report.of_problem(size));
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
                        "exact: sound and complete; schedule: the same for programs without messages, with a "
                        "copy of the state for each step; the others are for comparison, each to the letter: section5 "
                        "and section5-zero, Section 5 of the paper without and with Section 5.4; short-paper, the "
                        "short paper; order-based, what the paper compares with; fusion, fusion-bounded and "
                        "fusion-mcm, Sections 4, 5 and 6 of Symbolic Predictive Analysis. Default: exact",
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
                 "Print the size of the program and of the problem, by class of constraint; the problem only to a "
                 "file, with -o");
    command.flag("--compare", options->compare,
                 "Print the sizes of the problems of all encodings beside each other, instead of a problem");
    command.pairs_limit(options->limit);
    command.limits(options->limits);
    command.output(Content::problem, options->output, "Write the problem to a file, atomically");
    static Choices<SizeFormat> const formats{
        {"text", SizeFormat::text}, {"json", SizeFormat::json}, {"csv", SizeFormat::csv}, {"latex", SizeFormat::latex}};
    command.choice("--format", options->format, formats, "Of --statistics and --compare. Default: text");
    command.color();
    command.action([options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return encode_command(*options, terminal); });
    });
}

} // namespace matchpoint::cli
