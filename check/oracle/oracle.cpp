#include "check/oracle/oracle.hpp"

#include <algorithm>
#include <stdexcept>

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "check/check.hpp"
#include "check/oracle/lowered.hpp"
#include "check/scope.hpp"
#include "encode/exact.hpp"
#include "encode/model.hpp"
#include "explain/matching_words.hpp"
#include "explain/words.hpp"
#include "machine/well_formed.hpp"
#include "matching/definitions.hpp"

namespace matchpoint::check {

namespace {

bool contains(std::vector<Pair> const& pairs, Pair p) {
    return std::find(pairs.begin(), pairs.end(), p) != pairs.end();
}

} // namespace

/// Which pairs a run as wanted may have.
class Oracle::Filter {
public:
    Filter(MessageIndex const& messages, Wanted const& wanted, std::shared_ptr<MatchPairs const> possible)
        : send_of_(messages.receives().size(), unmatched), receive_of_(messages.sends().size(), unmatched),
          possible_(std::move(possible)) {
        for (Pair const& p : wanted.required) {
            contradicts_ |= send_of_[p.r] != unmatched && send_of_[p.r] != p.s;
            contradicts_ |= receive_of_[p.s] != unmatched && receive_of_[p.s] != p.r;
            send_of_[p.r] = p.s;
            receive_of_[p.s] = p.r;
        }
        for (Pair const& p : wanted.forbidden) forbidden_.insert(key(p));
    }

    bool operator()(Pair p) const {
        if (contradicts_) return false;
        if (send_of_[p.r] != unmatched ? send_of_[p.r] != p.s : receive_of_[p.s] != unmatched) return false;
        return !forbidden_.contains(key(p)) && (possible_ == nullptr || possible_->contains(p));
    }

private:
    static std::uint64_t key(Pair p) { return (std::uint64_t{p.r} << 32U) | p.s; }

