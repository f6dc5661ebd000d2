// The oracle against the naive exploration, the naive rules and the naive machine.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h> // after gtest.h: it does not include it

#include <cstdlib>
#include <iostream>
#include <random>

#include "check/oracle.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/all_runs.hpp"
#include "tests/support/drafts.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/naive_rules.hpp"
#include "tests/support/plain.hpp"
#include "tests/support/shown_case.hpp"
#include "tests/support/small_boxes.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

using Means = Oracle::Means;
using Why = Oracle::Refusal::Why;

/// How often each kind of answer was checked.
struct Covered {
    std::size_t runs = 0;
    std::map<Why, std::size_t> refusals = {};
    std::map<std::size_t, std::size_t> core_sizes = {};
    std::size_t order_runs = 0;
    std::size_t orders_by_counting = 0;
    std::size_t orders_by_search = 0;
};

/// An oracle for a program, and all that is known of the program without it. Every check gives what is wrong, or nothing.
class Examined {
public:
    Examined(Program const& program, bool zero, Truth truth)
        : program_(program), zero_(zero), truth_(std::move(truth)), loaded_(load(to_text(program, {}))),
          messages_(*loaded_.code), oracle_(messages_, zero ? Buffering::zero : Buffering::infinite) {}

    MessageIndex const& messages() const { return messages_; }
    Oracle& oracle() { return oracle_; }

    std::string set(std::vector<Pair> const& required, Covered& tally) {
        Oracle::Wanted const wanted{required, {}};
        Matches const matches = by_name(required);
        bool const feasible = is_feasible(matches, {});
        if (matches.size() == messages_.receives().size()) {
            matchpoint::Matching m(messages_);
            for (Pair const& p : required) m[p.r] = p.s;
            if (m.is_complete() && oracle_.is_feasible(m) != feasible) return say("is_feasible", matches);
        }
        for (Means const minimize : {Means::rules, Means::search}) {
            auto const answer = oracle_.feasible(wanted, minimize);
            if (auto const* const run = std::get_if<Run>(&answer)) {
                if (!feasible) return say("feasible, but should not be", matches);
                if (auto wrong = check(*run, matches, {}); !wrong.empty()) return wrong;
                ++tally.runs;
                continue;
            }
            auto const* const refusal = std::get_if<Oracle::Refusal>(&answer);
            if (refusal == nullptr) return say("unknown", matches);
            if (feasible) return say("infeasible, but should not be", matches);
            if (auto wrong = check(*refusal, matches, {}, minimize); !wrong.empty()) return wrong;
            ++tally.refusals[refusal->why];
            ++tally.core_sizes[refusal->core.required.size()];
        }
        return {};
    }

    /// Assumes two lots of pairs, one on top of the other, and asks between.
    std::string assumptions(Oracle::Wanted const& first, Oracle::Wanted const& second) {
        if (auto wrong = under_assumptions(); !wrong.empty()) return wrong;
        oracle_.push();
        oracle_.assume(first);
        if (auto wrong = under_assumptions(); !wrong.empty()) return wrong;
        oracle_.push();
        oracle_.assume(second);
        if (auto wrong = under_assumptions(); !wrong.empty()) return wrong;
        if (!oracle_.pop() || oracle_.assumed() != first) return say("pop", {});
        if (auto wrong = under_assumptions(); !wrong.empty()) return wrong;
        if (!oracle_.pop() || oracle_.pop() || oracle_.assumed() != Oracle::Wanted()) return say("pop", {});
        return {};
    }

    std::string exact() {
        auto const pairs = oracle_.exact();
        if (!std::holds_alternative<MatchPairs>(pairs)) return say("exact: unknown", {});
        return names(messages_, std::get<MatchPairs>(pairs)) == truth_.exact_pairs ? "" : say("exact", {});
    }

