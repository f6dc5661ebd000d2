// tests/campaign --lemma3 | --check | --limits | --encode | --mpi | --mpi-check | --any | --probes | --collectives |
//                --shared | --shared-check | --shared-encoding | --rma | --rma-proofs
//                --cases N --seed S [--from N] [--jobs J] [--solver S] [--state FILE]
//
// A property on N random cases: Lemma 3; the checker's verdicts (tests/support/verdicts.hpp); the same and the exact
// encoding, with a solver; on programs with selectors, modes and barriers, machine and explorer
// (tests/support/mpi.hpp), or the checker and match pairs (tests/support/mpi_verdicts.hpp); the checker under any
// buffering (tests/support/refusal_verdicts.hpp); on programs with shared
// variables, the checker (tests/support/shared_verdicts.hpp), classes of executions, causal models and the oracle
// (tests/support/shared_classes.hpp), or the exact encoding with a solver (tests/support/shared_questions.hpp); on
// programs with remote memory access (tests/support/rma_verdicts.hpp), or their proofs by predicate abstraction
// (tests/support/rma_proofs.hpp); the checker under limits that leave little to
// exploration (tests/support/limited_verdicts.hpp), where each engine has to decide its share. Case i of a seed is the
// same in every run and with any number of jobs. With --state, what is done is kept in a file, and a run that was
// interrupted goes on where it was.

#include <malloc.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/lemma3.hpp"
#include "tests/support/limited_verdicts.hpp"
#include "tests/support/mpi.hpp"
#include "tests/support/mpi_verdicts.hpp"
#include "tests/support/refusal_verdicts.hpp"
#include "tests/support/rma_proofs.hpp"
#include "tests/support/rma_verdicts.hpp"
#include "tests/support/shared_classes.hpp"
#include "tests/support/shared_questions.hpp"
#include "tests/support/shared_verdicts.hpp"
#include "tests/support/together.hpp"
#include "tests/support/verdicts.hpp"

namespace {

using namespace matchpoint;
using namespace matchpoint::naive;

constexpr std::uint64_t block = 1000; // cases that are done, and noted as done, together

struct Options {
    bool lemma3 = false;
    bool check = false;
    bool limits = false;
    bool encode = false;
    bool mpi = false;
    bool mpi_check = false;
    bool any = false;
    bool probes = false;
    bool collectives = false;
    bool shared = false;
    bool shared_check = false;
    bool shared_encoding = false;
    bool rma = false;
    bool rma_proofs = false;
    std::uint64_t cases = 100'000;
    std::uint64_t from = 0; // the cases before it are done elsewhere
    std::uint64_t seed = 1;
    unsigned jobs = 1;
    std::string solver = "z3";
    std::string state;

