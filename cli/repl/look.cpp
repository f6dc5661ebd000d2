// The commands that show values, queues, threads and reasons.

#include <algorithm>

#include <fmt/format.h>

#include "base/digits.hpp"
#include "cli/repl/excursion.hpp"
#include "cli/repl/repl.hpp"
#include "cli/run_end.hpp"
#include "cli/suggestion.hpp"
#include "cli/typed_expression.hpp"
#include "explain/told.hpp"
#include "explain/words.hpp"
#include "grammar/print.hpp"
#include "machine/well_formed.hpp"
#include "record/provenance.hpp"
#include "report/diagram_text.hpp"

namespace matchpoint::cli {

// ---------------------------------------------------------------------------------------------------------------------
// Values

std::function<std::string()> Repl::watched(std::string const& text) {
    auto const inside = [&](std::string_view name) -> std::optional<Words> {
        if (text.substr(0, name.size() + 1) != std::string(name) + "(" || text.back() != ')') return std::nullopt;
        std::string arguments = text.substr(name.size() + 1, text.size() - name.size() - 2);
        std::replace_if(
            arguments.begin(), arguments.end(), [](char c) { return c == ',' || c == '(' || c == ')'; }, ' ');
        return words(arguments);
    };
    constexpr std::size_t limit = 20;
    auto const one = [&](Words const& w, std::string_view queue) {
        if (w.size() != 1) throw Refused(fmt::format("{} has one endpoint: {}(BETA)", queue, queue));
        return endpoint(w[0]);
    };
    if (auto const w = inside("Q_s")) {
        Endpoint const beta = one(*w, "Q_s");
        return [this, beta] { return shown_Q_s(code_, state(), beta, limit); };
    }
    if (auto const w = inside("Pnd_r")) {
        Endpoint const beta = one(*w, "Pnd_r");
        return [this, beta] { return shown_Pnd_r(code_, state(), beta, limit); };
    }
    if (auto const w = inside("Pnd_s")) {
        if (w->size() != 2) throw Refused("Pnd_s has two endpoints: Pnd_s(BETA,ALPHA)");
        auto const channel = code_.find_channel(endpoint((*w)[0]), endpoint((*w)[1]));
        if (!channel)
            throw Refused(fmt::format("nothing is ever sent to {} from {}", printable((*w)[0]), printable((*w)[1])));
        return [this, channel] { return shown_Pnd_s(code_, state(), *channel, limit); };
    }
    if (auto const w = inside("A"); w && w->size() == 1) {
        auto const& actions = code_.names().actions;
        auto const a = actions.find((*w)[0]);
        if (!a)
            throw Refused(fmt::format("there is no send or receive `{}`{}", printable((*w)[0]),
                                      name_suggestion((*w)[0], actions)));
        return [this, a] { return request_text(Action{*a}); };
    }
    if (auto const w = inside("h"); w && w->size() == 2 && (*w)[0] == "eta") return watched((*w)[1]);
    if (text[0] == '/') return formatted(text);
    auto const expression = std::make_shared<TypedExpression>(text, code_);
    return [this, expression] { return expression->value(state()); };
}

/// "/x EXPR": an integer in another base.
std::function<std::string()> Repl::formatted(std::string const& text) {
    constexpr std::pair<char, int> bases[] = {{'x', 16}, {'d', 10}, {'o', 8}, {'b', 2}, {'t', 2}};
    std::size_t const end = std::min(text.find_first_of(" \t("), text.size());
    std::string const format = text.substr(1, end - 1);
    auto const* const found = std::find_if(std::begin(bases), std::end(bases),
                                           [&](auto const& b) { return format == std::string(1, b.first); });
    if (found == std::end(bases))
        throw Refused(fmt::format("there is no format `/{}`: /x hexadecimal, /d decimal, /o octal, /b or /t binary",
                                  printable(format)));
    std::size_t const begin = text.find_first_not_of(" \t", end);
    if (begin == std::string::npos) throw Refused(fmt::format("/{} needs an expression", format));
    std::string const rest = text.substr(begin);
    for (std::string_view const queue : {"Q_s(", "Pnd_r(", "Pnd_s("})
        if (rest.starts_with(queue)) throw Refused(fmt::format("/{} is for integers, not for queues", format));
    auto const expression = std::make_shared<TypedExpression>(rest, code_);
    return [this, expression, base = found->second] {
        auto const value = expression->evaluated(state());
        constexpr std::size_t most_bits = 4096; // as shown() has it
        return value && value->is_integer() && value->bits() <= most_bits ? digits(*value, base)
                                                                          : expression->value(state());
    };
}

/// "x = 4", "x has no value"; the text of a queue or a request has its name already.
std::string Repl::named(std::string const& text, std::string const& value) {
    for (std::string_view const own : {"Q_s(", "Pnd_", "A("})
        if (value.starts_with(own)) return value;
    return fmt::format("{} {} {}", printable(text), value.starts_with("no value") ? "has" : "=", value);
}

void Repl::print(std::string const& arguments) {
    if (arguments.empty()) throw misused("print");
    out(with_writer(arguments, watched(arguments)()) + '\n');
}

void Repl::display(std::string const& arguments) {
    if (arguments.empty()) {
        for (std::size_t i = 0; i < displays_.size(); ++i)
            out(fmt::format("{:>3}  {}\n", i + 1, printable(displays_[i].first)));
        return;
    }
    displays_.emplace_back(arguments,
                           [this, arguments, look = watched(arguments)] { return with_writer(arguments, look()); });
    out(named(arguments, displays_.back().second()) + '\n');
}

void Repl::shown_displays() {
    for (auto const& [text, look] : displays_) out(named(text, look()) + '\n');
}

// ---------------------------------------------------------------------------------------------------------------------
// info

std::string Repl::name_and_place(Location rho) const {
    std::string const place = shown_place(code_, rho);
    return shown_name(code_, rho) + (place.empty() ? "" : fmt::format(" ({})", place));
}

std::string Repl::thread_line(std::uint32_t t) {
    Thread const& thread = code_.ctp().threads[t];
    if (state().ctp[t] == thread.last) return fmt::format("{}: {}", shown_thread(code_, t), short_end_of(t));
    Location const rho{state().ctp[t]};
    std::string line =
        fmt::format("{}: at {} {}", shown_thread(code_, t), shown(code_, rho), shown(code_, code_.command_at(rho)));
    if (state().s == Status::error) return line;
    if (auto const why = stepper_.why_not(stepper_.command(rho)))
        line += fmt::format("\n            {}", in_words(code_, state(), why->reason));
    return line;
}

void Repl::info_threads(std::string const& arguments) {
    none(arguments, "info threads");
    for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t) out(thread_line(t) + '\n');
}

