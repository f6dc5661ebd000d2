// Our machine and encoder with single faults in them (table.py), put to the questions of the suite, and to those of
// `validate`.
//
//   mutants kill [EVERY]                   for each line `MUTANT [ID]` of standard input a line
//                                          `MUTANT ID BUFFERING WHAT`, or `MUTANT -`: the first program of the suite,
//                                          or whether this one, on which it answers otherwise than is expected. `none`
//                                          is no mutant. EVERY: of all programs only every so manyth
//   mutants answer MUTANT WAY BUFFERING FILE   what it says of a program or, to some ways, of its first trace, for
//                                              `validate`
//   mutants encoders                       the same lines for the encoders that are built in (encode/registry.hpp)
//   mutants list                           all mutants
//
// A way is one of those that table.py lists. What is compared is what the suite's files have, no more.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "check/check.hpp"
#include "encode/exact.hpp"
#include "encode/partial_runs.hpp"
#include "encode/program_terms.hpp"
#include "encode/registry.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "smt_machine/smt_machine.hpp"
#include "suite/expected.hpp"
#include "suite/programs.hpp"
#include "tests/mutants/names.hpp"
#include "tests/support/all_rooms.hpp"

namespace matchpoint::test {
namespace {

using mutants::number_of;

struct Loaded {
    Source source;
    Program program;
    IndexedProgram code;
    Loaded(Source s, Program p) : source(std::move(s)), program(std::move(p)), code(program) {}
    Loaded(Loaded const&) = delete;
    Loaded& operator=(Loaded const&) = delete;
};

std::unique_ptr<Loaded> load(std::string const& name, std::string const& text) {
    Source source(name, text);
    auto program = parse(source);
    if (!program) throw std::runtime_error(render(program.error(), source));
    return std::make_unique<Loaded>(std::move(source), std::move(*program));
}

// ---- Ways to answer ----

/// Match sets that keep rules 1 to 4.
std::set<Matching> feasible_match_sets(MessageIndex const& messages, Buffering buffering) {
    constexpr double few = 20'000;
    Feasibility feasibility(messages, buffering);
    std::set<Matching> found;
    Matching m(messages);
    double all = 1;
    for (auto const& r : messages.receives()) all *= messages.sends_to(r.beta);
    std::function<void(std::uint32_t)> const choose = [&](std::uint32_t r) {
        // What a set of some receives breaks, each larger one breaks, too; only where it must be used it is.
        if ((r == m.size() || all > few) && feasibility.breaks_a_rule(m)) return;
        if (r == m.size()) {
            found.insert(m);
            return;
        }
        for (std::uint32_t s = 0; s < messages.sends().size(); ++s) {
            if (messages.beta_of(messages.sends()[s]) != messages.receives()[r].beta) continue;
            m[r] = s;
            choose(r + 1);
        }
        m[r] = unmatched;
    };
    choose(0);
    return found;
}

/// Satisfiable if one of these runs fails.
std::string failing_run(MessageIndex const& messages, std::set<Matching> const& match_sets) {
    ProgramTerms const values(messages);
    std::string out = values.nonlinear ? "(set-logic QF_NIA)\n" : "(set-logic QF_LIA)\n";
    auto const claim = [&](std::string_view term) { out += fmt::format("(assert {})\n", term); };
    for (std::string const& d : values.declarations) out += d + "\n";
    for (std::string const& d : values.definitions) out += d + "\n";
    for (auto const& d : values.divisors) claim(fmt::format("(not (= {} 0))", d.text));
    std::string some;
    for (Matching const& m : match_sets) {
        some += " (and true";
        for (std::uint32_t r = 0; r < m.size(); ++r)
            some += fmt::format(" (= {} {})", values.received(r), values.sent(m[r]));
        some += ")";
    }
    claim(fmt::format("(or false{})", some));
    for (auto const& a : values.assumptions) claim(a.text);
    std::string all;
    for (auto const& a : values.assertions) all += " " + a.text;
    claim(all.empty() ? "false" : fmt::format("(not (and true{}))", all));
    return out;
}

std::string encoded(MessageIndex const& messages, Buffering buffering, Asked asked) {
    return encode_exact(messages, tight(messages, buffering),
                        {.buffering = buffering, .asked = asked, .check_sat = false});
}

std::string_view explored(MessageIndex const& messages, Buffering buffering) {
    constexpr std::uint64_t most_steps = 3'000'000;
    Explorer::Options options;
    options.buffering = buffering;
    Explorer explorer(messages, options);
    while (auto const end = explorer.next(most_steps - std::min(most_steps, explorer.steps())))
        if (end == End::complete && explorer.state().s == Status::failure) return "violated";
    return explorer.done() ? "safe" : "unknown";
}

CheckResult checked(MessageIndex const& messages, Buffering buffering) {
    CheckOptions options;
    options.runs = Runs::complete;
    options.buffering = buffering;
    options.engine = EngineChoice::explore;
    options.steps = 3'000'000;
    return check::check(messages, options);
}

/// For `validate`: an SMT-LIB problem, or a word.
std::string answer(std::string const& way, Buffering buffering, IndexedProgram const& code) {
    if (way == "run") {
        Machine machine(code, buffering);
        return run(machine, 0).s == Status::failure ? "sat" : "unsat";
    }
    if (way == "smt") {
        auto const problem = getSMT(code, 0, buffering);
        return problem ? print(*problem, code, {.check_sat = false}) : "unsat"; // it has no problem for this run
    }
    MessageIndex const messages(code);
    if (way == "explore") return std::string(explored(messages, buffering));
    if (way == "check") return std::string(to_string(checked(messages, buffering).verdict));
    if (way == "encode") return encoded(messages, buffering, Asked::failure);
    if (way == "feasible") return failing_run(messages, feasible_match_sets(messages, buffering));
    throw std::runtime_error("there is no way " + way);
}

// ---- The suite's questions ----

bool is_satisfiable(Solver& solver, std::string const& problem) {
    Answer const answer = solver.check(problem);
    if (std::holds_alternative<answer::Sat>(answer)) return true;
    if (std::holds_alternative<answer::Unsat>(answer)) return false;
    throw std::runtime_error(to_string(answer, solver.command()));
}

/// What is wrong with what a mutant says, or empty.
class Interrogation {
public:
    Interrogation(IndexedProgram const& code, Buffering buffering, suite::ExpectedResults const& expected,
                  Solver& solver)
        : code_(code), buffering_(buffering), expected_(expected), solver_(solver) {}

