#include "encode/shared_events.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "encode/exact.hpp"
#include "grammar/overloaded.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

SharedEvents::SharedEvents(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options,
                           CausalModel const* model)
    : messages_(messages), pairs_(pairs), options_(options), model_(model), cssa_(messages),
      is_used_(cssa_.symbol_count()), is_contested_(code().names().variables.size()),
      counts_(code().ctp().commands.size()), is_ordered_(counts_.size()) {
    find_used();
    find_contested();
    find_events();
}

std::uint32_t SharedEvents::end(std::uint32_t thread) const {
    return model_ == nullptr ? code().ctp().threads[thread].last : model_->end(thread);
}

std::vector<std::uint32_t> SharedEvents::others(Cssa::Pi const& pi) const {
    std::vector<std::uint32_t> result;
    auto const definitions = cssa_.definitions_of(pi.x);
    std::uint32_t const thread = code().thread_of(pi.rho);
    spend(definitions.size());
    for (std::uint32_t i = 1; i < definitions.size(); ++i)
        if (code().thread_of(definitions[i].rho) != thread && is_possible(definitions[i].rho)) result.push_back(i);
    return result;
}

std::vector<std::uint32_t> SharedEvents::sends_of(std::uint32_t receive) const {
    std::vector<std::uint32_t> result;
    spend(pairs_.of[receive].size());
    for (std::uint32_t const s : pairs_.of[receive])
        if (is_possible(messages_.sends()[s].rho)) result.push_back(s);
    return result;
}

/// From what is asked back to what it depends on.
void SharedEvents::find_used() {
    std::vector<Symbol> rest;
    auto const use = [&](Symbol s) {
        if (is_used_[s.index]) return;
        is_used_[s.index] = true;
        rest.push_back(s);
    };
    auto const use_all = [&](Cssa::Text const& t) {
        for (Symbol const s : t.uses) use(s);
    };
    auto const use_conditions = [&](std::span<Cssa::Condition const> conditions) {
        for (Cssa::Condition const& c : conditions)
            if (is_possible(c.rho)) use_all(c.term);
    };
    // What a symbol stands for.
    constexpr std::uint32_t none = 0xFFFF'FFFF;
    std::vector<std::uint32_t> equation_of(cssa_.symbol_count(), none), pi_of(equation_of), receive_of(equation_of);
    for (std::uint32_t i = 0; i < cssa_.equations().size(); ++i) equation_of[cssa_.equations()[i].name.index] = i;
    for (std::uint32_t i = 0; i < cssa_.pis().size(); ++i) pi_of[cssa_.pis()[i].name.index] = i;
    for (std::uint32_t r = 0; r < messages_.receives().size(); ++r) receive_of[cssa_.received(r).index] = r;

    use_conditions(cssa_.guards());
    use_conditions(cssa_.divisors());
    if (options_.asked != Asked::any) use_conditions(cssa_.assertions());
    for (Location rho{0}; model_ != nullptr && rho.index < counts_.size(); ++rho.index) {
        spend(4);
        if (!model_->reads(rho).empty())
            for (Cssa::Read const& r : cssa_.reads(rho)) use(r.name);
        if (model_->model() == Model::mcm)
            for (auto const& r : model_->received(rho)) use(cssa_.received(messages_.receives_at(r.beta)[r.ordinal]));
    }
    while (!rest.empty()) {
        Symbol const s = rest.back();
        rest.pop_back();
        spend(8);
        if (equation_of[s.index] != none) use_all(cssa_.equations()[equation_of[s.index]].term);
        if (receive_of[s.index] != none)
            for (std::uint32_t const send : sends_of(receive_of[s.index])) use_all(cssa_.sent(send));
        if (pi_of[s.index] == none) continue;
        Cssa::Pi const& pi = cssa_.pis()[pi_of[s.index]];
        use(cssa_.definitions_of(pi.x)[pi.own].name);
        auto const chosen = others(pi);
        for (std::uint32_t const i : chosen) use(cssa_.definitions_of(pi.x)[i].name);
    }
}

