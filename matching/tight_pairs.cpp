// tight(): the inferences `order`, `windows` and `counting` (necessary_order.hpp, ordinal_windows.hpp), repeated until
// they leave out no further pair. match_pairs.hpp explains why that is right.
#include "matching/candidate_windows.hpp"
#include "matching/match_pairs.hpp"
#include "matching/necessary_order.hpp"
#include "matching/ordinal_windows.hpp"
#include "matching/reach.hpp"

namespace matchpoint::matching {

namespace {

class Tightening {
public:
    Tightening(MessageIndex const& messages, Buffering buffering, MatchPairs pairs, std::vector<Exclusion>* excluded,
               InferenceCounts* counts, Extent extent = Extent::complete)
        : m_(messages), pairs_(std::move(pairs)), excluded_(excluded), counts_(counts), order_(messages, buffering),
          windows_(messages, buffering, extent) {}

    MatchPairs run() {
        bool changed = true;
        while (changed) {
            changed = by_order();
            changed |= by_windows();
        }
        return std::move(pairs_);
    }

private:
    /// All pairs are judged by the same order. True if some pair was left out.
    bool by_order() {
        order_.derive(pairs_);
        MatchPairs const premises = excluded_ == nullptr ? MatchPairs() : pairs_;
        bool changed = false;
        for (std::uint32_t r = 0; r < pairs_.of.size(); ++r)
            changed |= leave_out(r, [&](Pair p) -> std::optional<Left> {
                auto const obstacle = order_.obstacle(p);
                if (!obstacle) return std::nullopt;
                Left left{Inference::order, {p, Exclusion::Why::order, {}, 0, 0}};
                if (excluded_ != nullptr) order_.explain(*obstacle, premises, left.exclusion);
                return left;
            });
        return changed;
    }

    bool by_windows() {
        bool changed = false;
        for (std::uint32_t beta = 0; beta < m_.code().endpoints().size(); ++beta) {
            if (m_.receives_at({beta}).empty()) continue;
            windows_.derive({beta}, pairs_, counts_);
            for (std::uint32_t const r : m_.receives_at({beta}))
                changed |= leave_out(r, [&](Pair p) -> std::optional<Left> {
                    auto const obstacle = windows_.obstacle(p);
                    if (!obstacle) return std::nullopt;
                    return Left{obstacle->by, {p, obstacle->why, {}, 0, obstacle->bound}};
                });
        }
        return changed;
    }

    /// A pair that is left out.
    struct Left {
        Inference by;
        Exclusion exclusion;
    };
    template <typename Obstacle>
    bool leave_out(std::uint32_t r, Obstacle obstacle) {
        auto const is_out = [&](std::uint32_t s) {
            std::optional<Left> left = obstacle(Pair{r, s});
            if (!left) return false;
            if (counts_ != nullptr) counts_->add(left->by);
            if (excluded_ != nullptr) excluded_->push_back(std::move(left->exclusion));
            return true;
        };
        spend(4 * pairs_.of[r].size());
        return std::erase_if(pairs_.of[r], is_out) > 0;
    }

    MessageIndex const& m_;
    MatchPairs pairs_;
    std::vector<Exclusion>* excluded_;
    InferenceCounts* counts_;
    NecessaryOrder order_;
    OrdinalWindows windows_;
};

} // namespace

namespace {

/// Those of overapprox(); where these are many, those that their windows leave, unless no run completes.
MatchPairs within_windows(MessageIndex const& messages, Buffering buffering, Extent extent, InferenceCounts* counts) {
    constexpr std::uint64_t many = 100'000;
    CandidateWindows windows(messages, buffering, extent);
    return windows.size() > many && windows.narrow(counts) ? windows.pairs() : overapprox(messages);
}

} // namespace

MatchPairs tight(MessageIndex const& messages, Buffering buffering, std::vector<Exclusion>* excluded,
                 InferenceCounts* counts) {
    if (excluded != nullptr)
        return tight(messages, buffering, overapprox(messages), Extent::complete, excluded, counts);
    return tight(messages, buffering, within_windows(messages, buffering, Extent::complete, counts), counts);
}

MatchPairs tight(MessageIndex const& messages, Buffering buffering, MatchPairs pairs, InferenceCounts* counts) {
    return tight(messages, buffering, std::move(pairs), Extent::complete, nullptr, counts);
}

MatchPairs tight(MessageIndex const& messages, Buffering buffering, MatchPairs pairs, Extent extent,
                 std::vector<Exclusion>* excluded, InferenceCounts* counts) {
    return Tightening(messages, buffering, std::move(pairs), excluded, counts, extent).run();
}

MatchPairs tight_on_path(MessageIndex const& messages, Buffering buffering, std::vector<Exclusion>* excluded,
                         InferenceCounts* counts) {
    // Figure 15's criteria hold for every execution, complete or not.
    bool const extendable = all_finish(messages, reach(messages, buffering));
    Extent const extent = extendable ? Extent::complete : Extent::prefix;
    return tight(messages, buffering,
                 excluded != nullptr ? overapprox(messages) : within_windows(messages, buffering, extent, counts),
                 extent, excluded, counts);
}

} // namespace matchpoint::matching