/// The queues that are not empty.
void Repl::add_queues(std::vector<std::string>& lines, Part const& part) const {
    for (std::uint32_t c = 0; c < code_.channels().size(); ++c)
        if (code_.whole({c}) == Channel{c} && part.has(Channel{c}) && !whole_Pnd_s(code_, state(), {c}).empty())
            lines.push_back(shown_Pnd_s(code_, state(), {c}));
    for (std::uint32_t b = 0; b < code_.endpoints().size(); ++b) {
        if (!part.has(Endpoint{b})) continue;
        std::uint32_t const front = state().Q_s.front[b];
        if (state().Pnd_r.issued[b] > (code_[Endpoint{b}].selects ? state().Pnd_r.front[b] : front))
            lines.push_back(shown_Pnd_r(code_, state(), {b}));
        if (state().Q_s.delivered[b] > front) lines.push_back(shown_Q_s(code_, state(), {b}));
    }
}

void Repl::add_requests(std::vector<std::string>& lines, Part const& part) const {
    for (std::uint32_t a = 0; a < state().A.size(); ++a)
        if (part.has(Action{a}) && !state().A[a].is_none()) lines.push_back(request_text(Action{a}));
}

std::string Repl::request_text(Action a) const {
    Endpoint const beta = state().A[a.index];
    return fmt::format("A({}) {}", shown(code_, a),
                       beta.is_none() ? "has no value: the request is not open" : "= " + shown(code_, beta));
}

void Repl::out_lines(std::vector<std::string> const& lines, std::string_view otherwise) {
    if (lines.empty()) out(otherwise);
    for (std::string const& line : lines) out(line + '\n');
}

void Repl::info_queues(std::string const& arguments) {
    none(arguments, "info queues");
    std::vector<std::string> lines;
    add_queues(lines, Part(code_, {}));
    out_lines(lines, "every queue is empty\n");
}

