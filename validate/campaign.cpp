#include "validate/campaign.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "grammar/parse.hpp"
#include "programs/random.hpp"
#include "programs/shape.hpp"
#include "programs/smaller.hpp"
#include "smt_machine/smt_machine.hpp"
#include "validate/campaign_control.hpp"
#include "validate/program_source.hpp"
#include "validate/traits.hpp"

namespace matchpoint::validate {

namespace {

class Campaign {
public:
    Campaign(CampaignOptions const& options, std::function<bool(Result const&)> const& progress, Result before)
        : options_(options), progress_(progress), programs_(options, before.programs),
          time_(options.time, options.interrupted), result_(std::move(before)), seconds_before_(result_.seconds),
          diagnosis_(
              options, options.subject.question,
              [this] {
                  show(diagnosis_.progress());
                  return time_.is_late();
              },
              [this] { return time_.is_late_to_ask(); }) {
        result_.all = programs_.size();
        for (Found const& f : result_.found) learn(f);
        if (result_.found.empty()) return;
        std::vector<Changes> hints;
        for (Explanation const& e : result_.found.back().reason.why) hints.push_back(e.changes);
        diagnosis_.resume(result_.asked, std::move(hints));
    }

    Result run() {
        run_workers(
            options_.jobs, [this] { work(); }, [this] { stop(); });
        explain_again();
        if (time_.is_interrupted()) result_.stopped = "interrupted";
        if (time_.is_interrupted() && result_.unexplained)
            result_.stopped += " while a wrong answer was explained: " + result_.unexplained->in_words();
        result_.complete = result_.programs == result_.all && result_.disagreement.empty();
        if (time_.is_over() && !result_.complete && result_.stopped.empty())
            result_.stopped = "the time limit was reached";
        result_.seconds = seconds_before_ + time_.seconds();
        result_.seconds_missing = diagnosis_.seconds_missing();
        return std::move(result_);
    }

private:
    struct Worker {
        TemporaryFolder folder;
        std::unique_ptr<Subject> subject;
        CachingSolver solver;
        Result part = {}; // the counts of its current program

        explicit Worker(SubjectOptions const& options)
            : subject(make_subject(options, path_of(folder))),
              solver(options.solver, {.time = std::chrono::seconds(30)}) {}
    };

    void work() {
        Worker worker(options_.subject);
        while (auto item = next()) {
            one(worker, *item);
            was_asked_ = true;
            if (time_.is_interrupted()) break;
            std::lock_guard const lock(mutex_);
            done(item->number, std::exchange(worker.part, {}));
        }
    }

    void stop() { stop_ = true; }

    std::optional<ProgramSource::Item> next() {
        std::lock_guard const lock(mutex_);
        if (time_.is_interrupted() || time_.is_over()) stop_ = true;
        return stop_ ? std::nullopt : programs_.next();
    }

    /// Counts programs in their order, so that the counts are always those of the first `programs`.
    void done(std::uint64_t number, Result part) {
        ahead_.emplace(number, std::move(part));
        for (auto it = ahead_.begin(); it != ahead_.end() && it->first == result_.programs; it = ahead_.erase(it)) {
            count(it->second);
            ++result_.programs;
        }
        result_.seconds = seconds_before_ + time_.seconds();
        if (answers_nothing()) {
            result_.stopped = fmt::format("no answer about any of the first {} cases", cases());
            stop_ = true;
        }
        if (!progress_(result_)) stop_ = true;
    }

    /// Says what is done about a wrong answer, while it is done.
    void show(Progress const& now) {
        std::lock_guard const lock(mutex_);
        auto& activity = result_.activity;
        if (!activity || activity->what != now.what) activity_began_ = time_.seconds();
        activity = {now, time_.seconds() - activity_began_, std::nullopt};
        if (auto const left = time_.left_for_finding())
            activity->left = std::max(0.0, std::chrono::duration<double>(*left).count());
        report();
    }

    void show_nothing() {
        std::lock_guard const lock(mutex_);
        result_.activity.reset();
        report();
    }

    void report() {
        result_.seconds = seconds_before_ + time_.seconds();
        if (!progress_(result_)) stop_ = true;
    }

    std::uint64_t cases() const { return result_.counts[0].cases + result_.counts[1].cases; }

    /// Whether the subject cannot do what is asked at all.
    bool answers_nothing() const {
        std::uint64_t troubles = 0;
        for (Counts const& c : result_.counts)
            for (std::uint64_t const n : c.trouble) troubles += n;
        return cases() >= enough_without_answer && troubles == cases() && result_.programs < result_.all;
    }

