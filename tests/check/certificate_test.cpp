// Certificates of both readings of "outcome" (docs/semantics.md, "Outcomes of a program"): there is one exactly if the
// program is safe or vacuous, by a search that follows the definition to the letter, and scripts/check_certificate
// accepts each. Programs with selectors, modes and barriers are lowered for that, and scripts/check_certificate lowers
// them to the same programs. MATCHPOINT_CASES and MATCHPOINT_SEED (environment) choose more random programs, and
// others.

#include "check/certificate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "grammar/print.hpp"
#include "lowering/lowered.hpp"
#include "programs/small.hpp"
#include "programs/small_mpi.hpp"
#include "tests/support/all_rooms.hpp"
#include "tests/support/generate.hpp"
#include "tests/support/naive_explore.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/source_dir.hpp"
#include "tests/support/subjects.hpp"
#include "tests/support/thinning.hpp"

namespace matchpoint::naive {
namespace {

/// What the executions of a program come to, each judged as long as no assumption was false.
struct PathTruth {
    bool fails = false;
    std::optional<Trace> success = std::nullopt; // a complete run
    bool too_many = false;                       // states
};

class Search {
public:
    Search(Program const& program, bool zero) : program_(program), zero_(zero) {}

    PathTruth run() {
        visit(initial_state(program_), {});
        return found_;
    }

private:
    /// Where the threads are, what was delivered and what it was matched with: the rest of a state follows from it.
    static std::string key(State const& state) {
        std::string text;
        for (std::size_t const n : state.next) text += fmt::format("{} ", n);
        for (auto const& [beta, messages] : state.Q_s)
            for (Message const& m : messages) text += fmt::format("{}:{} ", beta, m.action);
        for (auto const& [r, s] : state.got) text += fmt::format("{}={} ", r, s);
        for (auto const& [p, s] : state.saw) text += fmt::format("{} saw {} ", p, s);
        return text;
    }

    void visit(State const& state, std::vector<Movement> const& pending) {
        found_.too_many = found_.too_many || seen_.size() > 20'000;
        if (found_.too_many || state.s == Status::infeasible || !seen_.insert(key(state)).second) return;
        found_.fails = found_.fails || state.s == Status::failure;
        if (state.s == Status::success && finished(program_, state)) found_.success = trace_;
        for (std::size_t t = 0; t < program_.threads.size(); ++t) step_of(state, t, pending);
        for (auto const& [movement, after] : movements_of(program_, state, zero_)) {
            std::vector<Movement> longer = pending;
            longer.push_back(movement);
            visit(after, longer);
        }
    }

    void step_of(State const& state, std::size_t t, std::vector<Movement> const& pending) {
        if (state.next[t] == program_.threads[t].size()) return;
        std::string const& location = program_.threads[t][state.next[t]].location;
        for (auto const& [peek, after] : steps_of(program_, state, t, zero_)) {
            if (!std::holds_alternative<State>(after)) continue;
            trace_.push_back({location, pending, peek});
            visit(std::get<State>(after), {});
            trace_.pop_back();
        }
    }

    Program const& program_;
    bool zero_;
    PathTruth found_;
    std::set<std::string> seen_;
    Trace trace_;
};

naive::Verdict verdict_of(PathTruth const& truth) {
    return truth.fails ? naive::Verdict::violated : truth.success ? naive::Verdict::safe : naive::Verdict::vacuous;
}

std::string output_of(std::string const& command) {
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    std::string text;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    ::pclose(pipe);
    return text;
}

/// Folders with certificates. The checker sees many at a time.
class Folders {
public:
    ~Folders() { std::filesystem::remove_all(all_); }

