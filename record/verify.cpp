#include "record/verify.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fstream>
#include <future>
#include <stdexcept>

#include <fmt/format.h>

#include "base/files.hpp"
#include "explain/blocked.hpp"
#include "explain/told.hpp"
#include "record/provenance.hpp"
#include "record/refusing.hpp"
#include "record/source_lines.hpp"
#include "record/verify_path.hpp"

namespace matchpoint::record {

namespace {

constexpr std::string_view interrupted = "interrupted"; // why a verification stopped

} // namespace

/// A run that was made: what the ranks did, and who got what.
struct Verification::Known {
    draft::Draft program;
    std::map<CallId, CallId> send_of; // receive -> the send that it took
};

Verification::Verification(VerifyOptions options, std::function<void(Tried const&)> report)
    : options_(std::move(options)), report_(std::move(report)) {}
Verification::~Verification() = default;

std::string Verification::why_deadlocked(Tried const& t) const {
    auto const& ranks = t.recording.ranks;
    bool const lacks_waits = std::any_of(ranks.begin(), ranks.end(), [](Rank const& r) { return r.is_in_window; });
    if (t.path == 0 || lacks_waits) return {};
    draft::Draft draft = beside(t); // with the commands that a run which ended early lacks
    if (draft.traces.empty()) return {};
    draft.traces.resize(1);
    draft::name_locations(draft);
    auto const program = draft::program_of(draft);
    if (!program) return {};
    IndexedProgram const code(*program);
    ToldByPlaces const told(code, word_for_rank(t.recording.api));
    Machine machine(code, Buffering::infinite);
    try {
        static_cast<void>(machine::run(machine, 0, Extent::prefix)); // the machine has followed it before
    } catch (LimitReached const&) {
        return {};
    }
    auto const why = refusing_in(t.recording).empty() ? deadlock_behind(machine, CutShort())
                                                      : blocked_by_refusals(code, machine.state());
    return why ? explain::shown(code, *why) : std::string();
}

std::string Verification::in_words(Tried const& t, std::vector<CallId> const& waiting) const {
    std::size_t const path = t.wanted ? t.wanted->path : t.path;
    return waiting_in_words(path == 0 ? t.recording.program : paths_[path - 1]->program(), waiting, options_.word);
}

draft::Draft Verification::beside(Tried const& t) const {
    draft::Draft program = program_with_run(t.recording);
    auto const& good = paths_[t.path - 1]->good_run();
    // A run that failed may have ended early: then the other one has commands that it does not have.
    if (!good || good->traces.empty() || program.traces.empty() || !same_path(program, *good)) return program;
    draft::Draft both = program.commands() < good->commands() ? *good : program;
    both.traces = {program.traces.front(), good->traces.front()};
    return both;
}

std::filesystem::path Verification::folder_of(std::uint64_t number) const {
    return options_.folder / fmt::format("run-{:04}", number);
}

Tried Verification::execute(std::uint64_t number, std::optional<Wanted> wanted, std::string const& schedule) const {
    Tried tried;
    tried.number = number;
    tried.wanted = std::move(wanted);
    tried.folder = folder_of(number);
    std::filesystem::remove_all(tried.folder);
    std::filesystem::create_directories(tried.folder / "ranks");
    Launch launch = options_.launch;
    launch.folder = tried.folder / "ranks";
    launch.output = tried.folder / "output";
    launch.errors = tried.folder / "errors";
    if (tried.wanted) {
        launch.schedule = tried.folder / "schedule";
        std::ofstream(launch.schedule) << schedule;
    }
    tried.result = record::launch(launch);
    if (tried.result.end == LaunchResult::End::not_started) return tried;
    read(tried);
    if (tried.result.end != LaunchResult::End::interrupted) {
        std::ofstream(tried.folder / "run.new") << to_text({tried.wanted, tried.result});
        std::filesystem::rename(tried.folder / "run.new", tried.folder / "run");
    }
    return tried;
}

std::string Verification::schedule_of(Wanted const& wanted) const {
    auto const schedule = MatchSchedule::of(paths_[wanted.path - 1]->program(), wanted.matches, Buffering::infinite,
                                            wanted.refusing, wanted.beginning ? &*wanted.beginning : nullptr);
    if (!schedule) throw std::logic_error("a recording has calls without names");
    return schedule->text();
}

void Verification::read(Tried& tried) const {
    std::vector<Source> files;
    for (auto const& path : rank_files(tried.folder / "ranks")) files.emplace_back(path, read_file(path).value_or({}));
    SourceLines lines;
    tried.result.has_left = tried.result.end == LaunchResult::End::exited && tried.result.exit_code == 0 &&
                            some_rank_left(tried.folder / "ranks");
    // A run that ended early can have ended ranks before they wrote anything.
    bool const is_early = has_failed(tried.result) || was_ended(tried.result);
    bool const is_still = tried.result.end == LaunchResult::End::stands_still;
    tried.recording =
        read_recording(files, lines, is_early || is_still ? Missing::did_nothing : Missing::refused,
                       is_still ? Tests::wait : Tests::move, readable_within(options_.memory), Threads::one_only);
    if (!tried.recording.is_readable()) return;
    if (std::any_of(tried.recording.ranks.begin(), tried.recording.ranks.end(),
                    [](Rank const& r) { return r.breaks_off; }))
        if (Recording all = read_recording(files, lines, Missing::did_nothing, is_still ? Tests::wait : Tests::move,
                                           readable_within(options_.memory));
            all.is_readable() && all.has_further_threads())
            tried.with_threads = std::move(all);
    Recording const& whole = tried.with_threads ? *tried.with_threads : tried.recording;
    tried.harm = harm(tried.recording);
    tried.is_deadlock =
        tried.result.end == LaunchResult::End::stands_still || (was_ended(tried.result) && has_deadlock(whole));
    tried.defies_machine = is_still && standstill(whole) == Standstill::no;
    tried.is_held = tried.defies_machine && tried.wanted;
}

void Verification::resume() {
    while (stopped_.empty()) {
        Tried tried;
        tried.number = runs_ + 1;
        tried.folder = folder_of(tried.number);
        auto file = run_file(read_file(tried.folder / "run").value_or({}));
        if (!file || file->result.end == LaunchResult::End::out_of_time ||
            (file->wanted && file->wanted->path > paths_.size()))
            return;
        tried.is_resumed = true;
        tried.wanted = std::move(file->wanted);
        tried.result = file->result;
        read(tried);
        if (tried.harm) return;
        take(std::move(tried));
    }
}

std::size_t Verification::path_of(Tried const& tried, bool* is_new) {
    draft::Draft const& program = tried.recording.program;
    RankEnds ends(tried.recording, tried.failed(), tried.was_cut_off());
    for (std::size_t i = 0; i < paths_.size(); ++i)
        if (same_path(paths_[i]->program(), program) && !paths_[i]->goes_on_differently(program, ends)) {
            if (program.commands() > paths_[i]->program().commands())
                paths_[i]->replace(program, std::move(ends));
            else if (program.commands() == paths_[i]->program().commands())
                paths_[i]->ran_again(ends.is_cut);
            return i;
        }
    *is_new = true;
    paths_.push_back(std::make_unique<Path>(paths_.size() + 1, program, std::move(ends), options_));
    return paths_.size() - 1;
}

void Verification::take(Tried tried) {
    ++runs_;
    if (tried.harm) {
        if (stopped_.empty()) stopped_ = fmt::format("the recorder had a part in how run {} ended", tried.number);
        return report_(tried);
    }
    bool const is_readable = !tried.recording.ranks.empty() && tried.recording.is_readable();
    if (tried.wanted && !tried.chooses_time() && !tried.refuses() && tried.was_cut_off())
        paths_[tried.wanted->path - 1]->skip(tried.wanted->matches);
    else if (tried.wanted && !tried.chooses_time() && !tried.refuses())
        paths_[tried.wanted->path - 1]->tried(tried.wanted->matches);
    if (is_readable) {
        std::size_t const path = path_of(tried, &tried.is_new_path);
        tried.path = path + 1;
        Matches taken = matches_of(tried.recording);
        std::sort(taken.begin(), taken.end());
        if (tried.wanted) {
            std::map<CallId, CallId> const send_of(tried.wanted->matches.begin(), tried.wanted->matches.end());
            tried.followed =
                tried.path == tried.wanted->path && std::all_of(taken.begin(), taken.end(), [&](CallMatch const& m) {
                    auto const send = send_of.find(m.first);
                    // A run that was to get stuck, and did not, goes on.
                    return send == send_of.end() ? tried.refuses() : send->second == m.second;
                });
        }
        // A run that ended early has taken part of a match set only.
        bool const is_whole = std::all_of(tried.recording.ranks.begin(), tried.recording.ranks.end(),
                                          [](Rank const& r) { return r.end == RankEnd::finalized; });
        if (is_whole) paths_[path]->tried(taken);
        if (is_whole && !tried.failed()) paths_[path]->ended_well(tried.recording);
        // Nobody knows what a run that timed out would have done, nor what one would have done whose sends were made to
        // wait.
        if (!tried.was_cut_off()) {
            bool const is_forced = tried.refuses() && tried.deadlocked();
            if (!is_forced) {
                known_.push_back({tried.recording.program, {taken.begin(), taken.end()}});
                paths_[path]->received(taken);
            }
        } else if (!tried.refuses()) {
            timed_out_.push_back({tried.recording.program, {taken.begin(), taken.end()}});
            // Other receives of a replay that it has posted can get nothing else.
            if (tried.wanted && !tried.chooses_time())
                timed_out_.back().send_of.insert(tried.wanted->matches.begin(), tried.wanted->matches.end());
        }
    }
    if (tried.chooses_time()) paths_[tried.wanted->path - 1]->tried_time(tried);
    if (tried.refuses()) paths_[tried.wanted->path - 1]->tried_library(tried);
    if (tried.result.end == LaunchResult::End::out_of_time) ++timed_out_runs_;
    if (tried.is_held) ++held_runs_;
    if (tried.result.end == LaunchResult::End::not_started) stopped_ = tried.result.why;
    if (tried.result.end == LaunchResult::End::interrupted) stopped_ = interrupted;
    if (tried.recording.ranks.empty() && stopped_.empty()) stopped_ = "a run recorded no rank";
    if (options_.first && stopped_.empty() && (tried.failed() || tried.deadlocked()))
        stopped_ = fmt::format("run {} went wrong", tried.number);
    if (!is_readable && stopped_.empty()) stopped_ = "the recording of a run cannot be read";
    report_(tried);
}

/// Whether an earlier run shows what would come of a wanted match set. The program does the same as long as it receives
/// the same, so the run has to agree with the match set on all receives before the first call of the rank that differs.
/// What is sent after such a call cannot be received. If time let a rank go another way, the run shows nothing.
bool Verification::is_known(Wanted const& wanted) const {
    draft::Draft const& program = paths_[wanted.path - 1]->program();
    std::map<CallId, std::pair<std::size_t, std::size_t>> place_of; // send -> rank, and its place there
    for (std::size_t rank = 0; rank < program.threads.size(); ++rank)
        for (std::size_t i = 0; i < program.threads[rank].size(); ++i)
            if (auto const* const s = as_sndi(program.threads[rank][i].c))
                place_of[recorded_call(s->a.text)] = {rank, i};
    std::map<CallId, CallId> const send_of(wanted.matches.begin(), wanted.matches.end());
    return std::any_of(known_.begin(), known_.end(), [&](Known const& run) {
        auto const common = common_calls(program, run.program);
        if (common.size() < program.threads.size()) return false;
        for (std::size_t rank = 0; rank < common.size(); ++rank) {
            if (parted_by_time(program.threads[rank], run.program.threads[rank], common[rank])) return false;
            for (std::size_t i = 0; i < common[rank]; ++i) {
                auto const r = wanted_by(program.threads[rank][i].c);
                if (!r) continue;
                CallId const receive = recorded_call(r->a.text);
                auto const send = send_of.find(receive);
                auto const took = run.send_of.find(receive);
                bool const is_sent =
                    send != send_of.end() && place_of[send->second].second < common[place_of[send->second].first];
                if (is_sent && took != run.send_of.end()
                        ? took->second != send->second
                        : is_sent || (took != run.send_of.end() && send == send_of.end()))
                    return false;
            }
        }
        return true;
    });
}

/// Whether an earlier run timed out after it had taken the same messages, where there is a choice: it would time out
/// again.
bool Verification::has_timed_out(Wanted const& wanted) const {
    draft::Draft const& program = paths_[wanted.path - 1]->program();
    std::set<CallId> const without_choice = receives_without_choice(program);
    return std::any_of(timed_out_.begin(), timed_out_.end(), [&](Known const& run) {
        return same_path(program, run.program) &&
               std::all_of(wanted.matches.begin(), wanted.matches.end(), [&](CallMatch const& m) {
                   auto const took = run.send_of.find(m.first);
                   return without_choice.contains(m.first) || (took != run.send_of.end() && took->second == m.second);
               });
    });
}

std::optional<Wanted> Verification::next_match_set(Worth least) {
    while (true) {
        std::optional<MatchSets::Next> best;
        for (auto const& path : paths_)
            if (auto next = path->peek(least); next && (!best || next->is_before(*best))) best = std::move(next);
        if (!best) return std::nullopt;
        Path& path = *paths_[best->wanted.path - 1];
        path.take(best->wanted.matches);
        if (is_known(best->wanted))
            path.tried(best->wanted.matches);
        else if (!has_timed_out(best->wanted))
            return std::move(best->wanted);
    }
}

std::optional<Wanted> Verification::next_deadlock_of_library() {
    if (!options_.any_buffering) return std::nullopt;
    for (auto const& path : paths_)
        if (auto wanted = path->deadlock_of_library()) return wanted;
    return std::nullopt;
}

std::optional<Wanted> Verification::next_time() {
    for (auto const& path : paths_) {
        auto const has_tried = [&](Alternative const& a, Beginning const& b) {
            return std::any_of(paths_.begin(), paths_.end(),
                               [&](auto const& other) { return has(path->program(), other->program(), a, b); });
        };
        if (auto wanted = path->next_time(has_tried)) return wanted;
    }
    return std::nullopt;
}

/// What goes wrong comes first, then what was in no run before.
std::vector<Wanted> Verification::next(std::size_t most) {
    std::vector<Wanted> result;
    while (result.size() < most && !options_.is_over()) {
        auto wanted = next_match_set(Worth::goes_wrong);
        if (!wanted) wanted = next_deadlock_of_library();
        if (!wanted) wanted = next_match_set(Worth::new_matches);
        if (!wanted) wanted = next_time();
        if (!wanted) wanted = next_match_set(Worth::some);
        if (!wanted) break;
        result.push_back(std::move(*wanted));
    }
    return result;
}

/// How many match sets there are, if that is known soon.
void Verification::count() {
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    auto const stop = [&] { return options_.launch.is_interrupted() || std::chrono::steady_clock::now() >= end; };
    for (auto const& path : paths_) path->count(stop);
}

Coverage Verification::run() {
    resume();
    while (stopped_.empty()) {
        std::vector<std::optional<Wanted>> all;
        if (runs_ == 0)
            all.emplace_back();
        else {
            std::size_t const left = options_.limit > runs_ ? options_.limit - runs_ : 0;
            for (Wanted& wanted : next(std::max<std::size_t>(1, std::min<std::size_t>(left, options_.jobs))))
                all.emplace_back(std::move(wanted));
            if (options_.launch.is_interrupted())
                stopped_ = interrupted;
            else if (options_.is_late())
                stopped_ = "the limit of time was reached";
            else if (!all.empty() && left == 0)
                stopped_ = fmt::format("the limit of {} was reached", plural(options_.limit, "run"));
            if (all.empty() || !stopped_.empty()) break;
        }
        std::vector<std::future<Tried>> running;
        for (std::optional<Wanted> const& wanted : all) {
            std::uint64_t const number = runs_ + running.size() + 1;
            std::string schedule = wanted ? schedule_of(*wanted) : std::string();
            running.push_back(std::async(std::launch::async, [this, number, wanted, schedule = std::move(schedule)] {
                return execute(number, wanted, schedule);
            }));
        }
        for (auto& run : running) {
            while (run.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready)
                if (options_.waiting) options_.waiting(coverage());
            take(run.get());
        }
    }
    if (!stopped_.empty()) count();
    return coverage();
}

Coverage Verification::coverage() const {
    Coverage c;
    c.paths = paths_.size();
    c.runs = runs_;
    c.stopped = stopped_;
    c.all_found = !paths_.empty();
    for (auto const& path : paths_) {
        c.match_sets += path->match_sets();
        c.tried += path->tried();
        c.all_found = c.all_found && path->all_found();
        c.times_tried += path->times_tried();
        c.times_left += path->times_left();
        c.is_cut = c.is_cut || path->is_cut();
        if (c.stopped.empty() && !path->trouble().empty()) c.stopped = path->trouble();
        for (std::string& text : path->faults())
            c.faults.push_back({static_cast<std::size_t>(&path - paths_.data()) + 1, std::move(text)});
    }
    if (c.stopped.empty() && timed_out_runs_ != 0)
        c.stopped = fmt::format("{} timed out", plural(timed_out_runs_, "run"));
    if (c.stopped.empty() && held_runs_ != 0) c.stopped = fmt::format("{} got stuck", plural(held_runs_, "replay"));
    bool const is_open = std::any_of(paths_.begin(), paths_.end(), [](auto const& p) { return p->is_library_open(); });
    if (c.stopped.empty() && is_open)
        c.stopped = "the search for deadlocks that depend on the library reached its limit of time";
    c.is_complete = c.stopped.empty() && c.times_left == 0;
    c.is_interrupted = c.stopped == interrupted;
    return c;
}

} // namespace matchpoint::record
