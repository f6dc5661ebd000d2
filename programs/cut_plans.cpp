#include "programs/cuts.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "base/overloaded.hpp"
#include "grammar/parts.hpp"
#include "programs/names.hpp"

namespace matchpoint::programs::draft {

namespace {

/// In place of an operation, a variable or a receive, these are tried.
std::vector<Value> const& simple_values() {
    static std::vector<Value> const values = {Value::integer(0), Value::integer(1), Value::boolean(true),
                                              Value::boolean(false)};
    return values;
}

} // namespace

void Smaller::Cuts::plan() {
    plan_traces();
    next_kind();
    plan_threads();
    next_kind();
    plan_messages();
    next_kind();
    plan_commands();
    next_kind();
    plan_mpi();
    next_kind();
    plan_shared();
    next_kind();
    plan_expressions();
    next_kind();
    plan_endpoints();
    next_kind();
    plan_variables();
    next_kind();
    plan_numbers();
    next_kind(); // the last kind: no smaller, but with other names
    add([this] {
        if (!is_renamed(draft_)) return std::optional<Draft>();
        Draft d = draft_;
        canonical_names(d);
        return std::optional(std::move(d));
    });
}

void Smaller::Cuts::plan_traces() {
    if (draft_.traces.size() > 1)
        add([this] {
            Draft d = draft_;
            d.traces.clear();
            return std::optional(std::move(d));
        });
    for (std::size_t i = 0; i < draft_.traces.size(); ++i)
        add([this, i] {
            Draft d = draft_;
            d.traces.erase(d.traces.begin() + static_cast<std::ptrdiff_t>(i));
            return std::optional(std::move(d));
        });
}

/// Whole threads, then stretches of threads. Each length of stretches is a kind of its own.
void Smaller::Cuts::plan_threads() {
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t)
        for (bool const with_messages : {true, false}) add([=, this] { return without_thread(t, with_messages); });
    std::size_t longest = 0;
    for (Thread const& t : draft_.threads) longest = std::max(longest, t.size());
    std::vector<std::size_t> lengths;
    for (std::size_t length = 2; length < longest; length *= 2) lengths.push_back(length);
    // The number of a kind does not depend on the number of lengths.
    kind_ = 1 + 64 - static_cast<std::uint32_t>(lengths.size());
    for (std::size_t l = lengths.size(); l-- > 0;) {
        next_kind();
        for (std::uint32_t t = 0; t < draft_.threads.size(); ++t)
            for (std::size_t first = 0; first + lengths[l] <= draft_.threads[t].size(); first += lengths[l])
                add([this, from = first_[t] + static_cast<std::uint32_t>(first), length = lengths[l]] {
                    std::vector<std::uint32_t> gone(length);
                    std::iota(gone.begin(), gone.end(), from);
                    return without(gone);
                });
    }
}

/// Single sends and receives, other commands, an assignment in place of a receive, single movements.
void Smaller::Cuts::plan_commands() {
    for (bool const request : {true, false}) {
        for (std::uint32_t c = 0; c < commands(); ++c)
            if ((issued_action(command(c)) != nullptr) == request) add([this, c] { return without({c}); });
        next_kind();
    }
    for (auto const& [beta, receives] : receives_at_)
        for (std::uint32_t const r : receives)
            for (Value const& value : simple_values()) add([this, r, value] { return assigned(r, none, value); });
    next_kind();
    for_each_movement([this](MovementPlace at) {
        add([=, this] {
            Draft d = draft_;
            auto& movements = d.traces[at.trace][at.entry].m;
            movements.erase(movements.begin() + static_cast<std::ptrdiff_t>(at.place));
            return std::optional(std::move(d));
        });
    });
}

/// Pairs of a send and a receive at the same endpoint: all pairs, or, if there are many, those with equal places.
void Smaller::Cuts::plan_messages() {
    constexpr std::size_t many = 256;
    auto const for_each_message = [&](auto const& plan) {
        for (auto const& [beta, receives] : receives_at_) {
            auto const it = sends_to_.find(beta);
            if (it == sends_to_.end()) continue;
            auto const& sends = it->second;
            bool const all = receives.size() * sends.size() <= many;
            for (std::size_t r = 0; r < receives.size(); ++r)
                for (std::size_t s = 0; s < sends.size(); ++s)
                    if (all || r == s) plan(receives[r], sends[s]);
        }
    };
    for_each_message([&](std::uint32_t r, std::uint32_t s) { add([=, this] { return without({r, s}); }); });
    next_kind();
    for_each_message([&](std::uint32_t r, std::uint32_t s) {
        auto const* const value = std::get_if<Value>(&info_[s].e->nodes.front());
        if (value != nullptr && info_[s].e->nodes.size() == 1) add([=, this] { return assigned(r, s, *value); });
    });
}

