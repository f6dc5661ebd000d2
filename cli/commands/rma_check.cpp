#include <memory>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/rma_answers.hpp"
#include "cli/commands/rma_commands.hpp"
#include "cli/commands/rma_json.hpp"
#include "cli/commands/rma_recorded.hpp"
#include "cli/commands/rma_witness.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/replay.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/words.hpp"
#include "rma/search/check.hpp"
#include "rma/search/faults.hpp"
#include "rma/search/races.hpp"

namespace matchpoint::cli {

namespace {

struct RmaCheckOptions {
    std::string file;
    bool sc = false;
    bool finals = false;
    bool races = false;
    unsigned most_races = 100;
    std::string values;
    unsigned pending = 3;
    rma::Engine engine = rma::Engine::both;
    rma::Literal literal;
    Format format = Format::text;
    Limits limits;
};

constexpr auto check_examples = R"(Examples:
  matchpoint rma check traces/rma/figure2.rma
  matchpoint rma check --finals --sc traces/rma/figure2.rma
  matchpoint rma check --races traces/rma/figure2.rma
                                         which data races are there?
  matchpoint rma check --values 0..7 --timeout 60 program.rma
  matchpoint rma reduce traces/rma/figure2.rma | matchpoint rma check -
                                         a reduced program, as its text says
  matchpoint rma check --engine reduced --literal R2 program.rma
                                         Table 2 of the paper to the letter

Exit codes: 0 safe, 1 unknown, or a limit reached, 2 usage, or no program,
10 violated, 13 safe, but some run divides by zero.
)";

/// "-3..7"
std::optional<rma::ValueRange> parse_range(std::string const& text) {
    std::size_t const dots = text.find("..");
    if (dots == std::string::npos) return std::nullopt;
    auto const lo = to_number<std::int64_t>(text.substr(0, dots));
    auto const hi = to_number<std::int64_t>(text.substr(dots + 2));
    if (!lo || !hi || *lo > *hi) return std::nullopt;
    return rma::ValueRange{*lo, *hi};
}

/// What is known about a program.
struct Answers {
    rma::CheckResult check;
    std::optional<rma::Fault> fault;
    std::optional<rma::RaceResult> races; // none if nobody asked
};

/// Whether the recorded run failed or was ended, and the verdict is not about that.
bool is_beside(Provenance const& from, rma::CheckResult const& result) {
    return (from.failed || from.ended) && result.verdict != rma::Verdict::violated;
}

/// The verdict in words, line by line.
class Report {
public:
    Report(RmaInput const& input, rma::CheckOptions const& options, Answers const& answers)
        : input_(input), graph_(input.program), machine_(graph_, options.model), options_(options),
          result_(answers.check), fault_(answers.fault), races_(answers.races), evaluated_(input) {}

    std::string text() {
        bool const evaluates = evaluated_.decides(result_);
        auto const verdict = evaluates ? rma::Verdict::unknown : result_.verdict;
        out_ = fmt::format("{}: {}{}{}\n", printable(input_.source.name(), 4096), rma::to_string(verdict), mark(),
                           result_.reason.empty() ? "" : ": " + result_.reason);
        if (evaluates)
            for (std::string const& text : evaluated_.lines()) line("{}", text);
        for (std::string const& text : never_evaluated(claims_of(input_.program), result_)) line("{}", text);
        if (result_.violation) violation(*result_.violation);
        if (options_.finals) finals();
        answer("discarded", result_.discarded);
        answer("fault", result_.faulted);
        if (fault_) fault(*fault_);
        answer("final state", result_.has_final);
        if (races_) races();
        effort();
        if (Provenance const from = provenance_of(input_.source.text()); is_beside(from, result_))
            line("{}", end_in_words(from));
        return std::move(out_);
    }

private:
    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        out_ += "  " + fmt::format(format, std::forward<Args>(args)...) + "\n";
    }

    void answer(std::string_view question, rma::Known known) {
        if (was_looked_for(known, result_, options_)) line("{}: {}", question, to_string(known));
    }

