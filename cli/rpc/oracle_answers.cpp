#include "cli/rpc/oracle_answers.hpp"

#include "base/overloaded.hpp"
#include "explain/matching_words.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

namespace {

std::string_view word(Conflict::Kind kind) {
    switch (kind) {
    case Conflict::Kind::endpoints: return "endpoints";
    case Conflict::Kind::send_twice: return "send_twice";
    case Conflict::Kind::overtaking: return "overtaking";
    case Conflict::Kind::left_out: return "left_out";
    case Conflict::Kind::cycle: return "cycle";
    }
    return {};
}

std::string_view word(Oracle::Refusal const& refusal) {
    using Why = Oracle::Refusal::Why;
    switch (refusal.why) {
    case Why::rules: return word(refusal.conflict->kind);
    case Why::two_sends: return "two_sends";
    case Why::contradiction: return "contradiction";
    case Why::fault: return "fault";
    case Why::search: return "search";
    }
    return {};
}

void add_minimal(Writer& answer, Oracle::Means minimal) {
    switch (minimal) {
    case Oracle::Means::none: answer.member("minimal") += "null"; break;
    case Oracle::Means::rules: answer.text("minimal", "rules"); break;
    case Oracle::Means::search: answer.text("minimal", "search"); break;
    }
}

} // namespace

Loaded::Loaded(Source s, Program p, Buffering buffering, std::atomic<bool> const& cancelled)
    : source(std::move(s)), program(std::move(p)), oracle(messages, buffering, &cancelled),
      recorded(record::recorded_end(messages, source.text())) {
    if (auto const cut = record::provenance_of(source.text()).cut_short; !cut.empty()) why_open = cut.why_open();
    for (auto const& receive : messages.receives()) receives.push_back(json_text(code.names()(receive.a)));
    for (auto const& send : messages.sends()) sends.push_back(json_text(code.names()(send.a)));
}

std::string Loaded::name_of(Location rho) const { return json_text(code.names()(rho)); }

namespace {

std::string number(std::string_view digits) {
    return digits.size() <= 15 ? std::string(digits) : json_text(digits); // 2^53 has 16
}

} // namespace

std::string Loaded::name_of(Endpoint beta) const { return number(code.names()(beta)); }
std::string Loaded::name_of(Tag n) const { return number(code.names()(n)); }

std::string Loaded::name_of(Pair pair) const { return fmt::format("[{},{}]", receives[pair.r], sends[pair.s]); }

// ---------------------------------------------------------------------------------------------------------------------
// Parts of answers

void AnswerWriter::add_matches(std::string& to, Matching const& m) {
    Writer object(to);
    for (std::uint32_t r = 0; r < m.size(); ++r)
        if (m[r] != unmatched) object.member_of(loaded_.receives[r]) += loaded_.sends[m[r]];
}

void AnswerWriter::add_pairs(std::string& to, std::vector<Pair> const& pairs) {
    Writer array(to, '[');
    for (Pair const& pair : pairs) array.item() += loaded_.name_of(pair);
}

void AnswerWriter::add_trace(std::string& to, Schedule const& schedule) {
    Writer array(to, '[');
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        Entry const entry = schedule.entry(i);
        Writer item(array.item(), '[');
        item.item() += loaded_.name_of(entry.rho);
        auto const add = [&](std::string_view head, Channel c) {
            Movement const m = loaded_.code.movement_of(c);
            item.item() += fmt::format("[{}{},{}{}]", head, loaded_.name_of(m.beta), loaded_.name_of(m.alpha),
                                       m.n.is_none() ? "" : "," + loaded_.name_of(m.n));
        };
        for (Channel const c : entry.m) add("", c);
        if (!entry.peek.is_none()) add("\"peek\",", entry.peek);
    }
}

void AnswerWriter::add_moment(std::string& to, Conflict::Moment const& moment) {
    if (!moment.instant) {
        to += loaded_.name_of(Location{moment.index});
        return;
    }
    Writer object(to);
    object.member("rendezvous") += loaded_.receives[moment.index];
}

