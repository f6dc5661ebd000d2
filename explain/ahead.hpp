// The sends and receives that the threads of a state have left to do, for those who say what others wait for.
#pragma once

#include <optional>
#include <vector>

#include "base/numbers.hpp"
#include "explain/blocked.hpp"
#include "explain/told.hpp"
#include "grammar/selectors.hpp"
#include "machine/state.hpp"

namespace matchpoint::explain {

/// What the threads have left to do at each endpoint.
class Ahead {
public:
    struct Operation {
        std::uint32_t thread;
        Location rho;
        Action a;
    };
    struct Operations {
        std::size_t count = 0;
        std::vector<Operation> firsts; // of each thread that has some
        void add(Operation const& operation) {
            ++count;
            if (firsts.empty() || firsts.back().thread != operation.thread) firsts.push_back(operation);
        }
    };
    /// In the order of the program.
    struct All {
        std::vector<Operation> operations;
        Operations any; // all of them
        void add(Operation const& operation) {
            operations.push_back(operation);
            any.add(operation);
        }
        Operations only(auto const& f) const {
            Operations result;
            for (Operation const& o : operations)
                if (f(o.a)) result.add(o);
            return result;
        }
    };

    Ahead(IndexedProgram const& code, State const& state)
        : sends_(code.endpoints().size()), receives_(code.endpoints().size()) {
        auto const& threads = code.ctp().threads;
        for (std::uint32_t t = 0; t < threads.size(); ++t)
            for (Location rho{state.ctp[t]}; rho.index < threads[t].last; ++rho.index) {
                Command const& command = code.command_at(rho);
                if (Sndi const* const send = as_sndi(command)) sends_[send->beta.index].add({t, rho, send->a});
                if (Rcvi const* const receive = as_rcvi(command))
                    receives_[receive->beta.index].add({t, rho, receive->a});
                if (Probe const* const probe = as_probe(command); probe != nullptr && probe->matches)
                    receives_[probe->beta.index].add({t, rho, probe->a});
            }
    }
    All const& sends(Endpoint beta) const { return sends_[beta.index]; }
    All const& receives(Endpoint beta) const { return receives_[beta.index]; }

private:
    std::vector<All> sends_;    // by endpoint
    std::vector<All> receives_; // by endpoint
};

/// Whether a thread has nothing left but waits: so ends the recording of one that got stuck, whatever it would have
/// done next.
inline bool only_waits(IndexedProgram const& code, State const& state, std::uint32_t thread) {
    std::uint32_t const last = code.ctp().threads[thread].last;
    if (state.ctp[thread] == last) return false;
    for (Location rho{state.ctp[thread] + 1}; rho.index < last; ++rho.index)
        if (as_wait(code.command_at(rho)) == nullptr) return false;
    return true;
}

/// The endpoint whose messages a receive or a probe admits, if those of one endpoint only.
inline std::optional<Endpoint> only_sender(IndexedProgram const& code, Action a) {
    Rcvi const* const receive = a.is_none() ? nullptr : code.as_rcvi(a);
    Probe const* const probe = a.is_none() ? nullptr : code.as_probe(a);
    Selectors const* const sel = receive != nullptr ? selectors_of(code.ctp(), *receive)
                                 : probe != nullptr ? selectors_of(code.ctp(), *probe)
                                                    : nullptr;
    return sel != nullptr && sel->from && sel->from->size() == 1 ? std::optional(sel->from->front()) : std::nullopt;
}

/// The thread of an endpoint of a recording. If no command uses it, that of a rank of MPI is known by its number.
inline std::optional<std::uint32_t> owner_of(IndexedProgram const& code, Owners const& owners, Endpoint e) {
    if (owners[e.index]) return owners[e.index];
    auto const number = to_number<std::uint32_t>(code.names()(e));
    bool const is_rank = word_for_thread(code) == "rank" && number && *number < code.ctp().threads.size();
    return is_rank ? number : std::nullopt;
}

} // namespace matchpoint::explain
