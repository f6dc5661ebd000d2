// Sessions of one oracle, random sequences of its calls, against a model that knows all complete runs. The model is
// made by the naive explorations, so it shares no code with the oracle.
//
// A session is a program whose first comments are the buffering and the calls:
//
//   ; infinite
//   ; push
//   ; assume r0=s1 !r1=s0       required and forbidden
//   ; check search              how far a core is minimized: none, rules, search
//   ; next                      one run; `all` asks until there are no more
//   ; feasible rules r0=s0
//   ; order rules a b c         locations
//   ; can_fail complete         or executions
//   ; exact                     match pairs
//   ; limit 10                  steps
//   ; cancel                    the next question
//   ; pop

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include "check/oracle/oracle.hpp"
#include "programs/dice.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/all_runs.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/naive_classes.hpp"
#include "tests/support/naive_rules.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/sessions.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

using programs::Dice;

constexpr std::uint64_t plenty = 10'000'000;

struct OracleSession {
    Program program;
    bool zero = false;
    Calls calls;
};

std::string to_text(OracleSession const& session) {
    std::string text = session.zero ? "; zero\n" : "; infinite\n";
    for (std::string const& call : session.calls) text += "; " + call + '\n';
    return text + to_text(session.program, {});
}

OracleSession read_session(std::string const& text) {
    OracleSession session{read_program(text), text.starts_with("; zero"), {}};
    std::istringstream in(text);
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line) && line.starts_with("; ")) session.calls.push_back(line.substr(2));
    return session;
}

/// What is true of a program: its complete runs, one for each match set, or for each class of executions if variables
/// are shared.
class TrueRuns {
public:
    struct Outcome {
        Matching matching;
        Status s;
    };
    using Befores = std::vector<std::pair<std::string, std::string>>;

    /// Null if there are too many runs, or the oracle refuses the program.
    static std::unique_ptr<TrueRuns> of(Program const& program, bool zero) {
        std::unique_ptr<TrueRuns> truth(new TrueRuns(program, zero));
        if (Oracle::refuses(truth->messages(), truth->buffering())) return nullptr;
        return (truth->shares() ? truth->find_classes() : truth->find_match_sets()) ? std::move(truth) : nullptr;
    }

    Program const& program() const { return program_; }
    bool zero() const { return zero_; }
    bool shares() const { return !program_.shared.empty(); }
    Buffering buffering() const { return zero_ ? Buffering::zero : Buffering::infinite; }
    Loaded const& loaded() const { return subject_.loaded; }
    MessageIndex const& messages() const { return subject_.messages; }
    std::map<std::string, Outcome> const& outcomes() const { return outcomes_; }
    Matches const& exact_pairs() const { return exact_pairs_; }
    /// Every receive with every send, with a name.
    std::vector<std::pair<Pair, std::string>> all_pairs() const {
        auto const& action = loaded().code->names();
        std::vector<std::pair<Pair, std::string>> result;
        for (std::uint32_t r = 0; r < messages().receives().size(); ++r)
            for (std::uint32_t s = 0; s < messages().sends().size(); ++s)
                result.push_back({{r, s},
                                  std::string(action(messages().receives()[r].a)) + '=' +
                                      std::string(action(messages().sends()[s].a))});
        return result;
    }
    bool can_fail() const {
        return std::any_of(outcomes_.begin(), outcomes_.end(),
                           [](auto const& o) { return o.second.s == Status::failure; });
    }
    /// Of executions, not only complete runs. None if that is not known.
    std::optional<bool> execution_fails() const { return execution_fails_; }

    static bool has(Outcome const& o, Matches const& required, Matches const& forbidden) {
        auto const is_in = [&](auto const& pair) {
            auto const it = o.matching.find(pair.first);
            return it != o.matching.end() && it->second == pair.second;
        };
        return std::all_of(required.begin(), required.end(), is_in) &&
               std::none_of(forbidden.begin(), forbidden.end(), is_in);
    }
    bool is_feasible(Matches const& required, Matches const& forbidden) const {
        return std::any_of(outcomes_.begin(), outcomes_.end(),
                           [&](auto const& o) { return has(o.second, required, forbidden); });
    }

