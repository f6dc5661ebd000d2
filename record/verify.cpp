#include "record/verify.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fstream>
#include <future>
#include <stdexcept>

#include <fmt/format.h>

#include "base/files.hpp"
#include "check/check.hpp"
#include "check/confirmed.hpp"
#include "executions/explorer.hpp"
#include "explain/blocked.hpp"
#include "explain/told.hpp"
#include "grammar/discipline.hpp"
#include "matching/prepared.hpp"
#include "record/cut_short.hpp"
#include "record/predicted.hpp"
#include "record/provenance.hpp"
#include "record/refusing.hpp"
#include "record/rerun.hpp"
#include "record/source_lines.hpp"

namespace matchpoint::record {

namespace {

using Matches = std::vector<CallMatch>; // sorted

constexpr std::string_view interrupted = "interrupted"; // why a verification stopped

/// How the ranks of a run ended.
struct RankEnds {
    std::vector<bool> finished;
    bool is_cut = false; // it failed, and ended ranks that could have gone on
    CutShort cut_short;

    RankEnds(Recording const& run, bool failed, bool was_ended) {
        for (Rank const& rank : run.ranks) {
            finished.push_back(rank.end == RankEnd::finalized);
            bool const waits = rank.end == RankEnd::finalized || rank.end == RankEnd::blocked;
            if (waits) continue;
            if (failed)
                cut_short.dead.push_back(rank.number);
            else if (was_ended)
                cut_short.running.push_back(rank.number);
        }
        // The rank that failed is one of those that did not finish.
        is_cut = failed && std::count(finished.begin(), finished.end(), false) > 1;
    }
};

} // namespace

/// A run that was made: what the ranks did, and who got what.
struct Verification::Known {
    draft::Draft program;
    std::map<CallId, CallId> send_of; // receive -> the send that it took
};

/// A path, and the match sets on it.
class Verification::Path {
public:
    Path(draft::Draft program, RankEnds ends, VerifyOptions const& options)
        : program_(std::move(program)), ends_(std::move(ends)), options_(options) {
        prepare();
    }

    /// Whether a rank finishes in one of them, and goes on in the other.
    bool goes_on_differently(draft::Draft const& program, RankEnds const& ends) const {
        for (std::size_t rank = 0; rank < ends.finished.size(); ++rank) {
            std::size_t const a = program_.threads[rank].size();
            std::size_t const b = program.threads[rank].size();
            if ((a < b && ends_.finished[rank]) || (b < a && ends.finished[rank])) return true;
        }
        return false;
    }

    draft::Draft const& program() const { return program_; }

    /// A run on it that ended well, with the run as its trace. The first is kept.
    void ended_well(Recording const& run) {
        if (!good_run_) good_run_ = program_with_run(run);
    }
    std::optional<draft::Draft> const& good_run() const { return good_run_; }

    /// A longer recording of it. Its match sets have more receives; is_known() says which of them were run.
    void replace(draft::Draft program, RankEnds ends) {
        program_ = std::move(program);
        ends_ = std::move(ends);
        found_.clear();
        tried_.clear();
        asked_about_libraries_ = tried_library_;
        is_library_open_ = false;
        prepare();
    }

    /// Another run of the same commands.
    void ran_again(bool is_cut) { ends_.is_cut = ends_.is_cut && is_cut; }
    bool is_cut() const { return ends_.is_cut; }

    void tried(Matches matches) { tried_.insert(std::move(matches)); }
    /// Nobody knows what comes of them: their run was ended. They are not wanted again.
    void skip(Matches matches) { found_.insert(std::move(matches)); }
    /// Those that are known. A path has at least one, also before it was searched.
    std::size_t match_sets() const {
        std::size_t all = tried_.size();
        for (Matches const& found : found_)
            if (!tried_.contains(found)) ++all;
        return std::max<std::size_t>(all, 1);
    }
    std::size_t tried() const { return tried_.size(); }
    bool all_found() const { return !explorer_; }
    std::string const& trouble() const { return trouble_; }

