#include "validate/traits.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/overloaded.hpp"
#include "machine/indexed_program.hpp"

namespace matchpoint::validate {

namespace {

class Traits {
public:
    explicit Traits(Case const& c) : c_(c) {}

    std::vector<std::string> find() {
        for (Thread const& t : c_.code.ctp().threads) of_thread(t);
        found_.insert(assertions_ == 0 ? "no assertion" : assertions_ == 1 ? "one assertion" : "several assertions");
        if (std::any_of(definitions_.begin(), definitions_.end(), [](auto const& d) { return d.second > 1; }))
            found_.insert("variables with several definitions");
        if (may_divide_by_zero(c_.code.ctp())) found_.insert("divisions");
        if (!c_.code.ctp().shared.empty()) found_.insert("shared variables");
        of_messages();
        return {found_.begin(), found_.end()};
    }

private:
    void of_thread(Thread const& t) {
        bool waited = false; // for a receive
        std::set<Endpoint> receives_at, sends_from;
        std::uint32_t last_waited_for = 0;
        auto const wait = [&](Wait const& w) {
            std::uint32_t const issued = c_.code.issued_at(w.a).index;
            if (issued < last_waited_for) found_.insert("waits out of order");
            last_waited_for = std::max(last_waited_for, issued);
            waited = waited || c_.code.as_rcvi(w.a) != nullptr;
        };
        for (Location rho{t.first}; rho.index < t.last; ++rho.index)
            std::visit(
                overloaded{
                    [&](Assume const&) { found_.insert("assumptions"); },
                    [&](Assert const&) { ++assertions_; },
                    [&](Assign const& c) { ++definitions_[c.x]; },
                    [&](Sndi const& c) {
                        if (c.mode != Mode::standard) found_.insert("synchronous or buffered sends");
                        sends_from.insert(c.alpha);
                        if (waited) found_.insert("sends after waits for receives");
                    },
                    [&](Rcvi const& c) {
                        ++definitions_[c.x];
                        if (!c.sel.is_none()) found_.insert("selectors");
                        receives_at.insert(c.beta);
                    },
                    [&](Probe const&) { found_.insert("probes"); },
                    [](Start const&) {},
                    wait,
                    [&](Meet const&) { found_.insert("barriers"); },
                    [&](Collective const&) { found_.insert("collectives"); },
                    [&](Guarded const& c) { found_.insert(c.blocks ? "commands that block" : "guarded assignments"); },
                },
                c_.code.command_at(rho));
        if (receives_at.size() > 1) found_.insert("a thread receives at several endpoints");
        if (sends_from.size() > 1) found_.insert("a thread sends from several endpoints");
    }

    void of_messages() {
        MessageIndex const& m = c_.messages;
        std::map<Endpoint, std::size_t> sent;
        for (auto const& s : m.sends()) ++sent[m.beta_of(s)];
        for (auto const& r : m.receives())
            if (r.ordinal >= sent[r.beta]) found_.insert("receives too many");
        for (auto const& [beta, n] : sent)
            if (n > m.receives_at(beta).size()) found_.insert("orphans");
    }

    Case const& c_;
    std::size_t assertions_ = 0;
    std::map<grammar::Variable, std::size_t> definitions_;
    std::set<std::string> found_;
};

} // namespace

std::vector<std::string> traits(Case const& c) { return Traits(c).find(); }

} // namespace matchpoint::validate
