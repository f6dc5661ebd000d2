#include "check/sat/value_bounds.hpp"

#include <algorithm>

#include "base/overloaded.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::check {

namespace {

Expression const* relevant_expression(DataFlow const& flow, std::uint32_t command) {
    return flow.is_relevant(command) ? expression_of(flow.ctp().commands[command].c) : nullptr;
}

} // namespace

ValueBounds::Interval ValueBounds::Interval::clamped(Wide lo, Wide hi) {
    auto const end = [](Wide i) { return static_cast<std::int64_t>(std::clamp<Wide>(i, -far, far)); };
    return {end(lo), end(hi)};
}

void ValueBounds::Interval::join(Interval other) {
    lo = std::min(lo, other.lo);
    hi = std::max(hi, other.hi);
}

ValueBounds::Interval ValueBounds::of(Value const& v) {
    if (v.is_boolean()) return {v.is_true(), v.is_true()};
    auto const i = v.small();
    return i ? Interval::clamped(*i, *i) : Interval::all();
}

namespace {

using Interval = ValueBounds::Interval;

Interval boolean(bool may_be_false, bool may_be_true) { return {may_be_false ? 0 : 1, may_be_true ? 1 : 0}; }

bool is_finite(Interval x) { return x.lo > -Interval::far && x.hi < Interval::far; }

Interval sum(Interval x, Interval y) {
    constexpr std::int64_t far = Interval::far;
    return Interval::clamped(x.lo == -far || y.lo == -far ? Wide{-far} : Wide{x.lo} + y.lo,
                             x.hi == far || y.hi == far ? Wide{far} : Wide{x.hi} + y.hi);
}

Interval arithmetic(Arithmetic op, Interval a, Interval b) {
    switch (op) {
    case Arithmetic::plus: return sum(a, b);
    case Arithmetic::minus: return sum(a, {-b.hi, -b.lo});
    case Arithmetic::times: {
        if (!is_finite(a) || !is_finite(b)) return Interval::all();
        auto const [lo, hi] = std::minmax({Wide{a.lo} * b.lo, Wide{a.lo} * b.hi, Wide{a.hi} * b.lo, Wide{a.hi} * b.hi});
        return Interval::clamped(lo, hi);
    }
    case Arithmetic::div: { // the magnitude does not grow
        std::int64_t const most = std::max(-a.lo, a.hi);
        return {-most, most};
    }
    case Arithmetic::mod: return {0, is_finite(b) ? std::max(-b.lo, b.hi) : Interval::far};
    }
    return Interval::all();
}

Interval relation(Relation const& r, Interval a, Interval b) {
    bool const may_be_less = !b.is_at_most(a);
    bool const may_be_equal = !a.is_below(b) && !b.is_below(a);
    bool const may_be_greater = !a.is_at_most(b);
    auto const may = [&](Relation const& of) {
        return (of.less && may_be_less) || (of.equal && may_be_equal) || (of.greater && may_be_greater);
    };
    return boolean(may(r.negated()), may(r));
}

Interval connective(Connective const& c, std::span<Interval const> operands) {
    PerOperand<std::optional<bool>> known;
    for (Interval const of : operands)
        known.push_back(of.lo >= 1 ? std::optional(true) : of.hi <= 0 ? std::optional(false) : std::nullopt);
    auto const holds = c.of(known);
    return boolean(holds != true, holds != false);
}

Interval choice(std::span<Interval const> operands) {
    Interval const condition = operands.front();
    Interval result;
    for (bool const is : {false, true})
        if (is ? condition.hi >= 1 : condition.lo <= 0) result.join(operands[Choice::operand(is)]);
    return result;
}

} // namespace

Interval ValueBounds::apply(Op op, std::span<Interval const> operands) {
    if (std::any_of(operands.begin(), operands.end(), [](Interval const& i) { return i.is_empty(); })) return {};
    return std::visit(overloaded{
                          [&](Arithmetic f) { return arithmetic(f, operands.front(), operands.back()); },
                          [&](Relation const& r) { return relation(r, operands.front(), operands.back()); },
                          [&](Connective const& c) { return connective(c, operands); },
                          [&](Choice) { return choice(operands); },
                      },
                      row(op).meaning);
}

