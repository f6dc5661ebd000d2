#include "record/schedule.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "importers/scanner.hpp"

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
    auto const rank = natural(name.substr(1, bar - 1));
    auto const number = natural(name.substr(bar + 1));
    if (!rank || !number || *rank > importers::max_process || *number > UINT32_MAX) return std::nullopt;
    return CallName{static_cast<std::uint32_t>(*rank), *number, is_probed};
}

/// Whether a recording has this action: `S2_1`, of a collective call `S2_1.0`, of a barrier that not all came to
/// `B2.0`.
bool is_recorded(std::string_view action) {
    return action.starts_with(unmet_barrier) || call_name(action.substr(0, action.find('.')));
}

std::int64_t number(std::string const& digits) { return to_number<std::int64_t>(digits).value_or(-1); }

} // namespace

std::uint32_t endpoint_number(draft::Endpoint const& e) {
    return static_cast<std::uint32_t>(natural(e.text).value_or(UINT32_MAX));
}

bool names_call(std::string_view action) { return call_name(action).has_value(); }

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

    for (std::uint32_t rank = 0; rank < program.threads.size(); ++rank) {
        bool is_behind_wait = false;
        for (draft::LocatedCommand const& at : program.threads[rank]) {
            bool const follows = std::exchange(is_behind_wait, false);
            if (auto const* const a = draft::issued_action(at.c); a != nullptr && !is_recorded(a->text))
                return std::nullopt;
            if (auto const* const s = as_sndi(at.c)) {
                auto const name = call_name(s->a.text);
                if (!name) continue;
                if (name->rank != rank) return std::nullopt;
                std::int64_t const tag = s->tag.text.empty() ? 0 : number(s->tag.text);
                text += fmt::format("send {} {} {} {} {} {}\n", rank, name->number, rank_at(s->beta), tag,
                                    s->alpha.text, s->beta.text);
            } else if (auto const* const r = as_rcvi(at.c)) {
                auto const name = call_name(r->a.text);
                if (!name) continue;
                if (name->rank != rank) return std::nullopt;
                text += fmt::format("recv {} {} {} {} {}\n", rank, name->number,
                                    r->sel.from ? rank_at(r->sel.from->front()) : -1,
                                    r->sel.tags ? number(r->sel.tags->front().text) : -1, r->beta.text);
                auto const wanted = send_of.find(r->a.text);
                if (wanted == send_of.end()) continue;
                auto const send = sends.find(wanted->second);
                if (send == sends.end()) return std::nullopt;
                auto const from = call_name(send->first);
                if (!from) return std::nullopt;
                std::int64_t const tag = send->second->tag.text.empty() ? 0 : number(send->second->tag.text);
                text += fmt::format("{} {} {} {} {} {}\n", name->is_probed ? "probe" : "take", rank, name->number,
                                    from->rank, tag, send->second->alpha.text);
                schedule.wanted_.push_back(
                    {r->a.text, {std::string(wanted->second), from->rank, endpoint_number(send->second->alpha), tag}});
            } else if (auto const* const w = as_wait(at.c)) {
                auto const name = call_name(w->a.text);
                if (!name) continue;
                text += fmt::format("{} {} {}\n", follows ? "also" : "done", rank, name->number);
                is_behind_wait = true;
            }
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
        else if (found->second->from != (run.api == Api::mpi ? wanted.from : wanted.endpoint) ||
                 found->second->tag != wanted.tag)
            result.differences.push_back({receive, wanted.send, found->second->from, found->second->tag});
    }
    return result;
}

namespace {

/// How many commands of a thread tell about its path: a barrier that it did not get through ends it.
std::size_t told(draft::Thread const& thread) {
    std::size_t n = thread.size();
    while (n != 0) {
        auto const* const r = as_rcvi(thread[n - 1].c);
        auto const* const w = as_wait(thread[n - 1].c);
        std::string const* const name = r != nullptr ? &r->a.text : w != nullptr ? &w->a.text : nullptr;
        if (name == nullptr || !name->starts_with(unmet_barrier)) break;
        --n;
    }
    return n;
}

/// Whether they are the same call, whatever a message carries that is not an expression of the program.
bool same_call(draft::Command const& a, draft::Command const& b) {
    auto const* const s = as_sndi(a);
    auto const* const t = as_sndi(b);
    if (s == nullptr || t == nullptr || s->e.nodes.size() != 1 || t->e.nodes.size() != 1) return a == b;
    return s->a == t->a && s->alpha == t->alpha && s->beta == t->beta && s->tag == t->tag && s->mode == t->mode;
}

} // namespace

std::vector<std::size_t> common_calls(draft::Draft const& a, draft::Draft const& b) {
    std::vector<std::size_t> common(std::min(a.threads.size(), b.threads.size()));
    for (std::size_t thread = 0; thread < common.size(); ++thread) {
        auto const& x = a.threads[thread];
        auto const& y = b.threads[thread];
        std::size_t const most = std::min(told(x), told(y));
        std::size_t& n = common[thread];
        while (n < most && same_call(x[n].c, y[n].c)) ++n;
    }
    return common;
}

bool same_path(draft::Draft const& a, draft::Draft const& b) {
    if (a.threads.size() != b.threads.size()) return false;
    auto const common = common_calls(a, b);
    for (std::size_t thread = 0; thread < common.size(); ++thread)
        if (common[thread] < std::min(told(a.threads[thread]), told(b.threads[thread]))) return false;
    return true;
}

} // namespace matchpoint::record
