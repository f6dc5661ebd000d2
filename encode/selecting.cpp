#include "encode/selecting.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "base/overloaded.hpp"
#include "base/source.hpp"
#include "encode/lines.hpp"
#include "encode/model_values.hpp"
#include "encode/program_terms.hpp"
#include "machine/machine.hpp"
#include "smt_machine/smtlib.hpp"

namespace matchpoint::encode {

namespace {

/// The symbols of the problem.
class SelectingNames {
public:
    explicit SelectingNames(MessageIndex const& messages) : m_(messages), names_(messages.code().names()) {}

    std::string executed(std::uint32_t thread) const { return fmt::format("executed_{}", thread); }
    std::string order(Location rho) const { return "order_" + mangle(names_(rho)); }
    std::string arrived(std::uint32_t s) const { return "arrived_" + mangle(names_(m_.sends()[s].a)); }
    std::string arrival(std::uint32_t s) const { return "arrival_" + mangle(names_(m_.sends()[s].a)); }
    std::string partner(std::uint32_t r) const { return "M_" + mangle(names_(m_.receives()[r].a)); }
    std::string matched(std::uint32_t r) const { return "matched_" + mangle(names_(m_.receives()[r].a)); }
    std::string taken(std::uint32_t r, std::uint32_t s) const {
        return fmt::format("taken_{}_{}", mangle(names_(m_.receives()[r].a)), s + 1);
    }

private:
    MessageIndex const& m_;
    Symbols const& names_;
};

class Selecting : SelectingNames {
public:
    Selecting(MessageIndex const& messages, SelectingQuestion const& question, EncoderOptions const& options,
              Sink const& sink)
        : SelectingNames(messages), m_(messages), code_(messages.code()), question_(question), options_(options),
          lines_(sink), values_(messages), receives_of_(messages.sends().size()),
          sends_of_(messages.receives().size()) {
        for (std::uint32_t beta = 0; beta < code_.endpoints().size(); ++beta)
            for (std::uint32_t const r : m_.receives_at({beta}))
                for (Channel const c : m_.channels_to({beta}))
                    for (std::uint32_t const s : m_.sends_of(c)) {
                        spend(4);
                        if (!code_.admits(m_.receives()[r].a, m_.sends()[s].a)) continue;
                        sends_of_[r].push_back(s);
                        receives_of_[s].push_back(r);
                    }
    }

    void write() {
        line(preamble(options_, values_.nonlinear));
        line("; sends, as M_R numbers them");
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            line(fmt::format("; {} {}", s + 1, mangle(code_.names()(m_.sends()[s].a))));
        declare();
        for (std::string const& d : values_.definitions) line(d);
        for (auto const& d : values_.divisors) claim(fmt::format("(=> {} (not (= {} 0)))", executed_at(d.rho), d.text));
        if (binds_assumptions())
            for (auto const& a : values_.assumptions) claim(fmt::format("(=> {} {})", executed_at(a.rho), a.text));
        threads();
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s) send(s);
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            if (!selects(s)) taken_before(s);
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r)
            code_[m_.receives()[r].beta].selects ? selecting_receive(r) : receive(r);
        goal();
        if (options_.check_sat) line("(check-sat)");
        lines_.finish();
    }

private:
    void line(std::string_view text) { lines_.add(text); }
    void claim(std::string_view term) { line(fmt::format("(assert {})", term)); }

    bool selects(std::uint32_t s) const { return code_[m_.beta_of(m_.sends()[s])].selects; }

    bool binds_assumptions() const {
        bool const stops = question_.goal == SelectingGoal::deadlock || question_.goal == SelectingGoal::fault;
        return question_.goal != SelectingGoal::any && (!stops || question_.runs == Runs::executions);
    }

    std::uint32_t place_of(Location rho) const { return rho.index - code_.ctp().threads[code_.thread_of(rho)].first; }
    std::string executed_at(Location rho) const {
        return fmt::format("(< {} {})", place_of(rho), executed(code_.thread_of(rho)));
    }
    /// The command is the next one of its thread.
    std::string stands_at(Location rho) const {
        return fmt::format("(= {} {})", place_of(rho), executed(code_.thread_of(rho)));
    }
    std::string is_partner(std::uint32_t r, std::uint32_t s) const {
        return fmt::format("(= {} {})", partner(r), s + 1);
    }

