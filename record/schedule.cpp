#include "record/schedule.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/numbers.hpp"
#include "importers/scanner.hpp"
#include "record/choices.hpp"

namespace matchpoint::record {

namespace {

using draft::Text;
using Sndi = grammar::SndiOf<Text>;

/// The call of an action of a recorded program. None if a recording has no such action.
std::optional<CallId> recorded(draft::Action const& a) {
    auto const id = importers::call_id_of(a.text);
    return id && id->kind != CallId::Kind::event ? id : std::nullopt;
}

/// The same of a call that is in schedules.
std::optional<CallId> scheduled(draft::Action const& a) {
    auto const id = recorded(a);
    return id && (is_point_to_point(*id) || id->kind == CallId::Kind::probe) ? id : std::nullopt;
}

/// The collective calls of a communicator, of each rank, in their order.
using Calls = std::map<std::string, std::vector<std::vector<CallId>>>;
Calls collective_calls(draft::Draft const& program) {
    Calls calls;
    for (std::size_t rank = 0; rank < program.threads.size(); ++rank)
        for (draft::LocatedCommand const& at : program.threads[rank])
            if (auto const* const c = as_collective(at.c))
                if (auto const id = recorded(c->a)) {
                    auto& of_comm = calls[c->comm.text];
                    of_comm.resize(program.threads.size());
                    of_comm[rank].push_back(*id);
                }
    return calls;
}

/// The declared members of a communicator, otherwise the ranks that call.
std::vector<std::uint32_t> members_of(draft::Draft const& program, std::string const& communicator,
                                      std::vector<std::vector<CallId>> const& calls) {
    for (draft::CommunicatorMembers const& declared : program.communicators)
        if (declared.comm.text == communicator) return declared.members;
    std::vector<std::uint32_t> callers;
    for (std::uint32_t rank = 0; rank < calls.size(); ++rank)
        if (!calls[rank].empty()) callers.push_back(rank);
    return callers;
}

/// Lines for collective calls that wait until all members have made the call.
std::string meetings(draft::Draft const& program, std::vector<CallId> const& refusing) {
    constexpr std::size_t tags = 30'000; // every library has as many
    std::string text;
    std::size_t n = 0;
    for (auto const& [communicator, of_ranks] : collective_calls(program))
        for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
            for (std::size_t i = 0; i < of_ranks[rank].size(); ++i) {
                CallId const& call = of_ranks[rank][i];
                if (std::find(refusing.begin(), refusing.end(), call) == refusing.end()) continue;
                for (std::uint32_t const other : members_of(program, communicator, of_ranks)) {
                    if (other == rank) continue;
                    text += fmt::format("meet {} {} {} {}\n", rank, call.number, other, n % tags);
                    if (i < of_ranks[other].size())
                        text += fmt::format("met {} {} {} {}\n", other, of_ranks[other][i].number, rank, n % tags);
                    ++n;
                }
            }
    return text;
}

bool has_collective_calls(draft::Draft const& program) {
    return std::any_of(program.threads.begin(), program.threads.end(), [](draft::Thread const& thread) {
        return std::any_of(thread.begin(), thread.end(),
                           [](draft::LocatedCommand const& at) { return as_collective(at.c) != nullptr; });
    });
}

/// A line for each rank that makes a call of a collective whose calls do not match, with the first such call.
std::string mismatches(draft::Draft program) {
    program.traces.clear();
    draft::name_locations(program);
    auto const p = draft::program_of(program);
    if (!p) return {};
    IndexedProgram const code(*p);
    if (!code.has_contested_calls()) return {};
    std::map<std::uint32_t, std::uint32_t> firsts; // rank -> number of the call
    for (std::uint32_t i = 0; i < code.ctp().commands.size(); ++i) {
        auto const* const c = as_collective(code.command_at(Location{i}));
        if (c == nullptr || !code.collectives()->is_contested(Location{i})) continue;
        if (auto const id = importers::call_id_of(p->symbols(c->a))) firsts.emplace(id->rank, id->number);
    }
    std::string text;
    for (auto const& [rank, number] : firsts) text += fmt::format("written {} {}\n", rank, number);
    return text;
}

std::string poll_line(std::uint32_t rank, PlannedPoll const& p) {
    using Then = PlannedPoll::Then;
    return fmt::format("poll {} {} {} {}\n", rank, p.number, p.fails,
                       p.then == Then::fails      ? "fails"
                       : p.then == Then::succeeds ? "succeeds"
                                                  : "free");
}

std::string withdraw_line(CallId const& receive) {
    return fmt::format("withdraw {} {}\n", receive.rank, receive.number);
}

std::string choice_lines(Beginning const& b) {
    std::string text = b.poll ? poll_line(b.rank, *b.poll) : std::string();
    if (b.withdraws) text += withdraw_line(*b.withdraws);
    bool is_also = b.is_also;
    for (CallId const& call : b.completes)
        if (is_point_to_point(call))
            text += fmt::format("{} {} {}\n", std::exchange(is_also, true) ? "also" : "done", b.rank, call.number);
    return text;
}

std::int64_t number(std::string const& digits) { return to_number<std::int64_t>(digits).value_or(-1); }

} // namespace

std::optional<Wish> wanted_by(draft::Command const& c) {
    if (auto const* const r = as_rcvi(c)) return Wish{r->a, r->beta, r->sel, false};
    if (auto const* const p = as_probe(c)) return Wish{p->a, p->beta, p->sel, true};
    return std::nullopt;
}

std::uint32_t endpoint_number(draft::Endpoint const& e) {
    return static_cast<std::uint32_t>(natural(e.text).value_or(UINT32_MAX));
}

std::vector<NamedMatch> named(std::vector<CallMatch> const& matches) {
    std::vector<NamedMatch> result;
    result.reserve(matches.size());
    for (auto const& [receive, send] : matches) result.emplace_back(name_of(receive), name_of(send));
    std::sort(result.begin(), result.end());
    return result;
}

std::optional<MatchSchedule> MatchSchedule::of(draft::Draft const& program, std::vector<CallMatch> const& matches,
                                               Buffering buffering, std::vector<CallId> const& refusing,
                                               Beginning const* beginning) {
    MatchSchedule schedule;
    std::string& text = schedule.text_;
    text = "matchpoint-schedule 1\n";
    if (buffering == Buffering::zero) text += "synchronous\n";
    auto const ranks = static_cast<std::int64_t>(program.threads.size());
    auto const rank_at = [&](draft::Endpoint const& endpoint) { return number(endpoint.text) % ranks; };

    std::map<CallId, Sndi const*> sends;
    for (draft::Thread const& thread : program.threads)
        for (draft::LocatedCommand const& at : thread)
            if (auto const* const s = as_sndi(at.c))
                if (auto const id = scheduled(s->a)) sends.emplace(*id, s);
    std::map<CallId, CallId> const send_of(matches.begin(), matches.end());

    for (std::uint32_t rank = 0; rank < program.threads.size(); ++rank) {
        draft::Thread const& thread = program.threads[rank];
        std::size_t const most = beginning == nullptr ? thread.size() : beginning->commands[rank];
        for (PlannedPoll const& p : planned_polls(thread, most)) text += poll_line(rank, p);
        for (std::size_t i = 0; i < most; ++i) {
            draft::LocatedCommand const& at = thread[i];
            bool const follows = i != 0 && as_wait(thread[i - 1].c) != nullptr && is_same_call(thread, i);
            if (auto const* const a = draft::issued_action(at.c); a != nullptr && !recorded(*a)) return std::nullopt;
            if (at.choice && at.choice->is_test() && !*at.choice->result)
                if (auto const receive = cancelled_by(*at.choice)) text += withdraw_line(recorded_call(*receive));
            if (auto const* const s = as_sndi(at.c)) {
                auto const id = scheduled(s->a);
                if (!id) continue;
                if (id->rank != rank) return std::nullopt;
                std::int64_t const tag = s->tag.text.empty() ? 0 : number(s->tag.text);
                text += fmt::format("send {} {} {} {} {} {}\n", rank, id->number, rank_at(s->beta), tag, s->alpha.text,
                                    s->beta.text);
                // Of buffered sends, `synchronous` says nothing.
                bool const waits =
                    buffering == Buffering::zero && (s->mode == Mode::standard || s->mode == Mode::ready);
                if (waits || std::find(refusing.begin(), refusing.end(), *id) != refusing.end())
                    text += fmt::format("refuse {} {}\n", rank, id->number);
            } else if (auto const r = wanted_by(at.c)) {
                auto const id = scheduled(r->a);
                if (!id) continue;
                if (id->rank != rank) return std::nullopt;
                if (id->kind != CallId::Kind::probe)
                    text += fmt::format("recv {} {} {} {} {}\n", rank, id->number,
                                        r->sel.from ? rank_at(r->sel.from->front()) : -1,
                                        r->sel.tags ? number(r->sel.tags->front().text) : -1, r->beta.text);
                auto const wanted = send_of.find(*id);
                if (wanted == send_of.end()) continue;
                auto const send = sends.find(wanted->second);
                if (send == sends.end()) return std::nullopt;
                std::int64_t const tag = send->second->tag.text.empty() ? 0 : number(send->second->tag.text);
                std::string const message = fmt::format("{} {} {}\n", send->first.rank, tag, send->second->alpha.text);
                bool const is_of_probe = id->kind == CallId::Kind::probe;
                if (is_of_probe || id->kind == CallId::Kind::probed_receive)
                    text += fmt::format("look {} {} {}", rank, is_of_probe ? id->number : *id->part, message);
                if (is_of_probe) continue;
                text += fmt::format("{} {} {} {}", id->part ? "probe" : "take", rank, id->number, message);
                schedule.wanted_.push_back({*id, {send->first, endpoint_number(send->second->alpha), tag}});
            } else if (auto const* const w = as_wait(at.c)) {
                auto const id = scheduled(w->a);
                if (!id) continue;
                text += fmt::format("{} {} {}\n", follows ? "also" : "done", rank, id->number);
            }
        }
        if (beginning != nullptr && beginning->rank == rank) text += choice_lines(*beginning);
    }
    text += meetings(program, refusing);
    if (has_collective_calls(program)) text += mismatches(program);
    return schedule;
}

MatchSchedule::Followed MatchSchedule::followed_by(Recording const& run) const {
    std::map<CallId, Taken const*> taken;
    for (Rank const& rank : run.ranks)
        for (Taken const& t : rank.taken) taken.emplace(t.receive, &t);
    Followed result;
    for (auto const& [receive, wanted] : wanted_) {
        ++result.receives;
        auto const found = taken.find(receive);
        if (found == taken.end())
            result.not_reached.push_back(receive);
        else if (found->second->from != (run.api == Api::mpi ? wanted.send.rank : wanted.endpoint) ||
                 found->second->tag != wanted.tag)
            result.differences.push_back({receive, wanted.send, found->second->from, found->second->tag});
    }
    return result;
}

namespace {

/// Whether some send has a tag. If none has, a receive of tag 0 says no tag.
bool has_tags(draft::Draft const& program) {
    for (draft::Thread const& thread : program.threads)
        for (draft::LocatedCommand const& at : thread)
            if (auto const* const s = as_sndi(at.c); s != nullptr && !s->tag.text.empty()) return true;
    return false;
}

/// The same selectors, if one of two recordings has no tags: it may have ended before they were sent.
draft::Selectors without_tag_0(draft::Selectors sel) {
    if (sel.tags && sel.tags->front().text == "0") sel.tags.reset();
    return sel;
}

/// The same receive, or the same probe. Whether a probe matches depends on what follows it.
bool same_wish(Wish a, Wish b, bool agree_on_tags) {
    for (Wish* const w : {&a, &b})
        if (!agree_on_tags) w->sel = without_tag_0(w->sel);
    return a.is_probe == b.is_probe && a.beta == b.beta && a.sel == b.sel && (a.is_probe || a.a == b.a);
}

/// Whether two choices of time at the same place of a path came out in the same way. How often tests failed is not
/// told apart, but for whether the first one did.
bool same_choice(draft::Thread const& x, draft::Thread const& y, std::size_t n) {
    auto const& a = x[n].choice;
    auto const& b = y[n].choice;
    bool const is_test = a && a->is_test();
    if (is_test != (b && b->is_test())) return false;
    if (!is_test) return is_same_call(x, n) == is_same_call(y, n);
    return a->of == b->of && a->result == b->result && (a->times == 0) == (b->times == 0) && x[n].at == y[n].at &&
           a->beta == b->beta && a->from == b->from && a->tags == b->tags &&
           (a->of != ChoiceOfTime::Of::one || a->actions == b->actions);
}

/// A buffered send is a standard one whose wait comes later, once the rank has come to MPI_Buffer_detach.
bool same_mode(Mode a, Mode b) {
    auto const is_one = [](Mode m) { return m == Mode::standard || m == Mode::buffered; };
    return a == b || (is_one(a) && is_one(b));
}

/// Whether they are the same call, whatever a message carries that is not an expression of the program.
bool same_call(draft::Command const& a, draft::Command const& b, bool agree_on_tags) {
    auto const* const s = as_sndi(a);
    auto const* const t = as_sndi(b);
    auto const q = wanted_by(a);
    auto const r = wanted_by(b);
    if (q && r) return same_wish(*q, *r, agree_on_tags);
    if (s == nullptr || t == nullptr || s->e.nodes.size() != 1 || t->e.nodes.size() != 1) return a == b;
    return s->a == t->a && s->alpha == t->alpha && s->beta == t->beta && s->tag == t->tag &&
           same_mode(s->mode, t->mode);
}

bool cancels(draft::Thread const& thread, std::string const& receive) {
    return std::any_of(thread.begin(), thread.end(), [&](draft::LocatedCommand const& c) {
        return c.choice && c.choice->is_test() && cancelled_by(*c.choice) == receive;
    });
}

/// Whether command n of one path is a receive that the rank withdraws on the other one, where an assumption is in its
/// place. The paths part later, at MPI_Cancel.
bool is_withdrawn_in_one(draft::Thread const& x, draft::Thread const& y, std::size_t n) {
    auto const takes_place_of = [&](draft::LocatedCommand const& c, draft::LocatedCommand const& receive) {
        auto const* const r = as_rcvi(receive.c);
        return r != nullptr && !c.choice && c.c == draft::assume(draft::truth(true)) &&
               (cancels(x, r->a.text) || cancels(y, r->a.text));
    };
    return takes_place_of(x[n], y[n]) || takes_place_of(y[n], x[n]);
}

} // namespace

std::vector<std::size_t> common_calls(draft::Draft const& a, draft::Draft const& b) {
    bool const agree_on_tags = has_tags(a) == has_tags(b);
    std::vector<std::size_t> common(std::min(a.threads.size(), b.threads.size()));
    for (std::size_t thread = 0; thread < common.size(); ++thread) {
        auto const& x = a.threads[thread];
        auto const& y = b.threads[thread];
        std::size_t const most = std::min(x.size(), y.size());
        std::size_t& n = common[thread];
        while (n < most &&
               ((same_call(x[n].c, y[n].c, agree_on_tags) && same_choice(x, y, n)) || is_withdrawn_in_one(x, y, n)))
            ++n;
    }
    return common;
}

bool parted_by_time(draft::Thread const& a, draft::Thread const& b, std::size_t common) {
    if (common >= a.size() || common >= b.size()) return false;
    auto const failures = [&](draft::Thread const& thread) -> std::uint64_t {
        if (common == 0) return 0;
        auto const& choice = thread[common - 1].choice;
        return choice && choice->is_test() && !*choice->result ? choice->times : 0;
    };
    if (failures(a) != failures(b)) return true;
    return (a[common].choice && b[common].choice) || is_same_call(a, common) || is_same_call(b, common);
}

bool same_path(draft::Draft const& a, draft::Draft const& b) {
    if (a.threads.size() != b.threads.size()) return false;
    auto const common = common_calls(a, b);
    for (std::size_t thread = 0; thread < common.size(); ++thread)
        if (common[thread] < std::min(a.threads[thread].size(), b.threads[thread].size())) return false;
    return true;
}

std::set<CallId> receives_without_choice(draft::Draft const& program) {
    std::set<CallId> result;
    for (draft::Thread const& thread : program.threads)
        for (draft::LocatedCommand const& at : thread)
            if (auto const* const r = as_rcvi(at.c); r != nullptr && r->sel.from && r->sel.from->size() == 1)
                result.insert(recorded_call(r->a.text));
    return result;
}

std::vector<CallMatch> matches_of(Recording const& recording) {
    draft::Draft const& program = recording.program;
    // (rank or endpoint that sends, endpoint, tag) -> its sends there, in order
    std::map<std::tuple<std::uint32_t, std::string, std::string>, std::vector<CallId>> sends;
    std::vector<Wish> wishes;
    bool has_tags = false;
    for (std::uint32_t rank = 0; rank < program.threads.size(); ++rank)
        for (draft::LocatedCommand const& at : program.threads[rank])
            if (auto const* const s = as_sndi(at.c)) {
                has_tags = has_tags || !s->tag.text.empty();
                sends[{recording.api == Api::mpi ? rank : endpoint_number(s->alpha), s->beta.text,
                       s->tag.text.empty() ? "0" : s->tag.text}]
                    .push_back(recorded_call(s->a.text));
            } else if (auto wish = wanted_by(at.c)) {
                wishes.push_back(std::move(*wish));
            }
    std::map<CallId, Taken const*> taken;
    for (Rank const& rank : recording.ranks)
        for (Taken const& t : rank.taken) taken[t.receive] = &t;
    std::map<std::tuple<std::uint32_t, std::string, std::string>, std::size_t> used;
    std::vector<CallMatch> result;
    for (Wish const& r : wishes) {
        CallId const receive = recorded_call(r.a.text);
        auto const found = taken.find(receive);
        if (found == taken.end()) {
            // Nobody waited for it. It took the first message all the same, if it admits those of one rank with one
            // tag.
            if (r.sel.from && (r.sel.tags || !has_tags))
                ++used[{endpoint_number(r.sel.from->front()) % static_cast<std::uint32_t>(program.threads.size()),
                        r.beta.text, r.sel.tags ? r.sel.tags->front().text : "0"}];
            continue;
        }
        auto const key = std::tuple(found->second->from, r.beta.text, std::to_string(found->second->tag));
        std::size_t const n = receive.kind == CallId::Kind::probe ? used[key] : used[key]++;
        if (auto const s = sends.find(key); s != sends.end() && n < s->second.size())
            result.emplace_back(receive, s->second[n]);
    }
    return result;
}

} // namespace matchpoint::record
