#include "record/match_sets.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "check/check.hpp"
#include "machine/schedule.hpp"
#include "record/predicted.hpp"

namespace matchpoint::record {

namespace {

constexpr std::size_t most_ahead = 1'000;           // match sets
constexpr std::size_t most_matches_ahead = 200'000; // in all of them
constexpr std::uint64_t steps_ahead = 5'000'000;    // of the machine, before a run
constexpr auto time_of_checker = std::chrono::seconds(5);

} // namespace

MatchSets::MatchSets(Prepared const& prepared, Options options, Describe describe)
    : prepared_(prepared), options_(std::move(options)), describe_(std::move(describe)) {
    Explorer::Options explore;
    explore.runs = Runs::executions;
    explore.stop = [this] { return !is_counting_ && options_.stop && options_.stop(); };
    explorer_ = std::make_unique<Explorer>(prepared_.messages, explore);
}
MatchSets::~MatchSets() = default;

std::optional<MatchSets::Candidate> MatchSets::find(std::uint64_t steps) {
    while (explorer_ && trouble_.empty()) {
        if (bytes_ + explorer_->counts().stored_bytes > options_.memory) {
            trouble_ = fmt::format("a search for match sets needed more than {} MiB", options_.memory >> 20U);
            break;
        }
        std::optional<End> end;
        try {
            end = explorer_->next(steps);
        } catch (LimitReached const& e) {
            trouble_ = e.what();
            break;
        }
        if (!end) {
            if (!explorer_->done()) return std::nullopt;
            is_complete_ = true;
            break;
        }
        if (auto candidate = candidate_of(*explorer_, *end)) return candidate;
    }
    explorer_.reset();
    return std::nullopt;
}

std::optional<MatchSets::Candidate> MatchSets::candidate_of(Explorer const& explorer, End end) {
    Matches matches = matches_in(prepared_, explorer.state());
    if (!found_.insert(matches).second) return std::nullopt;
    bytes_ += sizeof(Matches) + matches.size() * sizeof(CallMatch) + 4 * sizeof(void*); // a node of the set
    Candidate c{describe_(std::move(matches), explorer.state()), {}, Worth::some};
    if (c.wanted.prediction == Prediction::fails) {
        c.worth = Worth::goes_wrong;
        c.kind = "fails";
    } else if (c.wanted.prediction == Prediction::gets_stuck) {
        c.worth = Worth::goes_wrong;
        c.kind = "gets stuck " + c.wanted.why_stuck;
    } else if (end == End::off_path) {
        c.worth = Worth::new_path;
        c.kind = "leaves the path";
        for (Location const rho : explorer.halts()) c.kind += fmt::format(" {}", rho.index);
    }
    return c;
}

void MatchSets::keep(std::optional<Candidate> candidate) {
    if (!candidate) return;
    matches_ahead_ += candidate->wanted.matches.size();
    ahead_.push_back(std::move(*candidate));
}

void MatchSets::look_ahead() {
    if (!std::exchange(is_taken_, false)) return;
    std::uint64_t const end = explorer_ ? explorer_->steps() + steps_ahead : 0;
    while (explorer_ && ahead_.size() < most_ahead && matches_ahead_ < most_matches_ahead) {
        if (!ahead_.empty() && explorer_->steps() >= end) break;
        auto candidate = find(ahead_.empty() ? options_.steps : end - explorer_->steps());
        if (!candidate) break;
        keep(std::move(candidate));
    }
    if (explorer_ && !std::exchange(has_asked_checker_, true)) ask_checker();
    if (explorer_ && ahead_.empty() && !(options_.stop && options_.stop()))
        trouble_ = "a search for match sets reached its limit";
}

void MatchSets::ask_checker() {
    check::CheckOptions options;
    options.runs = Runs::executions;
    options.time = time_of_checker;
    options.cancelled = options_.stop;
    options.memory = options_.memory;
    auto const result = check::check(prepared_.messages, options);
    // Some execution that goes on from there, to its end.
    auto const add = [&](Schedule const& schedule) {
        Machine machine(prepared_.code, Buffering::infinite);
        static_cast<void>(machine::run(machine, schedule, Extent::prefix));
        Explorer::Options explore;
        explore.runs = Runs::executions;
        explore.stop = options_.stop;
        explore.from = &machine.state();
        Explorer explorer(prepared_.messages, explore);
        try {
            if (auto const end = explorer.next(options_.steps)) keep(candidate_of(explorer, *end));
        } catch (LimitReached const&) {
            // The search goes on without it.
        }
    };
    if (result.verdict == check::Verdict::violated) add(result.run->schedule);
    if (result.deadlock.answer == check::Reached::Answer::yes) add(result.deadlock.schedule);
    Schedule way = result.leaves_path.schedule;
    if (result.leaves_path.answer == check::Reached::Answer::yes) {
        way.cut(way.size() - 1); // before the assumption
        add(way);
    }
}

std::size_t MatchSets::new_matches(Matches const& matches) const {
    return static_cast<std::size_t>(
        std::count_if(matches.begin(), matches.end(), [&](CallMatch const& m) { return !covered_.contains(m); }));
}

Worth MatchSets::worth_of(Candidate const& c, std::size_t new_matches) const {
    if (!c.kind.empty() && !kinds_.contains(c.kind)) return c.worth;
    return new_matches != 0 ? Worth::new_matches : Worth::some;
}

std::optional<MatchSets::Next> MatchSets::peek(Worth least) {
    look_ahead();
    std::optional<Next> best;
    Candidate const* best_candidate = nullptr;
    for (Candidate const& c : ahead_) {
        std::size_t const fresh = new_matches(c.wanted.matches);
        Next next{{}, worth_of(c, fresh), fresh};
        if (next.worth < least || (best && !next.is_before(*best))) continue;
        best = std::move(next);
        best_candidate = &c;
    }
    if (best) best->wanted = best_candidate->wanted;
    return best;
}

void MatchSets::take(Matches const& matches) {
    covered_.insert(matches.begin(), matches.end());
    is_taken_ = true;
    auto const c = std::find_if(ahead_.begin(), ahead_.end(),
                                [&](Candidate const& other) { return other.wanted.matches == matches; });
    if (c == ahead_.end()) return;
    if (!c->kind.empty()) kinds_.insert(std::move(c->kind));
    matches_ahead_ -= matches.size();
    ahead_.erase(c);
}

void MatchSets::was_run(Matches const& matches) {
    found_.insert(matches);
    take(matches);
}

void MatchSets::count(std::function<bool()> const& stop) {
    constexpr std::uint64_t some_steps = 100'000; // until the next look at the clock
    is_counting_ = true;                          // also after the time for runs
    while (explorer_ && !stop()) static_cast<void>(find(some_steps));
}

} // namespace matchpoint::record