    std::string property() const {
        if (limits) return "checks under limits";
        if (mpi) return "selectors, modes and barriers";
        if (any) return "deadlocks under any buffering";
        if (shared) return "verdicts with shared variables";
        if (shared_check) return "checks of shared variables";
        if (shared_encoding) return "the encoding of shared variables with " + solver;
        if (rma) return "remote memory access";
        if (rma_proofs) return "proofs of remote memory access";
        if (probes) return "probes";
        if (mpi_check) return "verdicts with selectors, modes and barriers";
        if (collectives) return "collectives";
        return lemma3 ? "Lemma 3 with " + solver : encode ? "check, and encode with " + solver : "check";
    }
};

/// One case: what is wrong with it, and what it was.
struct Judged {
    enum class How { right, wrong, no_answer } how = How::right;
    std::string what;
};

Judged judge(Options const& options, std::uint64_t i, Solver& solver, Together& together, Tally& tally) {
    if (options.limits) {
        Wrong const wrong = limits_are_right(options.seed, i, tally);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (options.mpi) {
        Wrong const wrong = mpi_is_right(options.seed, i, tally);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (options.mpi_check) {
        Wrong const wrong = mpi_verdicts_are_right(options.seed, i, tally);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (options.any) {
        Wrong const wrong = any_is_right(options.seed, i, tally);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (options.probes) {
        Wrong wrong = probes_are_right(options.seed, i, tally);
        if (!wrong) wrong = probe_verdicts_are_right(options.seed, i, tally);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (options.collectives) {
        Wrong const wrong = collectives_are_right(options.seed, i, tally);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (options.shared || options.shared_check) {
        Wrong wrong = shared_is_right(options.seed, i, tally);
        if (!wrong && options.shared) wrong = shared_classes_are_right(options.seed, i, tally);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (options.shared_encoding) {
        Wrong const wrong = shared_encoding_is_right(options.seed, i, together, tally);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (options.rma) {
        rma::RandomShape const shape{.atomics = i % 2 == 0 ? 0U : 60U, .choices = i % 8 < 6 ? 0U : 20U};
        Wrong wrong = rma_is_right(options.seed, i, tally, shape);
        if (!wrong) wrong = rma_flushes_are_right(options.seed, i, tally, shape);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (options.rma_proofs) {
        Wrong const wrong = rma_proofs_are_right(options.seed, i, tally, {.statements = 8, .remote = 3});
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    if (!options.lemma3) {
        Wrong const wrong = verdicts_are_right(options.seed, i, options.encode ? &together : nullptr, tally);
        return wrong ? Judged{Judged::How::wrong, *wrong} : Judged{};
    }
    Case const c = well_formed_case(options.seed, i);
    Lemma3Result const r = check_lemma3(c, solver);
    Lemma3Histogram histogram;
    histogram.count(c, r);
    for (auto const& [what, count] : histogram.rows())
        if (count > 0) tally[what] += count;
    if (r.verdict == Lemma3Verdict::broken) return {Judged::How::wrong, r.explanation};
    if (r.verdict == Lemma3Verdict::no_answer) return {Judged::How::no_answer, r.explanation};
    return {};
}

class Campaign {
public:
    explicit Campaign(Options options) : options_(std::move(options)), blocks_((options_.cases + block - 1) / block) {
        done_.resize(blocks_);
        next_ = options_.from / block;
        if (!options_.state.empty()) resume();
    }

    int run() {
        start_ = std::chrono::steady_clock::now();
        already_ = finished_;
        std::vector<std::thread> workers;
        for (unsigned j = 0; j < options_.jobs; ++j) workers.emplace_back([this] { work(); });
        for (std::thread& w : workers) w.join();
        std::cerr << '\n';
        summary();
        if (broken_ || failed_) return broken_ ? 20 : 3;
        return each_engine_has_its_share() ? 0 : 1;
    }

private:
    void work() {
        Solver solver(solver_command(options_.solver).value(), {.time = std::chrono::minutes(10)});
        while (!broken_ && !failed_) {
            std::uint64_t const b = next_++;
            if (b >= blocks_) return;
            if (done_[b]) continue;
            Tally tally;
            Together together(solver, options_.shared_encoding ? 25 : 10);
            auto const is_right = [&](std::uint64_t i, Judged const& judged) {
                if (judged.how == Judged::How::right) return true;
                std::lock_guard const lock(mutex_);
                std::cout << fmt::format("\ncase {} of seed {}, or one shortly before it: {}\n", i, options_.seed,
                                         judged.what);
                (judged.how == Judged::How::wrong ? broken_ : failed_) = true;
                return false;
            };
            for (std::uint64_t i = b * block; i < std::min((b + 1) * block, options_.cases); ++i) {
                if (!is_right(i, judge(options_, i, solver, together, tally))) return;
            }
            if (Wrong const wrong = together.finish(); wrong && !is_right(b * block, {Judged::How::wrong, *wrong}))
                return;
            if (together.asked() > 0) {
                tally["questions"] += together.asked();
                tally["problems that differ"] += together.problems();
                tally["queries"] += together.queries();
                if (together.unanswered() != 0) tally["queries without an answer"] += together.unanswered();
            }
            std::lock_guard const lock(mutex_);
            done_[b] = true;
            ++finished_;
            for (auto const& [what, count] : tally) total_[what] += count;
            keep();
            progress();
        }
    }

    void progress() const {
        double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        double const rate = static_cast<double>((finished_ - already_) * block) / seconds;
        std::cerr << fmt::format("\r{} of {} cases, {:.0f} a second{}", std::min(finished_ * block, options_.cases),
                                 options_.cases, rate, ::isatty(STDERR_FILENO) == 1 ? "   " : "\n")
                  << std::flush;
    }

    void summary() const {
        double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
        std::cout << fmt::format("{}, seed {}: {} of {} blocks of {} cases, {}\n", options_.property(), options_.seed,
                                 finished_, blocks_ - options_.from / block, block,
                                 broken_   ? "REFUTED"
                                 : failed_ ? "stopped: no answer"
                                           : "no counterexample");
        print(std::cout, total_);
        std::cout << fmt::format("  {:.0f} s with {} jobs, {:.0f} cases a second in this run\n", seconds, options_.jobs,
                                 static_cast<double>((finished_ - already_) * block) / seconds);
    }

    /// Otherwise the campaign does not test what it is for.
    bool each_engine_has_its_share() const {
        if (!options_.limits) return true;
        auto const few = engines_that_decided_few(total_, finished_ * block);
        for (std::string const& engine : few) std::cout << "  too few: " << engine << '\n';
        return few.empty();
    }

    nlohmann::json identity() const {
        return {{"property", options_.property()},
                {"seed", options_.seed},
                {"cases", options_.cases},
                {"from", options_.from},
                {"block", block}};
    }

    void resume() {
        std::ifstream in(options_.state);
        if (!in) return;
        auto const json = nlohmann::json::parse(in);
        if (json.at("identity") != identity())
            throw std::runtime_error(options_.state + " is the state of another campaign");
        for (std::uint64_t const b : json.at("done")) done_.at(b) = true, ++finished_;
        total_ = json.at("tally").get<Tally>();
    }

    void keep() const {
        if (options_.state.empty()) return;
        nlohmann::json json;
        json["identity"] = identity();
        json["done"] = nlohmann::json::array();
        for (std::uint64_t b = 0; b < blocks_; ++b)
            if (done_[b]) json["done"].push_back(b);
        json["tally"] = total_;
        // As a whole or not at all: an interruption must not lose what is done.
        std::string const fresh = options_.state + ".new";
        std::ofstream(fresh) << json;
        std::rename(fresh.c_str(), options_.state.c_str());
    }

    Options options_;
    std::uint64_t blocks_;
    std::vector<char> done_;
    std::uint64_t finished_ = 0;
    std::uint64_t already_ = 0;
    std::atomic<std::uint64_t> next_{0};
    std::atomic<bool> broken_{false};
    std::atomic<bool> failed_{false};
    Tally total_;
    mutable std::mutex mutex_;
    std::chrono::steady_clock::time_point start_;
};

} // namespace

int main(int argc, char** argv) {
    // The oracles build large trees and throw them away, again and again. What they free is kept for the next one.
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    ::mallopt(M_TOP_PAD, 64 << 20);
    Options options;
    CLI::App app{"Long runs of the properties."};
    CLI::Option_group& what = *app.add_option_group("property");
    what.require_option(1);
    what.add_flag("--lemma3", options.lemma3, "Lemma 3: satisfiable exactly on failure");
    what.add_flag("--check", options.check, "The checker's verdicts, by exploration and by itself");
    what.add_flag(
        "--limits", options.limits,
        "The checker, continuations and the oracle with few steps, samples, time or polls: what is said is right, "
        "and each engine decides its share");
    what.add_flag("--encode", options.encode, "The same, and the exact encoding with the solver");
    what.add_flag("--mpi", options.mpi, "Selectors, modes and barriers: machine and explorer");
    what.add_flag("--probes", options.probes, "Probes: machine, explorer, the checker's verdicts");
    what.add_flag("--mpi-check", options.mpi_check, "The same: the checker's verdicts, and match pairs");
    what.add_flag(
        "--any", options.any,
        "Any buffering: deadlocks, and the sends and collectives that refuse, by all engines and under limits");
    what.add_flag("--collectives", options.collectives, "Collectives: machine, explorer, verdicts and match pairs");
    what.add_flag("--shared", options.shared,
                  "Shared variables: verdicts, context switches, classes of executions, causal models, the oracle");
    what.add_flag(
        "--shared-check", options.shared_check,
        "Shared variables: verdicts by all engines, deadlocks, faults, data races and context switches alone");
    what.add_flag(
        "--shared-encoding", options.shared_encoding,
        "Shared variables: the exact encoding, with few context switches and of causal models, with the solver");
    what.add_flag("--rma", options.rma,
                  "Remote memory access: outcomes, final valuations, the reduced program, the fewest flushes");
    what.add_flag("--rma-proofs", options.rma_proofs,
                  "Predicate abstraction: what is verified is safe, and no final valuation is missing");
    app.add_option("--cases", options.cases, "How many")->check(CLI::PositiveNumber);
    app.add_option("--from", options.from, "Leave out the cases before this one, a multiple of 1000");
    app.add_option("--seed", options.seed, "Which");
    app.add_option("--jobs", options.jobs, "Threads, each with a solver of its own")->check(CLI::Range(1, 256));
    app.add_option("--solver", options.solver, "z3, cvc5, cvc4 or a command");
    app.add_option("--state", options.state, "Keep what is done in this file, and go on from it");
    CLI11_PARSE(app, argc, argv);
    options.from -= options.from % block;
    try {
        return Campaign(options).run();
    } catch (std::exception const& e) {
        std::cerr << "campaign: " << e.what() << '\n';
        return 2;
    }
}
