// `matchpoint mpi verify`: all runs that a program can have.
#include <algorithm>
#include <fstream>

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
        for (Problem const& p : problems_) {
            terminal_.print(fmt::format("confirmed by run{} {}: {}", p.runs.size() == 1 ? "" : "s",
                                        fmt::join(p.runs, ", "), p.text));
            if (!options_.keep.empty()) terminal_.print(fmt::format("  files: {}\n", p.folder.string()));
        }
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

    /// The first lines that a program printed, up to where its launcher has something to say.
    static std::string said(record::Tried const& t) {
        std::ifstream file(t.folder / "output");
        std::string text;
        int lines = 0;
        for (std::string line; lines < 3 && std::getline(file, line);) {
            bool const is_of_launcher =
                line.empty() || std::string_view("[-=*").find(line[0]) != std::string_view::npos;
            if (is_of_launcher && lines != 0) break;
            if (is_of_launcher) continue;
            text += fmt::format("  | {}\n", printable(line, 200));
            ++lines;
        }
        return text;
    }

    /// Runs that go wrong in the same way are one problem.
    void problem(record::Tried const& t) {
        (t.failed() ? failures_ : deadlocks_) += 1;
        std::string kind = t.failed() ? "the program fails" : "the program stands still";
        if (t.buffering == Buffering::zero && !t.failed())
            kind += ", if its standard sends wait: it depends on buffering";
        std::string text = kind + "\n";
        std::string waits;
        for (record::Rank const& rank : t.recording.ranks)
            if (rank.end == record::RankEnd::blocked)
                waits += fmt::format("  {}rank {} waits {}\n", place(rank.blocked_at), rank.number, rank.blocked_in);
        text += t.failed() ? said(t) : t.why_stuck.empty() ? waits : t.why_stuck;
        auto const same =
            std::find_if(problems_.begin(), problems_.end(), [&](Problem const& p) { return p.text == text; });
        if (same == problems_.end())
            problems_.push_back({std::move(text), {t.number}, t.folder});
        else
            same->runs.push_back(t.number);
    }

    struct Problem {
        std::string text;
        std::vector<std::uint64_t> runs;
        std::filesystem::path folder; // of the first
    };

    MpiOptions const& options_;
    Terminal& terminal_;
    std::vector<Problem> problems_;
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
