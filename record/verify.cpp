#include "record/verify.hpp"

#include <algorithm>
#include <fstream>
#include <future>
#include <stdexcept>

#include <fmt/format.h>

#include "check/check.hpp"
#include "executions/explorer.hpp"
#include "grammar/discipline.hpp"
#include "matching/prepared.hpp"
#include "record/source_lines.hpp"
#include "report/blocked.hpp"

namespace matchpoint::record {

namespace {

using Matches = std::vector<NamedMatch>; // sorted

/// Without the messages of collective calls, which cannot be other ones.
Matches named(MessageIndex const& messages, State const& state, Program const& program) {
    Matching m(messages);
    delivered(messages, state, m);
    Matches result;
    for (std::uint32_t r = 0; r < m.size(); ++r)
        if (std::string_view const name = program.symbols(messages.receives()[r].a);
            m[r] != unmatched && names_call(name))
            result.emplace_back(name, program.symbols(messages.sends()[m[r]].a));
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace

/// A match set that is to be tried.
struct Verification::Plan {
    std::size_t path; // an index
    Matches matches;
    Buffering buffering;
    std::string why_stuck; // who waits for whom at its end; empty: it gets through
};

/// A run that was made: what the ranks did, and who got what.
struct Verification::Known {
    draft::Draft program;
    std::map<std::string, std::string, std::less<>> send_of; // receive -> the send that it took
};

/// A path, and the match sets on it.
class Verification::Path {
public:
    explicit Path(draft::Draft program) : program_(std::move(program)) { prepare(); }

    draft::Draft const& program() const { return program_; }

    /// A longer recording of it.
    void replace(draft::Draft program) {
        program_ = std::move(program);
        prepare();
    }

    void tried(Matches matches) { tried_.insert(std::move(matches)); }
    bool was_tried(Matches const& matches) const { return tried_.contains(matches); }
    std::size_t match_sets() const {
        std::size_t all = tried_.size();
        for (Matches const& found : found_)
            if (!tried_.contains(found)) ++all;
        return all;
    }
    std::size_t tried() const { return tried_.size(); }
    bool all_found() const { return !explorer_; }
    std::string const& trouble() const { return trouble_; }

    /// The next match set; none: there is no further one, or none could be found in so many steps.
    std::optional<Plan> next(std::size_t index, std::uint64_t steps) {
        while (explorer_) {
            std::optional<End> end;
            try {
                end = explorer_->next(steps);
            } catch (LimitReached const& e) {
                trouble_ = e.what();
            }
            if (!end) {
                if (explorer_->done() && trouble_.empty())
                    explorer_.reset();
                else if (trouble_.empty())
                    trouble_ = "a search for match sets reached its limit";
                return std::nullopt;
            }
            Matches matches = named(prepared_->messages, explorer_->state(), prepared_->program);
            if (!found_.insert(matches).second || tried_.contains(matches)) continue;
            return Plan{index, std::move(matches), Buffering::infinite,
                        why_stuck(explorer_->state(), Buffering::infinite)};
        }
        return std::nullopt;
    }

    /// A way to a deadlock that only happens when sends wait for their receives; asked once.
    std::optional<Plan> deadlock_without_buffers(std::size_t index) {
        if (asked_without_buffers_ || !prepared_) return std::nullopt;
        asked_without_buffers_ = true;
        check::CheckOptions options;
        options.time = std::chrono::seconds(20);
        auto const infinite = check::check(prepared_->messages, options);
        options.buffering = Buffering::zero;
        auto const zero = check::check(prepared_->messages, options);
        using Answer = check::Reached::Answer;
        if (infinite.deadlock.answer == Answer::yes || zero.deadlock.answer != Answer::yes) return std::nullopt;
        Machine machine(prepared_->code, Buffering::zero);
        if (machine::run(machine, zero.deadlock.schedule, Extent::prefix).error) return std::nullopt;
        return Plan{index, named(prepared_->messages, machine.state(), prepared_->program), Buffering::zero,
                    why_stuck(machine.state(), Buffering::zero)};
    }

private:
    std::string why_stuck(State const& state, Buffering buffering) const {
        auto const why = blocked(prepared_->code, buffering, state);
        return why && why->kind == Blocked::Kind::deadlock ? shown(prepared_->code, *why) : std::string();
    }

    void prepare() {
        explorer_.reset();
        prepared_.reset();
        Program program = draft::valid_program_of(program_);
        for (Diagnostic const& d : check_discipline(program, nullptr, Severity::error))
            if (d.severity == Severity::error) {
                trouble_ = fmt::format("a recording breaks rule {}: {}", d.rule, d.message);
                return;
            }
        prepared_ = std::make_unique<Prepared>(Source("", ""), std::move(program));
        explorer_ = std::make_unique<Explorer>(prepared_->messages, Explorer::Options{.runs = Runs::executions});
    }

    draft::Draft program_;
    std::unique_ptr<Prepared> prepared_;
    std::unique_ptr<Explorer> explorer_; // null: it has found all
    std::set<Matches> found_;
    std::set<Matches> tried_;
    bool asked_without_buffers_ = false;
    std::string trouble_;
};

Verification::Verification(VerifyOptions options, std::function<void(Tried const&)> report)
    : options_(std::move(options)), report_(std::move(report)) {}
Verification::~Verification() = default;

draft::Draft const& Verification::program(std::size_t path) const { return paths_[path - 1]->program(); }

Tried Verification::execute(std::uint64_t number, Plan const* plan) const {
    Tried tried;
    tried.number = number;
    tried.folder = options_.folder / fmt::format("run-{:04}", number);
    std::filesystem::create_directories(tried.folder / "ranks");
    Launch launch = options_.launch;
    launch.folder = tried.folder / "ranks";
    launch.output = tried.folder / "output";
    std::optional<MatchSchedule> schedule;
    if (plan != nullptr) {
        tried.wanted = plan->matches;
        tried.wanted_path = plan->path + 1;
        tried.buffering = plan->buffering;
        tried.why_stuck = plan->why_stuck;
        schedule = MatchSchedule::of(paths_[plan->path]->program(), plan->matches, plan->buffering);
        if (!schedule) throw std::logic_error("a recording has calls without names");
        launch.schedule = tried.folder / "schedule";
        std::ofstream(launch.schedule) << schedule->text();
    }
    tried.result = record::launch(launch);
    if (tried.result.end == LaunchResult::End::not_started) return tried;
    std::vector<Source> files;
    for (auto const& path : rank_files(launch.folder)) {
        std::ifstream file(path, std::ios::binary);
        files.emplace_back(path, std::string(std::istreambuf_iterator<char>(file), {}));
    }
    SourceLines lines;
    tried.recording = read_recording(files, lines);
    if (tried.recording.ranks.empty() || !tried.recording.is_readable()) return tried;
    if (schedule) {
        auto const followed = schedule->followed_by(tried.recording);
        tried.followed =
            followed.differences.empty() && same_path(paths_[plan->path]->program(), tried.recording.program);
    }
    return tried;
}

std::size_t Verification::path_of(draft::Draft const& program, bool* is_new) {
    for (std::size_t i = 0; i < paths_.size(); ++i)
        if (same_path(paths_[i]->program(), program)) {
            if (program.commands() > paths_[i]->program().commands()) paths_[i]->replace(program);
            return i;
        }
    *is_new = true;
    paths_.push_back(std::make_unique<Path>(program));
    return paths_.size() - 1;
}

void Verification::take(Tried tried, Plan const* plan) {
    ++runs_;
    if (plan != nullptr && plan->buffering == Buffering::infinite) paths_[plan->path]->tried(plan->matches);
    if (!tried.recording.program.threads.empty()) {
        std::size_t const path = path_of(tried.recording.program, &tried.is_new_path);
        tried.path = path + 1;
        Matches taken = matches_of(tried.recording);
        std::sort(taken.begin(), taken.end());
        // A run that ended early has taken part of a match set only.
        bool const is_whole = std::all_of(tried.recording.ranks.begin(), tried.recording.ranks.end(),
                                          [](Rank const& r) { return r.end == RankEnd::finalized; });
        if (is_whole) paths_[path]->tried(taken);
        known_.push_back({tried.recording.program, {taken.begin(), taken.end()}});
    }
    if (tried.result.end == LaunchResult::End::not_started) stopped_ = tried.result.why;
    if (tried.result.end == LaunchResult::End::interrupted) stopped_ = "interrupted";
    if (tried.recording.ranks.empty() && stopped_.empty()) stopped_ = "a run recorded no rank";
    report_(tried);
}

/// Whether a run that was made is what would come of a plan. The program does the same as long as it receives the same: so
/// the run has to agree with the plan on all receives before the first call of the rank that is different. What is sent
/// behind such a call cannot be received.
bool Verification::is_known(Plan const& plan) const {
    draft::Draft const& program = paths_[plan.path]->program();
    std::map<std::string_view, std::pair<std::size_t, std::size_t>> place_of; // send -> rank, and its place there
    for (std::size_t rank = 0; rank < program.threads.size(); ++rank)
        for (std::size_t i = 0; i < program.threads[rank].size(); ++i)
            if (auto const* const s = as_sndi(program.threads[rank][i].c)) place_of[s->a.text] = {rank, i};
    std::map<std::string_view, std::string_view> wanted(plan.matches.begin(), plan.matches.end());
    return std::any_of(known_.begin(), known_.end(), [&](Known const& run) {
        auto const common = common_calls(program, run.program);
        if (common.size() < program.threads.size()) return false;
        for (std::size_t rank = 0; rank < common.size(); ++rank)
            for (std::size_t i = 0; i < common[rank]; ++i) {
                auto const* const r = as_rcvi(program.threads[rank][i].c);
                if (r == nullptr) continue;
                auto const send = wanted.find(r->a.text);
                auto const took = run.send_of.find(r->a.text);
                bool const is_sent =
                    send != wanted.end() && place_of[send->second].second < common[place_of[send->second].first];
                if (is_sent && took != run.send_of.end()
                        ? took->second != send->second
                        : is_sent || (took != run.send_of.end() && send == wanted.end()))
                    return false;
            }
        return true;
    });
}

std::vector<Verification::Plan> Verification::next_plans(std::size_t most) {
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        while (plans.size() < most) {
            auto plan = paths_[i]->next(i, options_.steps);
            if (!plan) break;
            if (is_known(*plan))
                paths_[i]->tried(plan->matches);
            else
                plans.push_back(std::move(*plan));
        }
        if (options_.zero_buffering && plans.size() < most)
            if (auto plan = paths_[i]->deadlock_without_buffers(i)) plans.push_back(std::move(*plan));
    }
    return plans;
}

Coverage Verification::run() {
    take(execute(1, nullptr), nullptr);
    while (stopped_.empty()) {
        std::size_t const left = options_.limit > runs_ ? options_.limit - runs_ : 0;
        std::vector<Plan> const plans =
            next_plans(std::max<std::size_t>(1, std::min<std::size_t>(left, options_.jobs)));
        if (plans.empty()) break;
        if (left == 0) {
            stopped_ = fmt::format("{} runs are over", options_.limit);
            break;
        }
        std::vector<std::future<Tried>> running;
        for (std::size_t i = 0; i < plans.size(); ++i)
            running.push_back(
                std::async(std::launch::async, [&, i, number = runs_ + i + 1] { return execute(number, &plans[i]); }));
        for (std::size_t i = 0; i < plans.size(); ++i) take(running[i].get(), &plans[i]);
    }
    return coverage();
}

Coverage Verification::coverage() const {
    Coverage c;
    c.paths = paths_.size();
    c.runs = runs_;
    c.stopped = stopped_;
    for (auto const& path : paths_) {
        c.match_sets += path->match_sets();
        c.tried += path->tried();
        if (c.stopped.empty() && !path->trouble().empty()) c.stopped = path->trouble();
    }
    c.is_complete = c.stopped.empty();
    return c;
}

std::vector<NamedMatch> matches_of(Recording const& recording) {
    draft::Draft const& program = recording.program;
    using Text = draft::Text;
    // (rank that sends, endpoint, tag) -> its sends there, in order
    std::map<std::tuple<std::uint32_t, std::string, std::string>, std::vector<std::string>> sends;
    std::map<std::string, std::string> endpoint_of; // receive -> its endpoint
    std::vector<std::string> receives;
    for (std::uint32_t rank = 0; rank < program.threads.size(); ++rank)
        for (draft::LocatedCommand const& at : program.threads[rank])
            if (auto const* const s = as_sndi(at.c)) {
                sends[{rank, s->beta.text, s->tag.text.empty() ? "0" : s->tag.text}].push_back(s->a.text);
            } else if (auto const* const r = as_rcvi(at.c)) {
                endpoint_of[r->a.text] = r->beta.text;
                receives.push_back(r->a.text);
            }
    std::map<std::string, Taken const*> taken;
    for (Rank const& rank : recording.ranks)
        for (Taken const& t : rank.taken) taken[t.receive] = &t;
    std::map<std::tuple<std::uint32_t, std::string, std::string>, std::size_t> used;
    std::vector<NamedMatch> result;
    for (std::string const& receive : receives) {
        auto const found = taken.find(receive);
        if (found == taken.end()) continue;
        auto const key = std::tuple(found->second->from, endpoint_of[receive], std::to_string(found->second->tag));
        std::size_t const n = used[key]++;
        if (auto const s = sends.find(key); s != sends.end() && n < s->second.size())
            result.emplace_back(receive, s->second[n]);
    }
    return result;
}

} // namespace matchpoint::record
