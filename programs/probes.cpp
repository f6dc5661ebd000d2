#include "programs/probes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "grammar/operators.hpp"
#include "programs/smaller.hpp"

namespace matchpoint::programs {

namespace {

using draft::Text;

/// A place for a command: in front of the one that has this number in its thread.
struct Site {
    std::size_t thread;
    std::size_t at;
};

class Changes {
public:
    explicit Changes(draft::Draft const& draft) : draft_(draft) {
        for (draft::Thread const& thread : draft.threads)
            for (draft::LocatedCommand const& c : thread) {
                if (auto const* const send = as_sndi(c.c)) sources_[send->beta].insert(send->alpha);
                if (auto const* const a = issued_action(c.c)) actions_.insert(a->text);
            }
    }

    /// Calls f with each change; it may break the rules. Also says whether the program can well complete as before: a
    /// receive is matched, or the probe is in front of a receive at its endpoint.
    template <typename F>
    void each(F const& f) const {
        for (std::size_t t = 0; t < draft_.threads.size(); ++t) {
            for (auto const& [beta, kinds] : selectors_at(draft_.threads[t]))
                for (std::size_t at = 0; at <= draft_.threads[t].size(); ++at)
                    for (draft::Selectors const& sel : kinds) f(probed({t, at}, beta, sel), receives_at({t, at}, beta));
            for (std::size_t at = 0; at < draft_.threads[t].size(); ++at) {
                std::size_t const wait = own_wait({t, at});
                for (std::size_t start = at; start < wait; ++start) f(matched({t, at}, start), true);
            }
        }
    }

private:
    /// What the probes at each endpoint of a thread may admit.
    std::map<draft::Endpoint, std::vector<draft::Selectors>> selectors_at(draft::Thread const& thread) const {
        std::map<draft::Endpoint, std::vector<draft::Selectors>> result;
        auto const add = [&](draft::Endpoint const& beta, draft::Selectors const& sel) {
            auto& all = result[beta];
            if (std::find(all.begin(), all.end(), sel) == all.end()) all.push_back(sel);
        };
        for (draft::LocatedCommand const& c : thread) {
            auto const* const receive = as_rcvi(c.c);
            if (receive == nullptr) continue;
            add(receive->beta, {});
            draft::Selectors sel = receive->sel;
            sel.source.reset();
            sel.tagged.reset();
            add(receive->beta, sel);
            auto const sources = sources_.find(receive->beta);
            if (sources != sources_.end() && sources->second.size() > 1)
                add(receive->beta, {.from = {{*sources->second.rbegin()}}, .tags = {}, .source = {}, .tagged = {}});
        }
        return result;
    }

    bool receives_at(Site site, draft::Endpoint const& beta) const {
        draft::Thread const& thread = draft_.threads[site.thread];
        auto const* const receive = site.at < thread.size() ? as_rcvi(thread[site.at].c) : nullptr;
        return receive != nullptr && receive->beta == beta;
    }

    /// The wait of a receive; its own place if it has none.
    std::size_t own_wait(Site receive) const {
        draft::Thread const& thread = draft_.threads[receive.thread];
        auto const* const r = as_rcvi(thread[receive.at].c);
        for (std::size_t i = receive.at + 1; r != nullptr && i < thread.size(); ++i)
            if (auto const* const wait = as_wait(thread[i].c); wait != nullptr && wait->a == r->a) return i;
        return receive.at;
    }

    std::string new_action() const {
        for (std::size_t i = 0;; ++i)
            if (std::string name = "P" + std::to_string(i); !actions_.contains(name)) return name;
    }

    draft::Draft probed(Site site, draft::Endpoint const& beta, draft::Selectors const& sel) const {
        draft::Draft result = draft_;
        result.traces.clear();
        draft::Thread& thread = result.threads[site.thread];
        thread.insert(thread.begin() + static_cast<std::ptrdiff_t>(site.at),
                      draft::Command(ProbeOf<Text>{draft::Action(new_action()), beta, sel, false}));
        return result;
    }