    /// The outcome of a run, as a key of outcomes().
    std::string key_of(Run const& run) const {
        if (!shares()) return key_of(names(messages(), run.matching));
        return class_of(program_, trace_of(run), zero_, moved(run.schedule.trailing()), {});
    }
    Trace trace_of(Run const& run) const {
        Trace trace;
        for (std::size_t i = 0; i < run.schedule.size(); ++i) {
            Entry const entry = run.schedule.entry(i);
            trace.push_back({std::string(loaded().code->names()(entry.rho)), moved(entry.m)});
            if (!entry.peek.is_none()) trace.back().peek = plain_movement(*loaded().code, entry.peek);
        }
        return trace;
    }

    /// Whether some complete run has all these befores.
    bool is_possible(Befores const& befores) const {
        std::set<std::string> seen;
        return finishes(initial_state(program_), befores, seen);
    }

private:
    TrueRuns(Program const& program, bool zero) : program_(program), zero_(zero), subject_(program) {}

    static std::string key_of(Matching const& m) {
        std::string key;
        for (auto const& [r, s] : m) key += r + '=' + s + ' ';
        return key;
    }
    std::vector<Movement> moved(std::span<Channel const> channels) const {
        std::vector<Movement> result;
        for (Channel const c : channels) result.push_back(plain_movement(*loaded().code, c));
        return result;
    }

