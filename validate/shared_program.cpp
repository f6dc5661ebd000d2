#include "validate/shared_program.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "grammar/fold.hpp"
#include "machine/operation.hpp"
#include "validate/shared_rules.hpp"

namespace matchpoint::validate {

SharedProgram::SharedProgram(IndexedProgram const& program) : code(program) {
    Ctp const& ctp = code.ctp();
    number_of.resize(code.names().variables.size(), no_number);
    for (grammar::SharedVariable const& s : ctp.shared) {
        number_of[s.x.index] = static_cast<std::uint32_t>(initial.size());
        initial.push_back(s.v);
    }
    for (Thread const& t : ctp.threads) {
        threads.emplace_back();
        for (std::uint32_t i = t.first; i < t.last; ++i) threads.back().push_back(event(ctp.commands[i].c));
    }
}

SharedEvent SharedProgram::event(Command const& c) {
    SharedEvent result;
    if (auto const* const assign = std::get_if<Assign>(&c))
        result.assigned.emplace_back(assign->x, &assign->e);
    else
        result.guard = expression_of(c);
    if (std::holds_alternative<Assert>(c)) result.assertion = assertions++;
    if (Guarded const* const guarded = as_guarded(c))
        for (auto const& a : code.ctp().assigned(*guarded)) result.assigned.emplace_back(a.x, &a.e);
    if (result.guard != nullptr) add_reads(*result.guard, result);
    for (auto const& [x, e] : result.assigned) {
        add_reads(*e, result);
        if (is_shared(x))
            result.writes.push_back(number_of[x.index]);
        else
            result.touches_locals = true;
    }
    return result;
}

void SharedProgram::add_reads(Expression const& e, SharedEvent& to) const {
    for (std::uint32_t i = e.first; i < e.first + e.size; ++i) {
        Node const& node = code.ctp().nodes[i];
        if (node.kind != Node::Kind::variable) continue;
        std::uint32_t const v = number_of[node.payload];
        if (v == no_number)
            to.touches_locals = true;
        else if (std::find(to.reads.begin(), to.reads.end(), v) == to.reads.end())
            to.reads.push_back(v);
    }
}

std::optional<Value> SharedProgram::evaluate(Expression const& e, std::vector<Value> const& locals,
                                             std::vector<Value> const& shared, std::optional<Value> const& zero) const {
    // bot: it has no value.
    auto const operation = [&](Op op, std::span<Value const> operands, std::uint32_t) {
        if (lacks_operand(op, operands)) return Value();
        auto result = apply(op, operands);
        Value* const value = std::get_if<Value>(&result);
        return value != nullptr ? std::move(*value) : zero.value_or(Value());
    };
    auto const variable = [&](Variable x, std::uint32_t) {
        std::uint32_t const v = number_of[x.index];
        return v == no_number ? locals[x.index] : shared[v];
    };
    Value v = grammar::fold<Value>(
        code.ctp(), e, grammar::Algebra{[](Value const& constant) { return constant; }, variable, operation});
    return v.is_bot() ? std::nullopt : std::optional(std::move(v));
}

bool SharedProgram::is_tested(Variable x) const {
    auto const reads = [&](SharedEvent const& e) {
        if (e.guard == nullptr) return false;
        auto const nodes = std::span(code.ctp().nodes).subspan(e.guard->first, e.guard->size);
        return std::any_of(nodes.begin(), nodes.end(),
                           [&](Node const& n) { return n.kind == Node::Kind::variable && n.payload == x.index; });
    };
    return std::any_of(threads.begin(), threads.end(),
                       [&](auto const& thread) { return std::any_of(thread.begin(), thread.end(), reads); });
}

std::vector<Value> SharedProgram::values_around() const {
    constexpr std::size_t most = 24;
    std::set<std::int64_t> numbers{0, 1};
    auto const add = [&](Value const& v) {
        auto const n = v.small();
        if (n && numbers.size() < most && std::abs(*n) < INT32_MAX) numbers.insert({*n - 1, *n, *n + 1});
    };
    for (Value const& v : code.ctp().values) add(v);
    for (auto const& s : code.ctp().shared) add(s.v);
    std::vector<Value> result;
    result.reserve(numbers.size());
    for (std::int64_t const n : numbers) result.push_back(Value::integer(n));
    return result;
}

bool is_about_shared_variables_only(IndexedProgram const& code) {
    return std::none_of(code.ctp().commands.begin(), code.ctp().commands.end(), [](LocatedCommand const& located) {
        Command const& c = located.c;
        return as_sndi(c) != nullptr || as_rcvi(c) != nullptr || as_wait(c) != nullptr ||
               std::holds_alternative<Meet>(c);
    });
}

} // namespace matchpoint::validate