    std::vector<std::uint32_t> send_of_;
    std::vector<std::uint32_t> receive_of_;
    boost::unordered_flat_set<std::uint64_t> forbidden_;
    std::shared_ptr<MatchPairs const> possible_;
    bool contradicts_ = false;
};

Oracle::Oracle(MessageIndex const& messages, Buffering buffering, std::atomic<bool> const* cancelled)
    : messages_(messages), buffering_(buffering), cancelled_(cancelled), feasibility_(messages, buffering),
      may_fault_(messages.may_fault()), part_(messages) {
    if (messages.code().is_plain() || order_matters()) return;
    auto lowered = Lowered::of(messages, buffering);
    if (!lowered) throw std::invalid_argument(lowered.error());
    lowered_ = std::make_unique<LoweredOracle>(messages, std::move(*lowered), cancelled);
}

Oracle::~Oracle() = default;

std::optional<std::string> Oracle::refuses(MessageIndex const& messages, Buffering buffering) {
    if (messages.code().is_plain() || messages.order_matters()) return std::nullopt;
    auto lowered = Lowered::of(messages, buffering);
    return lowered ? std::nullopt : std::optional(std::move(lowered.error()));
}

void Oracle::limit_steps(std::uint64_t steps) {
    limit_ = steps;
    if (lowered_) lowered_->plain().limit_steps(steps);
}

std::string Oracle::term(Pair p) const {
    return lowered_ ? match_term(lowered_->lowered().messages(), lowered_->lower(p)) : match_term(messages_, p);
}

std::string Oracle::excluding(Wanted const& core) const {
    std::string required = "true";
    for (Pair const& p : core.required) required += ' ' + term(p);
    std::string forbidden = "false";
    for (Pair const& p : core.forbidden) forbidden += ' ' + term(p);
    return fmt::format("(assert (or (not (and true {})) {}))", required, forbidden);
}

Oracle::Unknown Oracle::unknown() const { return {budget().is_cancelled()}; }

// ---------------------------------------------------------------------------------------------------------------------
// Sets of matches

bool Oracle::is_feasible(Matching const& m) {
    if (lowered_) return lowered_->can_complete() && lowered_->plain().is_feasible(lowered_->lower(m));
    if (order_matters()) return false; // only a search tells
    if (feasibility_.breaks_a_rule(m)) return false;
    if (!may_fault_) return true;
    feasibility_.schedule(m, schedule_);
    Machine machine(messages_.code(), buffering_);
    return !machine::run(machine, schedule_).error;
}

MatchPairs const& Oracle::possible() {
    if (possible_ == nullptr)
        possible_ = std::make_shared<MatchPairs>(*pairs_by(messages_, buffering_, PairsMethod::tight));
    return *possible_;
}

/// The tight pairs prune the search. Null if there are so many that they would take more memory than the search.
std::shared_ptr<MatchPairs const> Oracle::pairs_for_search() {
    constexpr std::uint64_t many = 1'000'000;
    std::uint64_t pairs = 0;
    for (auto const& r : messages_.receives()) pairs += messages_.sends_to(r.beta);
    if (pairs > many) return nullptr;
    static_cast<void>(possible());
    return possible_;
}

void Oracle::clear_part() {
    part_.clear();
    for (Pair const& p : granted_) part_[p.r] = p.s;
}

/// Two sends for one receive, a match that is required and forbidden, and rules 1 to 4. Leaves the required matches in
/// part_.
std::optional<Oracle::Refusal> Oracle::refused_by_rules(Wanted const& wanted) {
    auto const by_rules = [&]() -> std::optional<Refusal> {
        auto conflict = feasibility_.conflict(part_);
        if (!conflict) return std::nullopt;
        Refusal refusal{Refusal::Why::rules, {conflict->core, {}}, Means::rules, std::move(conflict), {}};
        return refusal;
    };
    // It is the better reason if a single match breaks a rule.
    auto const alone = [&](Pair p) {
        clear_part();
        part_[p.r] = p.s;
        return by_rules();
    };
    clear_part();
    for (Pair const& p : wanted.required) {
        if (part_[p.r] == unmatched || part_[p.r] == p.s) {
            part_[p.r] = p.s;
            continue;
        }
        Pair const other{p.r, part_[p.r]};
        if (auto refusal = alone(other)) return refusal;
        if (auto refusal = alone(p)) return refusal;
        return Refusal{Refusal::Why::two_sends, {{std::min(p, other), std::max(p, other)}, {}}, Means::rules, {}, {}};
    }
    for (Pair const& p : wanted.forbidden) {
        if (part_[p.r] != p.s) continue;
        if (auto refusal = alone(p)) return refusal;
        return Refusal{Refusal::Why::contradiction, {{p}, {p}}, Means::rules, {}, {}};
    }
    return order_matters() ? std::nullopt : by_rules();
}

/// The receives that a command's value depends on in the run of part_: backwards through assignments and messages.
Oracle::Fault Oracle::fault_at(Location rho) const {
    Ctp const& ctp = messages_.code().ctp();
    auto const definition = definitions(messages_);
    Fault fault{rho, {}};
    std::vector<bool> seen(ctp.commands.size());
    std::vector<std::uint32_t> work;
    auto const add = [&](std::uint32_t command) {
        if (!seen[command]) work.push_back(command);
        seen[command] = true;
    };
    add(rho.index);
    while (!work.empty()) {
        Expression const* const e = expression_of(ctp.commands[work.back()].c);
        work.pop_back();
        for (std::uint32_t n = e->first; n <= e->root(); ++n) switch (Definition const d = definition[n]; d.kind) {
            case Definition::Kind::none: break;
            case Definition::Kind::assignment: add(d.index); break;
            case Definition::Kind::receive:
                fault.on.push_back(d.index);
                add(messages_.sends()[part_[d.index]].rho.index);
                break;
            }
    }
    std::sort(fault.on.begin(), fault.on.end());
    fault.on.erase(std::unique(fault.on.begin(), fault.on.end()), fault.on.end());
    return fault;
}

/// The run of a match set of all receives, in part_, that breaks no rule.
Oracle::Answer Oracle::run_of_part() {
    Run result{part_, {}, Status::success};
    feasibility_.schedule(part_, result.schedule);
    Machine machine(messages_.code(), buffering_);
    Outcome const outcome = machine::run(machine, result.schedule);
    result.s = outcome.s;
    if (!outcome.error) return result;
    if (!outcome.error->rho || !std::holds_alternative<reason::DivisionByZero>(outcome.error->stuck.reason))
        throw std::logic_error("a match set that breaks no rule has to run");
    Refusal refusal{Refusal::Why::fault, {}, Means::none, {}, fault_at(*outcome.error->rho)};
    for (std::uint32_t const r : refusal.fault->on) refusal.core.required.push_back({r, part_[r]});
    return refusal;
}

/// The next complete run of a program with shared variables that has only matches that the filter admits.
Searched Oracle::search_classes(Classes& classes, Filter const& filter, Budget& budget, std::optional<Run>* run) {
    Run found{Matching(messages_), {}, Status::success};
    End end{};
    for (;;) {
        if (Searched const answer = next_end(classes, budget, end); answer != Searched::found) return answer;
        if (end != End::complete) continue;
        classes.matching(found.matching);
        bool is_wanted = true;
        for (std::uint32_t r = 0; r < found.matching.size(); ++r)
            is_wanted = is_wanted && filter({r, found.matching[r]});
        if (!is_wanted) continue;
        found.schedule = classes.schedule();
        found.s = classes.state().s;
        if (run != nullptr) *run = std::move(found);
        return Searched::found;
    }
}

Searched Oracle::search_for(Wanted const& wanted, Budget& budget, std::optional<Run>* run) {
    if (order_matters()) {
        Classes classes(messages_, buffering_);
        return search_classes(classes, Filter(messages_, wanted, nullptr), budget, run);
    }
    return search(messages_, buffering_, Filter(messages_, wanted, pairs_for_search()), budget, [&](Explorer const& e) {
        if (run == nullptr) return;
        run->emplace(Run{Matching(messages_), e.schedule(), e.state().s});
        e.matching((*run)->matching);
    });
}

/// Whether there is a run as wanted.
Searched Oracle::is_possible(Wanted const& wanted, Budget& budget) {
    return refused_by_rules(wanted) ? Searched::none : search_for(wanted, budget, nullptr);
}

/// Leaves out of a core each match without which a search still finds no run.
void Oracle::shrink(Refusal& refusal, Budget& budget) {
    bool decided = true;
    bool smaller = false;
    Wanted core = refusal.core;
    auto const leave_out = [&](std::vector<Pair>& pairs) {
        for (std::size_t i = pairs.size(); i-- > 0;) {
            Pair const p = pairs[i];
            pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(i));
            Searched const answer = is_possible(core, budget);
            if (answer == Searched::none) {
                smaller = true;
                continue;
            }
            decided &= answer == Searched::found;
            pairs.insert(pairs.begin() + static_cast<std::ptrdiff_t>(i), p);
        }
    };
    leave_out(core.required);
    leave_out(core.forbidden);
    if (smaller) refusal = Refusal{Refusal::Why::search, std::move(core), Means::none, {}, {}};
    if (decided) refusal.minimal = Means::search;
}

