#include "rma/search/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/replay.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/search/wanted_states.hpp"

namespace matchpoint::rma {

namespace {

/// A step that a process or a card can take now, or when cards have done something else before, with one of its
/// accesses.
struct Possible {
    Transition step;
    StatementIndex statement;
    Variable x;
    bool writes;
    bool is_atomic = false;      // beside other atomics
    bool is_remote = true;       // a card's
    std::uint32_t operation;     // pending operations have different numbers; a process, one of its own
    QueueIndex queue = no_index; // of the operation, if it is an atomic
    std::size_t place = 0;       // there
    std::vector<Transition> before = {};
};

/// The operands of a remote atomic, and whether it may change Y.
struct AtomicsOperands {
    std::vector<Variable> reads;
    bool changes;
};

AtomicsOperands atomics_operands(StatementKind const& c) {
    if (auto const* const swap = std::get_if<CompareAndSwap>(&c)) return {{swap->C, swap->Z}, true};
    auto const* const fetch = std::get_if<FetchAndOp>(&c);
    RemoteOp const op = fetch != nullptr ? fetch->op : std::get<Accumulate>(c).op;
    if (op == RemoteOp::no_op) return {{}, false};
    return {{fetch != nullptr ? fetch->Z : std::get<Accumulate>(c).Z}, true};
}

/// All accesses that can come next in a state.
class Accesses {
public:
    Accesses(Machine const& machine, State const& state) : machine_(machine), graph_(machine.graph()), state_(state) {
        auto const inside = machine.inside_atomic(state);
        for (ProcessIndex p = 0; p < state.pc.size(); ++p, ++operation_)
            if (machine.steps(state, p, inside)) process(p);
        for (auto const& [s, count] : state.R)
            for (std::uint32_t n = 0; n < std::min(count, most_copies); ++n, ++operation_) read(s);
        for (PendingWrites const& w : state.W)
            for (std::uint32_t n = 0; n < std::min(w.count, most_copies); ++n, ++operation_) write(w);
        for (QueueIndex q = 0; q < state.A.size(); ++q)
            for (std::size_t n = 0; n < state.A[q].size(); ++n, ++operation_) atomic(q, n);
    }

    /// Calls `use` with every two that race.
    template <typename Use>
    void each_race(Use const& use) const {
        for (std::size_t a = 0; a < all_.size(); ++a) {
            spend(all_.size());
            for (std::size_t b = a + 1; b < all_.size(); ++b)
                if (conflict(all_[a], all_[b])) use(all_[a], all_[b]);
        }
    }

    /// Its run is only the last part: what cards have to do so that both can come next.
    static Race race_of(Possible const& a, Possible const& b) {
        Race race{a.x, {a.step, a.statement, a.writes}, {b.step, b.statement, b.writes}, {}};
        bool const one_queue = a.queue != no_index && a.queue == b.queue;
        race.run = one_queue && b.before.size() > a.before.size() ? b.before : a.before;
        if (!one_queue) race.run.insert(race.run.end(), b.before.begin(), b.before.end());
        return race;
    }

private:
    static constexpr std::uint32_t most_copies = 2; // that is enough to race with each other

    void process(ProcessIndex p) {
        StatementIndex const i = graph_.at(state_.pc[p]).executes;
        StatementKind const& c = machine_.next(state_, p).c;
        auto const add = [&](Variable x, bool writes) {
            all_.push_back({.step = ProcessStep{p},
                            .statement = i,
                            .x = x,
                            .writes = writes,
                            .is_remote = false,
                            .operation = operation_});
        };
        if (auto const* const load = std::get_if<Load>(&c)) add(load->X, false);
        if (auto const* const store = std::get_if<Store>(&c)) add(store->X, true);
    }

    void read(RemoteIndex s) {
        Remote const& r = graph_.remotes()[s];
        all_.push_back(
            {.step = NicRead{s}, .statement = r.statement, .x = r.src, .writes = false, .operation = operation_});
        all_.push_back({.step = NicWrite{s, state_.M[r.src.index]},
                        .statement = r.statement,
                        .x = r.trg,
                        .writes = true,
                        .operation = operation_,
                        .before = {NicRead{s}}});
    }

    void write(PendingWrites const& w) {
        Remote const& r = graph_.remotes()[w.s];
        all_.push_back({.step = NicWrite{w.s, w.val},
                        .statement = r.statement,
                        .x = r.trg,
                        .writes = true,
                        .operation = operation_});
    }

    void atomic(QueueIndex q, std::size_t place) {
        RemoteIndex const s = state_.A[q][place];
        Remote const& r = graph_.remotes()[s];
        AtomicsOperands const operands = atomics_operands(machine_.program().statements[r.statement].c);
        Possible p{.step = NicAtomic{s},
                   .statement = r.statement,
                   .x = r.src,
                   .writes = operands.changes,
                   .is_atomic = true,
                   .operation = operation_,
                   .queue = q,
                   .place = place};
        for (std::size_t n = 0; n < place; ++n) p.before.emplace_back(NicAtomic{state_.A[q][n]});
        all_.push_back(p);
        p.is_atomic = p.writes = false;
        for (Variable const x : operands.reads) {
            p.x = x;
            all_.push_back(p);
        }
        if (!r.fetches) return;
        p.before.emplace_back(p.step);
        p.step = NicWrite{s, {}}; // its value is that of Y by then
        p.x = r.trg;
        p.writes = true;
        all_.push_back(std::move(p));
    }

    static bool conflict(Possible const& a, Possible const& b) {
        if (!(a.x == b.x) || !(a.writes || b.writes) || !(a.is_remote || b.is_remote)) return false;
        if (a.operation == b.operation || (a.is_atomic && b.is_atomic)) return false;
        return a.queue == no_index || a.queue != b.queue || both_come_next(a, b) || both_come_next(b, a);
    }

