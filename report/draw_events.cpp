// Runs for other viewers (docs/formats.md): logs for ShiViz, trace events for Chrome and Perfetto, and states in ITF,
// the format of Apalache and Quint.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/draw.hpp"
#include "report/json.hpp"
#include "report/shared_diagram.hpp"

namespace matchpoint::report {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// ShiViz

/// A vector clock: host -> how many of its events are known. A thread knows its own events, and those that its messages
/// brought.
using Clock = std::map<std::uint32_t, std::uint32_t>;

void merge(Clock& into, Clock const& other) {
    for (auto const& [host, count] : other) {
        std::uint32_t& known = into[host];
        known = std::max(known, count);
    }
}

void shiviz_run(std::string& out, Drawing const& drawing, Drawing::Run const& run) {
    constexpr std::size_t most_components = std::size_t{1} << 26U; // of clocks that are kept for messages
    IndexedProgram const& code = drawing.code;
    Diagram const& d = run.diagram();
    std::vector<Clock> clocks(code.ctp().threads.size());
    std::vector<Clock> at_issue(code.ctp().issued_by.size()); // action -> the clock of its sndi or rcvi
    std::vector<Action> receive_of(at_issue.size());          // of a send: its partner
    std::map<std::uint32_t, Clock> before_barrier; // its first occurrence -> what its threads knew together before it
    for (Diagram::Message const& m : d.messages)
        if (m.receive != Diagram::none) receive_of[m.a_s.index] = d.receives[m.receive].a_r;
    std::map<std::uint32_t, Clock> at_write; // shared variable -> the clock of its last write
    auto written = d.reads_from.writes.begin();
    std::size_t components = 0;
    auto const count = [&](Clock const& kept) {
        components += kept.size();
        if (components > most_components) throw LimitReached("too many threads and messages for a ShiViz log");
    };
    // Where the first thread passes a barrier, all have come.
    auto const known_before = [&](std::span<Location const> meeting) -> Clock const& {
        auto const [known, is_new] = before_barrier.try_emplace(meeting.front().index);
        for (Location const rho : is_new ? meeting : std::span<Location const>())
            merge(known->second, clocks[code.thread_of(rho)]);
        if (is_new) count(known->second);
        return known->second;
    };
    for (std::uint32_t r = 0; r < run.rows(); ++r) {
        Diagram::Row const& row = d.rows[r];
        if (row.thread == Diagram::none) continue;
        Clock& clock = clocks[row.thread];
        auto const meeting = row.kind == Diagram::Kind::step ? code.meeting_at(row.rho) : std::span<Location const>();
        if (!meeting.empty()) merge(clock, known_before(meeting));
        for (ReadsFrom::Read const& read : d.reads_from.of(r))
            if (read.from != ReadsFrom::initial) merge(clock, at_write.at(read.x.index));
        ++clock[row.thread];
        for (; written != d.reads_from.writes.end() && written->step == r; ++written) {
            Clock& kept = at_write[written->x.index];
            components -= kept.size();
            count(clock);
            kept = clock;
        }
        auto const keep = [&](Action a) {
            count(clock);
            at_issue[a.index] = clock;
        };
        for (Diagram::Point const& p : d.points_of(r)) {
            if (p.kind == Diagram::Point::Kind::completed) {
                Clock& sent = at_issue[d.messages[d.receives[p.index].message].a_s.index];
                merge(clock, sent);
                sent.clear();
            } else if (p.kind == Diagram::Point::Kind::sent) {
                keep(d.messages[p.index].a_s);
            } else if (p.kind == Diagram::Point::Kind::posted &&
                       (drawing.runs.front().buffering == Buffering::zero || code.synchronizes())) {
                keep(d.receives[p.index].a_r);
            }
        }
        // With zero buffering, or for a synchronous send, a wait ends when the receive has been posted.
        auto const* const wait = as_wait(code.command_at(row.rho));
        if (wait != nullptr && row.kind == Diagram::Kind::step && code.as_sndi(wait->a) != nullptr &&
            waits_for_receive(code, drawing.runs.front().buffering, wait->a) && !receive_of[wait->a.index].is_none())
            merge(clock, at_issue[receive_of[wait->a.index].index]);
        out += fmt::format("entry {}, {}: {}{}{}\nthread{} {{", row.entry, shown(code, row.rho), row_text(d, code, r),
                           row.why.empty() ? "" : "; ", row.why, row.thread);
        char const* separator = "";
        for (auto const& [host, count] : clock) {
            out += fmt::format("{}\"thread{}\":{}", separator, host, count);
            separator = ", ";
        }
        out += "}\n";
        check_size(out, "shiviz");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Trace events

/// An entry of the trace takes a millisecond.
constexpr std::uint64_t tick = 1000;

class TraceEvents {
public:
    explicit TraceEvents(Drawing const& drawing)
        : drawing_(drawing), code_(drawing.code), run_(drawing.runs.front()), d_(run_.diagram()) {}

    std::string text() {
        names();
        for (std::uint32_t r = 0; r < run_.rows(); ++r) row(r);
        for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t)
            if (d_.stands_at_wait(code_, t) && !is_stuck(t)) {
                std::uint64_t const begin = d_.last[t] == Diagram::none ? 0 : (d_.last[t] + 1) * tick;
                Location const rho = d_.next(code_, t);
                add("X", begin, t, shown(code_, code_.command_at(rho)),
                    {{"cat", "wait"},
                     {"dur", std::max(run_.rows() * tick, begin + tick) - begin}, // one tick if it ends with the run
                     {"args", {{"location", shown(code_, rho)}, {"unfinished", true}}}});
            }
        for (std::uint32_t i = 0; i < d_.messages.size(); ++i) message(i);
        shared();
        std::stable_sort(events_.begin(), events_.end(),
                         [](auto const& a, auto const& b) { return a.first < b.first; });

        Json const about = {{"file", drawing_.name},
                            {"trace", run_.number},
                            {"buffering", to_string(run_.buffering)},
                            {"status", to_string(d_.s)},
                            {"time", "one millisecond for each entry of the trace"}};
        std::string out = "{\"displayTimeUnit\": \"ms\",\n\"otherData\": " + compact(about) + ",\n\"traceEvents\": [\n";
        for (std::size_t i = 0; i < events_.size(); ++i)
            out += events_[i].second + (i + 1 < events_.size() ? ",\n" : "\n");
        return out + "]}\n";
    }

private:
    void add(char const* phase, std::uint64_t ts, std::uint32_t thread, std::string const& name, Json const& more) {
        Json event = {
            {"ph", phase}, {"ts", ts}, {"pid", 1}, {"tid", thread == Diagram::none ? 0 : thread + 1}, {"name", name}};
        event.update(more);
        events_.emplace_back(ts, compact(event));
    }

    void names() {
        add("M", 0, Diagram::none, "process_name",
            {{"args", {{"name", fmt::format("{}, trace {}: {}", drawing_.name, run_.number, run_.ending())}}}});
        for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t) {
            add("M", 0, t, "thread_name", {{"args", {{"name", fmt::format("thread {}", t)}}}});
            add("M", 0, t, "thread_sort_index", {{"args", {{"sort_index", t}}}});
        }
    }

    bool is_stuck(std::uint32_t thread) const {
        if (d_.rows.empty()) return false;
        Diagram::Row const& row = d_.rows.back();
        return row.kind == Diagram::Kind::stuck && row.thread == thread && row.rho == d_.next(code_, thread);
    }

    void row(std::uint32_t r) {
        Diagram::Row const& row = d_.rows[r];
        std::uint64_t const ts = r * tick;
        if (row.thread != Diagram::none) {
            // A thread waits from the end of its previous command. (A stuck entry may not be its next command.)
            bool const waits = is_wait(code_, row) && (row.kind == Diagram::Kind::step || is_stuck(row.thread));
            std::uint64_t const begin = !waits ? ts : row.since == Diagram::none ? 0 : (row.since + 1) * tick;
            Json args = {{"entry", row.entry}, {"location", shown(code_, row.rho)}, {"status", to_string(row.after)}};
            if (!row.why.empty()) args["why"] = row.why;
            add("X", begin, row.thread, row_text(d_, code_, r),
                {{"cat", waits ? "wait" : "command"}, {"dur", ts + tick - begin}, {"args", std::move(args)}});
        }
        char const* what = nullptr;
        switch (row.kind) {
        case Diagram::Kind::step: break;
        case Diagram::Kind::failed_assertion: what = "assertion does not hold"; break;
        case Diagram::Kind::failed_assumption: what = "assumption does not hold"; break;
        case Diagram::Kind::stuck: what = "stuck"; break;
        case Diagram::Kind::unfinished: what = "limit reached"; break;
        }
        if (what != nullptr)
            add("i", ts, row.thread, what, {{"cat", "finding"}, {"s", "g"}, {"args", {{"why", row.why}}}});
        for (Diagram::Point const& p : d_.points_of(r)) {
            switch (p.kind) {
            case Diagram::Point::Kind::sent: ++in_transit_; break;
            case Diagram::Point::Kind::delivered:
                --in_transit_;
                ++delivered_;
                break;
            case Diagram::Point::Kind::completed: --delivered_; break;
            case Diagram::Point::Kind::posted: break;
            }
        }
        if (!d_.points_of(r).empty())
            add("C", ts + tick / 2, Diagram::none, "messages",
                {{"args", {{"in transit", in_transit_}, {"delivered", delivered_}}}});
    }

    void message(std::uint32_t i) {
        Diagram::Message const& m = d_.messages[i];
        std::string const name = message_text(code_, m);
        if (m.delivered != Diagram::none)
            add("i", m.delivered * tick, d_.receiver(code_, m), "delivered " + name,
                {{"cat", "delivery"}, {"s", d_.receiver(code_, m) == Diagram::none ? "p" : "t"}});
        std::uint32_t const done = m.receive == Diagram::none ? Diagram::none : d_.receives[m.receive].completed;
        if (done == Diagram::none) return;
        add("s", m.sent * tick + tick / 2, d_.sender(code_, m), name, {{"cat", "message"}, {"id", i + 1}});
        add("f", done * tick + tick / 2, d_.rows[done].thread, name, {{"cat", "message"}, {"id", i + 1}, {"bp", "e"}});
    }

    /// Reads-from as flows, like messages; locks as asynchronous slices, which need not nest with those of commands.
    void shared() {
        SharedDiagram const shared = shared_diagram(d_, code_);
        std::size_t id = d_.messages.size();
        for (SharedDiagram::Arrow const& a : shared.arrows) {
            Json const about = {{"cat", "reads-from"}, {"id", ++id}};
            add("s", a.from * tick + tick / 2, d_.rows[a.from].thread, arrow_text(code_, a), about);
            Json end = about;
            end["bp"] = "e";
            add("f", a.to * tick + tick / 2, d_.rows[a.to].thread, arrow_text(code_, a), end);
        }
        for (SharedDiagram::Held const& h : shared.held) {
            std::string const name = fmt::format("thread {} holds {}", h.thread, shown(code_, h.lock));
            Json const about = {{"cat", "lock"}, {"id", ++id}};
            add("b", h.from * tick, h.thread, name, about);
            add("e", (h.to == Diagram::none ? run_.rows() : h.to + 1) * tick, h.thread, name, about);
        }
    }

    Drawing const& drawing_;
    IndexedProgram const& code_;
    Drawing::Run const& run_;
    Diagram const& d_;
    std::uint32_t in_transit_ = 0;
    std::uint32_t delivered_ = 0;
    std::vector<std::pair<std::uint64_t, std::string>> events_;
};

// ---------------------------------------------------------------------------------------------------------------------
// ITF

Json bigint(std::string digits) { return {{"#bigint", std::move(digits)}}; }
Json variant(char const* tag, Json value) { return {{"tag", tag}, {"value", std::move(value)}}; }
Json map_of(Json pairs) { return {{"#map", std::move(pairs)}}; }

Json itf(Value const& v) {
    if (v.is_boolean()) return variant("Bool", v.is_true());
    return variant("Int", bigint(v.to_string()));
}

bool has_sources(IndexedProgram const& code) { return !code.ctp().selectors.empty(); }
bool has_tags(IndexedProgram const& code) { return code.names().tags.size() > 0; }

class ItfStates final : public Observer {
public:
    explicit ItfStates(IndexedProgram const& code) : code_(code) { add(State(code)); }

