#include "record/choices.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "executions/explorer.hpp"
#include "grammar/discipline.hpp"
#include "matching/prepared.hpp"
#include "record/predicted.hpp"

namespace matchpoint::record {

namespace {

using Of = ChoiceOfTime::Of;

bool is_test(draft::LocatedCommand const& c) { return c.choice && c.choice->is_test(); }

/// The wait of a call for one or some of several requests.
bool is_chosen_wait(draft::LocatedCommand const& c) {
    return c.choice && !c.choice->is_test() && as_wait(c.c) != nullptr && c.choice->of != Of::all;
}

std::string const& waited(draft::LocatedCommand const& c) { return as_wait(c.c)->a.text; }

bool is_of_collective(std::string const& action) {
    auto const id = importers::call_id_of(action);
    return !id || !is_point_to_point(*id);
}

/// The number of the group that each test of a rank belongs to. A test that succeeded after others had failed belongs
/// to theirs.
class Groups {
public:
    std::uint32_t of(draft::LocatedCommand const& test) {
        ChoiceOfTime const& c = *test.choice;
        auto const key = std::tuple(c.of == Of::seen ? Of::one : c.of, c.actions,
                                    test.at ? test.at->file : std::string(), test.at ? test.at->line : 0);
        if (*c.result && c.times != 0)
            if (auto const found = failed_.find(key); found != failed_.end()) return found->second;
        if (!*c.result) failed_[key] = next_;
        return next_++;
    }

private:
    std::map<std::tuple<Of, std::vector<std::string>, std::string, std::uint32_t>, std::uint32_t> failed_;
    std::uint32_t next_ = 0;
};

/// All alternatives of a rank.
class Finder {
public:
    Finder(draft::Draft const& program, std::uint32_t rank, std::uint64_t rounds, Alternatives& to)
        : rank_(rank), thread_(program.threads[rank]), rounds_(rounds), to_(to) {
        for (std::size_t i = 0; i < thread_.size(); ++i)
            if (draft::Action const* const a = draft::issued_action(thread_[i].c)) issued_[a->text] = i;
    }

    void find() {
        for (std::size_t i = 0; i < thread_.size(); ++i) {
            if (is_test(thread_[i])) {
                group_ = groups_.of(thread_[i]);
                test(i);
            } else if (is_chosen_wait(thread_[i])) {
                wait(i);
            }
        }
    }

private:
    /// Nothing says when such a call is complete: the recording has left it out, or it is a collective one.
    bool is_unknown(std::string const& action) const { return !issued_.contains(action) || is_of_collective(action); }

    std::string place_of(draft::LocatedCommand const& c) const {
        if (!c.at) return fmt::format(" of rank {}", rank_);
        std::size_t const slash = c.at->file.rfind('/');
        return fmt::format(" at {}:{} of rank {}",
                           slash == std::string::npos ? c.at->file : c.at->file.substr(slash + 1), c.at->line, rank_);
    }
    /// "the send at main.c:4", "R0_1"
    std::string call(std::string const& action) const {
        auto const found = issued_.find(action);
        if (found == issued_.end() || !thread_[found->second].at) return action;
        draft::LocatedCommand const& c = thread_[found->second];
        std::size_t const slash = c.at->file.rfind('/');
        return fmt::format("the {} at {}:{}", as_sndi(c.c) != nullptr ? "send" : "receive",
                           slash == std::string::npos ? c.at->file : c.at->file.substr(slash + 1), c.at->line);
    }

    Alternative alternative(std::size_t at, std::string_view how, std::string words) const {
        Alternative a;
        a.rank = rank_;
        a.at = at;
        a.key = fmt::format("{} {} {}", rank_, at, how);
        a.words = std::move(words);
        return a;
    }
    draft::LocatedCommand test_with(std::size_t i, bool result, std::uint64_t times) const {
        draft::LocatedCommand test = thread_[i];
        test.choice->result = result;
        test.choice->times = times;
        return test;
    }
    draft::LocatedCommand wait_with(std::string const& action, std::size_t i) const {
        draft::LocatedCommand wait(draft::wait(action), {}, thread_[i].at);
        ChoiceOfTime choice = *thread_[i].choice;
        choice.result.reset();
        choice.times = 0;
        if (choice.actions.size() > 1 && (choice.of == Of::among || choice.of == Of::some)) wait.choice = choice;
        return wait;
    }