    /// Marks a verdict that is not the one about the program under RMA.
    std::string mark() const {
        if (options_.model == rma::Model::sc) return " (sc)";
        auto const entries = rma::entries_of(options_.literal);
        return entries.empty() ? "" : fmt::format(" (literal {})", fmt::join(entries, ", "));
    }

    void violation(rma::CheckResult::Violation const& v) {
        line("{}", wrong_in_words(machine_, v));
        for (std::string const& text : Witness(input_.source, machine_, v.run, v.property).lines()) line("{}", text);
        line("memory: {}", rma::print_memory(input_.program, rma::replay(machine_, v.run).state));
        line("run: {}", rma::print_schedule(machine_, v.run));
        line("its {}: {}", plural(v.run.size(), "step"),
             v.is_shortest ? "no run that goes wrong has fewer" : "a shorter run may go wrong");
    }

    void fault(rma::Fault const& fault) {
        auto const [before, state, effect] = rma::replay(machine_, fault.run);
        if (fault.property) {
            auto const& property = input_.program.properties[*fault.property];
            line("  {} {} divides by zero", place(property.open), rma::print(input_.program, property));
        } else {
            line("  {} {} divides by zero", place(input_.program.statements[fault.statement].open),
                 rma::next_text(machine_, before, input_.program.process_of(fault.statement)));
        }
        for (std::string const& text : Witness(input_.source, machine_, fault.run, fault.property).lines())
            line("  {}", text);
        line("  memory: {}", rma::print_memory(input_.program, state));
        line("  run: {}", rma::print_schedule(machine_, fault.run));
    }
    std::string place(Offset offset) const {
        auto const at = input_.source.line_column(offset);
        return fmt::format("{}:{}", at.line, at.column);
    }

    void finals() {
        std::string_view const which = options_.engine == rma::Engine::reduced ? "of the reduced program"
                                       : result_.finals_are_all                ? "all there are"
                                                                               : "there may be more";
        line("final valuations: {}, {}", result_.finals.size(), which);
        for (auto const& M : result_.finals) line("  {}", rma::print_valuation(input_.program, M));
    }

    void races() {
        if (races_->known == rma::Known::yes && races_->races.empty())
            line("races: there are some, but time was up before there was a run to one");
        else if (races_->known == rma::Known::yes)
            line("races: {}, {}", races_->races.size(), races_->are_all ? "all there are" : "there may be more");
        else
            line("races: {}", races_->known == rma::Known::no ? "none" : "unknown");
        for (rma::Race const& race : races_->races) {
            auto const open = [&](rma::Race::Access const& a) { return input_.program.statements[a.statement].open; };
            line("  {}", rma::print_race(machine_, race));
            line("    at {} and {}", place(open(race.first)), place(open(race.second)));
            line("    run: {}", rma::print_schedule(machine_, race.run));
        }
    }

    void effort() {
        std::string by = result_.decided_by.empty() ? "not decided" : "decided by " + result_.decided_by;
        if (result_.was_cut) by += fmt::format(", at most {} pending of a statement", result_.pending);
        by += fmt::format("; {}", plural(result_.states, "state"));
        if (result_.reduced_states > 0) by += fmt::format(", {} of the reduced program", result_.reduced_states);
        if (races_) by += fmt::format(", {} for races", races_->states);
        line("{}", by);
    }

    RmaInput const& input_;
    rma::Graph graph_;
    rma::Machine machine_;
    rma::CheckOptions const& options_;
    rma::CheckResult const& result_;
    std::optional<rma::Fault> const& fault_;
    std::optional<rma::RaceResult> const& races_;
    Evaluated evaluated_;
    std::string out_;
};

Json fault_json(RmaInput const& input, rma::Machine const& machine, rma::Fault const& fault) {
    Json json = {{"statement", nullptr}, {"property", nullptr}};
    if (fault.property)
        json["property"] = rma::print(input.program, input.program.properties[*fault.property]);
    else
        json["statement"] = statement_to_json(input.program, input.source, fault.statement);
    add_run(json, machine, fault.run);
    return json;
}

