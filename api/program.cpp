#include <matchpoint/program.hpp>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "api/impl.hpp"
#include "base/overloaded.hpp"
#include "explain/words.hpp"
#include "grammar/discipline.hpp"
#include "grammar/parse.hpp"
#include "grammar/print.hpp"

namespace matchpoint::api {

namespace {

CommandInfo::Kind kind_of(grammar::Command const& c) {
    using Kind = CommandInfo::Kind;
    return std::visit(overloaded{
                          [](Assume const&) { return Kind::assume; },
                          [](Assert const&) { return Kind::assertion; },
                          [](Assign const&) { return Kind::assign; },
                          [](Sndi const&) { return Kind::send; },
                          [](Rcvi const&) { return Kind::receive; },
                          [](Probe const& p) { return p.matches ? Kind::matched_probe : Kind::probe; },
                          [](Start const&) { return Kind::start; },
                          [](Wait const&) { return Kind::wait; },
                          [](Meet const&) { return Kind::barrier; },
                          [](Collective const&) { return Kind::collective; },
                          [](Guarded const&) { return Kind::guarded; },
                      },
                      c);
}

std::vector<Command> range(std::uint32_t first, std::uint32_t last) {
    std::vector<Command> result;
    for (std::uint32_t c = first; c < last; ++c) result.push_back(Command{c});
    return result;
}

template <typename Kind>
std::vector<Command> all_of_kind(Ctp const& ctp) {
    std::vector<Command> result;
    for (std::uint32_t c = 0; c < ctp.commands.size(); ++c)
        if (std::holds_alternative<Kind>(ctp.commands[c].c)) result.push_back(Command{c});
    return result;
}

} // namespace

std::optional<std::int64_t> Value::integer() const {
    std::int64_t i = 0;
    auto const [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), i);
    return error == std::errc() && end == text_.data() + text_.size() ? std::optional(i) : std::nullopt;
}

Value Value::of_digits(std::string digits) {
    std::string_view rest = digits;
    if (rest.starts_with('-')) rest.remove_prefix(1);
    bool const is_integer = digits == "0" || (!rest.empty() && rest.front() != '0' &&
                                              rest.find_first_not_of("0123456789") == std::string_view::npos);
    if (!is_integer) throw std::logic_error("Value::of_digits: these are not the digits of an integer");
    return Value(std::move(digits), 0);
}

std::string_view to_string(Buffering buffering) { return machine::to_string(in_room(buffering)); }

Program::Impl::Impl(Source s, grammar::Program p)
    : source(std::move(s)), program(std::move(p)), code(program),
      breaches(check_discipline(program, &source, Severity::error)) {
    if (breaches.empty()) messages.emplace(code);
}

Result<Program> Program::parse(std::string text, std::string name) {
    return parsed<Program>(std::move(text), std::move(name),
                           [](Source const& source) { return grammar::parse(source); });
}

Result<Program> Program::read(std::filesystem::path const& file) { return api::read<Program>(file); }

std::string const& Program::name() const { return impl_->source.name(); }
std::string Program::print() const { return grammar::print(impl_->program); }

std::uint32_t Program::threads() const { return static_cast<std::uint32_t>(impl_->program.ctp.threads.size()); }

std::vector<Command> Program::commands() const {
    return range(0, static_cast<std::uint32_t>(impl_->program.ctp.commands.size()));
}
std::vector<Command> Program::commands(std::uint32_t thread) const {
    grammar::Thread const& t = impl_->program.ctp.threads.at(thread);
    return range(t.first, t.last);
}
std::vector<Command> Program::sends() const { return all_of_kind<Sndi>(impl_->program.ctp); }
std::vector<Command> Program::receives() const { return all_of_kind<Rcvi>(impl_->program.ctp); }

