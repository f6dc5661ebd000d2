#include "cli/commands/certificate_files.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "check/certificate.hpp"
#include "cli/files.hpp"
#include "encode/exact.hpp"
#include "solve/sat_solver.hpp"

namespace matchpoint::cli {

namespace {

/// What the solver wrote; none if a temporary file could not be made.
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
    R"(A certificate of `matchpoint check`: the program is {0} ({1} buffering). Neither its encoder nor its solver has to be
believed.

program.ctp       the program
clauses.cnf       clauses in the DIMACS format; a comment line says what each variable is: `match R S`, receive R gets send
                  S; `fails RHO`, the assertion at location RHO does not hold
clauses.reasons   for each clause, in their order, why it is true of every complete run that keeps the assumptions{2}
clauses.drat      a proof that the clauses cannot all be true; each of its lines follows by unit propagation
certificate.json  what the certificate is for
{3}
To check all of it, with nothing but Python's standard library:

    scripts/check_certificate .

With other people's programs: `minisat clauses.cnf` says UNSATISFIABLE, and `drat-trim clauses.cnf clauses.drat` that the
proof is one.{4} The reasons are described in Matchpoint's docs/certificates.md.
)";

constexpr auto smt_readme =
    R"(What can be said of the verdict that the program is {0} ({1} buffering). It is too large for clauses with a
reason each, so here is a problem for SMT solvers, and what two of them say. The encoding has to be believed.

program.ctp       the program
problem.smt2      can be satisfied exactly if some complete run {2}
answers.txt       what solvers say of it
certificate.json  what this is for
{3})";

} // namespace

ExitCode write_certificate(Prepared const& subject, CheckOptions const& options, CheckResult const& result,
                           std::string const& witnesses, std::string const& folder, Terminal& terminal) {
    if (result.verdict != Verdict::safe && result.verdict != Verdict::vacuous) {
        complain(terminal, fmt::format("there is no certificate for the verdict {}{}", to_string(result.verdict),
                                       result.verdict == Verdict::violated ? ": its trace is one (-o writes it)" : ""));
        return holds; // the verdict has its own code
    }
    bool const is_safe = result.verdict == Verdict::safe;
    std::string const buffering = options.buffering == Buffering::zero ? "zero" : "infinite";
    auto const begin = std::chrono::steady_clock::now();
    CertificateOptions how;
    how.buffering = options.buffering;
    how.of_failure = is_safe;
    if (options.time) how.stop = [&] { return std::chrono::steady_clock::now() - begin > *options.time; };

    nlohmann::ordered_json json;
    json["schema"] = {{"name", "matchpoint.certificate"}, {"version", 1}};
    json["verdict"] = to_string(result.verdict);
    json["buffering"] = buffering;
    json["program_sha256"] = sha256(subject.source.text());

    std::vector<NewFile> files{{"program.ctp", std::string(subject.source.text()), false}};
    std::string const show_witness = fmt::format("matchpoint run witness.ctp --trace 1 --buffering {}", buffering);
    std::string witness_line;
    if (is_safe) {
        files.push_back({"witness.ctp", witnesses, false});
        witness_line = fmt::format(
            "witness.ctp       the program with a trace that succeeds:\n                  `{}`\n", show_witness);
    }
    std::string const verdict(to_string(result.verdict));
    std::optional<Certificate> certificate;
    try {
        certificate = certify(subject.messages, how);
    } catch (std::bad_alloc const&) {
        certificate.reset();
    }
    if (certificate) {
        Proof proof = proof_of(*certificate, how.stop);
        if (!proof.trouble.empty()) {
            complain(terminal, fmt::format("no certificate: {}", proof.trouble));
            return unknown;
        }
        json["kind"] = "clauses";
        json["clauses"] = certificate->clauses.size();
        json["solver"] = SatSolver::name_and_version();
        files.push_back({"clauses.cnf", certificate->dimacs(), false});
        files.push_back({"clauses.reasons", certificate->reasons(), false});
        files.push_back({"clauses.drat", std::move(proof.text), false});
        files.push_back(
            {"README",
             fmt::format(clauses_readme, verdict, buffering, is_safe ? "\n                  and fails" : "",
                         witness_line,
                         is_safe ? fmt::format("\n`{}` shows the run that succeeds.", show_witness) : std::string()),
             false});
    } else {
        EncoderOptions encoding;
        encoding.buffering = options.buffering;
        std::string problem;
        std::string answers;
        for (Asked const asked : {Asked::failure, Asked::success}) {
            if (asked == Asked::success && is_safe) break;
            encoding.asked = asked;
            encoding.check_sat = false;
            std::string const text =
                encode_exact(subject.messages, tight(subject.messages, options.buffering), encoding);
            std::string const name = asked == Asked::failure ? "problem.smt2" : "problem_success.smt2";
            for (char const* const solver : {"z3", "cvc5"}) {
                SolverLimits limits = options.limits;
                limits.time = options.time.value_or(std::chrono::minutes(1));
                auto const command = solver_command(solver);
                Solver process(*command, limits);
                answers += fmt::format("{} {}: {}\n", solver, name, to_string(process.check(text), *command));
            }
            files.push_back({name, text + "(check-sat)\n", false});
        }
        json["kind"] = "smt";
        files.push_back({"answers.txt", answers, false});
        files.push_back({"README",
                         fmt::format(smt_readme, verdict, buffering,
                                     is_safe ? "fails" : "fails (and problem_success.smt2, succeeds)", witness_line),
                         false});
        complain(terminal, "the program is too large, or the time too short, for clauses with reasons: the certificate "
                           "has a problem for SMT solvers");
    }
    files.push_back({"certificate.json", json.dump(2) + "\n", false});
    if (FileError const wrong = write_folder(folder, files); !wrong.empty()) {
        complain(terminal, wrong);
        return output_failed;
    }
    return holds;
}

} // namespace matchpoint::cli
