#include "validate/changes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "encode/program_terms.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::validate {

namespace {

using enum Change;

class Plain {
public:
    Plain(PlainInput const& input, Changes const& changes)
        : m_(*input.messages), code_(m_.code()), zero_(input.buffering == Buffering::zero), only_(input.only),
          changes_(changes), values_(m_), candidates_(overapprox(m_)), commands_(code_.ctp().commands) {
        for (std::uint32_t i = 0; i < commands_.size(); ++i)
            if (auto const* wait = as_wait(commands_[i].c)) wait_of_[wait->a.index] = i;
        sends_of_.resize(m_.receives().size());
        receives_of_.resize(m_.sends().size());
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r)
            for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
                if (only_ != nullptr ? (*only_)[r] == s
                    : has(all_pairs) ? m_.beta_of(m_.sends()[s]) == m_.receives()[r].beta
                                     : candidates_.contains({r, s})) {
                    sends_of_[r].push_back(s);
                    receives_of_[s].push_back(r);
                }
    }

    std::optional<std::string> text() {
        for (std::string const& d : values_.declarations) line(d);
        for (std::uint32_t r = 0; r < sends_of_.size(); ++r) {
            line(fmt::format("(declare-const {} Int)", delivery(r)));
            for (std::uint32_t const s : sends_of_[r]) line(fmt::format("(declare-const {} Bool)", pair(r, s)));
        }
        for (std::uint32_t i = 0; i < commands_.size(); ++i) line(fmt::format("(declare-const {} Int)", order(i)));

        program_order();
        matches();
        channels();
        dependencies();
        deliveries();
        values();
        if (!versions()) return std::nullopt;
        property();
        std::string const logic = values_.nonlinear ? "QF_NIA" : "QF_LIA";
        return "(set-info :smt-lib-version 2.6)\n(set-logic " + logic + ")\n" + out_;
    }

private:
    bool has(Change c) const { return changes_[static_cast<std::size_t>(c)]; }
    void line(std::string_view text) { out_.append(text).append("\n"); }
    void constrain(std::string_view term) { line(fmt::format("(assert {})", term)); }

    static std::string delivery(std::uint32_t r) { return fmt::format("delivery_{}", r); }
    static std::string pair(std::uint32_t r, std::uint32_t s) { return fmt::format("match_{}_{}", r, s); }
    static std::string order(std::uint32_t command) { return fmt::format("order_{}", command); }
    std::uint32_t nw(std::uint32_t r) const { return m_.receives()[r].nw.index; }
    /// E28: the receive is unconstrained.
    bool left_out(std::uint32_t r) const {
        return has(only_waited_for) && !wait_of_.contains(m_.receives()[r].a.index);
    }
    /// Calls f(r, q, "both pairs match") for the pairs (r, s) and (q, next).
    template <typename F>
    void for_each_two(std::uint32_t s, std::uint32_t next, F f) {
        for (std::uint32_t const r : receives_of_[s])
            for (std::uint32_t const q : receives_of_[next])
                if (r != q) f(r, q, fmt::format("(and {} {})", pair(r, s), pair(q, next)));
    }

    void program_order() {
        if (has(no_program_order)) return;
        for (Thread const& t : code_.ctp().threads) {
            if (!has(order_of_steps_1_to_3)) {
                for (std::uint32_t i = t.first + 1; i < t.last; ++i)
                    constrain(fmt::format("(< {} {})", order(i - 1), order(i)));
                continue;
            }
            std::map<Endpoint, std::uint32_t> last_send, last_receive;
            for (std::uint32_t i = t.first; i < t.last; ++i) {
                auto const follows = [&](std::map<Endpoint, std::uint32_t>& last, Endpoint beta) {
                    if (auto const it = last.find(beta); it != last.end())
                        constrain(fmt::format("(< {} {})", order(it->second), order(i)));
                    last[beta] = i;
                };
                visit_message(
                    commands_[i].c, [&](Sndi const& c) { follows(last_send, c.beta); },
                    [&](Rcvi const& c) { follows(last_receive, c.beta); });
            }
        }
        if (has(order_of_steps_1_to_3))
            for (std::uint32_t r = 0; r < m_.receives().size(); ++r)
                constrain(fmt::format("(< {} {})", order(m_.receives()[r].rho.index), order(nw(r))));
    }