    void write(std::string const& text, Trace const& witness, std::string const& verdict, Runs runs, bool zero,
               check::Certificate const& certificate) {
        std::filesystem::path const folder = all_ / std::to_string(about_.size());
        std::filesystem::create_directories(folder);
        put(folder / "program.ctp", text);
        if (verdict == "safe") put(folder / "witness.ctp", text + to_text(witness) + "\n");
        put(folder / "clauses.cnf", certificate.dimacs());
        put(folder / "clauses.reasons", certificate.reasons());
        EXPECT_EQ(check::write_proof(certificate, folder / "clauses.drat", {}), "");
        about_.push_back(fmt::format(
            R"({{"schema": {{"name": "matchpoint.certificate", "version": 1}}, "verdict": "{}", "buffering": "{}",
                "runs": "{}", "kind": "clauses", "clauses": {}, "solver": "test", {}"program_sha256": )",
            verdict, zero ? "zero" : "infinite", to_string(runs), certificate.clauses.size(),
            certificate.lowered ? fmt::format("\"lowered_buffering\": \"{}\", ", to_string(*certificate.lowered))
                                : ""));
        if (about_.size() == 500) judge();
    }

    void judge() {
        if (about_.empty()) return;
        // In the order of the numbers.
        std::istringstream sums(
            output_of(fmt::format("cd {} && sha256sum $(ls | sort -n | sed s:$:/program.ctp:)", all_.string())));
        std::string sum, of;
        for (std::size_t i = 0; i < about_.size() && sums >> sum >> of; ++i)
            put(all_ / std::to_string(i) / "certificate.json", fmt::format("{}\"{}\"}}", about_[i], sum));
        std::string const checker = "/usr/bin/python3 " + test::source_dir().string() + "/scripts/check_certificate";
        std::string const refused =
            output_of(fmt::format("cd {} && {} --all * 2>&1 | grep -v ': good: '", all_.string(), checker));
        EXPECT_EQ(refused, "");
        if (!refused.empty()) {
            std::string const kept = fmt::format("{}.kept{}", all_.string(), judged_);
            std::filesystem::copy(all_, kept, std::filesystem::copy_options::recursive);
            std::cout << "kept in " << kept << "\n";
        }
        judged_ += about_.size();
        about_.clear();
        std::filesystem::remove_all(all_);
    }
    std::size_t judged() const { return judged_; }

private:
    static void put(std::filesystem::path const& file, std::string const& content) { std::ofstream(file) << content; }

    std::filesystem::path all_ =
        std::filesystem::path(::testing::TempDir()) / fmt::format("certificates.{}", ::getpid());
    std::vector<std::string> about_; // certificate.json of each folder, but for the sum
    std::size_t judged_ = 0;
};

class Certificates : public ::testing::Test {
protected:
    /// Certificates for a program under one buffering, of both readings.
    void judge(Program const& program, bool zero) {
        PathTruth const truth = Search(program, zero).run();
        bool const is_plain = test::Subject(to_text(program, {})).messages.code().is_plain();
        auto const complete =
            is_plain ? explore_quickly(program, zero, 20'000) : explore_eagerly(program, zero, 20'000);
        if (truth.too_many || !complete) {
            ++too_large_;
            return;
        }
        certify(program, zero, Runs::executions, verdict_of(truth), truth.success);
        certify(program, zero, Runs::complete, complete->verdict, truth.success);
    }

    void certify(Program const& program, bool zero, Runs runs, naive::Verdict verdict,
                 std::optional<Trace> const& success) {
        std::string const text = to_text(program, {});
        SCOPED_TRACE(
            fmt::format("{}\n{}, {}, {}", text, zero ? "zero" : "infinite", to_string(runs), to_text(verdict)));
        ++counts_[fmt::format("{}, {}, {}", to_string(runs), zero ? "zero" : "infinite", to_text(verdict))];
        test::Subject const subject(text);
        check::CertificateOptions options;
        options.buffering = zero ? Buffering::zero : Buffering::infinite;
        options.runs = runs;
        for (bool const of_failure : {true, false}) {
            options.of_failure = of_failure;
            if (!is_certified(subject.messages, options.buffering)) {
                EXPECT_FALSE(check::certify(subject.messages, options));
                ++counts_["not lowered"];
                continue;
            }
            if (verdict == naive::Verdict::violated || (verdict == naive::Verdict::safe && !of_failure)) {
                EXPECT_THROW(static_cast<void>(check::certify(subject.messages, options)), std::logic_error);
                continue;
            }
            auto const certificate = check::certify(subject.messages, options);
            ASSERT_TRUE(certificate);
            // No run of a vacuous program fails either, but there is no witness to say that it is safe.
            if (verdict == naive::Verdict::vacuous && of_failure) continue;
            folders_.write(text, success.value_or(Trace{}), to_text(verdict), runs, zero, *certificate);
        }
    }

