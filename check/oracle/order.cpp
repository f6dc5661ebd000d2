// Orders of commands: Oracle::order(). Can commands run in a given order, whatever is delivered?
//
// With infinite buffering, counting decides. A thread can pass the wait for the receive with ordinal n at beta as soon
// as n + 1 messages to beta were sent, whichever they are. So threads run as far as the order and the counts let them.
//
// Why that is exact. A command needs that certain other commands were executed; a wait also needs a number of sends to
// its endpoint. Both stay true once they are: a wait counts all messages that were ever sent there, and only the thread
// of the endpoint takes them (D1). So no thread can take away what another one can do. Hence all ways to run the
// threads end in the same state. If it leaves a thread unfinished, no run keeps the order: some command would have to
// be the first that gets further, but what it needs would have to be there already. If all threads finish, the messages
// are delivered in the order in which they were sent, which every channel allows.
//
// In Petri nets this property is called persistence (Landweber and Robertson, Properties of Conflict-Free and
// Persistent Petri Nets).
//
// There are two exceptions. A zero divisor depends on the matches. And with zero buffering, counting is necessary but
// not sufficient: the wait for the send with place p in its channel needs p + 1 receives at the endpoint, but other
// channels may have taken those. Then a search decides, on the program with the order built in: for each `a before b` a
// message of its own, sent after a and received before b. It has an endpoint of its own at either side, and nobody
// waits for the send. So all it does is to hold b back until a was executed: the runs of the built program, without
// what was built in, are the runs that keep the order. For a program that is not plain, the search alone
// decides.
//
// A refusal by counting has a core of at most one pair for each thread (core_by_counting). From it, pairs are left out
// one by one as long as the rest still refuses; fewer pairs never refuse more, so one pass is enough.
//
// Counting takes time linear in the program and the order with infinite buffering. With zero buffering, a send or a
// receive can wake all threads that wait for sends to its endpoint. A core takes one more count for each of its pairs.
// The search is exponential in the worst case.
#include <algorithm>

#include "check/oracle/oracle.hpp"
#include "check/rebuilt_program.hpp"
#include "executions/shared/interleavings.hpp"
#include "grammar/add_nodes.hpp"

namespace matchpoint::check {

namespace {

constexpr std::uint32_t absent = 0xFFFF'FFFF; // no edge; no command of the program

class Counting {
public:
    Counting(MessageIndex const& messages, Buffering buffering)
        : messages_(messages), code_(messages.code()), zero_(buffering == Buffering::zero) {}

    /// Whether all threads finish.
    bool run(std::span<Oracle::Before const> edges, Schedule* out) {
        auto const& threads = code_.ctp().threads;
        std::size_t const endpoints = code_.endpoints().size();
        first_edge_.assign(code_.ctp().commands.size(), absent);
        next_edge_.resize(edges.size());
        missing_.assign(code_.ctp().commands.size(), 0);
        for (std::uint32_t i = 0; i < edges.size(); ++i) {
            next_edge_[i] = std::exchange(first_edge_[edges[i].first.index], i);
            ++missing_[edges[i].second.index];
        }
        issued_.assign(endpoints, {});
        delivered_.assign(endpoints, 0);
        posted_.assign(endpoints, 0);
        waiting_.assign(endpoints, {});
        next_.clear();
        runnable_.clear();
        for (Thread const& t : threads) next_.push_back(t.first);
        for (std::uint32_t t = static_cast<std::uint32_t>(threads.size()); t-- > 0;) runnable_.push_back(t);

        while (!runnable_.empty()) {
            std::uint32_t const t = runnable_.back();
            runnable_.pop_back();
            while (next_[t] < threads[t].last && missing_[next_[t]] == 0) {
                Need const need = need_of({next_[t]});
                if (need.needed > need.there) {
                    waiting_[need.beta.index].push_back(t);
                    break;
                }
                step(t, need, edges, out);
            }
        }
        for (std::uint32_t t = 0; t < threads.size(); ++t)
            if (next_[t] < threads[t].last) return false;
        return true;
    }

    bool is_done(Location rho) const { return rho.index < next_[code_.thread_of(rho)]; }

    /// Where the unfinished threads are.
    std::vector<Location> standing() const {
        std::vector<Location> result;
        for (std::uint32_t t = 0; t < next_.size(); ++t)
            if (next_[t] < code_.ctp().threads[t].last) result.push_back({next_[t]});
        return result;
    }

