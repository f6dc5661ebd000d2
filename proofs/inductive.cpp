#include "proofs/inductive.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <span>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"

namespace matchpoint::proofs {

namespace {

using AbstractState = Abstraction::AbstractState;
using Row = std::vector<Bit>; // of an abstract state: those of V, those of sets

constexpr std::size_t most_states = 1'000'000;

/// Where many operations of a statement are pending, there is one state for equal bits of V.
enum class Many : bool { apart, merged };

/// The states that an abstraction reaches.
class ReachedStates {
public:
    ReachedStates(Abstraction& system, Many many, std::size_t most_states)
        : system_(&system), many_(many), most_states_(most_states) {}

    /// Why they prove nothing; empty if none of them goes wrong.
    std::string_view find() {
        add(system_->initial().data());
        rma::Expansion next;
        while (!todo_.empty()) {
            spend(500);
            rma::Packed const state = states_.at(todo_.front());
            todo_.pop_front();
            system_->expand(state.data(), false, next);
            if (next.broken) return too_weak;
            for (rma::Expansion::Edge const& edge : next.edges) {
                if (edge.effect == rma::Effect::failed) return too_weak;
                add(next.next(edge));
            }
            if (states_.size() > most_states_) return "it has too many abstract states";
        }
        return {};
    }

    std::size_t size() const { return states_.size(); }

    template <typename F>
    void for_each(F const& f) {
        for (auto const& [key, words] : states_) {
            system_->unpack(words.data(), state_);
            f(state_);
        }
    }

private:
    static constexpr std::string_view too_weak = "it is too weak where several operations of a statement are pending";

    void add(rma::Word const* words) {
        rma::Packed state(words, words + system_->words());
        system_->unpack(words, state_);
        bool const has_many = std::find(state_.active.begin(), state_.active.end(), 2) != state_.active.end();
        if (many_ == Many::apart || !has_many) {
            if (states_.try_emplace(state, state).second) todo_.push_back(state);
            return;
        }
        Row const sets = state_.sets;
        std::fill(state_.sets.begin(), state_.sets.end(), Bit::unknown);
        rma::Packed key = state;
        system_->pack(state_, key.data());
        auto const [at, is_new] = states_.try_emplace(key, state);
        if (!is_new) {
            system_->unpack(at->second.data(), state_);
            for (std::size_t i = 0; i < sets.size(); ++i)
                if (state_.sets[i] != sets[i]) state_.sets[i] = Bit::unknown;
            system_->pack(state_, state.data());
            if (state == at->second) return;
            at->second = std::move(state);
        }
        todo_.push_back(std::move(key));
    }

    Abstraction* system_;
    Many many_;
    std::size_t most_states_;
    boost::unordered_flat_map<rma::Packed, rma::Packed, boost::hash<rma::Packed>> states_;
    std::deque<rma::Packed> todo_; // keys
    AbstractState state_;
};

/// The bits that a proof does not need: without them there are fewer states, and shorter formulas. Leaves out many at
/// once, then halves of those that are needed, as long as the proof has no more states than before. Gives up after as
/// much work as `most_searches` of the first one.
class NeedlessBits {
public:
    /// None if the abstraction proves nothing.
    static std::vector<bool> of(Abstraction& system) {
        ReachedStates states(system, Many::apart, most_states);
        if (!states.find().empty()) return {};
        NeedlessBits search(system, states.size());
        search.leave_out(0, system.bits());
        return std::move(search.bits_);
    }

private:
    static constexpr std::uint64_t most_searches = 50;

    NeedlessBits(Abstraction& system, std::size_t states)
        : system_(system), bits_(system.bits()), least_(states), work_left_(most_searches * states) {}

    void leave_out(std::size_t begin, std::size_t end) {
        if (begin == end || work_left_ == 0) return;
        auto const before = bits_;
        for (std::size_t i = begin; i < end; ++i) bits_[i] = true;
        system_.leave_out(bits_);
        ReachedStates states(system_, Many::apart, least_);
        bool const is_proof = states.find().empty();
        work_left_ -= std::min<std::uint64_t>(work_left_, states.size());
        if (is_proof) {
            least_ = states.size();
            return;
        }
        bits_ = before;
        if (end - begin == 1) return;
        std::size_t const middle = begin + (end - begin) / 2;
        leave_out(begin, middle);
        leave_out(middle, end);
    }

    Abstraction& system_;
    std::vector<bool> bits_;
    std::size_t least_; // states
    std::uint64_t work_left_;
};

/// Abstract states as formulas.
class Relations {
public:
    Relations(Cubes const& cubes, Abstraction const& system, bool with_domains)
        : formulas_(cubes.formulas()), cubes_(cubes), system_(system) {
        if (with_domains) domains_.emplace(formulas_);
    }

    void add(AbstractState const& state) {
        Row bits = state.V;
        bits.insert(bits.end(), state.sets.begin(), state.sets.end());
        by_control_[{state.pc, state.active}].push_back(std::move(bits));
    }