    /// Needs all_orders().
    std::string order(std::vector<std::string> const& sequence, Covered& tally) {
        std::vector<matchpoint::Location> locations;
        for (auto const& name : sequence) locations.push_back(loaded_.location(name));
        bool const feasible = some_order(orders_, chain(sequence));
        for (Means const minimize : {Means::rules, Means::search}) {
            auto const answer = oracle_.order(locations, minimize);
            if (auto const* const run = std::get_if<Run>(&answer)) {
                if (!feasible) return say("this order is infeasible", {}, sequence);
                if (auto wrong = check(*run, {}, {}); !wrong.empty()) return wrong;
                std::vector<std::string> there;
                for (std::size_t i = 0; i < run->schedule.size(); ++i)
                    there.push_back(name(run->schedule.entry(i).rho));
                if (!some_order({there}, chain(sequence))) return say("another order", {}, sequence);
                ++tally.order_runs;
                continue;
            }
            auto const* const refusal = std::get_if<Oracle::OrderRefusal>(&answer);
            if (refusal == nullptr) return say("unknown order", {}, sequence);
            if (feasible) return say("this order is feasible", {}, sequence);
            Core core;
            for (auto const& [a, b] : refusal->core) core.emplace_back(name(a), name(b));
            if (some_order(orders_, core)) return say("the order's core is feasible", {}, sequence);
            for (auto const& pair : core)
                if (!some_order({sequence}, {pair})) return say("the core is not of the order", {}, sequence);
            bool const by_counting = !refusal->standstill.empty();
            if (by_counting && some_order(counted_, core)) return say("counting does not refuse it", {}, sequence);
            if (minimize == Means::search && refusal->minimal != Means::search) return say("not minimal", {}, sequence);
            if (refusal->minimal != Means::none)
                for (std::size_t i = 0; i < core.size(); ++i) {
                    Core part = core;
                    part.erase(part.begin() + static_cast<std::ptrdiff_t>(i));
                    if (!some_order(refusal->minimal == Means::rules ? counted_ : orders_, part))
                        return say("the order's core is not minimal", {}, sequence);
                }
            ++(by_counting ? tally.orders_by_counting : tally.orders_by_search);
        }
        return {};
    }

    /// False: there are too many to go through.
    bool all_orders() {
        std::size_t traces = 0;
        bool const all = for_each_complete_trace(program_, zero_, [&](Trace const& trace) {
            if (++traces > 3000) return false;
            std::vector<std::string> order;
            for (TraceEntry const& entry : trace) order.push_back(entry.location);
            orders_.insert(std::move(order));
            return true;
        });
        if (all && is_plain(program_)) counted_ = counted_orders(program_, zero_);
        return all;
    }

private:
    using Core = std::vector<std::pair<std::string, std::string>>;
    using Orders = std::set<std::vector<std::string>>;

    std::string name(matchpoint::Location rho) const { return std::string(loaded_.code->names()(rho)); }

    static Core chain(std::vector<std::string> const& sequence) {
        Core result;
        for (std::size_t i = 1; i < sequence.size(); ++i) result.emplace_back(sequence[i - 1], sequence[i]);
        return result;
    }

    /// Whether some order has all these befores.
    static bool some_order(Orders const& orders, Core const& befores) {
        return std::any_of(orders.begin(), orders.end(), [&](auto const& order) {
            auto const place = [&](std::string const& rho) { return std::find(order.begin(), order.end(), rho); };
            return std::all_of(befores.begin(), befores.end(),
                               [&](auto const& pair) { return place(pair.first) < place(pair.second); });
        });
    }

    Matches by_name(std::vector<Pair> const& pairs) const {
        Matches result;
        auto const& action = loaded_.code->names();
        for (Pair const& p : pairs)
            result.emplace(action(messages_.receives()[p.r].a), action(messages_.sends()[p.s].a));
        return result;
    }

    /// In truth.
    bool is_feasible(Matches const& required, Matches const& forbidden) const {
        return std::any_of(truth_.outcomes.begin(), truth_.outcomes.end(),
                           [&](auto const& outcome) { return has(outcome.first, required, forbidden); });
    }
    static bool has(Matching const& m, Matches const& required, Matches const& forbidden) {
        auto const is_in = [&](auto const& pair) {
            auto const it = m.find(pair.first);
            return it != m.end() && it->second == pair.second;
        };
        return std::all_of(required.begin(), required.end(), is_in) &&
               std::none_of(forbidden.begin(), forbidden.end(), is_in);
    }