    std::vector<Oracle::Standstill> standstill(std::span<Oracle::Before const> edges) const {
        using Why = Oracle::Standstill::Why;
        std::vector<Oracle::Standstill> result;
        for (Location const at : standing()) {
            auto const edge = std::find_if(edges.begin(), edges.end(),
                                           [&](auto const& e) { return e.second == at && !is_done(e.first); });
            Need const need = need_of(at);
            if (edge != edges.end())
                result.push_back({at, Why::order, edge->first, {}});
            else
                result.push_back(
                    {at, need.posts ? Why::receives : Why::messages, {}, need.beta, need.needed, need.there});
        }
        return result;
    }

private:
    struct Need {
        Endpoint beta;
        bool posts = false; // receives, not messages
        std::uint32_t needed = 0;
        std::uint32_t there = 0;
    };

    Need need_of(Location rho) const {
        auto const* const wait = code_.wait_for_message(rho);
        if (wait == nullptr) return {};
        if (Rcvi const* const receive = code_.as_rcvi(wait->a))
            return {receive->beta, false, messages_.receive(wait->a).ordinal + 1,
                    static_cast<std::uint32_t>(issued_[receive->beta.index].size())};
        if (!zero_) return {};
        Endpoint const beta = code_.as_sndi(wait->a)->beta;
        return {beta, true, messages_.send(wait->a).place + 1, posted_[beta.index]};
    }

    void wake(Endpoint beta) {
        auto& waiting = waiting_[beta.index];
        runnable_.insert(runnable_.end(), waiting.begin(), waiting.end());
        waiting.clear();
    }

    void step(std::uint32_t thread, Need const& need, std::span<Oracle::Before const> edges, Schedule* out) {
        Location const rho{next_[thread]++};
        if (out != nullptr) {
            // In the order in which they were sent; so each channel keeps its order too.
            if (need.needed > 0 && !need.posts)
                for (std::uint32_t& n = delivered_[need.beta.index]; n < need.needed; ++n)
                    out->move(issued_[need.beta.index][n]);
            out->step(rho);
        }
        for (std::uint32_t e = first_edge_[rho.index]; e != absent; e = next_edge_[e]) {
            std::uint32_t const second = edges[e].second.index;
            std::uint32_t const other = code_.thread_of({second});
            if (--missing_[second] == 0 && next_[other] == second && other != thread) runnable_.push_back(other);
        }
        visit_message(
            code_.command_at(rho),
            [&](Sndi const& c) {
                issued_[c.beta.index].push_back(code_.channel_of(c.a));
                wake(c.beta);
            },
            [&](Rcvi const& c) {
                ++posted_[c.beta.index];
                wake(c.beta);
            });
    }

