#include "record/threads/blame.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/source.hpp"

namespace matchpoint::record::threads {

namespace {

using Names = std::set<std::string, std::less<>>;

/// What a command reads and what it writes.
struct Touched {
    Names reads, writes;

    explicit Touched(draft::Command const& c) {
        auto const reads_of = [this](draft::Expression const& e) {
            draft::for_each_variable(e, [this](draft::Variable const& x) { reads.insert(x.text); });
        };
        std::visit(overloaded{
                       [&](grammar::AssumeOf<draft::Text> const& a) { reads_of(a.e); },
                       [&](grammar::AssertOf<draft::Text> const& a) { reads_of(a.e); },
                       [&](grammar::AssignOf<draft::Text> const& a) {
                           reads_of(a.e);
                           writes.insert(a.x.text);
                       },
                       [&](grammar::GuardedOf<draft::Text> const& g) {
                           reads_of(g.e);
                           for (draft::Assignment const& a : g.assigned) {
                               reads_of(a.e);
                               writes.insert(a.x.text);
                           }
                       },
                       [](auto const&) {},
                   },
                   c);
    }
};

Names shared_names(draft::Draft const& program) {
    Names names;
    for (draft::SharedVariable const& s : program.shared) names.insert(s.x.text);
    return names;
}

/// The shared variables that a failure depends on.
Names depended_on(draft::Draft const& program) {
    Names const shared = shared_names(program);
    std::multimap<std::string, Names, std::less<>> defined; // local variable -> what it is computed from
    Names wanted;
    std::string const last = program.traces.empty() || program.traces[0].empty() ? "" : program.traces[0].back().rho;
    Names executed;
    if (!program.traces.empty())
        for (draft::Entry const& e : program.traces[0]) executed.insert(e.rho);
    bool waits = false;
    for (draft::Thread const& thread : program.threads)
        for (draft::LocatedCommand const& at : thread) {
            Touched const t(at.c);
            for (std::string const& x : t.writes)
                if (!shared.contains(x)) defined.emplace(x, t.reads);
            if (executed.contains(at.rho)) continue;
            if (!waits) wanted.clear();
            waits = true;
            wanted.insert(t.reads.begin(), t.reads.end());
        }
    for (draft::Thread const& thread : program.threads)
        for (draft::LocatedCommand const& at : thread)
            if (!waits && at.rho == last) wanted = Touched(at.c).reads;
    Names result;
    Names seen;
    while (!wanted.empty()) {
        std::string const x = wanted.extract(wanted.begin()).value();
        if (!seen.insert(x).second) continue;
        if (shared.contains(x)) result.insert(x);
        auto const [first, end] = defined.equal_range(x);
        for (auto d = first; d != end; ++d) wanted.insert(d->second.begin(), d->second.end());
    }
    return result;
}

std::vector<std::string> accesses(draft::Draft const& program, Names const& of) {
    struct At {
        std::size_t thread;
        draft::LocatedCommand const* command;
    };
    std::unordered_map<std::string_view, At> commands;
    for (std::size_t t = 0; t < program.threads.size(); ++t)
        for (draft::LocatedCommand const& c : program.threads[t]) commands.emplace(c.rho, At{t, &c});
    std::vector<std::string> result;
    for (draft::Entry const& e : program.traces[0]) {
        At const& at = commands.at(e.rho);
        Touched const touched(at.command->c);
        for (std::string const& x : of) {
            bool const writes = touched.writes.contains(x);
            bool const reads = touched.reads.contains(x);
            if (!writes && !reads) continue;
            auto const& place = at.command->at;
            result.push_back(fmt::format("thread {} {} {}{}", at.thread,
                                         writes && reads ? "updates"
                                         : writes        ? "writes"
                                                         : "reads",
                                         printable(x, 60),
                                         place ? fmt::format(", {}:{}", printable(place->file, 60), place->line) : ""));
        }
    }
    return result;
}

} // namespace

Orders orders_to_blame(draft::Draft const& passed, draft::Draft const& failed) {
    Orders o;
    if (passed.traces.empty() || failed.traces.empty()) return o;
    Names const of = depended_on(failed);
    o.passed = accesses(passed, of);
    o.failed = accesses(failed, of);
    auto const [a, b] = std::mismatch(o.passed.begin(), o.passed.end(), o.failed.begin(), o.failed.end());
    o.passed.erase(o.passed.begin(), a);
    o.failed.erase(o.failed.begin(), b);
    while (!o.passed.empty() && !o.failed.empty() && o.passed.back() == o.failed.back()) {
        o.passed.pop_back();
        o.failed.pop_back();
    }
    return o;
}

} // namespace matchpoint::record::threads