    void count(Result& part) {
        for (std::size_t b = 0; b < 2; ++b) {
            Counts& all = result_.counts[b];
            Counts const& more = part.counts[b];
            all.cases += more.cases, all.agrees += more.agrees, all.known += more.known;
            all.unsettled += more.unsettled, all.failing += more.failing;
            for (std::size_t k = 0; k < all.wrong.size(); ++k) all.wrong[k] += more.wrong[k];
            for (std::size_t t = 0; t < trouble_count; ++t) all.trouble[t] += more.trouble[t];
        }
        for (auto const& [size, n] : part.sizes) result_.sizes[size] += n;
        for (auto const& [trait, n] : part.traits) result_.traits[trait] += n;
        for (auto const& [source, n] : part.sources) result_.sources[source] += n;
        result_.slowness.answers += part.slowness.answers;
        result_.slowness.seconds += part.slowness.seconds;
        auto& first = result_.troubles;
        for (Unanswered& u : part.troubles)
            if (std::none_of(first.begin(), first.end(), [&](Unanswered const& t) { return t.kind == u.kind; }))
                first.push_back(std::move(u));
        std::move(part.unreadable.begin(), part.unreadable.end(), std::back_inserter(result_.unreadable));
    }

    std::unique_ptr<Case> case_of(ProgramSource::Item const& item) const {
        return std::visit([&](auto const& program) { return make_case(program, options_.of_trace); }, item.program);
    }

    /// Asks about all bufferings, even if the campaign is stopped meanwhile: a program is either done or not.
    void one(Worker& worker, ProgramSource::Item const& item) {
        std::shared_ptr<Case const> const c = case_of(item);
        ++worker.part.sources[item.source];
        if (!c || (c->code.shares() && !options_.shared)) { // no encoder of messages knows shared variables
            if (auto const* const draft = std::get_if<draft::Draft>(&item.program))
                throw std::logic_error(item.origin + " breaks a rule:\n" + print(*draft));
            worker.part.unreadable.push_back(item.origin);
            return;
        }
        ++worker.part.sizes[c->code.ctp().commands.size()];
        for (std::string const& t : traits(*c)) ++worker.part.traits[t];
        for (Buffering const b : options_.bufferings) ask(worker, item, c, b);
    }

    TruthOptions truth_options(Worker& worker, Buffering b, bool twice) const {
        return {.buffering = b, .question = options_.subject.question, .solver = &worker.solver, .twice = twice};
    }

    void ask(Worker& worker, ProgramSource::Item const& item, std::shared_ptr<Case const> const& c, Buffering b) {
        Truth const known = truth(*c, truth_options(worker, b, options_.second_way));
        if (c->trace && !known.fails) return; // Lemma 3 does not apply, or the trace has no causal model
        if (!known.disagreement.empty()) {
            std::lock_guard const lock(mutex_);
            result_.disagreement =
                fmt::format("{}, {} buffering: {}\n{}", item.origin, to_string(b), known.disagreement, c->text());
            stop_ = true;
            return;
        }
        SubjectAnswer const answer = worker.subject->ask(*c, b);
        bool const wrong = answer.sat && known.fails && *answer.sat != *known.fails;
        bool const is_known = wrong && follows(*answer.sat, worker, *c, b);
        Counts& counts = worker.part.counts[b == Buffering::zero];
        ++counts.cases;
        if (!known.fails)
            ++counts.unsettled;
        else if (*known.fails)
            ++counts.failing;
        if (!answer.sat)
            trouble(worker.part, counts, answer, item, *c, b);
        else if (known.fails && !wrong)
            ++counts.agrees;
        if (answer.sat && answer.seconds > 0) {
            ++worker.part.slowness.answers;
            worker.part.slowness.seconds += answer.seconds;
        }
        if (answer.sat && !is_known) compare(worker, *c, b, *answer.sat);
        bool shrink = false;
        if (wrong) {
            std::lock_guard const lock(mutex_);
            ++counts.wrong[!*answer.sat];
            counts.known += is_known;
            // Only one worker shrinks at a time, and not after many findings that were all alike.
            shrink =
                !is_known && !shrinking_ && in_vain_ < enough_in_vain && result_.found.size() < options_.most_findings;
            if (shrink && !time_.has_time_for_finding()) {
                result_.has_unexamined = true;
                shrink = false;
            }
            if (shrink) shrinking_ = true;
        }
        if (shrink) find(worker, item, c, b, *answer.sat ? Kind::unsound : Kind::incomplete);
    }

