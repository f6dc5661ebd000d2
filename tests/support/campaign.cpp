// tests/campaign --lemma3 --cases N --seed S [--jobs J] [--solver S] [--state FILE]
//
// Lemma 3 on N random cases. Case i of a seed is the same in every run and with any number of jobs. With --state, what
// is done is kept in a file, and a run that was interrupted goes on where it was.

#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <iostream>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/support/cases.hpp"
#include "tests/support/lemma3.hpp"

namespace {

using namespace matchpoint;
using namespace matchpoint::naive;

constexpr std::uint64_t block = 1000; // cases that are done, and noted as done, together

struct Options {
    bool lemma3 = false;
    std::uint64_t cases = 100'000;
    std::uint64_t seed = 1;
    unsigned jobs = 1;
    std::string solver = "z3";
    std::string state;
};

Case case_number(std::uint64_t seed, std::uint64_t i) {
    std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                           static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i >> 32U)};
    std::mt19937_64 random(sequence);
    return elaborate_disciplined(random_skeleton(random));
}

class Campaign {
public:
    explicit Campaign(Options options) : options_(std::move(options)), blocks_((options_.cases + block - 1) / block) {
        done_.resize(blocks_);
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
        return 0;
    }

private:
    void work() {
        Solver solver(solver_command(options_.solver).value(), {.time = std::chrono::seconds(60)});
        while (!broken_ && !failed_) {
            std::uint64_t const b = next_++;
            if (b >= blocks_) return;
            if (done_[b]) continue;
            Lemma3Histogram histogram;
            for (std::uint64_t i = b * block; i < std::min((b + 1) * block, options_.cases); ++i) {
                Case const c = case_number(options_.seed, i);
                Lemma3Result const r = check_lemma3(c, solver);
                histogram.count(c, r);
                if (r.verdict == Lemma3Verdict::broken || r.verdict == Lemma3Verdict::no_answer) {
                    std::lock_guard const lock(mutex_);
                    std::cout << fmt::format("\ncase {} of seed {}: {}\n", i, options_.seed, r.explanation);
                    (r.verdict == Lemma3Verdict::broken ? broken_ : failed_) = true;
                    return;
                }
            }
            std::lock_guard const lock(mutex_);
            done_[b] = true;
            ++finished_;
            total_.add(histogram);
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
        std::cout << fmt::format("Lemma 3 with {}, seed {}: {} of {} blocks of {} cases, {}\n", options_.solver,
                                 options_.seed, finished_, blocks_, block,
                                 broken_   ? "REFUTED"
                                 : failed_ ? "stopped: no answer"
                                           : "no counterexample");
        total_.print(std::cout);
        std::cout << fmt::format("  {:.0f} s with {} jobs, {:.0f} cases a second in this run\n", seconds, options_.jobs,
                                 static_cast<double>((finished_ - already_) * block) / seconds);
    }

    nlohmann::json identity() const {
        return {{"seed", options_.seed}, {"cases", options_.cases}, {"solver", options_.solver}, {"block", block}};
    }

    void resume() {
        std::ifstream in(options_.state);
        if (!in) return;
        auto const json = nlohmann::json::parse(in);
        if (json.at("identity") != identity())
            throw std::runtime_error(options_.state + " is the state of another campaign");
        for (std::uint64_t const b : json.at("done")) done_.at(b) = true, ++finished_;
        auto const& h = json.at("histogram");
        for (std::size_t b = 0; b < 2; ++b)
            for (std::size_t s = 0; s < 3; ++s) total_.status[b][s] = h.at("status").at(b).at(s);
        for (auto const& [name, member] : counters()) total_.*member = h.at(name);
    }

    void keep() const {
        if (options_.state.empty()) return;
        nlohmann::json json;
        json["identity"] = identity();
        json["done"] = nlohmann::json::array();
        for (std::uint64_t b = 0; b < blocks_; ++b)
            if (done_[b]) json["done"].push_back(b);
        json["histogram"]["status"] = total_.status;
        for (auto const& [name, member] : counters()) json["histogram"][name] = total_.*member;
        // As a whole or not at all: an interruption must not lose what is done.
        std::string const fresh = options_.state + ".new";
        std::ofstream(fresh) << json;
        std::rename(fresh.c_str(), options_.state.c_str());
    }

    static std::vector<std::pair<std::string, std::size_t Lemma3Histogram::*>> counters() {
        using H = Lemma3Histogram;
        return {{"not_well_formed", &H::not_well_formed},
                {"several_assertions", &H::several_assertions},
                {"no_assertion", &H::no_assertion},
                {"redefined_variable", &H::redefined_variable},
                {"sent_expression", &H::sent_expression},
                {"marking", &H::marking},
                {"several_endpoints", &H::several_endpoints},
                {"booleans", &H::booleans},
                {"division", &H::division},
                {"big_integers", &H::big_integers}};
    }

    Options options_;
    std::uint64_t blocks_;
    std::vector<char> done_;
    std::uint64_t finished_ = 0;
    std::uint64_t already_ = 0;
    std::atomic<std::uint64_t> next_{0};
    std::atomic<bool> broken_{false};
    std::atomic<bool> failed_{false};
    Lemma3Histogram total_;
    mutable std::mutex mutex_;
    std::chrono::steady_clock::time_point start_;
};

} // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app{"Long runs of the properties."};
    app.add_flag("--lemma3", options.lemma3, "Lemma 3: satisfiable exactly on failure")->required();
    app.add_option("--cases", options.cases, "How many")->check(CLI::PositiveNumber);
    app.add_option("--seed", options.seed, "Which");
    app.add_option("--jobs", options.jobs, "Threads, each with a solver of its own")->check(CLI::Range(1, 256));
    app.add_option("--solver", options.solver, "z3, cvc5, cvc4 or a command");
    app.add_option("--state", options.state, "Keep what is done in this file, and go on from it");
    CLI11_PARSE(app, argc, argv);
    try {
        return Campaign(options).run();
    } catch (std::exception const& e) {
        std::cerr << "campaign: " << e.what() << '\n';
        return 2;
    }
}