Oracle::Answer Oracle::decide(Wanted const& wanted, Budget& budget) {
    if (auto refusal = refused_by_rules(wanted)) return std::move(*refusal);
    if (part_.is_complete() && !order_matters()) return run_of_part();
    std::optional<Run> run;
    switch (search_for(wanted, budget, &run)) {
    case Searched::found: return std::move(*run);
    case Searched::none: break;
    case Searched::out_of_steps:
    case Searched::cancelled: return unknown();
    }
    Refusal refusal{Refusal::Why::search, wanted, Means::none, {}, {}};
    for (auto* const pairs : {&refusal.core.required, &refusal.core.forbidden}) {
        std::sort(pairs->begin(), pairs->end());
        pairs->erase(std::unique(pairs->begin(), pairs->end()), pairs->end());
    }
    return refusal;
}

Oracle::Answer Oracle::ask(Wanted const& wanted, Means minimize) {
    Budget budget = this->budget();
    Answer answer = decide(wanted, budget);
    auto* const refusal = std::get_if<Refusal>(&answer);
    if (refusal == nullptr) return answer;
    if (minimize == Means::search) shrink(*refusal, budget);
    // An empty core has no proper part.
    if (refusal->core == Wanted() && refusal->minimal == Means::none) refusal->minimal = Means::search;
    return answer;
}