void SharedEvents::find_contested() {
    for (Cssa::Pi const& pi : cssa_.pis())
        if (is_used(pi.name) && is_possible(pi.rho) && !is_contested(pi.x))
            is_contested_[pi.x.index] = !others(pi).empty();
}

void SharedEvents::find_events() {
    auto const count = [&](Location rho) { counts_[rho.index] = true; };
    auto const order = [&](Location rho) {
        count(rho);
        is_ordered_[rho.index] = true;
    };
    for (auto const conditions : {cssa_.guards(), cssa_.divisors(), cssa_.assertions()})
        for (Cssa::Condition const& c : conditions) count(c.rho);
    for (Cssa::Pi const& pi : cssa_.pis())
        if (is_used(pi.name) && is_contested(pi.x)) order(pi.rho);
    for (SharedVariable const& s : code().ctp().shared)
        if (is_contested(s.x))
            for (Cssa::Definition const& d : cssa_.definitions_of(s.x))
                if (!d.rho.is_none()) order(d.rho);
    for (auto const& r : messages_.receives()) {
        order(r.nw);
        is_zero() ? order(r.rho) : count(r.rho);
    }
    for (auto const& s : messages_.sends()) {
        order(s.rho);
        if (is_zero() && !s.wait.is_none()) order(s.wait);
    }
    // With few switches, every thread that executes a command has a place.
    for (std::uint32_t t = 0; options_.switches && t < code().ctp().threads.size(); ++t)
        if (code().ctp().threads[t].first < end(t)) order({code().ctp().threads[t].first});
    for (Location rho{0}; model_ != nullptr && rho.index < counts_.size(); ++rho.index) {
        spend(4);
        if (!model_->reads(rho).empty()) count(rho);
        for (auto const& before : model_->before(rho)) {
            order(rho);
            order({before.command});
        }
    }
    for (std::uint32_t t = 0; t < code().ctp().threads.size(); ++t)
        for (std::uint32_t c = end(t); c < code().ctp().threads[t].last; ++c) counts_[c] = is_ordered_[c] = false;
    counts_segments_ = is_bounded() && options_.switches_by == SwitchesBy::owner;
}

bool SharedEvents::is_bounded() const {
    return options_.switches && static_cast<std::uint64_t>(std::count(is_ordered_.begin(), is_ordered_.end(), true)) >
                                    *options_.switches + std::uint64_t{1};
}

std::string SharedEvents::executed(Location rho) const {
    if (!is_possible(rho)) return "false";
    return is_complete() ? "true" : "x_" + mangle(code().names()(rho));
}

std::string SharedEvents::order(Location rho) const { return "order_" + mangle(code().names()(rho)); }

std::string SharedEvents::instant(std::uint32_t receive) const {
    return "instant_" + mangle(code().names()(messages_.receives()[receive].a));
}

std::string SharedEvents::filled(std::uint32_t receive) const {
    auto const& r = messages_.receives()[receive];
    if (!is_zero()) return executed(r.nw);
    return is_possible(r.rho) ? "filled_" + mangle(code().names()(r.a)) : "false";
}

std::string SharedEvents::place(std::uint32_t send) const {
    return "place_" + mangle(code().names()(messages_.sends()[send].a));
}

std::string SharedEvents::taken(std::uint32_t send) const {
    return fmt::format("(< {} {})", place(send),
                       messages_.receives_at(messages_.beta_of(messages_.sends()[send])).size());
}

std::string SharedEvents::source(Cssa::Pi const& pi) const { return "from_" + cssa_.name(pi.name).substr(3); }
std::string SharedEvents::clock(Cssa::Pi const& pi) const { return "clock_" + cssa_.name(pi.name).substr(3); }

} // namespace matchpoint::encode
