// What is expected of the executions of a program with shared variables.

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "executions/shared/classes.hpp"
#include "executions/shared/few_switches.hpp"
#include "executions/shared/interleavings.hpp"
#include "explain/reads_from.hpp"
#include "suite/expected.hpp"

namespace matchpoint::suite {

namespace {

constexpr std::uint64_t most_shared_steps = 20'000; // of each search: the programs are small

/// A read by numbers, which sort in program order: the command, the variable, and the command that wrote it.
struct NumberedRead {
    std::uint32_t command;
    std::uint32_t variable;
    std::optional<std::uint32_t> from;
    auto operator<=>(NumberedRead const&) const = default;
};
/// Receives with their sends, as numbers of the index.
using NumberedMatches = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
using NumberedOutcome = std::pair<NumberedMatches, std::vector<NumberedRead>>;

std::vector<NumberedRead> reads_of(IndexedProgram const& code, Buffering buffering, Schedule const& schedule) {
    ReadsFrom shared(code);
    ReadsFromRecorder recorder(shared);
    Machine machine(code, buffering);
    machine.observe(recorder);
    static_cast<void>(machine::run(machine, schedule));
    auto const command = [&](std::uint32_t step) { return schedule.entry(step).rho.index; };
    std::vector<NumberedRead> reads;
    for (ReadsFrom::Read const& r : shared.reads)
        reads.push_back(
            {command(r.step), r.x.index, r.from == ReadsFrom::initial ? std::nullopt : std::optional(command(r.from))});
    std::sort(reads.begin(), reads.end());
    return reads;
}

/// Visits all classes of executions, and keeps what is asked of them.
class SharedCollector {
public:
    SharedCollector(MessageIndex const& messages, Buffering buffering)
        : messages_(messages), code_(messages.code()), buffering_(buffering), classes_(messages, buffering),
          pairs_(messages.receives().size()), pairs_of_executions_(messages.receives().size()) {}

    /// False: there are too many outcomes or steps.
    bool visit_all(std::size_t most_outcomes) {
        while (auto const end = classes_.next(most_shared_steps - std::min(most_shared_steps, classes_.steps()))) {
            take(*end);
            if (outcomes_.size() > most_outcomes) return false;
        }
        return classes_.done();
    }

    SharedExecutions result() const {
        SharedExecutions result;
        result.verdict = verdict(fails_);
        result.verdict_of_complete_runs = verdict(fails_complete_);
        result.deadlock = deadlock_;
        result.fault = fault_;
        result.match_pairs = named(pairs_);
        result.match_pairs_of_executions = named(pairs_of_executions_);
        for (auto const& [outcome, status] : outcomes_)
            result.outcomes.push_back({status, named(outcome.first), named(outcome.second)});
        return result;
    }

private:
    using NumberedPairs = std::vector<std::set<std::uint32_t>>; // receive -> sends

    void take(End end) {
        Status const s = classes_.state().s;
        deadlock_ |= end == End::deadlock;
        fault_ |= end == End::fault;
        fails_ |= s == Status::failure;
        NumberedMatches matches;
        for (Match const& m : match_set(code_, classes_.state())) {
            matches.emplace_back(messages_.receive_number(m.a_r), messages_.send_number(m.a_s));
            pairs_of_executions_[matches.back().first].insert(matches.back().second);
        }
        if (end != End::complete) return;
        fails_complete_ |= s == Status::failure;
        completes_ |= s == Status::success;
        for (auto const& [receive, send] : matches) pairs_[receive].insert(send);
        NumberedOutcome outcome(std::move(matches), reads_of(code_, buffering_, classes_.schedule()));
        auto const [it, is_new] = outcomes_.emplace(std::move(outcome), s);
        if (it->second != s) throw std::logic_error("complete runs with the same matches and reads differ in status");
    }

    std::string verdict(bool fails) const { return fails ? "violated" : completes_ ? "safe" : "vacuous"; }
    std::string receive(std::uint32_t r) const { return std::string(code_.names()(messages_.receives()[r].a)); }
    std::string send(std::uint32_t s) const { return std::string(code_.names()(messages_.sends()[s].a)); }
    std::string command(std::uint32_t rho) const { return std::string(code_.names()(Location{rho})); }

    MatchPairs named(NumberedPairs const& pairs) const {
        MatchPairs result;
        for (std::uint32_t r = 0; r < pairs.size(); ++r) {
            auto& [name, sends] = result.emplace_back(receive(r), std::vector<std::string>());
            for (std::uint32_t const s : pairs[r]) sends.push_back(send(s));
        }
        return result;
    }
    Matches named(NumberedMatches const& matches) const {
        Matches result;
        for (auto const& [r, s] : matches) result.emplace_back(receive(r), send(s));
        return result;
    }
    Reads named(std::vector<NumberedRead> const& reads) const {
        Reads result;
        std::optional<std::uint32_t> last;
        for (NumberedRead const& r : reads) {
            if (r.command != last) result.emplace_back(command(r.command), std::vector<Read>());
            last = r.command;
            Read& read = result.back().second.emplace_back();
            read.variable = code_.names()(grammar::Variable{r.variable});
            if (r.from) read.from = command(*r.from);
        }
        return result;
    }

    MessageIndex const& messages_;
    IndexedProgram const& code_;
    Buffering buffering_;
    Classes classes_;
    bool deadlock_ = false;
    bool fault_ = false;
    bool fails_ = false;
    bool fails_complete_ = false;
    bool completes_ = false;
    NumberedPairs pairs_;
    NumberedPairs pairs_of_executions_;
    std::map<NumberedOutcome, Status> outcomes_;
};

/// None if it takes too many steps.
std::optional<bool> has_data_race(MessageIndex const& messages, Buffering buffering) {
    Interleavings all(messages, buffering);
    while (all.race() == nullptr && all.next(most_shared_steps - std::min(most_shared_steps, all.steps()))) {
    }
    if (all.race() == nullptr && !all.done()) return std::nullopt;
    return all.race() != nullptr;
}

} // namespace

std::optional<SharedExecutions> shared_executions(IndexedProgram const& code, Buffering buffering,
                                                  std::size_t most_outcomes) {
    MessageIndex const messages(code);
    SharedCollector collector(messages, buffering);
    if (!collector.visit_all(most_outcomes)) return std::nullopt;
    auto const race = has_data_race(messages, buffering);
    if (!race) return std::nullopt;
    SharedExecutions result = collector.result();
    result.data_race = *race;
    if (result.verdict != "violated") return result;
    FewSwitches::Options options;
    options.buffering = buffering;
    options.steps = 10 * most_shared_steps; // it visits a state once for each bound
    FewSwitches few(messages, options);
    if (few.search() != FewSwitches::Answer::found) return std::nullopt;
    result.switches = few.switches();
    return result;
}

} // namespace matchpoint::suite
