#include "programs/smaller.hpp"

#include <unordered_set>
#include <utility>

#include "grammar/discipline.hpp"
#include "programs/cuts.hpp"

namespace matchpoint::programs::draft {

bool obeys_the_rules(Draft const& draft) {
    auto const program = program_of(draft);
    return program && check_discipline(*program, nullptr, Severity::error, 1).empty();
}

Smaller::Smaller(Draft draft, Place from) : cuts_(std::make_unique<Cuts>(std::move(draft), from)) {}
Smaller::Smaller(Smaller&&) noexcept = default;
Smaller& Smaller::operator=(Smaller&&) noexcept = default;
Smaller::~Smaller() = default;

std::optional<Draft> Smaller::next() { return cuts_->next(); }
Smaller::Place Smaller::place() const { return cuts_->place(); }

std::vector<Draft> smaller(Draft const& draft) {
    std::vector<Draft> result;
    Smaller candidates(draft);
    while (std::optional<Draft> d = candidates.next()) result.push_back(std::move(*d));
    return result;
}

Shrunk shrink(Draft start, std::function<bool(Draft const&)> const& still_interesting, std::size_t budget) {
    Shrunk shrunk{.draft = std::move(start)};
    std::unordered_set<std::string> asked;
    // Go on from the last cut, since those before it were not interesting; then start once more from the beginning.
    Smaller::Place from;
    while (true) {
        bool found = false;
        Smaller candidates(shrunk.draft, from);
        while (std::optional<Draft> candidate = candidates.next()) {
            if (!obeys_the_rules(*candidate) || !asked.insert(print(*candidate)).second) continue;
            if (shrunk.calls == budget) return shrunk;
            ++shrunk.calls;
            if (!still_interesting(*candidate)) continue;
            shrunk.draft = std::move(*candidate);
            ++shrunk.steps;
            from = candidates.place();
            found = true;
            break;
        }
        if (found) continue;
        if (from == Smaller::Place{}) {
            shrunk.finished = true;
            return shrunk;
        }
        from = {};
    }
}

} // namespace matchpoint::programs::draft
