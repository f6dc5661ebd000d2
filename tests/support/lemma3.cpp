#include "tests/support/lemma3.hpp"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "grammar/discipline.hpp"
#include "smt_machine/smt_machine.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/compare.hpp"

namespace matchpoint::naive {

Lemma3Result check_lemma3(Case const& c, Solver& solver, Lemma3Answers* answers) {
    Loaded const loaded = load(c);
    // An operand of `ite` that is not evaluated can have the wrong sort, and a solver takes no such term.
    auto const is_ite = [](auto const& node) {
        return node.kind == grammar::Node::Kind::operation && node.op == Op::ite;
    };
    if (std::ranges::any_of(loaded.program->ctp.nodes, is_ite) && !check_discipline(*loaded.program).empty())
        return {Lemma3Verdict::not_well_formed, 0, "`ite` without the discipline"};
    Machine machine(*loaded.code, buffering(c));
    SmtMachine smt(*loaded.code);
    machine.observe(smt);
    Outcome const outcome = run(machine, 0);
    auto const problem = smt.getSMT(machine.state());
    if (!problem) return {Lemma3Verdict::not_well_formed, 0, problem.error()};

    std::string const text = print(*problem, *loaded.code, {.check_sat = false});
    bool const known = answers != nullptr && answers->contains(text);
    Answer const answer = known ? answers->at(text) : solver.check(text);
    if (answers != nullptr && !known) answers->emplace(text, answer);
    Lemma3Result result{Lemma3Verdict::holds, static_cast<std::size_t>(outcome.s), {}};
    bool const sat = std::holds_alternative<answer::Sat>(answer);
    if (!sat && !std::holds_alternative<answer::Unsat>(answer))
        result.verdict = Lemma3Verdict::no_answer;
    else if (sat != (outcome.s == matchpoint::Status::failure))
        result.verdict = Lemma3Verdict::broken;
    if (result.verdict != Lemma3Verdict::holds)
        result.explanation = fmt::format("{} by {}, {} by the machine\n{}\n{}", to_string(answer, solver.command()),
                                         solver.command().name, to_string(outcome.s), loaded.text, text);
    return result;
}

void Lemma3Histogram::count(Case const& c, Lemma3Result const& r) {
    if (r.verdict == Lemma3Verdict::not_well_formed) {
        ++not_well_formed;
        return;
    }
    ++status[c.zero][r.status];
    std::size_t assertions = 0;
    std::map<std::string, std::size_t> definitions;
    bool expression_sent = false;
    bool marks = false;
    bool endpoints = false;
    bool boolean = false;
    bool divides = false;
    bool big = false;
    auto const look = [&](Expression const& e) {
        std::vector<Expression const*> rest{&e};
        while (!rest.empty()) {
            Expression const& next = *rest.back();
            rest.pop_back();
            divides |= next.op == "div" || next.op == "mod";
            boolean |= next.op == "and" || next.op == "or" || next.op == "xor" || next.op == "=>";
            if (next.kind == Expression::Kind::value) {
                auto const* const i = std::get_if<Integer>(&next.value);
                boolean |= i == nullptr;
                big |= i != nullptr && abs(*i) > (Integer(1) << 64);
            }
            for (Expression const& operand : next.operands) rest.push_back(&operand);
        }
    };
    for (Thread const& t : c.program.threads) {
        std::set<Endpoint> used;
        std::vector<std::string> posted;
        std::vector<std::string> waited;
        for (Command const& command : t) {
            if (auto const* const a = std::get_if<Assert>(&command.what)) {
                ++assertions;
                look(a->condition);
            } else if (auto const* const b = std::get_if<Assume>(&command.what)) {
                look(b->condition);
            } else if (auto const* const d = std::get_if<Assign>(&command.what)) {
                ++definitions[d->variable];
                look(d->value);
            } else if (auto const* const s = std::get_if<Sndi>(&command.what)) {
                used.insert(s->alpha);
                expression_sent |= s->payload.kind == Expression::Kind::operation;
                look(s->payload);
            } else if (auto const* const p = std::get_if<Rcvi>(&command.what)) {
                used.insert(p->beta);
                ++definitions[p->variable];
                posted.push_back(p->action);
            } else if (auto const* const w = std::get_if<Wait>(&command.what)) {
                if (find_action(c.program, w->action).rcvi != nullptr) waited.push_back(w->action);
            }
        }
        marks |= posted != waited;
        endpoints |= used.size() > 1;
    }
    several_assertions += assertions > 1;
    no_assertion += assertions == 0;
    bool redefined = false;
    for (auto const& [x, n] : definitions) redefined |= n > 1;
    redefined_variable += redefined;
    sent_expression += expression_sent;
    marking += marks;
    several_endpoints += endpoints;
    booleans += boolean;
    division += divides;
    big_integers += big;
}

void Lemma3Histogram::add(Lemma3Histogram const& o) {
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t s = 0; s < 3; ++s) status[b][s] += o.status[b][s];
    not_well_formed += o.not_well_formed;
    several_assertions += o.several_assertions;
    no_assertion += o.no_assertion;
    redefined_variable += o.redefined_variable;
    sent_expression += o.sent_expression;
    marking += o.marking;
    several_endpoints += o.several_endpoints;
    booleans += o.booleans;
    division += o.division;
    big_integers += o.big_integers;
}

std::size_t Lemma3Histogram::cases() const {
    std::size_t n = 0;
    for (auto const& row : status)
        for (std::size_t const s : row) n += s;
    return n;
}

std::vector<std::pair<std::string, std::size_t>> Lemma3Histogram::rows() const {
    std::vector<std::pair<std::string, std::size_t>> result;
    for (std::size_t s = 0; s < 3; ++s)
        result.emplace_back(to_text(static_cast<Status>(s)), status[0][s] + status[1][s]);
    result.emplace_back("zero buffering", status[1][0] + status[1][1] + status[1][2]);
    result.emplace_back("several assertions", several_assertions);
    result.emplace_back("no assertion", no_assertion);
    result.emplace_back("variable defined twice", redefined_variable);
    result.emplace_back("expression sent", sent_expression);
    result.emplace_back("marking, waits out of order", marking);
    result.emplace_back("several endpoints a thread", several_endpoints);
    result.emplace_back("booleans", booleans);
    result.emplace_back("div or mod", division);
    result.emplace_back("integers beyond 64 bits", big_integers);
    return result;
}

void Lemma3Histogram::print(std::ostream& out) const {
    std::size_t const n = std::max<std::size_t>(cases(), 1);
    out << fmt::format("  {} well-formed cases, and {} that were not\n", cases(), not_well_formed);
    for (auto const& [name, count] : rows())
        out << fmt::format("  {:<28} {:>9} {:>5.1f} %\n", name, count,
                           100.0 * static_cast<double>(count) / static_cast<double>(n));
}

} // namespace matchpoint::naive
