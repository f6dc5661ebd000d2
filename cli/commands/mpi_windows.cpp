#include "cli/commands/mpi_windows.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/numbers.hpp"
#include "base/overloaded.hpp"
#include "cli/commands/rma_recorded.hpp"
#include "record/findings.hpp"
#include "rma/language/parse.hpp"
#include "rma/machine/replay.hpp"
#include "rma/search/races.hpp"

namespace matchpoint::cli {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 27U;
constexpr std::size_t most_races = 1000; // an access of 64 elements has 64
constexpr int most_seconds = 4;          // of each search

struct WindowsCheck {
    std::vector<record::Finding> findings;
    std::vector<record::Gap> gaps;
};

/// "a.c:7" as it is in the comment after a statement.
record::SourceLine line_of(std::string const& place) {
    std::size_t const colon = place.rfind(':');
    if (colon == std::string::npos) return {};
    return {place.substr(0, colon), to_number<std::uint32_t>(std::string_view(place).substr(colon + 1)).value_or(0)};
}

/// Whether what is left out may order ranks: then accesses that it orders would seem to race. Puts, gets and sums that
/// are left out bring nothing that a rank waits for.
bool may_order(record::Gap const& gap) {
    static constexpr std::string_view others[] = {"MPI_Put",
                                                  "MPI_Get",
                                                  "MPI_Accumulate",
                                                  "MPI_Rput",
                                                  "MPI_Rget",
                                                  "MPI_Raccumulate",
                                                  "MPI_Win",
                                                  "MPI_Win_create_dynamic",
                                                  "MPI_Win_create",
                                                  "MPI_Win_allocate",
                                                  "MPI_Win_flush",
                                                  "MPI_Win_flush_local",
                                                  "MPI_Win_flush_local_all",
                                                  "MATCHPOINT_ASSERT",
                                                  "matchpoint::value"};
    return std::find(std::begin(others), std::end(others), gap.function) == std::end(others);
}

class WindowsSearch {
public:
    explicit WindowsSearch(record::Recording const& run) : run_(run) {}

    WindowsCheck check() {
        auto const& left_out = run_.windows->gaps;
        auto const orders = std::find_if(left_out.begin(), left_out.end(), may_order);
        result_.gaps = left_out;
        result_.gaps.insert(result_.gaps.end(), run_.windows->choices.begin(), run_.windows->choices.end());
        Source const source("recording", run_.windows->as_fetched);
        auto const program = rma::parse_rma(source, {.keep_comments = true});
        if (!program) {
            unknown("the run cannot be written as a program with remote memory access");
            return std::move(result_);
        }
        if (orders != left_out.end())
            unknown(fmt::format("no races were looked for, as {} may order ranks", orders->function));
        else if (waits_for_atomics())
            find_races_in_all_orders(source, *program);
        else
            find_races_by_order();
        if (has_claims(*program)) find_assertions();
        return std::move(result_);
    }

private:
    using Clock = std::chrono::steady_clock;

    bool waits_for_atomics() const {
        auto const& choices = run_.windows->choices;
        return std::any_of(choices.begin(), choices.end(), [](record::Gap const& g) {
            return g.function == "MPI_Fetch_and_op" || g.function == "MPI_Compare_and_swap";
        });
    }

    static std::function<bool()> until(int seconds) {
        return [end = Clock::now() + std::chrono::seconds(seconds)] { return Clock::now() >= end; };
    }

    void unknown(std::string what) { result_.gaps.push_back({0, {}, "MPI_Win", std::move(what)}); }

    rma::CheckOptions options() const {
        rma::CheckOptions options;
        options.engine = rma::Engine::search;
        options.max_bytes = most_bytes;
        return options;
    }

    /// The recorded order says who waits for whom. But for atomics that ranks may wait for, it is the same in all runs
    /// of the path.
    void find_races_by_order() {
        try {
            Watch const watch(until(most_seconds));
            std::vector<record::Finding> const found = record::races_by_order(run_.windows->steps);
            result_.findings.insert(result_.findings.end(), found.begin(), found.end());
        } catch (LimitReached const&) {
            unknown("the search for races was not finished");
        }
    }