void AnswerWriter::add_cycle(Writer& answer, Conflict const& conflict) {
    Writer cycle(answer.member("cycle"), '[');
    for (Conflict::Edge const& e : conflict.cycle) {
        Writer edge(cycle.item());
        add_moment(edge.member("from"), e.from);
        add_moment(edge.member("to"), e.to);
        edge.text("why", to_string(e.why));
        if (e.pair) edge.member("match") += loaded_.name_of(*e.pair);
    }
}

void AnswerWriter::add_standstill(std::string& to, Oracle::Standstill const& s) {
    using Why = Oracle::Standstill::Why;
    IndexedProgram const& code = loaded_.code;
    Writer item(to);
    item.member("at") += loaded_.name_of(s.at);
    if (s.why == Why::order) {
        item.member("before") += loaded_.name_of(s.first);
        item.text("because", fmt::format("{} has to come before it", shown(code, s.first)));
        return;
    }
    bool const one = s.needed == 1;
    std::string_view const what =
        s.why == Why::messages ? (one ? "message to" : "messages to") : (one ? "receive at" : "receives at");
    item.member("endpoint") += loaded_.name_of(s.beta);
    item.number("needed", s.needed);
    item.number("there", s.there);
    item.text("because", fmt::format("{} needs {} {} endpoint {}, and {} can come before it",
                                     shown(code, code.command_at(s.at)), s.needed, what, shown(code, s.beta), s.there));
}

// ---------------------------------------------------------------------------------------------------------------------
// Answers

void AnswerWriter::answer(Oracle::Answer const& answer, bool trace) {
    std::visit(overloaded{
                   [&](Run const& r) { run(r, trace); },
                   [&](Oracle::Refusal const& r) { refusal(r); },
                   [&](Oracle::Unknown const& u) { unknown(u); },
               },
               answer);
}

void AnswerWriter::answer(Oracle::OrderAnswer const& answer, bool trace) {
    std::visit(overloaded{
                   [&](Run const& r) { run(r, trace); },
                   [&](Oracle::OrderRefusal const& r) { refusal(r); },
                   [&](Oracle::Unknown const& u) { unknown(u); },
               },
               answer);
}

void AnswerWriter::failing(Oracle::Failing const& failing, bool trace) {
    auto const& run = failing.run;
    Writer answer(out_);
    answer.text("answer", run ? "yes" : "no");
    if (!run) {
        answer.number("assertions", failing.assertions);
        answer.text("leaves_path", check::to_string(failing.leaves_path));
        return;
    }
    answer.boolean("completes", run->extent == Extent::complete);
    add_matches(answer.member("matches"), run->matching);
    if (trace) add_trace(answer.member("trace"), run->schedule);
}

void AnswerWriter::run(Run const& run, bool trace) {
    Writer answer(out_);
    auto const& recorded = loaded_.recorded;
    bool const succeeds = recorded && run.s == Status::success;
    answer.text("answer", "feasible");
    answer.text("status", succeeds && recorded->renames(run.matching) ? recorded->word() : to_string(run.s));
    if (succeeds && (recorded->is(run.matching) || recorded->begins(run.matching)))
        answer.text(recorded->field(), recorded->how);
    add_matches(answer.member("matches"), run.matching);
    if (trace) add_trace(answer.member("trace"), run.schedule);
}

void AnswerWriter::unknown(Oracle::Unknown const& unknown) {
    if (unknown.cancelled) throw RequestError{ErrorCode::cancelled, "cancelled"};
    Writer answer(out_);
    answer.text("answer", "unknown");
    if (unknown.is_of_recording) {
        answer.text("why", "recording");
        answer.text("because", unknown.why);
        return;
    }
    answer.text("why", "steps");
    answer.number("steps", loaded_.oracle.step_limit());
}