    void on(State const& state, Event const& event) override {
        bool const ends =
            std::holds_alternative<event::MachineStep>(event) || std::holds_alternative<event::StuckAt>(event);
        if (ends && text.size() <= largest_picture) add(state);
    }

    std::string text;

private:
    std::string name(auto id) const { return std::string(code_.names()(id)); }

    /// [a v]; in Q_s with its source, if the program has selectors, and with its tag, if it has tags.
    Json message(Action a_s, Json v, bool is_delivered) const {
        Json result = {{"a", name(a_s)}, {"v", std::move(v)}};
        if (has_sources(code_) && is_delivered) result["alpha"] = name(code_.as_sndi(a_s)->alpha);
        if (has_tags(code_)) result["tag"] = bigint(code_.tag_number(a_s).to_string());
        return result;
    }

    void add(State const& state) {
        Json h = Json::array();
        for (std::uint32_t x = 0; x < state.h.size(); ++x)
            if (!state.h[x].is_bot()) h.push_back({name(Variable{x}), itf(state.h[x])});
        Json a = Json::array();
        for (std::uint32_t i = 0; i < state.A.size(); ++i)
            if (!state.A[i].is_none()) a.push_back({name(Action{i}), name(state.A[i])});
        Json pnd_s = Json::array();
        for (std::uint32_t c = 0; c < code_.channels().size(); ++c) {
            if (code_.whole({c}) != Channel{c}) continue;
            Json queue = Json::array();
            for (auto const& p : whole_Pnd_s(code_, state, {c})) queue.push_back(message(p.a, itf(p.v), false));
            auto const& info = code_[Channel{c}];
            if (!queue.empty()) pnd_s.push_back({{{"#tup", {name(info.beta), name(info.alpha)}}}, std::move(queue)});
        }
        Json pnd_r = Json::array();
        Json q_s = Json::array();
        for (std::uint32_t e = 0; e < code_.endpoints().size(); ++e) {
            Json receives = Json::array();
            for (auto const& p : Pnd_r(code_, state, Endpoint{e}))
                receives.push_back({{"a", name(p.a)}, {"x", p.x.is_none() ? "" : name(p.x)}});
            if (!receives.empty()) pnd_r.push_back({name(Endpoint{e}), std::move(receives)});
            Json delivered = Json::array();
            for (auto const& q : Q_s(code_, state, Endpoint{e})) {
                bool const marked = q.mark == DeliveredSend::Mark::marked;
                delivered.push_back(message(q.a, marked ? variant("Bot", Json::object()) : itf(q.v), true));
            }
            if (!delivered.empty()) q_s.push_back({name(Endpoint{e}), std::move(delivered)});
        }
        Json ctp = Json::array();
        for (std::uint32_t t = 0; t < state.ctp.size(); ++t) {
            bool const finished = state.ctp[t] == code_.ctp().threads[t].last;
            ctp.push_back({bigint(std::to_string(t)),
                           finished ? variant("Bot", Json::object()) : variant("At", name(Location{state.ctp[t]}))});
        }
        Json json;
        json["#meta"] = {{"index", count_}};
        json["h"] = map_of(std::move(h));
        json["A"] = map_of(std::move(a));
        json["Pnd_s"] = map_of(std::move(pnd_s));
        json["Pnd_r"] = map_of(std::move(pnd_r));
        json["Q_s"] = map_of(std::move(q_s));
        json["ctp"] = map_of(std::move(ctp));
        json["trace"] = bigint(std::to_string(state.trace));
        json["s"] = to_string(state.s);
        text += (count_++ == 0 ? "" : ",\n") + compact(json);
    }

