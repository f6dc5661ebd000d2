#include "check/sat/value_clauses.hpp"

#include <algorithm>

#include "check/sat/gates.hpp"
#include "grammar/fold.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::check {

namespace {

constexpr std::size_t most_rows = 100'000;     // of a table
constexpr std::size_t most_work = 200'000'000; // nodes evaluated for all tables

} // namespace

ValueClauses::ValueClauses(SatSolver& sat, DataFlow const& flow, Domains const* domains, MatchPairs const& pairs,
                           MatchClauses const& matches)
    : sat_(sat), flow_(flow), m_(flow.messages()), ctp_(flow.ctp()), domains_(domains), pairs_(pairs),
      matches_(matches), literal_(ctp_.nodes.size()), received_true_(m_.receives().size()), evaluation_(flow),
      run_(flow), is_closed_(m_.receives().size()), true_(sat.new_variable()) {
    sat_.add({true_});
    for (std::uint32_t r = 0; r < is_closed_.size(); ++r)
        is_closed_[r] = std::all_of(pairs.of[r].begin(), pairs.of[r].end(),
                                    [&](std::uint32_t s) { return flow.constant(s).has_value(); });
}

void ValueClauses::require(Asked asked, std::vector<std::uint32_t> const& fails) {
    for (std::uint32_t const divisor : flow_.divisors()) sat_.add({-is_zero(divisor)});
    if (asked == Asked::any) return;
    for (std::uint32_t const n : flow_.assumptions()) sat_.add({literal_of(n)});
    if (asked == Asked::success)
        for (std::uint32_t const n : flow_.assertions()) sat_.add({literal_of(n)});
    std::vector<Literal> some;
    some.reserve(fails.size());
    for (std::uint32_t const n : fails) some.push_back(-literal_of(n));
    if (asked == Asked::failure) sat_.add(some);
    define_pending();
}

/// Nodes get literals, and no clauses yet.
void ValueClauses::bind_path(ExecutedClauses& executed, Runs runs) {
    for (std::uint32_t const divisor : flow_.divisors()) executed.implies(flow_.command_of(divisor), -is_zero(divisor));
    if (runs == Runs::complete) return;
    for (std::uint32_t const n : flow_.assumptions()) executed.implies(flow_.command_of(n), literal_of(n));
}

void ValueClauses::require_path(ExecutedClauses& executed, Runs runs) {
    bind_path(executed, runs);
    define_pending();
}

void ValueClauses::require_failure(ExecutedClauses& executed, std::vector<std::uint32_t> const& fails) {
    bind_path(executed, Runs::executions);
    std::vector<Literal> some;
    for (std::uint32_t const n : fails) {
        Literal const holds = literal_of(n);
        Literal const is_executed = executed(flow_.command_of(n));
        if (is_executed == ExecutedClauses::always) {
            some.push_back(-holds);
            continue;
        }
        some.push_back(sat_.new_variable());
        sat_.add({-some.back(), -holds});
        sat_.add({-some.back(), is_executed});
    }
    sat_.add(some);
    define_pending();
}

ValueClauses::Literal ValueClauses::is_zero(std::uint32_t divisor) {
    Literal const zero = sat_.new_variable();
    define_atom({divisor, true}, zero);
    return zero;
}

// ---------------------------------------------------------------------------------------------------------------------
// The structure

/// The literal that says that a boolean node is true.
ValueClauses::Literal ValueClauses::literal_of(std::uint32_t node) {
    std::uint32_t const n = flow_.resolve(node);
    if (!flow_.is_boolean(n)) return true_; // an assumption or assertion that is no boolean is not false
    switch (Node const& at = ctp_.nodes[n]; at.kind) {
    case Node::Kind::value: return ctp_.values[at.payload].is_true() ? true_ : -true_;
    case Node::Kind::variable: {
        std::uint32_t const r = flow_.definition(n).index;
        Literal& literal = received_true_[r];
        if (literal != 0) return literal;
        receives_to_define_.push_back(r);
        return literal = sat_.new_variable();
    }
    case Node::Kind::operation: break;
    }
    Literal& literal = literal_[n];
    if (literal != 0) return literal;
    if (ctp_.nodes[n].op == Op::not_) return literal_of_negated(n);
    operations_to_define_.push_back(n);
    return literal = sat_.new_variable();
}

/// Of `not e`, without recursion on a chain of negations.
ValueClauses::Literal ValueClauses::literal_of_negated(std::uint32_t node) {
    bool negated = false;
    std::uint32_t at = node;
    for (; flow_.operation(at) == Op::not_; at = flow_.resolved_operands(at).front()) negated = !negated;
    return negated ? -literal_of(at) : literal_of(at);
}

/// Defines every node that has got a literal. That may give literals to other nodes.
void ValueClauses::define_pending() {
    while (!operations_to_define_.empty() || !receives_to_define_.empty()) {
        if (!operations_to_define_.empty()) {
            std::uint32_t const n = operations_to_define_.back();
            operations_to_define_.pop_back();
            define_operation(n);
        } else {
            std::uint32_t const r = receives_to_define_.back();
            receives_to_define_.pop_back();
            define_received(r);
        }
    }
}

