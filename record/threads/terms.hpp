// Terms over the unbounded integers of the language, for values of n bits of the program. Each is represented by its
// signed value. Equal terms are one, so that a run's values are a graph that is as large as what the run did.
//
//   TermId const t = terms.local(0, terms.shared(x), {-128, 127}, 5);  // a local variable of thread 0
//   TermId const sum = terms.wrap(terms.add(t, terms.constant(1)), 8); // unsigned char + 1
//
// After find_ranges(), terms say how large they can get, and what is never needed is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/wide.hpp"
#include "programs/expression.hpp"

namespace matchpoint::record::threads {

namespace draft = programs::draft;

using base::Wide;
using TermId = std::uint32_t; // 0 is no term
inline constexpr TermId never = 1, always = 2;

/// All integers from low to high.
struct Range {
    Wide low = 0, high = 0;
    bool contains(Range const& r) const { return low <= r.low && r.high <= high; }
    bool operator==(Range const&) const = default;
};
/// The signed integers of n bits.
Range signed_range(unsigned bits);
Wide power_of_two(unsigned k);
/// The signed value of the lowest n bits; of one bit, 0 or 1.
std::int64_t as_signed(std::uint64_t value, unsigned bits);
/// The lowest n bits.
std::uint64_t as_unsigned(std::int64_t value, unsigned bits);

enum class TermKind : std::uint8_t {
    constant, // value
    truth,    // value 0 or 1
    local,    // variable; a: what it was assigned
    shared,   // variable
    add,
    sub,
    mul,
    div,  // by the constant b, which is positive
    mod,  // the same
    wrap, // the signed value of the lowest n bits
    view, // the unsigned value of n bits
    clip, // the same value, which is known to have n bits
    equal,
    less,
    less_equal,
    not_,
    and_,
    or_,
    xor_,   // of truths
    choose, // (ite a b c)
};

struct Term {
    TermKind kind = TermKind::constant;
    std::uint8_t bits = 0;
    bool is_truth = false;
    bool has_shared = false; // it reads shared variables: its value is not known here
    std::uint32_t variable = 0;
    TermId a = 0, b = 0, c = 0;
    std::uint32_t owner = UINT32_MAX; // the thread whose local variables it has
    Wide value = 0;                   // in the recorded run
    Range range = {};                 // of all executions on the path; a truth is 0 or 1
};

class Terms {
public:
    Terms();

    TermId constant(Wide value);
    TermId truth(bool value);
    /// A local variable of a thread that was assigned `a`, with its value in the run.
    TermId local(std::uint32_t thread, std::uint32_t variable, TermId a, Wide value, Range range);
    TermId shared(std::uint32_t variable, Range range);
    TermId shared_truth(std::uint32_t variable);

    TermId add(TermId a, TermId b);
    TermId sub(TermId a, TermId b);
    TermId mul(TermId a, TermId b);
    TermId div(TermId a, Wide by);
    TermId mod(TermId a, Wide by);
    TermId wrap(TermId a, unsigned bits);
    TermId view(TermId a, unsigned bits);
    TermId clip(TermId a, unsigned bits);
    TermId equal(TermId a, TermId b);
    TermId less(TermId a, TermId b);
    TermId less_equal(TermId a, TermId b);
    TermId not_(TermId a);
    TermId and_(TermId a, TermId b);
    TermId or_(TermId a, TermId b);
    TermId xor_(TermId a, TermId b);
    TermId choose(TermId c, TermId a, TermId b);
    /// 1 if it is true, else 0 (or other numbers).
    TermId number(TermId truth, Wide yes = 1, Wide no = 0) { return choose(truth, constant(yes), constant(no)); }

    Term const& operator[](TermId t) const { return terms_[t]; }
    std::size_t size() const { return terms_.size(); }
    bool is_constant(TermId t) const {
        return terms_[t].kind == TermKind::constant || terms_[t].kind == TermKind::truth;
    }

    /// A variable gets this value somewhere.
    struct Store {
        std::uint32_t variable;
        TermId term;
    };
    /// The ranges of all terms, from those of the initial values of variables and what is stored to them; `bounds` are
    /// those of their sizes. Each store is executed at most once.
    void find_ranges(std::vector<Range> initial, std::vector<Range> const& bounds, std::vector<Store> const& stores);

private:
    TermId make(Term t);
    Range range_of(Term const& t) const;
    void evaluate(std::vector<Range> const& variables);

    /// Where the term is among the slots, or where it belongs.
    std::size_t slot_of(Term const& t) const;

    std::vector<Term> terms_;
    std::vector<TermId> slots_; // a hash table of all terms; 0: empty
};

} // namespace matchpoint::record::threads
