#include "executions/breadth_first.hpp"

#include <deque>

#include "executions/key_set.hpp"
#include "machine/well_formed.hpp"

namespace matchpoint::executions {

BreadthFirst::BreadthFirst(MessageIndex const& messages, Buffering buffering, State const& from)
    : Scheduler(messages, buffering, from), from_(from) {}

bool BreadthFirst::is_stuck() const {
    for (std::uint32_t c = 0; c < code().channels().size(); ++c)
        if (in_transit(state_, {c}) && is_served(code()[Channel{c}].beta)) return false;
    return !state_.finished();
}

bool BreadthFirst::is(Goal const& goal, bool fault) const {
    if (fault) return goal.kind == Goal::Kind::fault;
    switch (goal.kind) {
    case Goal::Kind::failure: return state_.finished() && state_.s == Status::failure;
    case Goal::Kind::success: return state_.finished() && state_.s == Status::success;
    case Goal::Kind::deadlock: return is_stuck();
    case Goal::Kind::fault: return false;
    case Goal::Kind::orphan: {
        if (!state_.finished()) return false;
        WellFormedness const w = well_formedness(code(), state_);
        return !w.in_transit.empty() || !w.delivered.empty();
    }
    case Goal::Kind::match: {
        Matching m(messages_);
        matching(m);
        return m[goal.pair.r] == goal.pair.s;
    }
    }
    return false;
}

std::string BreadthFirst::key() const {
    std::string result;
    auto const add = [&](std::uint32_t n) { result.append(reinterpret_cast<char const*>(&n), sizeof n); };
    for (std::uint32_t const at : state_.ctp) add(at);
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta) {
        add(state_.Q_s.delivered[beta]);
        for (std::uint32_t i = 0; i < state_.Q_s.delivered[beta]; ++i)
            add(state_.Q_s.entries[code()[Endpoint{beta}].Q_s.first + i].a.index);
    }
    return result;
}

BreadthFirst::Answer BreadthFirst::search(Goal const& goal, std::size_t limit, std::function<bool()> const& stop) {
    struct Visited {
        std::size_t parent;
        Channel delivered;
    };
    struct Open {
        State state;
        std::size_t node;
    };
    constexpr std::size_t root = SIZE_MAX;
    std::vector<Visited> nodes;
    std::deque<Open> open;
    KeySet seen;
    states_ = 0;

    // The way to a node, made once more from the beginning.
    auto const found = [&](std::size_t node) {
        std::vector<Channel> way;
        for (std::size_t n = node; n != root; n = nodes[n].parent) way.push_back(nodes[n].delivered);
        state_ = from_;
        path_.clear();
        bool going = advance_all();
        for (std::size_t i = way.size(); i-- > 0 && going;) going = deliver(way[i]);
        return Answer::found;
    };
    // Whether it is what is searched; a state that is new is kept.
    auto const look = [&](std::size_t node, bool going) {
        ++states_;
        if (is(goal, !going)) return true;
        if (going && seen.insert(key())) open.push_back({state_, node});
        return false;
    };
    if (look(root, advance_all())) return found(root);
    while (!open.empty()) {
        Open const at = std::move(open.front());
        open.pop_front();
        for (std::uint32_t c = 0; c < code().channels().size(); ++c) {
            if (!in_transit(at.state, {c})) continue;
            if (stop()) return Answer::stopped;
            if (states_ >= limit) return Answer::bounded;
            state_ = at.state;
            path_.clear();
            if (!is_served(code()[Channel{c}].beta)) continue;
            nodes.push_back({at.node, {c}});
            if (look(nodes.size() - 1, deliver({c}))) return found(nodes.size() - 1);
        }
    }
    return Answer::none;
}

} // namespace matchpoint::executions