CommandInfo Program::at(Command c) const {
    IndexedProgram const& code = impl_->code;
    Location const rho = checked(code, c);
    grammar::Command const& what = code.command_at(rho);
    CommandInfo info{.kind = kind_of(what), .thread = code.thread_of(rho), .location = std::string(code.names()(rho))};
    Action action;
    if (auto const* const send = as_sndi(what)) action = send->a;
    if (auto const* const receive = as_rcvi(what)) action = receive->a;
    if (auto const* const probe = as_probe(what)) action = probe->a;
    if (auto const* const call = as_collective(what)) action = call->a;
    auto const is_for = [&](grammar::Action a) {
        action = a;
        info.waits = command(code.issued_at(a));
    };
    if (auto const* const wait = as_wait(what)) is_for(wait->a);
    if (auto const* const start = as_start(what)) is_for(start->a);
    if (!action.is_none()) info.action = code.names()(action);
    info.text = grammar::print(impl_->program, what);
    info.origin = explain::shown_place(code, rho);
    return info;
}

std::optional<Command> Program::find(std::string_view location_or_action) const {
    Symbols const& names = impl_->code.names();
    if (auto const rho = names.locations.find(location_or_action); rho && impl_->code.has(Location{*rho}))
        return Command{*rho};
    if (auto const a = names.actions.find(location_or_action)) return command(impl_->code.issued_at(Action{*a}));
    return std::nullopt;
}

std::vector<std::string> Program::variables() const {
    Names const& names = impl_->code.names().variables;
    std::vector<std::string> result;
    for (std::uint32_t x = 0; x < names.size(); ++x) result.emplace_back(names[x]);
    return result;
}

std::size_t Program::traces() const { return impl_->program.traces.size(); }

std::vector<Message> Program::breaches() const { return messages_of(impl_->breaches, impl_->source); }

// ---- What the other sources need ----

Location checked(IndexedProgram const& code, Command c) {
    if (!code.has(location(c))) throw std::logic_error("matchpoint: the program has no such command");
    return location(c);
}

Action send_of(IndexedProgram const& code, Command c) {
    auto const* const send = as_sndi(code.command_at(checked(code, c)));
    if (send == nullptr) throw std::logic_error("matchpoint: the command is not a send");
    return send->a;
}

Action receive_of(IndexedProgram const& code, Command c) {
    auto const& issuer = code.command_at(checked(code, c));
    if (auto const* const receive = as_rcvi(issuer)) return receive->a;
    auto const* const mprobe = as_probe(issuer);
    if (mprobe == nullptr || !mprobe->matches) throw std::logic_error("matchpoint: the command is not a receive");
    return mprobe->a;
}

Match match(MessageIndex const& messages, matching::Pair pair) {
    return {command(messages.receives()[pair.r].rho), command(messages.sends()[pair.s].rho)};
}

matching::Pair pair(MessageIndex const& messages, Match const& m) {
    return {messages.receive_number(receive_of(messages.code(), m.receive)),
            messages.send_number(send_of(messages.code(), m.send))};
}

std::optional<Value> of_room(base::Value const& v) {
    if (v.is_bot()) return std::nullopt;
    return v.is_boolean() ? Value(v.is_true()) : Value::of_digits(v.to_string());
}

std::vector<Message> messages_of(Diagnostics const& diagnostics, Source const& source) {
    std::vector<Message> result;
    for (Diagnostic const& d : diagnostics) {
        Message& m = result.emplace_back();
        m.is_error = d.severity == Severity::error;
        m.rule = d.rule;
        m.text = d.message;
        m.file = source.name();
        m.hints = d.hints;
        if (d.offset == no_offset) continue;
        LineColumn const at = source.line_column(d.offset);
        m.line = at.line;
        m.column = at.column;
    }
    return result;
}

Error error_of(Diagnostics const& diagnostics, Source const& source) {
    bool const is_limit = !diagnostics.empty() && diagnostics.front().rule == "limit";
    std::string text = render(diagnostics, source);
    while (text.ends_with('\n')) text.pop_back();
    return {is_limit ? Error::Kind::limit : Error::Kind::input, std::move(text), messages_of(diagnostics, source)};
}

std::optional<Error> undisciplined(Program const& program) {
    Program::Impl const& impl = program.impl();
    if (impl.messages) return std::nullopt;
    return error_of(impl.breaches, impl.source);
}

} // namespace matchpoint::api
