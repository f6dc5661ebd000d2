#include "tests/support/shared_classes.hpp"

#include <set>

#include <fmt/format.h>

#include "check/oracle/oracle.hpp"
#include "executions/shared/bounded_classes.hpp"
#include "executions/shared/classes.hpp"
#include "executions/shared/few_switches.hpp"
#include "executions/shared/interleavings.hpp"
#include "programs/dice.hpp"
#include "tests/support/naive_shared.hpp"
#include "tests/support/shared_verdicts.hpp"

namespace matchpoint::naive {

namespace {

using executions::BoundedClasses;
using executions::CausalModel;
using executions::Classes;
using executions::End;
using executions::FewSwitches;
using executions::Interleavings;
using executions::Model;
using executions::UntilEnd;

Buffering buffering_of(bool zero) { return zero ? Buffering::zero : Buffering::infinite; }

std::vector<Movement> plain(machine::IndexedProgram const& code, std::span<machine::Channel const> channels) {
    std::vector<Movement> result;
    for (machine::Channel const c : channels) result.push_back(plain_movement(code, c));
    return result;
}

Trace plain(machine::IndexedProgram const& code, machine::Schedule const& schedule) {
    Trace result;
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        machine::Entry const entry = schedule.entry(i);
        result.push_back({std::string(code.names()(entry.rho)), plain(code, entry.m)});
    }
    return result;
}

std::string word_of(End end) {
    switch (end) {
    case End::complete: return "complete";
    case End::deadlock: return "deadlock";
    case End::fault: return "fault";
    case End::off_path: return "off path";
    case End::pruned: break;
    }
    return "pruned";
}

std::string word_of(machine::Status s) { return std::string(machine::to_string(s)); }

/// The first trace of a program.
machine::Schedule schedule_of(Loaded const& loaded, std::size_t length) {
    machine::Schedule result;
    for (std::size_t i = 0; i < length; ++i) result.append(loaded.entry(i));
    return result;
}

} // namespace

namespace {

/// Every class of the truth that has no more switches is visited once, with its end and status, and no other one.
Wrong visits(UntilEnd& search, machine::IndexedProgram const& code, Program const& program,
             std::map<std::string, ExecutionClass> const& truth, bool zero, std::size_t most_switches) {
    std::set<std::string> seen;
    while (auto const end = search.next()) {
        std::vector<std::size_t> ended;
        if (*end == End::fault)
            for (machine::Location const rho : search.ended()) ended.push_back(code.thread_of(rho));
        std::string const key =
            class_of(program, plain(code, search.schedule()), zero, plain(code, search.schedule().trailing()), ended);
        auto const it = truth.find(key);
        if (it == truth.end()) return "no class: " + key;
        if (!seen.insert(key).second) return "visited twice: " + key;
        if (it->second.switches > most_switches) return "too many switches: " + key;
        if (it->second.end != word_of(*end) || to_text(it->second.s) != word_of(search.state().s))
            return fmt::format("{}: {} {}, truth {} {}", key, word_of(*end), word_of(search.state().s), it->second.end,
                               to_text(it->second.s));
    }
    auto const expected = static_cast<std::size_t>(
        std::count_if(truth.begin(), truth.end(), [&](auto const& c) { return c.second.switches <= most_switches; }));
    if (seen.size() != expected || search.counts().executions != expected)
        return fmt::format("{} of {} classes", seen.size(), expected);
    return std::nullopt;
}

} // namespace

