#include <fmt/format.h>

#include "base/text.hpp"
#include "check/scope.hpp"
#include "cli/causal_models.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/explore_classes.hpp"
#include "cli/commands/outcome_table.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "cli/progress.hpp"
#include "executions/explorer.hpp"
#include "executions/shared/bounded_classes.hpp"
#include "executions/shared/classes.hpp"
#include "explain/matching_words.hpp"
#include "explain/message_words.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "matching/relevance.hpp"
#include "record/provenance.hpp"
#include "record/recorded_end.hpp"
#include "report/replay.hpp"

namespace matchpoint::cli {

namespace {

struct ExploreOptions {
    std::string file;
    Buffering buffering = Buffering::infinite;
    std::optional<std::uint64_t> limit; // executions
    Limits limits;
    bool verdicts = false;
    std::string outcomes; // names of variables, with commas between them
    std::optional<Model> model;
    std::optional<std::size_t> trace; // from 1: what the model predicts from
    std::optional<std::uint64_t> max_switches;
    bool names = false;
    Format format = Format::text;
};

constexpr auto explore_examples = R"(Examples:
  matchpoint explore traces/figure1.ctp
  matchpoint explore program.ctp --limit 1000    the first 1000 executions
  matchpoint explore program.ctp --verdicts      enough of them for the verdict
  matchpoint explore traces/shared_memory/account.ctp --max-switches 2
  matchpoint explore traces/figure1.ctp --outcomes a,b    all their final values

)";

class ExploreCommand {
public:
    ExploreCommand(ExploreOptions const& options, Prepared const& subject, std::vector<Variable> const& outcomes,
                   Terminal& terminal)
        : options_(options), s_(subject), terminal_(terminal), json_(options.format == Format::json),
          table_(subject.code, outcomes), explorer_(subject.messages, explorer_options(options)), m_(subject.messages),
          recorded_(record::recorded_end(subject.messages, subject.source.text())),
          left_over_(subject.messages.sends().size()) {
        exact_.of.resize(s_.messages.receives().size());
    }

    ExitCode run() {
        if (!json_)
            terminal_.print(fmt::format("{}: {} buffering, {}\n", printable(s_.source.name(), 4096),
                                        to_string(options_.buffering), most()));
        std::uint64_t const limit = options_.limit.value_or(UINT64_MAX);
        std::string unknown_because;
        try {
            while (!explorer_.done() && explorer_.counts().executions < limit) {
                if (auto const end = explorer_.next(1'000'000)) {
                    if (!json_) progress_.clear(); // standard output may be the same terminal
                    found(*end);
                }
                progress();
            }
            if (explorer_.done()) look_beside_faults();
        } catch (LimitReached const& e) {
            unknown_because = e.what();
        }
        progress_.clear();
        complete_ = explorer_.done() && unknown_because.empty();
        if (!unknown_because.empty()) complain(terminal_, unknown_because, ErrorKind::limit);
        json_ ? print_json() : print_text();
        return exit_code();
    }

private:
    static Explorer::Options explorer_options(ExploreOptions const& options) {
        Explorer::Options result;
        result.buffering = options.buffering;
        result.verdicts_only = options.verdicts;
        return result;
    }

    void found(End end) {
        leaves_path_ = leaves_path_ || explorer_.state().s == Status::infeasible;
        switch (end) {
        case End::complete: complete(); break;
        case End::deadlock: {
            bool const is_open = ends_openly(s_.code, options_.buffering, explorer_.state(), cut_short_);
            ++(is_open ? open_ends_ : deadlocks_);
            stuck(is_open ? "ended" : "deadlock",
                  Replay(s_.code, options_.buffering, explorer_.schedule()).stuck_threads());
            break;
        }
        case End::fault:
            ++faults_;
            stuck("fault", {shown_fault(s_.code, explorer_.state(), *explorer_.fault())});
            break;
        case End::off_path: // of Runs::executions only
        case End::pruned: break;
        }
    }

    /// How many match sets there can be.
    std::string most() const {
        if (s_.messages.receives().empty()) return "nothing to receive";
        std::string const sets = at_most_match_sets(s_.messages);
        if (sets == "0")
            return fmt::format("no run completes{}",
                               provenance_of(s_.source.text()).is_recorded() ? " with what is recorded" : "");
        return fmt::format("at most {} match set{}", sets, sets == "1" ? "" : "s");
    }