    void test(std::size_t i) {
        ChoiceOfTime const& c = *thread_[i].choice;
        if (auto const receive = cancelled_by(c)) return cancel(i, *receive);
        std::string const what = (c.of == Of::seen ? "the probe" : "the test") + place_of(thread_[i]);
        if (!*c.result) return fails(i, what);
        if (c.of == Of::one && !issued_.contains(c.actions.front()))
            return; // it tests no message, or one that it has seen
        for (std::uint64_t r = 1; r <= rounds_; ++r) {
            bool const is_first = c.times == 0 && r == 1;
            std::string words = what + (c.of == Of::seen ? " sees no message" : " is false");
            if (!is_first) words += fmt::format(" {} times", c.times + r);
            Alternative a = alternative(i, fmt::format("false {}", r), std::move(words));
            a.poll = {group_, c.times + r, PlannedPoll::Then::succeeds};
            if (is_first) a.instead = {test_with(i, false, 1), test_with(i, true, 1)};
            to_.all.push_back(std::move(a));
        }
    }

    /// MPI_Cancel can come in time where it came too late, and the other way round.
    void cancel(std::size_t i, std::string const& receive) {
        ChoiceOfTime const& c = *thread_[i].choice;
        std::string const what = "the cancel" + place_of(thread_[i]);
        if (*c.result) {
            Alternative a = alternative(i, "in time", what + " comes in time");
            a.instead = {test_with(i, false, 1)};
            a.withdraws = receive;
            to_.all.push_back(std::move(a));
        } else {
            Alternative a = alternative(i, "too late", what + " comes too late");
            a.poll = {group_, 0, PlannedPoll::Then::succeeds};
            a.probe = probe_of(c);
            a.instead = {test_with(i, true, 0)};
            to_.all.push_back(std::move(a));
        }
    }

    /// A test that failed can be true at once.
    void fails(std::size_t i, std::string const& what) {
        ChoiceOfTime const& c = *thread_[i].choice;
        auto const add = [&](std::vector<std::string> completes, std::string_view how, std::string words) {
            Alternative a = alternative(i, how, std::move(words));
            a.poll = {group_, 0, PlannedPoll::Then::succeeds};
            a.instead = {test_with(i, true, 0)};
            for (std::string const& action : completes) a.instead.push_back(wait_with(action, i));
            a.returns_no_more = c.of == Of::some;
            a.completes = std::move(completes);
            to_.all.push_back(std::move(a));
        };
        if (c.of == Of::seen) {
            add({}, "true", what + " sees a message at once");
            to_.all.back().probe = probe_of(c);
            return;
        }
        if (c.of == Of::one || c.of == Of::all) return add(c.actions, "true", what + " is true at once");
        for (std::string const& action : c.actions)
            if (is_of_collective(action))
                ++to_.not_modelled;
            else
                add({action}, "true " + action, fmt::format("{} finds {} at once", what, call(action)));
    }

    static draft::Command probe_of(ChoiceOfTime const& c) {
        draft::Selectors sel;
        if (c.from) {
            sel.from.emplace();
            for (std::string const& alpha : *c.from) sel.from->push_back(draft::Endpoint(alpha));
        }
        if (c.tags) {
            sel.tags.emplace();
            for (std::string const& n : *c.tags) sel.tags->push_back(draft::Tag(n));
        }
        return grammar::ProbeOf<draft::Text>{c.actions.front(), c.beta, std::move(sel), false};
    }

    void wait(std::size_t i) {
        ChoiceOfTime const& c = *thread_[i].choice;
        std::string const what = (i != 0 && is_test(thread_[i - 1]) ? "the test" : "the wait") + place_of(thread_[i]);
        if (is_same_call(thread_, i)) {
            Alternative a =
                alternative(i, "no more", fmt::format("{} does not return {}", what, call(waited(thread_[i]))));
            a.returns_no_more = true;
            a.poll = poll_before(i);
            to_.all.push_back(std::move(a));
        } else {
            for (std::string const& action : c.actions) {
                if (action == waited(thread_[i])) continue;
                if (is_unknown(action) || is_of_collective(waited(thread_[i]))) {
                    ++to_.not_modelled;
                    continue;
                }
                Alternative a = alternative(i, action, fmt::format("{} returns {}", what, call(action)));
                a.completes = {action};
                a.instead = {wait_with(action, i)};
                a.returns_no_more = c.of == Of::some;
                a.poll = poll_before(i);
                to_.all.push_back(std::move(a));
            }
        }
        bool const is_last = i + 1 == thread_.size() || !is_same_call(thread_, i + 1);
        if (c.of == Of::some && is_last) more(i, what);
    }