    std::string check(Run const& run, Matches const& required, Matches const& forbidden) const {
        Matching const m = names(messages_, run.matching);
        auto const it = truth_.outcomes.find(m);
        if (it == truth_.outcomes.end() || it->second != static_cast<Status>(run.s))
            return say("no such outcome", required);
        if (!has(m, required, forbidden)) return say("not as wanted", required);
        Trace trace;
        auto const& endpoint = loaded_.code->names();
        for (std::size_t i = 0; i < run.schedule.size(); ++i) {
            Entry const entry = run.schedule.entry(i);
            trace.push_back({name(entry.rho)});
            for (Channel const c : entry.m)
                trace.back().movements.push_back(
                    {static_cast<Endpoint>(std::stoul(std::string(endpoint((*loaded_.code)[c].beta)))),
                     static_cast<Endpoint>(std::stoul(std::string(endpoint((*loaded_.code)[c].alpha))))});
        }
        Result const replayed = naive::run(program_, trace, zero_);
        if (replayed.status != it->second || replayed.trouble ||
            Matching(replayed.state.matches) != completed(m, replayed))
            return say("the schedule does not replay: " + to_text(trace), required);
        return {};
    }
    /// The oracle's naive machine tells matches of the receives that a wait removed; others are only marked.
    static Matching completed(Matching const& m, Result const& replayed) {
        Matching result;
        for (auto const& [r, s] : m)
            if (replayed.state.matches.contains(r)) result.emplace(r, s);
        return result;
    }

    std::string check(Oracle::Refusal const& refusal, Matches const& required, Matches const& forbidden,
                      Means minimize) const {
        Matches const core = by_name(refusal.core.required);
        Matches const without = by_name(refusal.core.forbidden);
        if (!std::includes(required.begin(), required.end(), core.begin(), core.end()) ||
            !std::includes(forbidden.begin(), forbidden.end(), without.begin(), without.end()) ||
            core.size() != refusal.core.required.size() || without.size() != refusal.core.forbidden.size())
            return say("the core is no part", required);
        if (is_feasible(core, without)) return say("the core is feasible", core);
        if (minimize == Means::search && refusal.minimal != Means::search) return say("not minimal", core);
        if (!is_plain(program_)) return minimality(refusal, core, without);
        bool const contradicts =
            std::any_of(required.begin(), required.end(), [&](auto const& p) { return forbidden.contains(p); });
        bool const breaks = breaks_a_rule(program_, zero_, required) || contradicts;
        if (minimize == Means::rules && breaks != (refusal.minimal == Means::rules) && !core.empty())
            return say("the rules say otherwise", required);
        if (refusal.why == Why::fault && !truth_.fault) return say("there is no fault", required);
        if (refusal.conflict.has_value() != (refusal.why == Why::rules) ||
            refusal.fault.has_value() != (refusal.why == Why::fault))
            return say("the reason is missing", required);
        if (refusal.conflict && refusal.conflict->kind == Conflict::Kind::cycle) {
            auto const& cycle = refusal.conflict->cycle;
            for (std::size_t i = 0; i < cycle.size(); ++i)
                if (!(cycle[i].to == cycle[(i + 1) % cycle.size()].from))
                    return say("the cycle does not close", required);
            if (cycle.empty()) return say("there is no cycle", required);
        }
        if (refusal.minimal == Means::rules && without.empty() && !breaks_a_rule(program_, zero_, core))
            return say("the core breaks no rule", core);
        return minimality(refusal, core, without);
    }

    std::string minimality(Oracle::Refusal const& refusal, Matches const& core, Matches const& without) const {
        auto const is_minimal = [&](Matches const& some, Matches const& not_these) {
            if (refusal.minimal == Means::search) return is_feasible(some, not_these);
            // The naive rules are those of plain programs.
            return refusal.minimal == Means::none || !is_plain(program_) || !breaks_a_rule(program_, zero_, some);
        };
        // What all but one have, every proper part has: fewer matches break no more rules, and more runs have them.
        for (auto const& p : core) {
            Matches part = core;
            part.erase(p);
            if (!is_minimal(part, without)) return say("the core is not minimal", core);
        }
        for (auto const& p : without) {
            Matches part = without;
            part.erase(p);
            if (!is_minimal(core, part)) return say("the core is not minimal in what is forbidden", core);
        }
        return {};
    }