    /// An execution ends at a fault. Another thread may reach an assumption that is false if it goes first.
    void look_beside_faults() {
        if (leaves_path_ || faults_ == 0 || !has_assumptions(s_.code.ctp())) return;
        Explorer::Options on_path = explorer_options(options_);
        on_path.runs = Runs::executions;
        Explorer executions(s_.messages, on_path);
        while (!leaves_path_ && executions.next()) {
            for (Replay::Halt const& halt :
                 Replay(s_.code, options_.buffering, executions.schedule(), Extent::prefix).halts())
                leaves_path_ = leaves_path_ || halt.kind == Replay::Halt::Kind::leaves_path;
            progress();
        }
    }

    void complete() {
        Status const status = explorer_.state().s;
        ++runs_[static_cast<std::size_t>(status)];
        explorer_.matching(m_);
        collect_pairs();
        bool const may_be_recorded = status == Status::success && recorded_;
        bool const is_recorded = may_be_recorded && recorded_->is(m_);
        bool const begins = may_be_recorded && recorded_->begins(m_);
        bool const is_renamed = may_be_recorded && recorded_->renames(m_);
        if (is_renamed) ++renamed_;
        table_.add(explorer_.state(), explorer_.schedule());
        if (json_) return add_run(is_renamed ? recorded_->word() : to_string(status), is_recorded || begins);
        if (table_.is_wanted()) return;
        print_run(is_renamed ? terminal_.paint(recorded_style(), recorded_->word()) : shown(status, terminal_.paint()),
                  is_recorded ? "this is the recorded run"
                  : begins    ? "begins as the recorded run"
                              : "");
    }

    void add_run(std::string_view status, bool is_as_recorded) {
        outcomes_.push_back({{"status", status},
                             {"matches", to_json(s_.messages, m_)},
                             {"trace", shown_trace(s_.code, explorer_.schedule())}});
        if (s_.code.has_probes()) outcomes_.back()["sees"] = seen_to_json(s_.code, explorer_.state());
        if (is_as_recorded) outcomes_.back()[std::string(recorded_->field())] = recorded_->how;
    }

    void print_run(std::string_view status, std::string_view as_recorded) {
        std::string matches = shown(s_.messages, m_, SIZE_MAX);
        if (std::string const seen = explain::shown_seen(s_.code, explorer_.state()); !seen.empty())
            matches += (matches.empty() ? "" : "; ") + seen;
        terminal_.print(fmt::format("{}{}{}\n", status, matches.empty() ? "" : ": ", matches));
        if (!as_recorded.empty())
            terminal_.print(fmt::format("  {}, which {}{}: {}\n", as_recorded, recorded_->has_failed ? "" : "was ",
                                        recorded_->word(), recorded_->how));
        terminal_.print(wrapped_trace(s_.code, explorer_.schedule(), "  "));
    }
    Style recorded_style() const { return recorded_->has_failed ? Style::bad : Style::stuck; }

    /// Adds the match set of a run to the exact pairs, and the sends it leaves out to the orphans.
    void collect_pairs() {
        std::vector<bool> received(left_over_.size());
        for (std::uint32_t r = 0; r < m_.size(); ++r) {
            received[m_[r]] = true;
            auto& sends = exact_.of[r];
            auto const it = std::lower_bound(sends.begin(), sends.end(), m_[r]);
            if (it == sends.end() || *it != m_[r]) sends.insert(it, m_[r]);
        }
        for (std::size_t i = 0; i < received.size(); ++i)
            if (!received[i]) left_over_[i] = true;
    }

    void stuck(std::string_view what, std::vector<std::string> const& why) {
        if (json_) {
            outcomes_.push_back(
                {{"status", what}, {"why", why}, {"trace", shown_trace(s_.code, explorer_.schedule())}});
            return;
        }
        if (table_.is_wanted()) return;
        terminal_.print(fmt::format("{}\n", terminal_.paint(Style::stuck, what)));
        for (std::string const& line : why) terminal_.print(fmt::format("  {}\n", line));
        terminal_.print(wrapped_trace(s_.code, explorer_.schedule(), "  "));
    }

