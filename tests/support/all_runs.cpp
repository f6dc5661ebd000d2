#include "tests/support/all_runs.hpp"
#include "tests/support/all_rooms.hpp"

#include <ostream>
#include <stdexcept>

namespace matchpoint::naive {

namespace {

Status status(matchpoint::Status s) { return static_cast<Status>(s); }

std::vector<std::size_t> positions(IndexedProgram const& code, matchpoint::State const& state) {
    std::vector<std::size_t> result;
    for (std::size_t t = 0; t < state.ctp.size(); ++t) result.push_back(state.ctp[t] - code.ctp().threads[t].first);
    return result;
}

} // namespace

Found as_found(Truth const& truth) {
    Found found{truth.outcomes, truth.orphans, truth.deadlocks, truth.fault, {}, 0};
    for (auto const& [m, s] : truth.outcomes) found.statuses.insert(s);
    return found;
}

std::set<std::pair<std::string, std::string>> names(MessageIndex const& messages, MatchPairs const& pairs) {
    std::set<std::pair<std::string, std::string>> result;
    auto const& name = messages.code().names();
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r)
        for (std::uint32_t const s : pairs.of[r])
            result.emplace(name(messages.receives()[r].a), name(messages.sends()[s].a));
    return result;
}

Matching names(MessageIndex const& messages, matchpoint::Matching const& m) {
    Matching result;
    auto const& name = messages.code().names();
    for (std::uint32_t r = 0; r < m.size(); ++r)
        if (m[r] != matchpoint::unmatched)
            result.emplace(name(messages.receives()[r].a), name(messages.sends()[m[r]].a));
    return result;
}

Found explored(MessageIndex const& messages, bool zero, bool verdicts_only) {
    IndexedProgram const& code = messages.code();
    Explorer::Options options;
    options.buffering = zero ? Buffering::zero : Buffering::infinite;
    options.verdicts_only = verdicts_only;
    Explorer explorer(messages, options);
    Found found;
    matchpoint::Matching m(messages);
    while (auto const end = explorer.next()) {
        switch (*end) {
        case End::complete: {
            explorer.matching(m);
            Matching by_name = names(messages, m);
            add_seen(code, explorer.state(), by_name);
            Status const s = status(explorer.state().s);
            if (!found.outcomes.emplace(by_name, s).second) ++found.twice;
            found.statuses.insert(s);
            std::vector<bool> received(messages.sends().size());
            for (std::uint32_t r = 0; r < m.size(); ++r) received[m[r]] = true;
            for (std::size_t i = 0; i < received.size(); ++i)
                if (!received[i]) found.orphans.emplace(code.names()(messages.sends()[i].a));
            // Its trace, run once more from the beginning.
            Machine machine(code, options.buffering);
            Outcome const outcome = run(machine, explorer.schedule());
            if (outcome.error || outcome.s != explorer.state().s)
                throw std::logic_error("explored: the trace does not replay");
            break;
        }
        case End::deadlock: found.deadlocks.insert(positions(code, explorer.state())); break;
        case End::fault: found.fault = true; break;
        case End::off_path:
        case End::pruned: throw std::logic_error("explored: pruned");
        }
    }
    return found;
}

void PrintTo(Found const& found, std::ostream* out) {
    for (auto const& [m, s] : found.outcomes) {
        *out << to_text(s) << ":";
        for (auto const& [r, send] : m) *out << ' ' << r << '=' << send;
        *out << '\n';
    }
    *out << "orphans";
    for (auto const& s : found.orphans) *out << ' ' << s;
    *out << "\ndeadlocks";
    for (auto const& d : found.deadlocks) {
        *out << " [";
        for (auto const i : d) *out << i << ' ';
        *out << "]";
    }
    *out << "\nfault " << found.fault;
    *out << "\ntwice " << found.twice << '\n';
}

} // namespace matchpoint::naive
