// Questions about all executions of a program: check.hpp, explore.hpp, pairs.hpp.
#include <stdexcept>

#include "api/impl.hpp"
#include "base/overloaded.hpp"
#include "check/check.hpp"
#include "check/scope.hpp"
#include "executions/exact_pairs.hpp"
#include "executions/shared/classes.hpp"
#include "record/provenance.hpp"

#include <matchpoint/check.hpp>
#include <matchpoint/explore.hpp>
#include <matchpoint/pairs.hpp>

namespace matchpoint::api {

// ---- check ----

namespace {

Verdict of_room(check::Verdict v) {
    switch (v) {
    case check::Verdict::violated: return Verdict::violated;
    case check::Verdict::safe: return Verdict::safe;
    case check::Verdict::vacuous: return Verdict::vacuous;
    case check::Verdict::unknown: break;
    }
    return Verdict::unknown;
}

Answer of_room(check::Reached::Answer a) {
    switch (a) {
    case check::Reached::Answer::no: return Answer::no;
    case check::Reached::Answer::yes: return Answer::yes;
    case check::Reached::Answer::unknown: break;
    }
    return Answer::unknown;
}

check::EngineChoice in_room(Engine e) {
    switch (e) {
    case Engine::explore: return check::EngineChoice::explore;
    case Engine::sat: return check::EngineChoice::sat;
    case Engine::smt: return check::EngineChoice::smt;
    case Engine::automatic: break;
    }
    return check::EngineChoice::automatic;
}

Reached reached(Program const& program, check::Reached::Answer answer, machine::Schedule const& schedule,
                Buffering buffering) {
    Reached result{of_room(answer), std::nullopt};
    if (result.answer == Answer::yes) result.how = execution_of(program, schedule, Extent::prefix, buffering);
    return result;
}

Race race_of(Program const& program, check::Race const& race, Buffering buffering) {
    Reached reach = reached(program, race.answer, race.schedule, buffering);
    Race result{reach.answer, std::move(reach.how), std::nullopt, {}};
    if (result.answer != Answer::yes) return result;
    result.commands = {command(race.first), command(race.second)};
    result.variable = program.impl().code.names()(race.x);
    return result;
}

} // namespace

std::string_view to_string(Verdict v) {
    switch (v) {
    case Verdict::violated: return "violated";
    case Verdict::safe: return "safe";
    case Verdict::vacuous: return "vacuous";
    case Verdict::unknown: break;
    }
    return "unknown";
}

std::string_view to_string(Answer a) {
    switch (a) {
    case Answer::no: return "no";
    case Answer::yes: return "yes";
    case Answer::unknown: break;
    }
    return "unknown";
}

Result<Checked> check(Program const& program, CheckOptions const& options) {
    if (auto error = undisciplined(program)) return std::move(*error);
    auto solver = solve::solver_command(options.solver);
    if (!solver) return usage_error(solver.error());
    check::CheckOptions asked;
    asked.buffering = in_room(options.buffering);
    asked.runs = options.complete_runs ? executions::Runs::complete : executions::Runs::executions;
    asked.engine = in_room(options.engine);
    asked.solver = std::move(*solver);
    asked.time = options.time;
    asked.memory = options.memory;
    asked.cancelled = options.cancelled;
    check::CheckResult found = check::check(*program.impl().messages, asked);
    record::Provenance const from = record::provenance_of(program.impl().source.text());
    record::end_openly(found, program.impl().code, asked.buffering, from.cut_short);
    Checked result;
    if (!found.deadlock.why_unknown.empty()) result.trouble.push_back(found.deadlock.why_unknown);
    for (check::Trouble const& t : found.trouble) {
        if (t.kind == check::Trouble::Kind::wrong_answer) return Error{Error::Kind::solver, t.what, {}};
        result.trouble.push_back(t.what);
    }
    check::Scope const scope = check::scope_of(program.impl().code, from.is_recorded());
    result.verdict = of_room(found.verdict);
    result.shown = check::summary(found, scope);
    result.assertions = scope.assertions;
    result.engine = found.engine;
    result.rests_on_solver = found.rests_on_solver;
    if (found.run) result.witness = execution_of(program, *found.run, options.buffering);
    if (found.safe) result.nearest_safe = execution_of(program, *found.safe, options.buffering);
    auto const all = [&](check::Reached const& r) { return reached(program, r.answer, r.schedule, options.buffering); };
    result.deadlock = all(found.deadlock);
    result.fault = all(found.fault);
    result.leaves_path = all(found.leaves_path);
    if (found.race) result.race = race_of(program, *found.race, options.buffering);
    return result;
}

// ---- explore ----

std::string_view to_string(End end) {
    switch (end) {
    case End::complete: return "complete";
    case End::deadlock: return "deadlock";
    case End::fault: return "fault";
    case End::off_path: break;
    }
    return "off the path";
}

class Explorer::Impl {
public:
    Impl(Program const& p, Buffering b) : program_(p), buffering_(b) {
        MessageIndex const& messages = *program_.impl().messages;
        executions::Explorer::Options options;
        options.buffering = in_room(b);
        if (messages.code().shares())
            classes_.emplace(messages, options.buffering);
        else
            explorer_.emplace(messages, std::move(options));
    }