    void matches() {
        for (std::uint32_t r = 0; r < sends_of_.size(); ++r) {
            auto const& sends = sends_of_[r];
            std::string some;
            for (std::uint32_t const s : sends) some += " " + pair(r, s);
            bool const free = has(receive_without_message) || left_out(r) ||
                              (has(receive_without_candidates) && candidates_.of[r].empty());
            if (!free) constrain(fmt::format("(or false{})", some));
            for (std::size_t i = 0; i < sends.size(); ++i)
                for (std::size_t j = i + 1; j < sends.size(); ++j)
                    constrain(fmt::format("(not (and {} {}))", pair(r, sends[i]), pair(r, sends[j])));
        }
        if (has(sends_twice)) return;
        for (std::uint32_t s = 0; s < receives_of_.size(); ++s)
            for (std::size_t i = 0; i < receives_of_[s].size(); ++i)
                for (std::size_t j = i + 1; j < receives_of_[s].size(); ++j)
                    constrain(
                        fmt::format("(not (and {} {}))", pair(receives_of_[s][i], s), pair(receives_of_[s][j], s)));
    }

    /// The second kind of Section 5.4 (errata E14).
    void dependencies() {
        if (!has(completed_before_dependent)) return;
        for (std::uint32_t r = 0; r < sends_of_.size(); ++r)
            for (std::uint32_t const s : sends_of_[r])
                if (std::any_of(sends_of_[r].begin(), sends_of_[r].end(),
                                [&](std::uint32_t other) { return other != s && depends_behind(s, other); }))
                    constrain(fmt::format("(< {} {})", order(nw(r)), order(m_.sends()[s].rho.index)));
    }

    std::string received(std::uint32_t s) const {
        std::string term = "(or false";
        for (std::uint32_t const r : receives_of_[s]) term += " " + pair(r, s);
        return term + ")";
    }

    void channels() {
        auto const sends = m_.sends();
        for (std::uint32_t s = 0; s < sends.size(); ++s) {
            if (has(all_received)) constrain(received(s));
            for (std::uint32_t next = 0; next < sends.size(); ++next) {
                if (s == next || m_.beta_of(sends[s]) != m_.beta_of(sends[next])) continue;
                bool const channel = sends[s].channel == sends[next].channel && sends[s].place < sends[next].place;
                bool const task = thread(sends[s].rho) == thread(sends[next].rho) && sends[s].rho < sends[next].rho;
                if ((channel && !has(no_channel_order)) || (task && has(order_of_task)))
                    for_each_two(s, next, [&](auto r, auto q, std::string const& both) {
                        constrain(fmt::format("(=> {} (< {} {}))", both, delivery(r), delivery(q)));
                    });
                if (channel && sends[s].place + 1 == sends[next].place && !has(overtaken_orphans))
                    constrain(fmt::format("(=> {} {})", received(next), received(s)));
                if (has(order_of_endpoint))
                    for_each_two(s, next, [&](auto r, auto q, std::string const& both) {
                        constrain(fmt::format("(=> (and {} (< {} {})) (< {} {}))", both, order(sends[s].rho.index),
                                              order(sends[next].rho.index), delivery(r), delivery(q)));
                    });
                if (has(order_of_waits) && sends[s].channel == sends[next].channel)
                    for_each_two(s, next, [&](auto r, auto q, std::string const& both) {
                        auto const w = wait_of_.find(m_.receives()[r].a.index);
                        auto const v = wait_of_.find(m_.receives()[q].a.index);
                        if (w != wait_of_.end() && v != wait_of_.end() && w->second < v->second)
                            constrain(fmt::format("(=> {} (< {} {}))", both, order(sends[s].rho.index),
                                                  order(sends[next].rho.index)));
                    });
                if (has(completed_before_next) && task)
                    for (std::uint32_t const r : receives_of_[s])
                        if (std::find(receives_of_[next].begin(), receives_of_[next].end(), r) !=
                            receives_of_[next].end())
                            constrain(fmt::format("(< {} {})", order(nw(r)), order(sends[next].rho.index)));
            }
        }
    }