    /// The call can return one more. All sets of requests come from one by adding requests in the order of the call.
    void more(std::size_t i, std::string const& what) {
        ChoiceOfTime const& c = *thread_[i].choice;
        auto next = std::find(c.actions.begin(), c.actions.end(), waited(thread_[i]));
        for (next = next == c.actions.end() ? next : next + 1; next != c.actions.end(); ++next) {
            if (is_unknown(*next)) {
                ++to_.not_modelled;
                continue;
            }
            if (returned(i, *next)) continue;
            Alternative a = alternative(i + 1, "also " + *next, fmt::format("{} returns {}, too", what, call(*next)));
            a.completes = {*next};
            a.is_also = true;
            a.instead = {wait_with(*next, i)};
            a.returns_no_more = true;
            a.poll = poll_before(i);
            to_.all.push_back(std::move(a));
        }
    }

    /// Whether the call that wait i belongs to returned a request.
    bool returned(std::size_t i, std::string const& action) const {
        while (true) {
            if (waited(thread_[i]) == action) return true;
            if (!is_same_call(thread_, i)) return false;
            --i;
        }
    }

    /// The test that returned what wait i is for. None if that was a wait.
    std::optional<PlannedPoll> poll_before(std::size_t i) const {
        while (i != 0 && is_same_call(thread_, i)) --i;
        if (i == 0 || !is_test(thread_[i - 1]) || !*thread_[i - 1].choice->result) return std::nullopt;
        return PlannedPoll{group_, thread_[i - 1].choice->times, PlannedPoll::Then::succeeds};
    }

