#include "tests/support/mpi.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "executions/breadth_first.hpp"
#include "executions/sample.hpp"
#include "executions/slow_channel.hpp"
#include "machine/partners.hpp"
#include "programs/dice.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/all_runs.hpp"
#include "tests/support/compare.hpp"

namespace matchpoint::naive {

namespace {

std::string shown(Program const& program, bool zero) {
    return to_text(program, {}) + (zero ? "zero" : "infinite") + " buffering\n";
}

/// What the explorer finds on the path.
OnPath explored_on_path(MessageIndex const& messages, bool zero) {
    Explorer::Options options;
    options.buffering = zero ? Buffering::zero : Buffering::infinite;
    options.runs = Runs::executions;
    Explorer explorer(messages, options);
    OnPath found;
    while (auto const end = explorer.next()) {
        auto const s = explorer.state().s;
        if (s >= matchpoint::Status::infeasible) throw std::logic_error("explored_on_path: off the path");
        found.fails |= s == matchpoint::Status::failure;
        found.completes |= *end == End::complete && s == matchpoint::Status::success;
        found.deadlock |= *end == End::deadlock;
        found.fault |= *end == End::fault;
    }
    return found;
}

std::string text_of(Found const& found) {
    std::ostringstream text;
    PrintTo(found, &text);
    return text.str();
}

} // namespace

Wrong trace_is_right(Case const& c) {
    Result const theirs = sorted(run(c.program, c.trace, c.zero));
    Loaded const loaded = load(c);
    Result const ours = sorted(run_on_machine(*loaded.code, buffering(c)));
    if (ours == theirs) return std::nullopt;
    return loaded.text + "machine:\n" + to_text(ours) + "\noracle:\n" + to_text(theirs);
}

Wrong exploration_is_right(Program const& program, bool zero, Tally& tally, std::size_t limit) {
    auto const truth = explore_eagerly(program, zero, limit);
    if (!truth) {
        ++tally["too large"];
        return std::nullopt;
    }
    Loaded const loaded = load(to_text(program, {}));
    MessageIndex const messages(*loaded.code);
    Found const found = explored(messages, zero, false);
    Found const expected = as_found(*truth);
    if (!(found == expected))
        return shown(program, zero) + "explorer\n" + text_of(found) + "oracle\n" + text_of(expected);
    OnPath on_path = explored_on_path(messages, zero);
    on_path.leaves = truth->on_path.leaves; // no end says it of all executions; the checker is asked (leaving_is_right)
    if (!(on_path == truth->on_path))
        return shown(program, zero) + "explorer\n" + to_text(on_path) + "oracle\n" + to_text(truth->on_path);
    ++tally["explored"];
    tally["match sets"] += truth->outcomes.size();
    tally["with a deadlock"] += truth->deadlock ? 1U : 0U;
    tally["with a fault"] += truth->fault ? 1U : 0U;
    tally["with a failure"] += truth->on_path.fails ? 1U : 0U;
    tally["with an orphan"] += truth->orphans.empty() ? 0U : 1U;
    return std::nullopt;
}

namespace {

std::vector<std::size_t> places(IndexedProgram const& code, matchpoint::State const& state) {
    std::vector<std::size_t> result;
    for (std::size_t t = 0; t < state.ctp.size(); ++t) result.push_back(state.ctp[t] - code.ctp().threads[t].first);
    return result;
}

/// What is wrong with the end of an execution: nothing if it is empty.
template <typename Execution>
std::string wrong_end(MessageIndex const& messages, Execution const& x, Runs runs, Truth const& truth) {
    auto const s = static_cast<Status>(x.state().s);
    bool const on_path = runs == Runs::executions;
    if (on_path && s == Status::failure && !truth.on_path.fails) return "no execution fails";
    switch (x.end()) {
    case End::complete: {
        matchpoint::Matching m(messages);
        x.matching(m);
        Matching by_name = names(messages, m);
        add_seen(messages.code(), x.state(), by_name);
        auto const outcome = truth.outcomes.find(by_name);
        if (outcome == truth.outcomes.end() || outcome->second != s) return "no such outcome";
        break;
    }
    case End::deadlock:
        if (on_path ? !truth.on_path.deadlock : !truth.deadlocks.contains(places(messages.code(), x.state())))
            return "no such deadlock";
        break;
    case End::fault:
        if (on_path ? !truth.on_path.fault : !truth.fault) return "no fault";
        break;
    case End::off_path:
        if (!on_path) return "off the path";
        break;
    case End::pruned: return "pruned";
    }
    return {};
}

std::string wrong_search(MessageIndex const& messages, Buffering buffering, Truth const& truth) {
    using Kind = Goal::Kind;
    matchpoint::State const initial(messages.code());
    std::vector<std::tuple<Kind, bool, std::string>> const goals = {
        {Kind::failure, truth.on_path.fails, "failure"},      {Kind::success, truth.on_path.completes, "success"},
        {Kind::deadlock, truth.on_path.deadlock, "deadlock"}, {Kind::fault, truth.on_path.fault, "fault"},
        {Kind::orphan, !truth.orphans.empty(), "orphan"},
    };
    for (auto const& [kind, there, name] : goals) {
        BreadthFirst search(messages, buffering, initial, {kind, {}});
        auto const answer = search.search(1'000'000, [] { return false; });
        // Where collectives disagree, a search that finds nothing says nothing.
        bool const is_open = messages.code().has_contested_calls() && answer == BreadthFirst::Answer::bounded;
        if (!is_open && answer != (there ? BreadthFirst::Answer::found : BreadthFirst::Answer::none))
            return "search: " + name;
    }
    return {};
}

} // namespace

Wrong schedulers_are_right(Program const& program, bool zero, std::uint64_t seed, Tally& tally, std::size_t limit) {
    auto const truth = explore_eagerly(program, zero, limit);
    if (!truth) return std::nullopt;
    Loaded const loaded = load(to_text(program, {}));
    MessageIndex const messages(*loaded.code);
    Buffering const buffering = zero ? Buffering::zero : Buffering::infinite;
    std::mt19937_64 random(seed);
    auto const wrong = [&](std::string const& what) { return shown(program, zero) + what + "\n" + to_text(*truth); };
    for (Runs const runs : {Runs::complete, Runs::executions}) {
        std::string const reading(to_string(runs));
        for (int i = 0; i < 4; ++i) {
            auto const what = wrong_end(messages, Sample(messages, buffering, random, runs), runs, *truth);
            if (!what.empty()) return wrong("a sample of " + reading + ": " + what);
            ++tally["samples"];
        }
        for (auto const& send : messages.sends()) {
            if (messages.code().has_probes()) break; // it chooses among deliveries only
            auto const what = wrong_end(messages, SlowChannel(messages, buffering, send.channel, runs), runs, *truth);
            if (!what.empty()) return wrong("a slow channel, " + reading + ": " + what);
            ++tally["slow channels"];
        }
    }
    auto const what = wrong_search(messages, buffering, *truth);
    return what.empty() ? std::nullopt : Wrong(wrong(what));
}

namespace {

bool is_among(std::optional<std::vector<unsigned>> const& numbers, unsigned n) {
    return !numbers || std::find(numbers->begin(), numbers->end(), n) != numbers->end();
}

/// A walk, with what it has posted and sent so far, noted from its transitions alone, and what is wrong on it.
class Walk {
public:
    Walk(Program const& program, Loaded const& loaded, Buffering buffering)
        : program_(program), code_(*loaded.code), machine_(code_, buffering) {
        machine_.keep_history();
    }