    void declare() {
        auto const integer = [&](std::string const& name) { line(fmt::format("(declare-const {} Int)", name)); };
        for (std::string const& d : values_.declarations) line(d);
        for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t) integer(executed(t));
        for (std::uint32_t c = 0; c < code_.ctp().commands.size(); ++c) integer(order({c}));
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s) {
            integer(arrival(s));
            line(fmt::format("(declare-const {} Bool)", arrived(s)));
        }
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r) {
            integer(partner(r));
            if (code_[m_.receives()[r].beta].selects) integer(matched(r));
        }
    }

    /// How far each thread gets, the order of its commands, and what its waits and barriers need. Commands that are not
    /// executed are ordered, too, which excludes no execution.
    void threads() {
        auto const& all = code_.ctp().threads;
        bool const fails_at_end = question_.runs == Runs::complete && question_.goal == SelectingGoal::failure;
        bool const all_finish =
            fails_at_end || question_.goal == SelectingGoal::success || question_.goal == SelectingGoal::any;
        for (std::uint32_t t = 0; t < all.size(); ++t) {
            std::uint32_t const length = all[t].last - all[t].first;
            claim(all_finish ? fmt::format("(= {} {})", executed(t), length)
                             : fmt::format("(<= 0 {} {})", executed(t), length));
            for (std::uint32_t c = all[t].first; c < all[t].last; ++c) {
                if (c > all[t].first) claim(fmt::format("(< {} {})", order({c - 1}), order({c})));
                if (auto const* const wait = code_.wait_for_message({c}))
                    if (auto const passes = condition_of(*wait, {c}))
                        claim(fmt::format("(=> {} {})", executed_at({c}), *passes));
                meet({c});
            }
        }
    }

    /// What an executed wait has before it; none if it does not wait.
    std::optional<std::string> condition_of(Wait const& wait, Location rho) const {
        if (code_.as_rcvi(wait.a) != nullptr) return fmt::format("(not (= {} 0))", partner(m_.receive_number(wait.a)));
        if (!waits_for_receive(code_, question_.buffering, wait.a)) return std::nullopt;
        std::uint32_t const s = m_.send_number(wait.a);
        std::string term = fmt::format("(and {} (< {} {}) (or false", arrived(s), arrival(s), order(rho));
        for (std::uint32_t const r : receives_of_[s])
            term += fmt::format(" (and {} (< {} {}))", is_partner(r, s), order(m_.receives()[r].rho), order(rho));
        return term + "))";
    }

    /// The command in front of each other occurrence of a barrier comes before it.
    void meet(Location rho) {
        for (Location const other : code_.meeting_at(rho)) {
            if (other == rho || place_of(other) == 0) continue;
            Location const before{other.index - 1};
            claim(fmt::format("(=> {} (and {} (< {} {})))", executed_at(rho), executed_at(before), order(before),
                              order(rho)));
        }
    }

    void send(std::uint32_t s) {
        auto const& send = m_.sends()[s];
        claim(
            fmt::format("(=> {} (and {} (< {} {})))", arrived(s), executed_at(send.rho), order(send.rho), arrival(s)));
        if (send.place > 0 && !selects(s)) {
            std::uint32_t const before = m_.sends_of(send.channel)[send.place - 1];
            claim(fmt::format("(=> {} (and {} (< {} {})))", arrived(s), arrived(before), arrival(before), arrival(s)));
        }
        auto const& receives = receives_of_[s];
        for (std::size_t i = 0; i < receives.size(); ++i)
            for (std::size_t j = i + 1; j < receives.size(); ++j)
                claim(fmt::format("(not (and {} {}))", is_partner(receives[i], s), is_partner(receives[j], s)));
        if (selects(s)) {
            std::string is_matched;
            for (std::uint32_t const r : receives) is_matched += " " + is_partner(r, s);
            return claim(fmt::format("(= {} (or false{}))", arrived(s), is_matched));
        }
        // Messages arrive one after another.
        Endpoint const beta = m_.beta_of(send);
        for (Channel const c : m_.channels_to(beta))
            for (std::uint32_t const other : m_.sends_of(c))
                if (other > s && c != send.channel) claim(fmt::format("(not (= {} {}))", arrival(s), arrival(other)));
    }

    /// taken_R_S of each receive that admits s, but for the first two: some receive that was issued before R has s.
    void taken_before(std::uint32_t s) {
        auto const& receives = receives_of_[s];
        for (std::size_t i = 2; i < receives.size(); ++i) {
            std::string const name = taken(receives[i], s);
            line(fmt::format("(declare-const {} Bool)", name));
            claim(fmt::format("(= {} (or {} {}))", name, is_taken_before(receives[i - 1], s),
                              is_partner(receives[i - 1], s)));
        }
    }
    std::string is_taken_before(std::uint32_t r, std::uint32_t s) const {
        auto const& receives = receives_of_[s];
        if (receives[0] == r) return "false";
        return receives[1] == r ? is_partner(receives[0], s) : taken(r, s);
    }

    /// What R has of S, if S is its partner.
    std::string gets(std::uint32_t r, std::uint32_t s) const {
        std::string term = fmt::format("(= {} {})", values_.received(r), values_.sent(s));
        auto const assigns = [&](std::optional<std::string> const& symbol, Value const& v) {
            if (!symbol) return;
            std::string text;
            print(v, text);
            term += fmt::format(" (= {} {})", *symbol, text);
        };
        assigns(values_.source(r), code_.source_of(m_.sends()[s].a));
        assigns(values_.tag(r), code_.tag_number(m_.sends()[s].a));
        Location const nw = m_.receives()[r].nw;
        return term + fmt::format(" (=> {} (< {} {}))", executed_at(nw), arrival(s), order(nw));
    }

    void selecting_receive(std::uint32_t r) {
        auto const& receive = m_.receives()[r];
        std::string some;
        for (std::uint32_t const s : sends_of_[r]) {
            auto const& receives = receives_of_[s];
            spend(4 * (sends_of_[r].size() + receives.size()));
            std::string term =
                fmt::format(" (and {} {} (= {} {}) (< {} {}) {}", is_partner(r, s), executed_at(receive.rho),
                            matched(r), arrival(s), order(receive.rho), arrival(s), gets(r, s));
            for (std::size_t i = 0; receives[i] != r; ++i)
                term +=
                    fmt::format(" (not (= {} 0)) (< {} {})", partner(receives[i]), matched(receives[i]), arrival(s));
            for (std::uint32_t const before : sends_of_[r])
                if (m_.sends()[before].rho < m_.sends()[s].rho && have_one_source(before, s))
                    term += fmt::format(" {} (< {} {})", arrived(before), arrival(before), arrival(s));
            some += term + ")";
        }
        claim(fmt::format("(or (= {} 0){})", partner(r), some));
        claim(fmt::format("(=> {} (not (= {} 0)))", executed_at(receive.nw), partner(r)));
    }
    bool have_one_source(std::uint32_t s, std::uint32_t t) const {
        return code_[m_.sends()[s].channel].alpha == code_[m_.sends()[t].channel].alpha;
    }

    void receive(std::uint32_t r) {
        auto const& receive = m_.receives()[r];
        std::string none = fmt::format("(and (= {} 0)", partner(r));
        for (std::uint32_t const s : sends_of_[r])
            none += fmt::format(" (=> (and {} {}) {})", executed_at(receive.rho), arrived(s), is_taken_before(r, s));
        std::string some;
        for (std::uint32_t const s : sends_of_[r]) {
            spend(4 * sends_of_[r].size());
            std::string term =
                fmt::format(" (and {} {} {} {}", is_partner(r, s), executed_at(receive.rho), arrived(s), gets(r, s));
            for (std::uint32_t const other : sends_of_[r])
                if (other != s)
                    term += fmt::format(" (=> (and {} (< {} {})) {})", arrived(other), arrival(other), arrival(s),
                                        is_taken_before(r, other));
            some += term + ")";
        }
        claim(fmt::format("(or {}){})", none, some));
        claim(fmt::format("(=> {} (not (= {} 0)))", executed_at(receive.nw), partner(r)));
    }

    void goal() {
        std::string assertions;
        for (auto const& a : values_.assertions)
            assertions += fmt::format(" (and {} (not {}))", executed_at(a.rho), a.text);
        switch (question_.goal) {
        case SelectingGoal::failure:
            line(fmt::format("(assert (! (or false{}) :named |property|))", assertions));
            break;
        case SelectingGoal::success: claim(fmt::format("(not (or false{}))", assertions)); break;
        case SelectingGoal::any: break;
        case SelectingGoal::deadlock: deadlock(); break;
        case SelectingGoal::fault: fault(); break;
        }
    }

    void deadlock() {
        auto const& all = code_.ctp().threads;
        std::string unfinished = "(or false";
        for (std::uint32_t t = 0; t < all.size(); ++t) {
            std::string const finished = fmt::format("(= {} {})", executed(t), all[t].last - all[t].first);
            unfinished += fmt::format(" (not {})", finished);
            std::string stops = finished;
            for (std::uint32_t c = all[t].first; c < all[t].last; ++c)
                if (auto const blocked = is_blocked({c}))
                    stops += fmt::format(" (and {} {})", stands_at({c}), *blocked);
            claim(fmt::format("(or {} false)", stops));
        }
        claim(unfinished + ")");
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s) {
            if (!selects(s))
                claim(fmt::format("(=> {} {})", executed_at(m_.sends()[s].rho), arrived(s)));
            else
                for (std::uint32_t const r : receives_of_[s])
                    claim(fmt::format("(=> (and {} {}) (or {} (not (= {} 0))))", executed_at(m_.sends()[s].rho),
                                      executed_at(m_.receives()[r].rho), arrived(s), partner(r)));
        }
    }

    /// What keeps a thread at a command, once no delivery can help; none if nothing can.
    std::optional<std::string> is_blocked(Location rho) const {
        if (auto const* const wait = as_wait(code_.command_at(rho))) {
            if (code_.as_rcvi(wait->a) != nullptr) return fmt::format("(= {} 0)", partner(m_.receive_number(wait->a)));
            if (!waits_for_receive(code_, question_.buffering, wait->a)) return std::nullopt;
            std::string has_one = "(or false";
            for (std::uint32_t const r : receives_of_[m_.send_number(wait->a)])
                has_one += " " + is_partner(r, m_.send_number(wait->a));
            return fmt::format("(not {}))", has_one);
        }
        auto const meeting = code_.meeting_at(rho);
        if (meeting.empty()) return std::nullopt;
        std::string missing = "(or false";
        for (Location const other : meeting)
            if (other != rho) missing += fmt::format(" (< {} {})", executed(code_.thread_of(other)), place_of(other));
        return missing + ")";
    }

    void fault() {
        std::string term = "(or false";
        for (auto const& d : values_.divisors) term += fmt::format(" (and {} (= {} 0))", stands_at(d.rho), d.text);
        claim(term + ")");
    }

    MessageIndex const& m_;
    IndexedProgram const& code_;
    SelectingQuestion const& question_;
    EncoderOptions const& options_;
    Lines lines_;
    ProgramTerms values_;
    std::vector<std::vector<std::uint32_t>> receives_of_; // send -> the receives that admit it, in issue order
    std::vector<std::vector<std::uint32_t>> sends_of_;
};

