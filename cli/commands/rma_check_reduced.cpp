// `matchpoint rma check` of a program in the reduced language.
#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/rma_answers.hpp"
#include "cli/commands/rma_commands.hpp"
#include "cli/output.hpp"
#include "explain/words.hpp"
#include "rma/language/parse_reduced.hpp"
#include "rma/search/check_reduced.hpp"

namespace matchpoint::cli {

namespace {

class ReducedReport {
public:
    ReducedReport(Source const& source, rma::reduced::Program const& program, ReducedCheckOptions const& options,
                  rma::ReducedCheckResult const& result)
        : source_(source), program_(program), options_(options), result_(result) {}

    std::string text() {
        out_ = fmt::format("{}: {} (reduced){}\n", printable(source_.name(), 4096), rma::to_string(result_.verdict),
                           result_.reason.empty() ? "" : ": " + result_.reason);
        for (std::string const& text : never_evaluated(claims_of(program_), result_)) line("{}", text);
        if (result_.violation) violation(*result_.violation);
        if (options_.check.finals) {
            line("final valuations: {}, {}", result_.finals.size(),
                 result_.finals_are_all ? "all there are" : "there may be more");
            for (auto const& M : result_.finals) line("  {}", valuation(M));
        }
        answer("discarded", result_.discarded);
        answer("fault", result_.faulted);
        answer("final state", result_.has_final);
        line("{}; {}", result_.verdict == rma::Verdict::unknown ? "not decided" : "decided by the search",
             plural(result_.states, "state"));
        return std::move(out_);
    }

    Json json() const {
        Json json = report_of("rma-check", source_);
        json["model"] = "reduced";
        json["literal"] = Json::array();
        json["verdict"] = rma::to_string(result_.verdict);
        json["reason"] = result_.reason.empty() ? Json(nullptr) : Json(result_.reason);
        json["violation"] = nullptr;
        if (result_.violation) {
            auto const& v = *result_.violation;
            json["violation"] = {{"property", v.property ? Json(property(v)) : Json(nullptr)},
                                 {"memory", memory(v.memory.back())},
                                 {"run", nullptr},
                                 {"steps", steps(v)},
                                 {"shortest", false}};
        }
        json["finals"] = nullptr;
        if (options_.check.finals) {
            json["finals"] = {{"of", "reduced"}, {"all", result_.finals_are_all}, {"valuations", Json::array()}};
            for (auto const& M : result_.finals) json["finals"]["valuations"].push_back(memory(M));
        }
        json["never_evaluated"] = never_evaluated(claims_of(program_), result_);
        json["discarded"] = to_json(result_.discarded, result_, options_.check);
        json["fault"] = to_json(result_.faulted, result_, options_.check);
        json["fault_run"] = nullptr;
        json["final_state"] = to_json(result_.has_final, result_, options_.check);
        json["races"] = nullptr;
        json["decided_by"] = result_.verdict == rma::Verdict::unknown ? Json(nullptr) : Json("the search");
        json["pending"] = nullptr;
        json["states"] = 0;
        json["reduced_states"] = result_.states;
        return json;
    }

private:
    using Violation = rma::ReducedCheckResult::Violation;

    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        out_ += "  " + fmt::format(format, std::forward<Args>(args)...) + "\n";
    }

    void answer(std::string_view question, rma::Known known) {
        if (was_looked_for(known, result_, options_.check)) line("{}: {}", question, to_string(known));
    }

    std::string const& property(Violation const& v) const { return program_.properties[*v.property].text; }
    static std::size_t steps(Violation const& v) { return v.memory.size() - (v.property ? 1 : 0); }

    void violation(Violation const& v) {
        line("{} does not hold", v.property ? property(v) : "an assertion of the last step");
        line("memory: {}", valuation(v.memory.back()));
        line("its {}, and what they change:", plural(steps(v), "step"));
        for (std::size_t i = 1; i < v.memory.size(); ++i) line("{:>4} {}", i, changes(v.memory[i - 1], v.memory[i]));
        if (!v.property) line("{:>4} the assertion", v.memory.size());
    }

    std::string equation(std::size_t i, std::vector<Value> const& M) const {
        return fmt::format("{} = {}", program_.variables[result_.variables[i].index], M[i].to_string());
    }
    std::string valuation(std::vector<Value> const& M) const {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < M.size(); ++i) all.push_back(equation(i, M));
        return fmt::format("{}", fmt::join(all, ", "));
    }
    std::string changes(std::vector<Value> const& before, std::vector<Value> const& M) const {
        std::vector<std::string> changed;
        for (std::size_t i = 0; i < M.size(); ++i)
            if (!(M[i] == before[i])) changed.push_back(equation(i, M));
        return changed.empty() ? "no variable" : fmt::format("{}", fmt::join(changed, ", "));
    }
    Json memory(std::vector<Value> const& M) const {
        Json json = Json::object();
        for (std::size_t i = 0; i < M.size(); ++i)
            json[std::string(program_.variables[result_.variables[i].index])] = report::to_json(M[i]);
        return json;
    }

    Source const& source_;
    rma::reduced::Program const& program_;
    ReducedCheckOptions const& options_;
    rma::ReducedCheckResult const& result_;
    std::string out_;
};

} // namespace

ExitCode check_reduced_command(Source const& source, ReducedCheckOptions const& options, Terminal& terminal) {
    auto const program = rma::parse_reduced(source);
    if (!program) {
        show(terminal, program.error(), source);
        return refused(program.error());
    }
    rma::ReducedCheckResult const result = rma::check_reduced(*program, options.check);
    ReducedReport report(source, *program, options, result);
    terminal.out(options.format == Format::json ? dump(report.json()) : report.text());
    if (result.verdict == rma::Verdict::violated) return failure;
    if (result.verdict == rma::Verdict::unknown) return unknown;
    return result.faulted == rma::Known::yes ? error : holds;
}

} // namespace matchpoint::cli