    bool go(Dice& dice) {
        states_.push_back(machine_.state());
        while (true) {
            auto const now = enabled(code_, machine_.state(), machine_.buffering());
            if (!is_every_match(now)) return false;
            if (now.empty()) return true;
            Transition const t = now[dice.below(now.size())];
            if (machine_.apply(t).is_stuck()) return true;
            states_.push_back(machine_.state());
            if (!is_right_after(t)) return false;
        }
    }
    bool go_back() {
        if (machine_.state().s == matchpoint::Status::error && !machine_.undo()) return false;
        for (std::size_t i = states_.size(); i-- > 1;) {
            if (machine_.state() != states_[i]) return false;
            if (!machine_.undo()) return false;
        }
        return machine_.state() == states_[0] && !machine_.undo();
    }

private:
    /// Whether a receive that is posted and unmatched, and a message in transit, match.
    bool is_match(std::string const& receive, std::string const& send) const {
        return is_match(receive, send, posted_.at(find_action(program_, send).sndi->beta));
    }
    bool is_match(std::string const& receive, std::string const& send, std::vector<std::string> const& posted) const {
        if (!fit(receive, send)) return false;
        Sndi const& s = *find_action(program_, send).sndi;
        // A receive takes the first of two messages of one sender that both match it.
        for (std::string const& first : in_transit_.at({s.beta, s.alpha})) {
            if (first == send) break;
            if (fit(receive, first)) return false;
        }
        // A message goes to the first of two posted receives that both match it.
        for (std::string const& first : posted) {
            if (first == receive) break;
            if (!pairs_.contains(first) && fit(first, send)) return false;
        }
        return true;
    }
    bool fit(std::string const& receive, std::string const& send) const {
        ActionSite const site = find_action(program_, receive);
        Selectors const& sel = site.rcvi != nullptr ? site.rcvi->sel : site.probe->sel;
        Sndi const& s = *find_action(program_, send).sndi;
        return is_among(sel.from, s.alpha) && is_among(sel.tags, s.tag.value_or(0));
    }

