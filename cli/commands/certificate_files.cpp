#include "cli/commands/certificate_files.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "check/certificate.hpp"
#include "cli/cli.hpp"
#include "cli/output.hpp"
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
    std::error_code ec;
    std::string path = (std::filesystem::temp_directory_path(ec) / "matchpoint.XXXXXX").string();
    int const fd = ::mkstemp(path.data());
    if (fd < 0) return {{}, fmt::format("cannot write a temporary file in {}", path)};
    ::close(fd);
    Proof proof;
    proof.trouble = write_proof(certificate, path, stop);
    if (proof.trouble.empty()) {
        std::ifstream in(path, std::ios::binary);
        proof.text.assign(std::istreambuf_iterator<char>(in), {});
        if (!in && !in.eof()) proof.trouble = "cannot read " + path;
    }
    ::unlink(path.c_str());
    return proof;
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

    scripts/check_certificate .

Or with other tools: `minisat clauses.cnf` answers UNSATISFIABLE, and `drat-trim clauses.cnf clauses.drat` accepts the
proof.{4} Matchpoint's docs/certificates.md describes the reasons.
)";

constexpr auto lowered_readme = R"(
The clauses are about the plain program that program.ctp is lowered to: without selectors, modes and barriers, under
{} buffering. Matchpoint's docs/lowering.md defines it, and the checker makes it by itself.
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

class CertificateWriter {
public:
    CertificateWriter(Prepared const& subject, CheckOptions const& options, CheckResult const& result,
                      std::string const& witnesses)
        : subject_(subject), options_(options), is_safe_(result.verdict == Verdict::safe),
          verdict_(to_string(result.verdict)), buffering_(to_string(options.buffering)) {
        how_.buffering = options.buffering;
        how_.runs = options.runs;
        how_.of_failure = is_safe_;
        if (options.time)
            how_.stop = [time = *options.time, begin = std::chrono::steady_clock::now()] {
                return std::chrono::steady_clock::now() - begin > time;
            };
        json_ = report_of("certificate");
        json_["verdict"] = verdict_;
        json_["buffering"] = buffering_;
        json_["runs"] = to_string(options.runs);
        json_["program_sha256"] = sha256(subject.source.text());
        add("program.ctp", std::string(subject.source.text()));
        if (!is_safe_) return;
        add("witness.ctp", witnesses);
        witness_line_ = fmt::format(
            "witness.ctp       the program with a trace that succeeds:\n                  `{}`\n", show_witness());
    }

    /// Empty: done.
    std::string add_clauses(Certificate const& certificate) {
        Proof proof = proof_of(certificate, how_.stop);
        if (!proof.trouble.empty()) return proof.trouble;
        json_["kind"] = "clauses";
        json_["clauses"] = certificate.clauses.size();
        if (certificate.lowered) json_["lowered_buffering"] = to_string(*certificate.lowered);
        json_["solver"] = SatSolver::name_and_version();
        add("clauses.cnf", certificate.dimacs());
        add("clauses.reasons", certificate.reasons());
        add("clauses.drat", std::move(proof.text));
        add("README",
            fmt::format(clauses_readme, verdict_, buffering_, clauses_are_about(), witness_line_,
                        is_safe_ ? fmt::format("\n`{}` shows the run that succeeds.", show_witness()) : "",
                        how_.runs == Runs::complete ? "complete runs" : "executions",
                        certificate.lowered ? fmt::format(lowered_readme, to_string(*certificate.lowered)) : ""));
        return {};
    }

    /// `why` there are no clauses.
    void add_smt_problem(std::string_view why) {
        std::string answers;
        add_smt_problem("problem.smt2", Asked::failure, answers);
        if (!is_safe_) add_smt_problem("problem_success.smt2", Asked::success, answers);
        json_["kind"] = "smt";
        add("answers.txt", answers);
        add("README",
            fmt::format(smt_readme, verdict_, buffering_,
                        is_safe_ ? "fails" : "fails (and problem_success.smt2, a complete run that succeeds)",
                        witness_line_, options_.runs == Runs::executions ? "execution" : "complete run", why));
    }

    Expected<Certificate, std::string> certificate() const {
        try {
            return certify(subject_.messages, how_);
        } catch (std::bad_alloc const&) {
            return Unexpected{std::string("out of memory")};
        }
    }

    FileError write(std::string const& folder) {
        add("certificate.json", dump(json_));
        return write_folder(folder, files_);
    }

private:
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
            answers += fmt::format("{} {}: {}\n", solver, name, to_string(process.check(text), *command));
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
    bool is_safe_;
    std::string verdict_;
    std::string buffering_;
    CertificateOptions how_;
    Json json_;
    std::vector<NewFile> files_;
    std::string witness_line_; // of the README; empty: there is no witness
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
    if (subject.code.shares() && !subject.code.has_plain_messages()) {
        complain(terminal, "there is none: the program has shared variables beside selectors, modes or barriers",
                 ErrorKind::certificate);
        return unknown;
    }
    CertificateWriter writer(subject, options, result, witnesses);
    if (auto const certificate = writer.certificate()) {
        if (std::string const trouble = writer.add_clauses(*certificate); !trouble.empty()) {
            complain(terminal, fmt::format("there is none: {}", trouble), ErrorKind::certificate);
            return unknown;
        }
    } else {
        writer.add_smt_problem(certificate.error());
        warn(terminal,
             fmt::format("there are no clauses with reasons: {}; the certificate has a problem for SMT solvers",
                         certificate.error()),
             ErrorKind::certificate);
    }
    if (FileError const wrong = writer.write(folder); !wrong.empty()) {
        complain(terminal, wrong, ErrorKind::file);
        return output_failed;
    }
    return holds;
}

} // namespace matchpoint::cli