void Repl::info_requests(std::string const& arguments) {
    none(arguments, "info requests");
    std::vector<std::string> lines;
    add_requests(lines, Part(code_, {}));
    out_lines(lines, "A is empty: no request is open\n");
}

void Repl::info_matches(std::string const& arguments) {
    none(arguments, "info matches");
    auto const matches = match_set(code_, state());
    if (matches.empty()) out("no receive has been completed\n");
    for (auto const& [a_r, a_s] : matches) out(fmt::format("{} = {}\n", shown(code_, a_r), shown(code_, a_s)));
}

void Repl::info_trace(std::string const& arguments) {
    none(arguments, "info trace");
    Schedule const& plan = stepper_.plan();
    constexpr std::size_t around = 1000;
    std::size_t const at = stepper_.at().steps;
    std::size_t const first = at > around ? at - around : 0;
    std::size_t const last = std::min(plan.size(), at + around);
    out(stepper_.trace() ? fmt::format("trace {} of the file\n", *stepper_.trace() + 1)
                         : std::string("chosen by hand\n"));
    if (is_modified()) out("set by hand: " + overwrites_text() + '\n');
    Trace const trace = plan.trace(code_);
    if (first > 0) out(fmt::format("      ... {} before\n", first));
    for (std::size_t i = first; i < last; ++i)
        out(paint()(i == at ? Style::heading : Style::plain,
                    fmt::format("{} {:>4}  {}", i == at ? '>' : ' ', i,
                                printable(grammar::print(code_.program(), trace, i), 4096))) +
            '\n');
    if (last < plan.size()) out(fmt::format("      ... {} more\n", plan.size() - last));
    if (at >= plan.size()) out(fmt::format("> {:>4}\n", at));
}

/// If the recorded run failed and the machine sees no failure, how it ended comes first. Returns whether it did.
bool Repl::say_status() {
    auto const end = end_of_trace();
    bool const has_failed = end && !end->failed.empty() && state().s == Status::success;
    if (has_failed) out(recorded_end());
    out(shown_status() + (has_failed ? " so far\n" : "\n"));
    return has_failed;
}

void Repl::info_status(std::string const& arguments) {
    none(arguments, "info status");
    bool const has_failed = say_status();
    say_stuck();
    if (has_failed)
        say_what_blocks();
    else if (!stepper_.ended())
        say_blocked();
    if (is_modified()) out(not_a_run());
}

void Repl::info_checkpoints(std::string const& arguments) {
    none(arguments, "info checkpoints");
    if (checkpoints_.empty()) out("there are none\n");
    for (std::size_t i = 0; i < checkpoints_.size(); ++i)
        out(fmt::format("{:>3}  step {}\n", i + 1, checkpoints_[i].at().steps));
}

void Repl::info_state(std::string const& arguments) {
    auto const [range, threads] = range_and_threads(arguments, "info state [thread I ...]");
    if (range.last != UINT64_MAX || range.first != 0) throw Refused("usage: info state [thread I ...]");
    out_lines(state_lines(threads), "");
}

/// The whole state: threads, store, requests, nonempty queues, status.
std::vector<std::string> Repl::state_lines(std::set<std::uint32_t> const& threads) {
    Part const part(code_, threads);
    std::vector<std::string> const writer = writers();
    std::vector<std::string> lines;
    for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t)
        if (part.has_thread(t))
            lines.push_back(state().ctp[t] == code_.ctp().threads[t].last
                                ? fmt::format("{} {}", shown_thread(code_, t), end_of(t))
                                : fmt::format("{} is at {}", shown_thread(code_, t), name_and_place({state().ctp[t]})));
    for (std::uint32_t x = 0; x < state().h.size(); ++x)
        if (part.has(Variable{x}) && !state().h[x].is_bot())
            lines.push_back(fmt::format("h(eta({})) = {}{}{}", shown(code_, Variable{x}), shown(state().h[x]),
                                        writer[x].empty() ? "" : ", ", writer[x]));
    add_requests(lines, part);
    add_queues(lines, part);
    lines.push_back(shown_status());
    return lines;
}

