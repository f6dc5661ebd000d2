#include "cli/commands/certificate_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/temporary_folder.hpp"
#include "check/certificate.hpp"
#include "cli/cli.hpp"
#include "cli/output.hpp"
#include "cli/sha256.hpp"
#include "encode/exact.hpp"
#include "encode/partial_runs.hpp"
#include "encode/registry.hpp"
#include "solve/sat_solver.hpp"

namespace matchpoint::cli {

namespace {

/// The proof that the solver wrote, or why there is none.
struct Proof {
    std::string text;
    std::string trouble;
};

Proof proof_of(Certificate const& certificate, std::function<bool()> const& stop) {
    TemporaryFolder const folder;
    if (folder.path().empty()) return {{}, folder.error()};
    std::string const path = folder.path() / "proof";
    if (std::string trouble = write_proof(certificate, path, stop); !trouble.empty()) return {{}, std::move(trouble)};
    auto text = read_file(path);
    if (!text) return {{}, text.error()};
    return {std::move(*text), {}};
}

constexpr auto clauses_readme =
    R"(A certificate of `matchpoint check`: the program is {0} ({1} buffering, {5}). You need to trust neither the
encoder nor the solver.

program.ctp       the program
clauses.cnf       clauses in DIMACS format; comment lines give the meaning of variables: `match R S`, receive R gets send S;
                  `fails RHO`, the assertion at location RHO does not hold
clauses.reasons   for each clause, in the same order, why it is true of every {2}
clauses.drat      a proof that the clauses cannot all be true; each of its lines follows by unit propagation
certificate.json  what the certificate is for
{3}{6}
To check all of it with only Python's standard library:

    scripts/check_certificate . PROGRAM

PROGRAM is your own copy of the program. The checker refuses the certificate if program.ctp has other bytes.
Or with other tools: `minisat clauses.cnf` answers UNSATISFIABLE, and `drat-trim clauses.cnf clauses.drat` accepts the
proof.{4} Matchpoint's docs/certificates.md describes the reasons.
)";

constexpr auto lowered_readme = R"(
The clauses are about the plain program that program.ctp is lowered to: without selectors, modes, barriers, mprobes and
collectives, under {} buffering. Matchpoint's docs/lowering.md defines it, and the checker makes it by itself.
)";

constexpr auto smt_readme =
    R"(Evidence for the verdict that the program is {0} ({1} buffering). There are no clauses with reasons:
{5}.
So this is a problem for SMT solvers, with the answers of two of them. You have to trust the encoding.

program.ctp       the program
problem.smt2      satisfiable exactly if some {4} {2}
answers.txt       the answers of solvers
certificate.json  what this is for
{3})";

constexpr auto counting_readme =
    R"(Evidence that the program is safe ({0} buffering, {1}): counting proves that no assertion fails. You need not trust
Matchpoint, which has no part in the check.

program.ctp       the program
certificate.json  what the certificate is for
{2}
To check all of it with only Python's standard library:

    scripts/check_certificate . PROGRAM

PROGRAM is your own copy of the program. The checker refuses the certificate if program.ctp has other bytes.
The checker counts by itself. Matchpoint's docs/certificates.md describes how.
)";

constexpr auto invariants_readme =
    R"(Evidence that the program is safe ({0} buffering, {1}): what is asserted follows from invariants. You need not trust
Matchpoint, which has no part in the check.

program.ctp       the program
invariants.ctp    the invariants, as assertions: conditions over shared variables that are true whenever a block begins
certificate.json  what the certificate is for
{2}
To check all of it with Python's standard library and z3 or cvc5:

    scripts/check_certificate . PROGRAM

PROGRAM is your own copy of the program. The checker refuses the certificate if program.ctp has other bytes.
The checker finds the blocks by itself, and writes the problems for the solver. Matchpoint's docs/certificates.md describes how.
)";

/// What a certificate proves, in words: the checker has the same of its own.
std::string proved(Ctp const& ctp, Verdict verdict, Runs runs) {
    bool const complete = runs == Runs::complete;
    bool const is_safe = verdict == Verdict::safe;
    std::size_t assertions = 0;
    std::size_t trivial = 0; // a recording has one where an assertion of the program held
    for (LocatedCommand const& at : ctp.commands) {
        auto const* const assertion = std::get_if<Assert>(&at.c);
        if (assertion == nullptr) continue;
        Node const& root = ctp.nodes[assertion->e.root()];
        ++assertions;
        if (root.kind == Node::Kind::value && ctp.values[root.payload].is_true()) ++trivial;
    }
    std::string const what =
        !complete ? fmt::format("no execution on this path fails, and {}", is_safe ? "one completes" : "none completes")
        : is_safe ? "no complete run that keeps the assumptions fails, and there is one"
                  : "no complete run keeps the assumptions";
    std::string const of_these = trivial == 0 ? "" : fmt::format(", of which {} only assert `true`", trivial);
    return what + (assertions == 0 ? "; the program asserts nothing"
                                   : fmt::format("; assertions of the program: {}{}", assertions, of_these));
}