/// A barrier in all its threads; a selector, a tag, a mode; the tag that a movement names.
void Smaller::Cuts::plan_mpi() {
    std::map<Barrier, std::vector<std::uint32_t>> meetings;
    for (std::uint32_t c = 0; c < commands(); ++c)
        if (auto const* const meet = std::get_if<MeetOf<Text>>(&command(c))) meetings[meet->b].push_back(c);
    for (auto const& [b, all] : meetings) {
        add([this, all = all] { return without(all); });
        // The k-th occurrence in each thread.
        std::map<std::uint32_t, std::vector<std::uint32_t>> turns;
        std::map<std::uint32_t, std::uint32_t> seen;
        for (std::uint32_t const c : all) turns[seen[info_[c].thread]++].push_back(c);
        for (auto const& [k, turn] : turns)
            if (turns.size() > 1) add([this, turn = turn] { return without(turn); });
    }
    plan_collectives();
    next_kind();
    for (std::uint32_t c = 0; c < commands(); ++c) plan_selectors(c);
    for_each_movement([this](MovementPlace at) {
        if (draft_.traces[at.trace][at.entry].m[at.place].n.text.empty()) return;
        add([=, this] {
            Draft d = draft_;
            d.traces[at.trace][at.entry].m[at.place].n = {};
            return std::optional(std::move(d));
        });
    });
}

/// The declaration of a communicator; all its calls; the i-th calls of one in all its threads, or one of them.
void Smaller::Cuts::plan_collectives() {
    std::map<Communicator, std::vector<std::uint32_t>> calls;
    for (std::uint32_t c = 0; c < commands(); ++c)
        if (auto const* const call = as_collective(command(c))) calls[call->comm].push_back(c);
    for (std::size_t i = 0; i < draft_.communicators.size(); ++i)
        add([this, i] {
            Draft d = draft_;
            d.communicators.erase(d.communicators.begin() + static_cast<std::ptrdiff_t>(i));
            return d;
        });
    for (auto const& [comm, all] : calls) {
        add([this, all = all] { return without(all); });
        std::map<std::uint32_t, std::vector<std::uint32_t>> turns;
        std::map<std::uint32_t, std::uint32_t> seen;
        for (std::uint32_t const c : all) turns[seen[info_[c].thread]++].push_back(c);
        for (auto const& [i, turn] : turns)
            if (turns.size() > 1) add([this, turn = turn] { return without(turn); });
        for (std::uint32_t const c : all) add([this, c] { return without({c}); });
    }
}

/// A collective that waits at once, and says less.
void Smaller::Cuts::plan_call(std::uint32_t c, CollectiveOf<Text> const& collective) {
    auto const change = [&](auto f) {
        auto simple = collective;
        f(simple.call);
        if (simple != collective) add([this, c, by = Command(std::move(simple))] { return without({}, {{c, by}}); });
    };
    change([](CollectiveCall& call) { call.op.clear(); });
    change([](CollectiveCall& call) { call.type.clear(); });
    change([](CollectiveCall& call) { call.counts.clear(); });
    if (collective.call.blocks) return;
    auto blocking = collective;
    blocking.call.blocks = true;
    add([this, c, by = Command(std::move(blocking))] {
        std::uint32_t const w = info_[c].wait;
        return without(w == none ? std::vector<std::uint32_t>() : std::vector<std::uint32_t>{w}, {{c, by}});
    });
}

