// The concurrent static single assignment of a program (Section 4.1 of Symbolic Predictive Analysis): each definition
// of a variable has a name, and so has what each command reads of each shared variable.
//
//   var_x!k   the k-th definition of x, in the order of the program; number 0 of a shared variable is its initial value
//   pi_x!i    what a command reads of the shared variable x: the i-th read of the program (the paper's pi^i)
//   value_R   what R receives; value_S, what S sends; divisor_c!i: as in program_terms.hpp
//
// A wait that completes receives defines what they write, all at once: if two receives write one variable, the later
// place counts. A payload is read at its send.
//
//   Cssa const cssa(messages);
//   for (Cssa::Pi const& pi : cssa.pis()) use(cssa.name(pi.name), cssa.definitions_of(pi.x));
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "matching/message_index.hpp"
#include "smt_machine/translation.hpp"

namespace matchpoint::encode {

/// For a program under D1 to D6 without selectors. Linear in the size of the program.
class Cssa {
public:
    /// A term's text, and the symbols in it.
    struct Text {
        std::string text;
        std::vector<Symbol> uses;
    };
    /// A guard, an assertion, or the symbol of a divisor.
    struct Condition {
        Location rho;
        Text term;
    };
    /// name = term. It can always hold, since SMT-LIB's operators are total.
    struct Equation {
        Symbol name;
        Location rho;     // none for an initial value
        std::string what; // the rule
        Text term;
    };
    /// A definition of a shared variable.
    struct Definition {
        Symbol name;
        Location rho; // none for the initial value
    };
    /// A pi-function (Definition 2). It chooses among `own` and the definitions of other threads.
    struct Pi {
        Symbol name;
        Variable x;
        Location rho; // the use
        std::uint32_t
            own; // the last definition before it in its thread, as an index of definitions_of(x); 0: there is none
    };
    struct Read {
        Variable x;
        Symbol name;
    };

    /// The messages have to outlive it.
    explicit Cssa(MessageIndex const& messages);
    Cssa(Cssa const&) = delete;
    Cssa& operator=(Cssa const&) = delete;

    bool is_shared(Variable x) const { return !definitions_[x.index].empty(); }
    /// Those of a shared variable in the order of the program, the initial value first. They are var_x!0, var_x!1, ...
    std::span<Definition const> definitions_of(Variable x) const { return definitions_[x.index]; }
    std::span<Pi const> pis() const { return pis_; }
    /// What a pi-function chooses among, in the order of the program, as indices of definitions_of(pi.x). Initial
    /// values belong to the first thread, as t_0 of Figure 3 does.
    std::vector<std::uint32_t> parameters(Pi const& pi) const;
    std::span<Equation const> equations() const { return equations_; }
    /// Of assumptions and guarded assignments, those that wait among them.
    std::span<Condition const> guards() const { return guards_; }
    std::span<Condition const> assertions() const { return assertions_; }
    /// Symbols that are not zero if their command is executed.
    std::span<Condition const> divisors() const { return divisors_; }
    /// The variables that the expressions of a command name, each once, as it reads them.
    std::span<Read const> reads(Location rho) const;

    Symbol received(std::uint32_t receive) const { return received_[receive]; }
    Text const& sent(std::uint32_t send) const { return sent_[send]; }

    std::string const& name(Symbol s) const { return terms_.name(s); }
    Sort sort(Symbol s) const { return terms_.sort(s); }
    std::uint32_t symbol_count() const { return terms_.symbol_count(); }
    /// Whether there is a product of two terms, or a division.
    bool nonlinear() const { return translation_.nonlinear(); }

private:
    void initial_values();
    void command(Location rho);
    void read(Location rho, Expression e);
    Text text_since(std::uint32_t mark);
    Text truth_of(Expression e, Location rho);
    Text term_of(Expression e, Location rho, Sort& sort);
    void define(Variable x, Location rho, std::string what, Text term, Sort sort);
    void send(Sndi const& c, Location rho);
    void complete(std::vector<std::uint32_t> const& receives, Location rho);
    void divisors_of(Location rho);

    MessageIndex const& messages_;
    IndexedProgram const& code_;
    Terms terms_;
    Translation translation_;
    std::vector<std::vector<Definition>> definitions_; // variable; empty if it is not shared
    std::vector<Pi> pis_;
    std::vector<Equation> equations_;
    std::vector<Condition> guards_;
    std::vector<Condition> assertions_;
    std::vector<Condition> divisors_;
    std::vector<Read> reads_;
    std::vector<std::uint32_t> first_read_; // command -> its first one in reads_; and the end
    std::vector<Symbol> received_;
    std::vector<Text> sent_;
    // While it is built.
    std::vector<std::uint32_t> versions_;  // variable -> its definitions so far
    std::vector<std::uint32_t> own_;       // shared variable -> its last definition in this thread; 0: none
    std::vector<std::uint32_t> last_read_; // variable -> one past the last command that read it
};

} // namespace matchpoint::encode