    bool find_match_sets() {
        constexpr std::size_t most_states = 1'000;
        bool const plain = is_plain(program_);
        auto const truth =
            plain ? explore_quickly(program_, zero_, most_states) : explore_eagerly(program_, zero_, most_states);
        if (!truth) return false;
        for (auto const& [m, s] : truth->outcomes) outcomes_[key_of(m)] = {m, s};
        exact_pairs_ = truth->exact_pairs;
        if (auto const path = plain ? explore_path_quickly(program_, zero_, most_states) : truth->on_path)
            execution_fails_ = path->fails;
        return true;
    }
    bool find_classes() {
        auto const classes = classes_of(program_, zero_, {}, 500);
        if (!classes) return false;
        for (auto const& [key, c] : *classes) {
            if (c.end != "complete") continue;
            outcomes_[key] = {c.matches, c.s};
            exact_pairs_.insert(c.matches.begin(), c.matches.end());
        }
        if (auto const truth = explore_shared(program_, zero_, 3'000)) execution_fails_ = truth->fails;
        return true;
    }

    bool is_held_back(State const& state, std::size_t t, Befores const& befores) const {
        std::string const& rho = next_command(program_, state, t).location;
        return std::any_of(befores.begin(), befores.end(),
                           [&](auto const& before) { return before.second == rho && !is_done(state, before.first); });
    }
    bool is_done(State const& state, std::string const& rho) const {
        for (std::size_t t = 0; t < program_.threads.size(); ++t)
            for (std::size_t i = 0; i < state.next[t]; ++i)
                if (program_.threads[t][i].location == rho) return true;
        return false;
    }
    bool finishes(State const& state, Befores const& befores, std::set<std::string>& seen) const {
        if (!seen.insert(naive::key_of(state)).second) return false;
        auto const unfinished = unfinished_threads(program_, state);
        if (unfinished.empty()) return true;
        for (std::size_t const t : unfinished) {
            if (is_held_back(state, t, befores)) continue;
            auto const all = steps_of(program_, state, t, zero_);
            for (auto const& [peek, after] : all) {
                auto const* const next = std::get_if<State>(&after);
                if (next == nullptr || (shares() && next->s == Status::infeasible)) continue;
                if (finishes(*next, befores, seen)) return true;
                if (!shares() && !peek) return false; // a thread that can step can do so later, too
            }
        }
        for (auto const& [movement, next] : movements_of(program_, state, zero_))
            if (finishes(next, befores, seen)) return true;
        return false;
    }

    Program program_;
    bool zero_;
    Subject subject_;
    std::map<std::string, Outcome> outcomes_;
    Matches exact_pairs_;
    std::optional<bool> execution_fails_;
};

/// Plays a session. Says what is wrong.
class Player {
    using Means = Oracle::Means;

public:
    Player(TrueRuns const& truth, Tally& tally)
        : truth_(truth), tally_(tally), oracle_(truth.messages(), truth.buffering(), &cancelled_) {}

    std::string play(Calls const& calls) {
        for (std::size_t i = 0; i < calls.size(); ++i) {
            auto const words = words_of(calls[i]);
            std::string wrong = call(words.at(0), {words.begin() + 1, words.end()});
            if (words[0] != "cancel") cancelled_ = false;
            if (wrong.empty()) wrong = wrong_state();
            if (!wrong.empty()) return "call " + std::to_string(i + 1) + ", " + calls[i] + ": " + wrong;
        }
        return {};
    }

private:
    using Words = std::vector<std::string>;

    /// The assumptions of a level.
    struct Level {
        std::vector<Pair> required;
        std::vector<Pair> forbidden;
    };

    std::string call(std::string const& what, Words const& words) {
        if (what == "push") return push();
        if (what == "pop") return pop();
        if (what == "assume") return assume(wanted(words));
        if (what == "next") return next();
        if (what == "all") return all();
        if (what == "check") return judge(oracle_.check(means(words)), model(), means(words));
        if (what == "feasible")
            return judge(oracle_.feasible(wanted(words), means(words)), wanted(words), means(words));
        if (what == "order") return order(words);
        if (what == "can_fail") return can_fail(words.empty() || words[0] == "complete");
        if (what == "exact") return exact();
        if (what == "limit") return limit(words.empty() ? plenty : std::stoull(words[0]));
        if (what == "cancel") return cancelled_ = true, "";
        throw std::runtime_error("no such call");
    }

    // What words mean. What a program no longer has means nothing.

    static Means means(Words const& words) {
        if (!words.empty() && words[0] == "none") return Means::none;
        return !words.empty() && words[0] == "search" ? Means::search : Means::rules;
    }
    Oracle::Wanted wanted(Words const& words) const {
        Oracle::Wanted result;
        for (std::string const& word : words) {
            std::size_t const sign = word.find('=');
            bool const forbidden = word[0] == '!';
            if (sign == std::string::npos) continue;
            for (auto const& [pair, name] : truth_.all_pairs())
                if (name == word.substr(forbidden ? 1 : 0))
                    (forbidden ? result.forbidden : result.required).push_back(pair);
        }
        return result;
    }

    // Levels.

    std::string push() {
        levels_.emplace_back();
        begin_again();
        oracle_.push();
        return {};
    }
    std::string pop() {
        bool const expected = levels_.size() > 1;
        if (expected) {
            levels_.pop_back();
            begin_again();
        }
        return oracle_.pop() == expected ? "" : "there is a level to pop, or not";
    }
    std::string assume(Oracle::Wanted const& wanted) {
        Oracle::Wanted const before = model();
        auto const add = [](std::vector<Pair>& to, std::vector<Pair> const& assumed, std::vector<Pair> const& from) {
            for (Pair const& p : from)
                if (std::find(assumed.begin(), assumed.end(), p) == assumed.end() &&
                    std::find(to.begin(), to.end(), p) == to.end())
                    to.push_back(p);
        };
        add(levels_.back().required, before.required, wanted.required);
        add(levels_.back().forbidden, before.forbidden, wanted.forbidden);
        begin_again();
        oracle_.assume(wanted);
        return {};
    }
    /// All assumptions.
    Oracle::Wanted model() const {
        Oracle::Wanted result;
        for (Level const& level : levels_) {
            result.required.insert(result.required.end(), level.required.begin(), level.required.end());
            result.forbidden.insert(result.forbidden.end(), level.forbidden.begin(), level.forbidden.end());
        }
        return result;
    }
    std::string limit(std::uint64_t steps) {
        limit_ = steps;
        oracle_.limit_steps(steps);
        return {};
    }
    void begin_again() {
        shown_.clear();
        steps_ = 0;
    }
    std::string wrong_state() const {
        if (oracle_.levels() != levels_.size() - 1) return "not as many levels";
        if (oracle_.assumed() != model()) return "other assumptions";
        if (oracle_.step_limit() != limit_) return "another limit";
        return {};
    }

    // Answers.

    std::string next() {
        steps_ += limit_;
        auto const answer = oracle_.next();
        if (!answer) return none_is_left();
        if (auto const* const unknown = std::get_if<Oracle::Unknown>(&*answer)) return judge_unknown(*unknown);
        Run const& run = std::get<Run>(*answer);
        ++tally_["next: a run"];
        if (run.matching.size() > steps_) return "more steps than it may take"; // each match is a delivery
        if (std::string wrong = judge_run(run, model()); !wrong.empty()) return wrong;
        return shown_.insert(truth_.key_of(run)).second ? "" : "shown twice: " + truth_.key_of(run);
    }
    std::string none_is_left() {
        ++tally_["next: no more"];
        for (auto const& [key, outcome] : truth_.outcomes())
            if (TrueRuns::has(outcome, named(model().required), named(model().forbidden)) && !shown_.contains(key))
                return "not shown: " + key;
        return {};
    }
    std::string all() {
        for (std::size_t i = 0; i <= truth_.outcomes().size(); ++i) {
            std::size_t const before = shown_.size();
            std::string wrong = next();
            if (!wrong.empty() || shown_.size() == before) return wrong;
        }
        return "more runs than there are";
    }

    std::string judge_unknown(Oracle::Unknown const& unknown) {
        ++tally_[cancelled_ ? "unknown: cancelled" : "unknown: steps"];
        if (unknown.cancelled != cancelled_)
            return unknown.cancelled ? "nobody has cancelled it" : "was it not cancelled?";
        return cancelled_ || limit_ < plenty ? "" : "unknown, without a limit";
    }
    std::string judge(Oracle::Answer const& answer, Oracle::Wanted const& wanted, Means minimize) {
        if (auto const* const unknown = std::get_if<Oracle::Unknown>(&answer)) return judge_unknown(*unknown);
        if (auto const* const run = std::get_if<Run>(&answer)) {
            ++tally_["a run"];
            return judge_run(*run, wanted);
        }
        ++tally_["refused"];
        return judge_refusal(std::get<Oracle::Refusal>(answer), wanted, minimize);
    }
    /// A complete run of the program, as wanted.
    std::string judge_run(Run const& run, Oracle::Wanted const& wanted) const {
        auto const it = truth_.outcomes().find(truth_.key_of(run));
        if (it == truth_.outcomes().end()) return "no such run";
        if (it->second.matching != names(truth_.messages(), run.matching)) return "another match set";
        if (it->second.s != static_cast<Status>(run.s)) return "another status";
        if (!TrueRuns::has(it->second, named(wanted.required), named(wanted.forbidden))) return "not as wanted";
        return replay(run, true);
    }
    std::string replay(Run const& run, bool complete) const {
        State state = initial_state(truth_.program());
        for (TraceEntry const& entry : truth_.trace_of(run)) {
            auto after = step(truth_.program(), state, entry, truth_.zero());
            if (!std::holds_alternative<State>(after)) return "the run does not replay";
            state = std::move(std::get<State>(after));
        }
        if (state.s != static_cast<Status>(run.s)) return "the run replays with another status";
        if (complete && !unfinished_threads(truth_.program(), state).empty()) return "the run is not complete";
        Matching const m = names(truth_.messages(), run.matching);
        for (auto const& [r, s] : state.matches)
            if (complete && (!m.contains(r) || m.at(r) != s)) return "the run replays with other matches";
        return {};
    }
    std::string judge_refusal(Oracle::Refusal const& refusal, Oracle::Wanted const& wanted, Means minimize) const {
        Matches const core = named(refusal.core.required);
        Matches const without = named(refusal.core.forbidden);
        Matches const required = named(wanted.required);
        Matches const forbidden = named(wanted.forbidden);
        if (truth_.is_feasible(required, forbidden)) return "refused, but feasible";
        if (!std::includes(required.begin(), required.end(), core.begin(), core.end()) ||
            !std::includes(forbidden.begin(), forbidden.end(), without.begin(), without.end()))
            return "the core is not a part";
        if (truth_.is_feasible(core, without)) return "the core is feasible";
        if (minimize == Means::search && limit_ >= plenty && !cancelled_ && refusal.minimal != Means::search)
            return "not minimized";
        if (refusal.minimal != Means::search) return {};
        auto const less = [](Matches some, auto const& pair) { return some.erase(pair), some; };
        for (auto const& pair : core)
            if (!truth_.is_feasible(less(core, pair), without)) return "the core is not minimal";
        for (auto const& pair : without)
            if (!truth_.is_feasible(core, less(without, pair))) return "the core is not minimal in what is forbidden";
        return {};
    }
    Matches named(std::vector<Pair> const& pairs) const {
        Matches result;
        auto const& action = truth_.loaded().code->names();
        for (Pair const& p : pairs)
            result.emplace(action(truth_.messages().receives()[p.r].a), action(truth_.messages().sends()[p.s].a));
        return result;
    }

    std::string order(Words const& words) {
        auto const name = [&](matchpoint::Location rho) { return std::string(truth_.loaded().code->names()(rho)); };
        Words sequence;
        std::vector<matchpoint::Location> locations;
        for (auto const& thread : truth_.program().threads)
            for (Command const& c : thread)
                if (std::find(words.begin(), words.end(), c.location) != words.end()) sequence.push_back(c.location);
        std::sort(sequence.begin(), sequence.end(), [&](auto const& a, auto const& b) {
            return std::find(words.begin(), words.end(), a) < std::find(words.begin(), words.end(), b);
        });
        TrueRuns::Befores chain;
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            locations.push_back(truth_.loaded().location(sequence[i]));
            if (i > 0) chain.emplace_back(sequence[i - 1], sequence[i]);
        }
        auto const answer = oracle_.order(locations, means(words));
        if (auto const* const unknown = std::get_if<Oracle::Unknown>(&answer)) return judge_unknown(*unknown);
        if (auto const* const run = std::get_if<Run>(&answer)) {
            ++tally_["order: a run"];
            std::size_t place = 0;
            for (TraceEntry const& entry : truth_.trace_of(*run))
                if (place < sequence.size() && entry.location == sequence[place]) ++place;
            return place == sequence.size() ? judge_run(*run, {}) : "another order";
        }
        ++tally_["order: refused"];
        TrueRuns::Befores core;
        for (auto const& [a, b] : std::get<Oracle::OrderRefusal>(answer).core) core.emplace_back(name(a), name(b));
        if (truth_.is_possible(chain)) return "the order is possible";
        return truth_.is_possible(core) ? "the order's core is possible" : "";
    }

    std::string can_fail(bool complete) {
        std::optional<bool> const truth = complete ? truth_.can_fail() : truth_.execution_fails();
        auto const answer = oracle_.can_fail(complete ? Runs::complete : Runs::executions);
        if (auto const* const unknown = std::get_if<Oracle::Unknown>(&answer)) return judge_unknown(*unknown);
        auto const& run = std::get<Oracle::Failing>(answer).run;
        ++tally_[run ? "can_fail: yes" : "can_fail: no"];
        if (truth && run.has_value() != *truth) return run ? "no run fails" : "a run fails";
        if (!run) return {};
        return run->s == matchpoint::Status::failure ? replay(*run, complete) : "that does not fail";
    }

    std::string exact() {
        auto const answer = oracle_.exact();
        if (auto const* const unknown = std::get_if<Oracle::Unknown>(&answer)) return judge_unknown(*unknown);
        ++tally_["exact"];
        return names(truth_.messages(), std::get<MatchPairs>(answer)) == truth_.exact_pairs() ? ""
                                                                                              : "not the exact pairs";
    }

    TrueRuns const& truth_;
    Tally& tally_;
    std::atomic<bool> cancelled_ = false;
    Oracle oracle_;

    std::vector<Level> levels_ = std::vector<Level>(1); // the first has no push
    std::set<std::string> shown_;                       // by next, since the last change
    std::uint64_t steps_ = 0;                           // that all these may have taken
    std::uint64_t limit_ = plenty;
};

/// A random call.
std::string random_call(TrueRuns const& truth, Dice& dice) {
    auto const pairs = truth.all_pairs();
    auto const pair = [&] {
        if (dice.percent(60) && !truth.exact_pairs().empty()) {
            auto const it = std::next(truth.exact_pairs().begin(), dice.below(truth.exact_pairs().size()));
            return it->first + '=' + it->second;
        }
        return dice.one_of(pairs).second;
    };
    auto const some_pairs = [&] {
        std::string text;
        for (std::uint32_t n = 1 + dice.below(3); n > 0 && !pairs.empty(); --n)
            text += (dice.percent(50) ? " " : " !") + pair();
        return text;
    };
    auto const means = [&] {
        static constexpr std::array ways{" none", " rules", " search"};
        return std::string(dice.one_of(ways));
    };
    auto const locations = [&] {
        std::string text;
        for (std::uint32_t n = 2 + dice.below(3); n > 0; --n)
            if (Thread const& thread = dice.one_of(truth.program().threads); !thread.empty())
                text += ' ' + dice.one_of(thread).location;
        return text;
    };
    static constexpr std::array limits{0, 1, 2, 5, 20, 100};
    std::uint32_t const kind = dice.below(100);
    if (kind < 11) return "push";
    if (kind < 20) return "pop";
    if (kind < 34) return "assume" + some_pairs();
    if (kind < 58) return "next";
    if (kind < 64) return "all";
    if (kind < 74) return "check" + means();
    if (kind < 81) return "feasible" + means() + some_pairs();
    if (kind < 84) return "order" + means() + locations();
    if (kind < 86) return dice.percent(50) ? "can_fail complete" : "can_fail executions";
    if (kind < 88) return "exact";
    if (kind < 92) return "cancel";
    return "limit " + std::to_string(dice.percent(50) ? plenty : static_cast<std::uint64_t>(dice.one_of(limits)));
}

std::string play(OracleSession const& session, Tally& tally) {
    auto const truth = TrueRuns::of(session.program, session.zero);
    if (truth == nullptr) return {};
    try {
        return Player(*truth, tally).play(session.calls);
    } catch (std::logic_error const& error) {
        return error.what();
    }
}

std::vector<OracleSession> smaller_sessions(OracleSession const& session) {
    std::vector<OracleSession> result;
    for (Calls& calls : shorter(session.calls)) result.push_back({session.program, session.zero, std::move(calls)});
    for (Family& f : smaller(Family{session.program, {}}))
        result.push_back({std::move(f.program), session.zero, session.calls});
    return result;
}

/// Random sessions of programs that `generate` gives.
void sessions_agree(std::uint64_t stream, std::size_t count, Program (*generate)(std::uint64_t seed, std::uint64_t i)) {
    Tally tally;
    std::size_t const all = cases(count);
    for (std::size_t i = 0; i < all; ++i) {
        Dice dice(seeded(stream), i);
        OracleSession session{generate(seeded(stream), i), dice.percent(50), {}};
        auto const truth = TrueRuns::of(session.program, session.zero);
        ++tally[truth == nullptr ? "programs without a model" : "programs"];
        if (truth == nullptr) continue;
        for (std::uint32_t n = 5 + dice.below(40); n > 0; --n) session.calls.push_back(random_call(*truth, dice));
        std::string wrong = play(session, tally);
        if (wrong.empty()) continue;
        Tally none;
        auto const [least, why] = smallest(std::move(session), std::move(wrong), smaller_sessions,
                                           [&](OracleSession const& s) { return play(s, none); });
        FAIL() << "session " << i << " of seed " << seeded(stream) << ", shrunk: " << why << '\n' << to_text(least);
    }
    print(std::cout, tally);
    for (char const* const what :
         {"next: a run", "next: no more", "a run", "refused", "order: a run", "unknown: cancelled", "unknown: steps"})
        EXPECT_GE(tally[what], least(count / 30)) << what;
}

TEST(OracleSessions, PlainPrograms) {
    sessions_agree(21, 400, [](std::uint64_t seed, std::uint64_t i) { return program_to_explore(seed, i, 4, 6); });
}
TEST(OracleSessions, MpiPrograms) {
    sessions_agree(22, 300, [](std::uint64_t seed, std::uint64_t i) { return mpi_program_to_explore(seed, i, 3, 4); });
}
TEST(OracleSessions, Mprobes) {
    sessions_agree(24, 400, [](std::uint64_t seed, std::uint64_t i) { return mprobe_program_to_explore(seed, i); });
}
TEST(OracleSessions, Collectives) {
    sessions_agree(25, 400, [](std::uint64_t seed, std::uint64_t i) { return collective_program_to_explore(seed, i); });
}
TEST(OracleSessions, SharedVariables) { sessions_agree(23, 300, shared_program); }

/// Sessions that are worth having in every run.
constexpr char const* written[] = {
    // Only with all levels undone may r0 get s1.
    R"(; infinite
; push
; assume !r0=s1
; all
; check search
; push
; assume r0=s1
; next
; check search
; pop
; next
; pop
; all
; pop
( ( [00 (rcvi r0 0 x)] [01 (wait r0)] bot ) ( [10 (sndi s0 1 0 1)] bot ) ( [20 (sndi s1 2 0 2)] bot ) )
)",
    // What is stopped goes on.
    R"(; zero
; limit 0
; next
; limit 1
; next
; cancel
; next
; limit 10000000
; all
( ( [00 (rcvi r0 0 x)] [01 (wait r0)] [02 (rcvi r1 0 x)] [03 (wait r1)] bot ) ( [10 (sndi s0 1 0 1)] bot )
  ( [20 (sndi s1 2 0 2)] bot ) ( [30 (sndi s2 3 0 3)] bot ) )
)"};

/// These, and the one that MATCHPOINT_REPLAY names.
TEST(OracleSessions, Replay) {
    std::vector<std::string> texts(std::begin(written), std::end(written));
    if (auto given = given_session("; ")) texts.push_back(std::move(*given));
    for (std::string const& text : texts) {
        OracleSession const session = read_session(text);
        ASSERT_NE(TrueRuns::of(session.program, session.zero), nullptr) << text;
        Tally tally;
        EXPECT_EQ(play(session, tally), "") << text;
    }
}

} // namespace
} // namespace matchpoint::naive