    IndexedProgram const& code_;
    std::size_t count_ = 0;
};

} // namespace

std::string draw_shiviz(Drawing const& drawing) {
    // ShiViz reads the first two lines of a file as regular expressions: one for an event, one that separates
    // executions.
    std::string out = "(?<event>.*)\\n(?<host>\\S*) (?<clock>{.*})\n^=== (?<trace>.*) ===$\n";
    for (Drawing::Run const& run : drawing.runs) {
        out += fmt::format("=== trace {}: {} ===\n", run.number, run.ending());
        shiviz_run(out, drawing, run);
    }
    return out;
}

std::string draw_perfetto(Drawing const& drawing) { return TraceEvents(drawing).text(); }

std::string draw_itf(Drawing const& drawing) {
    ItfStates states(drawing.code);
    run_again(drawing, drawing.runs.front().number, states);
    check_size(states.text, "itf");
    std::string const v = "Int(Int) | Bool(Bool)";
    std::string const source = has_sources(drawing.code) ? ", alpha: Str" : "";
    std::string const tag = has_tags(drawing.code) ? ", tag: Int" : "";
    Json const meta = {
        {"format", "ITF"},
        {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
        {"source", drawing.name},
        {"description", fmt::format("trace {} ({} buffering): {}", drawing.runs.front().number,
                                    to_string(drawing.runs.front().buffering), drawing.runs.front().ending())},
        {"varTypes",
         {{"h", "Str -> (" + v + ")"},
          {"A", "Str -> Str"},
          {"Pnd_s", "(<<Str, Str>>) -> Seq({ a: Str, v: " + v + tag + " })"},
          {"Pnd_r", "Str -> Seq({ a: Str, x: Str })"},
          {"Q_s", "Str -> Seq({ a: Str, v: " + v + " | Bot({})" + source + tag + " })"},
          {"ctp", "Int -> (At(Str) | Bot({}))"},
          {"trace", "Int"},
          {"s", "Str"}}}};
    return "{\"#meta\": " + compact(meta) +
           ",\n\"params\": [],\n\"vars\": [\"h\", \"A\", \"Pnd_s\", \"Pnd_r\", \"Q_s\", \"ctp\", \"trace\", \"s\"],\n"
           "\"states\": [\n" +
           states.text + "\n]}\n";
}

} // namespace matchpoint::report
