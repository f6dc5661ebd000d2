
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/nearest_name.hpp"
#include "base/signals.hpp"
#include "cli/causal_models.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/validate_report.hpp"
#include "cli/commands/validate_rma.hpp"
#include "cli/commands/validate_state.hpp"
#include "cli/limits.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "cli/progress.hpp"
#include "encode/registry.hpp"
#include "validate/campaign.hpp"

namespace matchpoint::cli {

namespace {

namespace fs = std::filesystem;
constexpr auto validate_examples = R"(Examples:
  matchpoint validate -- exact           our own encoder: nothing is wrong
  matchpoint validate -- section5        Section 5 of the paper to the letter
  matchpoint validate --jobs 2 -- python3 my_encoder.py
  matchpoint validate --mpi -- ./encode_mpi {ctp} {buffering}
                                         receives that select, and more
  matchpoint validate --shared -- ./encode_threads {ctp}
                                         programs with shared variables
  matchpoint validate --rma -- ./reduce {rma}
                                         remote memory access, made sequential
  matchpoint validate --buffering infinite -- ./encode --pairs {pairs} {ctp}

The encoder prints an SMT-LIB problem that is satisfiable if some complete run
fails, or `sat` or `unsat`, or a JSON object with a "verdict"
(docs/validate.md).

Ctrl-C (SIGINT) or SIGTERM ends the campaign, with a summary of what was asked
so far.

Exit codes: 0 it agrees in every case, 1 not all cases were asked or answered
(after Ctrl-C too), 2 usage, 3 it cannot be run or never answers, 20 it
disagrees (after Ctrl-C too), 70 matchpoint disagrees with itself, 74 the output
could not be written.
)";

/// Files of a corpus: those that are named, and all `.ctp` (or the like) below folders, in the order of their names.
Expected<std::vector<std::string>, std::string> corpus_files(std::vector<std::string> const& paths,
                                                             char const* extension = ".ctp") {
    std::vector<std::string> files;
    for (std::string const& path : paths) {
        std::error_code ec;
        if (!fs::is_directory(path, ec)) {
            if (!fs::exists(path, ec))
                return Unexpected{fmt::format("cannot read {}: No such file or directory", printable(path, 4096))};
            files.push_back(path);
            continue;
        }
        std::vector<std::string> below;
        for (auto it = fs::recursive_directory_iterator(path, ec); !ec && it != fs::recursive_directory_iterator();
             it.increment(ec))
            if (it->path().extension() == extension) below.push_back(it->path().string());
        if (ec) return Unexpected{fmt::format("cannot read {}: {}", printable(path, 4096), ec.message())};
        std::sort(below.begin(), below.end());
        files.insert(files.end(), below.begin(), below.end());
    }
    return files;
}

/// The files of the corpus. A new campaign removes the findings of an earlier one, and so none of these is one of them.
Expected<std::vector<std::string>, std::string> corpus_of(ValidateOptions const& options,
                                                          char const* extension = ".ctp") {
    auto files = corpus_files(options.corpus, extension);
    if (!files || options.output == "-" || options.findings == 0) return files;
    for (std::string const& file : *files)
        if (is_in_a_finding(file, options.output))
            return Unexpected{
                fmt::format("-o {} would replace the input {}: choose another folder for the findings, or `-o -`",
                            printable(options.output, 4096), printable(file, 4096))};
    return files;
}

/// Whether the program of a file has selectors, modes or barriers. What cannot be read has not: it is reported later.
bool has_mpi(std::string const& file) {
    auto const c = validate::make_case(read_file(file).value_or({}), false);
    return c && !c->code.is_plain();
}

ExitCode exit_code(validate::Result const& r) {
    if (!r.disagreement.empty()) return internal;
    std::uint64_t wrong = 0, cases = 0, agrees = 0;
    for (Counts const& c : r.counts) wrong += c.wrong[0] + c.wrong[1], cases += c.cases, agrees += c.agrees;
    if (wrong > 0 || r.unexplained) return disagrees;
    if (base::interruption()) return r.complete && r.unreadable.empty() && agrees == cases ? holds : unknown;
    if (cases > 0 && agrees == 0) return solver_failed;
    // A corpus of which nothing could be asked says nothing.
    bool const is_all = r.complete && r.unreadable.empty() && (cases > 0 || r.programs == 0);
    return agrees == cases && is_all ? holds : unknown;
}

std::optional<Shard> shard_of(std::string const& text) {
    Shard shard;
    char slash = 0;
    std::istringstream in(text);
    bool const is_shard = in >> shard.number >> slash >> shard.count && slash == '/' && in.eof();
    if (!is_shard || shard.number < 1 || shard.number > shard.count) return std::nullopt;
    return shard;
}

/// A word in braces that stands for nothing, such as {file}. Empty if there is none.
std::string misspelt_placeholder(std::vector<std::string> const& command) {
    for (std::string const& word : command) {
        bool const is_in_braces = word.size() > 2 && word.front() == '{' && word.back() == '}';
        bool const is_word =
            is_in_braces &&
            word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", 1) == word.size() - 1;
        if (is_word && std::find(placeholders.begin(), placeholders.end(), word) == placeholders.end())
            return fmt::format("the encoder's {} means nothing; {} do, and {{ctp}} for the file with the program", word,
                               fmt::join(placeholders.begin() + 1, placeholders.end(), ", "));
    }
    return {};
}

/// Options that exclude each other; empty if there are none.
std::string contradiction(ValidateOptions const& options) {
    if (options.junit == "-") return "--junit needs the name of a file";
    if (options.mpi && options.mcapi) return "--mpi and --mcapi exclude each other";
    if (options.shared && options.mpi) return "--shared and --mpi exclude each other";
    if (options.shared && options.traces)
        return "--traces is about single runs of programs with messages, not about --shared";
    if (options.shared && options.level.value_or(0) > SmallSharedPrograms::highest_level)
        return fmt::format("with --shared, --level is at most {}", SmallSharedPrograms::highest_level);
    if (options.level.value_or(0) > 8) return "--level is at most 8";
    if (options.hybrid && !options.shared) return "--hybrid is for --shared";
    if (options.switches && !options.shared) return "--switches is for --shared";
    if (options.model && !options.shared) return "--model is for --shared";
    if (options.model && options.switches) return "--model and --switches exclude each other";
    if (options.model && options.runs == Runs::complete) return "--model is about executions, not about complete runs";
    return misspelt_placeholder(options.encoder);
}

/// The campaign that the options describe, or what is wrong with them.
Expected<CampaignOptions, std::string> campaign_of(ValidateOptions const& options) {
    CampaignOptions campaign;
    campaign.subject.command = options.encoder;
    Runs const runs = options.runs.value_or(options.shared ? Runs::executions : Runs::complete);
    campaign.subject.question = Question(runs, options.shared);
    if (options.switches)
        campaign.subject.question.switches =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(*options.switches, UINT32_MAX));
    if (std::string wrong = contradiction(options); !wrong.empty()) return Unexpected{std::move(wrong)};
    auto solver = solver_command(options.solver.value_or("z3"));
    if (!solver) return Unexpected{"--solver: " + solver.error()};
    campaign.subject.solver = *solver;
    campaign.subject.time = std::max(std::chrono::milliseconds(1), milliseconds(options.subject_time));
    campaign.subject.memory = std::uint64_t{options.memory} << 20U;
    campaign.bufferings = options.bufferings;
    campaign.subject.question.model = options.model;
    Encoder const* const built_in = options.encoder.size() == 1 ? find_encoder(options.encoder.front()) : nullptr;
    if (options.shared && built_in != nullptr && built_in->is_of_one_trace()) {
        if (options.model.value_or(Model::mcm) != Model::mcm)
            return Unexpected{fmt::format("{} is about --model mcm", built_in->name)};
        campaign.subject.question.model = Model::mcm;
    }
    if (built_in != nullptr && built_in->asks == Encoder::Asks::few_switches && !options.switches)
        return Unexpected{fmt::format("{} needs a bound on context switches: --switches N", built_in->name)};
    campaign.of_trace = options.traces || campaign.subject.question.model;
    if (built_in != nullptr) {
        std::erase_if(campaign.bufferings, [&](Buffering b) { return !built_in->handles(b); });
        campaign.of_trace = campaign.of_trace || built_in->is_of_one_trace();
        if (campaign.bufferings.empty())
            return Unexpected{fmt::format("{} does not speak of {} buffering", built_in->name,
                                          to_string(options.bufferings.front()))};
    }
    if (campaign.of_trace && runs == Runs::executions && !campaign.subject.question.model)
        return Unexpected{std::string("--runs executions is about all executions, not about one trace")};
    // Without messages, bufferings make no difference.
    if (options.shared && !options.hybrid) campaign.bufferings.resize(1);
    if (options.mpi && built_in != nullptr && built_in->asks == Encoder::Asks::failure_in_order)
        return Unexpected{fmt::format("{} knows no selectors, modes or barriers (--mpi)", built_in->name)};
    campaign.level = options.level.value_or(options.shared ? 4 : 6);
    campaign.rules = campaign.level > 0 && !options.skip_rules && !campaign.of_trace;
    campaign.shared = options.shared;
    campaign.hybrid = options.hybrid;
    campaign.random = options.cases;
    campaign.seed = options.seed;
    campaign.mpi = options.mpi;
    auto corpus = corpus_of(options);
    if (!corpus) return Unexpected{corpus.error()};
    if (options.mcapi) std::erase_if(*corpus, has_mpi);
    campaign.corpus = std::move(*corpus);
    if (campaign.level == 0 && campaign.random == 0 && campaign.corpus.empty())
        return Unexpected{std::string("there is nothing to ask: no small programs, no random ones, and no corpus")};
    campaign.shard = options.shard.number;
    campaign.shards = options.shard.count;
    campaign.jobs = options.jobs;
    campaign.most_findings = options.findings;
    campaign.interrupted = &base::interruption();
    if (options.time) campaign.time = milliseconds(*options.time);
    return campaign;
}