    static void trouble(Result& part, Counts& counts, SubjectAnswer const& answer, ProgramSource::Item const& item,
                        Case const& c, Buffering b) {
        if (answer.trouble == NoAnswer::cannot_start) throw std::runtime_error("cannot start " + answer.what);
        ++counts.trouble[static_cast<std::size_t>(answer.trouble)];
        std::string what = fmt::format("{}: {}", item.origin, answer.what);
        bool const is_first = std::none_of(part.troubles.begin(), part.troubles.end(),
                                           [&](Unanswered const& u) { return u.kind == answer.trouble; });
        if (is_first)
            part.troubles.push_back({answer.trouble, std::move(what), std::string(c.text()), answer.problem, b});
    }

    /// Whether what was found before predicts a wrong answer.
    bool follows(bool sat, Worker& worker, Case const& c, Buffering b) {
        Changes flaws;
        {
            std::lock_guard const lock(mutex_);
            if (always_ == sat) return true;
            flaws = known_;
        }
        return flaws.any() && predicted(c, b, flaws, worker.solver, options_.subject.question) == sat;
    }

    /// Keeps an answer that the last explanation does not predict.
    void compare(Worker& worker, Case const& c, Buffering b, bool sat) {
        Changes explained;
        std::optional<bool> said;
        {
            std::lock_guard const lock(mutex_);
            said = always_;
            if (said && *said != sat) always_.reset();
            if ((explained_.none() && !said) || surprises_.size() >= most_surprises) return;
            explained = explained_;
        }
        if (c.code.ctp().commands.size() > largest_compared) return;
        if (!said) said = predicted(c, b, explained, worker.solver, options_.subject.question);
        if (!said || *said == sat || time_.is_interrupted()) return;
        std::lock_guard const lock(mutex_);
        surprises_.push_back({std::string(c.text()), b, sat});
        result_.asked.push_back(surprises_.back());
    }

    /// With all that was observed in the campaign, at its end.
    void explain_again() {
        if (result_.found.empty() || !was_asked_ || time_.is_interrupted()) return;
        bool const is_refuted = !always_ && std::any_of(result_.found.begin(), result_.found.end(),
                                                        [](Found const& f) { return f.reason.always.has_value(); });
        if (result_.programs < result_.all && result_.found.size() < options_.most_findings && !is_refuted) return;
        Worker worker(options_.subject);
        time_.begin_finding(std::chrono::seconds(10));
        known_.reset();
        for (Found& f : result_.found) {
            std::shared_ptr<Case const> const smallest = make_case(f.smallest, options_.of_trace);
            Reason before = f.reason;
            explain(worker, f, {smallest, smallest, f.buffering, f.kind == Kind::unsound, known_});
            if (f.reason.is_cut_short && !before.is_cut_short) f.reason = std::move(before);
            learn(f);
        }
        result_.asked = diagnosis_.further();
    }

    /// Only one thread at a time uses the diagnosis.
    void explain(Worker& worker, Found& found, WrongAnswer const& wrong) {
        std::vector<Answered> surprises;
        {
            std::lock_guard const lock(mutex_);
            surprises = std::exchange(surprises_, {});
        }
        for (Answered const& a : surprises) diagnosis_.add(a);
        found.reason = diagnosis_.explain(wrong, worker.solver,
                                          [&](Case const& c, Buffering b) { return worker.subject->ask(c, b).sat; });
        show_nothing();
    }

    /// Adds what the explanation says of this finding to the known flaws, unless it explains too little.
    void learn(Found const& found) {
        if (found.reason.always) always_ = found.reason.always->sat;
        if (!is_explained(found.reason.why)) return;
        known_ |= found.reason.why.front().here;
        explained_ = found.reason.why.front().changes;
    }