Wrong classes_are_right(Program const& program, bool zero, Tally& tally) {
    auto const truth = classes_of(program, zero);
    ++tally[truth ? "programs whose classes are counted" : "too large for the naive classes"];
    if (!truth) return std::nullopt;
    for (auto const& [key, c] : *truth) ++tally["classes that end in: " + c.end];
    tally["interleavings of these programs"] += static_cast<std::size_t>(interleavings_of(program, zero));
    tally["classes of these programs"] += truth->size();
    Subject const subject(program);
    auto const wrong = [&](std::string const& what) {
        return to_text(program, {}) + (zero ? "zero: " : "infinite: ") + what;
    };
    Classes classes(subject.messages, buffering_of(zero));
    if (Wrong w = visits(classes, *subject.loaded.code, program, *truth, zero, SIZE_MAX)) return wrong(*w);
    tally["states left"] += classes.counts().left;
    auto const verdicts = explore_shared(program, zero);
    if (verdicts && (classes.race() != nullptr) != verdicts->race) return wrong("classes: not the truth's data race");
    if (verdicts && verdicts->race) ++tally["data race"];
    for (std::uint32_t const most : {0U, 1U, 2U, 100U}) {
        BoundedClasses bounded(subject.messages, buffering_of(zero), most);
        if (Wrong w = visits(bounded, *subject.loaded.code, program, *truth, zero, most))
            return wrong(fmt::format("at most {} switches: {}", most, *w));
        if (!verdicts || bounded.race() == nullptr) {
            if (verdicts && verdicts->race && most == 100U) return wrong("with many switches: no data race");
            continue;
        }
        if (!verdicts->race || executions::context_switches(*subject.loaded.code, bounded.race()->schedule) > most)
            return wrong(fmt::format("at most {} switches: not the truth's data race", most));
    }
    return std::nullopt;
}

Wrong models_are_right(Program const& program, Trace const& trace, bool zero, Tally& tally) {
    Loaded const loaded = load({program, trace, zero});
    MessageIndex const messages(*loaded.code);
    auto const wrong = [&](std::string const& what) {
        return to_text(program, {trace}) + (zero ? "zero: " : "infinite: ") + what;
    };
    std::map<Model, bool> fails;
    for (Model const model : {Model::ctp, Model::mcm, Model::hb}) {
        MayStep const may_step = model == Model::ctp   ? trace_program(program, trace)
                                 : model == Model::mcm ? maximal_causal_model(program, trace, zero)
                                                       : happens_before_model(program, trace, zero);
        auto const truth = classes_of(program, zero, may_step);
        if (!truth) {
            ++tally["too large for the naive models"];
            return std::nullopt;
        }
        bool const expected =
            std::any_of(truth->begin(), truth->end(), [](auto const& c) { return c.second.s == Status::failure; });
        auto const found = CausalModel::of(messages, buffering_of(zero), schedule_of(loaded, trace.size()), model);
        if (!found) return wrong("no model: " + found.error());
        std::string const name(executions::to_string(model));
        auto const any_fails = [](auto search) {
            bool result = false;
            while (search.next()) result = result || search.state().s == machine::Status::failure;
            return result;
        };
        fails[model] = expected;
        if (any_fails(Interleavings(messages, buffering_of(zero), &*found)) != expected)
            return wrong(fmt::format("{} fails: truth {}, interleavings {}", name, expected, !expected));
        if (any_fails(Classes(messages, buffering_of(zero), &*found)) != expected)
            return wrong(fmt::format("{} fails: truth {}, classes {}", name, expected, !expected));
        FewSwitches::Options options;
        options.buffering = buffering_of(zero);
        options.model = &*found;
        if ((FewSwitches(messages, options).search() == FewSwitches::Answer::found) != expected)
            return wrong(fmt::format("{} fails: truth {}, few switches {}", name, expected, !expected));
        if (expected) ++tally[name + " fails"];
    }
    State state = initial_state(program);
    for (TraceEntry const& entry : trace) state = std::get<State>(step(program, state, entry, zero));
    bool const trace_fails = state.s == Status::failure;
    if (fails[Model::hb] != trace_fails) return wrong("hb fails, and the trace does not, or the other way round");
    if (fails[Model::hb] && !fails[Model::mcm]) return wrong("hb fails, and mcm does not");
    if (fails[Model::mcm] && !fails[Model::ctp]) return wrong("mcm fails, and ctp does not");
    ++tally[fails[Model::mcm] && !trace_fails ? "mcm predicts a failure" : "mcm predicts none"];
    ++tally[fails[Model::ctp] && !fails[Model::mcm] ? "only ctp predicts a failure" : "ctp predicts what mcm does"];
    return std::nullopt;
}

