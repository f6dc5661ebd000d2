#include "grammar/synchronisation.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "grammar/fold.hpp"
#include "grammar/operators.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::grammar {

namespace {

/// A write of a shared variable.
struct SharedWrite {
    std::uint32_t command;
    std::uint32_t thread;
    Expression e;
    std::optional<Expression> guard;
    bool blocks = false;
};

/// Recognises what is written to one variable.
class Patterns {
public:
    explicit Patterns(Ctp const& ctp) : ctp_(ctp) {}

    /// (x op 1)
    bool is_step(Expression e, Variable x, Op op) const {
        auto const parts = operands_of(e, op);
        Value const* const by = parts ? value(parts->second) : nullptr;
        return by != nullptr && is_variable(parts->first, x) && *by == Value::integer(1);
    }
    /// The value of a number, `true` or `false`; null if it is something else.
    Value const* value(Expression e) const {
        Node const& node = ctp_.nodes[e.root()];
        return e.size == 1 && node.kind == Node::Kind::value ? &ctp_.values[node.payload] : nullptr;
    }
    /// (= x v), or of a boolean x and (not x)
    bool is_equal(Expression e, Variable x, Value const& v) const {
        if (is_variable(e, x)) return v.is_true();
        if (auto const negated = operands_of(e, Op::not_)) return v.is_false() && is_variable(negated->first, x);
        auto const parts = operands_of(e, Op::equal);
        if (!parts || !is_variable(parts->first, x)) return false;
        Value const* const is = value(parts->second);
        return is != nullptr && *is == v;
    }
    bool is_positive(Expression e, Variable x) const {
        auto const parts = operands_of(e, Op::greater);
        Value const* const than = parts ? value(parts->second) : nullptr;
        return than != nullptr && is_variable(parts->first, x) && *than == Value::integer(0);
    }
    bool is_either(Expression e, Variable x, Value const& v, Value const& w) const {
        auto const parts = operands_of(e, Op::or_);
        return parts && is_equal(parts->first, x, v) && is_equal(parts->second, x, w);
    }
    /// Whether some conjunct of a guard fits.
    bool requires_one(std::optional<Expression> const& guard, auto const& fits) const {
        if (!guard) return false;
        std::vector<Expression> left{*guard};
        while (!left.empty()) {
            Expression const e = left.back();
            left.pop_back();
            if (fits(e)) return true;
            if (auto const parts = operands_of(e, Op::and_)) left.insert(left.end(), {parts->second, parts->first});
        }
        return false;
    }

private:
    bool is_variable(Expression e, Variable x) const {
        Node const& node = ctp_.nodes[e.root()];
        return e.size == 1 && node.kind == Node::Kind::variable && node.payload == x.index;
    }
    /// The first and the last operand of this operation.
    std::optional<std::pair<Expression, Expression>> operands_of(Expression e, Op op) const {
        Node const& root = ctp_.nodes[e.root()];
        if (root.kind != Node::Kind::operation || root.op != op) return std::nullopt;
        auto const roots = operand_roots(ctp_, e.root());
        return std::pair(expression_at(ctp_, roots.front()), expression_at(ctp_, roots.back()));
    }

    Ctp const& ctp_;
};

using WritesOfVariables = std::vector<std::vector<SharedWrite>>;

/// Variable -> what commands assign to it, in the order of the program. None of a variable that is not shared, or that
/// a receive writes, too: it is no lock.
WritesOfVariables shared_writes(Ctp const& ctp, std::vector<SharedVariable const*> const& declared) {
    WritesOfVariables result(declared.size());
    std::vector<bool> received(declared.size());
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t)
        for (std::uint32_t i = ctp.threads[t].first; i < ctp.threads[t].last; ++i) {
            Command const& c = ctp.commands[i].c;
            auto const add = [&](Variable x, SharedWrite const& write) {
                if (declared[x.index] != nullptr) result[x.index].push_back(write);
            };
            if (auto const* const assign = std::get_if<Assign>(&c)) add(assign->x, {i, t, assign->e, {}, false});
            if (Guarded const* const guarded = as_guarded(c))
                for (auto const& [x, e] : ctp.assigned(*guarded)) add(x, {i, t, e, guarded->e, guarded->blocks});
            Rcvi const* const receive = as_rcvi(c);
            if (receive == nullptr) continue;
            received[receive->x.index] = true;
            if (Selectors const* const sel = selectors_of(ctp, *receive))
                for (auto const y : {sel->source, sel->tagged})
                    if (y) received[y->index] = true;
        }
    for (std::size_t x = 0; x < received.size(); ++x)
        if (received[x]) result[x].clear();
    return result;
}

