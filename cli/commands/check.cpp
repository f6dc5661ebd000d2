#include <sys/resource.h>

#include <algorithm>

#include <fmt/format.h>

#include "check/check.hpp"
#include "cli/commands/certificate_files.hpp"
#include "cli/files.hpp"
#include "cli/program_input.hpp"
#include "grammar/print.hpp"
#include "report/replay.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

namespace {

/// Exit codes from the worst to the best, of several programs.
constexpr ExitCode severity[] = {disagrees, internal, output_failed, failure,    bad_input, solver_failed,
                                 unknown,   deadlock, error,         infeasible, holds};

ExitCode worse(ExitCode a, ExitCode b) {
    for (ExitCode const code : severity)
        if (a == code || b == code) return code;
    return internal;
}

ExitCode exit_code(CheckResult const& r) {
    ExitCode code = holds;
    switch (r.verdict) {
    case Verdict::violated: code = failure; break;
    case Verdict::safe: break;
    case Verdict::vacuous: code = infeasible; break;
    case Verdict::unknown: code = unknown; break;
    }
    if (r.verdict == Verdict::safe || r.verdict == Verdict::vacuous) {
        if (r.fault.answer == Reached::Answer::yes) code = error;
        if (r.deadlock.answer == Reached::Answer::yes) code = deadlock;
        if (code == holds &&
            (r.deadlock.answer == Reached::Answer::unknown || r.fault.answer == Reached::Answer::unknown))
            code = unknown;
    }
    for (Trouble const& t : r.trouble) {
        if (t.kind == Trouble::Kind::wrong_answer) return disagrees;
        if (t.kind == Trouble::Kind::solver && r.verdict == Verdict::unknown) code = solver_failed;
    }
    return code;
}

char const* color_of(Verdict v) {
    switch (v) {
    case Verdict::violated: return "1;31";
    case Verdict::safe: return "1;32";
    case Verdict::vacuous: return "1;33";
    case Verdict::unknown: break;
    }
    return "1;35";
}

std::string_view to_string(Reached::Answer a) {
    switch (a) {
    case Reached::Answer::no: return "no";
    case Reached::Answer::yes: return "yes";
    case Reached::Answer::unknown: break;
    }
    return "unknown";
}

class Report {
public:
    Report(Prepared const& subject, Buffering buffering, CheckResult const& result)
        : name_(subject.source.name()), s_(&subject), buffering_(buffering), r_(result) {}
    /// Of a program that there was no memory for: no result but that.
    Report(std::string name, Buffering buffering, CheckResult const& result)
        : name_(std::move(name)), buffering_(buffering), r_(result) {}

    void print(Terminal& terminal) const {
        terminal.out(fmt::format("{}: {} ({} buffering)\n", printable(name_, 4096),
                                 terminal.paint(color_of(r_.verdict), check::to_string(r_.verdict)),
                                 machine::to_string(buffering_)));
        switch (r_.verdict) {
        case Verdict::violated: violated(terminal); break;
        case Verdict::safe: terminal.out("  no complete run fails, and some succeed\n"); break;
        case Verdict::vacuous: vacuous(terminal); break;
        case Verdict::unknown: break;
        }
        reached(terminal, "deadlock", r_.deadlock);
        reached(terminal, "fault", r_.fault);
        for (std::uint32_t beta = 0; some_complete() && beta < s_->code.endpoints().size(); ++beta)
            if (std::uint32_t const n = orphans_at(s_->messages, {beta}); n > 0)
                terminal.out(fmt::format("  orphans: every complete run leaves {} to endpoint {} without a receive\n",
                                         plural(n, "message"), report::shown(s_->code, Endpoint{beta})));
        terminal.out(fmt::format("  {}\n", work()));
        for (Trouble const& t : r_.trouble) terminal.out(fmt::format("  {}: {}\n", label(t.kind), t.what));
    }

    Json json() const {
        Json json;
        json["file"] = name_;
        json["sha256"] = s_ == nullptr ? Json(nullptr) : Json(sha256(s_->source.text()));
        json["buffering"] = machine::to_string(buffering_);
        json["verdict"] = check::to_string(r_.verdict);
        json["engine"] = r_.engine.empty() ? Json(nullptr) : Json(r_.engine);
        json["run"] = complete(r_.run);
        json["run_that_succeeds"] = r_.verdict == Verdict::violated ? complete(r_.safe) : Json(nullptr);
        json["deadlock"] = reached(r_.deadlock);
        json["fault"] = reached(r_.fault);
        Json& orphans = json["orphans"] = Json::array();
        for (std::uint32_t beta = 0; some_complete() && beta < s_->code.endpoints().size(); ++beta)
            if (std::uint32_t const n = orphans_at(s_->messages, {beta}); n > 0)
                orphans.push_back({{"endpoint", s_->code.names()(Endpoint{beta})}, {"messages", n}});
        Json& trouble = json["trouble"] = Json::array();
        for (Trouble const& t : r_.trouble) trouble.push_back({{"kind", label(t.kind)}, {"what", t.what}});
        json["work"] = {
            {"samples", r_.samples},           {"executions", r_.executions},   {"steps", r_.steps},
            {"solver_calls", r_.solver_calls}, {"refinements", r_.refinements}, {"match_pairs", r_.match_pairs}};
        return json;
    }