/// While it exists, Ctrl-C and SIGTERM do not end this program, but every question to an encoder or a solver. The
/// second Ctrl-C ends it; SIGTERM may come twice, as from timeout(1).
class InterruptsQuestions {
public:
    InterruptsQuestions() {
        auto* const handler = +[](int) { base::interruption() = true; };
        handlers_.on(SIGINT, {.handler = handler, .flags = SA_RESETHAND, .keeps_ignored = true})
            .on(SIGTERM, {.handler = handler, .keeps_ignored = true});
    }

private:
    SignalHandlers handlers_;
};

class ValidateCommand {
public:
    ValidateCommand(ValidateOptions const& options, CampaignOptions const& campaign, Terminal& terminal)
        : options_(options), campaign_(campaign), terminal_(terminal), folders_(options, campaign),
          // As it is read back: the name of a file need not be UTF-8.
          identity_(Json::parse(dump(identity_of(options, campaign)))) {}

    ExitCode run() {
        auto before = state_before();
        if (!before) return before.error();
        before_ = written_ = kept_ = before->found.size();
        is_new_ = before->programs == 0;
        programs_before_ = before->programs;
        validate::Result result;
        InterruptsQuestions const interrupts;
        try {
            result = run_campaign(
                campaign_, [&](validate::Result const& r) { return progress(r); }, std::move(*before));
        } catch (std::runtime_error const& e) {
            progress_.clear();
            complain(terminal_, e.what(), ErrorKind::solver, hints_for_start(e.what()));
            return solver_failed;
        }
        progress_.clear();
        keep(result);
        keep_reasons(result);
        if (!result.disagreement.empty()) report_bug(result.disagreement);
        if (!options_.junit.empty() && failed_.empty())
            failed_ = replace_file(options_.junit, report_junit(campaign_, result));
        terminal_.out(options_.format == Format::json
                          ? dump(report_json(campaign_, result, folders_, writes()))
                          : report_text(campaign_, result, folders_, writes(), options_.verbose));
        if (failed_.empty()) return exit_code(result);
        complain(terminal_, failed_, ErrorKind::file);
        return output_failed;
    }

private:
    bool writes() const { return options_.output != "-"; }