    /// What is fetched is assumed to be what it was.
    void find_races_in_all_orders(Source const& source, rma::Program const& program) {
        try {
            Watch const watch(until(most_seconds));
            rma::RaceResult const found = rma::find_races(program, options(), most_races, rma::RaceRuns::left_out);
            for (rma::Race const& race : found.races) add(source, program, race);
            if (!found.are_all) unknown("not all orders of its accesses were looked at for races");
            bool const is_whole = std::all_of(run_.ranks.begin(), run_.ranks.end(), [](record::Rank const& r) {
                return r.end == record::RankEnd::finalized;
            });
            if (!found.are_all || !is_whole) return;
            // If no run fetches that, what follows it was not looked at.
            rma::CheckResult const all = rma::check_program(program, options());
            bool const is_run = all.has_final == rma::Known::yes || all.verdict == rma::Verdict::violated;
            if (!is_run) unknown("what was fetched does not follow from what was recorded");
        } catch (LimitReached const&) {
            unknown("the search for races was not finished");
        }
    }

    void find_assertions() {
        Source const source("recording", run_.windows->text);
        auto const program = rma::parse_rma(source, {.keep_comments = true});
        if (!program) return;
        try {
            Watch const watch(until(most_seconds));
            rma::CheckResult const found = rma::check_program(*program, options());
            if (found.verdict == rma::Verdict::unknown)
                unknown("not all orders of its accesses were looked at for assertions");
            if (!found.violation || found.violation->run.empty()) return;
            add_assertion(source, *program, found.violation->run);
        } catch (LimitReached const&) {
            unknown("the search for assertions that fail was not finished");
        }
    }

    /// The last step passes a false one. Only what was followed has a claim that can be false.
    void add_assertion(Source const& source, rma::Program const& program, std::span<rma::Transition const> run) {
        auto const* const step = std::get_if<rma::ProcessStep>(&run.back());
        if (step == nullptr) return;
        rma::Graph const graph(program);
        rma::Machine const machine(graph);
        rma::State const before = rma::replay(machine, run.first(run.size() - 1)).state;
        rma::StatementIndex const claim = graph.at(before.pc[step->p]).executes;
        record::Finding f{record::FindingKind::window_assertion, step->p, line_of(call_path(source, program, claim)),
                          "", "its assertion can be false: that depends on when one-sided communication is done"};
        f.is_predicted = true;
        result_.findings.push_back(std::move(f));
    }

    static bool has_claims(rma::Program const& program) {
        return std::any_of(program.statements.begin(), program.statements.end(), [&](rma::Statement const& s) {
            auto const* const claim = std::get_if<rma::Assert>(&s.c);
            return claim != nullptr && program.nodes[claim->e.root()].kind != Node::Kind::value;
        });
    }

    /// Memory of windows. The recorder sees itself what is wrong with buffers.
    void add(Source const& source, rma::Program const& program, rma::Race const& race) {
        std::string const name(program.symbols(race.x));
        if (!name.starts_with('W')) return;
        auto const side = [&](rma::Race::Access const& a) {
            return record::RacingAccess{program.process_of(a.statement),
                                        line_of(call_path(source, program, a.statement)), function_of(program, a),
                                        a.writes};
        };
        result_.findings.push_back(record::race_between(side(race.first), side(race.second), program[race.x].process));
    }

    /// Empty of a store.
    static std::string function_of(rma::Program const& program, rma::Race::Access const& a) {
        rma::StatementKind const& c = program.statements[a.statement].c;
        if (std::holds_alternative<rma::Put>(c)) return "MPI_Put";
        if (std::holds_alternative<rma::Get>(c)) return "MPI_Get";
        if (std::holds_alternative<rma::Accumulate>(c)) return "MPI_Accumulate";
        if (std::holds_alternative<rma::FetchAndOp>(c)) return "MPI_Fetch_and_op";
        if (std::holds_alternative<rma::CompareAndSwap>(c)) return "MPI_Compare_and_swap";
        return "";
    }

    WindowsCheck result_;
    record::Recording const& run_;
};

} // namespace

void add_windows(record::Recording const& run, std::vector<record::Finding>& findings, std::vector<record::Gap>& gaps) {
    auto const [found, unknown] = WindowsSearch(run).check();
    findings.insert(findings.end(), found.begin(), found.end());
    findings = record::without_repetitions(std::move(findings));
    gaps.insert(gaps.end(), unknown.begin(), unknown.end());
}

} // namespace matchpoint::cli