void Smaller::Cuts::plan_selectors(std::uint32_t c) {
    if (auto const* const collective = as_collective(command(c))) plan_call(c, *collective);
    auto const change = [&](Command by) {
        if (by != command(c)) add([this, c, by = std::move(by)] { return without({}, {{c, by}}); });
    };
    if (auto const* const send = as_sndi(command(c))) {
        auto simple = *send;
        simple.tag = {};
        change(simple);
        simple = *send;
        simple.mode = Mode::standard;
        change(simple);
    }
    auto const simplify = [&](auto const& receive) {
        auto simple = receive;
        auto const try_it = [&] { change(std::exchange(simple, receive)); };
        simple.sel = {};
        try_it();
        simple.sel.from.reset();
        try_it();
        simple.sel.tags.reset();
        try_it();
        simple.sel.source.reset();
        try_it();
        simple.sel.tagged.reset();
        try_it();
        auto const shorten = [&](auto const& list, auto& names) {
            for (std::size_t i = 0; list && list->size() > 1 && i < list->size(); ++i) {
                names->erase(names->begin() + static_cast<std::ptrdiff_t>(i));
                try_it();
            }
        };
        shorten(receive.sel.from, simple.sel.from);
        shorten(receive.sel.tags, simple.sel.tags);
    };
    if (auto const* const receive = as_rcvi(command(c))) simplify(*receive);
    if (auto const* const probe = as_probe(command(c))) simplify(*probe);
}

/// Parts of guarded assignments; declarations of shared variables that are not needed.
/// For a program with shared variables also: what two threads do, one after the other in one thread.
void Smaller::Cuts::plan_shared() {
    std::size_t const threads = draft_.shared.empty() || !draft_.traces.empty() ? 0 : draft_.threads.size();
    for (std::size_t first = 0; first < threads; ++first)
        for (std::size_t second = 0; second < threads; ++second)
            if (first != second)
                add([=, this] {
                    Draft d = draft_;
                    Thread const& behind = draft_.threads[second];
                    d.threads[first].insert(d.threads[first].end(), behind.begin(), behind.end());
                    d.threads.erase(d.threads.begin() + static_cast<std::ptrdiff_t>(second));
                    return std::optional(std::move(d));
                });
    for (std::uint32_t c = 0; c < commands(); ++c)
        if (auto const* const guarded = as_guarded(command(c))) plan_guarded(c, *guarded);
    if (!draft_.shared.empty())
        add([this] {
            Draft d = draft_;
            drop_unused_shared_variables(d);
            return std::optional(std::move(d));
        });
}

/// One assignment alone, without the guard; all but one of them; a value in place of a right-hand side. Guards are cut
/// as other expressions are.
void Smaller::Cuts::plan_guarded(std::uint32_t c, GuardedOf<Text> const& guarded) {
    auto const change = [&](Command by) { add([this, c, by = std::move(by)] { return without({}, {{c, by}}); }); };
    if (guarded.assigned.size() == 1) change(assign(guarded.assigned.front().x, guarded.assigned.front().e));
    for (std::size_t i = 0; i < guarded.assigned.size(); ++i) {
        auto less = guarded.assigned;
        less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
        change(guarded.blocks ? when(guarded.e, std::move(less)) : draft::guarded(guarded.e, std::move(less)));
        if (guarded.assigned[i].e.nodes.size() == 1) continue;
        for (Value const& value : simple_values()) {
            auto simple = guarded;
            simple.assigned[i].e = constant(value);
            change(std::move(simple));
        }
    }
}

/// Two endpoints of a thread become one; an endpoint that no thread has becomes any other.
void Smaller::Cuts::plan_endpoints() {
    std::set<Endpoint> all;
    for (auto const& [e, thread] : owner_) all.insert(e);
    for (auto const& [e, sends] : sends_to_) all.insert(e);
    auto const owner = [&](Endpoint const& e) {
        auto const it = owner_.find(e);
        return it == owner_.end() ? none : it->second;
    };
    for (Endpoint const& from : all)
        for (Endpoint const& to : all) {
            if (from == to || (owner(from) != none && owner(from) != owner(to))) continue;
            // If each may become the other, one way is enough.
            if (owner(from) == owner(to) && from < to) continue;
            add([=, this] {
                Draft d = draft_;
                auto const change = [&](Endpoint& e) {
                    if (e == from) e = to;
                };
                for (Thread& t : d.threads)
                    for (LocatedCommand& c : t) for_each_part(c.c, overloaded{change, [](auto&) {}});
                for (Trace& trace : d.traces)
                    for (Entry& entry : trace)
                        draft::for_each_movement(entry, [&](Movement& m) {
                            change(m.beta);
                            change(m.alpha);
                        });
                return std::optional(std::move(d));
            });
        }
}

