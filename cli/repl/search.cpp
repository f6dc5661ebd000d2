// The commands that search what can come of the state, and what these searches may take.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/nearest_name.hpp"
#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "check/confirmed.hpp"
#include "check/continuation.hpp"
#include "check/scope.hpp"
#include "cli/repl/repl.hpp"
#include "executions/shared/classes.hpp"
#include "explain/blocked.hpp"
#include "explain/matching_words.hpp"
#include "explain/message_words.hpp"
#include "explain/words.hpp"
#include "machine/well_formed.hpp"

namespace matchpoint::cli {

namespace {

/// States of a breadth-first search between two reports of its progress.
constexpr std::size_t states_between_reports = 1000;
constexpr std::string_view off_path = "an assumption is false, so the run has left the recorded path";
/// What `whynot R S` may take for each of its questions.
constexpr std::uint64_t steps_of_whynot = 20'000'000;

/// The deliveries that no command follows: ", then `deliver 0 2`". A plan cannot have them.
std::string last_deliveries(IndexedProgram const& code, Schedule const& schedule) {
    constexpr std::size_t most = 5;
    auto const deliveries = schedule.trailing();
    std::string text;
    for (Channel const c : deliveries.first(std::min(most, deliveries.size()))) {
        std::string const movement = shown_movement(code, code.movement_of(c)); // "(0 2)"
        text += fmt::format("{} `deliver {}`", text.empty() ? ", then" : ",", movement.substr(1, movement.size() - 2));
    }
    return deliveries.size() > most ? text + fmt::format(" and {} more", deliveries.size() - most) : text;
}

AsideResult planned(IndexedProgram const& code, std::string const& found, Schedule schedule,
                    std::string const& more = {}) {
    std::string const deliveries = last_deliveries(code, schedule);
    if (schedule.size() == 0 && deliveries.empty())
        return {fmt::format("it is here: no step leads there (`why`)\n{}", more), std::nullopt};
    std::string const way = schedule.size() == 0 ? "0 steps" + deliveries
                                                 : fmt::format("{} planned{}; `continue` or `step` goes there",
                                                               plural(schedule.size(), "step"), deliveries);
    return {fmt::format("found {}: {}\n{}", found, way, more), std::move(schedule)};
}

/// The messages that are left over at the end of a schedule.
std::string left_over(MessageIndex const& messages, Buffering buffering, State const& from, Schedule const& schedule) {
    Machine machine(messages.code(), buffering, from);
    check::follow(machine, schedule, schedule.size());
    return shown_orphans(messages.code(), well_formedness(messages.code(), machine.state()));
}

} // namespace

AsideResult Repl::aside(std::function<AsideResult(Progress const&)> const& task) {
    AsideResult result;
    try {
        screen_.flush();
        result = run_aside(screen_.terminal(), limits_, task);
    } catch (AsideFailed const& e) {
        throw Refused(e.what());
    }
    out(result.text);
    if (!result.plan) return result;
    bool const had_more = stepper_.plan().size() > stepper_.at().steps;
    stepper_.plan(*result.plan);
    if (had_more) out("what was planned before is dropped: `undo` goes back to it\n");
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// search

Goal Repl::goal(std::string const& word) const {
    constexpr std::pair<std::string_view, Goal::Kind> kinds[] = {{"failure", Goal::Kind::failure},
                                                                 {"success", Goal::Kind::success},
                                                                 {"deadlock", Goal::Kind::deadlock},
                                                                 {"orphan", Goal::Kind::orphan},
                                                                 {"fault", Goal::Kind::fault}};
    for (auto const& [name, kind] : kinds)
        if (name == word) return {kind, {}};
    if (std::size_t const equals = word.find('='); equals != std::string::npos)
        return {Goal::Kind::match, pair(word.substr(0, equals), word.substr(equals + 1))};
    std::vector<std::string_view> names;
    for (auto const& [name, kind] : kinds) names.push_back(name);
    throw Refused(fmt::format("`{}` is nothing to search for: failure, success, deadlock, orphan, fault or R=S{}",
                              printable(word), did_you_mean(word, names)));
}

/// What keeps "there is none" from being about the program that was recorded, as a line; empty if nothing does.
std::string Repl::not_known_of(Goal::Kind kind) const {
    if (kind != Goal::Kind::failure) return {};
    std::string const words = record::not_known(code_, loaded_.source().text());
    return words.empty() ? "" : words + '\n';
}

/// Whether a deadlock that was found is one only as long as the recording goes, as a line; empty if it is one.
std::string Repl::open_end_of(State const& from, Goal::Kind kind, Schedule const& schedule) const {
    if (kind != Goal::Kind::deadlock) return {};
    Machine machine(code_, stepper_.buffering(), from);
    return ends_openly(machine, schedule, stepper_.buffering(), cut_short())
               ? fmt::format("whether it is one is not known: {}\n", cut_short().why_open())
               : "";
}

AsideResult Repl::nearest(State const& from, Goal const& wanted, std::string const& name, std::size_t limit,
                          Progress const& progress) const {
    BreadthFirst searcher(messages(), stepper_.buffering(), from, wanted);
    std::size_t reported = 0;
    auto const answer = searcher.search(limit, [&] {
        if (searcher.states() >= reported + states_between_reports) {
            reported = searcher.states();
            progress(fmt::format("breadth first, {}", plural(reported, "state")));
        }
        return false;
    });
    switch (answer) {
    case BreadthFirst::Answer::found:
        return planned(code_, fmt::format("among {}", plural(searcher.states(), "state")), searcher.schedule(),
                       open_end_of(from, wanted.kind, searcher.schedule()));
    case BreadthFirst::Answer::none:
        return {searcher.states() == 0 ? fmt::format("there is none from here: {}\n", off_path)
                                       : fmt::format("there is none from here: all {} looked at\n{}",
                                                     plural(searcher.states(), "state"), not_known_of(wanted.kind)),
                std::nullopt};
    case BreadthFirst::Answer::bounded:
    case BreadthFirst::Answer::stopped: break;
    }
    return {fmt::format("not found in {}: there may be one beyond (`search {} LIMIT`)\n",
                        plural(searcher.states(), "state"), printable(name)),
            std::nullopt};
}

AsideResult Repl::some(State const& from, Goal::Kind kind, Progress const& progress) const {
    CheckOptions options;
    options.buffering = stepper_.buffering();
    options.solver = *solver_command("z3");
    options.time = limits_.time;
    options.memory = limits_.memory;
    options.limits.memory = limits_.memory;
    Continuation found = continuation(messages(), from, kind, options, progress);
    std::string const by = found.engine.empty() ? found.why : "decided by " + found.engine;
    switch (found.answer) {
    case Reached::Answer::yes: {
        if (found.engine.empty()) return {fmt::format("it is here: {} (`why`)\n", by), std::nullopt};
        bool const leaves = kind == Goal::Kind::orphan;
        std::string const more = leaves ? left_over(messages(), options.buffering, from, found.schedule)
                                        : open_end_of(from, kind, found.schedule);
        return planned(code_, "by " + found.engine, std::move(found.schedule), more);
    }
    case Reached::Answer::no:
        return {fmt::format("there is none from here: {}\n{}", by, not_known_of(kind)), std::nullopt};
    case Reached::Answer::unknown: break;
    }
    std::string text = "unknown:";
    for (Trouble const& t : found.trouble)
        text += fmt::format("{} {}", &t == &found.trouble.front() ? "" : ";", t.what);
    return {text + '\n', std::nullopt};
}

/// Whether there is a wanted class of executions; then the search is at its end. False if there is none, or if the
/// steps were not enough.
bool Repl::find_class(Classes& classes, Progress const& progress, std::uint64_t steps,
                      std::function<bool(End, Matching const&)> const& is_wanted) const {
    constexpr std::uint64_t steps_between_reports = 1'000'000;
    Matching m(messages());
    while (!classes.done() && classes.steps() < steps) {
        progress(fmt::format("exploration, {}", plural(classes.steps(), "machine step")));
        auto const end = classes.next(std::min(steps_between_reports, steps - classes.steps()));
        if (!end) continue;
        classes.matching(m);
        if (is_wanted(*end, m)) return true;
    }
    return false;
}

/// With shared variables: an execution on the recorded path, up to the command after which the receive has the message.
AsideResult Repl::match_where_shared(State const& from, Pair wanted, Progress const& progress) const {
    if (from.s >= Status::infeasible) return {fmt::format("there is none from here: {}\n", off_path), std::nullopt};
    Classes classes(messages(), stepper_.buffering(), nullptr, &from);
    bool const found =
        find_class(classes, progress, UINT64_MAX, [&](End, Matching const& m) { return m[wanted.r] == wanted.s; });
    if (!found) return {"there is none from here: decided by exploration\n", std::nullopt};
    return planned(code_, "by exploration",
                   until_delivered(messages(), stepper_.buffering(), from, classes.schedule(), wanted));
}

/// Says so if the receive has got a message already.
bool Repl::is_decided(Pair wanted) {
    Matching got(messages());
    delivered(messages(), state(), got);
    if (got[wanted.r] == unmatched) return false;
    std::string const there = shown(messages(), Pair{wanted.r, got[wanted.r]});
    out(got[wanted.r] == wanted.s ? fmt::format("it is here: {}, it was delivered\n", there)
                                  : fmt::format("there is none from here: {}, it was delivered\n", there));
    return true;
}

void Repl::search(std::string const& arguments) {
    constexpr std::size_t default_limit = 100'000;
    Words const w = words(arguments);
    if (w.empty() || w.size() > 2) throw misused("search");
    Goal const wanted = goal(w[0]);
    if (wanted.kind != Goal::Kind::match && w.size() == 1) {
        plan_way_to(wanted.kind);
        return;
    }
    refuse_to_search();
    if (stepper_.code().shares() && w.size() == 2)
        throw Refused("with shared variables there is no nearest state, as all orders of the commands count: `search` "
                      "without LIMIT tries all executions");
    std::size_t const limit = w.size() == 2 ? number(w[1], "number of states") : default_limit;
    static_cast<void>(messages()); // refused here, not in the child process
    if (wanted.kind == Goal::Kind::match && is_decided(wanted.pair)) return;
    State const from = stepper_.before_command();
    aside([&](Progress const& progress) {
        if (stepper_.code().shares() && wanted.kind == Goal::Kind::match)
            return match_where_shared(from, wanted.pair, progress);
        return nearest(from, wanted, w[0], limit, progress);
    });
}

/// Throws Refused if no run goes on from here.
void Repl::refuse_to_search() const {
    if (state().s == Status::error) throw Refused("the run ended in error: nothing comes of it");
    refuse_if_modified("search");
}

AsideResult Repl::plan_way_to(Goal::Kind kind) {
    refuse_to_search();
    static_cast<void>(messages()); // refused here, not in the child process
    if (kind == Goal::Kind::failure && !check::scope_of(code_, false).asserts()) {
        AsideResult none{"there is none: the program asserts nothing, so no run fails; `search deadlock` and `search "
                         "fault` look for what else can go wrong\n" +
                             not_known_of(kind),
                         std::nullopt};
        out(none.text);
        return none;
    }
    State const from = stepper_.before_command();
    return aside([&](Progress const& progress) { return some(from, kind, progress); });
}

// ---------------------------------------------------------------------------------------------------------------------
// whynot

void Repl::whynot(std::string const& arguments) {
    std::string as_pair = arguments; // `R5=S4` and `R5 = S4`, as `search` takes them, too
    std::replace(as_pair.begin(), as_pair.end(), '=', ' ');
    Words const w = words(as_pair);
    if (w.size() == 1 && code_.names().actions.find(w[0])) throw misused("whynot");
    if (w.size() == 1) return whynot_now(location(w[0]));
    if (w.size() != 2) throw misused("whynot");
    Pair const wanted = pair(w[0], w[1]);
    if (!admits(wanted)) return;
    refuse_if_modified("whynot");
    State const from = stepper_.before_command();
    aside([&](Progress const& progress) {
        progress("searching for a run");
        return AsideResult{why_not(from, wanted, progress), std::nullopt};
    });
}

/// Says that a command can run now, or why it cannot.
void Repl::whynot_now(Location rho) {
    std::uint32_t const t = code_.thread_of(rho);
    std::string const what = fmt::format("{} {}", shown(code_, rho), shown(code_, code_.command_at(rho)));
    if (state().ctp[t] > rho.index) return out(fmt::format("{} has run\n", what));
    if (state().s == Status::error) return out("the run ended in error: nothing comes next\n");
    auto const why = stepper_.why_not(stepper_.command(rho));
    if (!why) return out(fmt::format("{} can run\n", what));
    bool const is_guard = std::holds_alternative<reason::GuardFalse>(why->reason);
    out(fmt::format("not now: {}\n",
                    is_guard ? why_halted(code_, state(), t, *why) : in_words(code_, state(), why->reason)));
}

/// Whether the receive of a pair admits its send; if not, says why it does not.
bool Repl::admits(Pair wanted) {
    Action const a_r = messages().receives()[wanted.r].a;
    Action const a_s = messages().sends()[wanted.s].a;
    Sndi const& send = *code_.as_sndi(a_s);
    if (code_.as_rcvi(a_r)->beta != send.beta || code_.admits(a_r, a_s)) return true;
    out(fmt::format("never: {} admits {}, and {} comes from {} with tag {}\n", shown(code_, a_r), admitted(code_, a_r),
                    shown(code_, a_s), shown(code_, send.alpha), shown(code_.tag_number(a_s))));
    return false;
}

/// Whether a pair is possible after what has been delivered. Every complete run with those matches can still be
/// reached, for a step never makes a complete run with the same matches impossible (executions/explorer.hpp).
std::string Repl::why_not(State const& from, Pair wanted, Progress const& progress) const {
    Matching got(messages());
    delivered(messages(), state(), got);
    if (got[wanted.r] == wanted.s) return fmt::format("{} already\n", shown(messages(), wanted));
    std::optional<Oracle> oracle;
    if (!Oracle::refuses(messages(), stepper_.buffering())) {
        oracle.emplace(messages(), stepper_.buffering());
        oracle->limit_steps(steps_of_whynot);
    }
    auto const in_any = [&] { return oracle ? in_any_run(*oracle, wanted) : in_any_execution(wanted, progress); };
    if (got[wanted.r] != unmatched)
        return fmt::format("not from here: {}, it was delivered\n", shown(messages(), Pair{wanted.r, got[wanted.r]})) +
               in_any();
    if (!oracle || code_.shares()) return why_not_by_exploration(from, wanted, progress, in_any);
    Oracle::Wanted from_here{{wanted}, {}};
    for (std::uint32_t r = 0; r < got.size(); ++r)
        if (got[r] != unmatched) from_here.required.push_back({r, got[r]});
    return std::visit(overloaded{
                          [&](Run const&) {
                              return fmt::format("it can, from here: `search {}={}` finds the way\n",
                                                 printable(code_.names()(messages().receives()[wanted.r].a)),
                                                 printable(code_.names()(messages().sends()[wanted.s].a)));
                          },
                          [&](Oracle::Refusal const& refusal) {
                              bool const is_searched = refusal.why == Oracle::Refusal::Why::search;
                              return fmt::format("{} {}\n", is_searched ? "from here," : "not from here:",
                                                 in_words(messages(), refusal)) +
                                     in_any();
                          },
                          [&](Oracle::Unknown const&) {
                              return "from here: unknown, the limit of machine steps was reached\n" + in_any();
                          },
                      },
                      oracle->feasible(from_here));
}

/// With shared variables a state is more than its matches: which write each read got can exclude a match. So all
/// executions that go on from the state are tried. The same where the oracle refuses the program.
std::string Repl::why_not_by_exploration(State const& from, Pair wanted, Progress const& progress,
                                         std::function<std::string()> const& in_any) const {
    if (from.s >= Status::infeasible) return fmt::format("not from here: {}\n", off_path) + in_any();
    Classes classes(messages(), stepper_.buffering(), nullptr, &from);
    if (find_complete(classes, wanted, progress))
        return fmt::format("it can, from here: `search {}={}` finds the way\n",
                           printable(code_.names()(messages().receives()[wanted.r].a)),
                           printable(code_.names()(messages().sends()[wanted.s].a)));
    if (!classes.done()) return "from here: unknown, the limit of machine steps was reached\n" + in_any();
    return fmt::format("from here, no complete run has {}\n", shown(messages(), wanted)) + in_any();
}

bool Repl::find_complete(Classes& classes, Pair wanted, Progress const& progress) const {
    return find_class(classes, progress, steps_of_whynot,
                      [&](End end, Matching const& m) { return end == End::complete && m[wanted.r] == wanted.s; });
}

/// As in_any_run(), without an oracle.
std::string Repl::in_any_execution(Pair wanted, Progress const& progress) const {
    Classes classes(messages(), stepper_.buffering());
    if (find_complete(classes, wanted, progress)) {
        Matching m(messages());
        classes.matching(m);
        return fmt::format("in another run it can: {}\n", shown(messages(), m));
    }
    if (!classes.done()) return "in any run: unknown, the limit of machine steps was reached\n";
    return only_incomplete(fmt::format("no complete run has {}", shown(messages(), wanted)), wanted);
}

std::string Repl::only_incomplete(std::string_view why, Pair wanted) const {
    return fmt::format("{}; `search {}={}` also looks at runs that do not complete\n", why,
                       printable(code_.names()(messages().receives()[wanted.r].a)),
                       printable(code_.names()(messages().sends()[wanted.s].a)));
}

std::string Repl::in_any_run(Oracle& oracle, Pair wanted) const {
    return std::visit(
        overloaded{
            [&](Run const& run) { return fmt::format("in another run it can: {}\n", shown(messages(), run.matching)); },
            [&](Oracle::Refusal const& refusal) {
                std::string const why = in_words(messages(), refusal);
                return refusal.why == Oracle::Refusal::Why::search ? only_incomplete(why, wanted)
                                                                   : fmt::format("in no run: {}\n", why);
            },
            [&](Oracle::Unknown const&) {
                return std::string("in any run: unknown, the limit of machine steps was reached\n");
            },
        },
        oracle.feasible({{wanted}, {}}));
}

// ---------------------------------------------------------------------------------------------------------------------
// set

void Repl::set(std::string const& arguments) {
    std::size_t const end = std::min(arguments.find_first_of(" \t"), arguments.size());
    std::string const word = arguments.substr(0, end);
    std::string const rest(trimmed(arguments.substr(end)));
    // `set t = 3` gives a variable a value.
    bool const is_assignment = rest.starts_with("=") || rest.starts_with(":=");
    Subcommand const* const s = word.empty() || is_assignment ? nullptr : find_subcommand("set", word);
    if (s != nullptr) return rest.empty() ? throw misused("set " + std::string(s->name)) : (this->*s->run)(rest);
    if (arguments.find('=') != std::string::npos) return set_variable(arguments);
    if (!word.empty()) {
        std::vector<std::string_view> names;
        for (Subcommand const& known : subcommands("set")) names.push_back(known.name);
        throw Refused(misused("set").what() + did_you_mean(word, names));
    }
    out(fmt::format("timeout {} s\nmemory {} MiB\npager {}\n", limits_.time.count(), limits_.memory >> 20U,
                    screen_.pager() ? "on" : "off"));
}

void Repl::set_timeout(std::string const& word) {
    limit_searches(number(word, "number of seconds"));
    set("");
}

void Repl::limit_searches(std::size_t seconds) {
    constexpr std::size_t most_seconds = 10'000'000;
    if (seconds == 0 || seconds > most_seconds)
        throw Refused(fmt::format("a timeout is from 1 to {} seconds", most_seconds));
    limits_.time = std::chrono::seconds(seconds);
}

void Repl::set_memory(std::string const& word) {
    constexpr std::size_t most_mebibytes = std::numeric_limits<std::size_t>::max() >> 20U;
    std::size_t const mebibytes = number(word, "number of MiB");
    if (mebibytes == 0 || mebibytes > most_mebibytes)
        throw Refused(fmt::format("a memory limit is from 1 to {} MiB", most_mebibytes));
    limits_.memory = mebibytes << 20U;
    set("");
}

void Repl::set_pager(std::string const& word) {
    if (word != "on" && word != "off") throw misused("set pager");
    screen_.set_pager(word == "on");
    set("");
}

} // namespace matchpoint::cli
