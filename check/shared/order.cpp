#include "check/shared/order.hpp"

#include <algorithm>
#include <deque>

#include "base/limits.hpp"

namespace matchpoint::check {

namespace {

constexpr std::uint32_t far = 0xFFFF'FFFF;
/// More of one solution are seldom of use to the next one.
constexpr std::size_t cycles_of_a_solution = 50;
constexpr std::size_t edges_tried = 500;

} // namespace

SharedOrder::SharedOrder(SharedVocabulary& words, Buffering buffering)
    : words_(words), m_(words.messages()), ctp_(m_.code().ctp()), is_zero_(buffering == Buffering::zero),
      commands_(static_cast<std::uint32_t>(ctp_.commands.size())),
      edges_(commands_ + (is_zero_ ? m_.receives().size() : 0)), open_(edges_.size()), is_there_(edges_.size()),
      distance_(edges_.size(), far), step_(edges_.size()) {}

bool SharedOrder::is_executed(Location rho) const { return rho.index < solution_->end[m_.code().thread_of(rho)]; }

void SharedOrder::add(std::uint32_t from, std::uint32_t to, Literal literal) {
    spend();
    edges_[from].push_back({to, literal});
    ++open_[to];
}

void SharedOrder::add_matches() {
    for (std::uint32_t r = 0; r < m_.receives().size(); ++r) {
        std::uint32_t const s = solution_->sends[r];
        if (s == unmatched) continue;
        auto const& receive = m_.receives()[r];
        auto const& send = m_.sends()[s];
        Literal const match = words_.matches().match({r, s});
        if (!is_zero_) {
            if (is_executed(receive.nw)) add(send.rho.index, receive.nw.index, match);
            continue;
        }
        is_there_[instant(r)] = true;
        add(send.rho.index, instant(r), match);
        add(receive.rho.index, instant(r), 0);
        if (is_executed(receive.nw)) add(instant(r), receive.nw.index, 0);
        if (!send.wait.is_none() && is_executed(send.wait)) add(instant(r), send.wait.index, match);
        auto const all = m_.receives_at(receive.beta);
        if (receive.ordinal + 1 < all.size() && solution_->sends[all[receive.ordinal + 1]] != unmatched)
            add(instant(r), instant(all[receive.ordinal + 1]), 0);
    }
}

void SharedOrder::add_edges() {
    for (auto& edges : edges_) edges.clear();
    open_.assign(open_.size(), 0);
    is_there_.assign(is_there_.size(), false);
    spend(edges_.size());
    for (std::uint32_t t = 0; t < ctp_.threads.size(); ++t)
        for (std::uint32_t c = ctp_.threads[t].first; c < solution_->end[t]; ++c) is_there_[c] = true;
    auto const& reads = words_.uses().reads();
    for (std::uint32_t r = 0; r < reads.size(); ++r) {
        std::uint32_t const i = solution_->reads[r];
        if (i == SharedUses::none) continue;
        std::uint32_t const definition = words_.uses().candidate(r, i);
        if (definition == SharedUses::none || definition == reads[r].own) continue;
        add(words_.uses().definitions()[definition].rho.index, reads[r].rho.index, words_.read(r, i));
    }
    add_matches();
    SatSolver const& sat = words_.clauses().sat();
    for (auto const& order : words_.orders()) {
        spend();
        if (!is_executed(order.first) || !is_executed(order.second)) continue;
        if (sat.value(order.literal))
            add(order.first.index, order.second.index, order.literal);
        else
            add(order.second.index, order.first.index, -order.literal);
    }
}

/// Thread by thread: a thread goes on as long as it can; a rendezvous takes place as soon as it can.
void SharedOrder::sort() {
    moments_.clear();
    std::vector<std::uint32_t> next; // thread -> its next command
    for (Thread const& t : ctp_.threads) next.push_back(t.first);
    std::vector<std::uint32_t> ready; // threads that may be able to go on
    for (std::uint32_t t = static_cast<std::uint32_t>(next.size()); t-- > 0;) ready.push_back(t);
    std::vector<std::uint32_t> instants;
    auto const pass = [&](std::uint32_t moment) {
        for (Edge const& edge : edges_[moment]) {
            if (--open_[edge.to] > 0) continue;
            if (edge.to >= commands_)
                instants.push_back(edge.to);
            else if (std::uint32_t const t = m_.code().thread_of({edge.to}); next[t] == edge.to)
                ready.push_back(t);
        }
    };
    while (!ready.empty() || !instants.empty()) {
        spend(4);
        if (!instants.empty()) {
            std::uint32_t const moment = instants.back();
            instants.pop_back();
            moments_.push_back({moment - commands_, false});
            pass(moment);
            continue;
        }
        std::uint32_t const t = ready.back();
        std::uint32_t const c = next[t];
        if (c >= solution_->end[t] || open_[c] > 0) {
            ready.pop_back();
            continue;
        }
        ++next[t];
        moments_.push_back({c, true});
        pass(c);
    }
}

bool SharedOrder::find(SharedSolution const& solution) {
    solution_ = &solution;
    add_edges();
    auto const all = static_cast<std::size_t>(std::count(is_there_.begin(), is_there_.end(), true));
    sort();
    if (moments_.size() == all) return true;
    exclude_cycles();
    return false;
}

/// Moments that are not in the order lie on a cycle, or after one.
void SharedOrder::exclude_cycles() {
    for (Moment const& m : moments_) is_there_[m.is_command ? m.index : instant(m.index)] = false;
    std::size_t found = 0;
    std::size_t tried = 0;
    auto const is_enough = [&] { return found >= cycles_of_a_solution || (found > 0 && tried >= edges_tried); };
    for (std::uint32_t from = 0; from < edges_.size() && !is_enough(); ++from) {
        if (!is_there_[from]) continue;
        for (Edge const& edge : edges_[from]) {
            if (edge.literal == 0 || !is_there_[edge.to]) continue;
            ++tried;
            if (exclude_cycle(from, edge)) ++found;
        }
    }
    cycles_ += found;
    if (found == 0) throw std::logic_error("shared order: a cycle without a literal");
}

/// Adds a clause against the cycle through an edge with the fewest literals. False: there is none, or it is to be found
/// from its edge of the least literal. (The least literal of all cycles has a cycle that is added.)
bool SharedOrder::exclude_cycle(std::uint32_t from, Edge const& edge) {
    std::deque<std::uint32_t> queue;
    auto const reach = [&](std::uint32_t to, std::uint32_t by, Literal literal) {
        std::uint32_t const distance = distance_[by] + (literal != 0 ? 1 : 0);
        if (!is_there_[to] || distance >= distance_[to]) return;
        if (distance_[to] == far) touched_.push_back(to);
        distance_[to] = distance;
        step_[to] = {by, literal};
        if (literal != 0)
            queue.push_back(to);
        else
            queue.push_front(to);
    };
    distance_[edge.to] = 0;
    touched_.push_back(edge.to);
    queue.push_back(edge.to);
    while (!queue.empty() && distance_[from] == far) {
        spend(4);
        std::uint32_t const moment = queue.front();
        queue.pop_front();
        if (moment < commands_ && moment + 1 < solution_->end[m_.code().thread_of({moment})])
            reach(moment + 1, moment, 0);
        for (Edge const& other : edges_[moment]) reach(other.to, moment, other.literal);
    }
    std::vector<Literal> clause;
    if (distance_[from] != far) {
        clause.push_back(-edge.literal);
        for (std::uint32_t moment = from; moment != edge.to; moment = step_[moment].from)
            if (step_[moment].literal != 0) clause.push_back(-step_[moment].literal);
    }
    for (std::uint32_t const moment : touched_) distance_[moment] = far;
    touched_.clear();
    if (clause.empty()) return false;
    bool const is_first = std::ranges::min_element(clause, {}, [](Literal l) { return std::abs(l); }) == clause.begin();
    if (is_first) words_.clauses().add(std::move(clause), [] { return std::string("cycle"); });
    return is_first;
}

} // namespace matchpoint::check