void AnswerWriter::refusal(Oracle::Refusal const& refusal) {
    using Why = Oracle::Refusal::Why;
    bool const rests_on_completion = refusal.why == Why::search || (refusal.conflict && refusal.conflict->left_out);
    bool const is_open = rests_on_completion && !loaded_.why_open.empty();
    std::string const because = in_words(loaded_.messages, refusal);
    Writer answer(out_);
    answer.text("answer", is_open ? "unknown" : "infeasible");
    answer.text("why", is_open ? "recording" : word(refusal));
    answer.text("because", is_open ? fmt::format("{}; {}", because, loaded_.why_open) : because);
    add_pairs(answer.member("core"), refusal.core.required);
    if (!refusal.core.forbidden.empty()) add_pairs(answer.member("forbidden"), refusal.core.forbidden);
    add_minimal(answer, refusal.minimal);
    if (refusal.core.forbidden.empty()) add_pairs(answer.member("clause"), refusal.core.required);
    answer.text("smt", loaded_.oracle.excluding(refusal.core));
    if (refusal.conflict && refusal.conflict->left_out)
        answer.member("left_out") += loaded_.sends[*refusal.conflict->left_out];
    if (refusal.conflict && refusal.conflict->kind == Conflict::Kind::cycle) add_cycle(answer, *refusal.conflict);
    if (refusal.fault) answer.member("location") += loaded_.name_of(refusal.fault->rho);
}

void AnswerWriter::refusal(Oracle::OrderRefusal const& refusal) {
    Writer answer(out_);
    answer.text("answer", "infeasible");
    answer.text("why", refusal.standstill.empty() ? "search" : "counting");
    {
        Writer core(answer.member("core"), '[');
        for (auto const& [first, second] : refusal.core)
            core.item() += fmt::format("[{},{}]", loaded_.name_of(first), loaded_.name_of(second));
    }
    add_minimal(answer, refusal.minimal);
    Writer standstill(answer.member("standstill"), '[');
    for (Oracle::Standstill const& s : refusal.standstill) add_standstill(standstill.item(), s);
}

void AnswerWriter::replay(Oracle::Replay const& replay) {
    MessageIndex const& messages = loaded_.messages;
    Writer answer(out_);
    answer.text("answer", replay.error ? "infeasible" : "feasible");
    answer.text("status", to_string(replay.s));
    answer.boolean("well_formed", replay.well_formed);
    answer.number("steps", replay.steps);
    Matching m(messages);
    for (auto const& [a_r, a_s] : replay.matches) m[messages.receive_number(a_r)] = messages.send_number(a_s);
    add_matches(answer.member("matches"), m);
    if (!replay.error) return;
    Writer error(answer.member("error"));
    error.number("entry", replay.error->entry);
    error.member("location") += replay.error->location ? json_text(*replay.error->location) : "null";
    error.text("rule", replay.error->rule);
    error.text("reason", replay.error->reason);
    error.text("message", replay.error->message);
}

void AnswerWriter::pairs(MatchPairs const& pairs) {
    Writer answer(out_);
    answer.number("count", pairs.size());
    Writer object(answer.member("pairs"));
    for (std::uint32_t r = 0; r < pairs.of.size(); ++r) {
        Writer sends(object.member_of(loaded_.receives[r]), '[');
        for (std::uint32_t const s : pairs.of[r]) sends.item() += loaded_.sends[s];
    }
}

void AnswerWriter::names() {
    MessageIndex const& messages = loaded_.messages;
    Writer answer(out_);
    answer.text("buffering", to_string(loaded_.oracle.buffering()));
    {
        Writer threads(answer.member("threads"), '[');
        for (Thread const& t : loaded_.program.ctp.threads) {
            Writer locations(threads.item(), '[');
            for (std::uint32_t i = t.first; i < t.last; ++i) locations.item() += loaded_.name_of(Location{i});
        }
    }
    {
        Writer receives(answer.member("receives"), '[');
        for (auto const& r : messages.receives()) {
            Writer receive(receives.item());
            receive.member("receive") += json_text(loaded_.code.names()(r.a));
            receive.member("location") += loaded_.name_of(r.rho);
            receive.member("endpoint") += loaded_.name_of(r.beta);
            receive.member("completed_at") += loaded_.name_of(r.nw);
        }
    }
    Writer sends(answer.member("sends"), '[');
    for (auto const& s : messages.sends()) {
        Writer send(sends.item());
        send.member("send") += json_text(loaded_.code.names()(s.a));
        send.member("location") += loaded_.name_of(s.rho);
        send.member("from") += loaded_.name_of(loaded_.code[s.channel].alpha);
        send.member("to") += loaded_.name_of(messages.beta_of(s));
        send.member("wait") += s.wait.is_none() ? "null" : loaded_.name_of(s.wait);
    }
}

} // namespace matchpoint::cli