    /// The next match set. None if there is no other, or none was found within so many steps.
    std::optional<Wanted> next(std::size_t number) {
        while (explorer_) {
            std::optional<End> end;
            try {
                end = explorer_->next(options_.steps);
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
            Matches matches = matches_in(*prepared_, explorer_->state());
            if (!found_.insert(matches).second || tried_.contains(matches)) continue;
            return wanted(number, std::move(matches), {}, explorer_->state());
        }
        return std::nullopt;
    }

    /// A way to a deadlock that depends on the library; asked once.
    std::optional<Wanted> deadlock_of_library(std::size_t number) {
        if (asked_about_libraries_ || !prepared_) return std::nullopt;
        asked_about_libraries_ = true;
        auto found = record::deadlock_of_library(*prepared_, ends_.cut_short,
                                                 [this] { return options_.launch.is_interrupted(); });
        is_library_open_ = !found.is_known;
        if (!found.end) return std::nullopt;
        return wanted(number, matches_in(*prepared_, *found.end), std::move(found.refusing), *found.end);
    }
    void tried_library() { asked_about_libraries_ = tried_library_ = true; }
    /// Whether the search for such a deadlock was given up.
    bool is_library_open() const { return is_library_open_; }

private:
    /// What the machine says of an execution that ends in a state. It says nothing of one that ends because the
    /// recording does.
    Wanted wanted(std::size_t number, Matches matches, std::vector<CallId> refusing, State const& end) const {
        Wanted w{number, std::move(matches), std::move(refusing), Prediction::passes, {}};
        bool const refuses = !w.refusing.empty();
        if (end.s == Status::failure) {
            w.prediction = Prediction::fails;
        } else if (refuses || check::is_deadlock(Machine(prepared_->code, Buffering::infinite, end))) {
            ToldByPlaces const told(prepared_->code, options_.word, !options_.word.empty());
            auto why = refuses ? blocked_by_refusals(prepared_->code, end)
                               : blocked_behind_deliveries(prepared_->code, Buffering::infinite, end);
            if (!why) return w;
            end_openly(*why, prepared_->code, ends_.cut_short);
            if (why->kind == Blocked::Kind::ended) return w;
            w.prediction = Prediction::gets_stuck;
            w.why_stuck = shown(prepared_->code, *why);
        }
        return w;
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
        if (prepared_->messages.may_lack_receives()) {
            trouble_ = "a ready send may find no posted receive, an error in MPI: `matchpoint check` of a recording "
                       "shows it";
            asked_about_libraries_ = true;
            return;
        }
        Explorer::Options options;
        options.runs = Runs::executions;
        options.stop = [this] { return options_.launch.is_interrupted(); };
        explorer_ = std::make_unique<Explorer>(prepared_->messages, options);
    }

    draft::Draft program_;
    RankEnds ends_; // `is_cut`: in every run of it
    VerifyOptions const& options_;
    std::unique_ptr<Prepared> prepared_;
    std::unique_ptr<Explorer> explorer_; // null if it has found all
    std::set<Matches> found_;
    std::set<Matches> tried_;
    bool asked_about_libraries_ = false;
    bool tried_library_ = false;
    bool is_library_open_ = false;
    std::optional<draft::Draft> good_run_;
    std::string trouble_;
};

Verification::Verification(VerifyOptions options, std::function<void(Tried const&)> report)
    : options_(std::move(options)), report_(std::move(report)) {}
Verification::~Verification() = default;

std::string Verification::why_deadlocked(Tried const& t) const {
    if (t.path == 0) return {};
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
    auto const schedule =
        MatchSchedule::of(paths_[wanted.path - 1]->program(), wanted.matches, Buffering::infinite, wanted.refusing);
    if (!schedule) throw std::logic_error("a recording has calls without names");
    return schedule->text();
}

void Verification::read(Tried& tried) {
    std::vector<Source> files;
    for (auto const& path : rank_files(tried.folder / "ranks")) files.emplace_back(path, read_file(path).value_or({}));
    SourceLines lines;
    // A run that ended early can have ended ranks before they wrote anything.
    bool const is_early = has_failed(tried.result) || was_ended(tried.result);
    tried.recording = read_recording(files, lines, is_early ? Missing::did_nothing : Missing::refused);
    if (!tried.recording.is_readable()) return;
    tried.harm = harm(tried.recording, has_failed(tried.result));
    tried.is_deadlock = tried.result.end == LaunchResult::End::stands_still ||
                        (was_ended(tried.result) && has_deadlock(tried.recording));
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
    RankEnds ends(tried.recording, tried.failed(), was_ended(tried.result));
    for (std::size_t i = 0; i < paths_.size(); ++i)
        if (same_path(paths_[i]->program(), program) && !paths_[i]->goes_on_differently(program, ends)) {
            if (program.commands() > paths_[i]->program().commands())
                paths_[i]->replace(program, std::move(ends));
            else if (program.commands() == paths_[i]->program().commands())
                paths_[i]->ran_again(ends.is_cut);
            return i;
        }
    *is_new = true;
    paths_.push_back(std::make_unique<Path>(program, std::move(ends), options_));
    return paths_.size() - 1;
}

void Verification::take(Tried tried) {
    ++runs_;
    if (tried.harm) {
        if (stopped_.empty()) stopped_ = fmt::format("the recorder had a part in how run {} ended", tried.number);
        return report_(tried);
    }
    bool const is_readable = !tried.recording.ranks.empty() && tried.recording.is_readable();
    if (tried.refuses())
        paths_[tried.wanted->path - 1]->tried_library();
    else if (tried.wanted && was_ended(tried.result))
        paths_[tried.wanted->path - 1]->skip(tried.wanted->matches);
    else if (tried.wanted)
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
        if (!was_ended(tried.result)) {
            bool const is_forced = tried.refuses() && tried.deadlocked();
            if (!is_forced) known_.push_back({tried.recording.program, {taken.begin(), taken.end()}});
        } else if (!tried.refuses()) {
            timed_out_.push_back({tried.recording.program, {taken.begin(), taken.end()}});
            // Other receives of a replay that it has posted can get nothing else.
            if (tried.wanted)
                timed_out_.back().send_of.insert(tried.wanted->matches.begin(), tried.wanted->matches.end());
        }
    }
    if (tried.result.end == LaunchResult::End::out_of_time) ++cut_off_;
    if (tried.result.end == LaunchResult::End::not_started) stopped_ = tried.result.why;
    if (tried.result.end == LaunchResult::End::interrupted) stopped_ = interrupted;
    if (tried.recording.ranks.empty() && stopped_.empty()) stopped_ = "a run recorded no rank";
    if (!is_readable && stopped_.empty()) stopped_ = "the recording of a run cannot be read";
    report_(tried);
}

/// Whether an earlier run shows what would come of a wanted match set. The program does the same as long as it receives
/// the same, so the run has to agree with the match set on all receives before the first call of the rank that differs.
/// What is sent after such a call cannot be received.
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
        for (std::size_t rank = 0; rank < common.size(); ++rank)
            for (std::size_t i = 0; i < common[rank]; ++i) {
                auto const* const r = as_rcvi(program.threads[rank][i].c);
                if (r == nullptr) continue;
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

std::vector<Wanted> Verification::next(std::size_t most) {
    std::vector<Wanted> result;
    for (std::size_t i = 0; i < paths_.size(); ++i) {
        while (result.size() < most) {
            auto wanted = paths_[i]->next(i + 1);
            if (!wanted) break;
            if (is_known(*wanted))
                paths_[i]->tried(wanted->matches);
            else if (!has_timed_out(*wanted))
                result.push_back(std::move(*wanted));
        }
        if (options_.any_buffering && result.size() < most)
            if (auto wanted = paths_[i]->deadlock_of_library(i + 1)) result.push_back(std::move(*wanted));
    }
    return result;
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
        c.is_cut = c.is_cut || path->is_cut();
        if (c.stopped.empty() && !path->trouble().empty()) c.stopped = path->trouble();
    }
    if (c.stopped.empty() && cut_off_ != 0) c.stopped = fmt::format("{} timed out", plural(cut_off_, "run"));
    bool const is_open = std::any_of(paths_.begin(), paths_.end(), [](auto const& p) { return p->is_library_open(); });
    if (c.stopped.empty() && is_open)
        c.stopped = "the search for deadlocks that depend on the library reached its limit of time";
    c.is_complete = c.stopped.empty();
    c.is_interrupted = c.stopped == interrupted;
    return c;
}

} // namespace matchpoint::record