bool ValueBounds::is_of_use(DataFlow const& flow) {
    auto const& sends = flow.messages().sends();
    for (std::uint32_t s = 0; s < sends.size(); ++s)
        if (!flow.constant(s) && flow.is_relevant(sends[s].rho.index)) return true;
    return false;
}

ValueBounds::ValueBounds(DataFlow const& flow, MatchPairs pairs, std::size_t budget)
    : flow_(flow), m_(flow.messages()), ctp_(flow.ctp()), pairs_(std::move(pairs)), budget_(budget),
      receives_of_(m_.sends().size()), receivers_(m_.receives().size()),
      users_(ctp_.commands.size()), now_{std::vector<Interval>(m_.receives().size()),
                                         std::vector<Interval>(ctp_.commands.size())},
      trial_(now_), moves_(m_.receives().size()), sent_(m_.sends().size()), atoms_of_(m_.receives().size()),
      is_queued_(ctp_.commands.size()) {
    for (std::uint32_t r = 0; r < pairs_.of.size(); ++r)
        for (std::uint32_t const s : pairs_.of[r]) receives_of_[s].push_back(r);
    index_uses();
    reach();
}

void ValueBounds::index_uses() {
    for (std::uint32_t i = 0; i < ctp_.commands.size(); ++i) {
        Expression const* const e = relevant_expression(flow_, i);
        if (e == nullptr) continue;
        for (std::uint32_t n = e->first; n <= e->root(); ++n) {
            Definition const d = flow_.definition(n);
            switch (d.kind) {
            case Definition::Kind::none: break;
            case Definition::Kind::receive: receivers_[d.index].push_back(i); break;
            case Definition::Kind::assignment: users_[d.index].push_back(i); break;
            }
        }
    }
}

