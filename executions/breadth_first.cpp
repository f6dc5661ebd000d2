#include "executions/breadth_first.hpp"

#include "machine/well_formed.hpp"

namespace matchpoint::executions {

namespace {

Runs runs_for(Goal::Kind kind) {
    switch (kind) {
    case Goal::Kind::failure:
    case Goal::Kind::success:
    case Goal::Kind::deadlock:
    case Goal::Kind::fault: return Runs::executions;
    case Goal::Kind::orphan:
    case Goal::Kind::match: break;
    }
    return Runs::complete;
}

} // namespace

BreadthFirst::BreadthFirst(MessageIndex const& messages, Buffering buffering, State const& from, Goal const& goal)
    : Scheduler(messages, buffering, runs_for(goal.kind), from), from_(from), goal_(goal) {}

/// All deliveries that can matter now, and all that probes can see.
std::vector<Scheduler::Choice> BreadthFirst::choices() {
    std::vector<Choice> result;
    if (code().has_probes()) {
        add_choices(result);
        return result;
    }
    for (std::uint32_t c = 0; c < code().channels().size(); ++c)
        if (is_enabled(code(), state(), buffering(), Deliver{{c}}) && is_served(code()[Channel{c}].beta))
            result.push_back({c});
    return result;
}

bool BreadthFirst::has_orphans() const {
    if (!state().finished()) return false;
    WellFormedness const w = well_formedness(code(), state());
    return !w.in_transit.empty() || !w.delivered.empty();
}

bool BreadthFirst::is_goal() {
    switch (goal_.kind) {
    case Goal::Kind::failure: return state().s == Status::failure;
    case Goal::Kind::success: return state().finished() && state().s == Status::success;
    case Goal::Kind::deadlock: return end_of_restricted() == End::deadlock;
    case Goal::Kind::fault: return end_of_restricted() == End::fault;
    case Goal::Kind::orphan: return has_orphans();
    case Goal::Kind::match: {
        Matching m(messages_);
        matching(m);
        return m[goal_.pair.r] == goal_.pair.s;
    }
    }
    return false;
}

std::string BreadthFirst::key() const {
    std::string result;
    auto const add = [&](std::uint32_t n) { result.append(reinterpret_cast<char const*>(&n), sizeof n); };
    for (std::uint32_t const at : state().ctp) add(at);
    for (std::uint32_t beta = 0; beta < code().endpoints().size(); ++beta) {
        add(state().Q_s.delivered[beta]);
        for (std::uint32_t i = 0; i < state().Q_s.delivered[beta]; ++i)
            add(state().Q_s.entries[code()[Endpoint{beta}].Q_s.first + i].a.index);
    }
    for (Action const a : state().saw) add(a.index);
    return result;
}

/// Whether the machine's state is the goal. Otherwise a new state is opened.
bool BreadthFirst::visit(std::size_t node) {
    ++states_;
    if (is_goal()) return true;
    if (!fault() && seen_.insert(key())) open_.push_back({state(), node});
    return false;
}

/// Takes the way to a node once more, so that the schedule has all of it; to a fault, with the command that is stuck.
BreadthFirst::Answer BreadthFirst::retrace(std::size_t node) {
    std::vector<Choice> way;
    for (std::size_t n = node; n != root; n = visited_[n].parent) way.push_back(visited_[n].taken);
    restart(from_);
    bool going = advance_all();
    for (std::size_t i = way.size(); i-- > 0 && going;) going = take(way[i]);
    if (goal_.kind == Goal::Kind::fault && end_of_restricted() == End::fault) take_fault();
    return Answer::found;
}

BreadthFirst::Answer BreadthFirst::search(std::size_t limit, std::function<bool()> const& stop) {
    if (runs() == Runs::executions && from_.s >= Status::infeasible) return Answer::none;
    advance_all();
    if (visit(root)) return retrace(root);
    while (!open_.empty()) {
        Open const at = std::move(open_.front());
        open_.pop_front();
        restart(at.state);
        for (Choice const& choice : choices()) {
            if (stop()) return Answer::stopped;
            if (states_ >= limit) return Answer::bounded;
            restart(at.state);
            visited_.push_back({at.node, choice});
            take(choice);
            if (visit(visited_.size() - 1)) return retrace(visited_.size() - 1);
        }
    }
    // Where collectives disagree, threads were run on that others could have waited for.
    return code().has_contested_calls() ? Answer::bounded : Answer::none;
}

} // namespace matchpoint::executions
