#include "base/limits.hpp"

namespace matchpoint::base {

namespace {

constexpr std::uint64_t steps_between_looks = 500'000;

constinit thread_local Watch const* innermost = nullptr;

} // namespace

Watch::Watch(std::function<bool()> is_up) : is_up_(std::move(is_up)), outer_(innermost) {
    if (!is_up_) return;
    innermost = this;
    detail::steps_left = steps_between_looks;
}

Watch::~Watch() {
    if (is_up_) innermost = outer_;
}

bool Watch::is_up() const { return is_up_() || (outer_ != nullptr && outer_->is_up()); }

void look_at_watch() {
    detail::steps_left = innermost == nullptr ? UINT64_MAX : steps_between_looks;
    if (innermost != nullptr && innermost->is_up()) throw OutOfTime();
}

} // namespace matchpoint::base
