#include "record/threads/replay.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/overloaded.hpp"
#include "programs/draft.hpp"
#include "record/threads/format.h"

namespace matchpoint::record::threads {

namespace {

/// What an event may be.
enum What : unsigned {
    load = matchpoint_replayed_load,
    store = matchpoint_replayed_store,
    update = matchpoint_replayed_update,
    branch = matchpoint_replayed_branch,
    create = matchpoint_replayed_create,
    join = matchpoint_replayed_join,
    object = matchpoint_replayed_object,
    outside = matchpoint_replayed_outside
};
constexpr unsigned anything = 255;

struct EventName {
    std::uint32_t thread = 0, event = 0;
    bool is_main = true; // it has no letters
    bool is_serial = false;
};

std::optional<std::uint32_t> take_number(std::string_view& text) {
    std::uint32_t n = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return n;
}

/// "t1.17", "t1.17a"; "t1.17S" of a thread that got PTHREAD_BARRIER_SERIAL_THREAD
std::optional<EventName> event_name(std::string_view text) {
    if (!text.starts_with('t')) return std::nullopt;
    text.remove_prefix(1);
    auto const thread = take_number(text);
    if (!thread || !text.starts_with('.')) return std::nullopt;
    text.remove_prefix(1);
    auto const event = take_number(text);
    if (event && text == "S") return EventName{*thread, *event, true, true};
    bool const has_letters = std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (!event || !has_letters) return std::nullopt;
    return EventName{*thread, *event, text.empty()};
}

/// What commands say of their events.
class Reading {
public:
    explicit Reading(draft::Draft const& program) {
        for (draft::SharedVariable const& s : program.shared) shared_.insert(s.x.text);
        // The first command of a thread waits until it is created.
        for (std::uint32_t t = 0; t < program.threads.size(); ++t) {
            if (program.threads[t].empty()) continue;
            auto const* const g = std::get_if<grammar::GuardedOf<draft::Text>>(&program.threads[t].front().c);
            if (g == nullptr || !g->blocks || !g->assigned.empty()) continue;
            if (auto const name = event_name(program.threads[t].front().rho); !name || name->event != 0) continue;
            draft::for_each_variable(g->e, [&](draft::Variable const& x) { created_by_[x.text] = t; });
        }
    }

    void look_at(draft::Command const& c) {
        mentioned_.clear();
        assigns_shared_ = false;
        creates_ = 0;
        std::visit([this](auto const& command) { of(command); }, c);
    }
    unsigned what() const { return what_; }
    std::uint32_t creates() const { return creates_; }
    bool is_shared() const { return !mentioned_.empty(); }
    bool assigns_shared() const { return assigns_shared_; }
    /// The shared variable, if there is only one and if it has an address.
    std::optional<std::string> variable() const {
        if (mentioned_.size() != 1 || creates_ != 0) return std::nullopt;
        return *mentioned_.begin();
    }

private:
    void mention(draft::Expression const& e) {
        draft::for_each_variable(e, [this](draft::Variable const& x) {
            if (shared_.contains(x.text)) mentioned_.insert(x.text);
        });
    }
    void assign(draft::Variable const& x) {
        if (!shared_.contains(x.text)) return;
        mentioned_.insert(x.text);
        assigns_shared_ = true;
    }

    void of(grammar::AssumeOf<draft::Text> const& c) {
        mention(c.e);
        what_ = is_shared() ? update | object | branch : branch;
    }
    void of(grammar::AssertOf<draft::Text> const& c) {
        mention(c.e);
        what_ = is_shared() ? object | branch : c.e.nodes.size() == 1 ? anything : branch;
    }
    void of(grammar::AssignOf<draft::Text> const& c) {
        mention(c.e);
        bool const reads = is_shared();
        assign(c.x);
        if (auto const made = created_by_.find(c.x.text); made != created_by_.end()) {
            creates_ = made->second;
            what_ = create;
        } else if (assigns_shared_) {
            what_ = reads ? update | object : store | update | object | outside;
        } else {
            what_ = reads ? load | update : anything;
        }
    }
    void of(grammar::GuardedOf<draft::Text> const& c) {
        mention(c.e);
        for (draft::Assignment const& a : c.assigned) {
            mention(a.e);
            assign(a.x);
        }
        if (c.blocks)
            what_ = c.assigned.empty() ? join | object : object;
        else
            what_ = assigns_shared_ ? store | update | object | outside : load | update | object;
    }
    void of(auto const&) { what_ = anything; }