    /// A file of this folder is not looked for, unless its name has a slash.
    std::vector<std::string> hints_for_start(std::string_view told) const {
        std::string const name = options_.encoder.empty() ? std::string() : options_.encoder.front();
        std::error_code failed;
        if (name.empty() || !told.starts_with("cannot start " + printable(name, 120))) return {};
        if (options_.encoder.size() == 1 && name.find(' ') != std::string::npos)
            return {"this is one word; write the words of a command after `--` without quotes around them all"};
        if (told.ends_with("Permission denied") && fs::is_regular_file(name, failed))
            return {"`chmod +x` makes a script executable; or name what runs it, as in `python3 encoder.py`"};
        if (name.find('/') != std::string::npos) return {};
        if (fs::is_regular_file(name, failed))
            return {fmt::format("`./{}` is the file in this folder", printable(name, 120))};
        std::vector<std::string_view> names;
        for (Encoder const& e : encoders()) names.push_back(e.name);
        std::string const meant = did_you_mean(name, names);
        return meant.empty() ? std::vector<std::string>() : std::vector{meant.substr(2) + " It is built in"};
    }

    /// What the state file says is done.
    Expected<validate::Result, ExitCode> state_before() {
        std::error_code ec;
        if (options_.state.empty() || !fs::exists(options_.state, ec)) return validate::Result();
        auto const text = read_or_complain(options_.state, terminal_);
        if (!text) return Unexpected{text.error()};
        if (auto state = state_of(text->text(), identity_)) return std::move(*state);
        complain(
            terminal_,
            fmt::format("{} is not the state of this campaign: other options made it", printable(options_.state, 4096)),
            ErrorKind::usage);
        return Unexpected{bad_input};
    }

