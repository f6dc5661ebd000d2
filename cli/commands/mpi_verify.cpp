// `matchpoint mpi verify`: all runs that a program can have.
#include <algorithm>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/commands/mpi_runs.hpp"
#include "cli/output.hpp"
#include "record/verify.hpp"

namespace matchpoint::cli {

namespace {

/// Shows the runs as they come, and keeps what went wrong.
class VerifyReport {
public:
    VerifyReport(MpiOptions const& options, Terminal& terminal) : options_(options), terminal_(terminal) {}

    void show(record::Tried const& t) {
        std::string line = fmt::format("run {}: ", t.number);
        if (t.path != 0) line += fmt::format("{} {}", t.is_new_path ? "new path" : "path", t.path);
        if (!t.wanted.empty()) line += fmt::format(", as in {}", shown(t.wanted));
        if (t.buffering == Buffering::zero) line += ", sends wait";
        line += ": " + outcome(t);
        terminal_.print(line + "\n");
        terminal_.flush();
        if (t.failed() || t.stands_still()) problem(t);
    }

    ExitCode finish(record::Coverage const& c) {
        terminal_.print(fmt::format("{} of {} match set{} of {} path{} in {} run{}; {}\n", c.tried, c.match_sets,
                                    c.match_sets == 1 ? "" : "s", c.paths, c.paths == 1 ? "" : "s", c.runs,
                                    c.runs == 1 ? "" : "s", c.is_complete ? "nothing left" : "stopped: " + c.stopped));
        for (std::string const& p : problems_) terminal_.print(p);
        if (failures_ != 0) return failure;
        if (deadlocks_ != 0) return deadlock;
        return c.is_complete ? holds : unknown;
    }

private:
    static std::string shown(std::vector<record::NamedMatch> const& matches) {
        std::string text;
        constexpr std::size_t most = 4;
        for (std::size_t i = 0; i < std::min(matches.size(), most); ++i)
            text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", matches[i].first, matches[i].second);
        return matches.size() > most ? fmt::format("{} and {} more", text, matches.size() - most) : text;
    }

    static std::string outcome(record::Tried const& t) {
        using End = record::LaunchResult::End;
        switch (t.result.end) {
        case End::exited:
        case End::killed: return t.failed() ? fmt::format("failed, {}", words(t.result)) : std::string("ended well");
        case End::stands_still: return "stands still";
        case End::out_of_time: return "the time is over";
        case End::interrupted: return "interrupted";
        case End::not_started: break;
        }
        return "did not start: " + t.result.why;
    }

    void problem(record::Tried const& t) {
        std::string const kind = t.failed()                         ? "the program fails"
                                 : t.buffering == Buffering::zero ? "the program stands still, which depends on buffering: its sends wait"
                                                                  : "the program stands still";
        (t.failed() ? failures_ : deadlocks_) += 1;
        std::string text = fmt::format("confirmed by run {}: {}\n", t.number, kind);
        for (record::Rank const& rank : t.recording.ranks)
            if (rank.end == record::RankEnd::blocked)
                text += fmt::format("  rank {} waits: {}in {}\n", rank.number, place(rank.blocked_at), rank.blocked_in);
        if (!options_.output.empty()) text += fmt::format("  its files: {}\n", t.folder.string());
        problems_.push_back(std::move(text));
    }

    MpiOptions const& options_;
    Terminal& terminal_;
    std::vector<std::string> problems_;
    std::size_t failures_ = 0;
    std::size_t deadlocks_ = 0;
};

} // namespace

ExitCode verify_command(MpiOptions const& options, Terminal& terminal) {
    auto const recorder = find_recorder(options, terminal);
    if (!recorder) return recorder.error();
    TemporaryFolder const temporary;
    auto const folder = folder_for(options, temporary, terminal);
    if (!folder) return folder.error();
    VerifyReport report(options, terminal);
    record::VerifyOptions verify{.launch = launch_as(options, *recorder), .folder = *folder};
    verify.limit = options.runs;
    verify.jobs = options.jobs;
    record::Verification verification(std::move(verify), [&](record::Tried const& t) { report.show(t); });
    return report.finish(verification.run());
}

} // namespace matchpoint::cli