/// With a match, the boolean that is received is the one that is sent.
void ValueClauses::define_received(std::uint32_t r) {
    for (std::size_t i = 0; i < pairs_.of[r].size(); ++i) {
        std::uint32_t const s = pairs_.of[r][i];
        Literal const pair = matches_.at(r, i);
        Literal const received = received_true_[r];
        if (auto const& v = flow_.constant(s)) {
            sat_.add({-pair, v->is_true() ? received : -received});
            continue;
        }
        Literal const sent = literal_of(flow_.payload(s));
        sat_.add({-pair, -sent, received});
        sat_.add({-pair, sent, -received});
    }
}

void ValueClauses::define_operation(std::uint32_t n) {
    Literal const g = literal_[n];
    Op const op = ctp_.nodes[n].op;
    auto const operands = flow_.operands(n);
    if (!gate(op).empty() && flow_.is_boolean(operands.back()) && !has_table(n)) {
        PerOperand<Literal> literals;
        for (std::uint32_t const operand : operands) literals.push_back(literal_of(operand));
        add_gate(op, g, literals);
    } else if (domains_ != nullptr && !domains_->may_hold({n, true})) {
        sat_.add({-g});
    } else if (domains_ != nullptr && !domains_->may_hold({n, false})) {
        sat_.add({g});
    } else {
        define_atom({n, false}, g);
    }
}

