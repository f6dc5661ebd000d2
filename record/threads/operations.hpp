// Operations on values of n bits, as the compiler has them (record/threads/format.h), as terms. What terms cannot say
// exactly is concretised: the caller assumes that an operand has its value of the run, and goes on with that.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "record/threads/records.hpp"
#include "record/threads/terms.hpp"

namespace matchpoint::record::threads {

/// A value of n bits: what it was in the run, as a signed number, and its term; 0 if it is a constant.
struct Known {
    std::int64_t value = 0;
    TermId term = 0;
    std::uint8_t bits = 64;
};

/// The value of an operation on signed values; none if it is undefined, as a division by zero.
std::optional<std::int64_t> evaluate(matchpoint_operator op, unsigned width, unsigned to,
                                     std::span<std::int64_t const> operands);
/// What an update stores, of the old value and the operand.
std::int64_t evaluate(matchpoint_update update, unsigned bits, std::int64_t old, std::int64_t operand);

class Operations {
public:
    /// Called before a value is taken as a constant: assumes that it is that.
    using Fix = std::function<void(Known const&)>;
    /// Called where a sum, difference or product has to have so many bits: assumes it.
    using Within = std::function<void(TermId, unsigned bits)>;

    Operations(Terms& terms, Fix fix, Within within)
        : terms_(terms), fix_(std::move(fix)), within_(std::move(within)) {}

    /// None if the operation is undefined for these values.
    std::optional<Known> apply(Record const& r, std::span<Known> operands);
    /// What an update stores. `old` may have shared variables; it must not be taken as a constant, and so 0 is returned
    /// if there is no term: `operand` is then a constant, and the caller has to assume the old value.
    TermId updated(matchpoint_update update, TermId old, Known& operand, unsigned bits);

    /// A value of one bit is a truth, any other an integer.
    TermId term_of(Known const& k);
    /// The value of `bits` bits that begin with the given one, of a value.
    Known part(Known const& k, unsigned from, unsigned bits);
    /// A truth or a signed number of so many bits as a value.
    Known known(TermId term, unsigned bits, std::int64_t value) const;

private:
    void fix(Known& k);
    TermId of(matchpoint_operator op, Record const& r, std::span<Known> o);
    TermId on_truths(matchpoint_operator op, std::span<Known> o);
    TermId exact(TermId e, Record const& r);
    TermId shifted(matchpoint_operator op, Record const& r, std::span<Known> o);
    TermId divided(matchpoint_operator op, Record const& r, std::span<Known> o);
    TermId masked(matchpoint_operator op, unsigned width, std::span<Known> o);
    TermId masked(matchpoint_operator op, unsigned width, TermId e, std::int64_t mask);
    TermId compared(matchpoint_operator op, unsigned width, std::span<Known> o);
    TermId cast(Record const& r, Known const& k);

    Terms& terms_;
    Fix fix_;
    Within within_;
};

} // namespace matchpoint::record::threads
