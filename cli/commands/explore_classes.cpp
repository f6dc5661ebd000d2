#include "cli/commands/explore_classes.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "base/text.hpp"
#include "check/confirmed.hpp"
#include "check/leaves_path.hpp"
#include "check/scope.hpp"
#include "cli/cli.hpp"
#include "cli/commands/data_race.hpp"
#include "cli/output.hpp"
#include "executions/shared/few_switches.hpp"
#include "explain/blocked.hpp"
#include "explain/matching_words.hpp"
#include "explain/message_words.hpp"
#include "explain/reads_from.hpp"
#include "explain/words.hpp"
#include "matching/relevance.hpp"
#include "record/provenance.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

namespace {

std::string_view end_name(End end) {
    switch (end) {
    case End::complete: return "complete";
    case End::deadlock: return "deadlock";
    case End::fault: return "fault";
    case End::off_path: return "off the path";
    case End::pruned: break;
    }
    return "as far as the model goes";
}

std::string classes_of(std::uint64_t n) { return plural(n, "class of executions", "classes of executions"); }

std::string switches(std::uint64_t n) { return plural(n, "context switch", "context switches"); }

} // namespace

ExploreClasses::ExploreClasses(ExploreClassesOptions const& options, Prepared const& subject, UntilEnd& search,
                               Terminal& terminal)
    : options_(options), s_(subject), search_(search), terminal_(terminal), m_(subject.messages),
      table_(subject.code, options.outcomes) {
    pairs_.of.resize(s_.messages.receives().size());
}

ExitCode ExploreClasses::run() {
    if (!options_.json) {
        std::string what = fmt::format("{} buffering", to_string(options_.buffering));
        if (!options_.model.empty()) what += ", " + options_.model;
        if (options_.max_switches) what += ", at most " + switches(*options_.max_switches);
        terminal_.print(fmt::format("{}: {}\n", printable(s_.source.name(), 4096), what));
    }
    std::uint64_t const limit = options_.limit.value_or(UINT64_MAX);
    std::string unknown_because;
    try {
        while (!search_.done() && search_.counts().executions < limit) {
            if (auto const end = search_.next(1'000'000)) {
                if (!options_.json) progress_.clear(); // standard output may be the same terminal
                found(*end);
            }
            progress();
        }
        if (search_.done() && options_.max_switches && statuses_[1] == 0) find_failing_prefix();
    } catch (LimitReached const& e) {
        unknown_because = e.what();
    }
    progress_.clear();
    complete_ = search_.done() && unknown_because.empty();
    if (complete_ && options_.model.empty()) find_out_leaving();
    if (!unknown_because.empty()) complain(terminal_, unknown_because, ErrorKind::limit);
    options_.json ? print_json() : print_text();
    return exit_code();
}

/// An execution ends at its first failure: later switches do not count.
void ExploreClasses::find_failing_prefix() {
    auto const most = static_cast<std::uint32_t>(std::min<std::uint64_t>(*options_.max_switches, UINT32_MAX));
    FewSwitches few(s_.messages, {.buffering = options_.buffering, .model = options_.of, .most = most});
    if (few.search() == FewSwitches::Answer::found) failing_prefix_ = few.schedule();
}

std::vector<std::string> ExploreClasses::why(End end) const {
    switch (end) {
    case End::deadlock: {
        auto why = blocked_behind_deliveries(s_.code, options_.buffering, search_.state());
        if (why) end_openly(*why, s_.code, cut_short_);
        return why ? sentences(s_.code, *why) : std::vector<std::string>();
    }
    case End::fault: return {shown_fault(s_.code, search_.state(), *search_.fault())};
    case End::off_path: {
        std::vector<std::string> result;
        for (Replay::Halt const& halt : halts()) result.push_back(report::shown(s_.code, halt));
        return result;
    }
    case End::pruned: return standing();
    case End::complete: break;
    }
    return {};
}

std::vector<Replay::Halt> ExploreClasses::halts() const {
    return Replay(s_.code, options_.buffering, search_.schedule(), Extent::prefix).halts();
}

/// Where the threads are that have commands left.
std::vector<std::string> ExploreClasses::standing() const {
    std::vector<std::string> result;
    for (std::uint32_t t = 0; t < s_.code.ctp().threads.size(); ++t) {
        Location const rho{search_.state().ctp[t]};
        if (rho.index < s_.code.ctp().threads[t].last)
            result.push_back(fmt::format("{} stops at {} {}", shown_thread(s_.code, t), explain::shown(s_.code, rho),
                                         explain::shown(s_.code, s_.code.command_at(rho))));
    }
    return result;
}