void Repl::diff(std::string const& arguments) {
    none(arguments, "diff");
    std::vector<std::string> const now = state_lines();
    std::vector<std::string> before;
    {
        Excursion const excursion(stepper_);
        if (!stepper_.back()) throw Refused("this is the beginning: there is no last step");
        before = state_lines();
    }
    std::set<std::string> const was(before.begin(), before.end());
    std::set<std::string> const is(now.begin(), now.end());
    bool some = false;
    for (std::string const& line : before)
        if (is.count(line) == 0) some = true, out(paint()(Style::removed, "- " + line) + '\n');
    for (std::string const& line : now)
        if (was.count(line) == 0) some = true, out(paint()(Style::added, "+ " + line) + '\n');
    if (!some) out("nothing\n");
}

void Repl::backtrace(std::string const& arguments) {
    std::size_t const n = arguments.empty() ? 3 : number(arguments, "number of steps");
    if (stepper_.at_beginning()) throw Refused("no rule has been applied");
    Excursion const excursion(stepper_);
    FullDetail const full(narrator_);
    auto const [steps, rules] = stepper_.at();
    std::size_t const made = stepper_.overwrites().size();
    stepper_.jump(steps > n ? steps - n : 0);
    while ((stepper_.at().steps < steps || stepper_.overwrites().size() < made) && told_step()) {
    }
    while (stepper_.at().rules < rules && stepper_.next() && stepper_.step_rule()) {
    }
}

void Repl::verbose(std::string const& arguments) {
    if (arguments == "on")
        verbose_ = true;
    else if (arguments == "off")
        verbose_ = false;
    else if (!arguments.empty())
        throw misused("verbose");
    narrator_.set(verbose_ ? Narrator::Detail::full : Narrator::Detail::brief);
}

// ---------------------------------------------------------------------------------------------------------------------
// Reasons

void Repl::why(std::string const& arguments) {
    none(arguments, "why");
    bool const has_failed = say_status();
    if (is_modified()) out(not_a_run());
    Machine machine(code_, stepper_.buffering());
    Findings findings(code_);
    machine.observe(findings);
    stepper_.run_again(machine);
    std::string const found = shown_findings(code_, findings, paint());
    out(found);
    if (auto const& error = stepper_.error()) {
        out(fmt::format("  entry {}{}: {}\n", error->entry,
                        error->rho ? fmt::format(", location {}", shown(code_, *error->rho)) : "",
                        stuck_text(code_, state(), *error)));
        say_blocked_at_end(*error);
        return;
    }
    if (found.empty()) out("  no assertion has failed and no assumption was broken\n");
    if (auto const matches = match_set(code_, state()); !matches.empty())
        out(fmt::format("  matches: {}\n", in_words(code_, matches)));
    has_failed ? say_what_blocks() : say_blocked();
    if (stepper_.ended()) {
        out(shown_orphans(code_, well_formedness(code_, state())));
    } else if (auto const rho = stepper_.next()) {
        if (auto const stuck = stepper_.why_not(Execute{*rho, stepper_.plan().entry(stepper_.at().steps).peek});
            stuck && stepper_.plan().entry(stepper_.at().steps).m.empty())
            out(fmt::format("  next is {}, which is stuck: {}\n", shown(code_, *rho),
                            in_words(code_, state(), stuck->reason)));
    }
}

void Repl::msc(std::string const& arguments) {
    auto const [range, threads] = range_and_threads(arguments, "msc [N..M] [thread I ...]");
    Machine machine(code_, stepper_.buffering());
    DiagramBuilder builder(code_);
    machine.observe(builder);
    stepper_.run_again(machine);
    if (stepper_.error() && !stepper_.error()->rho) static_cast<void>(machine.end_of_trace());
    // A value that was set by hand has no writer.
    TextOptions options{screen_.columns(), range.first,   range.last, {threads.begin(), threads.end()},
                        paint(),           !is_modified()};
    options.whole = "a wider terminal or `list` shows more";
    Provenance const from = provenance_of(loaded_.source().text());
    ToldByPlaces const told(code_, from.thread, has_pictures_by_places_ && from.is_recorded());
    if (!is_modified()) options.end = end_in_words(machine, end_of_trace().value_or(TraceEnding()));
    out(to_text(builder.diagram(), code_, options));
    if (is_modified()) out(fmt::format("set by hand: {}\n", overwrites_text()));
}

} // namespace matchpoint::cli