    /// Shrinks a wrong answer and explains it. Goes on even if the campaign is stopped meanwhile, so that the findings
    /// do not depend on timing.
    void find(Worker& worker, ProgramSource::Item const& item, std::shared_ptr<Case const> const& c, Buffering b,
              Kind kind) {
        time_.begin_finding();
        {
            std::lock_guard const lock(mutex_);
            result_.unexplained = {kind, b, item.origin, std::string(c->text())};
        }
        // Only the worker that shrinks changes known_.
        Changes const flaws = known_;
        auto const is_wrong = [&](Case const& smaller, Truth* known, SubjectAnswer* answer) {
            Truth t = truth(smaller, truth_options(worker, b, false));
            if (!t.fails || *t.fails != (kind == Kind::incomplete)) return false;
            SubjectAnswer s = worker.subject->ask(smaller, b);
            if (!s.sat || *s.sat != (kind == Kind::unsound)) return false;
            if (flaws.any() && predicted(smaller, b, flaws, worker.solver, options_.subject.question) == s.sat)
                return false;
            if (known != nullptr) *known = std::move(t);
            if (answer != nullptr) *answer = std::move(s);
            return true;
        };
        draft::Draft start = draft::draft_of(c->program);
        start.traces.resize(options_.of_trace ? 1 : 0);
        auto const shrunk = draft::shrink(
            start,
            [&](draft::Draft const& d) {
                if (time_.is_late_to_shrink()) return false;
                show({"making the program of a wrong answer smaller"});
                auto const smaller = make_case(d, options_.of_trace);
                return smaller && is_wrong(*smaller, nullptr, nullptr);
            },
            options_.shrink_calls);
        show_nothing();
        Found found{.kind = kind, .buffering = b, .origin = item.origin, .program = std::string(c->text())};
        found.smallest = print(shrunk.draft);
        found.shape = draft::shape(shrunk.draft);
        {
            std::lock_guard const lock(mutex_);
            for (Found& other : result_.found)
                if (other.kind == kind && other.buffering == b && other.shape == found.shape) {
                    ++other.like_it;
                    ++in_vain_;
                    end_of_finding();
                    return;
                }
            in_vain_ = 0;
        }
        std::shared_ptr<Case const> const smallest = make_case(shrunk.draft, options_.of_trace);
        if (!is_wrong(*smallest, &found.truth, &found.answer)) {
            // The subject does not always give the same answer, or was no longer asked.
            std::lock_guard const lock(mutex_);
            end_of_finding();
            return;
        }
        found.ours = our_problem(*smallest, b);
        found.replay = replay(*smallest, b, found.answer);
        explain(worker, found, {c, smallest, b, kind == Kind::unsound, flaws});
        std::lock_guard const lock(mutex_);
        end_of_finding();
        if (time_.is_interrupted()) return;
        learn(found);
        result_.asked = diagnosis_.further();
        result_.found.push_back(std::move(found));
        if (result_.found.size() >= options_.most_findings) stop_ = true;
    }

    /// If it was interrupted, the finding is made again when the campaign goes on.
    void end_of_finding() {
        shrinking_ = false;
        time_.end_finding();
        if (!time_.is_interrupted()) result_.unexplained.reset();
    }

    std::string our_problem(Case const& c, Buffering b) const {
        if (c.trace && !options_.subject.question.model) {
            auto const problem = getSMT(c.code, 0, b);
            return problem ? print(*problem, c.code) : std::string();
        }
        auto const problem = exact_problem(c, b, options_.subject.question);
        return problem ? *problem + "(check-sat)\n" : std::string();
    }

    static constexpr std::size_t enough_in_vain = 25;
    static constexpr std::uint64_t enough_without_answer = 20;
    static constexpr std::size_t most_surprises = 30;
    static constexpr std::size_t largest_compared = 30; // commands

    CampaignOptions const& options_;
    std::function<bool(Result const&)> const& progress_;
    ProgramSource programs_;
    CampaignTime time_;
    std::mutex mutex_;
    std::atomic<bool> stop_{false};
    Result result_;
    std::map<std::uint64_t, Result> ahead_; // programs that are done before an earlier one is
    double seconds_before_;
    // For the worker that shrinks:
    Diagnosis diagnosis_;
    Changes known_;              // the flaws of the subject found so far
    std::optional<bool> always_; // the only answer that the subject has given
    double activity_began_ = 0;
    Changes explained_;               // those of the last explanation, which may not all have been found
    std::vector<Answered> surprises_; // answers that it does not predict
    std::atomic<bool> was_asked_{false};
    bool shrinking_ = false;
    std::size_t in_vain_ = 0; // consecutive findings that were like earlier ones
};

} // namespace

std::string Unexplained::in_words() const {
    bool const is_unsound = kind == Kind::unsound;
    return fmt::format("{}, {} buffering: it says {}, and {} run fails", origin, to_string(buffering),
                       is_unsound ? "sat" : "unsat", is_unsound ? "no" : "some");
}

Result run_campaign(CampaignOptions const& options, std::function<bool(Result const&)> const& progress, Result before) {
    return Campaign(options, progress, std::move(before)).run();
}

} // namespace matchpoint::validate
