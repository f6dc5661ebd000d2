#include "validate/reducers/campaign.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/source.hpp"
#include "rma/language/parse.hpp"
#include "rma/language/print.hpp"
#include "rma/programs/random.hpp"
#include "rma/programs/small.hpp"
#include "rma/programs/smaller.hpp"
#include "validate/campaign_control.hpp"
#include "validate/reducers/explain.hpp"

namespace matchpoint::validate::reducers {

namespace {

using Clock = CampaignTime::Clock;

constexpr std::uint64_t enough_without_answer = 20;
constexpr std::size_t enough_in_vain = 10; // findings that were all alike
constexpr std::size_t most_right = 200;    // observations
constexpr std::size_t most_wrong = 100;
constexpr std::size_t largest_observed = 8; // statements
constexpr std::chrono::seconds long_explanation{20};

struct Item {
    std::string source;
    std::string origin;
    std::optional<rma::Program> program; // none if it cannot be read
};

/// The programs of a campaign, in the order of their numbers.
class Programs {
public:
    explicit Programs(CampaignOptions const& options)
        : options_(options), small_(options.level), small_count_(options.level == 0 ? 0 : small_.size()) {}

    std::uint64_t size() const { return small_count_ + options_.random + options_.corpus.size(); }

    Item operator[](std::uint64_t number) const {
        if (number < small_count_) return {"small", fmt::format("small program {}", number), small_[number]};
        number -= small_count_;
        if (number < options_.random)
            return {"random", fmt::format("random program {} of seed {}", number, options_.seed),
                    rma::random_program(options_.seed, number)};
        return of_file(options_.corpus[number - options_.random]);
    }

private:
    static Item of_file(std::string const& file) {
        Source const source(file, read_file(file).value_or({}));
        auto program = rma::parse_rma(source);
        return {"corpus", file, program ? std::optional(std::move(*program)) : std::nullopt};
    }

    CampaignOptions const& options_;
    rma::SmallPrograms small_;
    std::uint64_t small_count_;
};

class Campaign {
public:
    Campaign(CampaignOptions const& options, std::function<bool(Result const&)> const& progress)
        : options_(options), progress_(progress), programs_(options), time_(options.time, options.interrupted) {
        result_.all = programs_.size();
    }

    Result run() {
        run_workers(
            options_.jobs, [this] { work(); }, [this] { stop(); });
        if (!time_.is_interrupted()) explain_again();
        if (time_.is_interrupted()) result_.stopped = "interrupted";
        result_.complete = result_.programs == result_.all;
        result_.seconds = time_.seconds();
        return std::move(result_);
    }

private:
    struct Worker {
        TemporaryFolder folder;
        std::unique_ptr<Reducer> reducer;

        explicit Worker(ReducerOptions const& options) : reducer(make_reducer(options, path_of(folder))) {}
    };

    void work() {
        Worker worker(options_.reducer);
        while (auto const number = next()) one(worker, programs_[*number]);
    }

    void stop() {
        std::lock_guard const lock(mutex_);
        stop_ = true;
    }

    std::optional<std::uint64_t> next() {
        std::lock_guard const lock(mutex_);
        if (time_.is_interrupted() || time_.is_over()) stop_ = true;
        if (stop_ || next_ == programs_.size()) return std::nullopt;
        return next_++;
    }

    /// Whether explaining has to end.
    std::function<bool()> explaining() const {
        return [this, until = Clock::now() + long_explanation] { return time_.is_late() || Clock::now() > until; };
    }

    void one(Worker& worker, Item const& item) {
        if (!item.program) {
            std::lock_guard const lock(mutex_);
            result_.unreadable.push_back(item.origin);
            done(item);
            return;
        }
        Outcome const truth = truth_of(*item.program, options_.reducer.outcome);
        Reply const reply = worker.reducer->ask(*item.program);
        if (reply.trouble == NoAnswer::cannot_start) throw std::runtime_error("cannot start " + reply.what);
        if (time_.is_interrupted()) return;
        bool const shrink = count(item, truth, reply);
        if (shrink) find(worker, item);
        std::lock_guard const lock(mutex_);
        done(item);
    }

    void done(Item const& item) {
        ++result_.sources[item.source];
        ++result_.programs;
        result_.seconds = time_.seconds();
        Counts const& c = result_.counts;
        std::uint64_t troubles = 0;
        for (std::uint64_t const n : c.trouble) troubles += n;
        if (c.cases >= enough_without_answer && troubles == c.cases && result_.programs < result_.all) {
            result_.stopped = fmt::format("no answer about any of the first {} programs", c.cases);
            stop_ = true;
        }
        if (options_.most_findings > 0 && result_.found.size() >= options_.most_findings) stop_ = true;
        if (!progress_(result_)) stop_ = true;
    }

    /// Whether this is a finding that should be shrunk by the one who asks.
    bool count(Item const& item, Outcome const& truth, Reply const& reply) {
        rma::Literal known;
        bool is_any_known = false;
        {
            std::lock_guard const lock(mutex_);
            known = known_;
            is_any_known = is_any_known_;
        }
        Verdict const v = reply.outcome ? verdict(truth, *reply.outcome) : Verdict::unsettled;
        bool const is_known = v == Verdict::unsound && is_any_known && is_predicted(*item.program, truth, known);
        std::lock_guard const lock(mutex_);
        Counts& c = result_.counts;
        ++c.cases;
        c.violated += truth.violated ? 1 : 0;
        if (!reply.outcome) {
            trouble(item, reply);
            return false;
        }
        c.sound += v == Verdict::sound ? 1 : 0;
        c.unsound += v == Verdict::unsound ? 1 : 0;
        c.unsettled += v == Verdict::unsettled ? 1 : 0;
        c.known += is_known ? 1 : 0;
        if (truth.complete) {
            c.imprecise += !truth.violated && reply.outcome->violated ? 1 : 0;
            c.more += std::includes(truth.finals.begin(), truth.finals.end(), reply.outcome->finals.begin(),
                                    reply.outcome->finals.end())
                          ? 0
                          : 1;
        }
        observe({*item.program, truth, *reply.outcome});
        if (v != Verdict::unsound || is_known || shrinking_ || in_vain_ >= enough_in_vain ||
            result_.found.size() >= options_.most_findings)
            return false;
        return shrinking_ = true;
    }