    void keep(validate::Result const& r) {
        // Not before something was asked: an encoder that cannot be started has found nothing else.
        if (writes() && options_.findings > 0 && std::exchange(is_new_, false)) remove_findings(options_.output);
        for (; writes() && failed_.empty() && written_ < r.found.size(); ++written_)
            failed_ = folders_.write(written_ + 1, r.found[written_]);
        for (; writes() && options_.findings > 0 && failed_.empty() && unanswered_ < r.troubles.size(); ++unanswered_)
            if (!r.troubles[unanswered_].program.empty()) failed_ = folders_.write(r.troubles[unanswered_]);
        if (!options_.state.empty() && failed_.empty())
            failed_ = replace_file(options_.state, state_text(identity_, r));
        if (writes() && failed_.empty() && r.unexplained.has_value() != keeps_unexplained_) {
            keeps_unexplained_ = r.unexplained.has_value();
            failed_ = keeps_unexplained_ ? folders_.write(*r.unexplained) : folders_.remove_unexplained();
        }
        kept_ = r.found.size();
    }

    /// At the end of a campaign its findings are explained again, with all that was observed.
    void keep_reasons(validate::Result const& r) {
        for (std::size_t i = before_; writes() && failed_.empty() && i < r.found.size(); ++i)
            failed_ = folders_.write_reason(i + 1, r.found[i]);
    }

