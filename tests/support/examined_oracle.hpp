#pragma once

/// The oracle's answers against the naive exploration and the naive rules.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/oracle/oracle.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/all_runs.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/naive_explore.hpp"
#include "tests/support/naive_rules.hpp"

namespace matchpoint::naive {

/// How often each kind of answer was checked.
struct OracleAnswers {
    std::size_t runs = 0;
    std::size_t unknown = 0;
    std::map<Oracle::Refusal::Why, std::size_t> refusals = {};
    std::map<std::size_t, std::size_t> core_sizes = {};
    std::size_t order_runs = 0;
    std::size_t orders_by_counting = 0;
    std::size_t orders_by_search = 0;
};

/// An oracle for a program, and all that is known of the program without it. Every check gives what is wrong, or
/// nothing.
class Examined {
    using Means = Oracle::Means;
    using Why = Oracle::Refusal::Why;

public:
    Examined(Program const& program, bool zero, Truth truth)
        : program_(program), zero_(zero), truth_(std::move(truth)), loaded_(load(to_text(program, {}))),
          messages_(*loaded_.code), oracle_(messages_, zero ? Buffering::zero : Buffering::infinite) {}

    MessageIndex const& messages() const { return messages_; }
    Oracle& oracle() { return oracle_; }

    /// Questions may take so many steps, and then `unknown` is no mistake.
    void limit_steps(std::uint64_t steps) {
        oracle_.limit_steps(steps);
        is_limited_ = true;
    }

    std::string set(std::vector<Pair> const& required, OracleAnswers& tally) {
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
            if (refusal == nullptr) {
                if (!is_limited_) return say("unknown", matches);
                ++tally.unknown;
                continue;
            }
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
        if (!std::holds_alternative<MatchPairs>(pairs)) return is_limited_ ? "" : say("exact: unknown", {});
        return names(messages_, std::get<MatchPairs>(pairs)) == truth_.exact_pairs ? "" : say("exact", {});
    }

    /// Needs all_orders().
    std::string order(std::vector<std::string> const& sequence, OracleAnswers& tally) {
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
            if (refusal == nullptr) {
                if (!is_limited_) return say("unknown order", {}, sequence);
                ++tally.unknown;
                continue;
            }
            if (feasible) return say("this order is feasible", {}, sequence);
            Core core;
            for (auto const& [a, b] : refusal->core) core.emplace_back(name(a), name(b));
            if (some_order(orders_, core)) return say("the order's core is feasible", {}, sequence);
            for (auto const& pair : core)
                if (!some_order({sequence}, {pair})) return say("the core is not of the order", {}, sequence);
            bool const by_counting = !refusal->standstill.empty();
            if (by_counting && some_order(counted_, core)) return say("counting does not refuse it", {}, sequence);
            if (!is_limited_ && minimize == Means::search && refusal->minimal != Means::search)
                return say("not minimal", {}, sequence);
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
        for (std::size_t i = 0; i < run.schedule.size(); ++i) {
            Entry const entry = run.schedule.entry(i);
            trace.push_back({name(entry.rho)});
            for (Channel const c : entry.m) trace.back().movements.push_back(plain_movement(*loaded_.code, c));
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
        bool const is_free = !is_limited_ && minimize == Means::search; // to make the core minimal
        if (is_free && refusal.minimal != Means::search) return say("not minimal", core);
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
            if (is_limited_ && run == nullptr && refusal == nullptr) continue;
            if ((run != nullptr) != feasible) return say("check", required);
            auto wrong = run != nullptr       ? check(*run, required, forbidden)
                         : refusal != nullptr ? check(*refusal, required, forbidden, minimize)
                                              : say("unknown", required);
            if (!wrong.empty()) return wrong;
        }
        std::map<Matching, Status> found;
        while (auto const next = oracle_.next()) {
            auto const* const run = std::get_if<Run>(&*next);
            if (run == nullptr) return is_limited_ ? "" : say("next: unknown", required);
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
    bool is_limited_ = false;
    Orders orders_;
    Orders counted_;
};

/// A few pairs, numbers taken from anywhere.
inline std::vector<Pair> some_pairs(MessageIndex const& messages, std::size_t count,
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

} // namespace matchpoint::naive
