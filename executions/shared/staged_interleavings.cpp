#include "executions/shared/staged_interleavings.hpp"

#include <utility>

namespace matchpoint::executions {

std::optional<End> StagedInterleavings::next(std::uint64_t steps) {
    if (once_raced_ && search_->race() != nullptr && !search_->done()) begin_anew();
    return search_->next(steps);
}

void StagedInterleavings::begin_anew() {
    OnceRaced const once_raced = std::exchange(once_raced_, {});
    Movers const* const movers = once_raced();
    if (movers == nullptr) return;
    race_ = *search_->race();
    before_ = {search_->steps(), search_->counts()};
    search_.emplace(messages_, buffering_, model_);
    search_->use(movers);
}

UntilEnd::Counts StagedInterleavings::counts() const {
    UntilEnd::Counts result = search_->counts();
    result.executions += before_.counts.executions;
    result.states += before_.counts.states;
    result.left += before_.counts.left;
    return result;
}

} // namespace matchpoint::executions