    /// False: the campaign should stop.
    bool progress(validate::Result const& r) {
        auto const now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::seconds(1) && r.found.size() == kept_) return true;
        last_ = now;
        keep(r);
        std::uint64_t wrong = 0;
        for (Counts const& c : r.counts) wrong += c.wrong[0] + c.wrong[1];
        std::string const asked = fmt::format("{} of {} programs, {} wrong", r.programs, r.all, wrong);
        if (r.activity)
            progress_.show(fmt::format("{}; {}", in_words(*r.activity), asked));
        else
            progress_.show(fmt::format(
                "{}, {:.0f} s{}", asked, r.seconds,
                time_left(r.programs - programs_before_, r.all - r.programs, progress_.seconds(), options_.time)));
        return failed_.empty();
    }

    /// "asking more about a wrong answer, 37 of 191 programs, about 12 s left"
    static std::string in_words(validate::Activity const& a) {
        std::string out(a.what);
        if (a.all > 0) out += fmt::format(", {} of {} programs", a.done, a.all);
        std::optional<double> const limit = a.left ? std::optional(a.seconds + *a.left) : std::nullopt;
        std::string left = time_left(a.done, a.all > 0 ? a.all - a.done : 0, a.seconds, limit);
        if (left.empty() && a.left) left = fmt::format(", at most {:.0f} s left", *a.left);
        return out + (left.empty() ? fmt::format(", {:.0f} s", a.seconds) : left);
    }

    void report_bug(std::string const& disagreement) {
        complain(terminal_,
                 "matchpoint disagrees with itself; this is a bug in it, and not in the encoder:\n" + disagreement,
                 ErrorKind::internal);
        if (!writes()) return;
        std::error_code ec;
        fs::create_directories(options_.output, ec);
        replace_or_complain((fs::path(options_.output) / "disagreement.txt").string(), disagreement, terminal_);
    }

    ValidateOptions const& options_;
    CampaignOptions const& campaign_;
    Terminal& terminal_;
    FindingFolders folders_;
    Json identity_;
    std::size_t before_ = 0;            // findings of the state, whose programs as found are not known
    std::size_t written_ = 0;           // findings that have folders
    std::size_t kept_ = 0;              // findings in the state file
    std::size_t unanswered_ = 0;        // programs without an answer that were written, or looked at
    bool is_new_ = true;                // nothing has been asked yet
    bool keeps_unexplained_ = false;    // the folder of a wrong answer that is being explained is there
    std::uint64_t programs_before_ = 0; // of the state
    FileError failed_;                  // empty if every file could be written
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    ProgressLine progress_{ProgressLine::Elsewhere::lines};
};

ExitCode validate_reduction(ValidateOptions const& options, Terminal& terminal) {
    std::string wrong = contradiction_of_rma(options);
    auto corpus = corpus_of(options, ".rma");
    if (wrong.empty() && !corpus) wrong = corpus.error();
    if (wrong.empty()) {
        InterruptsQuestions const interrupts;
        return validate_rma(options, std::move(*corpus), terminal);
    }
    complain(terminal, wrong, ErrorKind::usage);
    return bad_input;
}

ExitCode validate_command(ValidateOptions const& options, Terminal& terminal) {
    if (options.rma) return validate_reduction(options, terminal);
    auto const campaign = campaign_of(options);
    if (campaign) return ValidateCommand(options, *campaign, terminal).run();
    complain(terminal, campaign.error(), ErrorKind::usage);
    return bad_input;
}

} // namespace