/// The longest search for clauses where something else proves the same.
constexpr std::chrono::milliseconds time_for_clauses{5000};

class CertificateWriter {
public:
    CertificateWriter(Prepared const& subject, CheckOptions const& options, CheckResult const& result,
                      std::string const& witnesses)
        : subject_(subject), options_(options), result_(result), is_safe_(result.verdict == Verdict::safe),
          verdict_(to_string(result.verdict)), buffering_(to_string(options.buffering)) {
        how_.buffering = options.buffering;
        how_.runs = options.runs;
        how_.of_failure = is_safe_;
        auto const time =
            has_other_proof() ? std::min(options.time.value_or(time_for_clauses), time_for_clauses) : options.time;
        if (time)
            how_.stop = [time = *time, begin = std::chrono::steady_clock::now()] {
                return std::chrono::steady_clock::now() - begin > time;
            };
        json_ = report_of("certificate");
        json_["verdict"] = verdict_;
        json_["buffering"] = buffering_;
        json_["runs"] = to_string(options.runs);
        json_["program_sha256"] = sha256(subject.source.text());
        json_["leaves_path"] = to_string(result.leaves_path.answer);
        proved_ = proved(subject.code.ctp(), result.verdict, options.runs);
        add("program.ctp", std::string(subject.source.text()));
        if (!is_safe_) return;
        add("witness.ctp", witnesses);
        witness_line_ = fmt::format(
            "witness.ctp       the program with a trace that succeeds:\n                  `{}`\n", show_witness());
    }

    /// Empty if it succeeded.
    std::string add_clauses(Certificate const& certificate) {
        Proof proof = proof_of(certificate, how_.stop);
        if (!proof.trouble.empty()) return proof.trouble;
        json_["kind"] = "clauses";
        json_["proves"] = proved_;
        json_["clauses"] = certificate.clauses.size();
        if (certificate.lowered) json_["lowered_buffering"] = to_string(*certificate.lowered);
        json_["solver"] = SatSolver::name_and_version();
        add("clauses.cnf", certificate.dimacs());
        add("clauses.reasons", certificate.reasons());
        add("clauses.drat", std::move(proof.text));
        add_readme(
            fmt::format(clauses_readme, verdict_, buffering_, clauses_are_about(), witness_line_,
                        is_safe_ ? fmt::format("\n`{}` shows the run that succeeds.", show_witness()) : "",
                        how_.runs == Runs::complete ? "complete runs" : "executions",
                        certificate.lowered ? fmt::format(lowered_readme, to_string(*certificate.lowered)) : ""));
        return {};
    }

    /// Whether no SMT problem says what the clauses would say.
    bool has_no_problem() const {
        EncoderOptions encoding;
        encoding.buffering = options_.buffering;
        encoding.runs = options_.runs;
        return find_encoder("exact")->refuses(subject_.messages, encoding).has_value();
    }

    /// Whether counting or invariants prove the verdict.
    bool has_other_proof() const { return result_.engine == "counting" || result_.inductive; }

    void add_other_proof() {
        bool const counts = !result_.inductive;
        json_["kind"] = counts ? "counting" : "invariants";
        json_["proves"] = proved_;
        if (!counts) add("invariants.ctp", invariants());
        add_readme(fmt::format(fmt::runtime(counts ? counting_readme : invariants_readme), buffering_,
                               options_.runs == Runs::complete ? "complete runs" : "executions", witness_line_));
    }

    /// `why` there are no clauses.
    void add_smt_problem(std::string_view why) {
        std::string answers;
        add_smt_problem("problem.smt2", Asked::failure, answers);
        if (!is_safe_) add_smt_problem("problem_success.smt2", Asked::success, answers);
        json_["kind"] = "smt";
        add("answers.txt", answers);
        add_readme(fmt::format(smt_readme, verdict_, buffering_,
                               is_safe_ ? "fails" : "fails (and problem_success.smt2, a complete run that succeeds)",
                               witness_line_, options_.runs == Runs::executions ? "execution" : "complete run", why));
    }

    Expected<Certificate, std::string> certificate() const {
        if (subject_.code.shares() && !subject_.code.has_plain_messages())
            return Unexpected{std::string(
                "the program has shared variables beside selectors, modes, barriers or endpoints of several threads")};
        try {
            return certify(subject_.messages, how_);
        } catch (std::bad_alloc const&) {
            return Unexpected{std::string("out of memory")};
        }
    }

    /// What a solver says against the verdict; empty if nothing.
    std::string const& contradiction() const { return contradiction_; }

    FileError write(std::string const& folder) {
        add("certificate.json", dump(json_));
        return write_folder(folder, files_);
    }

private:
    /// What is proved follows the first sentence.
    void add_readme(std::string text) {
        std::string const lines = fmt::format(
            "\n{} {}.\nIt is not about deadlocks, faults and data races, nor about executions that leave the path: "
            "`leaves the path: {}` is what `check` says.\n",
            json_.contains("proves") ? "It proves:" : "It claims, and does not prove:", proved_,
            to_string(result_.leaves_path.answer));
        text.insert(text.find("\n\n") + 1, lines);
        add("README", std::move(text));
    }

