#include "programs/family_parts.hpp"

#include <bit>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "grammar/operators.hpp"
#include "programs/recorded.hpp"

namespace matchpoint::programs::families {

namespace {

void append(draft::Expression& to, draft::Expression e) {
    to.nodes.insert(to.nodes.end(), std::make_move_iterator(e.nodes.begin()), std::make_move_iterator(e.nodes.end()));
}

} // namespace

draft::Expression balanced(Op op, std::vector<draft::Expression> terms) {
    // Behind term number n end as many pairs, pairs of pairs and so on as n is divisible by 2.
    draft::Expression result = std::move(terms.at(0));
    for (std::size_t n = 2; n <= terms.size(); ++n) {
        append(result, std::move(terms[n - 1]));
        result.nodes.insert(result.nodes.end(), static_cast<std::size_t>(std::countr_zero(n)), op);
    }
    // What is left over at the end are trees that get smaller: the last two become one, until there is only one.
    result.nodes.insert(result.nodes.end(), static_cast<std::size_t>(std::popcount(terms.size())) - 1, op);
    return result;
}

draft::Expression conjunction(std::vector<draft::Expression> terms) {
    return terms.empty() ? draft::truth(true) : balanced(Op::and_, std::move(terms));
}

draft::Expression not_all(std::vector<draft::Expression> terms) {
    return draft::operation(Op::not_, conjunction(std::move(terms)));
}

draft::Expression sum(std::vector<draft::Expression> terms) {
    return terms.empty() ? draft::number(0) : balanced(Op::plus, std::move(terms));
}

std::vector<std::size_t> Random::permutation(std::size_t n) {
    std::vector<std::size_t> result(n);
    std::iota(result.begin(), result.end(), std::size_t{0});
    for (std::size_t i = n; i > 1; --i) std::swap(result[i - 1], result[below(i)]);
    return result;
}

namespace {

/// A draft that the machine can run.
struct Loaded {
    explicit Loaded(draft::Draft const& draft)
        : program(draft::valid_program_of(draft)), code(program), messages(code) {}

    Program program;
    IndexedProgram code;
    MessageIndex messages;
};

} // namespace

std::vector<std::size_t> random_matches(draft::Draft const& draft, Random& random) {
    Loaded const loaded(draft);
    Recorded const run(loaded.messages, random.engine());
    Matching matching(loaded.messages);
    run.matching(matching);
    if (run.end() != End::complete) throw std::logic_error("a family has a program that does not complete");
    std::vector<std::size_t> result(matching.size());
    for (std::uint32_t r = 0; r < matching.size(); ++r) result[r] = matching[r];
    return result;
}

namespace {

/// A run of a program with shared variables: threads go as far as they can, one after the other, and messages are
/// delivered when nobody can step. Returns its status.
Status run_in_turn(IndexedProgram const& code, Schedule& schedule) {
    Machine machine(code, Buffering::infinite);
    std::vector<Transition> choices;
    while (!machine.state().finished()) {
        enabled(code, machine.state(), Buffering::infinite, choices); // commands by thread, then deliveries
        if (choices.empty() || machine.apply(choices.front()).is_stuck())
            throw std::logic_error("a family has a program that does not complete");
        if (auto const* const e = std::get_if<Execute>(&choices.front()))
            schedule.step(e->rho, e->peek);
        else
            schedule.move(std::get<Deliver>(choices.front()).channel);
    }
    return machine.state().s;
}

Status recorded(Loaded const& loaded, Schedule& schedule) {
    if (loaded.code.shares()) return run_in_turn(loaded.code, schedule);
    Recorded const run(loaded.messages);
    if (run.end() != End::complete) throw std::logic_error("a family has a program that does not complete");
    schedule = run.schedule();
    return run.state().s;
}

} // namespace

Status add_recorded_trace(draft::Draft& draft) {
    draft::name_locations(draft);
    Loaded const loaded(draft);
    Schedule schedule;
    Status const s = recorded(loaded, schedule);
    Symbols const& names = loaded.program.symbols;
    draft::Trace& trace = draft.traces.emplace_back();
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        Entry const entry = schedule.entry(i);
        draft::Entry& e = trace.emplace_back();
        e.rho = names(entry.rho);
        for (Channel const c : entry.m) {
            Movement const m = loaded.code.movement_of(c);
            e.m.push_back({draft::Endpoint(names(m.beta)), draft::Endpoint(names(m.alpha)),
                           draft::Tag(m.n.is_none() ? std::string_view() : names(m.n))});
        }
    }
    return s;
}

Made made(Threads& threads, Promise promise, std::string what) {
    Made result{threads.take(), promise, promise};
    result.draft.comment = std::move(what);
    return result;
}

} // namespace matchpoint::programs::families