void ExploreClasses::found(End end) {
    bool const fails = search_.state().s == Status::failure;
    bool const is_open = end == End::deadlock && ends_openly(s_.code, options_.buffering, search_.state(), cut_short_);
    ++(is_open ? open_ends_ : ends_[static_cast<std::size_t>(end)]);
    ++statuses_[fails ? 1 : 0];
    if (end == End::complete) ++complete_runs_[fails ? 1 : 0];
    if (end == End::fault || end == End::off_path) // of several threads
        for (Replay::Halt const& halt : halts())
            if (halt.kind == Replay::Halt::Kind::leaves_path) leaves_path_ = Reached::Answer::yes;
    search_.matching(m_);
    collect_pairs();
    if (end == End::complete) table_.add(search_.state(), search_.schedule());
    if (options_.json || !table_.is_wanted()) show(is_open ? "ended" : end_name(end), why(end));
}

/// The pairs of the receives that a wait has completed.
void ExploreClasses::collect_pairs() {
    for (std::uint32_t r = 0; r < m_.size(); ++r) {
        Location const nw = s_.messages.receives()[r].nw;
        if (search_.state().ctp[s_.code.thread_of(nw)] <= nw.index) {
            m_[r] = unmatched;
            continue;
        }
        auto& sends = pairs_.of[r];
        auto const it = std::lower_bound(sends.begin(), sends.end(), m_[r]);
        if (it == sends.end() || *it != m_[r]) sends.insert(it, m_[r]);
    }
}

void ExploreClasses::show(std::string_view end, std::vector<std::string> const& why) {
    ReadsFrom const reads = reads_from(s_.code, options_.buffering, search_.schedule());
    auto const location = [&](std::uint32_t step) { return search_.schedule().entry(step).rho; };
    auto const name = [&](Location rho) { return printable(s_.code.names()(rho), 100); };
    std::string_view const status = to_string(search_.state().s);
    if (options_.json) {
        Json shown = Json::array();
        for (ReadsFrom::Read const& r : reads.reads)
            shown.push_back(
                {{"command", s_.code.names()(location(r.step))},
                 {"variable", s_.code.names()(r.x)},
                 {"from", r.from == ReadsFrom::initial ? Json(nullptr) : Json(s_.code.names()(location(r.from)))}});
        Json writes = Json::object();
        for (std::uint32_t x = 0; x < reads.writers.size(); ++x) {
            if (reads.writers[x].empty()) continue;
            Json& of_x = writes[std::string(s_.code.names()(grammar::Variable{x}))] = Json::array();
            for (std::uint32_t const step : reads.writers[x]) of_x.push_back(s_.code.names()(location(step)));
        }
        classes_.push_back({{"status", status},
                            {"end", end},
                            {"why", why},
                            {"matches", to_json(s_.messages, m_)},
                            {"reads", shown},
                            {"writes", writes},
                            {"trace", shown_trace(s_.code, search_.schedule())}});
        if (s_.code.has_probes()) classes_.back()["sees"] = seen_to_json(s_.code, search_.state());
        if (end == end_name(End::deadlock))
            if (auto const stuck = blocked_behind_deliveries(s_.code, options_.buffering, search_.state()))
                add_blocked(classes_.back(), s_.code, *stuck, reads, location);
        return;
    }
    std::string head = terminal_.paint(style_of(search_.state().s), status);
    if (end != "complete") head += ", " + terminal_.paint(Style::stuck, end);
    std::string matches = shown(s_.messages, m_, SIZE_MAX);
    if (std::string const seen = explain::shown_seen(s_.code, search_.state()); !seen.empty())
        matches += (matches.empty() ? "" : "; ") + seen;
    if (!matches.empty()) head += ": " + matches;
    terminal_.print(head + "\n");
    for (std::string const& line : why) terminal_.print(fmt::format("  {}\n", line));
    std::string from_others; // what a thread reads of its own writes says nothing
    for (ReadsFrom::Read const& r : reads.reads)
        if (r.from != ReadsFrom::initial && s_.code.thread_of(location(r.from)) != s_.code.thread_of(location(r.step)))
            from_others += fmt::format("{}{} reads {} of {}", from_others.empty() ? "" : ", ", name(location(r.step)),
                                       explain::shown(s_.code, r.x), name(location(r.from)));
    auto const reads_too = [&](std::uint32_t step, std::uint32_t x) {
        auto const of_step = reads.of(step);
        return std::any_of(of_step.begin(), of_step.end(), [&](ReadsFrom::Read const& r) { return r.x.index == x; });
    };
    for (std::uint32_t x = 0; x < reads.writers.size(); ++x)
        for (std::size_t i = 1; i < reads.writers[x].size(); ++i) {
            Location const before = location(reads.writers[x][i - 1]);
            Location const after = location(reads.writers[x][i]);
            if (s_.code.thread_of(before) != s_.code.thread_of(after) && !reads_too(reads.writers[x][i], x))
                from_others += fmt::format("{}{} overwrites {} of {}", from_others.empty() ? "" : ", ", name(after),
                                           explain::shown(s_.code, grammar::Variable{x}), name(before));
        }
    if (!from_others.empty()) terminal_.print(fmt::format("  {}\n", from_others));
    terminal_.print(wrapped_trace(s_.code, search_.schedule(), "  "));
}

