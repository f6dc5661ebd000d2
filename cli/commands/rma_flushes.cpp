#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <shared_mutex>

#include <fmt/format.h>

#include "base/shell.hpp"
#include "base/text.hpp"
#include "cli/cli.hpp"
#include "cli/commands/rma_commands.hpp"
#include "cli/commands/rma_flushes_state.hpp"
#include "cli/commands/rma_json.hpp"
#include "cli/commands/rma_kept_flushes.hpp"
#include "cli/commands/rma_recorded.hpp"
#include "cli/commands/rma_witness.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "explain/words.hpp"
#include "proofs/cubes.hpp"
#include "proofs/flushes.hpp"
#include "record/provenance.hpp"
#include "rma/language/print.hpp"
#include "rma/machine/schedule.hpp"
#include "rma/machine/stepper.hpp"
#include "rma/machine/words.hpp"
#include "rma/programs/edit.hpp"
#include "rma/search/flushes.hpp"

namespace matchpoint::cli {

namespace {

using Clock = std::chrono::steady_clock;

enum class FlushEngine : std::uint8_t { exploration, abstraction, chc };
Choices<FlushEngine> const flush_engines{
    {"exploration", FlushEngine::exploration}, {"abstraction", FlushEngine::abstraction}, {"chc", FlushEngine::chc}};

struct RmaFlushesOptions {
    std::string file;
    FlushEngine engine = FlushEngine::exploration;
    double each = 10;
    bool everywhere = false;
    std::string values;
    unsigned pending = 3;
    unsigned jobs = 1;
    std::string state;
    std::string output;
    Format format = Format::text;
    Limits limits;
};

constexpr auto flushes_examples = R"(Examples:
  matchpoint rma flushes traces/rma/peterson.rma
  matchpoint rma flushes --everywhere traces/rma/figure2.rma
                                         whatever flushes it has now
  matchpoint rma flushes program.rma -o flushed.rma
                                         writes it with the first placement
  matchpoint rma flushes --jobs 4 --state search.json program.rma
                                         to be interrupted and resumed
  matchpoint rma flushes --engine abstraction traces/rma/queue.rma
                                         proofs, also where integers have no end

Exit codes: 0 a placement is found, 1 none is, or a limit was reached, 2 usage,
or no program, 3 the solver is missing or failed, 10 it goes wrong with all
flushes, 74 the output could not be written.
)";

class FlushesReport {
public:
    FlushesReport(RmaInput const& input, rma::Program const& program, RmaFlushesOptions const& options,
                  rma::FlushResult const& result)
        : input_(input), program_(program), flushes_(rma::flushes_of(program)), options_(options), result_(result) {}

    std::string text() {
        using Answer = rma::FlushResult::Answer;
        std::string const name = printable(input_.source.name(), 4096);
        switch (result_.answer) {
        case Answer::found:
            out_ = flushes_.empty() ? fmt::format("{}: needs no flush, and has none\n", name)
                                    : fmt::format("{}: {} of {} {} enough, {}\n", name, result_.least, flushes_.size(),
                                                  flushes_.size() == 1 ? "flush is" : "flushes are",
                                                  result_.is_least ? "and no fewer" : "the least found");
            placements();
            break;
        case Answer::none:
            out_ =
                flushes_.empty()
                    ? fmt::format(
                          "{}: goes wrong and has no flush; --everywhere tries one after every remote statement\n",
                          name)
                    : fmt::format("{}: goes wrong with {}\n", name,
                                  flushes_.size() == 1 ? "its flush" : fmt::format("all {} flushes", flushes_.size()));
            break;
        case Answer::open: out_ = fmt::format("{}: unknown: {}\n", name, open()); break;
        }
        if (!result_.undecided.empty())
            line("undecided: {}{}: {}", plural(result_.undecided.size(), "placement"),
                 result_.is_least                  ? " of this size"
                 : result_.answer == Answer::found ? " of at most this size"
                                                   : "",
                 result_.reason);
        for (auto const& missing : result_.missing) show(missing);
        line("{} asked; {}", plural(result_.asked, "placement"), plural(result_.states, "state"));
        return std::move(out_);
    }