    /// Where receives select, the movements that are enabled are the matches; and what a probe can see, a receive like
    /// it, posted now, could match.
    bool is_every_match(std::vector<Transition> const& now) const {
        auto const enabled = std::count_if(now.begin(), now.end(), [&](Transition const& t) {
            auto const* const deliver = std::get_if<Deliver>(&t);
            return deliver != nullptr && selects(program_, plain_movement(code_, deliver->channel).beta);
        });
        std::ptrdiff_t matches = 0;
        for (auto const& [ends, sends] : in_transit_)
            for (std::string const& send : sends)
                if (auto const it = posted_.find(ends.first); it != posted_.end() && selects(program_, ends.first))
                    matches += std::count_if(it->second.begin(), it->second.end(), [&](std::string const& receive) {
                        return !pairs_.contains(receive) && is_match(receive, send);
                    });
        return enabled == matches && sees_every_match(now);
    }
    bool sees_every_match(std::vector<Transition> const& now) const {
        std::set<std::pair<std::string, std::string>> seen;
        std::set<std::pair<std::string, std::string>> expected;
        for (Transition const& t : now)
            if (auto const* const e = std::get_if<Execute>(&t); e != nullptr && !e->peek.is_none())
                seen.emplace(std::string(code_.names()(std::get<matchpoint::Probe>(code_.command_at(e->rho)).a)),
                             std::string(code_.names()(matchpoint::Pnd_s(code_, machine_.state(), e->peek).front().a)));
        for (std::size_t t = 0; t < program_.threads.size(); ++t) {
            std::size_t const next = machine_.state().ctp[t] - code_.ctp().threads[t].first;
            auto const* const probe =
                next < program_.threads[t].size() ? std::get_if<Probe>(&program_.threads[t][next].what) : nullptr;
            if (probe == nullptr) continue;
            std::vector<std::string> posted;
            if (auto const it = posted_.find(probe->beta); it != posted_.end()) posted = it->second;
            posted.push_back(probe->action);
            for (auto const& [ends, sends] : in_transit_)
                for (std::string const& send : sends)
                    if (ends.first == probe->beta && is_match(probe->action, send, posted))
                        expected.emplace(probe->action, send);
        }
        return seen == expected;
    }

    bool is_right_after(Transition const& t) {
        Matching const found = found_partners();
        if (auto const* const execute = std::get_if<Execute>(&t)) {
            if (!note(std::string(code_.names()(execute->rho)), found)) return false;
        } else if (!note(plain_movement(code_, std::get<Deliver>(t).channel), found))
            return false;
        // At other endpoints the k-th receive and the k-th message are partners.
        for (auto const& [beta, messages] : delivered_)
            for (std::size_t k = 0; k < std::min(messages.size(), posted_[beta].size()); ++k)
                pairs_[posted_[beta][k]] = messages[k];
        return found == pairs_;
    }
    bool note(std::string const& location, Matching const& found) {
        for (Thread const& thread : program_.threads)
            for (Command const& c : thread) {
                if (c.location != location) continue;
                if (auto const* const r = std::get_if<Rcvi>(&c.what)) posted_[r->beta].push_back(r->action);
                if (auto const* const s = std::get_if<Sndi>(&c.what))
                    in_transit_[{s->beta, s->alpha}].push_back(s->action);
                auto const* const p = std::get_if<Probe>(&c.what);
                if (p != nullptr && p->matches && !note(*p, found)) return false;
            }
        return true;
    }
    /// Whether an mprobe may have matched what it has.
    bool note(Probe const& p, Matching const& found) {
        posted_[p.beta].push_back(p.action);
        auto const pair = found.find(p.action);
        if (pair == found.end()) return false;
        Sndi const& s = *find_action(program_, pair->second).sndi;
        std::vector<std::string>& sends = in_transit_[{s.beta, s.alpha}];
        auto const place = std::find(sends.begin(), sends.end(), pair->second);
        if (place == sends.end() || !is_match(p.action, pair->second)) return false;
        pairs_.insert(*pair);
        sends.erase(place);
        return true;
    }
    /// Whether what is new of what was found may come from the movement.
    bool note(Movement const& m, Matching const& found) {
        std::vector<std::string>& sends = in_transit_[{m.beta, m.alpha}];
        if (!selects(program_, m.beta)) {
            if (sends.empty()) return false;
            delivered_[m.beta].push_back(sends.front());
            sends.erase(sends.begin());
            return true;
        }
        Matching fresh;
        std::set_difference(found.begin(), found.end(), pairs_.begin(), pairs_.end(),
                            std::inserter(fresh, fresh.end()));
        if (fresh.size() != 1) return false;
        auto const& [receive, send] = *fresh.begin();
        auto const place = std::find(sends.begin(), sends.end(), send);
        auto const& posted = posted_[m.beta];
        if (place == sends.end() || std::find(posted.begin(), posted.end(), receive) == posted.end()) return false;
        if (pairs_.contains(receive) || !is_match(receive, send)) return false;
        pairs_.emplace(receive, send);
        sends.erase(place);
        return true;
    }