    std::string_view clauses_are_about() const {
        if (how_.runs == Runs::executions)
            return is_safe_ ? "execution that fails, at that\n                  moment"
                            : "execution that fails, at that\n                  moment, and of every complete run that "
                              "keeps the assumptions";
        return is_safe_ ? "complete run that keeps the assumptions\n                  and fails"
                        : "complete run that keeps the assumptions";
    }

    std::string show_witness() const {
        return fmt::format("matchpoint run witness.ctp --trace 1 --buffering {}", buffering_);
    }

    /// As a program that asserts them.
    std::string invariants() const {
        IndexedProgram const& code = subject_.code;
        std::string text = "(shared";
        for (SharedVariable const& s : code.ctp().shared) {
            auto const& about = result_.inductive->variables;
            if (std::find(about.begin(), about.end(), s.x) == about.end()) continue;
            text += fmt::format(" [{} {}]", code.names()(s.x), s.v.to_string());
        }
        text += ")\n(\n  (";
        std::size_t number = 0;
        for (std::string const& condition : result_.inductive->conditions)
            text += fmt::format("{}[i{} (assert {})]\n", number == 0 ? " " : "    ", number + 1, condition), ++number;
        return text + (number == 0 ? " bot )\n)\n" : "    bot )\n)\n");
    }

    void add(std::string path, std::string text) { files_.push_back({std::move(path), std::move(text), false}); }

    void add_smt_problem(std::string const& name, Asked asked, std::string& answers) {
        EncoderOptions encoding;
        encoding.buffering = options_.buffering;
        encoding.asked = asked;
        encoding.check_sat = false;
        encoding.runs = options_.runs;
        std::string const text = problem(encoding);
        for (char const* const solver : {"z3", "cvc5"}) {
            SolverLimits limits = options_.limits;
            limits.time = options_.time.value_or(std::chrono::minutes(1));
            auto const command = solver_command(solver);
            Solver process(*command, limits);
            Answer const answer = process.check(text);
            answers += fmt::format("{} {}: {}\n", solver, name, to_string(answer, *command));
            if (is_sat(answer) == true)
                contradiction_ =
                    fmt::format("{} says that {} is satisfiable, and the program is {}", solver, name, verdict_);
        }
        add(name, text + "(check-sat)\n");
    }

    std::string problem(EncoderOptions const& encoding) const {
        MessageIndex const& messages = subject_.messages;
        if (!messages.code().is_plain()) return *find_encoder("exact")->encode({.messages = messages}, encoding);
        bool const need_not_complete = encoding.runs == Runs::executions && encoding.asked == Asked::failure;
        // What complete runs cannot match, an execution may.
        return need_not_complete ? encode_failing_execution(messages, overapprox(messages), encoding)
                                 : encode_exact(messages, tight(messages, encoding.buffering), encoding);
    }

    Prepared const& subject_;
    CheckOptions const& options_;
    CheckResult const& result_;
    bool is_safe_;
    std::string verdict_;
    std::string buffering_;
    std::string proved_;
    CertificateOptions how_;
    Json json_;
    std::vector<NewFile> files_;
    std::string contradiction_; // by a solver
    std::string witness_line_;  // of the README; empty if there is no witness
};

} // namespace

ExitCode write_certificate(Prepared const& subject, CheckOptions const& options, CheckResult const& result,
                           std::string const& witnesses, std::string const& folder, Terminal& terminal) {
    if (result.verdict != Verdict::safe && result.verdict != Verdict::vacuous) {
        complain(terminal,
                 fmt::format("there is no certificate for the verdict {}{}", to_string(result.verdict),
                             result.verdict == Verdict::violated ? ": its trace is one (-o writes it)" : ""),
                 ErrorKind::certificate);
        return holds; // the verdict has its own code
    }
    CertificateWriter writer(subject, options, result, witnesses);
    auto const certificate = writer.certificate();
    std::string const trouble = certificate ? writer.add_clauses(*certificate) : certificate.error();
    if (!trouble.empty() && writer.has_other_proof()) {
        writer.add_other_proof();
    } else if (!trouble.empty() && (certificate || writer.has_no_problem())) {
        complain(terminal, fmt::format("there is none: {}", trouble), ErrorKind::certificate);
        return unknown;
    } else if (!trouble.empty()) {
        writer.add_smt_problem(trouble);
        if (!writer.contradiction().empty()) {
            complain(terminal, fmt::format("there is none: {}", writer.contradiction()), ErrorKind::certificate);
            return disagrees;
        }
        warn(terminal,
             fmt::format("there are no clauses with reasons: {}; the certificate has a problem for SMT solvers",
                         trouble),
             ErrorKind::certificate);
    }
    if (FileError const wrong = writer.write(folder); !wrong.empty()) {
        complain(terminal, wrong, ErrorKind::file);
        return output_failed;
    }
    return holds;
}

} // namespace matchpoint::cli
