#include "rma/machine/operations.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "base/overloaded.hpp"

namespace matchpoint::rma {

namespace {

class Pairing {
public:
    Pairing(Graph const& graph, std::vector<Operation>& all)
        : graph_(graph), all_(all), reads_(graph.remotes().size()), writes_(graph.remotes().size()) {}

    std::uint32_t issue(RemoteIndex s, std::size_t step, std::size_t end) {
        auto const number = static_cast<std::uint32_t>(all_.size());
        all_.push_back({s, step, end, end});
        reads_[s].push_back(number);
        return number;
    }
    /// nic_r, or nic_a.
    std::uint32_t read(RemoteIndex s, std::size_t step, State const& before) {
        std::uint32_t const number = reads_[s].front();
        reads_[s].pop_front();
        all_[number].read = step;
        Remote const& remote = graph_.remotes()[s];
        if (remote.fetches)
            writes_[s].emplace_back(before.M[remote.src.index], number);
        else
            all_[number].written = step;
        return number;
    }
    std::uint32_t write(NicWrite const& t, std::size_t step) {
        auto& pending = writes_[t.s];
        auto const found =
            std::find_if(pending.begin(), pending.end(), [&](auto const& w) { return w.first == t.val; });
        std::uint32_t const number = found->second;
        pending.erase(found);
        all_[number].written = step;
        return number;
    }

private:
    Graph const& graph_;
    std::vector<Operation>& all_;
    std::vector<std::deque<std::uint32_t>> reads_; // of each remote statement, the oldest first
    std::vector<std::deque<std::pair<Value, std::uint32_t>>> writes_;
};

} // namespace

Operations::Operations(Machine const& machine, std::span<Transition const> run) {
    Pairing pairing(machine.graph(), all_);
    State state = machine.initial();
    for (std::size_t i = 0; i < run.size(); ++i) {
        of_step_.push_back(std::visit(overloaded{
                                          [&](ProcessStep const& t) {
                                              RemoteIndex const s = machine.graph().at(state.pc[t.p]).remote;
                                              bool const issues = s != no_index && machine.model() == Model::rma;
                                              return issues ? pairing.issue(s, i, run.size()) : no_index;
                                          },
                                          [&](NicRead const& t) { return pairing.read(t.s, i, state); },
                                          [&](NicAtomic const& t) { return pairing.read(t.s, i, state); },
                                          [&](NicWrite const& t) { return pairing.write(t, i); },
                                      },
                                      run[i]));
        machine.apply(state, run[i]);
    }
}

} // namespace matchpoint::rma