/// A value or an operand in place of an operation, the outermost first.
void Smaller::Cuts::plan_expressions() {
    for (std::uint32_t c = 0; c < commands(); ++c) {
        auto const& terms = info_[c].terms;
        for (std::uint32_t i = 0; i < terms.size(); ++i) {
            if (!is_operation(node(c, terms[i]))) continue;
            for (Value const& value : simple_values())
                add([this, c, t = terms[i], value] { return with_value(c, t, value); });
            for (std::uint32_t operand = i + 1; operand < i + terms[i].size(); operand += terms[operand].size())
                add([this, c, t = terms[i], by = terms[operand]] {
                    return with_expression(c, replaced(*info_[c].e, t, part(*info_[c].e, by)));
                });
        }
    }
}

/// Two variables of a thread become one; a value in place of a variable.
void Smaller::Cuts::plan_variables() {
    for (std::uint32_t t = 0; t < draft_.threads.size(); ++t) {
        std::set<Variable> variables;
        for (LocatedCommand const& c : draft_.threads[t])
            for_each_part(c.c, overloaded{[&](Variable const& x) { variables.insert(x); }, [](auto const&) {}});
        for (Variable const& to : variables)
            for (auto from = variables.upper_bound(to); from != variables.end(); ++from)
                add([this, t, to, from = *from] {
                    Draft d = draft_;
                    auto const change = [&](Variable& x) {
                        if (x == from) x = to;
                    };
                    auto const change_in = [&](Expression& e) { for_each_variable(e, change); };
                    for (LocatedCommand& c : d.threads[t])
                        for_each_part(c.c, overloaded{change, change_in, [](auto&) {}});
                    return std::optional(std::move(d));
                });
    }
    for (std::uint32_t c = 0; c < commands(); ++c)
        for (Subterm const t : info_[c].terms)
            if (std::holds_alternative<Variable>(node(c, t)))
                for (Value const& value : simple_values()) add([this, c, t, value] { return with_value(c, t, value); });
}

namespace {

/// Numbers that may be simpler: small ones; the absolute value; half of it, or half of its digits if it is large.
std::vector<Value> simpler(Value const& number) {
    std::vector<Value> values;
    for (std::int64_t const i : {0, 1, 2, 3}) values.push_back(Value::integer(i));
    std::string const text = number.to_string();
    std::size_t const sign = text.front() == '-' ? 1 : 0;
    if (sign > 0) values.push_back(Value::parse_integer(text.substr(sign)));
    if (weight(number) < large_value)
        values.push_back(Value::integer(static_cast<std::int64_t>(weight(number) / 4)));
    else
        values.push_back(Value::parse_integer(text.substr(sign, (text.size() - sign) / 2)));
    return values;
}

} // namespace

/// Smaller numbers: everywhere, then in single places. And true in place of false.
void Smaller::Cuts::plan_numbers() {
    auto const number_at = [&](std::uint32_t c, Subterm t) {
        auto const* const value = std::get_if<Value>(&node(c, t));
        return value != nullptr && value->is_integer() ? value : nullptr;
    };
    std::map<std::pair<std::uint64_t, std::string>, Value> numbers; // in the order of their weights
    for (std::uint32_t c = 0; c < commands(); ++c)
        for (Subterm const t : info_[c].terms)
            if (auto const* const n = number_at(c, t)) numbers.try_emplace({weight(*n), n->to_string()}, *n);
    for (auto const& [key, number] : numbers)
        for (Value const& by : simpler(number)) {
            if (weight(by) >= key.first) continue;
            add([this, number = number, by] {
                Draft d = draft_;
                for (Thread& t : d.threads)
                    for (LocatedCommand& c : t)
                        if (Expression* const e = expression_of(c.c))
                            std::replace(e->nodes.begin(), e->nodes.end(), Node(number), Node(by));
                return std::optional(std::move(d));
            });
        }
    for (std::uint32_t c = 0; c < commands(); ++c)
        for (Subterm const t : info_[c].terms) {
            if (node(c, t) == Node(Value::boolean(false)))
                add([this, c, t] { return with_value(c, t, Value::boolean(true)); });
            auto const* const number = number_at(c, t);
            if (number == nullptr) continue;
            for (Value const& by : simpler(*number))
                if (weight(by) < weight(*number)) add([this, c, t, by] { return with_value(c, t, by); });
        }
}

} // namespace matchpoint::programs::draft
