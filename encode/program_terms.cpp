#include "encode/program_terms.hpp"

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "grammar/discipline.hpp"
#include "grammar/selectors.hpp"
#include "machine/rule.hpp"
#include "matching/definitions.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

std::string preamble(EncoderOptions const& options, bool nonlinear, bool functions) {
    return fmt::format("(set-info :smt-lib-version 2.6)\n{}{}(set-logic QF_{}{}IA)",
                       options.cores ? "(set-option :produce-unsat-cores true)\n" : "",
                       options.models ? "(set-option :produce-models true)\n" : "", functions ? "UF" : "",
                       nonlinear ? 'N' : 'L');
}

std::string named_assertion(IndexedProgram const& code, Location rho, std::string_view what, std::string_view term) {
    return fmt::format("(assert (! {} :named |{} {}|))", term, mangle(code.names()(rho)), what);
}

ProgramTerms::ProgramTerms(MessageIndex const& messages) : sent_(messages.sends().size()) {
    IndexedProgram const& code = messages.code();
    Ctp const& ctp = code.ctp();
    auto const name = [&](auto id) { return mangle(code.names()(id)); };
    auto const sort_of = [](bool boolean) { return boolean ? Sort::Bool : Sort::Int; };
    std::vector<bool> const boolean = endpoints_of_booleans(code.program());

    auto const selectors = [&](std::uint32_t r) { return selectors_of(ctp, *code.as_rcvi(messages.receives()[r].a)); };
    for (std::uint32_t i = 0; i < messages.receives().size(); ++i) {
        auto const& r = messages.receives()[i];
        Selectors const* const sel = selectors(i);
        received_.push_back(terms_.declare("value_" + name(r.a), sort_of(boolean[r.beta.index])));
        auto const declare = [&](std::string_view what) {
            return terms_.declare(fmt::format("{}_{}", what, name(r.a)), Sort::Int);
        };
        sources_.push_back(sel != nullptr && sel->source ? std::optional(declare("source")) : std::nullopt);
        tags_.push_back(sel != nullptr && sel->tagged ? std::optional(declare("tag")) : std::nullopt);
    }

    auto const completed = completed_at(messages);
    Translation translation(code, terms_);
    std::vector<std::uint32_t> versions(code.names().variables.size());
    auto const text = [&](Term t) {
        std::string out;
        print(terms_, t, out);
        return out;
    };
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i) {
        Location const rho{i};
        // Every term is printed at once.
        std::uint32_t const mark = terms_.mark();
        auto const define = [&](Symbol s, Sort sort, std::string_view what) {
            terms_.set_sort(s, sort);
            definitions.push_back(
                named_assertion(code, rho, what, fmt::format("(= {} {})", terms_.name(s), text(terms_.since(mark)))));
        };
        std::visit(overloaded{
                       [&](Assume const& c) {
                           translation.truth(c.e, rho);
                           assumptions.push_back({rho, text(terms_.since(mark))});
                       },
                       [&](Assert const& c) {
                           translation.truth(c.e, rho);
                           assertions.push_back({rho, text(terms_.since(mark))});
                       },
                       [&](Assign const& c) {
                           // The term refers to the previous version.
                           Sort const sort = translation.translate(c.e, rho);
                           Symbol const x =
                               terms_.declare(fmt::format("var_{}!{}", name(c.x), ++versions[c.x.index]), sort);
                           define(x, sort, to_string(Rule::assign_expressions_evaluation));
                           translation.define(c.x, x);
                       },
                       [&](Sndi const& c) {
                           Sort const sort = translation.translate(c.e, rho);
                           std::string& sent = sent_[messages.send_number(c.a)];
                           if (ctp.nodes[c.e.root()].kind == Node::Kind::value) {
                               sent = text(terms_.since(mark));
                               return;
                           }
                           Symbol const value = terms_.declare("value_" + name(c.a), sort);
                           define(value, sort, to_string(Rule::sndi_command));
                           sent = terms_.name(value);
                       },
                       [](Rcvi const&) {},
                       [](Probe const&) {},
                       [](Start const&) {},
                       [](Meet const&) {},
                       [](Collective const&) {},
                       [](Guarded const&) {},
                       [&](Wait const&) {
                           for (std::uint32_t const r : completed[i]) {
                               translation.define(code.as_rcvi(messages.receives()[r].a)->x, received_[r]);
                               if (sources_[r]) translation.define(*selectors(r)->source, *sources_[r]);
                               if (tags_[r]) translation.define(*selectors(r)->tagged, *tags_[r]);
                           }
                       },
                   },
                   ctp.commands[i].c);
        translation.divisors([&](Symbol divisor, std::string_view what, Term t) {
            definitions.push_back(named_assertion(code, rho, what, text(t)));
            divisors.push_back({rho, terms_.name(divisor)});
        });
    }
    nonlinear = translation.nonlinear();
    for (std::uint32_t s = 0; s < terms_.symbol_count(); ++s)
        declarations.push_back(fmt::format("(declare-const {} {})", terms_.name({s}), to_string(terms_.sort({s}))));
}

} // namespace matchpoint::encode
