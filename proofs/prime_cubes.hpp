// Cubes over at most 64 predicates as sets of bits, and the minimal ones that imply a formula over known states.
#pragma once

#include <bitset>

#include <boost/container_hash/hash.hpp>

#include "proofs/cubes.hpp"

namespace matchpoint::proofs {

constexpr std::size_t most_predicates = 64;
using State = std::uint64_t; // which of the predicates hold

inline State bit_of(std::size_t p) { return State{1} << p; }

/// A cube as two sets of predicates.
struct Bits {
    State yes = 0;
    State no = 0;
    auto operator<=>(Bits const&) const = default;
    friend std::size_t hash_value(Bits const& b) {
        std::size_t seed = 0;
        boost::hash_combine(seed, b.yes);
        boost::hash_combine(seed, b.no);
        return seed;
    }

    std::size_t size() const { return std::bitset<most_predicates>(yes | no).count(); }
    bool holds_in(State state) const { return (~state & yes) == 0 && (state & no) == 0; }
    bool is_part_of(Bits const& cube) const { return (yes & ~cube.yes) == 0 && (no & ~cube.no) == 0; }
    Cube literals(std::vector<std::uint32_t> const& predicates) const {
        Cube cube;
        for (std::size_t p = 0; p < predicates.size(); ++p)
            if (((yes | no) & bit_of(p)) != 0) cube.push_back({predicates[p], (no & bit_of(p)) != 0});
        return cube;
    }
};

/// Minimal cubes of at most `size` predicates that hold in some good state and in no bad one: all of them, unless there
/// are very many. Throws LimitReached.
std::vector<Bits> prime_cubes(std::vector<State> const& good, std::vector<State> bad, std::size_t size);

} // namespace matchpoint::proofs
