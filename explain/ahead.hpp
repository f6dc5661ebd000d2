// The sends and receives that the threads of a state have left to do, for those who say what others wait for.
#pragma once

#include <vector>

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

} // namespace matchpoint::explain