    std::string wrong() {
        try {
            if (std::string w = traces(); !w.empty()) return w;
            if (!expected_.executions) return {};
            MessageIndex const messages(code_);
            if (std::string w = exploration(); !w.empty()) return w;
            if (std::string w = check_verdict(messages); !w.empty()) return w;
            if (std::string w = pairs(messages); !w.empty()) return w;
            if (std::string w = match_sets(messages); !w.empty()) return w;
            if (std::string w = verdict(messages); !w.empty()) return w;
            return stops(messages);
        } catch (std::exception const& e) {
            return fmt::format("it gives up: {}", e.what());
        }
    }

private:
    /// The reference machine; and the SMT machine, of which Lemma 3 speaks.
    std::string traces() {
        std::vector<suite::TraceEnd> const ends = suite::trace_ends(code_, buffering_);
        for (std::size_t t = 0; t < expected_.traces.size(); ++t) {
            suite::TraceEnd const& is = ends[t];
            suite::TraceEnd const& should = expected_.traces[t];
            auto const of = [&](std::string_view what) { return fmt::format("trace {}: {}", t + 1, what); };
            if (is.status != should.status) return of("status");
            if (is.well_formed != should.well_formed) return of("well_formed");
            if (is.matches != should.matches) return of("matches");
            if (is.store != should.store) return of("store");
            if (is.error != should.error || is.steps != should.steps) return of("error");
            if (!should.well_formed || !expected_.executions) continue;
            auto const problem = getSMT(code_, t, buffering_);
            if (!problem) return of("failure, by the SMT machine: " + problem.error());
            if (satisfiable(print(*problem, code_, {.check_sat = false})) != (should.status == Status::failure))
                return of("failure, by the SMT machine");
        }
        return {};
    }