    MessageIndex const& messages_;
    IndexedProgram const& code_;
    bool zero_;
    std::vector<std::uint32_t> first_edge_; // command -> an edge from it
    std::vector<std::uint32_t> next_edge_;
    std::vector<std::uint32_t> missing_; // command -> how many edges to it are not passed
    std::vector<std::uint32_t> next_;    // thread -> its next command
    std::vector<std::uint32_t> runnable_;
    std::vector<std::vector<Channel>> issued_; // endpoint -> the channels of the messages sent to it, in that order
    std::vector<std::uint32_t> delivered_;
    std::vector<std::uint32_t> posted_;
    std::vector<std::vector<std::uint32_t>> waiting_; // endpoint -> the threads that are at a wait for its count
};

/// A program with an order built in.
class Built : public RebuiltProgram {
public:
    Built(IndexedProgram const& original, std::span<Oracle::Before const> edges)
        : RebuiltProgram(original.program()), original_code_(original) {
        Program const& from = original.program();
        Symbols const& names = from.symbols;
        std::uint32_t const zero = node_count(program_.ctp);
        add_value(program_.ctp, Value::integer(0));

        std::vector<std::vector<std::uint32_t>> out(from.ctp.commands.size());
        std::vector<std::vector<std::uint32_t>> in(from.ctp.commands.size());
        std::vector<Sync> syncs;
        for (std::uint32_t i = 0; i < edges.size(); ++i) {
            out[edges[i].first.index].push_back(i);
            in[edges[i].second.index].push_back(i);
            // Names with a blank cannot clash with those of a program.
            std::string const n = std::to_string(i);
            syncs.push_back({{program_.symbols.actions.intern("sent " + n)},
                             {program_.symbols.actions.intern("received " + n)},
                             {program_.symbols.endpoints.intern("from " + n)},
                             {program_.symbols.endpoints.intern("to " + n)},
                             {program_.symbols.variables.intern("of " + n)}});
        }
        program_.ctp.issued_by.resize(program_.symbols.actions.size());

        for (Thread const& t : from.ctp.threads) {
            for (std::uint32_t c = t.first; c < t.last; ++c) {
                // A thread that is at a barrier has arrived at it, and one that is at a collective has called it. So it
                // must not be held up before it. It is held up after it, and the command counts as passed there.
                bool const is_barrier = std::holds_alternative<Meet>(from.ctp.commands[c].c) ||
                                        std::holds_alternative<Collective>(from.ctp.commands[c].c);
                if (is_barrier) add(from.ctp.commands[c].c, names(Location{c}), in[c].empty() ? c : absent);
                for (std::uint32_t const i : in[c]) {
                    bool const counts = is_barrier && i == in[c].back();
                    add(Rcvi{syncs[i].received, syncs[i].beta, syncs[i].x, {}, {}}, "post " + std::to_string(i),
                        absent);
                    add(Wait{syncs[i].received}, "wait " + std::to_string(i), counts ? c : absent);
                }
                if (!is_barrier) add(from.ctp.commands[c].c, names(Location{c}), c);
                for (std::uint32_t const i : out[c])
                    add(Sndi{syncs[i].sent, syncs[i].alpha, syncs[i].beta, {zero, 1}, {}, {}},
                        "send " + std::to_string(i), absent);
            }
            end_thread();
        }
        finish();
    }

    /// An execution of it without the commands that were built in.
    Schedule original(Schedule const& schedule) const {
        Schedule result;
        for (std::size_t i = 0; i < schedule.size(); ++i) {
            Entry const entry = schedule.entry(i);
            for (Channel const c : entry.m)
                if (auto const found = original_code_.find_channel((*code_)[c])) result.move(*found);
            Channel const peek = entry.peek.is_none()
                                     ? Channel{}
                                     : original_code_.find_channel((*code_)[entry.peek]).value_or(Channel{});
            if (original_[entry.rho.index] != absent) result.step({original_[entry.rho.index]}, peek);
        }
        return result;
    }

private:
    struct Sync {
        Action sent;
        Action received;
        Endpoint alpha;
        Endpoint beta;
        Variable x;
    };

    /// `original`: what the command is in the program.
    void add(Command const& c, std::string_view location, std::uint32_t original) {
        RebuiltProgram::add(c, location);
        original_.push_back(original);
    }

    IndexedProgram const& original_code_;
    std::vector<std::uint32_t> original_; // command -> what it is in the program; none if it is built in
};

std::vector<Oracle::Before> chain(std::span<Location const> sequence) {
    std::vector<Oracle::Before> edges;
    for (std::size_t i = 1; i < sequence.size(); ++i) edges.push_back({sequence[i - 1], sequence[i]});
    return edges;
}

} // namespace

/// One question about an order.
class Oracle::OrderQuestion {
public:
    OrderQuestion(MessageIndex const& messages, Buffering buffering, Budget budget)
        : messages_(messages), code_(messages.code()), buffering_(buffering), budget_(budget),
          counting_(messages, buffering) {}

    /// Whether some run keeps an order. A run that was found is in run().
    Searched is_possible(std::span<Before const> edges) {
        Schedule schedule;
        bool const infinite = buffering_ == Buffering::infinite;
        if (!code_.is_plain()) return by_search(edges);
        if (!counting_.run(edges, infinite ? &schedule : nullptr)) return Searched::none;
        if (infinite && replay(std::move(schedule))) return Searched::found;
        return by_search(edges);
    }
    std::optional<Run>& run() { return run_; }

    /// Why no run keeps the sequence.
    OrderRefusal refusal(std::span<Location const> sequence) {
        OrderRefusal refusal;
        refusal.core = chain(sequence);
        if (!code_.is_plain() || counting_.run(refusal.core, nullptr)) return refusal; // found by search
        refusal.core = core_by_counting(sequence);
        static_cast<void>(counting_.run(refusal.core, nullptr));
        refusal.standstill = counting_.standstill(refusal.core);
        refusal.minimal = Means::rules;
        return refusal;
    }