/// Whether a write takes a lock; none if it neither takes it nor gives it back.
using Judgement = std::optional<bool>;

Judgement of_count(Patterns const& p, Variable x, SharedWrite const& w) {
    if (p.is_step(w.e, x, Op::plus)) return false;
    bool const takes =
        p.is_step(w.e, x, Op::minus) && p.requires_one(w.guard, [&](Expression e) { return p.is_positive(e, x); });
    return takes ? Judgement(true) : std::nullopt;
}

/// Value -> the thread that alone writes it; none if several do.
using Writers = std::map<std::string, std::optional<std::uint32_t>>;

Writers writers_of_values(Patterns const& p, std::vector<SharedWrite> const& writes) {
    Writers result;
    for (SharedWrite const& w : writes) {
        Value const* const v = p.value(w.e);
        if (v == nullptr) continue;
        auto const [known, is_new] = result.emplace(v->to_string(), w.thread);
        if (!is_new && known->second != w.thread) known->second.reset();
    }
    return result;
}

Judgement of_owner(Patterns const& p, SharedVariable const& o, Writers const& writers, SharedWrite const& w) {
    Value const* const v = p.value(w.e);
    if (v == nullptr) return std::nullopt;
    if (*v == o.v) return false;
    if (p.requires_one(w.guard, [&](Expression e) { return p.is_equal(e, o.x, o.v); })) return true;
    bool const is_recursive = p.requires_one(
        w.guard, [&](Expression e) { return p.is_either(e, o.x, o.v, *v) || p.is_either(e, o.x, *v, o.v); });
    return is_recursive && writers.at(v->to_string()) ? Judgement(true) : std::nullopt;
}

/// Of readers of an owner.
Judgement of_readers(Patterns const& p, Variable r, SharedVariable const& owner, SharedWrite const& w) {
    if (p.is_step(w.e, r, Op::minus)) return false;
    bool const takes = p.is_step(w.e, r, Op::plus) &&
                       p.requires_one(w.guard, [&](Expression e) { return p.is_equal(e, owner.x, owner.v); });
    return takes ? Judgement(true) : std::nullopt;
}

/// What commands do with a lock. Empty if it is not a lock: some write neither takes it nor gives it back, or a thread
/// gives back what it has not taken.
std::vector<Locks::Use> uses_of(Variable x, std::vector<SharedWrite> const& writes, bool counts, auto const& judge) {
    std::vector<Locks::Use> uses;
    std::uint32_t held = 0;
    std::uint32_t thread = 0;
    for (SharedWrite const& w : writes) {
        if (w.thread != thread) held = 0;
        thread = w.thread;
        Judgement const takes = judge(w);
        if (!takes || (!*takes && held == 0)) return {};
        held = !counts ? static_cast<std::uint32_t>(*takes) : *takes ? held + 1 : held - 1;
        uses.push_back({w.command, x, *takes});
    }
    return uses;
}

} // namespace

std::vector<bool> synchronisation_variables(Ctp const& ctp, std::size_t variables) {
    std::vector<bool> is_shared(variables);
    for (SharedVariable const& s : ctp.shared) is_shared[s.x.index] = true;
    std::vector<bool> result(variables);
    auto const reads = [&](Expression e) {
        for (Node const& node : std::span(ctp.nodes).subspan(e.first, e.size))
            if (node.kind == Node::Kind::variable) result[node.payload] = is_shared[node.payload];
    };
    for (LocatedCommand const& c : ctp.commands) {
        Guarded const* const guarded = as_guarded(c.c);
        if (guarded == nullptr || !guarded->blocks) continue;
        reads(guarded->e);
        for (auto const& [x, e] : ctp.assigned(*guarded)) {
            reads(e);
            result[x.index] = is_shared[x.index];
        }
    }
    return result;
}