    Json json() const {
        static constexpr std::string_view answers[] = {"found", "none", "open"};
        Json json = report_of("rma-flushes", input_.source);
        json["everywhere"] = options_.everywhere;
        json["engine"] = engine_name(options_.engine);
        json["answer"] = answers[static_cast<std::size_t>(result_.answer)];
        json["flushes"] = flushes_.size();
        bool const has_least = result_.answer == rma::FlushResult::Answer::found ||
                               (result_.answer == rma::FlushResult::Answer::open && result_.is_least);
        json["least"] = has_least ? Json(result_.least) : Json(nullptr);
        json["fewer_may_suffice"] = !result_.is_least;
        Json& placements = json["placements"] = Json::array();
        for (auto const& placement : result_.placements) placements.push_back(json_of(placement));
        json["needed"] = json_of(result_.needed);
        json["undecided"] = result_.undecided.size();
        json["reason"] = result_.undecided.empty() ? Json(nullptr) : Json(result_.reason);
        Json& missing = json["missing"] = Json::array();
        bool const is_all = result_.answer == rma::FlushResult::Answer::none;
        for (auto const& one : result_.missing) {
            Json& item = missing.emplace_back(Json::object());
            item["flush"] = is_all ? Json(nullptr) : json_of(one.flush);
            item["left"] = json_of(one.left);
            with_run(one, [&](rma::Machine const& machine) { add_run(item, machine, one.run); });
        }
        json["asked"] = result_.asked;
        json["states"] = result_.states;
        return json;
    }

    static std::string_view engine_name(FlushEngine engine) {
        return std::find_if(flush_engines.begin(), flush_engines.end(),
                            [&](auto const& e) { return e.second == engine; })
            ->first;
    }

private:
    /// What is not known.
    std::string open() const {
        if (flushes_.empty()) return "has no flush, and it is open whether it needs one";
        std::string const all = plural(flushes_.size(), "flush", "flushes");
        if (!result_.is_least) return fmt::format("with {} it is neither proved nor refuted", all);
        return fmt::format("{} of {} may be enough{}", result_.least, all, result_.least == 0 ? "" : ", and no fewer");
    }

    /// Where a flush is; for one of `--everywhere`, what it follows.
    Json json_of(std::size_t flush) const { return statement_to_json(program_, input_.source, flushes_[flush]); }
    Json json_of(rma::Placement const& placement) const {
        Json json = Json::array();
        for (std::size_t const flush : placement) json.push_back(json_of(flush));
        return json;
    }

    /// The program that is left, and its machine.
    void with_run(rma::FlushResult::Missing const& missing, std::function<void(rma::Machine const&)> const& use) const {
        rma::Program const left = rma::with_flushes(program_, [&](std::size_t i) {
            return std::find(missing.left.begin(), missing.left.end(), i) != missing.left.end();
        });
        rma::Graph const graph(left);
        use(rma::Machine(graph, rma::Model::rma));
    }

    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        out_ += "  " + fmt::format(format, std::forward<Args>(args)...) + "\n";
    }

    /// "7:21 (flush 2)", or what it follows.
    std::string place(std::size_t flush) const {
        rma::Statement const& s = program_.statements[flushes_[flush]];
        auto const at = input_.source.line_column(s.open);
        std::string const call = is_recorded_ ? call_place(input_.source, program_, flushes_[flush]) : "";
        return fmt::format("{}{}:{} {}{}{}", options_.everywhere ? "after " : "", at.line, at.column,
                           rma::print(program_, flushes_[flush]), call.empty() ? "" : " at ", call);
    }
    std::string places(rma::Placement const& placement) const {
        std::string text;
        for (std::size_t const flush : placement) append_item(text, place(flush));
        return text.empty() ? "none" : text;
    }

    void placements() {
        for (auto const& placement : result_.placements) line("flushes: {}", places(placement));
        if (result_.placements.size() > 1)
            line("needed by all of these: {}", places(result_.needed));
        else if (!result_.is_least)
            line("needed, as runs show: {}", places(result_.needed));
    }

