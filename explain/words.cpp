#include "explain/words.hpp"

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "base/text.hpp"
#include "explain/collective_words.hpp"
#include "explain/message_words.hpp"
#include "explain/told.hpp"
#include "grammar/operators.hpp"
#include "grammar/print.hpp"

namespace matchpoint::explain {

namespace {

constexpr std::size_t longest = 120; // code points of a command in a message

/// The items' texts, separated by commas; no more than `limit` of them.
template <typename Items, typename Text>
std::string list(Items const& items, std::size_t limit, Text text) {
    std::string result;
    std::size_t count = 0;
    for (auto const& item : items) {
        if (count == limit) return result + fmt::format(", ... ({} more)", items.size() - limit);
        result += (count++ == 0 ? "" : ", ") + text(item);
    }
    return result;
}

std::string sort_of(Value const& v) { return v.is_boolean() ? "a Bool" : "an Int"; }

} // namespace

std::string shown_name(IndexedProgram const& code, Location rho) { return printable(code.names()(rho)); }
std::string shown_place(IndexedProgram const& code, Location rho) {
    if (!code.has(rho)) return "";
    Origin const at = code.ctp().commands[rho.index].at;
    if (at.file.is_none()) return "";
    std::string const file = printable(code.names()(at.file), 4096);
    return at.line == 0 ? file : fmt::format("{}:{}", file, at.line); // `prog+0x1234`: no debug information
}
std::string shown(IndexedProgram const& code, Location rho) {
    if (auto const* const told = ToldByPlaces::of(code); told != nullptr && code.has(rho)) return told->place(rho);
    std::string const place = shown_place(code, rho);
    return shown_name(code, rho) + (place.empty() ? "" : fmt::format(" ({})", place));
}
bool has_places(IndexedProgram const& code) { return code.names().files.size() > 0; }
std::string shown(IndexedProgram const& code, Action a) {
    if (auto const* const told = ToldByPlaces::of(code)) return told->action_of_thread(a);
    return printable(code.names()(a));
}
std::string shown_match(IndexedProgram const& code, Action a_r, Action a_s) {
    if (auto const* const told = ToldByPlaces::of(code)) return told->match(a_r, a_s);
    return fmt::format("{} = {}", shown(code, a_r), shown(code, a_s));
}
std::string shown_receive(IndexedProgram const& code, Action a_r) {
    auto const* const told = ToldByPlaces::of(code);
    return told == nullptr ? shown(code, a_r) : told->receive(a_r);
}
std::string shown_thread(IndexedProgram const& code, std::uint32_t thread) {
    return fmt::format("{} {}", word_for_thread(code), thread);
}
std::string shown(IndexedProgram const& code, Variable x) { return printable(code.names()(x)); }
std::string shown(IndexedProgram const& code, Barrier b) { return printable(code.names()(b)); }
std::string shown(IndexedProgram const& code, Endpoint beta) { return printable(code.names()(beta)); }
std::string shown(IndexedProgram const& code, Tag n) { return printable(code.names()(n)); }
std::string shown(Value const& v) {
    // The digits of a very long integer take longer to find than to read.
    if (std::size_t const bits = v.bits(); bits > 4096) return fmt::format("(an integer of {} bits)", bits);
    return printable(v.to_string());
}
std::string shown(IndexedProgram const& code, Command const& c) {
    auto const* const told = ToldByPlaces::of(code);
    std::string const words = told == nullptr ? "" : told->command(c);
    return printable(words.empty() ? print(code.program(), c) : "(" + words + ")", longest);
}
std::string shown(IndexedProgram const& code, Expression e) { return printable(print(code.program(), e), longest); }

Style style_of(Status s) {
    switch (s) {
    case Status::success: return Style::good;
    case Status::failure: return Style::bad;
    case Status::infeasible: return Style::broken;
    case Status::error: break;
    }
    return Style::stuck;
}

std::string shown(Status s, Paint const& paint) { return paint(style_of(s), to_string(s)); }

std::string in_words(IndexedProgram const& code, State const& state, machine::Reason const& reason) {
    auto const name = [&](auto id) { return shown(code, id); };
    auto const stands_at = [&](std::uint32_t thread) {
        Location const next{state.ctp[thread]};
        if (next.index == code.ctp().threads[thread].last) return shown_thread(code, thread) + " is finished";
        return fmt::format("{} is at {}", shown_thread(code, thread), name(next));
    };
    return std::visit(
        overloaded{
            [&](reason::NotNextCommand const& r) {
                if (!code.has(r.rho)) return fmt::format("{} is not a location of the program", name(r.rho));
                return fmt::format("{} is no {}'s next command: {}", name(r.rho), word_for_thread(code),
                                   stands_at(code.thread_of(r.rho)));
            },
            [&](reason::NothingInTransit const& r) {
                std::string const movement = shown_movement(code, {r.beta, r.alpha, r.n});
                if (r.n.is_none())
                    return fmt::format("movement {}: no message from {} to {} is in transit, Pnd_s({})({}) is empty",
                                       movement, name(r.alpha), name(r.beta), name(r.beta), name(r.alpha));
                if (code[r.beta].selects_by_tag)
                    return fmt::format("movement {}: no message from {} to {} with tag {} is in transit", movement,
                                       name(r.alpha), name(r.beta), name(r.n));
                return fmt::format("movement {}: the oldest message in transit from {} to {} does not have tag {}",
                                   movement, name(r.alpha), name(r.beta), name(r.n));
            },
            [&](reason::NoPostedPartner const& r) {
                if (code[r.beta].selects) return no_match(code, r);
                bool const is_synchronous = code.as_sndi(r.a_s)->mode == Mode::synchronous;
                return fmt::format("movement {}: {} before its receive is posted, and Q_s({}) has as many entries "
                                   "as Pnd_r({})",
                                   shown_movement(code, {r.beta, r.alpha, {}}),
                                   is_synchronous ? name(r.a_s) + " is synchronous and does not move"
                                                  : "with zero buffering no message moves",
                                   name(r.beta), name(r.beta));
            },
            [&](reason::MessageNotThere const& r) {
                if (code[r.beta].selects) return without_partner(code, r);
                if (ToldByPlaces::of(code) != nullptr) return name(r.a_r) + ": its message has not arrived";
                if (r.delivered == 0)
                    return fmt::format("no message has arrived for {} at endpoint {} (Q_s({}) is empty)", name(r.a_r),
                                       name(r.beta), name(r.beta));
                return fmt::format("no message has arrived for {}: it is number {} of the receives pending at endpoint "
                                   "{} (Pnd_r({})), and {} arrived for these (Q_s({}))",
                                   name(r.a_r), r.place + 1, name(r.beta), name(r.beta),
                                   plural(r.delivered, "message has", "messages have"), name(r.beta));
            },
            [&](reason::SendNotTaken const& r) { return not_taken(code, r.a_s, r.held_by); },
            [&](reason::SendNotIssued const& r) {
                return waiting_send(code, r.a_s) + " needs the message to be taken, but the send is not issued yet";
            },
            [&](reason::ReceiveNotPending const& r) {
                Endpoint const beta = code.as_rcvi(r.a_r)->beta;
                return fmt::format("{} is not in Pnd_r({}): it {}", name(r.a_r), name(beta),
                                   r.issued ? "was waited for already" : "is not issued yet");
            },
            [&](reason::VariableWithoutValue const& r) { return fmt::format("{} has no value", name(r.x)); },
            [&](reason::OperandOfWrongSort const& r) {
                std::string const op(to_string(r.op));
                if (r.op == Op::not_)
                    return fmt::format("`not` takes a Bool, and {} is {}", shown(r.v_l), sort_of(r.v_l));
                if (is_choice(r.op))
                    return fmt::format("`{}` takes a Bool first, and {} is {}", op, shown(r.v_l), sort_of(r.v_l));
                if (operand_sort(r.op, 0) == OperandSort::common)
                    return fmt::format("`{}` compares two integers or two booleans, and {} is {}, {} is {}", op,
                                       shown(r.v_l), sort_of(r.v_l), shown(r.v_r), sort_of(r.v_r));
                bool const wants_boolean = operand_sort(r.op, 0) == OperandSort::boolean;
                Value const& culprit = r.v_l.is_boolean() != wants_boolean ? r.v_l : r.v_r;
                return fmt::format("`{}` takes two {}, and {} is {}", op, wants_boolean ? "booleans" : "integers",
                                   shown(culprit), sort_of(culprit));
            },
            [&](reason::DivisionByZero const& r) {
                return fmt::format("({} {} 0) has no value", to_string(r.op), shown(r.v_l));
            },
            [&](reason::NotAtBarrier const& r) {
                return fmt::format("the barrier {} needs all its threads, and {}", name(r.b), stands_at(r.thread));
            },
            [&](reason::NotCalled const& r) { return shown_need(code, state, r.call, r.thread); },
            [&](reason::Mismatch const& r) { return shown_mismatch(code, r.call, r.other); },
            [&](reason::GuardFalse const& r) {
                std::string const values = in_words(code, bindings(code, state, r.guard, 20));
                return fmt::format("the guard {} is {}", shown(code, r.guard),
                                   values.empty() ? "never true" : "false: " + values);
            },
            [&](reason::NoReceiveForReadySend const& r) {
                return fmt::format("{} is a ready send, and no posted receive can get its message", name(r.a_s));
            },
            [&](reason::NothingToProbe const& r) { return nothing_to_probe(code, r); },
            [&](reason::WrongPeek const& r) { return wrong_peek(code, r); },
            [&](reason::NotMatched const& r) {
                return fmt::format("no `mprobe` has matched a message to {}{}", name(r.a_r),
                                   r.started ? " that has not started" : "");
            },
            [&](reason::TraceUsedUp const& r) {
                std::string threads;
                std::size_t unfinished = 0;
                for (std::uint32_t t = 0; t < state.ctp.size(); ++t)
                    if (state.ctp[t] != code.ctp().threads[t].last && unfinished++ < 8) threads += ", " + stands_at(t);
                if (unfinished > 8) threads += fmt::format(", ... ({} more)", unfinished - 8);
                return fmt::format("the trace is used up, but {} command{} not run: {}", r.commands_left,
                                   r.commands_left == 1 ? " has" : "s have", threads.substr(2));
            },
        },
        reason);
}

std::string in_words(IndexedProgram const& code, std::vector<Finding::Binding> const& values) {
    return list(values, 20, [&](auto const& b) { return fmt::format("{} = {}", shown(code, b.x), shown(b.v)); });
}

std::string in_words(IndexedProgram const& code, std::vector<Match> const& matches, std::size_t limit) {
    return list(matches, limit, [&](Match m) { return shown_match(code, m.a_r, m.a_s); });
}

std::string in_words(IndexedProgram const& code, std::vector<Action> const& actions, std::size_t limit) {
    return list(actions, limit, [&](Action a) { return shown(code, a); });
}

std::string shown_orphans(IndexedProgram const& code, WellFormedness const& w) {
    std::string text;
    if (!w.in_transit.empty())
        text += fmt::format("  orphans, sent but never delivered: {}\n", in_words(code, w.in_transit));
    if (!w.delivered.empty())
        text += fmt::format("  orphans, delivered but never received: {}\n", in_words(code, w.delivered));
    return text;
}

} // namespace matchpoint::explain
