#include "validate/explain.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "encode/partial_runs.hpp"
#include "report/matching_words.hpp"
#include "report/words.hpp"
#include "smt_machine/s_expressions.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::validate {

namespace {

Changes of_reading() { return only(Change::executions) | only(Change::complete_runs); }

/// Whether some execution on the path fails, by the encoding of those. Other rules cannot be changed there.
std::optional<bool> some_execution_fails(Case const& c, Buffering buffering, CachingSolver& solver) {
    EncoderOptions options;
    options.buffering = buffering;
    options.runs = Runs::executions;
    options.check_sat = false;
    return solver.is_sat(encode_failing_execution(c.messages, tight_on_path(c.messages, buffering), options));
}

} // namespace

std::optional<bool> predicted(Case const& c, Buffering buffering, Changes const& all, CachingSolver& solver,
                              Runs runs) {
    bool const of_executions = all[static_cast<std::size_t>(Change::executions)] ||
                               (runs == Runs::executions && !all[static_cast<std::size_t>(Change::complete_runs)]);
    Changes const changes = all & ~of_reading();
    if (of_executions && !c.trace) return changes.none() ? some_execution_fails(c, buffering, solver) : std::nullopt;
    PlainInput input{.messages = &c.messages, .buffering = buffering};
    Matching matching(c.messages);
    if (c.trace) {
        Machine machine(c.code, buffering);
        run(machine, *c.trace);
        delivered(c.messages, machine.state(), matching);
        input.only = &matching;
    }
    auto const problem = encode_with(input, changes);
    return problem ? solver.is_sat(*problem) : std::nullopt;
}

std::string_view to_string(Kind kind) { return kind == Kind::unsound ? "unsound" : "incomplete"; }

std::vector<Explanation> explain(Case const& c, Buffering buffering, Kind kind, Changes const& known,
                                 CachingSolver& solver, std::span<Observation const> observations, Runs runs) {
    bool const wrong = kind == Kind::unsound;
    Direction const direction = wrong ? Direction::weaker : Direction::stronger;
    std::vector<Changes> candidates;
    Change const not_wrong = runs == Runs::executions ? Change::executions : Change::complete_runs;
    for (ChangeInfo const& i : changes())
        if (i.change != not_wrong && i.direction == direction && contains(i.bufferings, buffering) &&
            !known[static_cast<std::size_t>(i.change)])
            candidates.push_back(only(i.change));

    std::vector<Explanation> found;
    std::vector<Changes> bases{known};
    // Only of complete runs can single rules be changed.
    if (runs == Runs::executions) bases.push_back(known | only(Change::complete_runs));
    if (known.any()) bases.emplace_back();
    for (Changes const& beside : bases) {
        // Sets of ascending changes, each with the first index in `candidates` that may extend it.
        std::vector<std::pair<Changes, std::size_t>> sets{{Changes(), 0}};
        for (std::size_t size = 1; size <= 3 && found.empty(); ++size) {
            std::vector<std::pair<Changes, std::size_t>> larger;
            for (auto const& [set, next] : sets)
                for (std::size_t i = next; i < candidates.size(); ++i) larger.emplace_back(set | candidates[i], i + 1);
            sets = std::move(larger);
            for (auto const& [set, next] : sets)
                if (predicted(c, buffering, beside | set, solver, runs) == wrong)
                    found.push_back({(beside & ~known) | set});
        }
    }
    for (Explanation& e : found)
        for (Observation const& o : observations) {
            ++e.of;
            e.agrees += predicted(*o.c, o.buffering, known | e.changes, solver, runs) == o.sat;
        }
    // Of two that agree equally often, prefer one that is in the errata: it is more specific.
    auto const is_named = [](Explanation const& e) {
        for (ChangeInfo const& i : changes())
            if (e.changes[static_cast<std::size_t>(i.change)] && !i.errata.empty()) return true;
        return false;
    };
    std::stable_sort(found.begin(), found.end(), [&](Explanation const& a, Explanation const& b) {
        return std::pair(a.agrees, is_named(a)) > std::pair(b.agrees, is_named(b));
    });
    return found;
}