    void progress() {
        if (!progress_.is_due()) return;
        terminal_.flush(); // what was found appears above the line
        progress_.show(fmt::format("{}, {}; {:.1f} s", plural(explorer_.counts().executions, "execution"),
                                   plural(explorer_.steps(), "machine step"), progress_.seconds()));
    }

    std::uint64_t runs(Status s) const { return runs_[static_cast<std::size_t>(s)]; }
    std::uint64_t runs() const { return runs(Status::success) + runs(Status::failure) + runs(Status::infeasible); }

    Verdict verdict() const {
        if (runs(Status::failure) > 0) return Verdict::violated;
        if (!complete_ || (open_ends_ > 0 && runs(Status::success) == 0)) return Verdict::unknown;
        return runs(Status::success) > 0 ? Verdict::safe : Verdict::vacuous;
    }
    check::Scope scope() const { return check::scope_of(s_.code, provenance_of(s_.source.text()).is_recorded()); }
    /// What keeps the verdict from being about every run of a recorded program; empty if nothing does.
    std::string not_known() const {
        if (runs(Status::failure) > 0) return {};
        return record::not_known(s_.code, s_.source.text(), verdict() != Verdict::unknown);
    }
    /// Complete runs succeed, and whether another run of the recorded program can fail is not known.
    bool is_evaluated_only() const { return runs(Status::success) > 0 && !scope().evaluated.empty(); }
    Style style_of_verdict() const {
        if (runs(Status::failure) > 0) return Style::bad;
        if (!complete_) return Style::stuck;
        if (is_evaluated_only()) return Style::stuck;
        return runs(Status::success) > 0 ? Style::good : Style::broken;
    }
    ExitCode exit_code() const {
        if (runs(Status::failure) > 0) return failure;
        if (!complete_) return unknown;
        if (deadlocks_ > 0) return deadlock;
        if (faults_ > 0) return error;
        if (is_evaluated_only()) return unknown;
        Provenance const from = provenance_of(s_.source.text());
        if (!end_in_words(from).empty() || from.deadlocked) return unknown;
        return runs(Status::success) > 0 ? holds : infeasible;
    }

    /// Whether values of one run decided something that may not happen in others. A deadlock that was recorded did.
    bool rests_on_values() const {
        Provenance const from = provenance_of(s_.source.text());
        return from.concrete_values && (runs(Status::failure) + faults_ > 0 || (deadlocks_ > 0 && !from.deadlocked));
    }

    std::vector<Action> orphans() const {
        std::vector<Action> result;
        for (std::size_t i = 0; i < left_over_.size(); ++i)
            if (left_over_[i]) result.push_back(s_.messages.sends()[i].a);
        return result;
    }