Locks::Locks(Ctp const& ctp, std::size_t variables)
    : is_lock_(variables), counts_(variables), is_exclusive_(variables), is_given_back_(variables),
      is_used_up_(variables), free_(variables) {
    std::vector<SharedVariable const*> declared(variables); // null if not shared
    for (SharedVariable const& s : ctp.shared) declared[s.x.index] = &s;
    WritesOfVariables const writes = shared_writes(ctp, declared);
    Patterns const p(ctp);
    auto const add = [&](Variable x, bool counts, Value const& free, auto const& judge) {
        auto const uses = uses_of(x, writes[x.index], counts, judge);
        if (uses.empty()) return;
        bool const is_given_back = std::any_of(uses.begin(), uses.end(), [](Use const& use) { return !use.takes; });
        auto const& all = writes[x.index];
        if (!is_given_back && std::none_of(all.begin(), all.end(), [](SharedWrite const& w) { return w.blocks; })) {
            is_used_up_[x.index] = true;
            return;
        }
        free_[x.index] = free;
        is_lock_[x.index] = true;
        counts_[x.index] = counts;
        is_given_back_[x.index] = is_given_back;
        uses_.insert(uses_.end(), uses.begin(), uses.end());
    };
    for (SharedVariable const& s : ctp.shared) {
        add(s.x, true, Value(), [&](SharedWrite const& w) { return of_count(p, s.x, w); });
        is_exclusive_[s.x.index] = is_lock_[s.x.index] && s.v == Value::integer(1);
        if (is_lock_[s.x.index]) continue;
        Writers const writers = writers_of_values(p, writes[s.x.index]);
        add(s.x, false, s.v, [&](SharedWrite const& w) { return of_owner(p, s, writers, w); });
        is_exclusive_[s.x.index] = is_lock_[s.x.index];
    }
    auto const excludes = [&](SharedVariable const& owner, SharedVariable const& r) {
        auto const& all = writes[owner.x.index];
        return std::all_of(all.begin(), all.end(), [&](SharedWrite const& w) {
            return *p.value(w.e) == owner.v ||
                   p.requires_one(w.guard, [&](Expression e) { return p.is_equal(e, r.x, r.v); });
        });
    };
    for (SharedVariable const& r : ctp.shared) {
        auto const& all = writes[r.x.index];
        if (is_lock_[r.x.index] || all.empty() || !all.front().guard) continue;
        Expression const guard = *all.front().guard; // of the first reader: it names the owner
        for (Node const& node : std::span(ctp.nodes).subspan(guard.first, guard.size)) {
            if (node.kind != Node::Kind::variable || is_lock_[r.x.index]) continue;
            SharedVariable const* const owner = declared[node.payload];
            if (owner == nullptr || !is_lock_[node.payload] || counts_[node.payload] || !excludes(*owner, r)) continue;
            add(r.x, true, r.v, [&](SharedWrite const& w) { return of_readers(p, r.x, *owner, w); });
        }
    }
    std::stable_sort(uses_.begin(), uses_.end(), [](Use const& a, Use const& b) { return a.command < b.command; });
}

bool is_taken_as_count(Ctp const& ctp, Variable x) {
    Patterns const p(ctp);
    return std::any_of(ctp.commands.begin(), ctp.commands.end(), [&](LocatedCommand const& located) {
        Guarded const* const c = as_guarded(located.c);
        if (c == nullptr) return false;
        auto const assigned = ctp.assigned(*c);
        return std::any_of(assigned.begin(), assigned.end(), [&](Assignment const& a) {
            return a.x == x && of_count(p, x, {0, 0, a.e, c->e, c->blocks}) == Judgement(true);
        });
    });
}

std::optional<Location> reset_of_count(Ctp const& ctp, Variable x) {
    if (!is_taken_as_count(ctp, x)) return std::nullopt;
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i) {
        Assign const* const c = std::get_if<Assign>(&ctp.commands[i].c);
        if (c != nullptr && c->x == x && ctp.nodes[c->e.root()].kind == Node::Kind::value) return Location{i};
    }
    return std::nullopt;
}

bool Locks::is_taken(Variable lock, Value const& v) const {
    if (!free_[lock.index].is_bot()) return !(v == free_[lock.index]);
    auto const left = v.small();
    return left && *left <= 0;
}

std::span<Locks::Use const> Locks::uses(Location rho) const {
    auto const range = std::equal_range(uses_.begin(), uses_.end(), Use{rho.index, {}, false},
                                        [](Use const& a, Use const& b) { return a.command < b.command; });
    return {range.first, range.second};
}

} // namespace matchpoint::grammar
