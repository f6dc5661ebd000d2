#include "encode/cssa.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "grammar/discipline.hpp"
#include "machine/rule.hpp"
#include "matching/definitions.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

Sort sort_if(bool is_boolean) { return is_boolean ? Sort::Bool : Sort::Int; }

} // namespace

Cssa::Cssa(MessageIndex const& messages)
    : messages_(messages), code_(messages.code()), translation_(code_, terms_),
      definitions_(code_.names().variables.size()), sent_(messages.sends().size()), versions_(definitions_.size()),
      own_(definitions_.size()), last_read_(definitions_.size()) {
    std::vector<bool> const boolean = endpoints_of_booleans(code_.program());
    for (auto const& r : messages.receives())
        received_.push_back(terms_.declare("value_" + mangle(code_.names()(r.a)), sort_if(boolean[r.beta.index])));
    initial_values();
    auto const completed = completed_at(messages);
    for (Thread const& t : code_.ctp().threads) {
        for (SharedVariable const& s : code_.ctp().shared) own_[s.x.index] = 0;
        spend(code_.ctp().shared.size());
        for (Location rho{t.first}; rho.index < t.last; ++rho.index) {
            spend(16);
            first_read_.push_back(static_cast<std::uint32_t>(reads_.size()));
            command(rho);
            complete(completed[rho.index], rho);
            divisors_of(rho);
        }
    }
    first_read_.push_back(static_cast<std::uint32_t>(reads_.size()));
}

std::span<Cssa::Read const> Cssa::reads(Location rho) const {
    return std::span(reads_).subspan(first_read_[rho.index], first_read_[rho.index + 1] - first_read_[rho.index]);
}

/// Definition 2: "each v_i is either the most recent definition of v in the same thread as the use, or a definition of
/// v in another concurrent thread".
std::vector<std::uint32_t> Cssa::parameters(Pi const& pi) const {
    std::vector<std::uint32_t> result;
    auto const definitions = definitions_of(pi.x);
    spend(definitions.size());
    for (std::uint32_t i = 0; i < definitions.size(); ++i) {
        Location const rho = definitions[i].rho;
        if (i == pi.own || (rho.is_none() ? 0 : code_.thread_of(rho)) != code_.thread_of(pi.rho)) result.push_back(i);
    }
    return result;
}

void Cssa::initial_values() {
    for (SharedVariable const& s : code_.ctp().shared) {
        Symbol const name =
            terms_.declare(fmt::format("var_{}!0", mangle(code_.names()(s.x))), sort_if(s.v.is_boolean()));
        definitions_[s.x.index].push_back({name, {}});
        std::string value;
        print(s.v, value);
        equations_.push_back({name, {}, "INITIAL VALUE", {std::move(value), {}}});
    }
}

Cssa::Text Cssa::text_since(std::uint32_t mark) {
    Text result;
    Term const term = terms_.since(mark);
    spend(term.size);
    print(terms_, term, result.text);
    for (TermNode const& n : terms_.nodes(term))
        if (n.kind == TermNode::Kind::symbol) result.uses.push_back({n.payload});
    return result;
}

/// Gives the shared variables of an expression the names that they have at this command.
void Cssa::read(Location rho, Expression e) {
    Ctp const& ctp = code_.ctp();
    for (Node const& n : std::span(ctp.nodes).subspan(e.first, e.size)) {
        if (n.kind != Node::Kind::variable || last_read_[n.payload] == rho.index + 1) continue;
        Variable const x{n.payload};
        last_read_[x.index] = rho.index + 1;
        if (is_shared(x)) {
            Symbol const name = terms_.declare(fmt::format("pi_{}!{}", mangle(code_.names()(x)), pis_.size() + 1),
                                               terms_.sort(definitions_[x.index][0].name));
            pis_.push_back({name, x, rho, own_[x.index]});
            translation_.define(x, name);
        }
        if (Symbol const name = translation_.version(x); !name.is_none()) reads_.push_back({x, name});
    }
}

Cssa::Text Cssa::truth_of(Expression e, Location rho) {
    read(rho, e);
    std::uint32_t const mark = terms_.mark();
    translation_.truth(e, rho);
    return text_since(mark);
}

Cssa::Text Cssa::term_of(Expression e, Location rho, Sort& sort) {
    read(rho, e);
    std::uint32_t const mark = terms_.mark();
    sort = translation_.translate(e, rho);
    return text_since(mark);
}