    void trouble(Item const& item, Reply const& reply) {
        ++result_.counts.trouble[static_cast<std::size_t>(reply.trouble)];
        auto& first = result_.troubles;
        if (std::none_of(first.begin(), first.end(), [&](auto const& t) { return t.first == reply.trouble; }))
            first.emplace_back(reply.trouble, fmt::format("{}: {}", item.origin, reply.what));
    }

    /// Keeps what the explanations are held against.
    void observe(Observation o) {
        if (rma::Graph(o.program).has_atomics()) return; // Table 2 does not know them
        if (!o.truth.complete || !o.theirs.complete || o.program.statements.size() > largest_observed) return;
        bool const is_wrong = verdict(o.truth, o.theirs) == Verdict::unsound;
        std::size_t& n = is_wrong ? wrong_observed_ : right_observed_;
        if (n >= (is_wrong ? most_wrong : most_right)) return;
        ++n;
        observed_.push_back(std::move(o));
    }

    static bool is_predicted(rma::Program const& program, Outcome const& truth, rma::Literal const& known) {
        if (rma::Graph(program).has_atomics()) return false;
        return verdict(truth, reading_of(program, known)) == Verdict::unsound;
    }

    // ---- findings: one worker at a time

    void find(Worker& worker, Item const& item) {
        time_.begin_finding();
        rma::Literal const known = known_; // only the worker that shrinks changes it
        bool const is_any_known = is_any_known_;
        std::vector<Observation> seen;
        auto const is_wrong = [&](rma::Program const& p) {
            if (time_.is_late()) return false;
            Outcome const truth = truth_of(p, options_.reducer.outcome);
            Reply reply = worker.reducer->ask(p);
            if (!reply.outcome) return false;
            bool const wrong = verdict(truth, *reply.outcome) == Verdict::unsound;
            if (seen.size() < most_right) seen.push_back({p, truth, std::move(*reply.outcome)});
            return wrong && !(is_any_known && is_predicted(p, truth, known));
        };
        rma::Program const smallest = rma::shrink(*item.program, is_wrong, options_.shrink_calls);
        std::vector<Observation> observed;
        {
            std::lock_guard const lock(mutex_);
            shrinking_ = false;
            for (Observation& o : seen) observe(std::move(o));
            if (is_like_another(rma::print(smallest))) return;
            observed = observed_;
        }
        Outcome const truth = truth_of(smallest, options_.reducer.outcome);
        Reply const reply = worker.reducer->ask(smallest);
        if (!reply.outcome || verdict(truth, *reply.outcome) != Verdict::unsound) return; // not always the same answer
        Found found{.origin = item.origin,
                    .program = rma::print(*item.program),
                    .smallest = rma::print(smallest),
                    .reduced = reply.printed,
                    .missing = missing(truth, *reply.outcome),
                    .run = {},
                    .readings = {}};
        found.run = run_to(smallest, truth, *reply.outcome);
        observed.push_back({smallest, truth, *reply.outcome});
        if (!rma::Graph(smallest).has_atomics())
            found.readings = Readings(observed, explaining()).best(observed.size() - 1);
        std::lock_guard const lock(mutex_);
        learn(found);
        if (!rma::Graph(smallest).has_atomics())
            explained_.emplace_back(result_.found.size(), std::move(observed.back()));
        result_.found.push_back(std::move(found));
    }

    bool is_like_another(std::string const& smallest) {
        for (Found& other : result_.found) {
            if (other.smallest != smallest) continue;
            ++other.like_it;
            ++in_vain_;
            return true;
        }
        in_vain_ = 0;
        return false;
    }

    void learn(Found const& found) {
        if (!is_explained(found.readings)) return;
        for (std::string const& entry : found.readings.front().entries) rma::set_literal(known_, entry);
        is_any_known_ = true;
    }

    /// With all that was observed in the campaign.
    void explain_again() {
        time_.begin_finding();
        std::size_t at = observed_.size();
        for (auto& [number, o] : explained_) observed_.push_back(std::move(o));
        if (observed_.empty()) return;
        Readings readings(observed_, explaining());
        for (auto const& [number, moved] : explained_)
            if (auto better = readings.best(at++); !better.empty()) result_.found[number].readings = std::move(better);
        result_.readings = readings.best(std::nullopt);
    }

    CampaignOptions const& options_;
    std::function<bool(Result const&)> const& progress_;
    Programs programs_;
    CampaignTime time_;
    std::mutex mutex_; // for everything below
    std::uint64_t next_ = 0;
    bool stop_ = false;
    bool shrinking_ = false;
    std::size_t in_vain_ = 0;
    rma::Literal known_; // readings that explain findings
    bool is_any_known_ = false;
    std::vector<Observation> observed_;
    std::vector<std::pair<std::size_t, Observation>> explained_; // findings, with the smallest program of each
    std::size_t right_observed_ = 0;
    std::size_t wrong_observed_ = 0;
    Result result_;
};

} // namespace

Result run_campaign(CampaignOptions const& options, std::function<bool(Result const&)> const& progress) {
    return Campaign(options, progress).run();
}

} // namespace matchpoint::validate::reducers