    void show(rma::FlushResult::Missing const& missing) {
        bool const is_all = result_.answer == rma::FlushResult::Answer::none;
        line("{}:",
             is_all ? (flushes_.size() == 1 ? "with it" : "with all of them") : "without " + place(missing.flush));
        with_run(missing, [&](rma::Machine const& machine) {
            rma::Stepper run(machine);
            run.follow(missing.run);
            while (run.planned() != nullptr) run.forward();
            std::optional<std::size_t> property; // none if the last step passes a false assertion
            if (run.effect() != rma::Effect::failed) property = run.broken().at(0);
            for (std::string const& text : Witness(input_.source, machine, missing.run, property).lines())
                line("  {}", text);
            line("  memory: {}", rma::print_memory(machine.program(), run.state()));
            line("  run: {}", command_of(missing.left, rma::print_schedule(machine, missing.run)));
        });
    }

    /// The command that takes the run: it belongs to the program with the flushes that are left.
    std::string command_of(rma::Placement const& left, std::string const& run) const {
        KeptFlushes kept{options_.everywhere, ""};
        std::vector<rma::StatementIndex> flushes;
        for (std::size_t const flush : left) flushes.push_back(flushes_[flush]);
        if (left.size() < flushes_.size()) kept.places = places_of(input_.source, program_, flushes);
        std::string const& name = input_.source.name();
        return fmt::format("matchpoint rma run {}{} --schedule \"{}\"", name == "<stdin>" ? "-" : shell_word(name),
                           kept.text(), run);
    }

    RmaInput const& input_;
    rma::Program const& program_;
    std::vector<rma::StatementIndex> flushes_;
    RmaFlushesOptions const& options_;
    rma::FlushResult const& result_;
    bool const is_recorded_ = provenance_of(input_.source.text()).is_recorded();
    std::string out_;
};

/// Shows how far it is, and keeps what is decided.
rma::FlushResult search_with(rma::FlushOptions options, rma::Program const& program, FlushesState& state) {
    std::shared_mutex mutex; // of the state
    std::atomic<std::uint64_t> asked = 0;
    std::atomic<std::uint64_t> states = 0;
    std::atomic<std::size_t> size = rma::flushes_of(program).size();
    options.known = [&](rma::Placement const& placement) {
        std::shared_lock const lock(mutex);
        return state.known(placement);
    };
    options.decided = [&](rma::Placement const& placement, rma::Decision const& decision) {
        ++asked;
        states += decision.states;
        size = placement.size();
        std::unique_lock const lock(mutex);
        state.keep(placement, decision);
    };
    ProgressThread const progress([&](char* buffer, std::size_t room, double seconds) {
        auto const end =
            fmt::format_to_n(buffer, room, "{} placements asked, the last of {} flushes; {} states, {:.0f} s",
                             asked.load(), size.load(), states.load(), seconds);
        return std::min(end.size, room);
    });
    return rma::least_flushes(program, options);
}

/// How the engine decides. Empty for exploration.
std::function<rma::Decision(rma::Program const&)> decision_by(RmaFlushesOptions const& given, std::uint64_t max_bytes,
                                                              Clock::time_point begin) {
    if (given.engine == FlushEngine::exploration) return {};
    proofs::FlushProofOptions options{.pending = given.pending, .max_bytes = max_bytes};
    options.each = milliseconds(given.each);
    if (given.limits.timeout) options.deadline = begin + milliseconds(*given.limits.timeout);
    bool const is_abstraction = given.engine == FlushEngine::abstraction;
    return [=](rma::Program const& program) {
        return is_abstraction ? proofs::decide_by_abstraction(program, options)
                              : proofs::decide_by_horn_clauses(program, options);
    };
}

/// In the state, answers of one engine are not those of another. That of exploration has no name, as in older states.
std::string engine_of_state(RmaFlushesOptions const& given) {
    if (given.engine == FlushEngine::exploration) return "";
    return given.engine == FlushEngine::chc ? fmt::format("chc, {} s", given.each) : "abstraction";
}