void ValueClauses::add_gate(Op op, Literal g, PerOperand<Literal> const& operands) {
    for (GateClause const& clause : gate(op)) {
        std::vector<Literal> literals{clause.result ? g : -g};
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (clause.known[k]) literals.push_back(*clause.known[k] ? -operands[k] : operands[k]);
        sat_.add(literals);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Atoms

ValueLiterals& ValueClauses::value_literals() {
    if (!value_literals_)
        value_literals_.emplace(sat_, flow_, pairs_, [this](auto r, auto i) { return matches_.at(r, i); });
    return *value_literals_;
}

void ValueClauses::define_atom(Atom atom, Literal literal) {
    auto cone = flow_.cone(atom.node);
    if (has_table(atom.node)) return add_table(atom, literal, cone);
    auto const define = [&] {
        if (may_be_partial()) return false;
        ValueLiterals& values = value_literals();
        return atom.is_divisor ? values.is_zero(atom.node, literal) : values.holds(atom.node, literal);
    };
    if (!define()) lazy_.push_back({atom, literal, std::move(cone.receives)});
}

bool ValueClauses::has_table(std::uint32_t node) const {
    Dependence const& d = flow_.dependence(node);
    if (d.count() == 0) return true;
    if (d.count() > 2 || !is_closed_[d.first] || (d.count() == 2 && !is_closed_[d.second])) return false;
    std::size_t const nodes = ctp_.nodes[node].size();
    std::size_t const rows = pairs_.of[d.first].size() * (d.count() == 2 ? pairs_.of[d.second].size() : 1);
    return rows * nodes <= most_rows * 10 && rows <= most_rows && work_ + rows * nodes <= most_work;
}

/// 1: the atom is true; -1: it is false; 0: a divisor in it is zero, so no complete run has these values.
int ValueClauses::evaluate(Atom atom, DataFlow::Cone const& cone) {
    spend(std::uint64_t{4} * (ctp_.nodes[atom.node].size()));
    Value const v = evaluation_(cone, atom.node);
    if (v.is_bot()) return 0;
    return (atom.is_divisor ? v == Value::integer(0) : v.is_true()) ? 1 : -1;
}

void ValueClauses::add_table(Atom atom, Literal literal, DataFlow::Cone const& cone) {
    Dependence const& d = flow_.dependence(atom.node);
    if (d.count() == 0) {
        if (int const is = evaluate(atom, cone); is != 0) sat_.add({is * literal});
        return;
    }
    if (d.count() == 1)
        add_table_of_one(atom, literal, cone);
    else
        add_table_of_two(atom, literal, cone);
    evaluation_.receive(d.first, Value());
    if (d.count() == 2) evaluation_.receive(d.second, Value());
}

void ValueClauses::add_table_of_one(Atom atom, Literal literal, DataFlow::Cone const& cone) {
    std::uint32_t const r = flow_.dependence(atom.node).first;
    auto const& sends = pairs_.of[r];
    for (std::size_t i = 0; i < sends.size(); ++i) {
        evaluation_.receive(r, *flow_.constant(sends[i]));
        work_ += ctp_.nodes[atom.node].size();
        if (int const is = evaluate(atom, cone); is != 0) sat_.add({-matches_.at(r, i), is * literal});
    }
    // No match at all leaves no run.
    if (sends.empty() && !may_be_partial())
        for (int const is : {1, -1}) sat_.add({is * literal});
}

/// A row for each match of the first receive: which matches of the second one make the atom false, and which true.
void ValueClauses::add_table_of_two(Atom atom, Literal literal, DataFlow::Cone const& cone) {
    Dependence const& d = flow_.dependence(atom.node);
    auto const& firsts = pairs_.of[d.first];
    auto const& seconds = pairs_.of[d.second];
    bool ever_false = false, ever_true = false;
    std::vector<Literal> when_false, when_true;
    for (std::size_t i = 0; i < firsts.size(); ++i) {
        evaluation_.receive(d.first, *flow_.constant(firsts[i]));
        when_false.clear();
        when_true.clear();
        for (std::size_t j = 0; j < seconds.size(); ++j) {
            if (!are_compatible(m_, {d.first, firsts[i]}, {d.second, seconds[j]})) continue;
            work_ += ctp_.nodes[atom.node].size();
            evaluation_.receive(d.second, *flow_.constant(seconds[j]));
            int const is = evaluate(atom, cone);
            if (may_be_partial() && is != 0)
                sat_.add({-matches_.at(d.first, i), -matches_.at(d.second, j), is * literal});
            if (is <= 0) when_false.push_back(matches_.at(d.second, j));
            if (is >= 0) when_true.push_back(matches_.at(d.second, j));
        }
        ever_false |= !when_false.empty();
        ever_true |= !when_true.empty();
        if (may_be_partial()) continue; // the second receive may have no match
        add_row(matches_.at(d.first, i), literal, when_false, when_true);
    }
    if (may_be_partial()) return;
    if (!ever_false) sat_.add({literal});
    if (!ever_true) sat_.add({-literal});
}

/// With this pair, the atom is true only with one of the matches in when_true, and false only with one of the others.
void ValueClauses::add_row(Literal pair, Literal literal, std::vector<Literal>& when_false,
                           std::vector<Literal>& when_true) {
    for (bool const is : {false, true}) {
        auto& others = is ? when_true : when_false;
        Literal const that = is ? literal : -literal;
        if ((is ? when_false : when_true).empty() && !others.empty()) {
            sat_.add({-pair, that});
            continue;
        }
        others.push_back(-pair);
        others.push_back(-that);
        sat_.add(others);
        others.resize(others.size() - 2);
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Explanations

std::optional<Status> ValueClauses::run(Schedule const& schedule, Matching const& m) {
    run_.run(schedule, m);
    return run_.status();
}

std::uint64_t ValueClauses::explain(Matching const& m) {
    int const known = sat_.variables(); // newer ones have no value in that solution
    std::vector<std::vector<Literal>> clauses;
    std::vector<bool> explained(m_.receives().size());
    std::vector<std::uint32_t> work;
    auto const because = [&](std::vector<Literal> clause, std::vector<std::uint32_t> const& receives) {
        for (std::uint32_t const r : receives) {
            if (run_.received(r).is_bot()) continue; // of a partial match set; the others decide
            clause.push_back(-has_value(r, run_.received(r)));
            work.push_back(r);
        }
        clauses.push_back(std::move(clause));
    };
    for (LazyAtom const& lazy : lazy_) {
        Value const v = run_(lazy.atom.node);
        if (v.is_bot()) continue;
        bool const is = lazy.atom.is_divisor ? v == Value::integer(0) : v.is_true();
        if (sat_.value(lazy.literal) != is) because({is ? lazy.literal : -lazy.literal}, lazy.receives);
    }
    while (!work.empty()) {
        std::uint32_t const r = work.back();
        work.pop_back();
        if (explained[r]) continue;
        explained[r] = true;
        std::uint32_t const s = m[r];
        if (flow_.constant(s)) continue; // has_value() did it
        Literal const v = has_value(r, run_.received(r));
        if (v > known || !sat_.value(v)) because({v, -matches_({r, s})}, receives_of_payload(s));
    }
    for (auto const& clause : clauses) sat_.add(clause);
    for (auto const& clause : definitions_) sat_.add(clause);
    definitions_.clear();
    return clauses.size();
}

/// A receive gets a value. A new literal is defined over the matches with constants only.
ValueClauses::Literal ValueClauses::has_value(std::uint32_t r, Value const& v) {
    if (value_literals_)
        if (Literal const literal = value_literals_->received(r, v); literal != 0) return literal;
    auto const [it, is_new] = values_.try_emplace({r, v}, 0);
    if (!is_new) return it->second;
    Literal const literal = it->second = sat_.new_variable();
    for (std::size_t i = 0; i < pairs_.of[r].size(); ++i)
        if (auto const& sent = flow_.constant(pairs_.of[r][i]))
            definitions_.push_back({-matches_.at(r, i), *sent == v ? literal : -literal});
    return literal;
}

std::vector<std::uint32_t> const& ValueClauses::receives_of_payload(std::uint32_t s) {
    auto const [it, is_new] = receives_of_payload_.try_emplace(s);
    if (is_new) it->second = flow_.cone(flow_.payload(s)).receives;
    return it->second;
}

} // namespace matchpoint::check