Oracle::Answer Oracle::feasible(Wanted const& wanted, Means minimize) {
    if (lowered_) return lowered_->raise(lowered_->plain().feasible(lowered_->lower(wanted), minimize));
    return ask(wanted, minimize);
}

Expected<Oracle::Answer, std::string> Oracle::feasible_model(std::string_view model, Means minimize) {
    if (lowered_) {
        auto answer = lowered_->plain().feasible_model(model, minimize);
        if (!answer) return answer;
        return lowered_->raise(std::move(*answer));
    }
    auto const m = matching_of_model(messages_, model);
    if (!m) return Unexpected{m.error()};
    Wanted wanted;
    for (std::uint32_t r = 0; r < m->size(); ++r) wanted.required.push_back({r, (*m)[r]});
    return ask(wanted, minimize);
}

// ---------------------------------------------------------------------------------------------------------------------
// Assumptions

/// next() does.
void Oracle::begin_again() {
    explorer_.reset();
    classes_.reset();
}

void Oracle::push() {
    levels_.emplace_back(assumed_.required.size(), assumed_.forbidden.size());
    begin_again();
    if (lowered_) lowered_->plain().push();
}

bool Oracle::pop() {
    if (levels_.empty()) return false;
    auto const [required, forbidden] = levels_.back();
    levels_.pop_back();
    begin_again();
    assumed_.required.resize(required);
    assumed_.forbidden.resize(forbidden);
    if (lowered_) lowered_->plain().pop();
    return true;
}

void Oracle::assume(Wanted const& wanted) {
    auto const add = [](std::vector<Pair>& to, std::vector<Pair> const& from) {
        for (Pair const& p : from)
            if (!contains(to, p)) to.push_back(p);
    };
    add(assumed_.required, wanted.required);
    add(assumed_.forbidden, wanted.forbidden);
    begin_again();
    if (lowered_) lowered_->plain().assume(lowered_->lower(wanted));
}

Oracle::Answer Oracle::check(Means minimize) { return feasible(assumed_, minimize); }

std::optional<std::variant<Run, Oracle::Unknown>> Oracle::next() {
    if (lowered_) {
        auto next = lowered_->plain().next();
        if (!next) return std::nullopt;
        if (auto* const run = std::get_if<Run>(&*next)) *run = lowered_->raise(std::move(*run));
        return next;
    }
    next_budget_ = budget();
    std::optional<Run> run;
    try {
        switch (order_matters() ? next_class(run) : next_match_set(run)) {
        case Searched::found: return std::move(*run);
        case Searched::none: return std::nullopt;
        case Searched::out_of_steps:
        case Searched::cancelled: break;
        }
    } catch (LimitReached const&) {
        begin_again();
        throw;
    }
    return unknown();
}

Searched Oracle::next_class(std::optional<Run>& run) {
    if (classes_ == nullptr) classes_ = std::make_unique<Classes>(messages_, buffering_);
    return search_classes(*classes_, Filter(messages_, assumed_, nullptr), next_budget_, &run);
}

Searched Oracle::next_match_set(std::optional<Run>& run) {
    if (explorer_ == nullptr) {
        Explorer::Options options;
        options.buffering = buffering_;
        options.may_match = Filter(messages_, assumed_, pairs_for_search());
        options.stop = stop_at(next_budget_);
        explorer_ = std::make_unique<Explorer>(messages_, std::move(options));
    }
    Searched const answer = next_complete_run(*explorer_, next_budget_);
    if (answer != Searched::found) return answer;
    run.emplace(Run{Matching(messages_), explorer_->schedule(), explorer_->state().s});
    explorer_->matching(run->matching);
    return answer;
}

// ---------------------------------------------------------------------------------------------------------------------
// Match pairs

