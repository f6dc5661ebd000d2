#include "proofs/prime_cubes.hpp"

#include <algorithm>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/limits.hpp"

namespace matchpoint::proofs {

namespace {

constexpr std::size_t most_steps = 2000; // for the cubes that hold in one state

/// A cube that holds in a good state g has literals of g; in each bad state, one of its predicates has another value.
class PrimeCubes {
public:
    PrimeCubes(std::vector<State> bad, std::size_t size)
        : bad_(std::move(bad)), bad_set_(bad_.begin(), bad_.end()), most_(size) {}

    std::vector<Bits> of(std::vector<State> const& good) {
        for (State const g : good) {
            if (bad_set_.contains(g)) continue;
            spend(bad_.size());
            differences_.clear();
            for (State const b : bad_) add(g ^ b);
            steps_ = 0;
            hit(g, 0, 0, 0);
        }
        std::vector<Bits> all(found_.begin(), found_.end());
        std::sort(all.begin(), all.end(),
                  [](Bits const& a, Bits const& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
        return minimal(all);
    }

private:
    /// Those that do not contain another one. Shorter cubes come first.
    static std::vector<Bits> minimal(std::vector<Bits> const& all) {
        std::vector<Bits> result;
        for (Bits const& cube : all) {
            spend(1 + result.size());
            if (std::none_of(result.begin(), result.end(), [&](Bits const& part) { return part.is_part_of(cube); }))
                result.push_back(cube);
        }
        return result;
    }

    /// Keeps the minimal differences.
    void add(State difference) {
        if (std::any_of(differences_.begin(), differences_.end(), [&](State d) { return (d & ~difference) == 0; }))
            return;
        std::erase_if(differences_, [&](State d) { return (difference & ~d) == 0; });
        differences_.push_back(difference);
    }

    /// The sets of predicates that contain `chosen` and none of `excluded`, with one of each difference. Recurses at
    /// most most_ deep.
    void hit(State g, State chosen, State excluded, std::size_t count) {
        if (++steps_ > most_steps) return;
        spend(1 + differences_.size());
        auto const next =
            std::find_if(differences_.begin(), differences_.end(), [&](State d) { return (d & chosen) == 0; });
        if (next == differences_.end()) {
            found_.insert({g & chosen, ~g & chosen});
            return;
        }
        if (count == most_) return;
        for (State rest = *next & ~excluded; rest != 0; rest &= rest - 1) {
            State const bit = rest & (~rest + 1);
            hit(g, chosen | bit, excluded, count + 1);
            excluded |= bit;
        }
    }

    std::vector<State> bad_;
    boost::unordered_flat_set<State> bad_set_;
    std::size_t most_;
    std::vector<State> differences_; // of g and the bad states
    std::size_t steps_ = 0;
    boost::unordered_flat_set<Bits, boost::hash<Bits>> found_;
};

} // namespace

std::vector<Bits> prime_cubes(std::vector<State> const& good, std::vector<State> bad, std::size_t size) {
    return PrimeCubes(std::move(bad), size).of(good);
}

} // namespace matchpoint::proofs
