#include "cli/commands/check_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "check/written_out.hpp"
#include "cli/commands/data_race.hpp"
#include "cli/output.hpp"
#include "explain/blocked.hpp"
#include "explain/matching_words.hpp"
#include "explain/message_words.hpp"
#include "explain/words.hpp"
#include "grammar/print.hpp"
#include "matching/relevance.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

namespace {

Style answer_style(Reached::Answer a) { return a == Reached::Answer::no ? Style::plain : Style::stuck; }

} // namespace

std::string_view label(Trouble::Kind kind) {
    switch (kind) {
    case Trouble::Kind::limit: return "limit";
    case Trouble::Kind::solver: return "solver failed";
    case Trouble::Kind::wrong_answer: break;
    }
    return "wrong answer";
}

CheckReport::CheckReport(Prepared const& subject, CheckOptions const& options, CheckResult const& result,
                         bool statistics)
    : name_(subject.source.name()), s_(&subject), buffering_(options.buffering),
      shown_buffering_(check::shown_buffering(options)), may_refuse_(options.refusals == check::Refusals::any),
      runs_(options.runs), r_(result), statistics_(statistics), scope_(scope_of(subject.code, false)),
      searched_on_(options.switches) {}

CheckReport::CheckReport(std::string name, CheckOptions const& options, CheckResult const& result, bool statistics)
    : name_(std::move(name)), buffering_(options.buffering), shown_buffering_(check::shown_buffering(options)),
      may_refuse_(options.refusals == check::Refusals::any), runs_(options.runs), r_(result), statistics_(statistics) {}

void CheckReport::set_recorded(Provenance const& from, TraceEnding const& of_run) {
    scope_ = scope_of(s_->code, true);
    end_ = end_in_words(from, r_.verdict != Verdict::unknown);
    why_ = from.failed ? from.how_failed() : printable(from.ended.value_or(""), 200);
    has_failed_ = from.failed.has_value();
    is_known_who_died_ = !from.cut_short.dead.empty();
    is_cut_ = !end_.empty() || from.deadlocked;
    has_deadlocked_ = from.deadlocked;
    sends_waited_ = of_run.buffering == Buffering::zero;
    some_waited_ = !of_run.refusing.empty();
    if (from.has_free_threads) return; // `mpi verify` does not replay them
    std::string_view const command = from.thread == "rank" ? "mpi" : s_->code.shares() ? "threads" : "mcapi";
    verify_ = fmt::format("`matchpoint {} verify -- {}`", command, printable(*from.command, 4096));
}

Style CheckReport::verdict_style() const {
    bool const is_stuck = r_.deadlock.answer == Reached::Answer::yes || r_.fault.answer == Reached::Answer::yes;
    if (is_stuck && r_.verdict != Verdict::violated) return Style::stuck;
    switch (r_.verdict) {
    case Verdict::violated: return Style::bad;
    case Verdict::safe: return scope_.asserts() && scope_.evaluated.empty() ? Style::good : Style::plain;
    case Verdict::vacuous: return Style::broken;
    case Verdict::unknown: break;
    }
    return Style::stuck;
}

std::string CheckReport::beside_the_run() const {
    if (!is_beside_the_run()) return {};
    bool const is_buffered = buffering_ == Buffering::infinite && !may_refuse_ && !model_;
    if (end_.empty())
        return is_buffered && (sends_waited_ || some_waited_)
                   ? fmt::format("the recorded run deadlocked, as its sends waited: --buffering {} is about that",
                                 some_waited_ ? "any" : "zero")
               : r_.verdict == Verdict::unknown ? "the recorded run deadlocked"
               : r_.fault.answer == Reached::Answer::yes
                   ? "the recorded run deadlocked; the fault may be why"
                   : "the recorded run deadlocked, and the verdict is not about that";
    return has_failed_ && !is_known_who_died_ && r_.deadlock.answer == Reached::Answer::yes
               ? end_ + ". What the deadlock waits for may be what the run did not reach"
               : end_;
}

