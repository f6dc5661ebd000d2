// What the commands of a program with shared variables use and define, as docs/certificates.md ("Shared variables")
// says.
//
//   SharedUses const uses(messages);
//   for (SharedUses::Use const& use : uses.of(rho)) ...
//
// A definition gives a variable a value: an assignment, or the wait that completes a receive (of two receives into one
// variable, the later place counts). A local variable that is used has one definition. A use of a shared variable is a
// read: it gets one of its candidates.
//
// A command is relevant as far as the value of a guard, an assertion or a divisor depends on it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "matching/matching.hpp"

namespace matchpoint::check {

class SharedUses {
public:
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    struct Definition {
        Location rho;
        Variable x;
        std::uint32_t receive; // none if it is an assignment of `e`
        Expression e;
        bool is_relevant;
    };
    struct Use {
        Variable x;
        bool is_shared;
        std::uint32_t index; // of the read, or of the definition
    };
    struct Read {
        Location rho;
        Variable x;
        std::uint32_t own; // the last definition before it in its thread; none if that is the initial value
        bool is_relevant;
    };

    /// The messages have to outlive it, and have neither selectors nor barriers. Linear in the size of the program.
    explicit SharedUses(MessageIndex const& messages);

    /// The variables that a command uses, each once.
    std::span<Use const> of(Location rho) const { return slice(uses_, first_use_, rho.index); }
    std::span<Definition const> definitions_at(Location rho) const {
        return slice(definitions_, first_definition_, rho.index);
    }
    std::uint32_t first_definition_at(Location rho) const { return first_definition_[rho.index]; }
    std::vector<Definition> const& definitions() const { return definitions_; }
    /// The definitions of a shared variable, in the order of the program.
    std::span<std::uint32_t const> definitions_of(Variable x) const { return definitions_of_[x.index]; }
    std::vector<Read> const& reads() const { return reads_; }
    Value const& initial(Variable x) const { return initial_[x.index]; }
    /// For a guard, an assertion or a payload: whether its value matters, and whether it has a divisor that may be
    /// zero.
    bool is_relevant(Location rho) const { return is_relevant_[rho.index]; }
    bool divides(Location rho) const { return divides_[rho.index]; }

    /// What a read may get: its own definition or the initial value as candidate 0, then those of other threads.
    std::uint32_t candidate_count(std::uint32_t read) const;
    /// A definition; none for the initial value.
    std::uint32_t candidate(std::uint32_t read, std::uint32_t i) const;

private:
    struct Range { // of definitions_of_ of a variable: those of one thread
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };

    template <typename T>
    static std::span<T const> slice(std::vector<T> const& all, std::vector<std::uint32_t> const& first,
                                    std::uint32_t i) {
        return std::span(all).subspan(first[i], first[i + 1] - first[i]);
    }
    void add_uses(Location rho);
    void add_definitions(Location rho, std::span<std::uint32_t const> completed);
    void define(Location rho, Variable x, std::uint32_t receive, Expression e);
    void find_own_ranges();
    void find_relevant();
    void require(Expression const& e, std::vector<Variable>& open);
    void require_payloads(Endpoint beta, std::vector<Variable>& open);

    MessageIndex const& m_;
    Ctp const& ctp_;
    std::vector<bool> is_shared_; // variable
    std::vector<Value> initial_;  // shared variable
    std::vector<Use> uses_;
    std::vector<std::uint32_t> first_use_; // command; and the end
    std::vector<Definition> definitions_;
    std::vector<std::uint32_t> first_definition_;            // command; and the end
    std::vector<std::vector<std::uint32_t>> definitions_of_; // variable, locals too
    std::vector<Read> reads_;
    std::vector<Range> own_;        // read
    std::vector<bool> is_relevant_; // command
    std::vector<bool> divides_;     // command
    std::vector<bool> is_needed_;   // variable
    std::vector<bool> is_asked_;    // endpoint: what is received there matters
    // While it is built.
    std::vector<std::uint32_t> last_; // variable -> its last definition in this thread
    std::vector<std::uint32_t> used_; // variable -> one past the last command that used it
};

} // namespace matchpoint::check