    /// The start comes right after the command with the number `start`.
    draft::Draft matched(Site site, std::size_t start) const {
        draft::Draft result = draft_;
        result.traces.clear();
        draft::Thread& thread = result.threads[site.thread];
        auto const receive = *as_rcvi(thread[site.at].c);
        thread[site.at].c = ProbeOf<Text>{receive.a, receive.beta, receive.sel, true};
        thread.insert(thread.begin() + static_cast<std::ptrdiff_t>(start) + 1,
                      draft::Command(draft::start(receive.a, receive.x)));
        return result;
    }

    draft::Draft const& draft_;
    std::map<draft::Endpoint, std::set<draft::Endpoint>> sources_;
    std::set<std::string> actions_;
};

/// One change, at random; most often one after which the program can complete as before. None if there is none.
std::optional<draft::Draft> random_change(draft::Draft const& draft, Dice& dice) {
    std::vector<draft::Draft> likely;
    std::vector<draft::Draft> others;
    Changes(draft).each([&](draft::Draft changed, bool can_well_complete) {
        (can_well_complete ? likely : others).push_back(std::move(changed));
    });
    auto& from = others.empty() || (!likely.empty() && dice.percent(80)) ? likely : others;
    if (from.empty()) return std::nullopt;
    return std::move(from[dice.below(from.size())]);
}

/// Some receive right after a probe at its endpoint admits one source and one tag, those of some send.
void narrow_a_receive(draft::Draft& draft, Dice& dice) {
    std::vector<SndiOf<Text> const*> sends;
    for (draft::Thread const& thread : draft.threads)
        for (draft::LocatedCommand const& c : thread)
            if (auto const* const send = as_sndi(c.c)) sends.push_back(send);
    for (draft::Thread& thread : draft.threads)
        for (std::size_t i = 1; i < thread.size(); ++i) {
            auto const* const probe = as_probe(thread[i - 1].c);
            auto* const receive = std::get_if<RcviOf<Text>>(&thread[i].c);
            if (probe == nullptr || receive == nullptr || sends.empty() || !dice.percent(40)) continue;
            SndiOf<Text> const& send = *sends[dice.below(sends.size())];
            if (send.beta != receive->beta) continue;
            receive->sel.from = {{send.alpha}};
            receive->sel.tags = {{send.tag.text.empty() ? draft::Tag("0") : send.tag}};
        }
}

/// Some plain probe without them assigns source or tag, and an assertion right after it compares that with a number.
void select_something(draft::Draft& draft, Dice& dice) {
    for (std::size_t t = 0; t < draft.threads.size(); ++t)
        for (std::size_t i = 0; i < draft.threads[t].size(); ++i) {
            auto* const probe = std::get_if<ProbeOf<Text>>(&draft.threads[t][i].c);
            if (probe == nullptr || probe->sel.source || probe->sel.tagged || !dice.percent(60)) continue;
            draft::Variable const y("seen" + probe->a.text);
            bool const is_source = dice.percent(70);
            (is_source ? probe->sel.source : probe->sel.tagged) = y;
            std::uint32_t const n = dice.below(is_source ? draft.threads.size() + 1 : 3);
            draft::Expression e = draft::operation(grammar::Op::not_equal, draft::variable(y), draft::number(n));
            auto const behind = draft.threads[t].begin() + static_cast<std::ptrdiff_t>(i) + 1;
            draft.threads[t].insert(behind, draft::Command(draft::assert_(std::move(e))));
        }
}

} // namespace

std::vector<draft::Draft> with_one_probe(draft::Draft const& draft) {
    std::vector<draft::Draft> result;
    Changes(draft).each([&](draft::Draft changed, bool) {
        if (draft::obeys_the_rules(changed)) result.push_back(std::move(changed));
    });
    return result;
}

draft::Draft with_random_probes(draft::Draft draft, Dice& dice, unsigned most) {
    draft.traces.clear();
    for (unsigned left = 1 + dice.below(most), tries = 4 * most; left > 0 && tries > 0; --tries) {
        auto changed = random_change(draft, dice);
        if (!changed) break;
        if (!draft::obeys_the_rules(*changed)) continue;
        draft = std::move(*changed);
        --left;
    }
    for (auto const more : {select_something, narrow_a_receive}) {
        draft::Draft changed = draft;
        more(changed, dice);
        if (draft::obeys_the_rules(changed)) draft = std::move(changed);
    }
    return draft;
}

} // namespace matchpoint::programs