    void print_text() {
        if (table_.is_wanted()) table_.print(terminal_);
        auto const count = [&](std::string const& text, Style style, std::uint64_t n) {
            return terminal_.paint(n > 0 ? style : Style::plain, text);
        };
        auto const completed = [&](Status s) {
            std::uint64_t const n = runs(s) - (s == Status::success ? renamed_ : 0);
            return count(fmt::format("{} {}", n, to_string(s)), style_of(s), n);
        };
        std::string const renamed =
            renamed_ == 0 ? "" : fmt::format(", {} {} when recorded", renamed_, recorded_->word());
        std::string const open = open_ends_ > 0 ? fmt::format(", {} ended with the recorded run", open_ends_) : "";
        terminal_.print(fmt::format("{}: {} ({}, {}, {}{}), {}, {}{}\n", complete_ ? "complete" : "bounded",
                                    plural(runs(), "complete run"), completed(Status::success),
                                    completed(Status::failure), completed(Status::infeasible),
                                    count(renamed, renamed_ > 0 ? recorded_style() : Style::plain, renamed_),
                                    count(plural(deadlocks_, "deadlock"), Style::stuck, deadlocks_),
                                    count(plural(faults_, "fault"), Style::stuck, faults_), open));
        if (!options_.verdicts && !table_.is_wanted() && !exact_.of.empty()) {
            terminal_.print("match pairs of these runs:\n");
            terminal_.print(shown(s_.messages, exact_, terminal_.paint()));
        }
        if (auto const left = orphans(); !options_.verdicts && !table_.is_wanted() && !left.empty())
            terminal_.print(fmt::format("orphans of some of these runs: {}\n", in_words(s_.code, left, left.size())));
        if (std::string const why = not_known(); !why.empty()) terminal_.print(why + '\n');
        if (rests_on_values()) terminal_.print(fmt::format("{}\n", record::provenance::holds_if));
        std::string text =
            fmt::format("verdict: {}", terminal_.paint(style_of_verdict(),
                                                       check::verdict_in_words(verdict(), scope(), leaves_path())));
        auto const add = [&](std::string_view what, Reached::Answer a) {
            Style const style = a == Reached::Answer::no ? Style::plain : Style::stuck;
            text += fmt::format("; {}: {}", what, terminal_.paint(style, check::to_string(a)));
        };
        add("deadlock", answer_on_deadlocks());
        add("fault", answer(faults_ > 0));
        if (has_assumptions(s_.code.ctp())) add("leaves the path", leaves_path());
        terminal_.print(text + '\n');
        terminal_.print(fmt::format("{}, {} with a choice\n", plural(explorer_.steps(), "machine step"),
                                    plural(explorer_.counts().states, "state")));
    }

    void print_json() {
        Json json = report_of("explore", s_.source);
        json["buffering"] = to_string(options_.buffering);
        json["complete"] = complete_;
        json["verdicts_only"] = options_.verdicts;
        json["at_most"] = at_most_match_sets(s_.messages);
        json["verdict"] = check::shown_verdict(verdict(), scope());
        if (std::string const why = not_known(); !why.empty()) json["not_known"] = why;
        if (rests_on_values()) json["values_of_one_run"] = true;
        json["deadlock"] = check::to_string(answer_on_deadlocks());
        json["fault"] = check::to_string(answer(faults_ > 0));
        json["leaves_path"] = check::to_string(leaves_path());
        if (table_.is_wanted()) json["outcomes"] = table_.json();
        json["executions"] = outcomes_;
        json["pairs"] = to_json(s_.messages, exact_);
        json["orphans"] = to_json(s_.code, orphans());
        json["steps"] = explorer_.steps();
        json["states"] = explorer_.counts().states;
        terminal_.out(dump(json));
    }

    Reached::Answer answer(bool found) const {
        return found ? Reached::Answer::yes : complete_ ? Reached::Answer::no : Reached::Answer::unknown;
    }

    Reached::Answer answer_on_deadlocks() const {
        return deadlocks_ == 0 && !cut_short_.empty() ? Reached::Answer::unknown : answer(deadlocks_ > 0);
    }

    Reached::Answer leaves_path() const {
        return has_assumptions(s_.code.ctp()) ? answer(leaves_path_) : Reached::Answer::no;
    }