    /// Definition 12: the sends of all pairs that the pairs of s depend on.
    std::set<std::uint32_t> dependent(std::uint32_t s) const {
        std::set<std::uint32_t> result;
        std::vector<std::uint32_t> rest{s};
        while (!rest.empty()) {
            auto const& send = m_.sends()[rest.back()];
            rest.pop_back();
            for (std::uint32_t const r : m_.receives_at(code_[send.channel].alpha))
                if (nw(r) < send.rho.index)
                    for (std::uint32_t const next : sends_of_[r])
                        if (result.insert(next).second) rest.push_back(next);
        }
        return result;
    }

    /// Whether the pairs of s depend on a send after `other`, of the same endpoint.
    bool depends_behind(std::uint32_t s, std::uint32_t other) const {
        auto const alpha = [&](std::uint32_t of) { return code_[m_.sends()[of].channel].alpha; };
        auto const all = dependent(s);
        return std::any_of(all.begin(), all.end(), [&](std::uint32_t d) {
            return alpha(d) == alpha(other) && m_.sends()[d].rho > m_.sends()[other].rho;
        });
    }

    std::uint32_t thread(Location rho) const { return code_.thread_of(rho); }

    /// The wait that comes after a delivery to r, if there is one.
    std::optional<std::uint32_t> enclosing(std::uint32_t r) const {
        auto const& receive = m_.receives()[r];
        if (has(own_wait)) {
            auto const it = wait_of_.find(receive.a.index);
            return it == wait_of_.end() ? std::nullopt : std::optional(it->second);
        }
        if (!has(wait_of_task)) return nw(r);
        for (std::uint32_t i = receive.rho.index + 1; i < nw(r); ++i) {
            auto const* wait = as_wait(commands_[i].c);
            if (wait == nullptr || code_.as_rcvi(wait->a) == nullptr) continue;
            if (m_.receive(wait->a).rho >= receive.rho) return i;
        }
        return nw(r);
    }

    void deliveries() {
        for (std::uint32_t r = 0; r < sends_of_.size(); ++r) {
            auto const& receive = m_.receives()[r];
            if (!has(no_endpoint_order))
                if (auto const at = m_.receives_at(receive.beta); receive.ordinal + 1 < at.size())
                    constrain(fmt::format("(< {} {})", delivery(r), delivery(at[receive.ordinal + 1])));
            auto const w = left_out(r) ? std::nullopt : enclosing(r);
            if (rendezvous() && w) constrain(fmt::format("(< {} {})", delivery(r), order(*w)));
            for (std::uint32_t const s : sends_of_[r]) {
                auto const& send = m_.sends()[s];
                auto const when = [&](std::string const& from, std::string const& to) {
                    constrain(fmt::format("(=> {} (< {} {}))", pair(r, s), from, to));
                };
                std::string const sent = order(send.rho.index);
                // With infinite buffering, deliveries are only ordered within an endpoint.
                if (!has(no_send_before_wait) && (rendezvous() || w))
                    when(sent, rendezvous() ? delivery(r) : order(*w));
                if (has(send_before_receive)) when(sent, order(receive.rho.index));
                if (has(receive_before_send)) when(order(receive.rho.index), sent);
                if (!rendezvous()) continue;
                if (!has(posted_late)) when(order(receive.rho.index), delivery(r));
                if (!has(send_returns_early) && !send.wait.is_none()) when(delivery(r), order(send.wait.index));
            }
        }
        if (rendezvous() && !has(not_taken))
            for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
                if (!m_.sends()[s].wait.is_none()) constrain(received(s));
    }
    bool rendezvous() const { return zero_ ? !has(no_rendezvous) : has(as_zero); }