/// False: the budget is used up.
bool ValueBounds::spend(std::size_t cost) {
    base::spend(cost);
    budget_ -= std::min(budget_, cost);
    return budget_ > 0;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values

ValueBounds::Interval ValueBounds::evaluate(Frame const& frame, std::uint32_t root) {
    auto const variable = [&](Variable, std::uint32_t n) {
        Definition const d = flow_.definition(n);
        return (d.kind == Definition::Kind::receive ? frame.received : frame.assigned)[d.index];
    };
    auto const operation = [](Op op, std::span<Interval const> operands, std::uint32_t) { return apply(op, operands); };
    return fold<Interval>(ctp_, expression_at(ctp_, root), Algebra{of, variable, operation});
}

/// Evaluates an atom from its receives in the frame.
ValueBounds::Interval ValueBounds::evaluate(Atom const& atom, Frame& frame) {
    for (std::uint32_t const location : atom.cone.assignments)
        frame.assigned[location] = evaluate(frame, std::get<Assign>(ctp_.commands[location].c).e.root());
    return evaluate(frame, atom.requirement.node);
}

ValueBounds::Atom ValueBounds::atom(Requirement const& requirement) const {
    Atom result{requirement, flow_.cone(requirement.node), ctp_.nodes[requirement.node].size()};
    for (std::uint32_t const location : result.cone.assignments)
        result.cost += std::get<Assign>(ctp_.commands[location].c).e.size;
    return result;
}

void ValueBounds::queue(std::vector<std::uint32_t> const& commands) {
    for (std::uint32_t const i : commands) {
        if (is_queued_[i]) continue;
        is_queued_[i] = true;
        commands_.push_back(i);
    }
}

/// The next command in the queue. Returns the send if its value changes.
std::optional<std::uint32_t> ValueBounds::recompute() {
    std::uint32_t const i = commands_.front();
    commands_.pop_front();
    is_queued_[i] = false;
    std::optional<std::uint32_t> changed;
    std::visit(overloaded{
                   [&](Assign const& c) {
                       if (update(now_.assigned[i], c.e)) queue(users_[i]);
                   },
                   [&](Sndi const& c) {
                       std::uint32_t const s = m_.send_number(c.a);
                       if (update(sent_[s], c.e)) changed = s;
                   },
                   [](Assume const&) {},
                   [](Assert const&) {},
                   [](Rcvi const&) {},
                   [](Probe const&) {},
                   [](Start const&) {},
                   [](Meet const&) {},
                   [](Collective const&) {},
                   [](Guarded const&) {},
                   [](Wait const&) {},
               },
               ctp_.commands[i].c);
    return changed;
}

/// True: the value of the expression is another one now.
bool ValueBounds::update(Interval& value, Expression const& e) {
    if (!spend(e.size)) return false;
    Interval const v = evaluate(now_, e.root());
    if (v == value) return false;
    value = v;
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Inference `reach`

/// The least intervals that the constants lead to.
void ValueBounds::reach() {
    for (std::uint32_t i = 0; i < ctp_.commands.size(); ++i)
        if (relevant_expression(flow_, i) != nullptr) queue({i});
    for (std::uint32_t s = 0; s < sent_.size(); ++s) {
        if (flow_.is_relevant(m_.sends()[s].rho.index)) continue;
        sent_[s] = Interval::all();
        for (std::uint32_t const r : receives_of_[s]) now_.received[r] = Interval::all();
    }
    while (!commands_.empty() && budget_ > 0) {
        auto const s = recompute();
        if (!s || !spend(receives_of_[*s].size())) continue;
        for (std::uint32_t const r : receives_of_[*s]) grow(r, sent_[*s]);
    }
    if (budget_ == 0) give_up();
}

void ValueBounds::grow(std::uint32_t receive, Interval by) {
    constexpr unsigned patience = 8; // then the end goes to infinity
    Interval& here = now_.received[receive];
    Interval const was = here;
    here.join(by);
    if (here == was) return;
    if (here.lo < was.lo && ++moves_[receive].first > patience) here.lo = -Interval::far;
    if (here.hi > was.hi && ++moves_[receive].second > patience) here.hi = Interval::far;
    queue(receivers_[receive]);
}

/// Everything can have any value.
void ValueBounds::give_up() {
    commands_.clear();
    std::fill(now_.received.begin(), now_.received.end(), Interval::all());
    std::fill(now_.assigned.begin(), now_.assigned.end(), Interval::all());
    std::fill(sent_.begin(), sent_.end(), Interval::all());
}

/// From the sends that are left for it.
bool ValueBounds::narrow_receive(std::uint32_t r) {
    if (!spend(pairs_.of[r].size())) return true;
    Interval v;
    for (std::uint32_t const s : pairs_.of[r]) v.join(sent_[s]);
    // An end that went to infinity in `reach` may be known better than by the union.
    v = {std::max(v.lo, now_.received[r].lo), std::min(v.hi, now_.received[r].hi)};
    if (v.is_empty()) return false;
    for (std::uint32_t const l : atoms_of_[r]) {
        if (is_filter_queued_[l]) continue;
        is_filter_queued_[l] = true;
        filters_.push_back(l);
    }
    if (v == now_.received[r]) return true;
    counts_.add(Inference::reach);
    now_.received[r] = v;
    queue(receivers_[r]);
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// Inference `filter`

/// Whether the atom can hold with these matches.
bool ValueBounds::is_possible(Atom const& atom, std::span<Pair const> pairs) {
    for (std::uint32_t const r : atom.cone.receives) trial_.received[r] = now_.received[r];
    for (Pair const& p : pairs) trial_.received[p.r] = sent_[p.s];
    Interval const v = evaluate(atom, trial_);
    return atom.requirement.value ? v.hi >= 1 : v.lo <= 0;
}

bool ValueBounds::is_possible(Atom const& atom, Pair p) {
    if (!spend(atom.cost)) return true;
    if (!is_possible(atom, std::span(&p, 1))) return false;
    auto const& receives = atom.cone.receives;
    if (receives.size() != 2) return true;
    std::uint32_t const other = receives[0] == p.r ? receives[1] : receives[0];
    for (std::uint32_t const s : pairs_.of[other]) {
        if (!are_compatible(m_, p, {other, s})) continue;
        if (!spend(atom.cost)) return true;
        Pair const both[] = {p, {other, s}};
        if (is_possible(atom, both)) return true;
    }
    return false;
}

/// Tries the atom with each pair of its receives.
bool ValueBounds::filter(Atom const& atom) {
    if (atom.cone.receives.empty()) return !spend(atom.cost) || is_possible(atom, std::span<Pair const>());
    for (std::uint32_t const r : atom.cone.receives) {
        auto const sends = pairs_.of[r]; // a copy: drop() changes them
        for (std::uint32_t const s : sends)
            if (pairs_.contains({r, s}) && !is_possible(atom, {r, s}) && !drop({r, s}, Inference::filter)) return false;
    }
    return true;
}

/// Leaves out a pair, and the pairs that inference `sole_send` leaves out then.
bool ValueBounds::drop(Pair p, Inference by) {
    std::vector<Pair> pairs{p};
    while (!pairs.empty()) {
        auto const [r, s] = pairs.back();
        pairs.pop_back();
        auto& sends = pairs_.of[r];
        if (std::erase(sends, s) == 0) continue;
        counts_.add(by);
        by = Inference::sole_send;
        std::erase(receives_of_[s], r);
        if (sends.empty()) return false;
        if (sends.size() == 1)
            for (std::uint32_t const other : receives_of_[sends[0]])
                if (other != r) pairs.push_back({other, sends[0]});
        if (!narrow_receive(r)) return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------------------------
// All of them

/// Until nothing changes, or the budget is used up.
bool ValueBounds::narrow() {
    while (budget_ > 0) {
        if (!commands_.empty()) {
            auto const s = recompute();
            if (!s) continue;
            for (std::uint32_t const r : receives_of_[*s])
                if (!narrow_receive(r)) return false;
        } else if (!filters_.empty()) {
            std::uint32_t const l = filters_.front();
            filters_.pop_front();
            is_filter_queued_[l] = false;
            if (!filter(atoms_[l])) return false;
        } else {
            return true;
        }
    }
    return true;
}

bool ValueBounds::require(std::span<Requirement const> requirements) {
    for (std::uint32_t r = 0; r < pairs_.of.size(); ++r) {
        auto const sends = pairs_.of[r]; // a copy: drop() changes them
        for (std::uint32_t const s : sends)
            if (sent_[s].is_empty() && !drop({r, s}, Inference::reach)) return false;
    }
    std::vector<Requirement> all;
    if (!conjuncts(flow_, requirements, all)) return false;
    for (Requirement const& r : all) {
        Atom a = atom(r);
        if (!spend(a.cost)) return true;
        auto const number = static_cast<std::uint32_t>(atoms_.size());
        for (std::uint32_t const receive : a.cone.receives) atoms_of_[receive].push_back(number);
        atoms_.push_back(std::move(a));
        filters_.push_back(number);
        is_filter_queued_.push_back(true);
    }
    return narrow();
}

bool ValueBounds::may_hold(Requirement const& requirement) {
    if (budget_ == 0) return true;
    std::vector<Requirement> all;
    if (!conjuncts(flow_, std::span(&requirement, 1), all)) return false;
    return std::all_of(all.begin(), all.end(), [&](Requirement const& r) {
        Atom const a = atom(r);
        if (!spend(a.cost)) return true;
        if (!is_possible(a, std::span<Pair const>())) return false;
        if (a.cone.receives.empty() || a.cone.receives.size() > 2) return true;
        std::uint32_t const first = a.cone.receives[0];
        return std::any_of(pairs_.of[first].begin(), pairs_.of[first].end(), [&](std::uint32_t s) {
            return is_possible(a, {first, s});
        });
    });
}

} // namespace matchpoint::check