void ExploreClasses::progress() {
    if (!progress_.is_due()) return;
    terminal_.flush(); // what was found appears above the line
    progress_.show(fmt::format("{}, {}; {:.1f} s", classes_of(search_.counts().executions),
                               plural(search_.steps(), "machine step"), progress_.seconds()));
}

Verdict ExploreClasses::verdict(std::uint64_t failing, std::uint64_t succeeding) const {
    if (failing > 0) return Verdict::violated;
    if (!complete_ || (open_ends_ > 0 && succeeding == 0)) return Verdict::unknown;
    return succeeding > 0 ? Verdict::safe : Verdict::vacuous;
}

check::Scope ExploreClasses::scope() const {
    return check::scope_of(s_.code, provenance_of(s_.source.text()).is_recorded());
}

/// A class shows threads where they end. On the way another thread may have made an assumption true that was false.
void ExploreClasses::find_out_leaving() {
    CheckOptions asked;
    asked.buffering = options_.buffering;
    CheckResult result;
    result.leaves_path.answer = leaves_path_;
    check::decide_leaving(s_.messages, asked, std::nullopt, result);
    leaves_path_ = result.leaves_path.answer;
}

Reached::Answer ExploreClasses::leaves_path() const {
    return has_assumptions(s_.code.ctp()) ? leaves_path_ : Reached::Answer::no;
}

std::string ExploreClasses::not_known() const { return fails() ? "" : record::not_known(s_.code, s_.source.text()); }

std::optional<Race> ExploreClasses::race() const {
    if (!s_.code.shares() || !options_.model.empty()) return std::nullopt;
    Race result;
    if (UntilEnd::Race const* const found = search_.race()) {
        auto const& [conflict, schedule] = *found;
        result = {Reached::Answer::yes, conflict.first, conflict.second, conflict.x, schedule};
        Machine machine(s_.code, options_.buffering);
        if (!check::ends_in_race(s_.messages, machine, result))
            throw std::logic_error("explore: no data race where one was said to be");
    } else if (complete_) {
        result.answer = Reached::Answer::no;
    }
    return result;
}

void ExploreClasses::print_race() {
    auto const found = race();
    if (!found) return;
    terminal_.print(fmt::format("data race: {}\n",
                                terminal_.paint(found->answer == Reached::Answer::no ? Style::plain : Style::stuck,
                                                check::to_string(found->answer))));
    if (found->answer != Reached::Answer::yes) return;
    for (std::string const& line : race_sentences(s_.code, *found)) terminal_.print(fmt::format("  {}\n", line));
    terminal_.print(wrapped_trace(s_.code, found->schedule, "  trace: "));
}

ExitCode ExploreClasses::exit_code() const {
    if (fails()) return failure;
    if (!complete_) return unknown;
    if (ends(End::deadlock) > 0) return deadlock;
    if (ends(End::fault) > 0) return error;
    bool const is_part = !options_.model.empty() || options_.max_switches; // of the executions
    if (complete_runs_[0] == 0 && open_ends_ == 0 && !is_part) return infeasible;
    return not_known().empty() ? holds : unknown;
}