    std::string exploration() {
        auto const is = suite::executions(code_, buffering_, 100'000);
        suite::Executions const& should = *expected_.executions;
        if (!is) return "executions, by exploration: without end";
        if (is->verdict != should.verdict) return "verdict, by exploration";
        if (is->deadlock != should.deadlock) return "deadlock, by exploration";
        if (is->fault != should.fault) return "fault, by exploration";
        if (is->match_pairs != should.match_pairs) return "match_pairs, by exploration";
        if (is->match_sets != should.match_sets) return "match_sets, by exploration";
        return {};
    }

    std::string check_verdict(MessageIndex const& messages) {
        CheckResult const is = checked(messages, buffering_);
        suite::Executions const& should = *expected_.executions;
        auto const yes = [](Reached const& r) { return r.answer == Reached::Answer::yes; };
        if (to_string(is.verdict) != should.verdict) return "verdict, by check";
        // Once there is a verdict it may stop looking.
        if (is.deadlock.answer != Reached::Answer::unknown && yes(is.deadlock) != should.deadlock)
            return "deadlock, by check";
        if (is.fault.answer != Reached::Answer::unknown && yes(is.fault) != should.fault) return "fault, by check";
        return {};
    }

    std::string pairs(MessageIndex const& messages) {
        Budget budget;
        budget.steps = 3'000'000;
        auto const is = exact_pairs(messages, buffering_, budget);
        if (!is) return "match_pairs: without end";
        std::vector<std::pair<std::string, std::vector<std::string>>> named;
        for (std::uint32_t r = 0; r < is->of.size(); ++r) {
            auto& [receive, sends] =
                named.emplace_back(code_.names()(messages.receives()[r].a), std::vector<std::string>());
            for (std::uint32_t const s : is->of[r]) sends.emplace_back(code_.names()(messages.sends()[s].a));
        }
        return named == expected_.executions->match_pairs ? "" : "match_pairs";
    }

    /// Without faults those that keep rules 1 to 4 are all there are.
    std::string match_sets(MessageIndex const& messages) {
        if (expected_.executions->fault) return {};
        std::set<suite::Matches> is;
        for (Matching const& m : feasible_match_sets(messages, buffering_)) {
            suite::Matches named;
            for (std::uint32_t r = 0; r < m.size(); ++r)
                named.emplace_back(code_.names()(messages.receives()[r].a), code_.names()(messages.sends()[m[r]].a));
            is.insert(std::move(named));
        }
        std::set<suite::Matches> should;
        for (suite::MatchSet const& m : expected_.executions->match_sets) should.insert(m.matches);
        return is == should ? "" : "match_sets, by rules 1 to 4";
    }

    std::string verdict(MessageIndex const& messages) {
        std::string_view const is = satisfiable(encoded(messages, buffering_, Asked::failure))   ? "violated"
                                    : satisfiable(encoded(messages, buffering_, Asked::success)) ? "safe"
                                                                                                 : "vacuous";
        return is == expected_.executions->verdict ? "" : "verdict, by the encoding";
    }

    std::string stops(MessageIndex const& messages) {
        if (buffering_ == Buffering::zero &&
            satisfiable(encode_stop(messages, buffering_, Stop::deadlock)) != expected_.executions->deadlock)
            return "deadlock, by the encoding";
        if (satisfiable(encode_stop(messages, buffering_, Stop::fault)) != expected_.executions->fault)
            return "fault, by the encoding";
        return {};
    }

    bool satisfiable(std::string const& problem) { return is_satisfiable(solver_, problem); }

    IndexedProgram const& code_;
    Buffering buffering_;
    suite::ExpectedResults const& expected_;
    Solver& solver_;
};

/// A program with what is expected of it, by the code without a mutant.
struct Asking {
    std::unique_ptr<Loaded> program;
    suite::ExpectedResults expected[2];
};

class Suite {
public:
    /// The first part: the faults are those of plain programs.
    Suite() : programs_(suite::programs()) {
        std::erase_if(programs_, [](suite::SuiteProgram const& p) { return p.part != 1; });
        asked_.resize(programs_.size());
        for (std::size_t i = 0; i < programs_.size(); ++i) number_[programs_[i].id] = i;
    }

    std::size_t size() const { return programs_.size(); }
    std::string const& id(std::size_t i) const { return programs_[i].id; }
    std::size_t number(std::string const& id) const {
        auto const it = number_.find(id);
        if (it == number_.end()) throw std::runtime_error("the suite has no program " + id);
        return it->second;
    }