/// A command, or the arrival of a send.
struct Moment {
    std::int64_t at;
    bool is_arrival;
    std::uint32_t index; // the command's, or the send's
};

} // namespace

void encode_selecting(MessageIndex const& messages, SelectingQuestion const& question, EncoderOptions const& options,
                      Sink const& sink) {
    Selecting(messages, question, options, sink).write();
}

/// Where a movement is a rendezvous, it waits until the machine can make it.
Expected<Schedule, std::string> schedule_of_model(MessageIndex const& messages, Buffering buffering,
                                                  std::string_view model) {
    IndexedProgram const& code = messages.code();
    SelectingNames const names(messages);
    ModelValues values(model);
    std::vector<Moment> moments;
    for (std::uint32_t t = 0; t < code.ctp().threads.size(); ++t)
        for (std::uint32_t c = 0;
             c < values(names.executed(t)) && code.ctp().threads[t].first + c < code.ctp().threads[t].last; ++c) {
            Location const rho{code.ctp().threads[t].first + c};
            moments.push_back({values(names.order(rho)), false, rho.index});
        }
    for (std::uint32_t s = 0; s < messages.sends().size(); ++s)
        if (values(names.arrived(s)) != 0) moments.push_back({values(names.arrival(s)), true, s});
    if (!values.missing().empty()) return Unexpected{fmt::format("the model has no value for {}", values.missing())};
    std::stable_sort(moments.begin(), moments.end(), [](Moment const& a, Moment const& b) { return a.at < b.at; });

    Machine machine(code, buffering);
    Schedule schedule;
    std::vector<Channel> late;
    auto const make_late_movements = [&] {
        for (std::size_t i = 0; i < late.size();) {
            bool const is_first =
                std::none_of(late.begin(), late.begin() + static_cast<std::ptrdiff_t>(i), [&](Channel c) {
                    return code[c].beta == code[late[i]].beta; // the order at an endpoint stays
                });
            if (!is_first || machine.apply(Deliver{late[i]}).is_stuck()) {
                ++i;
                continue;
            }
            schedule.move(late[i]);
            late.erase(late.begin() + static_cast<std::ptrdiff_t>(i));
            i = 0;
        }
    };
    for (Moment const& m : moments) {
        spend(8);
        if (m.is_arrival)
            late.push_back(messages.sends()[m.index].channel);
        else
            schedule.step({m.index});
        if (!m.is_arrival && machine.apply(Execute{{m.index}}).is_stuck()) break;
        make_late_movements();
    }
    return schedule;
}

} // namespace matchpoint::encode