    void values() {
        for (std::string const& d : values_.definitions) line(d);
        if (!has(divisor_zero))
            for (auto const& d : values_.divisors) constrain(fmt::format("(not (= {} 0))", d.text));
        if (has(free_values)) return;
        for (std::uint32_t r = 0; r < sends_of_.size(); ++r)
            for (std::uint32_t const s : sends_of_[r])
                if (!left_out(r))
                    constrain(fmt::format("(=> {} (= {} {}))", pair(r, s), values_.received(r), values_.sent(s)));
    }

    /// E7; false if a variable's values have two sorts.
    bool versions() {
        if (!has(one_version)) return true;
        std::set<std::string_view> booleans;
        for (std::string_view d : values_.declarations)
            if (d.ends_with(" Bool)")) booleans.insert(d.substr(15, d.size() - 15 - 6));
        std::map<std::uint32_t, std::vector<std::string>> of;
        std::map<std::uint32_t, std::uint32_t> assigned;
        for (LocatedCommand const& located : commands_)
            std::visit(overloaded{
                           [](Assume const&) {},
                           [](Assert const&) {},
                           [&](Assign const& c) {
                               of[c.x.index].push_back(
                                   fmt::format("var_{}!{}", mangle(code_.names()(c.x)), ++assigned[c.x.index]));
                           },
                           [](Sndi const&) {},
                           [&](Rcvi const& c) { of[c.x.index].push_back(values_.received(m_.receive_number(c.a))); },
                           [](Probe const&) {},
                           [](Start const&) {},
                           [](Meet const&) {},
                           [](Collective const&) {},
                           [](Guarded const&) {},
                           [](Wait const&) {},
                       },
                       located.c);
        for (auto const& [x, names] : of)
            for (std::size_t i = 1; i < names.size(); ++i) {
                if (booleans.contains(names[0]) != booleans.contains(names[i])) return false;
                constrain(fmt::format("(= {} {})", names[0], names[i]));
            }
        return true;
    }

    void property() {
        if (!has(no_assumptions))
            for (auto const& a : values_.assumptions) constrain(a.text);
        if (has(no_property)) return;
        auto const& assertions = values_.assertions;
        if (assertions.empty()) {
            if (!has(no_assertion_fails)) constrain("false");
            return;
        }
        if (has(first_assertion_fails)) constrain(fmt::format("(not {})", assertions.front().text));
        if (has(last_assertion_fails)) constrain(fmt::format("(not {})", assertions.back().text));
        if (has(every_assertion_fails))
            for (auto const& a : assertions) constrain(fmt::format("(not {})", a.text));
        if (has(one_assertion_fails))
            for (std::size_t i = 0; i < assertions.size(); ++i)
                for (std::size_t j = i + 1; j < assertions.size(); ++j)
                    constrain(fmt::format("(or {} {})", assertions[i].text, assertions[j].text));
        std::string all;
        for (auto const& a : assertions) all += " " + a.text;
        constrain(fmt::format("(not (and true{}))", all));
    }

    MessageIndex const& m_;
    IndexedProgram const& code_;
    bool zero_;
    Matching const* only_;
    Changes const& changes_;
    ProgramTerms values_;
    MatchPairs candidates_; // Figure 15
    std::vector<LocatedCommand> const& commands_;
    std::map<std::uint32_t, std::uint32_t> wait_of_;      // action -> its wait
    std::vector<std::vector<std::uint32_t>> sends_of_;    // receive -> sends that it may get
    std::vector<std::vector<std::uint32_t>> receives_of_; // send -> receives that may get it
    std::string out_;
};

} // namespace

std::optional<std::string> encode_with(PlainInput const& input, Changes const& changes) {
    return Plain(input, changes).text();
}

} // namespace matchpoint::validate