bool CheckReport::is_recorded_deadlock() const {
    bool const is_of_its_buffering = may_refuse_ || sends_waited_ == (buffering_ == Buffering::zero);
    if (!has_deadlocked_ || !is_of_its_buffering || r_.deadlock.answer != Reached::Answer::yes) return false;
    if (s_->program.traces.empty()) return false;
    Machine recorded(s_->code, buffering_);
    machine::run(recorded, 0, Extent::prefix);
    Replay const predicted(s_->code, buffering_, r_.deadlock.schedule, Extent::prefix);
    return recorded.state().ctp == predicted.state().ctp &&
           match_set(s_->code, recorded.state()) == match_set(s_->code, predicted.state());
}

std::string CheckReport::not_known() const {
    std::string result = r_.verdict == Verdict::safe ? check::evaluated_in_words(scope_) : "";
    append_sentence(result, beside_the_run());
    return result;
}

void CheckReport::print(Terminal& terminal) const {
    std::string const of = model_   ? fmt::format(", {} of trace {}", to_string(model_->model), model_->trace)
                           : pairs_ ? fmt::format(", only {}", plural(*pairs_, "match pair"))
                                    : "";
    terminal.print(fmt::format("{}: {} ({} buffering{})\n", printable(name_, 4096),
                               terminal.paint(verdict_style(), check::summary(r_, scope_)), shown_buffering_, of));
    if (is_beside_the_run())
        terminal.print(fmt::format("  {}\n", beside_the_run()));
    else if (has_deadlocked_)
        terminal.print("  the recorded run deadlocked\n");
    switch (r_.verdict) {
    case Verdict::violated: violated(terminal); break;
    case Verdict::safe: safe(terminal); break;
    case Verdict::vacuous: vacuous(terminal); break;
    case Verdict::unknown: break;
    }
    if (r_.verdict != Verdict::violated) switches(terminal);
    if (!is_about_a_part()) reached(terminal, "deadlock", r_.deadlock);
    if (!is_about_a_part()) reached(terminal, "fault", r_.fault);
    if (!is_about_a_part() && s_ != nullptr && has_assumptions(s_->code.ctp())) {
        reached(terminal, "leaves the path", r_.leaves_path);
        other_paths(terminal);
    }
    race(terminal);
    // Nobody knows what would have been received after the end of such a recording.
    for (std::uint32_t beta = 0; !is_cut_ && some_complete() && beta < s_->code.endpoints().size(); ++beta)
        if (std::uint32_t const n = orphans_at(s_->messages, {beta}); n > 0)
            terminal.print(fmt::format("  {}: {}\n", terminal.paint(Style::stuck, "orphans"),
                                       explain::orphans_in_words(s_->messages, {beta}, n)));
    inductive(terminal);
    lifted(terminal);
    terminal.print(fmt::format("  {}\n", work()));
    if (statistics_)
        for (Inference const i : all_inferences)
            terminal.print(fmt::format("  inference {}: {}\n", matching::to_string(i), r_.work.inferences[i]));
    for (Trouble const& t : r_.trouble)
        terminal.print(fmt::format("  {}: {}\n", terminal.paint(Style::stuck, label(t.kind)), t.what));
}

std::string CheckReport::witnesses() const {
    Program program = s_->program;
    program.traces.clear();
    std::string comment;
    auto const add = [&](std::string_view what, Schedule const& schedule, std::vector<Action> const& refusing = {}) {
        program.traces.push_back(check::written_out(s_->code, buffering_, schedule).trace(s_->code));
        std::vector<std::string> sends;
        sends.reserve(refusing.size());
        for (Action const a_s : refusing) sends.emplace_back(s_->code.names()(a_s));
        comment += record::provenance::line(program.traces.size(), buffering_, what, sends);
    };
    bool const breaks_an_assumption = r_.run && r_.run->s == Status::infeasible;
    auto const add_run = [&] {
        if (r_.run)
            add(fmt::format("{}{}", machine::to_string(r_.run->s),
                            r_.run->extent == Extent::prefix ? record::provenance::on_path_only : ""),
                r_.run->schedule);
    };
    // A user who looks at a single trace looks at the first: it shows the worst outcome.
    if (!breaks_an_assumption) add_run();
    if (r_.verdict == Verdict::violated && r_.safe) add("success", r_.safe->schedule);
    if (r_.deadlock.answer == Reached::Answer::yes)
        add(record::provenance::to_deadlock, r_.deadlock.schedule, r_.deadlock.refusing);
    if (r_.fault.answer == Reached::Answer::yes) add(record::provenance::to_fault, r_.fault.schedule);
    if (breaks_an_assumption)
        add_run();
    else if (r_.leaves_path.answer == Reached::Answer::yes)
        add(record::provenance::off_path, r_.leaves_path.schedule);
    return program.traces.empty() ? std::string() : comment + grammar::print(program);
}

