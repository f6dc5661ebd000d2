#include "tests/support/literal_smt.hpp"

#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "grammar/branches.hpp"
#include "machine/well_formed.hpp"
#include "smt_machine/smtlib.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::naive {

void LiteralSmtMachine::on(matchpoint::State const& /*state*/, Event const& event) {
    if (auto const* const taken = std::get_if<event::EntryTaken>(&event)) at_ = taken->rho;
    if (auto const* const e = std::get_if<event::MachineStep>(&event)) machine_step(e->rho);
    if (auto const* const e = std::get_if<event::AssumeExpressionsEvaluation>(&event)) assume(e->e);
    if (auto const* const e = std::get_if<event::AssertExpressionsEvaluation>(&event)) assert_(e->e);
    if (auto const* const e = std::get_if<event::AssignExpressionsEvaluation>(&event)) assign(e->x, e->e);
    if (auto const* const e = std::get_if<event::SndiCommand>(&event)) sndi(*e);
    if (auto const* const e = std::get_if<event::RcviCommand>(&event)) rcvi(*e);
    if (auto const* const e = std::get_if<event::WaitRcviCommand>(&event)) wait_rcvi(*e);
}

/// Figure 9, MACHINE STEP
///   smt_p1 = addHB(smt_p0 rho_0 rho_1)                       not for a thread's last command: it has no rho_1
void LiteralSmtMachine::machine_step(Location rho_0) {
    Location const rho_1{rho_0.index + 1};
    bool const last = rho_1.index == code_->ctp().threads[code_->thread_of(rho_0)].last;
    if (!last) HB(order(rho_0), order(rho_1));
}

/// Figure 10, ASSUME EXPRESSIONS EVALUATION
///   (defs (any ...)) -> (defs (e any ...))
void LiteralSmtMachine::assume(matchpoint::Expression e) { smt_.constraints.insert(term(e).first); }

/// Figure 10, ASSERT EXPRESSIONS EVALUATION
///   (defs (any ...)) -> (defs ((not e) any ...))             how they become constraints is E5 and E6: see print
void LiteralSmtMachine::assert_(matchpoint::Expression e) { smt_.assertions.insert(term(e).first); }

/// Figure 10, ASSIGN EXPRESSIONS EVALUATION
///   (defs (any ...)) -> (defs ((= x e) any ...))
void LiteralSmtMachine::assign(Variable x, matchpoint::Expression e) {
    Term const right = term(e);
    smt_.constraints.insert(fmt::format("(= {} {})", redefined(x, right.second), right.first));
}

/// Figure 10, SNDI COMMAND
///   any_0 = (define a :: send)
///   any_1 = (and (= (select a ep) beta) (= (select a value) e))
void LiteralSmtMachine::sndi(event::SndiCommand const& e) {
    Term const sent = term(e.e);
    sort_of_value_[e.a] = sent.second;
    smt_.constraints.insert(fmt::format("(and (= {} {}) (= {} {}))", select(e.a, "ep"),
                                        code_->names()(code_->as_sndi(e.a)->beta), select(e.a, "value", sent.second),
                                        sent.first));
}

/// Figure 10, RCVI COMMAND
///   any_0 = (define a :: recv)
///   any_1 = (and (= (select a ep) beta) (= (select a var) x_0))        the second part is in MATCH
void LiteralSmtMachine::rcvi(event::RcviCommand const& e) {
    smt_.receives.insert(std::string(code_->names()(e.a)));
    smt_.constraints.insert(fmt::format("(= {} {})", select(e.a, "ep"), code_->names()(e.beta)));
}

/// Figure 10, WAIT (RCVI) COMMAND
///   (l_p last_as) = getlastsend/replace(l, a_s, alpha, beta)
///   (defs (any ...)) -> (defs ((HB (select last_as MP) (select a_s MP)) (MATCH a_r a_s) any ...))
void LiteralSmtMachine::wait_rcvi(event::WaitRcviCommand const& e) {
    auto const getlastsend_replace = [&](Action a_s) {
        Channel const channel = code_->channel_of(a_s);
        if (auto const last_as = l_.find(channel); last_as != l_.end())
            HB(select(last_as->second, "MP"), select(a_s, "MP"));
        l_[channel] = a_s;
    };
    for (event::Completion const& c : e.completions) {
        std::string const sort = c.v.is_boolean() ? "Bool" : "Int";
        nw_[c.a_r] = at_;
        received_[c.a_r] = {c.x, Term{redefined(c.x, sort), sort}};
        if (!letter_.E27) getlastsend_replace(c.a_s);
        if (!letter_.E28) MATCH(c.a_r, c.a_s);
    }
    if (letter_.E27) getlastsend_replace(e.a_s);
    if (letter_.E28) MATCH(e.a_r, e.a_s);
}

void LiteralSmtMachine::HB(std::string const& before, std::string const& after) {
    smt_.constraints.insert(fmt::format("(< {} {})", before, after));
}

/// Definition 10
///   M_R = order_S, M_S = order_R, e_R = e_S, value_R = value_S, order_S HB nw_R
void LiteralSmtMachine::MATCH(Action a_r, Action a_s) {
    smt_.ML[std::string(code_->names()(a_r))].insert(
        fmt::format("(and (= {} {}) (= {} {}) (= {} {}) (= {} {}) (< {} {}))", select(a_r, "MP"), order(a_s),
                    select(a_s, "MP"), order(a_r), select(a_r, "ep"), select(a_s, "ep"), received_.at(a_r).second.first,
                    select(a_s, "value", sort_of_value_.at(a_s)), order(a_s), nw(a_r)));
}