    Matching found_partners() const {
        matchpoint::State const& state = machine_.state();
        Matching pairs;
        for (std::uint32_t e = 0; e < code_.endpoints().size(); ++e) {
            matchpoint::Endpoint const beta{e};
            for (std::uint32_t n = 0; n < state.Pnd_r.issued[e]; ++n)
                if (auto const m = message_for(state, code_, beta, n)) {
                    if (receive_for(state, code_, beta, *m) != n) throw std::logic_error("partners: not each other's");
                    auto const name = [&](Action a) { return std::string(code_.names()(a)); };
                    pairs[name(state.Pnd_r.entries[code_[beta].Pnd_r.first + n].a)] =
                        name(state.Q_s.entries[code_[beta].Q_s.first + *m].a);
                }
        }
        return pairs;
    }

    Program const& program_;
    IndexedProgram const& code_;
    Machine machine_;
    std::map<Endpoint, std::vector<std::string>> posted_;                          // all, in the order of issue
    std::map<std::pair<Endpoint, Endpoint>, std::vector<std::string>> in_transit_; // by beta and alpha
    std::map<Endpoint, std::vector<std::string>> delivered_;                       // all, where no receive selects
    Matching pairs_;
    std::vector<matchpoint::State> states_;
};

} // namespace

Wrong partners_are_right(Program const& program, std::uint64_t seed, std::uint64_t i) {
    Loaded const loaded = load(to_text(program, {}));
    programs::Dice dice(seed, i);
    for (bool const zero : {false, true})
        for (int walk = 0; walk < 3; ++walk) {
            Walk w(program, loaded, zero ? Buffering::zero : Buffering::infinite);
            if (!w.go(dice)) return shown(program, zero) + "partners";
            if (!w.go_back()) return shown(program, zero) + "undo";
        }
    return std::nullopt;
}

namespace {

/// Where a barrier is in each thread that has it.
using Places = std::map<std::size_t, std::vector<std::size_t>>;

std::map<std::string, Places> meetings_of(Program const& program) {
    std::map<std::string, Places> meetings;
    for (std::size_t t = 0; t < program.threads.size(); ++t)
        for (std::size_t i = 0; i < program.threads[t].size(); ++i)
            if (auto const* const meet = std::get_if<Meet>(&program.threads[t][i].what))
                meetings[meet->barrier][t].push_back(i);
    return meetings;
}

Endpoint fresh_endpoint(Program const& program) {
    Endpoint fresh = 0;
    for (Thread const& thread : program.threads)
        for (Command const& c : thread) {
            if (auto const* const s = std::get_if<Sndi>(&c.what)) fresh = std::max({fresh, s->alpha + 1, s->beta + 1});
            if (auto const* const r = std::get_if<Rcvi>(&c.what)) {
                fresh = std::max(fresh, r->beta + 1);
                if (r->sel.from)
                    for (Endpoint const alpha : *r->sel.from) fresh = std::max(fresh, alpha + 1);
            }
        }
    return fresh;
}

/// The commands of one meeting, by thread. Every thread has an endpoint of its own for it.
std::map<std::size_t, Thread> gather_and_scatter(std::vector<std::size_t> const& threads, std::string const& name,
                                                 Endpoint first) {
    std::map<std::size_t, Thread> made;
    std::size_t const root = threads.front();
    made[root];
    std::size_t count = 0;
    auto const add = [&](std::size_t t, auto what) {
        made[t].push_back({name + "." + std::to_string(count++), std::move(what)});
    };
    auto const receive = [&](std::size_t t, Endpoint at, std::string const& what) {
        add(t, Rcvi{name + what, at, name + what + "x"});
        add(t, Wait{name + what});
    };
    for (std::size_t i = 1; i < threads.size(); ++i) {
        std::string const n = std::to_string(i);
        auto const own = first + static_cast<Endpoint>(i);
        add(threads[i], Sndi{name + "arrive" + n, own, first, number(0)});
        receive(root, first, "gathered" + n);
        receive(threads[i], own, "go" + n);
    }
    for (std::size_t i = 1; i < threads.size(); ++i)
        add(root, Sndi{name + "pass" + std::to_string(i), first, first + static_cast<Endpoint>(i), number(0)});
    return made;
}

} // namespace

Program without_barriers(Program const& program) {
    Endpoint fresh = fresh_endpoint(program);
    std::map<std::pair<std::size_t, std::size_t>, Thread> instead;
    for (auto const& [name, places] : meetings_of(program)) {
        std::vector<std::size_t> threads;
        for (auto const& [t, all] : places) threads.push_back(t);
        for (std::size_t k = 0; k < places.begin()->second.size(); ++k) {
            auto const made = gather_and_scatter(threads, name + "-" + std::to_string(k) + "-", fresh);
            fresh += static_cast<Endpoint>(threads.size());
            for (auto const& [t, commands] : made) instead[{t, places.at(t)[k]}] = commands;
        }
    }
    Program result;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        Thread& thread = result.threads.emplace_back();
        for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
            auto const it = instead.find({t, i});
            if (it == instead.end())
                thread.push_back(program.threads[t][i]);
            else
                thread.insert(thread.end(), it->second.begin(), it->second.end());
        }
    }
    return result;
}