    std::string under_assumptions() {
        Matches const required = by_name(oracle_.assumed().required);
        Matches const forbidden = by_name(oracle_.assumed().forbidden);
        bool const feasible = is_feasible(required, forbidden);
        for (Means const minimize : {Means::rules, Means::search}) {
            auto const answer = oracle_.check(minimize);
            auto const* const run = std::get_if<Run>(&answer);
            auto const* const refusal = std::get_if<Oracle::Refusal>(&answer);
            if ((run != nullptr) != feasible) return say("check", required);
            auto wrong = run != nullptr       ? check(*run, required, forbidden)
                         : refusal != nullptr ? check(*refusal, required, forbidden, minimize)
                                              : say("unknown", required);
            if (!wrong.empty()) return wrong;
        }
        std::map<Matching, Status> found;
        while (auto const next = oracle_.next()) {
            auto const* const run = std::get_if<Run>(&*next);
            if (run == nullptr) return say("next: unknown", required);
            if (auto wrong = check(*run, required, forbidden); !wrong.empty()) return wrong;
            if (!found.emplace(names(messages_, run->matching), static_cast<Status>(run->s)).second)
                return say("next: twice", required);
        }
        if (oracle_.next()) return say("next: more than all", required);
        for (auto const& [m, s] : truth_.outcomes)
            if (has(m, required, forbidden) && !found.contains(m)) return say("next: one is missing", required);
        return {};
    }

    std::string say(std::string const& what, Matches const& matches,
                    std::vector<std::string> const& sequence = {}) const {
        std::string text = what + "\n" + loaded_.text + (zero_ ? "zero\n" : "infinite\n");
        for (auto const& [r, s] : matches) text += r + " = " + s + "\n";
        for (auto const& rho : sequence) text += rho + " ";
        return text + to_text(truth_);
    }

    Program const& program_;
    bool zero_;
    Truth truth_;
    Loaded loaded_;
    MessageIndex messages_;
    Oracle oracle_;
    Orders orders_;
    Orders counted_;
};

/// Every part of every assignment of sends to receives, whether it makes sense or not.
void for_each_part(MessageIndex const& messages, std::function<void(std::vector<Pair> const&)> const& visit) {
    auto const receives = static_cast<std::uint32_t>(messages.receives().size());
    auto const sends = static_cast<std::uint32_t>(messages.sends().size());
    std::vector<std::uint32_t> choice(receives, 0); // 0: none
    while (true) {
        std::vector<Pair> part;
        for (std::uint32_t r = 0; r < receives; ++r)
            if (choice[r] > 0) part.push_back({r, choice[r] - 1});
        visit(part);
        std::uint32_t r = 0;
        while (r < receives && choice[r] == sends) choice[r++] = 0;
        if (r == receives) return;
        ++choice[r];
    }
}

/// A few pairs, numbers taken from anywhere.
std::vector<Pair> some_pairs(MessageIndex const& messages, std::size_t count,
                             std::function<std::size_t()> const& number) {
    std::vector<Pair> result;
    auto const receives = messages.receives().size();
    auto const sends = messages.sends().size();
    if (receives == 0 || sends == 0) return result;
    for (std::size_t i = 0; i < count; ++i) {
        auto const r = static_cast<std::uint32_t>(number() % receives);
        auto const s = static_cast<std::uint32_t>(number() % sends);
        Pair const p{r, s};
        if (std::find(result.begin(), result.end(), p) == result.end()) result.push_back(p);
    }
    return result;
}