    /// The program with the traces of the answer: what fails, what succeeds, what gets stuck. Empty: there is none.
    std::string witnesses() const {
        Program program = s_->program;
        program.traces.clear();
        std::string comment;
        auto const add = [&](std::string_view what, Schedule const& schedule) {
            program.traces.push_back(schedule.trace(s_->code));
            comment += fmt::format("; trace {}, {} buffering: {}\n", program.traces.size(),
                                   machine::to_string(buffering_), what);
        };
        if (r_.run) add(machine::to_string(r_.run->s), r_.run->schedule);
        if (r_.verdict == Verdict::violated && r_.safe) add("success", r_.safe->schedule);
        if (r_.deadlock.answer == Reached::Answer::yes) add("leads to a deadlock", r_.deadlock.schedule);
        if (r_.fault.answer == Reached::Answer::yes) add("leads to a fault", r_.fault.schedule);
        return program.traces.empty() ? std::string() : comment + grammar::print(program);
    }

private:
    bool some_complete() const { return r_.verdict == Verdict::safe || r_.run; }

    void violated(Terminal& terminal) const {
        terminal.out(shown_findings(s_->code, Replay(s_->code, buffering_, r_.run->schedule).findings()));
        terminal.out(fmt::format("  matches: {}\n", shown(s_->messages, r_.run->matching)));
        if (r_.safe)
            terminal.out(fmt::format("  a run that succeeds differs: here {}\n",
                                     shown_difference(s_->messages, r_.run->matching, r_.safe->matching)));
        trace(terminal, r_.run->schedule);
    }

    void vacuous(Terminal& terminal) const {
        if (!r_.run) {
            // A solver says only that none succeeds.
            terminal.out(r_.engine.starts_with("smt") ? "  no complete run keeps its assumptions, if any completes\n"
                                                      : "  no run completes\n");
            return;
        }
        terminal.out("  every complete run breaks an assumption; this one:\n");
        terminal.out(shown_findings(s_->code, Replay(s_->code, buffering_, r_.run->schedule).findings()));
        terminal.out(fmt::format("  matches: {}\n", shown(s_->messages, r_.run->matching)));
        trace(terminal, r_.run->schedule);
    }

    void reached(Terminal& terminal, std::string_view what, Reached const& r) const {
        terminal.out(fmt::format("  {}: {}\n", what, to_string(r.answer)));
        if (r.answer != Reached::Answer::yes) return;
        for (std::string const& line : why(r)) terminal.out(fmt::format("    {}\n", line));
        trace(terminal, r.schedule, "    trace: ");
    }

    std::vector<std::string> why(Reached const& r) const {
        Replay replay(s_->code, buffering_, r.schedule);
        if (!r.fault) return replay.stuck_threads();
        return {fmt::format("{} {}: {}", report::shown(s_->code, *r.fault->rho),
                            report::shown(s_->code, s_->code.command_at(*r.fault->rho)),
                            explain(s_->code, replay.state(), r.fault->stuck.reason))};
    }

    void trace(Terminal& terminal, Schedule const& schedule, std::string_view head = "  trace: ") const {
        constexpr std::size_t most = 60;
        terminal.out(schedule.size() <= most
                         ? wrapped_trace(s_->code, schedule, head)
                         : fmt::format("{}{} entries (-o FILE writes it)\n", head, schedule.size()));
    }

    std::string work() const {
        std::string text = r_.engine.empty() ? "undecided" : "decided by " + r_.engine;
        text += fmt::format("; {}, {}", plural(r_.samples, "sample"), plural(r_.steps, "machine step"));
        if (r_.executions > 0) text += fmt::format(", {}", plural(r_.executions, "execution"));
        if (r_.solver_calls > 0)
            text += fmt::format(", {} with {}", plural(r_.solver_calls, "solver call"),
                                plural(r_.match_pairs, "match pair"));
        if (r_.refinements > 0) text += fmt::format(", {}", plural(r_.refinements, "refinement"));
        return text;
    }

    static std::string_view label(Trouble::Kind kind) {
        switch (kind) {
        case Trouble::Kind::limit: return "limit";
        case Trouble::Kind::solver: return "solver failed";
        case Trouble::Kind::wrong_answer: break;
        }
        return "wrong answer";
    }