void CheckReport::safe(Terminal& terminal) const {
    if (!scope_.asserts()) return asserts_nothing(terminal);
    if (!scope_.evaluated.empty()) return evaluated(terminal);
    if (model_) return terminal.print("  no execution of the model fails\n");
    if (pairs_) return terminal.print("  no complete run with these matches fails, and some succeed\n");
    if (r_.leaves_path.answer == Reached::Answer::yes && on_path())
        return terminal.print(
            "  no execution fails as long as it stays on the recorded path, and some complete run succeeds\n");
    terminal.print(on_path() ? "  no execution fails, and some complete run succeeds\n"
                             : "  no complete run fails, and some succeed\n");
}

void CheckReport::asserts_nothing(Terminal& terminal) const {
    // Nobody asks about deadlocks, faults and data races of a model.
    terminal.print(model_ ? "  the program asserts nothing, so no execution of the model can fail\n"
                   : s_->code.shares()
                       ? "  the program asserts nothing: this is about deadlocks, faults and data races\n"
                       : "  the program asserts nothing: this is about deadlocks and faults\n");
    if (!verify_.empty())
        terminal.print(fmt::format("  whether another run of the program fails is not known; {} finds out\n", verify_));
}

void CheckReport::evaluated(Terminal& terminal) const {
    constexpr std::size_t most = 5;
    std::vector<std::string> places;
    for (Location const rho : scope_.evaluated) {
        std::string place = shown_place(s_->code, rho);
        if (place.empty()) place = explain::shown(s_->code, rho);
        if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
    }
    std::size_t const shown = std::min(most, places.size());
    std::size_t const n = scope_.evaluated.size();
    terminal.print(fmt::format("  {} evaluated in the recorded run, {}: {}{}\n",
                               n == 1 ? "1 assertion was" : fmt::format("{} assertions were", n),
                               has_failed_ ? "which failed" : "and true there",
                               fmt::join(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                               places.size() > most ? fmt::format(" and {} more", places.size() - most) : ""));
    if (scope_.assertions > n)
        terminal.print(fmt::format("  {} cannot fail{}\n", plural(scope_.assertions - n, "other assertion"),
                                   model_ ? " in the model" : ""));
    received(terminal);
    terminal.print(fmt::format("  whether {} can be false in another run is not known{}\n", n == 1 ? "it" : "they",
                               verify_.empty() ? "" : fmt::format("; {} finds out", verify_)));
}

void CheckReport::received(Terminal& terminal) const {
    std::size_t const all = scope_.followed.size() + scope_.not_followed.size();
    if (scope_.not_followed.empty()) return;
    terminal.print(fmt::format("  received values that are followed: {} of {} (--format json names them)\n",
                               scope_.followed.size(), all));
}

void CheckReport::violated(Terminal& terminal) const {
    Replay failing = replay(*r_.run);
    terminal.print(shown_findings(s_->code, failing.findings(), terminal.paint()));
    // With shared variables the run is cut at its first failure, where others could go on.
    if (r_.run->extent == Extent::prefix && !r_.switches) after_that(terminal, failing.halts());
    switches(terminal);
    matches(terminal);
    if (r_.safe)
        terminal.print(fmt::format("  a run that succeeds differs: here {}\n",
                                   shown_difference(s_->messages, r_.run->matching, r_.safe->matching)));
    trace(terminal, r_.run->schedule);
}

void CheckReport::race(Terminal& terminal) const {
    if (!r_.race) return;
    terminal.print(fmt::format("  data race: {}\n",
                               terminal.paint(answer_style(r_.race->answer), check::to_string(r_.race->answer))));
    if (r_.race->answer != Reached::Answer::yes) return;
    for (std::string const& line : race_sentences(s_->code, *r_.race)) terminal.print(fmt::format("    {}\n", line));
    trace(terminal, r_.race->schedule, "    trace: ");
}

void CheckReport::lifted(Terminal& terminal) const {
    if (r_.lifted_at)
        terminal.print(fmt::format("  bound: lifted, since the proof for at most {} does not need it\n",
                                   plural(*r_.lifted_at, "context switch", "context switches")));
}

void CheckReport::switches(Terminal& terminal) const {
    if (!r_.switches) {
        if (searched_on_ && r_.verdict == Verdict::violated)
            terminal.print("  --switches: of this program they are not counted, since its threads share no variable\n");
        if (searched_on_ && (r_.verdict == Verdict::safe || r_.verdict == Verdict::vacuous))
            terminal.print("  --switches: no execution fails, whatever their number\n");
        return;
    }
    auto const [least, most] = *r_.switches;
    std::string const more = searched_on_ ? " (a limit was reached)" : " (--switches searches on)";
    terminal.print(fmt::format("  {}: {}{}\n", terminal.paint(Style::note, "context switches"), most,
                               least == most ? ", and no failing execution has fewer"
                               : least == 0  ? "; whether fewer are enough is not known" + more
                                             : fmt::format("; none with fewer than {} fails{}", least, more)));
}

void CheckReport::vacuous(Terminal& terminal) const {
    if (pairs_) return terminal.print("  no complete run with these matches keeps its assumptions, if any completes\n");
    if (!scope_.asserts()) asserts_nothing(terminal);
    if (!r_.run) {
        // A solver only knows that no run succeeds.
        bool const by_solver = r_.engine.starts_with("smt") || r_.engine == "sat";
        terminal.print(!by_solver  ? "  no run completes\n"
                       : on_path() ? "  no execution fails, but none stays on the path to its end\n"
                                   : "  no complete run keeps its assumptions, if any completes\n");
        return;
    }
    if (!on_path())
        terminal.print("  every complete run breaks an assumption; this one:\n");
    else if (r_.deadlock.answer == Reached::Answer::yes)
        terminal.print("  no execution fails, but none stays on the path to its end: some end in a deadlock (below), "
                       "others leave it:\n");
    else
        terminal.print("  no execution fails, but none stays on the path to its end; this one leaves it:\n");
    terminal.print(shown_findings(s_->code, replay(*r_.run).findings(), terminal.paint()));
    matches(terminal);
    trace(terminal, r_.run->schedule);
}

void CheckReport::after_that(Terminal& terminal, std::vector<Replay::Halt> const& halts) const {
    constexpr std::size_t most = 20;
    for (std::size_t i = 0; i < std::min(most, halts.size()); ++i)
        terminal.print(fmt::format("  after that {}\n", report::shown(s_->code, halts[i])));
    if (halts.size() > most) terminal.print(fmt::format("  ... and {}\n", plural(halts.size() - most, "more thread")));
}

void CheckReport::matches(Terminal& terminal) const {
    if (std::string const text = shown(s_->messages, r_.run->matching); !text.empty())
        terminal.print(fmt::format("  {}: {}\n", terminal.paint(Style::note, "matches"), text));
}

void CheckReport::reached(Terminal& terminal, std::string_view what, Reached const& r) const {
    constexpr std::size_t most = 20; // calls that refuse
    bool const depends = r.depends_on_library();
    bool const is_beside = has_deadlocked_ && &r == &r_.deadlock && r.answer == Reached::Answer::unknown;
    terminal.print(fmt::format("  {}: {}{}\n", what,
                               terminal.paint(answer_style(r.answer), depends ? "possible; depends on the library"
                                                                              : check::to_string(r.answer)),
                               is_beside ? ", beside that of the recorded run" : ""));
    if (depends)
        terminal.print(fmt::format("    if the library {}{}\n", explain::refusing_in_words(s_->code, r.refusing, most),
                                   r.is_fewer_possible ? "; perhaps some of these are enough (more: --timeout)" : ""));
    if (!r.why_unknown.empty()) terminal.print(fmt::format("    {}\n", r.why_unknown));
    if (r.answer != Reached::Answer::yes) return;
    for (std::string const& line : why(r)) terminal.print(fmt::format("    {}\n", line));
    trace(terminal, r.schedule, "    trace: ");
    if (!r.schedule.trailing().empty())
        terminal.print(fmt::format("    then these messages are delivered: {}\n", shown_movements(r.schedule)));
}

void CheckReport::other_paths(Terminal& terminal) const {
    if (r_.leaves_path.answer != Reached::Answer::yes) return;
    std::string_view const about = "    these answers cover this path only";
    bool const is_verify_named = r_.verdict == Verdict::safe && (!scope_.asserts() || !scope_.evaluated.empty());
    terminal.print(verify_.empty()   ? fmt::format("{}; other paths are other programs, to be checked too\n", about)
                   : is_verify_named ? fmt::format("{}\n", about)
                                     : fmt::format("{}; {} runs the others\n", about, verify_));
}

std::string CheckReport::shown_movements(Schedule const& schedule) const {
    std::vector<Movement> m;
    for (Channel const c : schedule.trailing()) m.push_back(s_->code.movement_of(c));
    return grammar::print(s_->program, m);
}

std::vector<std::string> CheckReport::why(Reached const& r) const {
    if (&r == &r_.leaves_path) return {shown_broken(r.schedule)};
    if (!r.fault && s_->code.shares()) {
        auto const found = Replay(s_->code, buffering_, r.schedule, Extent::prefix).blocked();
        return found ? sentences(s_->code, *found) : std::vector<std::string>();
    }
    Replay execution(s_->code, buffering_, r.schedule);
    if (!r.fault) return execution.stuck_threads(r.refusing);
    return {shown_fault(s_->code, execution.state(), *r.fault)};
}

std::string CheckReport::shown_broken(Schedule const& schedule) const {
    Replay const replay(s_->code, buffering_, schedule, Extent::prefix);
    Finding const& broken = replay.findings().assumptions().front();
    return report::shown(s_->code, Replay::Halt{Replay::Halt::Kind::leaves_path, s_->code.thread_of(broken.rho),
                                                broken.rho, in_words(s_->code, broken.values)});
}

void CheckReport::trace(Terminal& terminal, Schedule const& schedule, std::string_view head) const {
    constexpr std::size_t most = 60;
    terminal.print(schedule.size() <= most ? wrapped_trace(s_->code, schedule, head)
                                           : fmt::format("{}{} entries (-o FILE writes it)\n", head, schedule.size()));
}

void CheckReport::inductive(Terminal& terminal) const {
    if (!r_.inductive) return;
    constexpr std::size_t most = 5;
    auto const& all = r_.inductive->conditions;
    for (std::size_t i = 0; i < std::min(all.size(), most); ++i)
        terminal.print(fmt::format("  invariant: {}\n", all[i]));
    if (all.size() > most)
        terminal.print(
            fmt::format("  ... and {} (--format json has them)\n", plural(all.size() - most, "more invariant")));
}

std::string CheckReport::work() const {
    std::string text = r_.engine.empty() ? "undecided" : "decided by " + r_.engine;
    if (may_refuse_ && !r_.engine.empty()) text += " under infinite buffering";
    if (!r_.deadlock.engine.empty() && r_.deadlock.engine != check::infinite_engines)
        text += fmt::format(", deadlocks by {}", r_.deadlock.engine);
    // That run ended in another way, which the trace program does not have.
    bool const differs = has_failed_ || (is_cut_ && r_.deadlock.answer != Reached::Answer::yes);
    if (r_.engine == check::one_execution && differs) text += ", unlike the recorded run";
    text += fmt::format("; {}, {}", plural(r_.work.samples, "sample"), plural(r_.work.steps, "machine step"));
    if (r_.work.executions > 0) text += fmt::format(", {}", plural(r_.work.executions, "execution"));
    if (r_.work.solver_calls > 0) {
        text += fmt::format(", {}", plural(r_.work.solver_calls, "solver call"));
        if (r_.work.match_pairs > 0) text += fmt::format(" with {}", plural(r_.work.match_pairs, "match pair"));
    }
    if (r_.work.refinements > 0) text += fmt::format(", {}", plural(r_.work.refinements, "refinement"));
    return text;
}

} // namespace matchpoint::cli
