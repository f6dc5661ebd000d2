#include "validate/campaign.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <stdlib.h>

#include "executions/sample.hpp"
#include "grammar/parse.hpp"
#include "programs/random.hpp"
#include "programs/small.hpp"
#include "programs/smaller.hpp"
#include "smt_machine/smt_machine.hpp"
#include "validate/subject.hpp"

namespace matchpoint::validate {

namespace {

using Clock = std::chrono::steady_clock;

/// A folder for a thread's files, gone with it.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "matchpoint.XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder " + name);
        path_ = name;
    }
    Folder(Folder const&) = delete;
    Folder& operator=(Folder const&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// Where programs come from, in the order of their numbers.
class Programs {
public:
    struct Item {
        std::uint64_t number; // in this shard, from 0
        std::string source;   // "small", "random", "corpus"
        std::string origin;
        std::string text;
    };

    /// Without the first `skip`.
    Programs(CampaignOptions const& options, std::uint64_t skip) : options_(options), skip_(skip) {
        if (options.level > 0) {
            small_count_ = count_small_programs(small_bound(options.level));
            small_.emplace(small_bound(options.level), options.shards, options.shard - 1);
        }
        std::uint64_t const all = small_count_ + options.random + options.corpus.size();
        in_shard_ = all / options.shards + (all % options.shards >= options.shard ? 1 : 0);
    }

    std::uint64_t size() const { return in_shard_; }

    /// None: there is no further one.
    std::optional<Item> next() {
        while (next_ < in_shard_) {
            std::uint64_t const number = next_++;
            std::uint64_t const global = number * options_.shards + options_.shard - 1;
            Item item{number, "small", fmt::format("small program {}", global), {}};
            if (global < small_count_) {
                // The enumeration goes through all of them anyway.
                auto draft = small_->next();
                if (!draft || number < skip_) continue;
                if (options_.of_trace) recorded(*draft, global);
                item.text = print(std::move(*draft));
            } else if (std::uint64_t const i = global - small_count_; i < options_.random) {
                if (number < skip_) continue;
                item.source = "random";
                item.origin = fmt::format("random program {} of seed {}", i, options_.seed);
                item.text = print(random_one(i));
            } else {
                if (number < skip_) continue;
                item.source = "corpus";
                item.origin = options_.corpus.at(i - options_.random);
                std::ifstream in(item.origin, std::ios::binary);
                item.text.assign(std::istreambuf_iterator<char>(in), {});
            }
            return item;
        }
        return std::nullopt;
    }

private:
    draft::Draft random_one(std::uint64_t i) const;
    void recorded(draft::Draft& draft, std::uint64_t number) const;

    CampaignOptions const& options_;
    std::uint64_t skip_;
    std::uint64_t small_count_ = 0;
    std::uint64_t in_shard_ = 0;
    std::uint64_t next_ = 0;
    std::optional<SmallPrograms> small_;
};

/// Shapes by turns, so that no knob is always there.
draft::Draft Programs::random_one(std::uint64_t i) const {
    RandomShape shape;
    switch (i % 4) {
    case 0: break;
    case 1: shape.threads = 3, shape.messages = 3, shape.several_endpoints = 20; break;
    case 2: shape.messages = 9, shape.threads = 5; break;
    case 3: shape.dependencies = 90, shape.orphans = 60, shape.unwaited_receives = 50; break;
    }
    if (options_.of_trace) {
        shape.trace = true;
        shape.buffering = options_.bufferings[i / 4 % options_.bufferings.size()];
    }
    return random_program(options_.seed, i, shape).draft;
}

/// Gives a program a trace: a random execution of it.
void Programs::recorded(draft::Draft& draft, std::uint64_t number) const {
    auto const c = make_case(print(draft), false);
    if (!c) return;
    std::mt19937_64 random(number);
    Sample const sample(c->messages, options_.bufferings[number % options_.bufferings.size()], random);
    c->program.traces.push_back(sample.schedule().trace(c->code));
    draft = draft::draft_of(c->program);
}

class Campaign {
public:
    Campaign(CampaignOptions const& options, std::function<bool(Result const&)> const& progress, Result before)
        : options_(options), progress_(progress), programs_(options, before.programs), start_(Clock::now()),
          result_(std::move(before)), seconds_before_(result_.seconds) {
        result_.all = programs_.size();
        for (Found const& f : result_.found) learn(f);
    }

    Result run() {
        std::vector<std::thread> workers;
        for (unsigned j = 1; j < options_.jobs; ++j) workers.emplace_back([this] { work(); });
        work();
        for (std::thread& w : workers) w.join();
        if (failure_) std::rethrow_exception(failure_);
        result_.complete = result_.programs == result_.all && result_.disagreement.empty();
        result_.seconds = seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
        return std::move(result_);
    }

private:
    struct Worker {
        Folder folder;
        std::unique_ptr<Subject> subject;
        Answers solver;
        Result part = {}; // of the program that it is at: what is counted

        explicit Worker(SubjectOptions const& options)
            : subject(make_subject(options, folder.path())),
              solver(options.solver, {.time = std::chrono::seconds(30)}) {}
    };

    void work() {
        try {
            Worker worker(options_.subject);
            while (auto item = next()) {
                one(worker, *item);
                std::lock_guard const lock(mutex_);
                done(item->number, std::exchange(worker.part, {}));
            }
        } catch (...) {
            std::lock_guard const lock(mutex_);
            if (!failure_) failure_ = std::current_exception();
            stop_ = true;
        }
    }

    std::optional<Programs::Item> next() {
        std::lock_guard const lock(mutex_);
        if (options_.time && Clock::now() - start_ > *options_.time) stop_ = true;
        return stop_ ? std::nullopt : programs_.next();
    }

    /// Programs are counted in their order, so that what is counted is that of the first `programs`.
    void done(std::uint64_t number, Result part) {
        ahead_.emplace(number, std::move(part));
        for (auto it = ahead_.begin(); it != ahead_.end() && it->first == result_.programs; it = ahead_.erase(it)) {
            count(it->second);
            ++result_.programs;
        }
        result_.seconds = seconds_before_ + std::chrono::duration<double>(Clock::now() - start_).count();
        if (!progress_(result_)) stop_ = true;
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
        auto& first = result_.troubles;
        for (auto& [kind, what] : part.troubles)
            if (std::none_of(first.begin(), first.end(), [k = kind](auto const& t) { return t.first == k; }))
                first.emplace_back(kind, std::move(what));
        std::move(part.unreadable.begin(), part.unreadable.end(), std::back_inserter(result_.unreadable));
    }

    /// All bufferings, even if it is to stop meanwhile: what is done is not asked again.
    void one(Worker& worker, Programs::Item const& item) {
        std::shared_ptr<Case const> const c = make_case(item.text, options_.of_trace);
        ++worker.part.sources[item.source];
        if (!c) {
            if (item.source != "corpus") throw std::logic_error(item.origin + " breaks a rule:\n" + item.text);
            worker.part.unreadable.push_back(item.origin);
            return;
        }
        ++worker.part.sizes[c->code.ctp().commands.size()];
        for (std::string const& t : traits(*c)) ++worker.part.traits[t];
        for (Buffering const b : options_.bufferings) ask(worker, item, c, b);
    }

    TruthOptions truth_options(Worker& worker, Buffering b, bool twice) const {
        return {.buffering = b, .solver = &worker.solver, .twice = twice};
    }

    void ask(Worker& worker, Programs::Item const& item, std::shared_ptr<Case const> const& c, Buffering b) {
        Truth const known = truth(*c, truth_options(worker, b, options_.second_way));
        if (c->trace && !known.fails) return; // Lemma 3 does not speak of it
        if (!known.disagreement.empty()) {
            std::lock_guard const lock(mutex_);
            result_.disagreement =
                fmt::format("{}, {} buffering: {}\n{}", item.origin, to_string(b), known.disagreement, c->text());
            stop_ = true;
            return;
        }
        Said const said = worker.subject->ask(*c, b);
        bool const wrong = said.sat && known.fails && *said.sat != *known.fails;
        Changes flaws;
        {
            std::lock_guard const lock(mutex_);
            flaws = known_;
        }
        bool const is_known = wrong && flaws.any() && predicted(*c, b, flaws, worker.solver) == said.sat;
        Counts& counts = worker.part.counts[b == Buffering::zero];
        ++counts.cases;
        if (!known.fails)
            ++counts.unsettled;
        else if (*known.fails)
            ++counts.failing;
        if (!said.sat)
            trouble(worker.part, counts, said, item);
        else if (known.fails && !wrong)
            ++counts.agrees;
        bool shrink = false;
        if (wrong) {
            std::lock_guard const lock(mutex_);
            ++counts.wrong[!*said.sat];
            counts.known += is_known;
            // One at a time is shrunk; of what is like others there is enough.
            shrink =
                !is_known && !shrinking_ && in_vain_ < enough_in_vain && result_.found.size() < options_.most_findings;
            if (shrink) shrinking_ = true;
        }
        if (shrink) find(worker, item, c, b, *said.sat ? Kind::unsound : Kind::incomplete);
    }

    static void trouble(Result& part, Counts& counts, Said const& said, Programs::Item const& item) {
        if (said.trouble == NoAnswer::cannot_start) throw std::runtime_error("cannot start " + said.what);
        ++counts.trouble[static_cast<std::size_t>(said.trouble)];
        part.troubles.emplace_back(said.trouble, fmt::format("{}: {}", item.origin, said.what));
    }

    /// What is wrong with the subject is known now. What agrees with it less often than without is no more than a guess.
    void learn(Found const& found) {
        if (found.why.empty()) return;
        std::size_t const missed = found.why.front().of - found.why.front().agrees;
        if (missed > missed_) return;
        known_ |= found.why.front().changes;
        missed_ = missed;
    }

    /// What the subject says of programs of many kinds, to tell explanations apart by.
    void observe(Worker& worker) {
        if (!observations_.empty()) return;
        CampaignOptions some = options_;
        some.level = 6;
        some.random = 0;
        some.corpus.clear();
        some.shards = count_small_programs(small_bound(some.level)) / observed, some.shard = 1;
        Programs small(some, 0);
        some.level = 0;
        some.random = observed;
        some.shards = 1;
        Programs random(some, 0);
        for (Programs* const programs : {&small, &random})
            while (auto const item = programs->next()) {
                std::shared_ptr<Case const> const c = make_case(item->text, options_.of_trace);
                if (!c) continue;
                for (Buffering const b : options_.bufferings) {
                    if (c->trace && !truth(*c, truth_options(worker, b, false)).fails) continue;
                    if (Said const said = worker.subject->ask(*c, b); said.sat)
                        observations_.push_back({c, b, *said.sat});
                }
            }
    }

    /// Shrinks what is wrong, and says why. That is done even if it is to stop meanwhile, so that what is found does not
    /// depend on when. With a limit for all it has that much once more, or a minute.
    void find(Worker& worker, Programs::Item const& item, std::shared_ptr<Case const> const& c, Buffering b,
              Kind kind) {
        auto const began = Clock::now();
        auto const is_late = [&] {
            return options_.time && Clock::now() - began > std::max(*options_.time, std::chrono::milliseconds(60'000));
        };
        observe(worker);
        // What is known is only changed by who shrinks.
        Changes const flaws = known_;
        auto const is_wrong = [&](Case const& smaller, Truth* known, Said* said) {
            Truth t = truth(smaller, truth_options(worker, b, false));
            if (!t.fails || *t.fails != (kind == Kind::incomplete)) return false;
            Said s = worker.subject->ask(smaller, b);
            if (!s.sat || *s.sat != (kind == Kind::unsound)) return false;
            if (flaws.any() && predicted(smaller, b, flaws, worker.solver) == s.sat) return false;
            if (known != nullptr) *known = std::move(t);
            if (said != nullptr) *said = std::move(s);
            return true;
        };
        draft::Draft start = draft::draft_of(c->program);
        start.traces.resize(options_.of_trace ? 1 : 0);
        auto const shrunk = draft::shrink(
            start,
            [&](draft::Draft const& d) {
                if (is_late()) return false;
                auto const smaller = make_case(print(d), options_.of_trace);
                return smaller && is_wrong(*smaller, nullptr, nullptr);
            },
            options_.shrink_calls);
        Found found{.kind = kind, .buffering = b, .origin = item.origin, .program = std::string(c->text())};
        found.smallest = print(shrunk.draft);
        found.shape = draft::shape(shrunk.draft);
        {
            std::lock_guard const lock(mutex_);
            for (Found& other : result_.found)
                if (other.kind == kind && other.buffering == b && other.shape == found.shape) {
                    ++other.like_it;
                    ++in_vain_;
                    shrinking_ = false;
                    return;
                }
            in_vain_ = 0;
        }
        auto const smallest = make_case(found.smallest, options_.of_trace);
        if (!is_wrong(*smallest, &found.truth, &found.said)) {
            // Its answer is not always the same.
            std::lock_guard const lock(mutex_);
            shrinking_ = false;
            return;
        }
        found.ours = our_problem(*smallest, b);
        found.replay = replay(*smallest, b, found.said);
        found.why = explain(*smallest, b, kind, flaws, worker.solver, observations_);
        distinguish(worker, c, b, flaws, found.why, is_late);
        std::lock_guard const lock(mutex_);
        learn(found);
        result_.found.push_back(std::move(found));
        shrinking_ = false;
        if (result_.found.size() >= options_.most_findings) stop_ = true;
    }

    /// Explanations that agree with the subject alike: asks it about programs of which they say different things.
    void distinguish(Worker& worker, std::shared_ptr<Case const> const& first, Buffering b, Changes const& flaws,
                     std::vector<Explanation>& why, std::function<bool()> const& is_late) {
        auto const best = [&] {
            return static_cast<std::size_t>(std::count_if(why.begin(), why.end(), [&](Explanation const& e) {
                return e.agrees == why.front().agrees && e.of == why.front().of;
            }));
        };
        // What the program has in it, with less of it; then anything.
        std::vector<std::string> near;
        draft::Draft start = draft::draft_of(first->program);
        start.traces.resize(options_.of_trace ? 1 : 0);
        draft::shrink(
            start,
            [&](draft::Draft const& d) {
                near.push_back(print(d));
                return false;
            },
            most_to_distinguish / 2);
        std::shared_ptr<Case const> c = first;
        for (std::uint64_t next = 0; best() > 1 && next < most_to_distinguish && !is_late(); ++next) {
            if (next > 0 && next <= near.size()) {
                c = make_case(std::move(near[next - 1]), options_.of_trace);
            } else if (next > 0) {
                RandomShape few;
                few.messages = static_cast<unsigned>(2 + next % 3), few.threads = 3;
                few.orphans = 60, few.unwaited_receives = 60, few.several_assertions = 60, few.divisions = 0;
                few.trace = options_.of_trace, few.buffering = b;
                c = make_case(print(random_program(~options_.seed, next, few).draft), options_.of_trace);
            }
            if (!c || (c->trace && !truth(*c, truth_options(worker, b, false)).fails)) continue;
            std::size_t const tied = best();
            std::vector<std::optional<bool>> says;
            for (std::size_t i = 0; i < tied; ++i)
                says.push_back(predicted(*c, b, flaws | why[i].changes, worker.solver));
            if (std::adjacent_find(says.begin(), says.end(), std::not_equal_to<>()) == says.end()) continue;
            Said const said = worker.subject->ask(*c, b);
            if (!said.sat) continue;
            for (std::size_t i = 0; i < tied; ++i) ++why[i].of, why[i].agrees += says[i] == said.sat;
            std::stable_sort(why.begin(), why.begin() + static_cast<std::ptrdiff_t>(tied),
                             [](Explanation const& x, Explanation const& y) { return x.agrees > y.agrees; });
        }
    }

    std::string our_problem(Case const& c, Buffering b) const {
        if (c.trace) {
            auto const problem = getSMT(c.code, 0, b);
            return problem ? print(*problem, c.code) : std::string();
        }
        EncoderOptions options;
        options.buffering = b;
        return encode::encode(c.messages, *pairs_by(c.messages, b, PairsMethod::tight), options);
    }

    static constexpr std::uint64_t observed = 60;
    static constexpr std::uint64_t most_to_distinguish = 100;
    static constexpr std::size_t enough_in_vain = 25;

    CampaignOptions const& options_;
    std::function<bool(Result const&)> const& progress_;
    Programs programs_;
    Clock::time_point start_;
    std::mutex mutex_;
    std::atomic<bool> stop_{false};
    Result result_;
    std::map<std::uint64_t, Result> ahead_; // what is done behind one that is not
    double seconds_before_;
    std::vector<Observation> observations_; // of who shrinks
    Changes known_;                         // what is wrong with the subject, as far as was found
    std::size_t missed_ = SIZE_MAX;         // observations that these changes do not predict
    bool shrinking_ = false;
    std::size_t in_vain_ = 0; // findings that were like others, one after the other
    std::exception_ptr failure_;
};

} // namespace

std::vector<std::string> traits(Case const& c) {
    MessageIndex const& m = c.messages;
    Ctp const& ctp = c.code.ctp();
    std::set<std::string> found;
    std::size_t assertions = 0;
    std::map<std::uint32_t, std::size_t> definitions;
    for (Thread const& t : ctp.threads) {
        bool waited = false;
        std::set<std::uint32_t> receives_at, sends_from;
        std::uint32_t last = 0;
        for (std::uint32_t i = t.first; i < t.last; ++i) {
            Command const& command = ctp.commands[i].c;
            if (std::holds_alternative<Assert>(command)) ++assertions;
            if (std::holds_alternative<Assume>(command)) found.insert("assumptions");
            if (auto const* assign = std::get_if<Assign>(&command)) ++definitions[assign->x.index];
            if (auto const* rcvi = std::get_if<Rcvi>(&command)) {
                ++definitions[rcvi->x.index];
                receives_at.insert(rcvi->beta.index);
            }
            if (auto const* sndi = std::get_if<Sndi>(&command)) {
                sends_from.insert(sndi->alpha.index);
                if (waited) found.insert("sends behind waits for receives");
            }
            if (auto const* wait = std::get_if<Wait>(&command)) {
                std::uint32_t const issued = c.code.issued_at(wait->a).index;
                if (issued < last) found.insert("waits out of order");
                last = std::max(last, issued);
                waited = waited || c.code.as_rcvi(wait->a) != nullptr;
            }
        }
        if (receives_at.size() > 1) found.insert("a thread receives at several endpoints");
        if (sends_from.size() > 1) found.insert("a thread sends from several endpoints");
    }
    found.insert(assertions == 0 ? "no assertion" : assertions == 1 ? "one assertion" : "several assertions");
    if (std::any_of(definitions.begin(), definitions.end(), [](auto const& d) { return d.second > 1; }))
        found.insert("variables with several definitions");
    if (may_divide_by_zero(ctp)) found.insert("divisions");
    std::map<std::uint32_t, std::size_t> sent;
    for (auto const& s : m.sends()) ++sent[m.beta_of(s).index];
    for (auto const& r : m.receives())
        if (r.ordinal >= sent[r.beta.index]) found.insert("receives too many");
    for (auto const& [beta, n] : sent)
        if (n > m.receives_at({beta}).size()) found.insert("orphans");
    return {found.begin(), found.end()};
}

Result run_campaign(CampaignOptions const& options, std::function<bool(Result const&)> const& progress, Result before) {
    return Campaign(options, progress, std::move(before)).run();
}

} // namespace matchpoint::validate