std::string LiteralSmtMachine::define(std::string const& constant, std::string const& sort) {
    auto const [place, fresh] = smt_.defs.emplace(constant, sort);
    smt_.two_sorts |= !fresh && place->second != sort;
    return constant;
}

LiteralSmtMachine::Term LiteralSmtMachine::term(matchpoint::Expression e) {
    Ctp const& ctp = code_->ctp();
    std::vector<Term> terms; // the operands so far: the nodes are in post-order
    std::vector<std::string> text_of(e.size);
    grammar::Branches const branches(ctp, e);
    for (std::uint32_t i = e.first; i < e.first + e.size; ++i) {
        Node const node = ctp.nodes[i];
        if (node.kind == Node::Kind::value) {
            matchpoint::Value const& v = ctp.values[node.payload];
            std::string text;
            smt_machine::print(v, text);
            terms.emplace_back(text, v.is_boolean() ? "Bool" : "Int");
        } else if (node.kind == Node::Kind::variable) {
            std::string const x = current({node.payload});
            terms.emplace_back(x, smt_.defs.at(x));
        } else {
            Term const last = terms.back();
            std::string operands;
            for (std::size_t k = terms.size() - arity(node.op); k < terms.size(); ++k) operands += " " + terms[k].first;
            terms.resize(terms.size() - arity(node.op));
            bool const divides = node.op == Op::div || node.op == Op::mod;
            if (divides && !letter_.E31) {
                std::string claim = fmt::format("(distinct {} 0)", last.first);
                for (grammar::Branch const& b : branches.around(i)) {
                    std::string const& c = text_of[b.condition - e.first];
                    claim = fmt::format("(or {} {})", b.holds ? "(not " + c + ")" : c, claim);
                }
                smt_.constraints.insert(std::move(claim));
            }
            smt_.nonlinear |= divides || node.op == Op::times;
            std::string const op = node.op == Op::not_equal ? "distinct" : std::string(to_string(node.op));
            terms.emplace_back(fmt::format("({}{})", op, operands),
                               gives_boolean(node.op, last.second == "Bool") ? "Bool" : "Int");
        }
        text_of[i - e.first] = terms.back().first;
    }
    return terms.back();
}

std::string LiteralSmtMachine::order(Location rho) { return define("order_" + mangle(code_->names()(rho)), "Int"); }

/// order_S, order_R
std::string LiteralSmtMachine::order(Action a) { return letter_.E32 ? select(a, "order") : order(code_->issued_at(a)); }

std::string LiteralSmtMachine::nw(Action a_r) { return letter_.E32 ? select(a_r, "nw") : order(nw_.at(a_r)); }

std::string LiteralSmtMachine::select(Action a, std::string const& field, std::string const& sort) {
    return define(field + "_" + mangle(code_->names()(a)), sort);
}

std::string LiteralSmtMachine::current(Variable x) const {
    std::string const name = "var_" + mangle(code_->names()(x));
    return letter_.E7 ? name : fmt::format("{}!{}", name, versions_.at(x));
}

std::string LiteralSmtMachine::redefined(Variable x, std::string const& sort) {
    ++versions_[x];
    return define(current(x), sort);
}

std::optional<LiteralProblem> literal_getSMT(IndexedProgram const& code, std::size_t t, Buffering buffering,
                                             Letter letter) {
    Machine machine(code, buffering);
    LiteralSmtMachine smt(code, letter);
    machine.observe(smt);
    run(machine, t);
    if (!well_formedness(code, machine.state()) || smt.smt().two_sorts) return std::nullopt;
    return smt.smt();
}

LiteralProblem literal_COMB(LiteralProblem const& smt_1, LiteralProblem const& smt_2) {
    if (smt_1.defs != smt_2.defs || smt_1.constraints != smt_2.constraints || smt_1.assertions != smt_2.assertions)
        throw std::invalid_argument("the problems differ in more than their matches");
    LiteralProblem smt_new = smt_1;
    for (auto const& [mu, pairs] : smt_2.ML) smt_new.ML[mu].insert(pairs.begin(), pairs.end());
    return smt_new;
}

std::string print(LiteralProblem const& smt, Letter letter) {
    std::string text = smt.nonlinear ? "(set-logic QF_NIA)\n" : "(set-logic QF_LIA)\n";
    for (auto const& [constant, sort] : smt.defs) text += fmt::format("(declare-const {} {})\n", constant, sort);
    for (std::string const& any : smt.constraints) text += fmt::format("(assert {})\n", any);

    // Definition 11, for each receive; Figure 10 knows no receive but those that waits name.
    for (std::string const& a_r : smt.receives) {
        auto const pairs = smt.ML.find(a_r);
        bool const none = pairs == smt.ML.end();
        if (none && (letter.E28 || letter.E30)) continue;
        std::string any = "false";
        if (!none)
            for (std::string const& pair : pairs->second) any += " " + pair;
        text += none ? "(assert false)\n" : fmt::format("(assert (or {}))\n", any);
    }

    // Definition 9
    std::string all = "true";
    for (std::string const& e : smt.assertions) {
        if (letter.E5) text += fmt::format("(assert (not {}))\n", e);
        all += " " + e;
    }
    if (smt.assertions.empty())
        text += letter.E6 ? "" : "(assert false)\n";
    else if (!letter.E5)
        text += fmt::format("(assert (not (and {})))\n", all);
    return text;
}

} // namespace matchpoint::naive