    ExploreOptions const& options_;
    Prepared const& s_;
    Terminal& terminal_;
    bool json_;
    OutcomeTable table_;
    Explorer explorer_;
    Matching m_;
    MatchPairs exact_;
    std::optional<record::RecordedEnd> recorded_;
    std::vector<bool> left_over_; // send: some run leaves it unmatched
    std::uint64_t runs_[3] = {};  // complete runs, by status
    std::uint64_t deadlocks_ = 0;
    record::CutShort cut_short_ = provenance_of(s_.source.text()).cut_short;
    std::uint64_t open_ends_ = 0; // that the threads which were cut short could end
    std::uint64_t faults_ = 0;
    std::uint64_t renamed_ = 0; // of the complete runs that succeed: those with the end of the recorded run
    bool leaves_path_ = false;  // some execution does
    Json outcomes_ = Json::array();
    bool complete_ = false;
    ProgressLine progress_;
};

ExitCode explore_classes(ExploreOptions const& options, Prepared const& subject, std::vector<Variable> const& outcomes,
                         Terminal& terminal) {
    if (options.verdicts) {
        complain(terminal,
                 "--verdicts is for programs without shared variables: `matchpoint check` merges states of the others",
                 ErrorKind::usage);
        return bad_input;
    }
    ExploreClassesOptions classes{.buffering = options.buffering,
                                  .limit = options.limit,
                                  .json = options.format == Format::json,
                                  .max_switches = options.max_switches,
                                  .outcomes = outcomes};
    std::optional<CausalModel> model;
    if (options.model) {
        auto made = causal_model(subject, options.buffering, *options.model, options.trace, terminal);
        if (!made) return made.error();
        model = std::move(*made);
        classes.model = fmt::format("{} of trace {}", to_string(*options.model), options.trace.value_or(1));
    }
    CausalModel const* const of = classes.of = model ? &*model : nullptr;
    std::unique_ptr<UntilEnd> search;
    if (options.max_switches) {
        auto const most = static_cast<std::uint32_t>(std::min<std::uint64_t>(*options.max_switches, UINT32_MAX));
        search = std::make_unique<BoundedClasses>(subject.messages, options.buffering, most, of);
    } else {
        search = std::make_unique<Classes>(subject.messages, options.buffering, of);
    }
    return ExploreClasses(classes, subject, *search, terminal).run();
}

ExitCode explore_command(ExploreOptions const& options, Terminal& terminal) {
    if (options.trace && !options.model) {
        complain(terminal, "--trace is for --model, which predicts from a trace", ErrorKind::usage);
        return bad_input;
    }
    if (options.verdicts && !options.outcomes.empty()) {
        complain(terminal, "--verdicts leaves out runs with other final values: not with --outcomes", ErrorKind::usage);
        return bad_input;
    }
    auto const read = read_prepared(options.file, terminal, KnowsSharing::yes);
    if (!read) return read.error();
    Provenance const from = provenance_of((*read)->source.text());
    ToldByPlaces const told((*read)->code, from.thread,
                            options.format == Format::text && !options.names && from.is_recorded());
    std::vector<Variable> outcomes;
    if (!options.outcomes.empty()) {
        auto named = variables_of(options.outcomes, (*read)->code);
        if (!named) {
            complain(terminal, "--outcomes: " + named.error(), ErrorKind::usage);
            return bad_input;
        }
        outcomes = std::move(*named);
    }
    if ((*read)->messages.order_matters() || options.model || options.max_switches)
        return explore_classes(options, **read, outcomes, terminal);
    return ExploreCommand(options, **read, outcomes, terminal).run();
}

} // namespace

void add_explore(CommandLine& line) {
    auto const options = std::make_shared<ExploreOptions>();
    Command command =
        line.add("explore",
                 "Show all executions of a program: every match set with its status and a trace, "
                 "deadlocks, faults, exact match pairs; with shared variables, every class of executions",
                 std::string(explore_examples) + std::string(interrupt_help) + std::string(exit_codes_help));
    command.argument("FILE", options->file, program_help);
    command.buffering(options->buffering);
    command.number("--limit", options->limit, "Stop after N executions. Default: no limit");
    command.flag(
        "--verdicts", options->verdicts,
        "Omit match pairs, and executions that cannot differ in status, deadlock or fault from one that is shown");
    command.option({.name = "--outcomes",
                    .type = "X,Y,...",
                    .description = "Show the final values of these variables in complete runs, each combination once, "
                                   "with the number of runs and a trace, instead of the executions",
                    .set = [options](std::string const& names) { options->outcomes = names; },
                    .check =
                        [](std::string const& names) {
                            return names.empty() ? std::string("names of variables are missing") : std::string();
                        }});
    command.choice("--model", options->model, causal_models(),
                   "Only executions that a causal model predicts from a trace. ctp: all of the trace's commands; mcm: "
                   "those in which what is read and received has the values of the trace; hb: those that keep the "
                   "order of conflicting accesses, and the matches");
    command.trace(options->trace, "Predict from trace N of the file, counted from 1. Default: 1");
    command.count("--max-switches", options->max_switches,
                  "Only executions with at most N context switches. Default: no limit");
    command.flag("--names", options->names, names_help);
    command.limits(options->limits);
    command.format(options->format);
    command.color();
    command.action([options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return explore_command(*options, terminal); });
    });
}

} // namespace matchpoint::cli
