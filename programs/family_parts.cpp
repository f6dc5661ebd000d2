#include "programs/family_parts.hpp"

#include <numeric>
#include <stdexcept>

#include "grammar/parse.hpp"
#include "programs/recorded.hpp"

namespace matchpoint::programs::families {

std::string balanced(std::string_view op, std::vector<std::string> terms) {
    while (terms.size() > 1) {
        std::size_t const pairs = terms.size() / 2;
        for (std::size_t i = 0; i < pairs; ++i)
            terms[i] = fmt::format("({} {} {})", op, terms[2 * i], terms[2 * i + 1]);
        if (terms.size() % 2 == 1) terms[pairs] = std::move(terms.back());
        terms.resize(pairs + terms.size() % 2);
    }
    return std::move(terms.at(0));
}

std::string conjunction(std::vector<std::string> terms) {
    return terms.empty() ? "true" : balanced("and", std::move(terms));
}

std::string not_all(std::vector<std::string> terms) { return fmt::format("(not {})", conjunction(std::move(terms))); }

std::string sum(std::vector<std::string> terms) { return terms.empty() ? "0" : balanced("+", std::move(terms)); }

std::vector<std::size_t> Random::permutation(std::size_t n) {
    std::vector<std::size_t> result(n);
    std::iota(result.begin(), result.end(), std::size_t{0});
    for (std::size_t i = n; i > 1; --i) std::swap(result[i - 1], result[below(i)]);
    return result;
}

namespace {

/// A draft that the machine can run.
struct Loaded {
    explicit Loaded(draft::Draft const& draft) : program(parsed(draft)), code(program), messages(code) {}

    static Program parsed(draft::Draft const& draft) {
        Source const source("a draft", draft::print(draft));
        auto program = parse(source);
        if (!program) throw std::logic_error("a family broke a rule: " + render(program.error(), source));
        return std::move(program).value();
    }

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

Status add_recorded_trace(draft::Draft& draft) {
    draft::name_locations(draft);
    Loaded const loaded(draft);
    Recorded const run(loaded.messages);
    if (run.end() != End::complete) throw std::logic_error("a family has a program that does not complete");
    Symbols const& names = loaded.program.symbols;
    draft::Trace& trace = draft.traces.emplace_back();
    for (std::size_t i = 0; i < run.schedule().size(); ++i) {
        Entry const entry = run.schedule().entry(i);
        draft::Entry& e = trace.emplace_back();
        e.rho = names(entry.rho);
        for (Channel const c : entry.m) e.m.emplace_back(names(loaded.code[c].beta), names(loaded.code[c].alpha));
    }
    return run.state().s;
}

Made made(Threads& threads, Promise promise, std::string what) {
    Made result{threads.take(), promise, promise};
    result.draft.comment = std::move(what);
    return result;
}

} // namespace matchpoint::programs::families