ExitCode flushes_command(RmaFlushesOptions const& given, Terminal& terminal) {
    auto const begin = Clock::now();
    rma::FlushOptions options;
    options.pending = given.pending;
    options.jobs = given.jobs;
    if (!given.values.empty()) {
        options.values = range_of_values(given.values, terminal);
        if (!options.values) return bad_input;
    }
    options.memory = given.limits.memory;
    if (options.memory) options.max_bytes = (*options.memory << 20U) / 2 / given.jobs;
    auto const input = read_rma(given.file, terminal);
    if (!input) return input.error();
    if (given.engine != FlushEngine::exploration) {
        if (!given.values.empty()) {
            complain(terminal, "--values needs --engine exploration: proofs are about all integers", ErrorKind::usage);
            return bad_input;
        }
        if (given.engine == FlushEngine::chc && refuse_atomics(*input, terminal)) return bad_input;
    }
    options.decide = decision_by(given, options.max_bytes, begin);
    rma::Program const program =
        given.everywhere ? rma::with_a_flush_behind_every_remote(input->program) : input->program;
    FlushesState state(given.state, program, options, engine_of_state(given));
    if (std::string const wrong = state.read(); !wrong.empty()) {
        complain(terminal, wrong, ErrorKind::usage);
        return bad_input;
    }
    rma::FlushResult result;
    try {
        result = search_with(options, program, state);
    } catch (proofs::SolverFailed const& failed) {
        complain(terminal, failed.what, ErrorKind::solver);
        return solver_failed;
    }
    FlushesReport report(*input, program, given, result);
    terminal.out(given.format == Format::json ? dump(report.json()) : report.text());
    if (FileError const failed = state.write(); !failed.empty()) {
        complain(terminal, failed, ErrorKind::file);
        return output_failed;
    }
    bool const is_found = result.answer == rma::FlushResult::Answer::found;
    if (is_file(given.output) && !is_found)
        warn(terminal, fmt::format("{} is not written: no placement was found", printable(given.output, 4096)),
             ErrorKind::file);
    if (!given.output.empty() && is_found) {
        auto const& first = result.placements.front();
        std::string const text = rma::print(rma::with_flushes(
            program, [&](std::size_t i) { return std::find(first.begin(), first.end(), i) != first.end(); }));
        if (ExitCode const code = write_output(given.output, "; Written by matchpoint rma flushes\n" + text, terminal);
            code != holds)
            return code;
    }
    return is_found ? holds : result.answer == rma::FlushResult::Answer::none ? failure : unknown;
}

} // namespace

RmaAction add_rma_flushes(Command& rma) {
    auto const options = std::make_shared<RmaFlushesOptions>();
    Command command = rma.add("flushes", "Find the fewest flushes with which nothing goes wrong", flushes_examples);
    command.argument("FILE", options->file, rma_file_help);
    command.flag("--everywhere", options->everywhere,
                 "Start from a flush after every remote statement. Default: from the program's own flushes");
    command.choice(
        "--engine", options->engine, flush_engines,
        "How placements are decided. exploration: as `rma check` does; abstraction, chc: as `rma prove` does "
        "with this engine. Default: exploration");
    command.seconds("--each", "T", options->each, "Of --engine chc: time limit for each placement. Default: 10");
    command.text("--values", "A..B", options->values, values_help);
    command.range("--pending", "K", options->pending, 1, rma::MachineSystem::most_pending, pending_help);
    command.range("--jobs", "J", options->jobs, 1, 256, "Ask about so many placements at once. Default: 1");
    command.text("--state", "FILE", options->state, "Keep what is decided in a file, and resume from it");
    command.output(Content::program, options->output,
                   "Write the program with the first placement to a file, atomically");
    command.format(options->format);
    command.limits(options->limits);
    return [options](Terminal& terminal) {
        return within(options->limits, terminal, [&] { return flushes_command(*options, terminal); });
    };
}

} // namespace matchpoint::cli
