#include "explain/narrate.hpp"

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "explain/events.hpp"
#include "explain/message_words.hpp"
#include "explain/words.hpp"

namespace matchpoint::explain {

namespace {

constexpr std::size_t shown_movements = 8;

/// (x y z ... 5 more): the texts of the first items of a sequence of `count` items.
template <typename Items, typename Text>
std::string sequence(Items const& items, std::size_t count, Text text) {
    std::string result = "(";
    for (auto const& item : items) result += (result.size() == 1 ? "" : " ") + text(item);
    if (items.size() < count) result += fmt::format(" ... {} more", count - items.size());
    return result + ")";
}

/// The same for no more than `limit` of the items, and `...` if there are, or may be, others.
template <typename Item, typename Text>
std::string beginning(std::vector<Item> items, std::size_t limit, bool more, Text text) {
    more |= items.size() > limit;
    if (items.size() > limit) items.resize(limit);
    std::string result = sequence(items, items.size(), text);
    if (more) result.insert(result.size() - 1, " ...");
    return result;
}

/// How many slots of a queue are looked at to find its first entries. A long run of removed entries must not be walked
/// each time.
constexpr std::uint32_t looks = 64;

/// What a brief narration leaves out.
bool is_detail(Event const& event) {
    return std::visit([]<typename E>(E const&) { return ExpressionEvent<E> || std::same_as<E, event::MachineStep>; },
                      event);
}

/// ", h(eta(y)) = 2": what `(source y)` and `(tagged z)` assign.
std::string selected_text(IndexedProgram const& code, std::vector<event::Selected> const& selected) {
    std::string text;
    for (auto const& [y, before, v] : selected) text += fmt::format(", h(eta({})) = {}", shown(code, y), shown(v));
    return text;
}

/// "R2 gets S4: h(eta(A)) = 4; ": the first `limit` receives that a wait completes.
std::string completions_text(IndexedProgram const& code, event::WaitRcviCommand const& e, std::size_t limit) {
    if (e.completions.empty()) return fmt::format("{} has {} already; ", shown(code, e.a_r), shown(code, e.a_s));
    std::string text;
    std::size_t const n = std::min(e.completions.size(), limit);
    for (event::Completion const& c : e.completions.first(n)) {
        text += fmt::format("{} gets {}: h(eta({})) = {}", shown(code, c.a_r), shown(code, c.a_s), shown(code, c.x),
                            shown(c.v));
        text += selected_text(code, c.selected) + "; ";
    }
    if (n < e.completions.size()) text += fmt::format("... {} more; ", e.completions.size() - n);
    return text;
}

/// "the guard is true; h(eta(x)) = 4, h(eta(l)) = 0": the first `limit` stores of a guarded assignment; or what its
/// guard made of s.
std::string stores_text(IndexedProgram const& code, event::GuardedAssignment const& e, std::string const& status,
                        std::size_t limit) {
    std::string text = fmt::format("the guard is {}", shown(e.v));
    if (!status.empty()) text += "; s = " + status;
    std::size_t const n = std::min(e.assigned.size(), limit);
    for (std::size_t i = 0; i < n; ++i)
        text +=
            fmt::format("{} h(eta({})) = {}", i == 0 ? ";" : ",", shown(code, e.assigned[i].x), shown(e.assigned[i].v));
    if (n < e.assigned.size()) text += fmt::format(", ... {} more", e.assigned.size() - n);
    return text;
}

} // namespace

void Narrator::rule(Rule r, std::string const& what) const {
    write_(fmt::format("      {} {}\n", paint_(Style::dim, fmt::format("{:<30}", to_string(r))), what));
}

std::string shown_Pnd_s(IndexedProgram const& code, State const& state, Channel channel, std::size_t limit) {
    auto const all = whole_Pnd_s(code, state, channel);
    auto const first = std::span(all).first(std::min(all.size(), limit));
    auto const& info = code[channel];
    return fmt::format(
        "Pnd_s({})({}) = {}", shown(code, info.beta), shown(code, info.alpha),
        sequence(first, all.size(), [&](PendingSend const& p) { return shown_message(code, p.a, shown(p.v)); }));
}

std::string shown_Pnd_r(IndexedProgram const& code, State const& state, Endpoint beta, std::size_t limit) {
    std::uint32_t const front = code[beta].selects ? state.Pnd_r.front[beta.index] : state.Q_s.front[beta.index];
    bool const more = state.Pnd_r.issued[beta.index] - front > looks;
    return fmt::format("Pnd_r({}) = {}", shown(code, beta),
                       beginning(Pnd_r(code, state, beta, looks), limit, more,
                                 [&](PendingReceive const& p) { return shown_receive(code, p.a, p.x); }));
}

std::string shown_Q_s(IndexedProgram const& code, State const& state, Endpoint beta, std::size_t limit) {
    bool const more = state.Q_s.delivered[beta.index] - state.Q_s.front[beta.index] > looks;
    return fmt::format("Q_s({}) = {}", shown(code, beta),
                       beginning(Q_s(code, state, beta, looks), limit, more, [&](DeliveredSend const& d) {
                           bool const marked = d.mark == DeliveredSend::Mark::marked;
                           return shown_message(code, d.a, marked ? "bot" : shown(d.v), code[beta].selects);
                       }));
}

void Narrator::on(State const& state, Event const& event) {
    IndexedProgram const& code = *code_;
    auto const name = [&](auto id) { return shown(code, id); };
    auto const op = [&](std::uint32_t node) { return to_string(code.ctp().nodes[node].op); };
    auto const status = [&](Status s) { return shown(s, paint_); };
    if (detail_ == Detail::brief && is_detail(event)) return;
    std::visit(overloaded{
                   [&](event::EntryTaken const& e) {
                       write_(paint_(Style::heading,
                                     fmt::format("{:>5} {}  {}: {}", e.entry, name(e.rho), shown_thread(code, e.thread),
                                                 shown(code, code.command_at(e.rho)))) +
                              "\n");
                   },
                   [&](event::QueueMovement const& e) {
                       auto const& channel = code[e.channel];
                       rule(Rule::process_queue_movement,
                            fmt::format("{}: {}, {}", shown_movement(code, code.movement_of(e.channel)),
                                        shown_Pnd_s(code, state, e.channel, queue_limit_),
                                        shown_Q_s(code, state, channel.beta, queue_limit_)));
                   },
                   [&](event::VariableLookup const& e) {
                       rule(Rule::variable_lookup, fmt::format("h(eta({})) = {}", name(e.x), shown(e.v)));
                   },
                   [&](event::LeftOperand const& e) {
                       rule(Rule::left_operand, fmt::format("k = ({} * e -> k)", op(e.node)));
                   },
                   [&](event::RightOperand const& e) {
                       rule(Rule::right_operand, fmt::format("k = ({} {} * -> k)", op(e.node), shown(e.v_l)));
                   },
                   [&](event::BinaryOperation const& e) {
                       rule(Rule::binary_operation,
                            fmt::format("({} {} {}) = {}", op(e.node), shown(e.v_l), shown(e.v_r), shown(e.v)));
                   },
                   [&](event::NotOperand const&) { rule(Rule::not_operand, "k = (not * -> k)"); },
                   [&](event::NotOperation const& e) {
                       rule(Rule::not_operation, fmt::format("(not {}) = {}", shown(e.operand), shown(e.v)));
                   },
                   [&](event::IteCondition const&) { rule(Rule::ite_condition, "k = (ite * e_1 e_2 -> k)"); },
                   [&](event::IteOperand const& e) {
                       rule(Rule::ite_operand, fmt::format("(ite {} e_1 e_2): e_{} is evaluated", shown(e.v), e.k));
                   },
                   [&](event::AssumeExpressionsEvaluation const&) {
                       rule(Rule::assume_expressions_evaluation, "k = (assume * -> ret)");
                   },
                   [&](event::AssumeCommand const& e) {
                       rule(Rule::assume_command,
                            fmt::format("assume({}, {}) = {}", shown(e.v), status(e.before), status(e.after)));
                   },
                   [&](event::AssertExpressionsEvaluation const&) {
                       rule(Rule::assert_expressions_evaluation, "k = (assert * -> ret)");
                   },
                   [&](event::AssertCommand const& e) {
                       rule(Rule::assert_command,
                            fmt::format("assert({}, {}) = {}", shown(e.v), status(e.before), status(e.after)));
                   },
                   [&](event::AssignExpressionsEvaluation const& e) {
                       rule(Rule::assign_expressions_evaluation, fmt::format("k = ({} := * -> ret)", name(e.x)));
                   },
                   [&](event::AssignCommand const& e) {
                       rule(Rule::assign_command, fmt::format("h(eta({})) = {}", name(e.x), shown(e.v)));
                   },
                   [&](event::SndiExpressionEvaluation const& e) {
                       Sndi const& c = *code.as_sndi(e.a);
                       rule(Rule::sndi_expression_evaluation,
                            fmt::format("k = (sndi {} {} {} * -> ret)", name(e.a), name(c.alpha), name(c.beta)));
                   },
                   [&](event::SndiCommand const& e) {
                       rule(e.is_ready ? Rule::rsndi_command : Rule::sndi_command,
                            fmt::format("A({}) = {}; {}", name(e.a), name(code[e.channel].alpha),
                                        shown_Pnd_s(code, state, e.channel, queue_limit_)));
                   },
                   [&](event::RcviCommand const& e) {
                       rule(Rule::rcvi_command, fmt::format("A({}) = {}; {}", name(e.a), name(e.beta),
                                                            shown_Pnd_r(code, state, e.beta, queue_limit_)));
                   },
                   [&](event::WaitSndiCommand const& e) {
                       rule(Rule::wait_sndi_command, fmt::format("{} is a send: nothing changes", name(e.a_s)));
                   },
                   [&](event::ProbeCommand const& e) {
                       std::string const seen = fmt::format("sees {}{}", shown_message(code, e.a_s, shown(e.v), true),
                                                            selected_text(code, e.selected));
                       if (!e.matches) return rule(Rule::probe_command, seen);
                       rule(Rule::mprobe_command,
                            fmt::format("{}; {}, {}, {}", seen, shown_Pnd_s(code, state, e.lane, queue_limit_),
                                        shown_Pnd_r(code, state, e.beta, queue_limit_),
                                        shown_Q_s(code, state, e.beta, queue_limit_)));
                   },
                   [&](event::StartCommand const& e) {
                       rule(Rule::start_command, fmt::format("A({}) = {}; {}", name(e.a), name(e.beta),
                                                             shown_Pnd_r(code, state, e.beta, queue_limit_)));
                   },
                   [&](event::BarrierCommand const& e) {
                       rule(Rule::barrier_command, fmt::format("{}: every thread that has it has come", name(e.b)));
                   },
                   [&](event::CollectiveStep const& e) {
                       rule(e.rule, e.rule == Rule::icollective_command
                                        ? fmt::format("{}: no other call disagrees", name(e.a))
                                        : fmt::format("{}: every thread that it needs has called", name(e.a)));
                   },
                   [&](event::GuardEvaluation const& e) {
                       rule(Rule::guard_evaluation, fmt::format("k = ({} * ... -> ret)", e.blocks ? "when" : "assume"));
                   },
                   [&](event::RightHandSideEvaluation const& e) {
                       rule(Rule::right_hand_side_evaluation, fmt::format("k = (... ({} := *) ... -> ret)", name(e.x)));
                   },
                   [&](event::GuardedAssignment const& e) {
                       rule(e.blocks ? Rule::when_command : Rule::guarded_assignment_command,
                            stores_text(code, e, e.before == e.after ? std::string() : status(e.after), queue_limit_));
                   },
                   [&](event::WaitRcviCommand const& e) {
                       rule(Rule::wait_rcvi_command,
                            fmt::format("{}{} and {} leave A; {}, {}", completions_text(code, e, queue_limit_),
                                        name(e.a_r), name(e.a_s), shown_Pnd_r(code, state, e.beta, queue_limit_),
                                        shown_Q_s(code, state, e.beta, queue_limit_)));
                   },
                   [&](event::MachineStep const&) { rule(Rule::machine_step, "s = " + status(state.s)); },
                   [&](event::MovementsTakenBack const& e) {
                       auto const first = e.m.first(std::min(e.m.size(), shown_movements));
                       std::string const moved = sequence(
                           first, e.m.size(), [&](Channel c) { return shown_movement(code, code.movement_of(c)); });
                       write_(fmt::format("      {:<30} {}\n", "(movements taken back)", moved));
                   },
                   [&](event::StuckAt const& e) {
                       if (e.rho && std::holds_alternative<reason::NotNextCommand>(e.stuck.reason))
                           write_(fmt::format("{:>5} {}\n", e.entry, name(*e.rho)));
                       rule(e.stuck.rule, fmt::format("{}: {}; s = {}", paint_(Style::stuck, "stuck"),
                                                      in_words(code, state, e.stuck.reason), status(state.s)));
                   },
               },
               event);
}

} // namespace matchpoint::explain
