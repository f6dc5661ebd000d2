// Random choices that are the same on every platform: number i of a seed is one stream of them.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>

namespace matchpoint::programs {

/// The standard fixes the output of std::mt19937_64, but not what its distributions make of it; so this class has its
/// own.
class Dice {
public:
    Dice(std::uint64_t seed, std::uint64_t number) : random_(mixed(mixed(seed) ^ number)) {}

    /// 0 to n - 1.
    std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
    /// True in p percent of the cases.
    bool percent(unsigned p) { return below(100) < p; }
    template <typename Things>
    auto& one_of(Things& things) {
        return things[below(std::size(things))];
    }

private:
    /// The output function of SplitMix64: it makes neighbouring numbers independent.
    static std::uint64_t mixed(std::uint64_t n) {
        n += 0x9E37'79B9'7F4A'7C15U;
        n = (n ^ n >> 30U) * 0xBF58'476D'1CE4'E5B9U;
        n = (n ^ n >> 27U) * 0x94D0'49BB'1331'11EBU;
        return n ^ n >> 31U;
    }

    std::mt19937_64 random_;
};

} // namespace matchpoint::programs