void add_validate(CommandLine& line) {
    auto const options = std::make_shared<ValidateOptions>();
    Command command =
        line.add("validate", "Test an encoder of executions against the semantics, and explain what is wrong with it",
                 validate_examples);
    command.command_argument(
        "ENCODER", options->encoder,
        "The encoder's command, after `--`. In it, {ctp} stands for a file with the program (otherwise the encoder "
        "reads it from standard input), {pairs} for a file with its match pairs, {buffering} for infinite or zero, "
        "{runs} "
        "for executions or complete, {switches} for the number of --switches, and {model} for the word of --model. "
        "Or the name of a built-in encoder: exact, section5, section5-zero, short-paper, order-based, figures-9-10; "
        "with --shared also schedule, fusion, fusion-bounded, fusion-mcm. With --rma, a reduction's command, with "
        "{rma} for the file; or exact, or literal-R3 and the like (docs/rma.md)");
    command.bufferings(options->bufferings, "Default: both");
    command.runs(options->runs, "What an encoder is held against: complete: some complete run fails, as in the paper; "
                                "executions: some execution fails before it gets stuck or breaks an assumption. "
                                "Default: complete; with --shared, executions");
    command.flag("--traces", options->traces,
                 "The encoder handles single runs: each program has one trace, and the question is whether it fails");
    command.range("--level", "L", options->level, 0, 1000, // contradiction() knows the most of each kind
                  "All small programs up to a size, from 1 to 8, with --shared to 6, with --rma to 5; 0: none. "
                  "Default: 6, with --shared 4, with --rma 3");
    command.count("--cases", "N", options->cases, "Number of random programs after them. Default: 2000");
    command.count("--seed", "S", options->seed, "Seed of the random programs. Default: 1");
    command.flag(
        "--mpi", options->mpi,
        "Also programs with what only MPI has: receives that select, synchronous and buffered sends, barriers. "
        "Small ones with one of these up to size L - 1, with all up to L - 2; and N random ones");
    command.flag("--mcapi", options->mcapi, "Leave out programs of the corpus that have any of this");
    command.flag(
        "--shared", options->shared,
        "Programs with shared variables: all small ones, N random ones without messages, and those of the corpus");
    command.flag(
        "--rma", options->rma,
        "Programs with remote memory access: the command is a reduction, which prints a sequentially consistent "
        "program. Small ones up to size L, at most 5. Default: 3");
    command.flag("--hybrid", options->hybrid, "With --shared: the random programs may have messages, too");
    command.count("--switches", options->switches,
                  "With --shared: only failures with at most so many context switches count");
    command.choice(
        "--model", options->model, causal_models(),
        "With --shared: each program has a trace, and the question is whether some execution fails that a causal model "
        "predicts from it, as for `check`. Default: all executions; of fusion-mcm, mcm");
    command.reads_in_folder({".ctp", ".rma"});
    command.inputs("--corpus", options->corpus, "Finally, the programs of a file or a folder; may be repeated");
    command.option(
        {.name = "--shard",
         .type = "I/N",
         .description = "Ask only part I of N, so that N machines can share the work",
         .set = [options](std::string const& text) { options->shard = *shard_of(text); },
         .check = [](std::string const& text) { return shard_of(text) ? std::string() : "it is I/N, I from 1 to N"; }});
    command.flag(
        "--skip-rules", options->skip_rules,
        "Begin with the small programs. Default: first one or two programs for each rule that an encoder may have "
        "wrong, unless L is 0");
    command.range("--jobs", "J", options->jobs, 1, 256, "Number of encoders running at once. Default: 1");
    command.seconds(
        "--time", "T", options->time,
        "Time limit of the campaign, in seconds. Half of it, or 10 s if that is more, is for explaining wrong "
        "answers; that may go on for up to a minute after it. Default: no limit");
    command.seconds("--encoder-time", "SECONDS", options->subject_time,
                    "Time limit of the encoder for a program, and of the solver for its problem. Default: 10");
    command.range("--memory", "MIB", options->memory, 1, 1U << 30U, "Memory limit of the encoder. Default: 1024");
    command.count("--findings", "K", options->findings,
                  "Stop after K different findings; 0: only count them. Default: 8");
    command.solver(options->solver);
    command.output(options->output, "The folder for the findings; `-`: none. Default: findings", "DIR");
    command.text("--state", "FILE", options->state, "Keep the progress in a file, and resume from it");
    command.report("--junit", Content::junit, options->junit, "Write a report in JUnit's XML format");
    command.flag("--verbose", options->verbose,
                 "In the text, also: the other explanations, what tells them apart, and what the programs had in them");
    command.format(options->format);
    command.color();
    command.action([options](Terminal& terminal) { return validate_command(*options, terminal); });
}

} // namespace matchpoint::cli