    /// Two atomics of one queue: one has been executed, and its write is pending, while the other is the next one, or
    /// its write is pending, too.
    static bool both_come_next(Possible const& earlier, Possible const& later) {
        return std::holds_alternative<NicWrite>(earlier.step) && earlier.place < later.place;
    }

    Machine const& machine_;
    Graph const& graph_;
    State const& state_;
    std::vector<Possible> all_;
    std::uint32_t operation_ = 0;
};

/// What makes two races the same: the two statements, the smaller one first, and the variable.
using RaceKey = std::tuple<StatementIndex, StatementIndex, std::uint32_t>;

RaceKey key_of(Possible const& a, Possible const& b) {
    return {std::min(a.statement, b.statement), std::max(a.statement, b.statement), a.x.index};
}

class RaceSearch {
public:
    RaceSearch(Program const& program, CheckOptions const& options, std::size_t most, RaceRuns runs)
        : options_(options), most_(most), runs_(runs), graph_(program), machine_(graph_) {}

    RaceResult run() {
        for (std::uint32_t K = 1; K <= options_.pending; ++K)
            if (!look(K)) break;
        if (!found_.empty()) result_.known = Known::yes;
        if (runs_ == RaceRuns::left_out) return std::move(result_);
        try {
            for (Found const& found : found_) {
                look_at_watch();
                show(found);
            }
        } catch (OutOfTime const&) {
            result_.are_all = false;
        }
        return std::move(result_);
    }

private:
    struct Found {
        RaceKey key;
        std::uint32_t pending; // K of the search that reached it
    };

    /// Finds what races if at most K operations of each statement are pending. Whether it makes sense to go on.
    bool look(std::uint32_t K) {
        WantedStates system(machine_, fused(K), [&](State const& state) {
            Accesses(machine_, state).each_race([&](Possible const& a, Possible const& b) {
                if (found_.size() >= most_ || !seen_.insert(key_of(a, b)).second) return;
                found_.push_back({key_of(a, b), K});
                if (runs_ == RaceRuns::shown) return;
                result_.races.push_back(Accesses::race_of(a, b));
                result_.races.back().run.clear();
            });
            return found_.size() >= most_;
        });
        SearchResult const found = search(system, {.stop_at_violation = true, .max_bytes = options_.max_bytes});
        result_.states += found.states;
        result_.are_all = found.complete();
        if (result_.are_all && found_.empty()) result_.known = Known::no;
        return found.stop == SearchResult::Stop::none && !found.complete() && !found.cuts.values;
    }

    /// A shortest run, if it takes few states to find one; else the run to where it was found. If that takes too long,
    /// it is left out.
    void show(Found const& found) {
        constexpr std::uint32_t most_states = 200'000;
        auto const is_now = [&](State const& state) {
            auto const race = race_in(state, found.key);
            return race && race->run.empty();
        };
        if (auto run = shortest_run_to(machine_, is_now, options_.max_bytes / 2, most_states, result_.states))
            return add(found.key, std::move(*run), true);
        WantedStates system(machine_, fused(found.pending),
                            [&](State const& state) { return race_in(state, found.key).has_value(); });
        SearchResult const again = search(system, {.stop_at_violation = true, .max_bytes = options_.max_bytes});
        result_.states += again.states;
        if (again.violation)
            add(found.key, system.way(again.violation->path), false);
        else
            result_.are_all = false;
    }

    /// `run` leads to a state with the race.
    void add(RaceKey const& key, std::vector<Transition> run, bool is_shortest) {
        auto race = race_in(replay(machine_, run).state, key);
        if (!race) throw std::logic_error("find_races: the run does not lead to the race");
        run.insert(run.end(), race->run.begin(), race->run.end());
        race->run = std::move(run);
        race->is_shortest = is_shortest;
        result_.races.push_back(std::move(*race));
    }

    /// The race of this kind whose last part is the shortest.
    std::optional<Race> race_in(State const& state, RaceKey const& key) const {
        std::optional<Race> result;
        Accesses(machine_, state).each_race([&](Possible const& a, Possible const& b) {
            if (key_of(a, b) != key) return;
            Race race = Accesses::race_of(a, b);
            if (!result || race.run.size() < result->run.size()) result = std::move(race);
        });
        return result;
    }

    ExploreOptions fused(std::uint32_t K) const { return {.fused = true, .pending = K, .values = options_.values}; }

    CheckOptions const& options_;
    std::size_t most_;
    RaceRuns runs_;
    Graph graph_;
    Machine machine_;
    std::set<RaceKey> seen_;
    std::vector<Found> found_;
    RaceResult result_;
};

} // namespace

RaceResult find_races(Program const& program, CheckOptions const& options, std::size_t most, RaceRuns runs) {
    return RaceSearch(program, options, most, runs).run();
}

std::string who(Machine const& machine, Transition const& step) {
    return std::visit(overloaded{
                          [&](ProcessStep const& t) { return fmt::format("process {}", machine.program().pid(t.p)); },
                          [&](auto const& t) { return name_of(machine.graph(), t.s); },
                      },
                      step);
}

std::string print_race(Machine const& machine, Race const& race) {
    Program const& program = machine.program();
    auto const access = [&](Race::Access const& a) {
        return fmt::format("{} by {}, {}", a.writes ? "written" : "read", who(machine, a.step),
                           print(program, a.statement));
    };
    return fmt::format("{} is {}, and {}", program.symbols(race.x), access(race.first), access(race.second));
}

} // namespace matchpoint::rma
