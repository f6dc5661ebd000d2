#include "cli/dap/inspector.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/dap/client.hpp"
#include "explain/words.hpp"
#include "grammar/selectors.hpp"
#include "machine/well_formed.hpp"
#include "record/provenance.hpp"
#include "report/changes.hpp"

namespace matchpoint::cli {

namespace {

/// The variables that a thread names, in the order of their first occurrence.
std::vector<std::uint32_t> variables_of(IndexedProgram const& code, std::uint32_t thread) {
    std::vector<bool> seen(code.names().variables.size());
    std::vector<std::uint32_t> result;
    auto const add = [&](std::uint32_t x) {
        if (!seen[x]) result.push_back(x);
        seen[x] = true;
    };
    Thread const& t = code.ctp().threads[thread];
    for (std::uint32_t i = t.first; i < t.last; ++i) {
        grammar::Command const& c = code.command_at({i});
        if (auto const* const r = as_rcvi(c)) {
            add(r->x.index);
            if (Selectors const* const sel = grammar::selectors_of(code.ctp(), *r))
                for (auto const y : {sel->source, sel->tagged})
                    if (y) add(y->index);
        }
        if (auto const* const p = as_probe(c))
            if (Selectors const* const sel = grammar::selectors_of(code.ctp(), *p))
                for (auto const y : {sel->source, sel->tagged})
                    if (y) add(y->index);
        if (auto const* const s = as_start(c)) add(s->x.index);
        for_each_expression(code.ctp(), c, [&](Expression e) {
            for (grammar::Node const& node : std::span(code.ctp().nodes).subspan(e.first, e.size))
                if (node.kind == grammar::Node::Kind::variable) add(node.payload);
        });
        if (auto const* const a = std::get_if<grammar::Assign>(&c)) add(a->x.index);
        if (auto const* const g = std::get_if<Guarded>(&c))
            for (auto const& [x, e] : code.ctp().assigned(*g)) add(x.index);
    }
    return result;
}

/// "Q_s(0)" and "([S4 4])", of "Q_s(0) = ([S4 4])".
std::pair<std::string, std::string> name_and_value(std::string const& shown) {
    constexpr std::string_view equals = " = ";
    std::size_t const at = shown.find(equals);
    return {shown.substr(0, at), shown.substr(at + equals.size())};
}

std::string changed_part(IndexedProgram const& code, Change const& c) {
    using Part = Change::Part;
    switch (c.part) {
    case Part::h: return shown(code, Variable{c.index});
    case Part::A: return fmt::format("A({})", shown(code, Action{c.index}));
    case Part::Pnd_s: {
        auto const& channel = code[Channel{c.index}];
        return fmt::format("Pnd_s({})({})[{}]", shown(code, channel.beta), shown(code, channel.alpha), c.ordinal);
    }
    case Part::Pnd_r: return fmt::format("Pnd_r({})[{}]", shown(code, Endpoint{c.index}), c.ordinal);
    case Part::Q_s: return fmt::format("Q_s({})[{}]", shown(code, Endpoint{c.index}), c.ordinal);
    case Part::match: break;
    }
    return fmt::format("match of {}", shown(code, Action{c.index}));
}

} // namespace

std::size_t Inspector::reference(Node node) {
    auto const it = std::find(nodes_.begin(), nodes_.end(), node);
    if (it != nodes_.end()) return static_cast<std::size_t>(it - nodes_.begin()) + 1;
    nodes_.push_back(node);
    return nodes_.size();
}

// ---------------------------------------------------------------------------------------------------------------------
// Threads

Incoming Inspector::threads() const {
    Incoming result = Incoming::array();
    for (std::size_t t = 0; t < debuggee_.code.ctp().threads.size(); ++t)
        result.push_back({{"id", t + 1}, {"name", fmt::format("thread {}", t)}});
    return result;
}

Incoming Inspector::frame(std::uint32_t thread, Incoming source) const {
    auto const& code = debuggee_.code;
    auto const rho = debuggee_.at(thread);
    Places::Range const range = rho ? debuggee_.places.of(*rho) : debuggee_.places.end_of(thread);
    std::string name;
    if (!rho) {
        name = end_of(thread);
    } else {
        name = fmt::format("{} {}", shown(code, *rho), shown(code, code.command_at(*rho)));
        auto const& stepper = debuggee_.stepper();
        if (stepper.next() == rho && stepper.at().rules > 0)
            name += fmt::format(", {} done", plural(stepper.at().rules, "rule"));
    }
    return {{"id", thread + 1},
            {"name", name},
            {"source", std::move(source)},
            {"line", range.begin.line},
            {"column", range.begin.column},
            {"endLine", range.end.line},
            {"endColumn", range.end.column}};
}

// ---------------------------------------------------------------------------------------------------------------------
// Variables

Incoming Inspector::scopes(std::uint32_t thread) {
    Incoming result = Incoming::array();
    auto const add = [&](std::string const& name, Node node, bool expensive = false) -> Incoming& {
        result.push_back({{"name", name}, {"variablesReference", reference(node)}, {"expensive", expensive}});
        return result.back();
    };
    add(fmt::format("Variables of thread {}", thread), {Node::Kind::locals, thread})["presentationHint"] = "locals";
    add("Queues", {Node::Kind::queues});
    add("Requests A", {Node::Kind::requests});
    add("Status", {Node::Kind::status});
    add("What can come next", {Node::Kind::choices}, true);
    add("Changed by the last step", {Node::Kind::last_step}, true);
    add("All variables", {Node::Kind::store}, true);
    return result;
}

void Inspector::add(Incoming& to, std::string const& name, std::string const& value, Incoming more) const {
    more["name"] = name;
    more["value"] = value;
    if (!more.contains("variablesReference")) more["variablesReference"] = 0;
    if (!more.contains("presentationHint")) more["presentationHint"] = {{"attributes", {"readOnly"}}};
    to.push_back(std::move(more));
}

void Inspector::add_variable(Incoming& to, std::uint32_t x) const {
    Value const& v = debuggee_.state().h[x];
    std::string const name(debuggee_.code.names().variables[x]);
    std::string const value = v.is_bot() ? "no value" : shown(v);
    Incoming more{{"evaluateName", name}, {"presentationHint", {{"attributes", Incoming::array()}}}};
    if (!v.is_bot()) more["type"] = v.is_true() || v.is_false() ? "Bool" : "Int";
    add(to, shown(debuggee_.code, Variable{x}), value, std::move(more));
}

void Inspector::add_variables_of(Incoming& to, std::uint32_t thread) const {
    for (std::uint32_t const x : variables_of(debuggee_.code, thread)) add_variable(to, x);
}

void Inspector::add_queue(Incoming& to, Node node, std::string const& shown, std::size_t size,
                          std::string const& expression) {
    auto const [name, value] = name_and_value(shown);
    Incoming more{{"evaluateName", expression}, {"indexedVariables", size}};
    if (size > 0) more["variablesReference"] = reference(node);
    add(to, name, value, std::move(more));
}

/// All queues; of a program with many, those that are not empty.
void Inspector::add_queues(Incoming& to) {
    constexpr std::size_t many = 100;
    auto const& code = debuggee_.code;
    State const& state = debuggee_.state();
    bool const all = code.channels().size() + code.endpoints().size() <= many;
    auto const is_shown = [all](std::size_t size, QueueRange range) {
        return size > 0 || (all && range.capacity > 0); // otherwise it is always empty
    };
    for (std::uint32_t c = 0; c < code.channels().size(); ++c) {
        if (code.whole({c}) != Channel{c}) continue;
        std::size_t const size = whole_Pnd_s(code, state, {c}).size();
        auto const& channel = code.channels()[c];
        if (!is_shown(size, channel.Pnd_s) && code.lanes({c}).size() < 2) continue;
        add_queue(to, {Node::Kind::Pnd_s, c}, shown_Pnd_s(code, state, {c}), size,
                  fmt::format("Pnd_s({},{})", code.names()(channel.beta), code.names()(channel.alpha)));
    }
    for (std::uint32_t b = 0; b < code.endpoints().size(); ++b) {
        if (std::size_t const size = Pnd_r(code, state, {b}).size(); is_shown(size, code[Endpoint{b}].Pnd_r))
            add_queue(to, {Node::Kind::Pnd_r, b}, shown_Pnd_r(code, state, {b}), size,
                      fmt::format("Pnd_r({})", code.names()(Endpoint{b})));
        if (std::size_t const size = Q_s(code, state, {b}).size(); is_shown(size, code[Endpoint{b}].Q_s))
            add_queue(to, {Node::Kind::Q_s, b}, shown_Q_s(code, state, {b}), size,
                      fmt::format("Q_s({})", code.names()(Endpoint{b})));
    }
}

/// The entries of one queue, oldest first.
void Inspector::add_entries(Incoming& to, Node node) const {
    auto const& code = debuggee_.code;
    State const& state = debuggee_.state();
    auto const entry = [&](std::string const& value) { add(to, fmt::format("[{}]", to.size()), value); };
    if (node.kind == Node::Kind::Pnd_s)
        for (PendingSend const& s : machine::whole_Pnd_s(code, state, {node.index}))
            entry(fmt::format("{} = {}", shown(code, s.a), shown(s.v)));
    if (node.kind == Node::Kind::Pnd_r)
        for (PendingReceive const& r : machine::Pnd_r(code, state, {node.index}))
            entry(r.x.is_none() ? shown(code, r.a) : fmt::format("{} into {}", shown(code, r.a), shown(code, r.x)));
    if (node.kind == Node::Kind::Q_s)
        for (DeliveredSend const& s : machine::Q_s(code, state, {node.index}))
            entry(fmt::format("{} = {}{}", shown(code, s.a), shown(s.v),
                              s.mark == DeliveredSend::Mark::marked ? ", copied to its receive" : ""));
}

void Inspector::add_requests(Incoming& to) const {
    auto const& A = debuggee_.state().A;
    for (std::uint32_t a = 0; a < A.size(); ++a)
        if (!A[a].is_none())
            add(to, fmt::format("A({})", shown(debuggee_.code, Action{a})), shown(debuggee_.code, A[a]));
}

void Inspector::add_status(Incoming& to) {
    auto const& code = debuggee_.code;
    Stepper& stepper = debuggee_.stepper();
    add(to, "s", std::string(to_string(stepper.state().s)));
    add(to, "step", fmt::format("{}/{}", stepper.at().steps, std::max(stepper.plan().size(), stepper.at().steps)));
    add(to, "schedule",
        stepper.trace()      ? fmt::format("trace {} of the file", *stepper.trace() + 1)
        : stepper.has_next() ? "planned"
                             : "by choice");
    add(to, "next", stepper.next() ? shown(code, *stepper.next()) : "nothing is planned");
    auto const matches = match_set(code, stepper.state());
    add(to, "matches", matches.empty() ? "none" : in_words(code, matches),
        {{"variablesReference", matches.empty() ? 0 : reference({Node::Kind::matches})}});
    add(to, "threads", plural(code.ctp().threads.size(), "thread"),
        {{"variablesReference", code.ctp().threads.empty() ? 0 : reference({Node::Kind::threads})}});
    if (stepper.ended() && stepper.state().s != Status::error)
        add(to, "well-formed", well_formedness(code, stepper.state()) ? "true" : "false");
}

/// Why a thread cannot go on; empty if it can.
std::string Inspector::blocked(std::uint32_t thread) {
    auto const rho = debuggee_.at(thread);
    if (!rho || debuggee_.state().s == Status::error) return {};
    auto const why = debuggee_.stepper().why_not(debuggee_.stepper().command(*rho));
    return why ? ": " + in_words(debuggee_.code, debuggee_.state(), why->reason) : "";
}

/// Why a thread has no command left, as `step` says it.
std::string Inspector::end_of(std::uint32_t thread) const {
    return short_end_of_thread(debuggee_.code, provenance_of(debuggee_.loaded.source().text()), thread);
}

void Inspector::add_threads(Incoming& to) {
    for (std::uint32_t t = 0; t < debuggee_.code.ctp().threads.size(); ++t) {
        auto const rho = debuggee_.at(t);
        add(to, fmt::format("thread {}", t),
            rho ? fmt::format("at {} {}{}", shown(debuggee_.code, *rho),
                              shown(debuggee_.code, debuggee_.code.command_at(*rho)), blocked(t))
                : end_of(t));
    }
}

/// The run once more, for what its last step has changed.
void Inspector::add_changes(Incoming& to) {
    auto const& code = debuggee_.code;
    Machine machine(code, debuggee_.stepper().buffering());
    ChangesRecorder changes(code);
    machine.observe(changes);
    debuggee_.stepper().run_again(machine);
    if (changes.steps() == 0) return;
    for (Change const& c : changes.of(changes.steps() - 1))
        add(to, changed_part(code, c),
            fmt::format("{} -> {}", c.before.empty() ? "nothing" : c.before, c.after.empty() ? "nothing" : c.after));
}

Incoming Inspector::variables(std::size_t reference, std::size_t start, std::size_t count) {
    if (reference == 0 || reference > nodes_.size())
        throw RequestFailed{DapError::argument, fmt::format("there are no variables {} now", reference), false};
    Node const node = nodes_[reference - 1];
    Incoming all = Incoming::array();
    switch (node.kind) {
    case Node::Kind::locals: add_variables_of(all, node.index); break;
    case Node::Kind::store:
        for (std::uint32_t x = 0; x < debuggee_.state().h.size(); ++x) add_variable(all, x);
        break;
    case Node::Kind::queues: add_queues(all); break;
    case Node::Kind::Pnd_s:
    case Node::Kind::Pnd_r:
    case Node::Kind::Q_s: add_entries(all, node); break;
    case Node::Kind::requests: add_requests(all); break;
    case Node::Kind::status: add_status(all); break;
    case Node::Kind::matches:
        for (Match const& m : match_set(debuggee_.code, debuggee_.state()))
            add(all, shown(debuggee_.code, m.a_r), shown(debuggee_.code, m.a_s));
        break;
    case Node::Kind::threads: add_threads(all); break;
    case Node::Kind::choices:
        for (Stepper::Choice const& c : debuggee_.stepper().choices())
            add(all, std::to_string(all.size() + 1), debuggee_.repl.choice_text(c.what));
        break;
    case Node::Kind::last_step: add_changes(all); break;
    }
    if (start == 0 && count == 0) return all;
    auto const first = all.begin() + static_cast<std::ptrdiff_t>(std::min(start, all.size()));
    std::size_t const left = all.size() - std::min(start, all.size());
    return Incoming(
        Incoming::array_t(first, first + static_cast<std::ptrdiff_t>(count == 0 ? left : std::min(count, left))));
}

// ---------------------------------------------------------------------------------------------------------------------
// Hovering

/// "R2: (rcvi R2 0 A), A(R2) = 0", "S4: not issued yet"
std::string Inspector::request(Action a) const {
    auto const& code = debuggee_.code;
    State const& state = debuggee_.state();
    std::string text = shown(code, code.command_at(code.issued_at(a)));
    if (!state.is_issued(a)) return text + ": not issued yet";
    if (!state.A[a.index].is_none()) text += fmt::format(": A({}) = {}", shown(code, a), shown(code, state.A[a.index]));
    for (Match const& m : match_set(code, state)) {
        if (m.a_r == a) text += fmt::format(": got {}", shown(code, m.a_s));
        if (m.a_s == a) text += fmt::format(": went to {}", shown(code, m.a_r));
    }
    return text;
}

std::string Inspector::hovered(std::string const& text) {
    auto const& names = debuggee_.code.names();
    if (names.variables.find(text)) return debuggee_.repl.watched(text)();
    if (auto const a = names.actions.find(text)) return request({*a});
    if (auto const rho = names.locations.find(text); rho && debuggee_.code.has({*rho}))
        return fmt::format("thread {}: {}", debuggee_.code.thread_of({*rho}),
                           shown(debuggee_.code, debuggee_.code.command_at({*rho})));
    return debuggee_.repl.watched(text)();
}

} // namespace matchpoint::cli