    static bool is_certified(MessageIndex const& messages, Buffering buffering) {
        return messages.code().is_plain() || Lowered::of(messages, buffering).has_value();
    }

    void TearDown() override {
        folders_.judge();
        for (auto const& [what, count] : counts_) std::cout << fmt::format("{:<40}{:8}\n", what, count);
        std::cout << folders_.judged() << " certificates checked, " << too_large_ << " programs too large\n";
    }

    void judge(std::string const& text) {
        for (bool const zero : {false, true}) judge(read_program(text), zero);
    }

    Folders folders_;
    std::map<std::string, std::size_t> counts_;
    std::size_t too_large_ = 0;
};

TEST_F(Certificates, WhereTheReadingsDiffer) {
    char const* const others = "( [e (sndi S 1 0 1)] ) ( [f (sndi T 2 0 2)] )";
    judge(fmt::format("( ( [a (rcvi R 0 A)] [b (wait R)] [c (assert (= A 1))] [d (assume (= A 1))] ) {} )", others));
    judge(fmt::format("( ( [a (rcvi R 0 A)] [b (wait R)] [c (assert (= A 1))] [g (rcvi R2 0 B)] [h (wait R2)] "
                      "[i (rcvi R3 0 C)] [j (wait R3)] ) {} )",
                      others));
    judge("( ( [a (assert false)] ) ( [b (assume false)] ) )");
    for (char const* const buffering : {"infinite", "zero"}) {
        EXPECT_EQ(counts_[fmt::format("executions, {}, violated", buffering)], 3U);
        EXPECT_EQ(counts_[fmt::format("complete, {}, safe", buffering)], 1U);
        EXPECT_EQ(counts_[fmt::format("complete, {}, vacuous", buffering)], 2U);
    }
}

TEST_F(Certificates, SmallPrograms) {
    SmallPrograms programs(small_bound(6));
    std::size_t n = 0;
    std::size_t const thin = every(8);
    while (auto const draft = programs.next())
        if (n++ % thin == 0)
            for (bool const zero : {false, true}) judge(plain(*draft).program, zero);
}

std::size_t given(char const* name, std::size_t otherwise) {
    char const* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::stoul(text);
}

TEST_F(Certificates, RandomPrograms) {
    std::size_t const count = given("MATCHPOINT_CASES", cases(400));
    for (unsigned i = 0; i < count; ++i)
        for (bool const zero : {false, true}) judge(program_to_explore(given_seed(), i, 2 + i % 3, 2 + i % 4), zero);
}

/// Some small programs with selectors, modes and barriers: every nth of those with one of these, and more of the
/// smaller ones with all.
void for_small_mpi_programs(std::size_t nth, std::function<void(Program const&)> const& visit) {
    auto const all_of = [&](programs::SmallMpi kinds, programs::SmallBound const& bound, std::size_t every_so_many) {
        programs::SmallMpiPrograms all(bound, kinds, every_so_many);
        while (auto const draft = all.next()) visit(plain(*draft).program);
    };
    all_of({.selectors = true}, {.size = 6}, nth);
    all_of({.modes = true}, {.size = 6}, nth);
    all_of({.barrier = true}, {.size = 6}, nth);
    all_of({.selectors = true, .modes = true, .barrier = true}, {.size = 5}, nth / 10 + 1);
}

Program random_mpi_program(unsigned i) { return mpi_program_to_explore(given_seed(), i, 2 + i % 3, 2 + i % 3); }

TEST_F(Certificates, SmallMpiPrograms) {
    for_small_mpi_programs(10'000 * every(), [&](Program const& program) {
        for (bool const zero : {false, true}) judge(program, zero);
    });
    folders_.judge();
    EXPECT_GT(folders_.judged(), 0U);
}

