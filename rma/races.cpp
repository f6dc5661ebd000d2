#include "rma/races.hpp"

#include <fmt/format.h>

#include "grammar/overloaded.hpp"
#include "rma/print.hpp"
#include "rma/schedule.hpp"

namespace matchpoint::rma {

namespace {

/// A step that a process or a card can take now, or when cards have done something else before, with one of its accesses.
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
        for (RemoteIndex s = 0; s < state.R.size(); ++s)
            for (std::uint32_t n = 0; n < std::min(state.R[s], most_copies); ++n, ++operation_) read(s);
        for (PendingWrites const& w : state.W)
            for (std::uint32_t n = 0; n < std::min(w.count, most_copies); ++n, ++operation_) write(w);
        for (QueueIndex q = 0; q < state.A.size(); ++q)
            for (std::size_t n = 0; n < state.A[q].size(); ++n, ++operation_) atomic(q, n);
    }

    std::optional<Race> race() const {
        for (std::size_t a = 0; a < all_.size(); ++a)
            for (std::size_t b = a + 1; b < all_.size(); ++b)
                if (conflict(all_[a], all_[b])) return race_of(all_[a], all_[b]);
        return std::nullopt;
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

    /// Two atomics of one queue: one has been executed, and its write is pending, while the other is the next one, or its
    /// write is pending, too.
    static bool both_come_next(Possible const& earlier, Possible const& later) {
        return std::holds_alternative<NicWrite>(earlier.step) && earlier.place < later.place;
    }

    static Race race_of(Possible const& a, Possible const& b) {
        Race race{a.x, {a.step, a.statement, a.writes}, {b.step, b.statement, b.writes}, {}};
        bool const one_queue = a.queue != no_index && a.queue == b.queue;
        race.run = one_queue && b.before.size() > a.before.size() ? b.before : a.before;
        if (!one_queue) race.run.insert(race.run.end(), b.before.begin(), b.before.end());
        return race;
    }

    Machine const& machine_;
    Graph const& graph_;
    State const& state_;
    std::vector<Possible> all_;
    std::uint32_t operation_ = 0;
};

/// The machine, where only a race is a violation.
class RaceSystem : public System {
public:
    RaceSystem(Machine const& machine, ExploreOptions const& options)
        : machine_(machine), inner_(machine, options), state_(machine.initial()) {}

    std::size_t words() const override { return inner_.words(); }
    Packed initial() override { return inner_.initial(); }
    bool expand(Word const* state, bool reduced, Expansion& result) override {
        bool const is_part = inner_.expand(state, reduced, result);
        for (Expansion::Edge& e : result.edges)
            if (e.effect == Effect::failed) e.effect = Effect::moved;
        result.broken.reset();
        inner_.unpack(state, state_);
        if (race_in(machine_, state_)) result.broken = 0;
        return is_part;
    }
    Packed memory_part(Word const* state) const override { return inner_.memory_part(state); }
    std::vector<Value> memory(Packed const& memory_part) const override { return inner_.memory(memory_part); }
    void widen() override { inner_.widen(); }

    Race race(std::vector<Packed> const& path) {
        inner_.unpack(path.back().data(), state_);
        Race race = *race_in(machine_, state_);
        std::vector<Transition> run = inner_.way(path, false);
        run.insert(run.end(), race.run.begin(), race.run.end());
        race.run = std::move(run);
        return race;
    }

private:
    Machine const& machine_;
    MachineSystem inner_;
    State state_;
};

} // namespace

std::optional<Race> race_in(Machine const& machine, State const& state) { return Accesses(machine, state).race(); }

RaceResult find_race(Program const& program, CheckOptions const& options) {
    RaceResult result;
    Graph const graph(program);
    Machine const machine(graph);
    for (std::uint32_t K = 1; K <= options.pending; ++K) {
        RaceSystem system(machine, {.fused = true, .pending = K, .values = options.values});
        SearchResult const found = search(system, {.stop_at_violation = true, .max_bytes = options.max_bytes});
        result.states += found.states;
        if (found.violation) {
            result.known = Known::yes;
            result.race = system.race(found.violation->path);
            break;
        }
        if (found.complete()) {
            result.known = Known::no;
            break;
        }
        if (found.stop != SearchResult::Stop::none || found.cuts.values) break;
    }
    return result;
}

std::string print_race(Machine const& machine, Race const& race) {
    Program const& program = machine.program();
    auto const who = [&](Race::Access const& a) {
        std::string const text = print(program, a.statement);
        auto const of = [&](RemoteIndex s) { return fmt::format("{}, {}", name_of(machine.graph(), s), text); };
        return std::visit(
            overloaded{
                [&](ProcessStep const& t) { return fmt::format("process {}, {}", program.pid(t.p), text); },
                [&](NicRead const& t) { return of(t.s); },
                [&](NicWrite const& t) { return of(t.s); },
                [&](NicAtomic const& t) { return of(t.s); },
            },
            a.step);
    };
    auto const how = [](Race::Access const& a) { return a.writes ? "written" : "read"; };
    return fmt::format("{} is {} by {}, and {} by {}", program.symbols(race.x), how(race.first), who(race.first),
                       how(race.second), who(race.second));
}

} // namespace matchpoint::rma
