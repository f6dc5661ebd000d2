#include "encode/shared_events.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "encode/exact.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

std::vector<std::uint32_t> firsts_of(IndexedProgram const& code) {
    std::vector<std::uint32_t> result;
    for (Thread const& t : code.ctp().threads) result.push_back(t.first);
    return result;
}

} // namespace

SharedEvents::SharedEvents(MessageIndex const& messages, MatchPairs const& pairs, EncoderOptions const& options,
                           CausalModel const* model)
    : messages_(messages), pairs_(pairs), options_(options), model_(model), cssa_(messages), ends_(firsts_of(code())),
      is_used_(cssa_.symbol_count()), is_contested_(code().names().variables.size()),
      counts_(code().ctp().commands.size()), is_ordered_(counts_.size()) {
    find_used();
    find_contested();
    find_events();
}

std::uint32_t SharedEvents::end(std::uint32_t thread) const { return ends_[thread]; }

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

/// From what is asked back to what it depends on: symbols, and commands that have to be executed.
class SharedEvents::Slice {
public:
    explicit Slice(SharedEvents& events)
        : e_(events), m_(e_.messages_), cssa_(e_.cssa_), conditions_(e_.counts_.size()), served_at_(e_.counts_.size()),
          taken_at_(e_.counts_.size()), equation_of_(cssa_.symbol_count(), none), pi_of_(equation_of_),
          receive_of_(equation_of_) {
        bool const asks = e_.options_.asked != Asked::any;
        for (auto const conditions :
             {cssa_.guards(), cssa_.divisors(), asks ? cssa_.assertions() : std::span<Cssa::Condition const>()})
            for (Cssa::Condition const& c : conditions) conditions_[c.rho.index].push_back(&c);
        for (std::uint32_t i = 0; i < cssa_.equations().size(); ++i) equation_of_[cssa_.equations()[i].name.index] = i;
        for (std::uint32_t i = 0; i < cssa_.pis().size(); ++i) pi_of_[cssa_.pis()[i].name.index] = i;
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r) {
            receive_of_[cssa_.received(r).index] = r;
            // Zero buffering: a receive that is posted may have to meet a send, so that a later one can.
            served_at_[e_.is_zero() ? m_.receives()[r].rho.index : m_.receives()[r].nw.index].push_back(r);
            if (!e_.is_zero()) continue;
            for (std::uint32_t const s : e_.pairs_.of[r])
                if (Location const wait = m_.sends()[s].wait; !wait.is_none()) taken_at_[wait.index].push_back(r);
        }
    }

    /// The command may have to be executed, and all before it in its thread.
    void reach(Location rho) {
        std::uint32_t& end = e_.ends_[e_.code().thread_of(rho)];
        for (; end <= rho.index; ++end) commands_.push_back({end});
    }
    void use(Symbol s) {
        if (e_.is_used_[s.index]) return;
        e_.is_used_[s.index] = true;
        symbols_.push_back(s);
    }
    void finish() {
        while (!commands_.empty() || !symbols_.empty()) {
            spend(8);
            if (!commands_.empty()) {
                Location const rho = commands_.back();
                commands_.pop_back();
                needs_of(rho);
            } else {
                Symbol const s = symbols_.back();
                symbols_.pop_back();
                needs_of(s);
            }
        }
    }

private:
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    void use_all(Cssa::Text const& t) {
        for (Symbol const s : t.uses) use(s);
    }
    void reach_sends(std::uint32_t receive) {
        spend(e_.pairs_.of[receive].size());
        for (std::uint32_t const s : e_.pairs_.of[receive]) reach_possible(m_.sends()[s].rho);
    }
    /// Under a model, nothing after the end of its trace is reached.
    void reach_possible(Location rho) {
        if (e_.model_ == nullptr) reach(rho);
    }

    void needs_of(Location rho) {
        for (Cssa::Condition const* const c : conditions_[rho.index]) use_all(c->term);
        for (std::uint32_t const r : served_at_[rho.index]) reach_sends(r);
        // Zero buffering: a send that is waited for needs a receive.
        for (std::uint32_t const r : taken_at_[rho.index]) reach_possible(m_.receives()[r].rho);
    }

    void needs_of(Symbol s) {
        if (equation_of_[s.index] != none) use_all(cssa_.equations()[equation_of_[s.index]].term);
        if (receive_of_[s.index] != none)
            for (std::uint32_t const send : e_.pairs_.of[receive_of_[s.index]])
                if (e_.model_ == nullptr || e_.is_possible(m_.sends()[send].rho)) use_all(cssa_.sent(send));
        if (pi_of_[s.index] == none) return;
        Cssa::Pi const& pi = cssa_.pis()[pi_of_[s.index]];
        auto const definitions = cssa_.definitions_of(pi.x);
        use(definitions[pi.own].name);
        std::uint32_t const thread = e_.code().thread_of(pi.rho);
        spend(definitions.size());
        for (std::uint32_t i = 1; i < definitions.size(); ++i) {
            if (e_.code().thread_of(definitions[i].rho) == thread) continue;
            reach_possible(definitions[i].rho);
            if (e_.is_possible(definitions[i].rho)) use(definitions[i].name);
        }
    }

    SharedEvents& e_;
    MessageIndex const& m_;
    Cssa const& cssa_;
    std::vector<std::vector<Cssa::Condition const*>> conditions_; // command
    std::vector<std::vector<std::uint32_t>> served_at_;           // command -> receives that it completes, or posts
    std::vector<std::vector<std::uint32_t>> taken_at_; // wait -> receives that may get its send, under zero buffering
    std::vector<std::uint32_t> equation_of_, pi_of_, receive_of_; // symbol -> what it stands for
    std::vector<Location> commands_;
    std::vector<Symbol> symbols_;
};

void SharedEvents::find_used() {
    Slice slice(*this);
    auto const& threads = code().ctp().threads;
    for (std::uint32_t t = 0; t < threads.size(); ++t) {
        // Of complete runs, and of models, everything has to be executed, or may have to.
        std::uint32_t const end = model_ != nullptr ? model_->end(t) : threads[t].last;
        if ((is_complete() || model_ != nullptr) && end > threads[t].first) slice.reach({end - 1});
    }
    for (Cssa::Condition const& c : cssa_.assertions())
        if (model_ == nullptr) slice.reach(c.rho);
    for (Location rho{0}; model_ != nullptr && rho.index < counts_.size(); ++rho.index) {
        spend(4);
        if (!model_->reads(rho).empty())
            for (Cssa::Read const& r : cssa_.reads(rho)) slice.use(r.name);
        if (model_->model() == Model::mcm)
            for (auto const& r : model_->received(rho))
                slice.use(cssa_.received(messages_.receives_at(r.beta)[r.ordinal]));
    }
    slice.finish();
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