void ExploreClasses::print_text() {
    auto const count = [&](std::string const& text, Style style, std::uint64_t n) {
        return terminal_.paint(n > 0 ? style : Style::plain, text);
    };
    if (table_.is_wanted()) table_.print(terminal_);
    auto const stopped = [&](End end, std::string const& what) { return count(what, Style::stuck, ends(end)); };
    std::uint64_t const all = search_.counts().executions;
    if (failing_prefix_) {
        terminal_.print(terminal_.paint(style_of(Status::failure), to_string(Status::failure)) +
                        "; what follows needs more context switches\n");
        terminal_.print(wrapped_trace(s_.code, *failing_prefix_, "  "));
    }
    std::string const head = !complete_              ? "bounded"
                             : options_.max_switches ? "with at most " + switches(*options_.max_switches)
                                                     : "complete";
    std::string text = fmt::format("{}: {} ({}, {}): {} complete, {}, {}, {}", head, classes_of(all),
                                   count(fmt::format("{} success", statuses_[0]), Style::good, statuses_[0]),
                                   count(fmt::format("{} failure", statuses_[1]), Style::bad, statuses_[1]),
                                   ends(End::complete), stopped(End::deadlock, plural(ends(End::deadlock), "deadlock")),
                                   stopped(End::fault, plural(ends(End::fault), "fault")),
                                   stopped(End::off_path, fmt::format("{} off the path", ends(End::off_path))));
    if (open_ends_ > 0) text += fmt::format(", {} ended with the recorded run", open_ends_);
    if (!options_.model.empty()) text += fmt::format(", {} as far as the model goes", ends(End::pruned));
    terminal_.print(text + "\n");
    if (!table_.is_wanted() && !pairs_.of.empty()) {
        terminal_.print("match pairs of these executions:\n");
        terminal_.print(shown(s_.messages, pairs_, terminal_.paint()));
    }
    if (std::string const why = not_known(); !why.empty()) terminal_.print(why + '\n');
    if (options_.max_switches)
        terminal_.print(fmt::format("{}: {}\n", head,
                                    fails()     ? terminal_.paint(Style::bad, "some execution fails")
                                    : complete_ ? terminal_.paint(Style::good, "no execution fails")
                                                : terminal_.paint(Style::stuck, "unknown whether one fails")));
    else if (options_.model.empty())
        print_verdict();
    print_race();
    terminal_.print(fmt::format("{}, {} with a choice, {} left as what follows was seen\n",
                                plural(search_.steps(), "machine step"), plural(search_.counts().states, "state"),
                                plural(search_.counts().left, "state")));
}

void ExploreClasses::print_verdict() {
    check::Scope const about = scope();
    std::string text =
        fmt::format("verdict: {}; complete runs: {}; deadlock: {}; fault: {}",
                    check::verdict_in_words(verdict(statuses_[1], complete_runs_[0]), about, leaves_path()),
                    check::shown_verdict(verdict(complete_runs_[1], complete_runs_[0]), about),
                    check::to_string(answer_on_deadlocks()), check::to_string(answer(ends(End::fault) > 0)));
    if (has_assumptions(s_.code.ctp())) text += fmt::format("; leaves the path: {}", check::to_string(leaves_path()));
    terminal_.print(text + "\n");
}

void ExploreClasses::print_json() {
    Json json = report_of("explore", s_.source);
    json["buffering"] = to_string(options_.buffering);
    json["complete"] = complete_;
    json["verdicts_only"] = false;
    json["at_most"] = nullptr;
    json["model"] = options_.model.empty() ? Json(nullptr) : Json(options_.model);
    json["max_switches"] = options_.max_switches ? Json(*options_.max_switches) : Json(nullptr);
    json["verdict"] = check::shown_verdict(verdict(fails() ? 1 : 0, complete_runs_[0]), scope());
    if (std::string const why = not_known(); !why.empty()) json["not_known"] = why;
    json["failing_prefix"] = failing_prefix_ ? Json(shown_trace(s_.code, *failing_prefix_)) : Json(nullptr);
    json["verdict_of_complete_runs"] = check::shown_verdict(verdict(complete_runs_[1], complete_runs_[0]), scope());
    json["deadlock"] = check::to_string(answer_on_deadlocks());
    json["fault"] = check::to_string(answer(ends(End::fault) > 0));
    if (options_.model.empty()) json["leaves_path"] = check::to_string(leaves_path());
    if (auto const found = race()) json["data_race"] = json_of_race(s_.code, *found);
    if (table_.is_wanted()) json["outcomes"] = table_.json();
    json["executions"] = classes_;
    json["pairs"] = to_json(s_.messages, pairs_);
    json["orphans"] = Json::array();
    json["steps"] = search_.steps();
    json["states"] = search_.counts().states;
    terminal_.out(dump(json));
}

} // namespace matchpoint::cli