Wrong oracle_is_right(Program const& program, bool zero, std::uint64_t seed, Tally& tally) {
    auto const truth = classes_of(program, zero);
    if (!truth) return std::nullopt;
    Subject const subject(program);
    machine::IndexedProgram const& code = *subject.loaded.code;
    auto const wrong = [&](std::string const& what) {
        return to_text(program, {}) + (zero ? "zero: " : "infinite: ") + what;
    };
    auto const any_complete = [](std::map<std::string, ExecutionClass> const& classes, auto const& is_wanted) {
        return std::any_of(classes.begin(), classes.end(),
                           [&](auto const& c) { return c.second.end == "complete" && is_wanted(c.second); });
    };
    check::Oracle oracle(subject.messages, buffering_of(zero));
    auto const name = [&](grammar::Action a) { return std::string(code.names()(a)); };
    for (std::uint32_t r = 0; r < subject.messages.receives().size(); ++r)
        for (std::uint32_t s = 0; s < subject.messages.sends().size(); ++s) {
            bool const expected = any_complete(*truth, [&](ExecutionClass const& c) {
                auto const it = c.matches.find(name(subject.messages.receives()[r].a));
                return it != c.matches.end() && it->second == name(subject.messages.sends()[s].a);
            });
            auto const answer = oracle.feasible({{{r, s}}, {}});
            if (std::holds_alternative<executions::Run>(answer) != expected)
                return wrong(fmt::format("oracle, receive {} and send {}: truth {}", r, s, expected));
            ++tally[expected ? "oracle: a match" : "oracle: no such match"];
        }
    // Three commands in some order.
    programs::Dice dice(seed, 77);
    auto const commands = static_cast<std::uint32_t>(code.ctp().commands.size());
    std::vector<machine::Location> sequence;
    while (sequence.size() < std::min(commands, 3U)) {
        machine::Location const rho{static_cast<std::uint32_t>(dice.below(commands))};
        if (std::find(sequence.begin(), sequence.end(), rho) == sequence.end()) sequence.push_back(rho);
    }
    auto const in_order = classes_of(program, zero, [&](State const& state, std::size_t t) {
        auto const place = [&](machine::Location rho) {
            return rho.index - code.ctp().threads[code.thread_of(rho)].first;
        };
        auto const at = std::find_if(sequence.begin(), sequence.end(), [&](machine::Location rho) {
            return code.thread_of(rho) == t && place(rho) == state.next[t];
        });
        if (at == sequence.end()) return true;
        return std::all_of(sequence.begin(), at,
                           [&](machine::Location rho) { return state.next[code.thread_of(rho)] > place(rho); });
    });
    if (!in_order) return std::nullopt;
    bool const expected = any_complete(*in_order, [](ExecutionClass const&) { return true; });
    auto const answer = oracle.order(sequence);
    if (std::holds_alternative<executions::Run>(answer) != expected)
        return wrong(fmt::format("oracle, the order {} {} {}: truth {}", sequence[0].index,
                                 sequence.size() > 1 ? sequence[1].index : 0,
                                 sequence.size() > 2 ? sequence[2].index : 0, expected));
    ++tally[expected ? "oracle: an order" : "oracle: no such order"];
    return std::nullopt;
}

Wrong shared_classes_are_right(std::uint64_t seed, std::uint64_t i, Tally& tally) {
    Case const c = shared_case(seed, i);
    for (bool const zero : {false, true}) {
        if (Wrong w = classes_are_right(c.program, zero, tally)) return w;
        if (Wrong w = oracle_is_right(c.program, zero, seed + i, tally)) return w;
    }
    return models_are_right(c.program, on_path(c), c.zero, tally);
}

} // namespace matchpoint::naive