void Cssa::define(Variable x, Location rho, std::string what, Text term, Sort sort) {
    std::uint32_t const version = ++versions_[x.index];
    Symbol const name = terms_.declare(fmt::format("var_{}!{}", mangle(code_.names()(x)), version), sort);
    equations_.push_back({name, rho, std::move(what), std::move(term)});
    translation_.define(x, name);
    if (!is_shared(x)) return;
    definitions_[x.index].push_back({name, rho});
    own_[x.index] = version;
}

void Cssa::command(Location rho) {
    auto const guarded = [&](Guarded const& c) {
        guards_.push_back({rho, truth_of(c.e, rho)});
        struct Value {
            Text term;
            Sort sort;
        };
        std::vector<Value> values; // all of them are evaluated before anything is stored
        for (auto const& [x, e] : code_.ctp().assigned(c)) {
            Sort sort{};
            Text term = term_of(e, rho, sort);
            values.push_back({std::move(term), sort});
        }
        std::size_t i = 0;
        for (auto const& [x, e] : code_.ctp().assigned(c)) {
            define(x, rho, fmt::format("GUARDED ASSIGNMENT {}", mangle(code_.names()(x))), std::move(values[i].term),
                   values[i].sort);
            ++i;
        }
    };
    std::visit(overloaded{
                   [&](Assume const& c) {
                       guards_.push_back({rho, truth_of(c.e, rho)});
                   },
                   [&](Assert const& c) {
                       assertions_.push_back({rho, truth_of(c.e, rho)});
                   },
                   [&](Assign const& c) {
                       Sort sort{};
                       Text term = term_of(c.e, rho, sort);
                       define(c.x, rho, std::string(to_string(Rule::assign_expressions_evaluation)), std::move(term),
                              sort);
                   },
                   [&](Sndi const& c) { send(c, rho); },
                   [](Rcvi const&) {},
                   [](Probe const&) {},
                   [](Start const&) {},
                   [](Meet const&) {},
                   [](Collective const&) {},
                   [&](Guarded const& c) { guarded(c); },
                   [](Wait const&) {},
               },
               code_.command_at(rho));
}

void Cssa::send(Sndi const& c, Location rho) {
    Sort sort{};
    Text term = term_of(c.e, rho, sort);
    Text& sent = sent_[messages_.send_number(c.a)];
    if (term.uses.empty() && c.e.size == 1) {
        sent = std::move(term);
        return;
    }
    Symbol const value = terms_.declare("value_" + mangle(code_.names()(c.a)), sort);
    equations_.push_back({value, rho, std::string(to_string(Rule::sndi_command)), std::move(term)});
    sent = {terms_.name(value), {value}};
}

void Cssa::complete(std::vector<std::uint32_t> const& receives, Location rho) {
    for (std::size_t i = 0; i < receives.size(); ++i) {
        auto const variable_of = [&](std::uint32_t r) { return code_.as_rcvi(messages_.receives()[r].a)->x; };
        Variable const x = variable_of(receives[i]);
        Symbol const value = received_[receives[i]];
        if (!is_shared(x)) {
            translation_.define(x, value);
            continue;
        }
        spend(receives.size());
        bool const is_last = std::none_of(receives.begin() + static_cast<std::ptrdiff_t>(i) + 1, receives.end(),
                                          [&](std::uint32_t later) { return variable_of(later) == x; });
        if (is_last)
            define(x, rho, fmt::format("RECEIVED {}", mangle(code_.names()(x))), {terms_.name(value), {value}},
                   terms_.sort(value));
    }
}

void Cssa::divisors_of(Location rho) {
    translation_.divisors([&](Symbol divisor, std::string_view what, Term t) {
        // t is (= divisor TERM).
        Text equation;
        for (TermNode const& n : terms_.nodes(t))
            if (n.kind == TermNode::Kind::symbol && n.payload != divisor.index) equation.uses.push_back({n.payload});
        Term const term{t.first + 1, t.size - 2};
        print(terms_, term, equation.text);
        equations_.push_back({divisor, rho, std::string(what), std::move(equation)});
        divisors_.push_back({rho, {terms_.name(divisor), {divisor}}});
    });
}

} // namespace matchpoint::encode
