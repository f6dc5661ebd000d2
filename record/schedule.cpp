#include "record/schedule.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "import/scanner.hpp"

namespace matchpoint::record {

namespace {

using draft::Text;
using Sndi = grammar::SndiOf<Text>;
using Rcvi = grammar::RcviOf<Text>;

/// `R0_5`, `S2_1`, `R0_5.probed`: a rank, and the number of its call. Messages of collective calls have other names.
struct CallName {
    std::uint32_t rank;
    std::uint64_t number;
    bool is_probed;
};

std::optional<CallName> call_name(std::string_view name) {
    bool const is_probed = name.ends_with(probed);
    if (is_probed) name.remove_suffix(probed.size());
    std::size_t const bar = name.find('_');
    if (name.empty() || bar == std::string_view::npos || (name[0] != 'R' && name[0] != 'S')) return std::nullopt;
    auto const rank = import::natural(name.substr(1, bar - 1));
    auto const number = import::natural(name.substr(bar + 1));
    if (!rank || !number || *rank > import::max_process || *number > UINT32_MAX) return std::nullopt;
    return CallName{static_cast<std::uint32_t>(*rank), *number, is_probed};
}

std::int64_t number(std::string const& digits) { return import::whole_number(digits).value_or(-1); }

} // namespace

std::optional<MatchSchedule> MatchSchedule::of(draft::Draft const& program, std::vector<NamedMatch> const& matches,
                                     Buffering buffering) {
    MatchSchedule schedule;
    std::string& text = schedule.text_;
    text = "matchpoint-schedule 1\n";
    if (buffering == Buffering::zero) text += "synchronous\n";
    auto const ranks = static_cast<std::int64_t>(program.threads.size());
    auto const rank_at = [&](draft::Endpoint const& endpoint) { return number(endpoint.text) % ranks; };

    std::unordered_map<std::string_view, Sndi const*> sends;
    for (draft::Thread const& thread : program.threads)
        for (draft::LocatedCommand const& at : thread)
            if (auto const* const s = as_sndi(at.c)) sends.emplace(s->a.text, s);
    std::unordered_map<std::string_view, std::string_view> send_of(matches.begin(), matches.end());

    for (std::uint32_t rank = 0; rank < program.threads.size(); ++rank)
        for (draft::LocatedCommand const& at : program.threads[rank]) {
            if (auto const* const s = as_sndi(at.c)) {
                auto const name = call_name(s->a.text);
                if (!name) continue;
                if (name->rank != rank) return std::nullopt;
                std::int64_t const tag = s->tag.text.empty() ? 0 : number(s->tag.text);
                text += fmt::format("send {} {} {} {}\n", rank, name->number, rank_at(s->beta), tag);
            } else if (auto const* const r = as_rcvi(at.c)) {
                auto const name = call_name(r->a.text);
                if (!name) continue;
                if (name->rank != rank) return std::nullopt;
                text += fmt::format("recv {} {} {} {}\n", rank, name->number, r->sel.from ? rank_at(r->sel.from->front()) : -1,
                                    r->sel.tags ? number(r->sel.tags->front().text) : -1);
                auto const wanted = send_of.find(r->a.text);
                if (wanted == send_of.end()) continue;
                auto const send = sends.find(wanted->second);
                if (send == sends.end()) return std::nullopt;
                auto const from = call_name(send->first);
                if (!from) return std::nullopt;
                std::int64_t const tag = send->second->tag.text.empty() ? 0 : number(send->second->tag.text);
                text += fmt::format("{} {} {} {} {}\n", name->is_probed ? "probe" : "take", rank, name->number, from->rank, tag);
                schedule.wanted_.push_back({r->a.text, {std::string(wanted->second), from->rank, tag}});
            } else if (auto const* const w = as_wait(at.c)) {
                if (auto const name = call_name(w->a.text)) text += fmt::format("done {} {}\n", rank, name->number);
            }
        }
    return schedule;
}

MatchSchedule::Followed MatchSchedule::followed_by(Recording const& run) const {
    std::unordered_map<std::string_view, Taken const*> taken;
    for (Rank const& rank : run.ranks)
        for (Taken const& t : rank.taken) taken.emplace(t.receive, &t);
    Followed result;
    for (auto const& [receive, wanted] : wanted_) {
        ++result.receives;
        auto const found = taken.find(receive);
        if (found == taken.end())
            result.not_reached.push_back(receive);
        else if (found->second->from != wanted.from || found->second->tag != wanted.tag)
            result.differences.push_back({receive, wanted.send, found->second->from, found->second->tag});
    }
    return result;
}

bool same_path(draft::Draft const& a, draft::Draft const& b) {
    auto const same = [](draft::Command x, draft::Command y) {
        if (x.index() != y.index()) return false;
        // What a message carries may differ, unless it is an expression of the program.
        if (auto* const s = std::get_if<Sndi>(&x)) {
            auto& t = std::get<Sndi>(y);
            if (s->e.nodes.size() == 1 && t.e.nodes.size() == 1) s->e = t.e;
        }
        return x == y;
    };
    for (std::size_t thread = 0; thread < std::min(a.threads.size(), b.threads.size()); ++thread)
        for (std::size_t i = 0; i < std::min(a.threads[thread].size(), b.threads[thread].size()); ++i)
            if (!same(a.threads[thread][i].c, b.threads[thread][i].c)) return false;
    return a.threads.size() == b.threads.size();
}

} // namespace matchpoint::record