    std::uint32_t rank_;
    draft::Thread const& thread_;
    std::uint64_t rounds_;
    Alternatives& to_;
    Groups groups_;
    std::uint32_t group_ = 0;                   // of the last test
    std::map<std::string, std::size_t> issued_; // action -> its command
};

/// What an alternative completes, as far as the recording has it: it may have left out receives that were not
/// completed. A test waits for those only for a while.
std::vector<std::string> known_of(Alternative const& a, draft::Thread const& thread) {
    std::vector<std::string> result;
    for (std::string const& action : a.completes)
        if (std::any_of(thread.begin(), thread.end(), [&](draft::LocatedCommand const& c) {
                draft::Action const* const issued = draft::issued_action(c.c);
                return issued != nullptr && issued->text == action;
            }))
            result.push_back(action);
    return result;
}

/// Leaves out a receive and its wait. What is read of it later is never evaluated.
void withdraw(draft::Thread& thread, std::string const& receive) {
    for (draft::LocatedCommand& c : thread)
        if (auto const* const r = as_rcvi(c.c); r != nullptr && r->a.text == receive) {
            c.c = draft::assign(r->x, draft::number(0));
        } else if (as_wait(c.c) != nullptr && waited(c) == receive) {
            c.c = draft::assume(draft::truth(true));
            c.choice = {};
        }
}

/// The program in which a rank stops before an alternative, once what is to be complete then can be.
draft::Draft stopped_before(draft::Draft program, Alternative const& a) {
    program.traces.clear();
    draft::Thread& thread = program.threads[a.rank];
    auto const begin = thread.begin() + static_cast<std::ptrdiff_t>(a.at);
    auto const is_moved = [&](draft::LocatedCommand const& c) {
        return as_wait(c.c) != nullptr &&
               std::find(a.completes.begin(), a.completes.end(), waited(c)) != a.completes.end();
    };
    thread.erase(std::remove_if(begin, thread.end(), is_moved), thread.end());
    if (!a.withdraws.empty()) withdraw(thread, a.withdraws);
    draft::Thread inserted;
    for (std::string const& action : known_of(a, thread)) inserted.emplace_back(draft::wait(action));
    if (a.probe) inserted.emplace_back(*a.probe);
    inserted.emplace_back(draft::assume(draft::truth(false)));
    thread.insert(thread.begin() + static_cast<std::ptrdiff_t>(a.at), inserted.begin(), inserted.end());
    for (draft::Thread& t : program.threads)
        for (draft::LocatedCommand& c : t) c.rho.clear();
    return program;
}

} // namespace

Alternatives alternatives(draft::Draft const& program, std::uint64_t rounds) {
    Alternatives result;
    for (std::uint32_t rank = 0; rank < program.threads.size(); ++rank) Finder(program, rank, rounds, result).find();
    return result;
}

WayTo way_to(draft::Draft const& path, Alternative const& a, std::uint64_t steps, std::function<bool()> const& stop) {
    WayTo result;
    Program program = draft::valid_program_of(stopped_before(path, a));
    Diagnostics const faults = check_discipline(program, nullptr, Severity::error);
    Prepared const prepared(Source("", ""), std::move(program));
    bool const is_wrong =
        std::any_of(faults.begin(), faults.end(), [](Diagnostic const& d) { return d.severity == Severity::error; });
    if (is_wrong || prepared.messages.may_lack_receives()) {
        result.is_known = false;
        return result;
    }
    Explorer::Options options;
    options.runs = Runs::executions;
    options.stop = stop;
    Explorer explorer(prepared.messages, options);
    std::size_t const inserted = known_of(a, path.threads[a.rank]).size() + (a.probe ? 1 : 0);
    std::uint32_t const target =
        prepared.code.ctp().threads[a.rank].first + static_cast<std::uint32_t>(a.at + inserted);
    try {
        while (explorer.next(steps)) {
            State const& state = explorer.state();
            if (state.ctp[a.rank] != target) continue;
            Beginning& b = result.beginning.emplace();
            b.rank = a.rank;
            b.is_also = a.is_also;
            b.poll = a.poll;
            for (std::string const& action : a.completes) b.completes.push_back(recorded_call(action));
            if (!a.withdraws.empty()) b.withdraws = recorded_call(a.withdraws);
            for (std::uint32_t rank = 0; rank < path.threads.size(); ++rank)
                b.commands.push_back(rank == a.rank ? a.at : state.ctp[rank] - prepared.code.ctp().threads[rank].first);
            result.matches = matches_in(prepared, state);
            return result;
        }
    } catch (LimitReached const&) {
        result.is_known = false;
        return result;
    }
    result.is_known = explorer.done();
    return result;
}

bool has(draft::Draft const& path, draft::Draft const& other, Alternative const& a, Beginning const& beginning) {
    if (a.instead.empty() && !a.returns_no_more) return false;
    if (path.threads.size() != other.threads.size()) return false;
    auto const common = common_calls(path, other);
    for (std::uint32_t rank = 0; rank < common.size(); ++rank)
        if (common[rank] < beginning.commands[rank]) return false;
    draft::Thread const& thread = other.threads[a.rank];
    draft::Draft expected{
        .threads = {draft::Thread(thread.begin(), thread.begin() + static_cast<std::ptrdiff_t>(a.at))}};
    expected.threads[0].insert(expected.threads[0].end(), a.instead.begin(), a.instead.end());
    std::size_t const end = expected.threads[0].size();
    if (thread.size() < end || common_calls(expected, {.threads = {thread}})[0] < end) return false;
    return !a.returns_no_more || (end < thread.size() && !is_same_call(thread, end));
}

std::vector<PlannedPoll> planned_polls(draft::Thread const& thread, std::size_t commands) {
    // What follows the last tests is not there: one of them may have succeeded later.
    std::size_t decided = commands;
    if (commands != thread.size())
        while (decided != 0 && is_test(thread[decided - 1])) --decided;
    std::map<std::uint32_t, PlannedPoll> found;
    Groups groups;
    for (std::size_t i = 0; i < commands; ++i) {
        if (!is_test(thread[i])) continue;
        std::uint32_t const group = groups.of(thread[i]);
        using Then = PlannedPoll::Then;
        Then const then = i >= decided ? Then::free : *thread[i].choice->result ? Then::succeeds : Then::fails;
        found[group] = {group, thread[i].choice->times, then};
    }
    std::vector<PlannedPoll> result;
    result.reserve(found.size());
    for (auto const& [group, poll] : found) result.push_back(poll);
    return result;
}

bool is_same_call(draft::Thread const& thread, std::size_t wait) {
    if (wait == 0 || wait >= thread.size()) return false;
    auto const* const before = as_wait(thread[wait - 1].c);
    auto const& choice = thread[wait].choice;
    bool const are_waits = before != nullptr && as_wait(thread[wait].c) != nullptr;
    if (!are_waits || !choice || choice->is_test() || choice->of != Of::some) return false;
    auto const& among = choice->actions;
    return std::find(among.begin(), among.end(), before->a.text) != among.end();
}

} // namespace matchpoint::record