    /// Leaves out of a refusal whatever a search does not need.
    void shrink(std::span<Location const> sequence, OrderRefusal& refusal) {
        std::vector<Before> const before = refusal.core;
        decided_ = true;
        if (refusal.standstill.empty()) {
            // Whole places of the sequence first: what is left is a chain again.
            std::vector<Location> places(sequence.begin(), sequence.end());
            leave_out(places, [](auto const& p) { return chain(p); });
            refusal.core = chain(places);
        }
        leave_out(refusal.core, [](auto const& edges) { return edges; });
        if (refusal.core != before) {
            refusal.standstill.clear();
            refusal.minimal = Means::none;
        }
        if (decided_) refusal.minimal = Means::search;
    }

private:
    Searched by_search(std::span<Before const> edges) {
        Built const built(code_, edges);
        if (messages_.order_matters()) return by_interleavings(built);
        return search(built.messages(), buffering_, {}, budget_,
                      [&](Explorer const& e) { static_cast<void>(replay(built.original(e.schedule()))); });
    }

    /// The first complete run on the path.
    Searched by_interleavings(Built const& built) {
        executions::Interleavings search(built.messages(), buffering_);
        executions::End end{};
        for (;;) {
            if (Searched const answer = next_end(search, budget_, end); answer != Searched::found) return answer;
            if (end == executions::End::complete && replay(built.original(search.schedule()))) return Searched::found;
        }
    }

    bool replay(Schedule schedule) {
        Machine machine(code_, buffering_);
        Outcome const outcome = machine::run(machine, schedule);
        if (outcome.error) return false;
        run_.emplace(Run{Matching(messages_), std::move(schedule), outcome.s});
        for (auto const& [a_r, a_s] : match_set(code_, machine.state()))
            run_->matching[messages_.receive_number(a_r)] = messages_.send_number(a_s);
        return true;
    }

    /// The core after counting has failed. The first command of the sequence that did not run holds back all later ones
    /// that some thread has reached. These edges are enough: the first step of any of those threads would break one of
    /// them.
    std::vector<Before> core_by_counting(std::span<Location const> sequence) {
        std::vector<Before> core;
        auto const first =
            std::find_if_not(sequence.begin(), sequence.end(), [&](Location rho) { return counting_.is_done(rho); });
        if (first != sequence.end()) {
            std::vector<bool> later(code_.ctp().commands.size());
            for (auto it = first + 1; it != sequence.end(); ++it) later[it->index] = true;
            for (Location const at : counting_.standing())
                if (later[at.index]) core.push_back({*first, at});
        }
        for (std::size_t i = core.size(); i-- > 0;) {
            std::vector<Before> rest = core;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            if (!counting_.run(rest, nullptr)) core = std::move(rest);
        }
        return core;
    }

    /// Removes each element without which there is still no run.
    template <typename T, typename EdgesOf>
    void leave_out(std::vector<T>& all, EdgesOf edges_of) {
        for (std::size_t i = all.size(); i-- > 0;) {
            std::vector<T> rest = all;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            Searched const answer = is_possible(edges_of(rest));
            decided_ &= answer == Searched::found || answer == Searched::none;
            if (answer == Searched::none) all = std::move(rest);
        }
    }

    MessageIndex const& messages_;
    IndexedProgram const& code_;
    Buffering buffering_;
    Budget budget_;
    Counting counting_;
    std::optional<Run> run_;
    bool decided_ = true; // by every search of shrink()
};

Oracle::OrderAnswer Oracle::order(std::span<Location const> sequence, Means minimize) {
    OrderQuestion question(messages_, buffering_, budget());
    switch (question.is_possible(chain(sequence))) {
    case Searched::found: return std::move(*question.run());
    case Searched::none: break;
    case Searched::out_of_steps:
    case Searched::cancelled: return unknown();
    }
    OrderRefusal refusal = question.refusal(sequence);
    if (minimize != Means::search) return refusal;
    if (messages_.code().is_plain() && buffering_ == Buffering::infinite && !may_fault_)
        refusal.minimal = Means::search; // counting decides
    else
        question.shrink(sequence, refusal);
    return refusal;
}

} // namespace matchpoint::check
