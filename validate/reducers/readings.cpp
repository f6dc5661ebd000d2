#include "validate/reducers/readings.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace matchpoint::validate::reducers {

namespace {

constexpr unsigned all_entries = std::size(rma::literal_names);
constexpr int most_entries = 3;
constexpr std::size_t most_readings = 3;      // that are told
constexpr std::uint32_t most_states = 20'000; // with R8 there are many

rma::Literal literal_of(unsigned mask) {
    rma::Literal literal;
    for (unsigned k = 0; k < all_entries; ++k)
        if ((mask >> k & 1U) != 0) rma::set_literal(literal, rma::literal_names[k]);
    return literal;
}

/// Worse ones come later.
auto order(Reading const& r) { return std::tuple(r.of - r.verdicts, r.of - r.same, r.entries.size(), r.entries); }

} // namespace

std::string names(Reading const& reading) {
    auto const& entries = reading.entries;
    if (entries.empty()) return "nothing";
    if (entries.size() == 1) return entries.front();
    std::vector<std::string> const but_last(entries.begin(), entries.end() - 1);
    return fmt::format("{} and {}", fmt::join(but_last, ", "), entries.back());
}

bool is_explained(std::vector<Reading> const& readings) {
    return !readings.empty() && readings.front().verdicts * 20 >= readings.front().of * 19;
}

std::vector<Reading> Readings::best(std::optional<std::size_t> wrong) {
    found_.clear();
    for (int size = wrong ? 1 : 0; size <= most_entries; ++size) {
        for (Mask mask = 0; mask < 1U << all_entries; ++mask) {
            if (std::popcount(mask) != size || (stop_ && stop_())) continue;
            auto reading = judged(mask, wrong);
            if (!reading) continue;
            found_.push_back(std::move(*reading));
            if (order(found_.back()) < order(found_.front())) std::swap(found_.back(), found_.front());
        }
        std::sort(found_.begin(), found_.end(), [](auto const& a, auto const& b) { return order(a) < order(b); });
        if (!found_.empty() && found_.front().same == observed_.size()) break;
    }
    if (found_.size() > most_readings) found_.resize(most_readings);
    return found_;
}

/// None if it does not give the wrong answer, or others are better.
std::optional<Reading> Readings::judged(Mask mask, std::optional<std::size_t> wrong) {
    Reading reading{literal_of(mask), {}, 0, 0, observed_.size()};
    for (unsigned k = 0; k < all_entries; ++k)
        if ((mask >> k & 1U) != 0) reading.entries.emplace_back(rma::literal_names[k]);
    if (wrong && verdict(observed_[*wrong].truth, outcome(*wrong, mask)) != Verdict::unsound) return std::nullopt;
    for (std::size_t i = 0; i < observed_.size(); ++i) {
        Observation const& o = observed_[i];
        Outcome const& ours = outcome(i, mask);
        reading.verdicts += verdict(o.truth, ours) == verdict(o.truth, o.theirs) ? 1 : 0;
        reading.same += ours.complete && ours.same(o.theirs) ? 1 : 0;
        if (is_hopeless(reading, i + 1)) return std::nullopt;
    }
    return reading;
}

/// Whether the best reading so far stays better, whatever the rest says.
bool Readings::is_hopeless(Reading const& reading, std::size_t asked) const {
    if (found_.empty()) return false;
    Reading const& best = found_.front();
    std::size_t const lost = asked - reading.verdicts;
    std::size_t const best_lost = best.of - best.verdicts;
    return lost > best_lost || (lost == best_lost && asked - reading.same > best.of - best.same + 5);
}

Outcome const& Readings::outcome(std::size_t observation, Mask mask) {
    auto const [at, is_new] = outcomes_.try_emplace({observation, mask});
    if (is_new) at->second = reading_of(observed_[observation].program, literal_of(mask), {.states = most_states});
    return at->second;
}

} // namespace matchpoint::validate::reducers
