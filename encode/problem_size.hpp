// How large a problem is, as a whole and by class of constraint: counted while its text goes by.
//
//   ProblemSize size;
//   encoder.write(input, options, [&](std::string_view text) { size.add(text); });
//   for (ProblemSize::Class const& c : size.classes()) std::cout << c.name << ": " << c.counts.clauses << '\n';
//
// A class is what follows a comment between two commands, up to the next one: encoders name what they write so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rooms.hpp"

namespace matchpoint::encode {

class ProblemSize {
public:
    struct Counts {
        std::uint64_t declarations = 0; // declare-const, declare-fun
        std::uint64_t definitions = 0;  // define-fun
        std::uint64_t assertions = 0;   // assert
        std::uint64_t clauses = 0;      // the conjuncts of assertions: an assertion that is no conjunction is one
        std::uint64_t atoms = 0;        // comparisons: = < <= > >= distinct
        std::uint64_t terms = 0;        // applications of any function, in assertions and definitions

        Counts& operator+=(Counts const& more);
        bool operator==(Counts const&) const = default;
    };
    struct Class {
        std::string name; // the comment; empty before the first one
        Counts counts;
    };

    /// The next part of the SMT-LIB text. It may end anywhere, even inside a word.
    void add(std::string_view text);

    std::uint64_t bytes() const { return bytes_; }
    /// The sum over all classes.
    Counts total() const;
    /// Those with commands that are counted, in their order. Two comments that are equal are one class.
    std::vector<Class> classes() const;

private:
    enum class In : std::uint8_t { text, comment, string, symbol };
    /// A list that is open.
    struct List {
        bool has_head = false;
        bool is_annotated = false;   // (! e :named n)
        bool is_conjunction = false; // its elements are clauses, unless they are conjunctions
        bool is_term = false;        // inside of an assertion or a definition
        bool has_element = false;
    };

    void begin_list();
    void end_word();
    void element();
    void begin_class();

    std::uint64_t bytes_ = 0;
    std::vector<Class> classes_{Class()};
    std::size_t class_ = 0; // the latest
    std::vector<List> open_;
    In in_ = In::text;
    std::string word_; // as far as it was read, or the comment
};

} // namespace matchpoint::encode