namespace {

std::size_t misses(Explanation const& e) { return e.of - e.agrees; }

/// Wrapped at 80 columns and indented.
std::string wrapped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        std::size_t end = text.size();
        if (constexpr std::size_t width = 75; end > width) end = text.rfind(' ', width);
        if (end == std::string_view::npos) end = text.size();
        out.append(out.empty() ? "    " : "      ").append(text.substr(0, end)).append("\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

} // namespace

std::string shown(std::span<Explanation const> explanations) {
    if (explanations.empty())
        return "No rule left out or asked too much, nor two or three together, gives this answer.\n";
    std::string out;
    bool first = true;
    for (Explanation const& e : explanations) {
        if (misses(e) > misses(explanations.front()) && !first) break;
        if (!first) out += "or\n";
        first = false;
        for (ChangeInfo const& i : changes()) {
            if (!e.changes[static_cast<std::size_t>(i.change)]) continue;
            out += fmt::format("  {} ({}): {}\n", to_string(i.rule),
                               i.direction == Direction::weaker ? "missing" : "too much", i.name);
            out += wrapped(i.what) + wrapped(fmt::format("the rule: {}", i.right));
            if (!i.errata.empty()) out += fmt::format("    errata {}\n", i.errata);
        }
        if (e.of > 0)
            out += fmt::format("    so changed, the rules agree with the encoder on {} of {} cases\n", e.agrees, e.of);
    }
    std::size_t const others = static_cast<std::size_t>(std::count_if(
        explanations.begin(), explanations.end(), [&](auto const& e) { return misses(e) > misses(explanations[0]); }));
    if (others > 0) {
        out += "Less likely, for they agree with it on fewer cases:\n";
        for (Explanation const& e : explanations)
            if (misses(e) > misses(explanations[0]))
                out += fmt::format("  {} ({} of {})\n", to_string(e.changes), e.agrees, e.of);
    }
    return out;
}

namespace {

/// The integers of a model.
std::map<std::string, long> integers(std::string_view model) {
    std::map<std::string, long> result;
    read_model(model, [&](ModelEntry const& entry) {
        if (entry.sort != "Int") return;
        std::string digits; // of 5 and of (- 5)
        for (char const ch : entry.value)
            if (ch == '-' || (ch >= '0' && ch <= '9')) digits += ch;
        long value = 0;
        char const* const last = digits.data() + digits.size();
        if (auto const r = std::from_chars(digits.data(), last, value); r.ec == std::errc() && r.ptr == last)
            result.emplace(entry.name, value);
    });
    return result;
}

/// The matches of a subject's answer; none: they cannot be read.
std::optional<Matching> matching_of(Case const& c, SubjectAnswer const& answer,
                                    std::map<std::string, long> const& model) {
    MessageIndex const& m = c.messages;
    Matching matching(m);
    auto const name = [&](Action a) { return std::string(c.code.names()(a)); };
    if (!answer.matches.empty()) {
        for (auto const& [r, s] : answer.matches) {
            std::uint32_t receive = 0, send = 0;
            while (receive < m.receives().size() && name(m.receives()[receive].a) != r) ++receive;
            while (send < m.sends().size() && name(m.sends()[send].a) != s) ++send;
            if (receive == m.receives().size() || send == m.sends().size()) return std::nullopt;
            matching[receive] = send;
        }
        return matching;
    }
    for (std::uint32_t r = 0; r < m.receives().size(); ++r) {
        auto const value = model.find("M_" + mangle(name(m.receives()[r].a)));
        if (value == model.end()) return std::nullopt;
        for (std::uint32_t s = 0; s < m.sends().size(); ++s) {
            // In Section 5, M_R is order_S; in `exact`, the number of S.
            auto const order = model.find("order_" + mangle(std::string(c.code.names()(m.sends()[s].rho))));
            bool const is = order != model.end() ? order->second == value->second : value->second == long{s} + 1;
            if (is && matching[r] == unmatched && m.beta_of(m.sends()[s]) == m.receives()[r].beta) matching[r] = s;
        }
    }
    return matching;
}

/// The commands in the model's order, with the deliveries of its matches right before the waits that need them.
std::optional<Schedule> schedule_of(Case const& c, Matching const& matching, std::map<std::string, long> const& model) {
    auto const& commands = c.code.ctp().commands;
    std::vector<long> key(commands.size());
    std::size_t known = 0;
    for (Thread const& t : c.code.ctp().threads) {
        long last = std::numeric_limits<long>::min();
        for (std::uint32_t i = t.first; i < t.last; ++i) {
            auto const it = model.find("order_" + mangle(std::string(c.code.names()(Location{i}))));
            if (it != model.end()) last = it->second, ++known;
            key[i] = last;
        }
    }
    if (known == 0) return std::nullopt;
    std::vector<std::uint32_t> order(commands.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return key[a] < key[b]; });
    Schedule schedule;
    std::vector<std::size_t> next(c.code.endpoints().size());
    for (std::uint32_t const i : order) {
        if (auto const* wait = as_wait(commands[i].c); wait != nullptr && c.code.as_rcvi(wait->a) != nullptr) {
            auto const& receive = c.messages.receive(wait->a);
            auto const at = c.messages.receives_at(receive.beta);
            for (std::size_t& n = next[receive.beta.index]; n <= receive.ordinal; ++n)
                if (std::uint32_t const s = matching[at[n]]; s != unmatched)
                    schedule.move(c.messages.sends()[s].channel);
        }
        schedule.step({i});
    }
    return schedule;
}

} // namespace

std::string replay(Case const& c, Buffering buffering, SubjectAnswer const& answer) {
    std::map<std::string, long> const model = integers(answer.model);
    auto const matching = matching_of(c, answer, model);
    if (!matching) return {};
    MessageIndex const& m = c.messages;
    std::string out = "Its matches:";
    for (std::uint32_t r = 0; r < matching->size(); ++r)
        out +=
            fmt::format("{} {} = {}", r == 0 ? "" : ",", report::shown(c.code, m.receives()[r].a),
                        (*matching)[r] == unmatched ? "nothing" : report::shown(c.code, m.sends()[(*matching)[r]].a));
    out += "\n";
    Feasibility feasibility(m, buffering);
    auto const conflict = feasibility.conflict(*matching);
    if (conflict)
        out += fmt::format("No run has them: {}\n", report::explain(m, *conflict));
    else if (!matching->is_complete())
        out += "A complete run has a message for every receive.\n";
    if (conflict || !matching->is_complete()) {
        auto const schedule = schedule_of(c, *matching, model);
        if (!schedule) return out;
        Machine machine(c.code, buffering);
        Outcome const outcome = run(machine, *schedule);
        if (outcome.error && outcome.error->rho)
            out += fmt::format("In its order, the machine refuses step {}, at {}: {}\n", outcome.error->entry + 1,
                               report::shown(c.code, *outcome.error->rho),
                               machine::to_string(outcome.error->stuck.reason));
        return out;
    }
    Schedule schedule;
    feasibility.schedule(*matching, schedule);
    Machine machine(c.code, buffering);
    out += fmt::format("With them the reference machine ends in {}.\n", to_string(run(machine, schedule).s));
    return out;
}

} // namespace matchpoint::validate