    Asking const& operator[](std::size_t i) {
        Asking& asked = asked_[i];
        if (asked.program == nullptr) {
            asked.program = load(programs_[i].id, programs_[i].text);
            for (Buffering const b : {Buffering::infinite, Buffering::zero})
                asked.expected[static_cast<std::size_t>(b)] = suite::expected(asked.program->code, b);
        }
        return asked;
    }

private:
    std::vector<suite::SuiteProgram> programs_;
    std::vector<Asking> asked_;
    std::map<std::string, std::size_t> number_;
};

std::string killed_by(Suite& suite, std::string const& mutant, std::vector<std::size_t> const& programs) {
    Solver solver(*solver_command("z3"), {.time = std::chrono::seconds(20)});
    for (std::size_t const i : programs)
        for (Buffering const b : {Buffering::infinite, Buffering::zero}) {
            mutants::on = 0;
            Asking const& asked = suite[i];
            mutants::on = number_of(mutant);
            IndexedProgram const code(asked.program->program);
            std::string const wrong =
                Interrogation(code, b, asked.expected[static_cast<std::size_t>(b)], solver).wrong();
            if (!wrong.empty()) return fmt::format("{} {} {} {}", mutant, suite.id(i), to_string(b), wrong);
        }
    return mutant + " -";
}

/// In a process of its own: a mutant may do anything.
void kill(Suite& suite, std::string const& mutant, std::vector<std::size_t> const& programs) {
    std::cout.flush();
    pid_t const child = ::fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) {
        ::alarm(600);
        std::cout << killed_by(suite, mutant, programs) << std::endl;
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) std::cout << fmt::format("{} ? ? it dies of signal {}\n", mutant, WTERMSIG(status));
}

int kill_all(std::size_t every) {
    Suite suite;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string mutant;
        std::string id;
        words >> mutant >> id;
        static_cast<void>(number_of(mutant));
        std::vector<std::size_t> programs;
        if (!id.empty())
            programs.push_back(suite.number(id));
        else
            for (std::size_t i = 0; i < suite.size(); i += every) programs.push_back(i);
        for (std::size_t const i : programs) static_cast<void>(suite[i]); // once for all mutants
        kill(suite, mutant, programs);
    }
    return 0;
}

/// What an encoder says of a program of the suite, or of its traces, that is not so; or empty.
std::string wrong(Encoder const& encoder, Asking const& asked, Buffering buffering, Solver& solver) {
    suite::ExpectedResults const& expected = asked.expected[static_cast<std::size_t>(buffering)];
    if (!expected.executions || !encoder.handles(buffering)) return {};
    IndexedProgram const& code = asked.program->code;
    MessageIndex const messages(code);
    if (encoder.refuses(messages)) return {};
    EncoderInput input{.messages = messages, .method = PairsMethod::overapprox};
    auto const fails = [&](std::string_view what) -> std::optional<bool> {
        auto const problem = encoder.encode(input, {.buffering = buffering, .check_sat = false});
        // An encoder of traces has none where a constant would have two sorts (errata E7).
        if (!problem && !encoder.is_of_one_trace())
            throw std::runtime_error(fmt::format("{}: {}", what, problem.error()));
        return problem ? std::optional(is_satisfiable(solver, *problem)) : std::nullopt;
    };
    if (!encoder.is_of_one_trace())
        return fails("verdict") == (expected.executions->verdict == "violated") ? "" : "verdict";
    for (std::size_t t = 0; t < expected.traces.size(); ++t) {
        if (!expected.traces[t].well_formed) continue;
        Schedule const schedule = schedule_of(code, t);
        input.trace = &schedule;
        auto const says = fails("status");
        if (says && *says != (expected.traces[t].status == Status::failure))
            return fmt::format("trace {}: status", t + 1);
    }
    return {};
}

int all_encoders() {
    Suite suite;
    Solver solver(*solver_command("z3"), {.time = std::chrono::seconds(20)});
    for (Encoder const& encoder : encoders()) {
        // tests/encode/ has those of programs without messages.
        if (encoder.asks != Encoder::Asks::anything && encoder.asks != Encoder::Asks::failure_in_order) continue;
        std::string line = fmt::format("{} -", encoder.name);
        for (std::size_t i = 0; i < suite.size() && line.ends_with('-'); ++i)
            for (Buffering const b : {Buffering::infinite, Buffering::zero})
                if (std::string const w = wrong(encoder, suite[i], b, solver); !w.empty() && line.ends_with('-'))
                    line = fmt::format("{} {} {} {}", encoder.name, suite.id(i), to_string(b), w);
        std::cout << line << std::endl;
    }
    return 0;
}

int main_of(std::vector<std::string> const& arguments) {
    std::string const command = arguments.empty() ? "" : arguments[0];
    if (command == "list" && arguments.size() == 1) {
        for (std::string_view const name : mutants::names) std::cout << name << "\n";
        return 0;
    }
    if (command == "kill" && arguments.size() <= 2)
        return kill_all(arguments.size() == 2 ? std::stoul(arguments[1]) : 1);
    if (command == "encoders" && arguments.size() == 1) return all_encoders();
    if (command == "answer" && arguments.size() == 5) {
        mutants::on = number_of(arguments[1]);
        std::ifstream in(arguments[4]);
        std::ostringstream text;
        text << in.rdbuf();
        auto const program = load(arguments[4], text.str());
        std::cout << answer(arguments[2], arguments[3] == "zero" ? Buffering::zero : Buffering::infinite, program->code)
                  << "\n";
        return 0;
    }
    std::cerr << "mutants list | encoders | kill [EVERY] | answer MUTANT WAY BUFFERING FILE\n";
    return 2;
}

} // namespace
} // namespace matchpoint::test

int main(int argc, char** argv) {
    try {
        return matchpoint::test::main_of({argv + 1, argv + argc});
    } catch (std::exception const& e) {
        std::cerr << "mutants: " << e.what() << "\n";
        return 70;
    }
}