Json races_json(RmaInput const& input, rma::Machine const& machine, rma::RaceResult const& found) {
    Json json = {{"answer", to_string(found.known)}, {"all", found.are_all}, {"found", Json::array()}};
    for (rma::Race const& race : found.races) {
        Json item = {{"what", rma::print_race(machine, race)},
                     {"variable", std::string(input.program.symbols(race.x))},
                     {"accesses", Json::array()}};
        for (rma::Race::Access const& access : {race.first, race.second}) {
            Json& one = item["accesses"].emplace_back(statement_to_json(input.program, input.source, access.statement));
            one["by"] = rma::who(machine, access.step);
            one["writes"] = access.writes;
        }
        add_run(item, machine, race.run);
        item["shortest"] = race.is_shortest;
        json["found"].push_back(std::move(item));
    }
    return json;
}

Json json_of(RmaInput const& input, rma::CheckOptions const& options, Answers const& answers) {
    rma::Graph const graph(input.program);
    rma::Machine const machine(graph, options.model);
    rma::CheckResult const& result = answers.check;
    Json json = report_of("rma-check", input.source);
    json["model"] = options.model == rma::Model::sc ? "sc" : "rma";
    json["literal"] = rma::entries_of(options.literal);
    json["verdict"] = rma::to_string(result.verdict);
    json["reason"] = result.reason.empty() ? Json(nullptr) : Json(result.reason);
    if (Evaluated const evaluated(input); evaluated.decides(result)) {
        json["verdict"] = rma::to_string(rma::Verdict::unknown);
        json["reason"] = Evaluated::reason;
        json["evaluated"] = evaluated.json();
    }
    if (Provenance const from = provenance_of(input.source.text()); is_beside(from, result))
        json[from.failed ? "recorded_run_failed" : "recorded_run_ended"] =
            from.failed ? from.how_failed() : printable(*from.ended, 200);
    Json& violation = json["violation"] = nullptr;
    if (result.violation) {
        auto const& property = result.violation->property;
        violation = {{"property",
                      property ? Json(rma::print(input.program, input.program.properties[*property])) : Json(nullptr)}};
        add_run(violation, machine, result.violation->run);
        violation["shortest"] = result.violation->is_shortest;
    }
    Json& finals = json["finals"] = nullptr;
    if (options.finals) {
        finals = {{"of", options.engine == rma::Engine::reduced ? "reduced" : "machine"},
                  {"all", result.finals_are_all},
                  {"valuations", Json::array()}};
        for (auto const& M : result.finals) finals["valuations"].push_back(to_json(input.program, M));
    }
    json["never_evaluated"] = never_evaluated(claims_of(input.program), result);
    json["discarded"] = to_json(result.discarded, result, options);
    json["fault"] = to_json(result.faulted, result, options);
    json["fault_run"] = answers.fault ? fault_json(input, machine, *answers.fault) : Json(nullptr);
    json["final_state"] = to_json(result.has_final, result, options);
    json["races"] = answers.races ? races_json(input, machine, *answers.races) : Json(nullptr);
    json["decided_by"] = result.decided_by.empty() ? Json(nullptr) : Json(result.decided_by);
    json["pending"] = result.was_cut ? Json(result.pending) : Json(nullptr);
    json["states"] = result.states;
    json["reduced_states"] = result.reduced_states;
    return json;
}

ExitCode code_of(rma::CheckResult const& result) {
    switch (result.verdict) {
    case rma::Verdict::violated: return failure;
    case rma::Verdict::unknown: return unknown;
    case rma::Verdict::safe: break;
    }
    return result.faulted == rma::Known::yes ? error : holds;
}

/// Says which option is not for a program in the reduced language.
std::string not_of_reduced(RmaCheckOptions const& given) {
    std::pair<bool, char const*> const options[] = {{given.sc, "--sc"},
                                                    {given.races, "--races"},
                                                    {given.engine == rma::Engine::search, "--engine search"},
                                                    {!rma::entries_of(given.literal).empty(), "--literal"}};
    for (auto const& [is_given, name] : options)
        if (is_given) return fmt::format("this is a reduced program, which has no {}", name);
    return {};
}

