// Reduced programs as systems to search (search.hpp): what their text says, step by step.
//
//   auto const shown = names_of(original, *program);
//   if (!shown) std::cerr << shown.error();      // "it has no variable `X`"
//   TextSystem system(*program, *shown);
//   SearchResult const result = search(system, {.finals = true});
#pragma once

#include <memory>
#include <string>

#include "base/expected.hpp"
#include "rma/language/program.hpp"
#include "rma/language/reduced_program.hpp"
#include "rma/search/reduced.hpp"
#include "rma/search/search.hpp"

namespace matchpoint::rma {

/// For each variable of the program that was reduced, the one of the same name; for places, none. Or what is wrong.
Expected<std::vector<Variable>, std::string> names_of(rma::Program const& original, reduced::Program const& program);

/// All variables of a reduced program, in the order of their declarations.
std::vector<Variable> variables_of(reduced::Program const& program);

class TextSystem : public System {
public:
    /// The program has to outlive it. The memory of a state are the variables that are `shown`, by their number there.
    TextSystem(reduced::Program const& program, std::vector<Variable> shown, std::optional<ValueRange> values = {});

    void prepare() override;
    std::size_t words() const override { return words_; }
    Packed initial() override;
    /// Throws LimitReached if a step does not end.
    bool expand(Word const* state, bool reduced, Expansion& result) override;
    Packed memory_part(Word const* state) const override;
    std::vector<Value> memory(Packed const& memory_part) const override;
    void widen() override;

private:
    using Index = reduced::Index;
    static constexpr Index nowhere = 0xFFFF'FFFF;

    struct Stand {
        Index pc;
        Index inner = nowhere; // in a procedure whose statements are steps
    };
    struct TextState {
        std::vector<Stand> at; // by thread
        std::vector<Value> M;  // places have no value
        std::vector<SetTable::Set> sets;
    };
    /// What an instruction leads to.
    struct Result {
        TextState state;
        Index next;
        Effect effect;
    };

    void pack(TextState const& state, Word* words);
    void unpack(Word const* words, TextState& state) const;
    void find_private();
    bool is_private(std::size_t t, reduced::Action const& action) const;
    bool ample(Expansion& result);
    void look(Expansion& result);
    bool has_finished(reduced::Thread::Kind kind) const;
    bool is_inside(std::size_t t) const;
    Index behind_prefixes(Index i) const;

    void step(std::size_t t, Expansion& result);
    void inner_step(std::size_t t, Expansion& result);
    void call(std::size_t t, reduced::Calls calls, Index then, Expansion& result);
    std::vector<Result> run(TextState const& from, Index first, Index end) const;
    void run_one(TextState const& state, Index i, std::vector<Result>& results) const;
    void assign(TextState const& state, Index i, Variable x, std::uint32_t number, std::vector<Result>& results) const;
    std::optional<Value> value(TextState const& state, Expression e) const;
    void add(TextState const& state, Effect effect, Expansion& result);
    bool in_range(TextState const& state) const;

    reduced::Program const& p_;
    std::vector<Variable> shown_;
    std::vector<Variable> packed_; // those that are shown, and then the others
    std::size_t shown_count_ = 0;
    std::optional<ValueRange> range_;
    bool has_inner_ = false;
    bool has_invariants_ = false;
    std::vector<std::size_t> user_; // of a variable: the only thread that uses it
    mutable ValueTable values_;     // numbers values as they come
    std::vector<Index> place_of_;   // by variable, of places
    std::vector<std::uint32_t> place_thread_;
    SetTable sets_;
    std::size_t words_ = 0;
    std::size_t memory_words_ = 0; // the first ones, for the variables that are shown
    std::vector<Field> M_;         // by variable
    std::vector<Field> pc_;        // by thread
    std::vector<Field> inner_;     // by thread, if there are such places
    std::vector<Field> set_;
    TextState here_;
};

/// The reduced program of a graph as a system, whatever is read literally: with R8, from its text. It keeps what it
/// needs but the graph.
std::unique_ptr<System> reduced_system(Graph const& graph, Literal const& literal, std::optional<ValueRange> values);

} // namespace matchpoint::rma