    Json complete(std::optional<CompleteRun> const& run) const {
        if (!run) return nullptr;
        return {{"status", machine::to_string(run->s)},
                {"matches", to_json(s_->messages, run->matching)},
                {"trace", shown_trace(s_->code, run->schedule)}};
    }
    Json reached(Reached const& r) const {
        Json json;
        json["answer"] = to_string(r.answer);
        json["why"] = r.answer == Reached::Answer::yes ? Json(why(r)) : Json::array();
        json["trace"] = r.answer == Reached::Answer::yes ? Json(shown_trace(s_->code, r.schedule)) : Json(nullptr);
        return json;
    }

    std::string name_;
    Prepared const* s_ = nullptr;
    Buffering buffering_;
    CheckResult const& r_;
};

/// From here on this process gets no more address space than so many MiB; its children have limits of their own.
bool limit_memory(std::uint64_t mebibytes) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0) return false;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, mebibytes << 20U);
    return ::setrlimit(RLIMIT_AS, &limit) == 0;
}

} // namespace

ExitCode check_command(CheckCommandOptions const& options, Terminal& terminal) {
    if (options.output == "-") {
        complain(terminal, "-o needs the name of a file");
        return bad_input;
    }
    for (auto const& [name, value] :
         {std::pair("-o", &options.output), std::pair("--certificate", &options.certificate)})
        if (!value->empty() && (options.files.size() > 1 || options.bufferings.size() > 1)) {
            complain(terminal, fmt::format("{} is for one program under one buffering", name));
            return bad_input;
        }
    std::string certificate_folder;
    if (!options.certificate.empty()) {
        auto folder = new_folder(options.certificate);
        if (!folder) {
            complain(terminal, folder.error());
            return bad_input;
        }
        certificate_folder = *folder;
    }
    bool const asks_a_solver = options.engine == EngineChoice::automatic || options.engine == EngineChoice::smt;
    if (!asks_a_solver && (options.refine || options.solver)) {
        complain(terminal, fmt::format("{} is for an SMT solver, and --engine {} asks none",
                                       options.refine ? "--refine" : "--solver",
                                       options.engine == EngineChoice::sat ? "sat" : "explore"));
        return bad_input;
    }
    if (options.memory && !limit_memory(*options.memory)) {
        complain(terminal, fmt::format("--memory {}: this process cannot be limited to that", *options.memory));
        return bad_input;
    }
    auto solver = solver_command(options.solver.value_or("z3"));
    if (!solver) {
        complain(terminal, fmt::format("--solver: {}", solver.error()));
        return bad_input;
    }
    CheckOptions check_options;
    check_options.engine = options.engine;
    check_options.refine = options.refine;
    check_options.solver = *solver;
    if (options.timeout)
        check_options.time = std::chrono::milliseconds(static_cast<std::int64_t>(*options.timeout * 1000));
    if (options.limit) check_options.steps = *options.limit;
    if (options.memory) check_options.memory = *options.memory << 20U;

    bool const json = options.format == Format::json;
    Json report;
    report["schema"] = {{"name", "matchpoint.check"}, {"version", 1}};
    Json& results = report["results"] = Json::array();
    ExitCode worst = holds;
    for (std::string const& file : options.files) {
        std::variant<std::unique_ptr<Prepared>, ExitCode> read;
        std::string limit;
        try {
            read = read_prepared(file, terminal);
        } catch (LimitReached const& e) {
            limit = e.what();
        } catch (std::bad_alloc const&) {
            limit = "out of memory";
        }
        if (!limit.empty()) {
            CheckResult result;
            result.trouble.push_back({Trouble::Kind::limit, limit});
            for (Buffering const buffering : options.bufferings) {
                Report const shown(file == "-" ? "<stdin>" : file, buffering, result);
                json ? results.push_back(shown.json()) : shown.print(terminal);
            }
            worst = worse(worst, exit_code(result));
            continue;
        }
        if (auto const* const code = std::get_if<ExitCode>(&read)) {
            worst = worse(worst, *code);
            continue;
        }
        Prepared const& subject = *std::get<std::unique_ptr<Prepared>>(read);
        for (Buffering const buffering : options.bufferings) {
            check_options.buffering = buffering;
            CheckResult const result = check::check(subject.messages, check_options);
            Report const shown(subject, buffering, result);
            json ? results.push_back(shown.json()) : shown.print(terminal);
            if (!json) terminal.flush(); // the next one may take long, or be interrupted
            worst = worse(worst, exit_code(result));
            if (!certificate_folder.empty())
                worst = worse(worst, write_certificate(subject, check_options, result, shown.witnesses(),
                                                       certificate_folder, terminal));
            if (options.output.empty()) continue;
            std::string const text = shown.witnesses();
            if (text.empty()) {
                complain(terminal,
                         fmt::format("there is no execution to write to {}", printable(options.output, 4096)));
                continue;
            }
            if (FileError const failed = replace_file(options.output, text); !failed.empty()) {
                complain(terminal, failed);
                worst = worse(worst, output_failed);
            }
        }
    }
    if (json) terminal.out(dump(report));
    return worst;
}

} // namespace matchpoint::cli