    std::set<std::string, std::less<>> shared_;
    std::map<std::string, std::uint32_t, std::less<>> created_by_; // variable -> thread that it creates
    std::set<std::string, std::less<>> mentioned_;                 // shared variables of the command
    bool assigns_shared_ = false;
    std::uint32_t creates_ = 0;
    unsigned what_ = anything;
};

/// A wait takes a signal, and then the mutex. It ends when it has both.
bool takes_the_mutex(draft::LocatedCommand const& at, ScheduledEvent const& e, Reading& reading) {
    auto const name = event_name(at.rho);
    auto const* const g = std::get_if<grammar::GuardedOf<draft::Text>>(&at.c);
    if (!name || name->is_main || name->event != e.event || g == nullptr || g->assigned.empty()) return false;
    reading.look_at(at.c);
    return reading.assigns_shared();
}

bool is_true(draft::Expression const& e) { return e.nodes.size() == 1 && std::holds_alternative<Value>(e.nodes[0]); }

} // namespace

Expected<ThreadSchedule, std::string> ThreadSchedule::of(matching::Prepared const& prepared, std::size_t t,
                                                         bool fails) {
    draft::Draft const program = draft::draft_of(prepared.program);
    ThreadSchedule s;
    s.threads_ = program.threads.size();
    std::unordered_map<std::string_view, std::int64_t> place; // of the commands of the trace
    auto const& trace = program.traces[t];
    for (std::size_t i = 0; i < trace.size(); ++i) place.emplace(trace[i].rho, static_cast<std::int64_t>(i));
    auto const place_of = [&](std::string_view rho) {
        auto const at = place.find(rho);
        return at == place.end() ? INT64_MAX : at->second;
    };

    Reading reading(program);
    std::map<std::string, std::int32_t, std::less<>> variables;
    for (std::uint32_t thread = 0; thread < program.threads.size(); ++thread) {
        draft::Thread const& commands = program.threads[thread];
        for (std::size_t i = 0; i < commands.size(); ++i) {
            draft::LocatedCommand const& at = commands[i];
            auto const name = event_name(at.rho);
            if (!name || name->thread != thread)
                return Unexpected{fmt::format("`{}` is not the event of a thread", printable(at.rho, 100))};
            if (!name->is_main) {
                // What the program does not have of a thread up to its end, say, is not beyond the trace.
                bool const is_new =
                    s.events_.empty() || s.events_.back().thread != thread || s.events_.back().event < name->event;
                if (is_new && name->event > 0 && place.contains(at.rho))
                    s.events_.push_back({.thread = thread, .event = name->event, .command = i, .what = anything});
                continue;
            }
            bool const is_serial = name->is_serial;
            ScheduledEvent e{.thread = thread, .event = name->event, .command = i, .order = place_of(at.rho)};
            reading.look_at(at.c);
            e.what = reading.what();
            e.creates = reading.creates();
            e.line = at.at ? at.at->line : 0;
            bool const is_last = !trace.empty() && at.rho == trace.back().rho;
            if (!reading.is_shared() && !is_last && e.order != INT64_MAX) e.order = -1;
            if (auto const x = reading.variable())
                e.variable = variables.emplace(*x, static_cast<std::int32_t>(variables.size())).first->second;
            for (std::size_t j = i + 1; j < commands.size() && event_name(commands[j].rho) &&
                                        !event_name(commands[j].rho)->is_main && e.order >= 0;
                 ++j)
                if (takes_the_mutex(commands[j], e, reading)) {
                    auto const* const g = std::get_if<grammar::GuardedOf<draft::Text>>(&at.c);
                    e.order = place_of(commands[j].rho);
                    e.outcome = g != nullptr && !g->blocks && is_true(g->e);
                }
            e.outcome = e.outcome || is_serial;
            if (!s.events_.empty() && s.events_.back().thread == thread && s.events_.back().event == e.event)
                s.events_.pop_back();
            s.events_.push_back(e);
        }
    }
    s.variables_ = variables.size();

    // Places in the trace become places in the order.
    std::vector<ScheduledEvent*> in_order;
    for (ScheduledEvent& e : s.events_)
        if (e.order >= 0 && e.order != INT64_MAX) in_order.push_back(&e);
    std::sort(in_order.begin(), in_order.end(), [](auto const* a, auto const* b) { return a->order < b->order; });
    s.ordered_ = in_order.size();
    for (std::size_t i = 0; i < in_order.size(); ++i) in_order[i]->order = static_cast<std::int64_t>(i);
    for (ScheduledEvent& e : s.events_)
        if (e.order == INT64_MAX) e.order = static_cast<std::int64_t>(s.ordered_);
    if (fails && !trace.empty())
        if (auto const name = event_name(trace.back().rho)) s.let_go_first(name->thread, name->event);
    return s;
}

void ThreadSchedule::end_with(std::uint32_t thread, std::uint32_t event, std::optional<bool> without_signal) {
    auto const held = static_cast<std::int64_t>(ordered_++);
    for (ScheduledEvent& e : events_) {
        bool const is_it = e.thread == thread && e.event == event;
        if (is_it) e.order = held;
        if (is_it && without_signal) e.outcome = *without_signal;
        if (e.order == held && !is_it) e.order = held + 1;
    }
}

std::uint32_t ThreadSchedule::event_of(std::string_view location) {
    auto const name = event_name(location);
    return name ? name->event : 0;
}

ScheduledEvent const* ThreadSchedule::find(std::uint32_t thread, std::uint32_t event) const {
    auto const at =
        std::lower_bound(events_.begin(), events_.end(), std::pair(thread, event),
                         [](ScheduledEvent const& e, auto const& key) { return std::pair(e.thread, e.event) < key; });
    return at != events_.end() && at->thread == thread && at->event == event ? &*at : nullptr;
}

std::string ThreadSchedule::text(std::chrono::duration<double> patience) const {
    std::string text =
        fmt::format("matchpoint threads schedule 2 threads {} steps {} ordered {} variables {} first {} after {} "
                    "patience {}\n",
                    threads_, events_.size(), ordered_, variables_, first_, after_,
                    std::chrono::duration_cast<std::chrono::milliseconds>(patience).count());
    for (ScheduledEvent const& e : events_)
        fmt::format_to(std::back_inserter(text), "{} {} {} {} {} {} {} {}\n", e.thread, e.event, e.order, e.what,
                       e.line, e.variable, e.creates, e.outcome ? 1 : 0);
    return text;
}

std::optional<ReplayReport> replay_report(std::filesystem::path const& folder) {
    auto const text = read_file((folder / "replay").string());
    if (!text || text->size() < 8) return std::nullopt;
    ReplayReport r;
    std::uint32_t has_diverged = 0;
    std::memcpy(&r.done, text->data(), 4);
    std::memcpy(&has_diverged, text->data() + 4, 4);
    if (has_diverged == 0) return r;
    ReplayReport::Divergence d;
    std::string_view rest = std::string_view(*text).substr(8);
    rest = rest.substr(0, rest.find('\0'));
    for (std::uint32_t* const field : {&d.thread, &d.event, &d.line}) {
        *field = take_number(rest).value_or(0);
        if (rest.starts_with(' ')) rest.remove_prefix(1);
    }
    std::size_t const end = std::min(rest.find('\n'), rest.size());
    d.file = rest.substr(0, end);
    d.what = rest.substr(std::min(end + 1, rest.size()));
    r.diverged = std::move(d);
    return r;
}

} // namespace matchpoint::record::threads