TEST(OracleAgreesWithMachine, SmallPrograms) {
    Covered tally;
    std::mt19937 random(1);
    auto const number = [&] { return static_cast<std::size_t>(random()); };
    for_each_small_program(every(17), 0, [&](Program const& program) {
        for (bool const zero : {false, true}) {
            auto truth = explore_quickly(program, zero);
            ASSERT_TRUE(truth);
            Examined examined(program, zero, std::move(*truth));
            std::string wrong;
            for_each_part(examined.messages(), [&](std::vector<Pair> const& part) {
                if (wrong.empty()) wrong = examined.set(part, tally);
            });
            if (wrong.empty()) wrong = examined.exact();
            ASSERT_EQ(wrong, "");
            for (std::size_t i = 0; i < 4; ++i) {
                Oracle::Wanted const first{some_pairs(examined.messages(), number() % 3, number),
                                           some_pairs(examined.messages(), number() % 3, number)};
                // Others than the first: what is assumed twice counts once, and would be missed by pop.
                Oracle::Wanted second{{}, some_pairs(examined.messages(), number() % 2, number)};
                std::erase_if(second.forbidden, [&](Pair p) {
                    return std::find(first.forbidden.begin(), first.forbidden.end(), p) != first.forbidden.end();
                });
                ASSERT_EQ(examined.assumptions(first, second), "");
            }
        }
    });
    EXPECT_GT(tally.runs, least(10'000));
    for (Why const why : {Why::rules, Why::fault, Why::search})
        EXPECT_GT(tally.refusals[why], least(100)) << static_cast<int>(why);
    for (std::size_t const size : {0U, 1U, 2U}) EXPECT_GT(tally.core_sizes[size], least(100)) << size;
}

TEST(OracleAgreesWithMachine, OrdersOfSmallPrograms) {
    Covered tally;
    std::mt19937 random(2);
    for_each_small_program(every(307), 0, [&](Program const& program) {
        std::vector<std::string> all;
        for (Thread const& t : program.threads)
            for (Command const& c : t) all.push_back(c.location);
        for (bool const zero : {false, true}) {
            auto truth = explore_quickly(program, zero);
            ASSERT_TRUE(truth);
            Examined examined(program, zero, std::move(*truth));
            if (!examined.all_orders()) continue;
            for (std::size_t i = 0; i < 12; ++i) {
                std::vector<std::string> sequence = all;
                std::shuffle(sequence.begin(), sequence.end(), random);
                // Two or three places are often possible, all hardly ever.
                if (i > 0) sequence.resize(std::min<std::size_t>(sequence.size(), 1 + i % 4));
                ASSERT_EQ(examined.order(sequence, tally), "");
            }
        }
    });
    // Under sanitizers there are a dozen programs, and no rare kind is sure.
    std::size_t const part = every() == 1 ? 1 : 4 * every();
    EXPECT_GE(tally.order_runs, 301U / part);
    EXPECT_GE(tally.orders_by_counting, 301U / part);
    EXPECT_GE(tally.orders_by_search, 11U / part);
}

RC_GTEST_PROP(OracleAgreesWithMachine, RandomPrograms, ()) {
    ShownCase const shown = *shown_cases(disciplined_case).as("case");
    auto truth = explore_quickly(shown.c.program, shown.c.zero, 3000);
    RC_CLASSIFY(truth.has_value(), "small enough for the truth");
    if (!truth) return;
    Examined examined(shown.c.program, shown.c.zero, std::move(*truth));
    std::size_t i = 0;
    auto const number = [&] { return shown.choose(i++, 1000); };
    Covered tally;
    for (std::size_t const size : {0U, 1U, 2U, 3U, 5U})
        RC_ASSERT(examined.set(some_pairs(examined.messages(), size, number), tally) == "");
    // Sets that are feasible, and nearly so.
    Oracle::Wanted nearly{};
    if (auto const some = examined.oracle().feasible({}); auto const* const run = std::get_if<Run>(&some)) {
        for (std::uint32_t r = 0; r < run->matching.size(); ++r) nearly.required.push_back({r, run->matching[r]});
        RC_ASSERT(examined.set(nearly.required, tally) == "");
        if (nearly.required.size() > 1) {
            std::swap(nearly.required[number() % nearly.required.size()].s, nearly.required[0].s);
            RC_ASSERT(examined.set(nearly.required, tally) == "");
        }
    }
    RC_ASSERT(examined.exact() == "");
    // What is forbidden second is not what was forbidden first: assumed twice, it would count once.
    RC_ASSERT(examined.assumptions(
                  {some_pairs(examined.messages(), 1, number), some_pairs(examined.messages(), 2, number)}, {}) == "");
    RC_TAG(tally.refusals.size());
}

/// All parts of match sets, pairs and assumptions of programs with selectors, modes and barriers; and orders.
void of_mpi_programs(std::size_t nth, std::size_t random_programs, std::size_t orders_nth) {
    Covered tally;
    std::size_t programs = 0, refused = 0, asked_for_orders = 0;
    std::mt19937 random(3);
    auto const number = [&] { return static_cast<std::size_t>(random()); };
    auto const look_at = [&](Program const& program, bool is_small) {
        for (bool const zero : {false, true}) {
            {
                Loaded const loaded = load(to_text(program, {}));
                MessageIndex const messages(*loaded.code);
                if (Oracle::refuses(messages, zero ? Buffering::zero : Buffering::infinite)) {
                    ++refused;
                    continue;
                }
            }
            auto truth = explore_eagerly(program, zero, 20'000);
            if (!truth) continue;
            ++programs;
            Examined examined(program, zero, std::move(*truth));
            MessageIndex const& m = examined.messages();
            std::string wrong;
            double parts = 1;
            for (std::size_t r = 0; r < m.receives().size(); ++r) parts *= static_cast<double>(m.sends().size() + 1);
            if (parts <= 300)
                for_each_part(m, [&](std::vector<Pair> const& part) {
                    if (wrong.empty()) wrong = examined.set(part, tally);
                });
            for (std::size_t const size : {0U, 1U, 2U, 3U})
                if (wrong.empty()) wrong = examined.set(some_pairs(m, size, number), tally);
            if (wrong.empty()) wrong = examined.exact();
            if (wrong.empty())
                wrong = examined.assumptions({some_pairs(m, number() % 2, number), some_pairs(m, number() % 2, number)},
                                             {});
            ASSERT_EQ(wrong, "");
            if (!is_small || programs % orders_nth != 0 || !examined.all_orders()) continue;
            ++asked_for_orders;
            std::vector<std::string> all;
            for (Thread const& t : program.threads)
                for (Command const& c : t) all.push_back(c.location);
            for (std::size_t i = 0; i < 6; ++i) {
                std::vector<std::string> sequence = all;
                std::shuffle(sequence.begin(), sequence.end(), random);
                if (i > 0) sequence.resize(std::min<std::size_t>(sequence.size(), 1 + i % 4));
                ASSERT_EQ(examined.order(sequence, tally), "");
            }
        }
    };
    for (auto const kinds : {programs::SmallMpi{.selectors = true},
                             {.modes = true},
                             {.barrier = true},
                             {.selectors = true, .modes = true, .barrier = true}}) {
        programs::SmallMpiPrograms small({.size = 5}, kinds, nth * every());
        while (auto const draft = small.next()) {
            look_at(plain(*draft).program, true);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    for (std::size_t i = 0; i < cases(random_programs); ++i) {
        look_at(mpi_program_to_explore(7, i), false);
        if (testing::Test::HasFatalFailure()) return;
    }
    std::cout << programs << " programs, " << refused << " refused, " << tally.runs << " runs, " << asked_for_orders
              << " asked for orders: " << tally.order_runs << " possible, " << tally.orders_by_search << " not\n";
    EXPECT_GT(tally.runs, programs);
    EXPECT_GT(tally.order_runs + tally.orders_by_search, 0U);
    for (Why const why : {Why::rules, Why::search})
        EXPECT_GT(tally.refusals[why], programs / 20) << static_cast<int>(why);
}

TEST(OracleAgreesWithMachine, MpiPrograms) { of_mpi_programs(400, 150, 7); }

/// A trace of a case, perhaps broken.
Trace mutated(ShownCase const& shown) {
    Trace trace = shown.c.trace;
    if (trace.empty()) return trace;
    TraceEntry& entry = trace[shown.choose(1, trace.size())];
    switch (shown.choose(0, 6)) {
    case 0: entry.location = "nowhere"; break;
    case 1: entry.movements.push_back({77, 78}); break;
    case 2: entry.movements.clear(); break;
    case 3: trace.erase(trace.begin()); break;
    case 4: trace.pop_back(); break;
    case 5: break;
    }
    return trace;
}

RC_GTEST_PROP(OracleAgreesWithMachine, Traces, ()) {
    ShownCase const shown = *shown_cases(disciplined_case).as("case");
    Loaded const loaded = load(to_text(shown.c.program, {}));
    MessageIndex const messages(*loaded.code);
    Oracle const oracle(messages, buffering(shown.c));
    Trace const trace = mutated(shown);
    std::vector<Oracle::TraceEntry> entries;
    for (TraceEntry const& entry : trace) {
        entries.push_back({entry.location, {}});
        for (Movement const& m : entry.movements)
            entries.back().m.emplace_back(std::to_string(m.beta), std::to_string(m.alpha));
    }
    Result const expected = naive::run(shown.c.program, trace, shown.c.zero);
    auto const replay = oracle.trace(entries);
    RC_TAG(to_text(expected.status));
    RC_ASSERT(static_cast<Status>(replay.s) == expected.status);
    RC_ASSERT(replay.steps == expected.steps);
    RC_ASSERT(replay.well_formed == expected.well_formed);
    RC_ASSERT(replay.error.has_value() == expected.trouble.has_value());
    if (replay.error) {
        RC_ASSERT(replay.error->entry == expected.trouble->entry);
        RC_ASSERT(replay.error->location == expected.trouble->location);
    }
}

TEST(OracleAgreesWithMachine, CancelledAndOutOfSteps) {
    // Eight senders race for eight receives, and what one asks for none of the 8! match sets has.
    std::string text = "( (";
    for (int i = 0; i < 8; ++i) {
        auto const n = std::to_string(i);
        text += "[r" + n + " (rcvi r" + n + " 0 x" + n + ")] [w" + n + " (wait r" + n + ")] ";
    }
    std::string sum = "0";
    for (int i = 0; i < 8; ++i) sum = "(+ (* " + std::to_string(i + 1) + " x" + std::to_string(i) + ") " + sum + ")";
    text += "[d (z := (div 1 (- " + sum + " " + sum + ")))] bot ) ";
    for (int i = 0; i < 8; ++i) {
        auto const n = std::to_string(i);
        text += "( [s" + n + " (sndi s" + n + " " + std::to_string(i + 1) + " 0 " + n + ")] bot ) ";
    }
    Loaded const loaded = load(text + ")");
    MessageIndex const messages(*loaded.code);
    std::atomic<bool> cancelled = false;
    Oracle oracle(messages, Buffering::infinite, &cancelled);
    oracle.limit_steps(1000);
    auto const out_of_steps = oracle.feasible({{{0, 3}}, {}});
    ASSERT_TRUE(std::holds_alternative<Oracle::Unknown>(out_of_steps));
    EXPECT_FALSE(std::get<Oracle::Unknown>(out_of_steps).cancelled);
    auto const next = oracle.next();
    ASSERT_TRUE(next && std::holds_alternative<Oracle::Unknown>(*next));

    cancelled = true;
    oracle.limit_steps(UINT64_MAX);
    auto const stopped = oracle.feasible({{{0, 3}}, {}});
    ASSERT_TRUE(std::holds_alternative<Oracle::Unknown>(stopped));
    EXPECT_TRUE(std::get<Oracle::Unknown>(stopped).cancelled);
    auto const pairs = oracle.exact();
    EXPECT_TRUE(std::holds_alternative<Oracle::Unknown>(pairs));

    // And then it is as if nothing had been.
    cancelled = false;
    auto const refused = oracle.feasible({{{0, 3}}, {}}, Means::search);
    ASSERT_TRUE(std::holds_alternative<Oracle::Refusal>(refused));
    EXPECT_EQ(std::get<Oracle::Refusal>(refused).core, Oracle::Wanted());
    EXPECT_FALSE(oracle.next());
}

} // namespace
} // namespace matchpoint::naive