Wrong mpi_is_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    for (auto const generate : {any_mpi_case, disciplined_mpi_case})
        if (Wrong wrong = trace_is_right(generate(seed, i))) return wrong;
    Program const program = mpi_program_to_explore(seed, i);
    for (bool const zero : {false, true})
        if (Wrong wrong = exploration_is_right(program, zero, tally)) return wrong;
    for (bool const zero : {false, true})
        if (Wrong wrong = schedulers_are_right(program, zero, i, tally)) return wrong;
    return partners_are_right(program, seed, i);
}

namespace {

/// The sends that the receives posted before a command, in its thread, get; those of mprobes, too.
std::set<std::string> taken_before(Thread const& thread, std::size_t end, Matching const& outcome) {
    std::set<std::string> result;
    for (std::size_t i = 0; i < end; ++i) {
        Rcvi const* const rcvi = std::get_if<Rcvi>(&thread[i].what);
        Probe const* const probe = std::get_if<Probe>(&thread[i].what);
        if (rcvi != nullptr) result.insert(outcome.at(rcvi->action));
        if (probe != nullptr && probe->matches) result.insert(outcome.at(probe->action));
    }
    return result;
}

} // namespace

Wrong receives_get_what_probes_saw(Program const& program, Truth const& truth, Tally& tally) {
    for (Thread const& thread : program.threads)
        for (std::size_t p = 0; p < thread.size(); ++p) {
            Probe const* const probe = std::get_if<Probe>(&thread[p].what);
            if (probe == nullptr || probe->matches) continue;
            for (std::size_t r = p + 1; r < thread.size(); ++r) {
                Rcvi const* const rcvi = std::get_if<Rcvi>(&thread[r].what);
                if (rcvi == nullptr || rcvi->beta != probe->beta) continue;
                for (auto const& [outcome, status] : truth.outcomes) {
                    std::string const& saw = outcome.at(probe->action);
                    Sndi const& send = *find_action(program, saw).sndi;
                    std::vector<Endpoint> const from{send.alpha};
                    std::vector<Tag> const tags{send.tag.value_or(0)};
                    if (rcvi->sel.from != from || rcvi->sel.tags != tags) continue;
                    ++tally["receives of what a probe saw"];
                    if (outcome.at(rcvi->action) != saw && !taken_before(thread, r, outcome).contains(saw))
                        return to_text(program, {}) + rcvi->action + " does not get " + saw;
                }
            }
        }
    return std::nullopt;
}

Wrong probes_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    if (Wrong wrong = trace_is_right(probe_case(seed, i))) return wrong;
    Program const program = probe_program_to_explore(seed, i);
    for (bool const zero : {false, true}) {
        if (Wrong wrong = exploration_is_right(program, zero, tally)) return wrong;
        if (Wrong wrong = schedulers_are_right(program, zero, i, tally)) return wrong;
        if (auto const truth = explore_eagerly(program, zero, 20'000))
            if (Wrong wrong = receives_get_what_probes_saw(program, *truth, tally)) return wrong;
    }
    return partners_are_right(program, seed, i);
}

} // namespace matchpoint::naive