    bool is_done() const { return !broken_ && (classes_ ? classes_->done() : explorer_->done()); }

    Result<std::optional<Explored>> next(std::uint64_t steps) {
        if (broken_) return limit_error(*broken_);
        try {
            auto found = find(steps);
            if (!found && !is_done()) return limit_error("the steps are used up");
            return found;
        } catch (base::LimitReached const& e) {
            broken_ = e.what();
            return limit_error(*broken_);
        }
    }

private:
    std::optional<Explored> find(std::uint64_t steps) {
        auto const end = classes_ ? classes_->next(steps) : explorer_->next(steps);
        if (!end) return std::nullopt;
        machine::Schedule const& schedule = classes_ ? classes_->schedule() : explorer_->schedule();
        Extent const extent = *end == executions::End::complete ? Extent::complete : Extent::prefix;
        return Explored{of_room(*end), execution_of(program_, schedule, extent, buffering_)};
    }

    static End of_room(executions::End end) {
        switch (end) {
        case executions::End::complete: return End::complete;
        case executions::End::deadlock: return End::deadlock;
        case executions::End::fault: return End::fault;
        case executions::End::off_path: return End::off_path;
        case executions::End::pruned: break;
        }
        throw std::logic_error("explore: an execution was pruned, and nothing may be");
    }

    Program program_;
    Buffering buffering_;
    std::optional<executions::Explorer> explorer_;
    std::optional<executions::Classes> classes_; // with shared variables
    std::optional<std::string> broken_;          // the limit that was reached: neither can go on after that
};

Explorer::Explorer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Explorer::Explorer(Explorer&&) noexcept = default;
Explorer& Explorer::operator=(Explorer&&) noexcept = default;
Explorer::~Explorer() = default;

Result<std::optional<Explored>> Explorer::next(std::uint64_t steps) { return impl_->next(steps); }
bool Explorer::is_done() const { return impl_->is_done(); }

Result<Explorer> explore(Program const& program, Buffering buffering) {
    if (auto error = undisciplined(program)) return std::move(*error);
    return Explorer(std::make_unique<Explorer::Impl>(program, buffering));
}

Result<std::string> at_most_match_sets(Program const& program) {
    if (auto error = undisciplined(program)) return std::move(*error);
    return executions::at_most_match_sets(*program.impl().messages);
}

// ---- pairs ----

std::string_view to_string(Pairs method) {
    switch (method) {
    case Pairs::overapprox: return "overapprox";
    case Pairs::tight: return "tight";
    case Pairs::exact: break;
    }
    return "exact";
}

Result<std::vector<Match>> match_pairs(Program const& program, Buffering buffering, Pairs method, std::uint64_t steps) {
    if (auto error = undisciplined(program)) return std::move(*error);
    using Method = executions::PairsMethod;
    Method const by = method == Pairs::overapprox ? Method::overapprox
                      : method == Pairs::tight    ? Method::tight
                                                  : Method::exact;
    MessageIndex const& messages = *program.impl().messages;
    return within_limits([&]() -> Result<std::vector<Match>> {
        auto const pairs = executions::pairs_by(messages, in_room(buffering), by, {.steps = steps});
        if (!pairs) return limit_error("the exact pairs were not found within the steps");
        std::vector<Match> result;
        for (std::uint32_t r = 0; r < pairs->of.size(); ++r)
            for (std::uint32_t const s : pairs->of[r]) result.push_back(match(messages, {r, s}));
        return result;
    });
}

} // namespace matchpoint::api