TEST_F(Certificates, RandomMpiPrograms) {
    for (unsigned i = 0; i < given("MATCHPOINT_CASES", cases(400)); ++i)
        for (bool const zero : {false, true}) judge(random_mpi_program(i), zero);
}

TEST_F(Certificates, RandomProgramsWithMprobesOrCollectives) {
    for (unsigned i = 0; i < given("MATCHPOINT_CASES", cases(200)); ++i)
        for (bool const zero : {false, true}) {
            judge(mprobe_program_to_explore(given_seed(), i, 3, 3), zero);
            judge(collective_program_to_explore(given_seed(), i), zero);
        }
}

/// The plain programs of lowering/ and of scripts/check_certificate, as text, for many programs at a time.
class LoweredTwice : public ::testing::Test {
protected:
    void add(Program const& program) {
        std::string const text = to_text(program, {});
        test::Subject const subject(text);
        if (subject.messages.code().is_plain()) return;
        for (bool const zero : {false, true}) {
            auto const lowered = Lowered::of(subject.messages, zero ? Buffering::zero : Buffering::infinite);
            ++counts_[lowered ? fmt::format("lowered, {} buffering", to_string((*lowered)->buffering()))
                              : "not lowered"];
            expected_[zero] += lowered ? fmt::format("; {} buffering\n{}", to_string((*lowered)->buffering()),
                                                     grammar::print((*lowered)->messages().code().program()))
                                       : "; not lowered\n";
        }
        std::filesystem::create_directories(all_);
        std::ofstream(all_ / fmt::format("{}.ctp", count_)) << text;
        if (++count_ == 500) compare();
    }

    void compare() {
        if (count_ == 0) return;
        for (bool const zero : {false, true}) {
            std::string const checker =
                "/usr/bin/python3 " + test::source_dir().string() + "/scripts/check_certificate --lower ";
            std::string const script =
                output_of(fmt::format("cd {} && {} {} $(ls | sort -n) | sed 's/^; the program is not lowered: .*/; not "
                                      "lowered/'",
                                      all_.string(), checker, zero ? "zero" : "infinite"));
            EXPECT_EQ(script, expected_[zero]);
            expected_[zero].clear();
        }
        count_ = 0;
        std::filesystem::remove_all(all_);
    }

    void TearDown() override {
        compare();
        for (auto const& [what, count] : counts_) std::cout << fmt::format("{:<40}{:8}\n", what, count);
        if (every() == 1) {
            EXPECT_EQ(counts_.size(), 3U); // a part may show less
        }
    }

private:
    std::filesystem::path all_ = std::filesystem::path(::testing::TempDir()) / fmt::format("lowered.{}", ::getpid());
    std::size_t count_ = 0;
    std::string expected_[2]; // by buffering
    std::map<std::string, std::size_t> counts_;
};

TEST_F(LoweredTwice, SmallPrograms) {
    for_small_mpi_programs(1'500 * every(), [&](Program const& program) { add(program); });
}

TEST_F(LoweredTwice, RandomPrograms) {
    for (unsigned i = 0; i < given("MATCHPOINT_CASES", cases(800)); ++i)
        add(i % 2 == 0 ? random_mpi_program(i) : mpi_program_to_explore(given_seed(), i, 5, 12));
}

TEST_F(LoweredTwice, RandomProgramsWithProbesOrCollectives) {
    for (unsigned i = 0; i < given("MATCHPOINT_CASES", cases(400)); ++i) {
        add(probe_program_to_explore(given_seed(), i));
        add(mprobe_program_to_explore(given_seed(), i, 3, 8));
        add(collective_program_to_explore(given_seed(), i, 4, 5));
    }
}

} // namespace
} // namespace matchpoint::naive