std::variant<Oracle::Failing, Oracle::Unknown> Oracle::can_fail(Runs runs, std::string not_known) const {
    CheckOptions options;
    options.buffering = buffering_;
    options.runs = runs;
    options.engine = EngineChoice::sat;
    options.steps = limit_;
    options.stops = false;
    if (cancelled_ != nullptr) options.cancelled = [this] { return cancelled_->load(std::memory_order_relaxed); };
    CheckResult result = check::check(messages_, options);
    if (result.verdict == Verdict::unknown) {
        Unknown reason = unknown();
        if (!result.trouble.empty()) reason.why = result.trouble.front().what;
        return reason;
    }
    if (result.verdict == Verdict::violated) return Failing{std::move(result.run)};
    if (!not_known.empty()) return Unknown{false, std::move(not_known), true};
    return Failing{{}, scope_of(messages_.code(), false).assertions, result.leaves_path.answer};
}

std::variant<MatchPairs, Oracle::Unknown> Oracle::exact() {
    if (auto pairs = pairs_by(messages_, buffering_, PairsMethod::exact, budget())) return std::move(*pairs);
    return unknown();
}

// ---------------------------------------------------------------------------------------------------------------------
// Traces

Oracle::Replay Oracle::trace(std::span<TraceEntry const> entries) const {
    // A program of its own, so that a name which the program does not have gets the trace stuck, by the rules.
    Program const& original = messages_.code().program();
    Program program{original.symbols, original.ctp, {}, {}};
    Trace trace;
    for (TraceEntry const& entry : entries) {
        auto const in_program = [&](TraceEntry::Movement const& m) {
            return grammar::Movement{{program.symbols.endpoints.intern(m.beta)},
                                     {program.symbols.endpoints.intern(m.alpha)},
                                     m.n.empty() ? Tag{} : Tag{program.symbols.tags.intern(m.n)}};
        };
        for (auto const& m : entry.m) trace.movements.push_back(in_program(m));
        if (entry.peek)
            trace.peeks.push_back({static_cast<std::uint32_t>(trace.entries.size()), in_program(*entry.peek)});
        trace.entries.push_back({{program.symbols.locations.intern(entry.rho)},
                                 static_cast<std::uint32_t>(trace.movements.size()),
                                 no_offset});
    }
    program.traces.push_back(std::move(trace));
    IndexedProgram const code(program);
    Machine machine(code, buffering_);
    Outcome const outcome = machine::run(machine, 0);
    Replay replay{outcome.s,
                  machine.state().trace,
                  static_cast<bool>(well_formedness(code, machine.state())),
                  match_set(code, machine.state()),
                  {}};
    if (outcome.error) {
        RunError const& e = *outcome.error;
        replay.error =
            Replay::Error{e.entry, e.rho ? std::optional<std::string>(code.names()(*e.rho)) : std::nullopt,
                          std::string(to_string(e.stuck.rule)), std::string(machine::to_string(e.stuck.reason)),
                          explain::in_words(code, machine.state(), e.stuck.reason)};
    }
    return replay;
}

std::string in_words(MessageIndex const& messages, Oracle::Refusal const& refusal) {
    using Why = Oracle::Refusal::Why;
    std::string wanted;
    for (Pair const p : refusal.core.required) append_item(wanted, explain::shown(messages, p));
    std::string without;
    for (Pair const p : refusal.core.forbidden)
        without += fmt::format("{}{}", without.empty() ? "" : " or ", explain::shown(messages, p));
    switch (refusal.why) {
    case Why::rules: return explain::in_words(messages, *refusal.conflict);
    case Why::two_sends: return fmt::format("{}: a receive gets one message", wanted);
    case Why::contradiction: return fmt::format("{} is required and forbidden", wanted);
    case Why::fault:
        return fmt::format("every run with {} divides by zero at {}", wanted,
                           explain::shown(messages.code(), refusal.fault->rho));
    case Why::search: break;
    }
    if (wanted.empty() && without.empty()) return "no run is complete";
    if (without.empty()) return fmt::format("no complete run has {}", wanted);
    return fmt::format("every complete run{}{} has {}", wanted.empty() ? "" : " with ", wanted, without);
}

} // namespace matchpoint::check
