#include <new>

#include "check/engines/engines.hpp"
#include "matching/feasibility.hpp"

namespace matchpoint::check {

namespace {

/// The match sets next to that of a failing run, one after another.
class Neighbours {
public:
    explicit Neighbours(Context& c)
        : c_(c), m_(c.messages()), feasibility_(m_, c.options().buffering), matching_(c.known.witness()->matching),
          receive_of_(m_.sends().size(), unmatched), tries_(20'000'000 / (m_.code().ctp().commands.size() + 1)) {
        for (std::uint32_t r = 0; r < matching_.size(); ++r) receive_of_[matching_[r]] = r;
    }

    /// None if no neighbour succeeds, or the tries or the time are used up.
    std::optional<Run> first_that_succeeds() {
        for (std::uint32_t r = 0; r < matching_.size(); ++r) {
            std::uint32_t const was = matching_[r];
            for (std::uint32_t const s : overapprox(m_, r, false)) {
                std::uint32_t const other = receive_of_[s];
                if (s == was || (other != unmatched && other < r)) continue; // the exchange was tried at the other
                if (tries_-- == 0 || c_.out_of_time()) return std::nullopt;
                match(r, s, other, was);
                if (succeeds()) return Run{std::move(matching_), std::move(schedule_), Status::success};
                match(r, was, other, s);
            }
        }
        return std::nullopt;
    }

private:
    /// Receive r gets s, and the receive that had s, if any, gets what r had.
    void match(std::uint32_t r, std::uint32_t s, std::uint32_t other, std::uint32_t had) {
        matching_[r] = s;
        if (other != unmatched) matching_[other] = had;
    }

    bool succeeds() {
        if (feasibility_.breaks_a_rule(matching_)) return false;
        feasibility_.schedule(matching_, schedule_);
        return c_.replay(schedule_).s == Status::success;
    }

    Context& c_;
    MessageIndex const& m_;
    Feasibility feasibility_;
    Matching matching_;
    Schedule schedule_;
    std::vector<std::uint32_t> receive_of_; // send -> its receive in the failing run
    std::uint64_t tries_;
};

} // namespace

void find_nearest_safe_run(Context& c) {
    std::optional<Run> safe;
    try {
        if (c.messages().code().is_plain() && c.known.witness()->extent == Extent::complete)
            safe = Neighbours(c).first_that_succeeds();
    } catch (LimitReached const&) { // it is not part of the answer
    } catch (std::bad_alloc const&) {
    }
    if (!safe) safe = c.known.success();
    c.known.show_safe(std::move(safe));
}

} // namespace matchpoint::check