    /// By control state; `false` for those that are not reached.
    std::vector<std::string> of(std::deque<ControlState> const& states) {
        std::vector<Formula> literals = cubes_.V();
        for (auto const& [u, p] : system_.set_predicates()) literals.push_back(of_element(cubes_.V()[p], u));
        std::vector<std::string> result;
        for (ControlState const& state : states) {
            auto const at = by_control_.find(state);
            if (at == by_control_.end())
                result.emplace_back("false");
            else
                result.push_back(formulas_.smt(formulas_.apply(Op::and_, values(state), any_of(at->second, literals))));
        }
        return result;
    }

private:
    Formula of_element(Formula p, rma::RemoteIndex s) {
        Variable const src = formulas_.graph().remotes()[s].src;
        return formulas_.replace(p, {Formulas::symbol(src), formulas_.of(formulas_.element(s))});
    }

    /// That variables and elements have one of the few values that they can have.
    Formula values(ControlState const& state) {
        Formula result = formulas_.truth(true);
        if (!domains_) return result;
        for (Symbol const x : parameters(formulas_, state)) {
            auto const* const all = formulas_.is_boolean(x) ? nullptr : domains_->of(x);
            if (all == nullptr) continue;
            Formula one = formulas_.truth(false);
            for (Value const& v : *all)
                one = formulas_.apply(Op::or_, one, formulas_.apply(Op::equal, formulas_.of(x), formulas_.value(v)));
            result = formulas_.apply(Op::and_, result, one);
        }
        return result;
    }

    /// The disjunction of states that agree on the bits before `literals`. Recurses as deep as there are literals.
    Formula any_of(std::vector<Row> const& states, std::span<Formula const> literals) {
        spend(states.size());
        if (states.empty() || literals.empty()) return formulas_.truth(!states.empty());
        std::size_t const at = states.front().size() - literals.size();
        auto const with = [&](Bit b) {
            std::vector<Row> some;
            std::copy_if(states.begin(), states.end(), std::back_inserter(some),
                         [&](Row const& bits) { return bits[at] == b; });
            return any_of(some, literals.subspan(1));
        };
        Formula const yes = with(Bit::yes);
        Formula const no = with(Bit::no);
        Formula const known = yes == no
                                  ? yes
                                  : formulas_.apply(Op::or_, formulas_.apply(Op::and_, literals.front(), yes),
                                                    formulas_.apply(Op::and_, formulas_.negated(literals.front()), no));
        return formulas_.apply(Op::or_, known, with(Bit::unknown));
    }

    Formulas& formulas_;
    Cubes const& cubes_;
    Abstraction const& system_;
    std::optional<Domains> domains_;
    std::map<ControlState, std::vector<Row>> by_control_;
};

/// z3's preprocessing takes longer than the questions. In a scope there is none.
solve::SolverCommand in_scopes(solve::SolverCommand command) {
    using Between = solve::SolverCommand::Between;
    if (command.between == Between::push_pop) command.between = Between::scopes;
    return command;
}

} // namespace

Expected<std::vector<CertificateEntry>, std::string> certified(Cubes& cubes, AbstractionOptions options,
                                                               solve::SolverCommand const& command) {
    using Result = Expected<std::vector<CertificateEntry>, std::string>;
    Formulas& formulas = cubes.formulas();
    if (formulas.graph().has_atomics()) return Unexpected{std::string(no_clauses)};
    Abstraction unsplit(cubes, options);
    std::vector<bool> const needless = NeedlessBits::of(unsplit);
    options.splits_many = true;
    Abstraction system(cubes, options);
    ReachedStates states(system, Many::merged, most_states);
    system.leave_out(needless);
    std::string_view trouble = states.find();
    if (!trouble.empty() && !needless.empty()) { // where many are pending, more may be needed
        system.leave_out({});
        states = ReachedStates(system, Many::merged, most_states);
        trouble = states.find();
    }
    if (!trouble.empty()) return Unexpected{std::string(trouble)};
    Relations found(cubes, system, cubes.options().domains);
    states.for_each([&](AbstractState const& state) { found.add(state); });
    HornClauses const horn = horn_clauses(formulas);
    std::vector<std::string> relations = found.of(horn.states);
    solve::Solver solver(in_scopes(command), {.time = std::chrono::seconds(5)});
    solve::Answer const answer = check_relations(formulas, horn, relations, [&](std::string const& problem) {
        auto result = solver.check(problem);
        look_at_watch();
        return result;
    });
    auto const undecided = [&]() -> Result {
        return Unexpected{fmt::format("{} does not decide whether its formulas are inductive", command.name)};
    };
    return std::visit(overloaded{
                          [&](solve::answer::Unsat const&) -> Result {
                              std::vector<CertificateEntry> entries;
                              for (ControlIndex i = 0; i < relations.size(); ++i)
                                  if (relations[i] != "false")
                                      entries.push_back({horn.states[i], std::move(relations[i])});
                              return entries;
                          },
                          [&](solve::answer::Sat const&) -> Result {
                              return Unexpected{
                                  fmt::format("{} says that its formulas are not inductive", command.name)};
                          },
                          [&](solve::answer::Unknown const&) { return undecided(); },
                          [&](solve::answer::Timeout const&) { return undecided(); },
                          [&](auto const& failed) -> Result { throw SolverFailed{solve::to_string(failed, command)}; },
                      },
                      answer);
}

} // namespace matchpoint::proofs
