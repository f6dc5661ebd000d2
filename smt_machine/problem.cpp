#include "smt_machine/problem.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "smt_machine/smtlib.hpp"

namespace matchpoint::smt_machine {

namespace {

class Writer {
public:
    Writer(Problem const& problem, IndexedProgram const& code) : p_(problem), code_(code) {}

    void header(ProblemText const& options) {
        out_ += "(set-info :smt-lib-version 2.6)\n";
        if (options.unsat_core) out_ += "(set-option :produce-unsat-cores true)\n";
        out_ += p_.nonlinear ? "(set-logic QF_NIA)\n" : "(set-logic QF_LIA)\n";
        if (options.status && p_.satisfiable)
            out_ += fmt::format("(set-info :status {})\n", *p_.satisfiable ? "sat" : "unsat");
    }

    enum class Order : std::uint8_t { of_the_run, of_the_names };
    void defs(Order order = Order::of_the_run) {
        std::vector<std::string> lines;
        for (std::uint32_t s = 0; s < p_.terms.symbol_count(); ++s)
            lines.push_back(fmt::format("(declare-const {} {})\n", name({s}), to_string(p_.terms.sort({s}))));
        if (order == Order::of_the_names) std::sort(lines.begin(), lines.end());
        out_ += "; defs\n";
        for (std::string const& line : lines) out_ += line;
    }

    void constraints() {
        out_ += "; constraints\n";
        for (Problem::Constraint const& c : p_.constraints) {
            out_ += "(assert (! ";
            print(p_.terms, c.term, out_);
            out_ += fmt::format(" :named {}))\n", c.name);
        }
    }

    void matches() {
        out_ += "; matches\n";
        for (LocatedCommand const& located : code_.ctp().commands) {
            auto const* const rcvi = as_rcvi(located.c);
            if (rcvi == nullptr || !p_.receives[rcvi->a.index]) continue;
            auto const& sends = p_.ML[rcvi->a.index];
            out_ += "(assert (! ";
            // Definition 11; without pairs it is false (errata E26).
            if (sends.empty()) out_ += "false";
            if (sends.size() > 1) out_ += "(or ";
            for (std::size_t i = 0; i < sends.size(); ++i) {
                if (i > 0) out_ += ' ';
                match(*p_.receives[rcvi->a.index], *p_.sends[sends[i].index]);
            }
            if (sends.size() > 1) out_ += ')';
            out_ += fmt::format(" :named |{} MATCH {}|))\n", mangle(code_.names()(code_.issued_at(rcvi->a))),
                                mangle(code_.names()(rcvi->a)));
        }
    }

    void property() {
        out_ += "; property: not all assertions hold\n";
        if (p_.assertions.empty()) {
            out_ += "(assert (! false :named |no assertion|))\n";
            return;
        }
        out_ += "(assert (! (not (and true"; // `and` takes at least two operands
        for (Problem::Constraint const& a : p_.assertions) {
            out_ += ' ';
            print(p_.terms, a.term, out_);
        }
        out_ += ")) :named |property|))\n";
    }

    void line(std::string_view text) { out_ += fmt::format("{}\n", text); }

    std::string take() { return std::move(out_); }

private:
    std::string const& name(Symbol s) const { return p_.terms.name(s); }

    /// Definition 10
    void match(Problem::Receive const& r, Problem::Send const& s) {
        std::string const& order_s = name(p_.order[s.rho.index]);
        out_ += fmt::format("(and (= {} {}) (= {} {}) (= {} {}) (= {} {}) (< {} {}))", name(r.M), order_s, name(s.M),
                            name(p_.order[r.rho.index]), name(r.ep), name(s.ep), name(r.value), name(s.value), order_s,
                            name(p_.order[r.nw.index]));
    }

    Problem const& p_;
    IndexedProgram const& code_;
    std::string out_;
};

} // namespace

std::string print(Problem const& problem, IndexedProgram const& code, ProblemText const& options) {
    Writer writer(problem, code);
    writer.header(options);
    writer.defs();
    writer.constraints();
    writer.matches();
    writer.property();
    if (options.check_sat) writer.line("(check-sat)");
    return writer.take();
}

std::string print_without_matches(Problem const& problem, IndexedProgram const& code) {
    Writer writer(problem, code);
    writer.header({});
    // Divisors are declared when they are evaluated, which is another order in another run.
    writer.defs(Writer::Order::of_the_names);
    writer.constraints();
    writer.property();
    return writer.take();
}

} // namespace matchpoint::smt_machine