ExitCode check_command(RmaCheckOptions const& given, Terminal& terminal) {
    rma::CheckOptions options;
    options.model = given.sc ? rma::Model::sc : rma::Model::rma;
    options.engine = given.engine;
    options.finals = given.finals;
    options.pending = given.pending;
    if (!given.values.empty()) {
        options.values = range_of_values(given.values, terminal);
        if (!options.values) return bad_input;
    }
    options.literal = given.literal;
    if (given.sc && given.engine == rma::Engine::reduced) {
        complain(terminal, "--engine reduced is about RMA: it has no --sc", ErrorKind::usage);
        return bad_input;
    }
    if (given.engine != rma::Engine::reduced && !rma::entries_of(given.literal).empty()) {
        complain(terminal, "--literal is about the reduced program: it needs --engine reduced", ErrorKind::usage);
        return bad_input;
    }
    if (given.sc && given.races) {
        complain(terminal, "--races is about RMA: it has no --sc", ErrorKind::usage);
        return bad_input;
    }
    // A table that grows is there twice for a moment.
    options.memory = given.limits.memory;
    if (options.memory) options.max_bytes = (*options.memory << 20U) / 2;
    auto source = read_or_complain(given.file, terminal);
    if (!source) return source.error();
    if (language_of(*source) == Written::as_reduced) {
        if (std::string const wrong = not_of_reduced(given); !wrong.empty()) {
            complain(terminal, fmt::format("{}: {}", printable(given.file, 4096), wrong), ErrorKind::usage);
            return bad_input;
        }
        return check_reduced_command(*source, {options, given.format}, terminal);
    }
    auto const input = read_rma(std::move(*source), terminal);
    if (!input) return input.error();
    if (auto const why = rma::why_not_literal(rma::Graph(input->program), options.literal); !why.empty()) {
        complain(terminal, fmt::format("{}: {}", printable(given.file, 4096), why), ErrorKind::usage);
        return bad_input;
    }
    Answers answers{rma::check_program(input->program, options), {}, {}};
    if (answers.check.faulted == rma::Known::yes) answers.fault = rma::find_fault(input->program, options);
    if (given.races) answers.races = rma::find_races(input->program, options, given.most_races);
    terminal.out(given.format == Format::json ? dump(json_of(*input, options, answers))
                                              : Report(*input, options, answers).text());
    ExitCode const code = code_of(answers.check);
    return code == holds && Evaluated(*input).decides(answers.check) ? unknown : code;
}

} // namespace

std::optional<rma::ValueRange> range_of_values(std::string const& text, Terminal& terminal) {
    auto const range = parse_range(text);
    if (!range)
        complain(terminal, fmt::format("--values {}: expected a range such as 0..7", printable(text)),
                 ErrorKind::usage);
    return range;
}

RmaAction add_rma_check(Command& rma) {
    static Choices<rma::Engine> const engines{
        {"auto", rma::Engine::both}, {"search", rma::Engine::search}, {"reduced", rma::Engine::reduced}};
    auto const options = std::make_shared<RmaCheckOptions>();
    Command command =
        rma.add("check", "Decide whether any run can go wrong, and show the shortest one that does", check_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.flag("--sc", options->sc, sc_help);
    command.flag("--finals", options->finals, "Print the memory of every final state");
    command.flag(
        "--races", options->races,
        "Show, too, which accesses race: two of one variable, not both reads, one of them a card's, and unordered");
    command.range("--most-races", "N", options->most_races, 1, 1'000'000, "Of --races: show at most N. Default: 100");
    command.text("--values", "A..B", options->values, values_help);
    command.range("--pending", "K", options->pending, 1, rma::MachineSystem::most_pending, pending_help);
    command.choice(
        "--engine", options->engine, engines,
        "search: all runs with at most K pending operations of each statement; reduced: the program of Table 2, "
        "which never says `violated`; auto: the search, and the reduced program if the search is cut. Default: auto");
    command.option(literal_option(options->literal));
    command.format(options->format);
    command.limits(options->limits);
    return [options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return check_command(*options, terminal); });
    };
}

} // namespace matchpoint::cli
