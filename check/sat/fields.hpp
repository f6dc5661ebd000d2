// Numbers that messages carry packed into one, and the expressions that take one of them out again.
//
//   Fields const fields(flow);
//   if (auto const f = fields.of(node)) ...  // node is field f->level of what f->receive gets
//
// A payload (+ (* (+ (* v K1) c1) K0) c0), with constants 0 <= c0 < K0 and 0 <= c1 < K1, has the fields c0, c1 and v,
// in this order. If all messages to an endpoint are packed with the same K0, K1 ..., then (mod x K0), (mod (div x K0)
// K1) and (div (div x K0) K1) are what a receive at this endpoint gets as field 0, 1 and 2. `lowering/` packs sources
// and tags like this.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "matching/data_flow.hpp"

namespace matchpoint::check {

class Fields {
public:
    struct Field {
        std::uint32_t receive;
        std::uint32_t level;
    };

    /// The data flow has to outlive it. Linear in the size of the program.
    explicit Fields(DataFlow const& flow);

    /// How many fields the messages to an endpoint have; 0: they are not packed.
    std::uint32_t count(Endpoint beta) const {
        auto const& factors = factors_[beta.index];
        return factors.empty() ? 0 : static_cast<std::uint32_t>(factors.size()) + 1;
    }
    /// The field that a resolved node is.
    std::optional<Field> of(std::uint32_t node) const;
    /// A field of a send to an endpoint with fields. None if it is not the same in every run, or not a small integer.
    std::optional<std::int64_t> constant(std::uint32_t send, std::uint32_t level) const;

private:
    void find(Endpoint beta);
    std::vector<std::int64_t> factors(std::uint32_t send) const;
    std::optional<std::int64_t> small_value(std::uint32_t node) const;

    DataFlow const& flow_;
    std::vector<std::vector<std::int64_t>> factors_; // endpoint -> K0, K1 ...
};

} // namespace matchpoint::check
