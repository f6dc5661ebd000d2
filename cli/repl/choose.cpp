// The commands that choose what comes next.

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "base/overloaded.hpp"
#include "cli/repl/repl.hpp"
#include "explain/message_words.hpp"
#include "explain/words.hpp"

namespace matchpoint::cli {

std::string Repl::choice_text(Transition const& what) const {
    auto const seen = [&](Execute t) {
        if (t.peek.is_none() || !in_transit(state(), t.peek)) return std::string();
        auto const& head = Pnd_s(code_, state(), t.peek).front();
        return fmt::format(" sees {}", shown_message(code_, head.a, shown(head.v), true));
    };
    return std::visit(overloaded{
                          [&](Execute t) {
                              return fmt::format("{}: {} {}{}", shown_thread(code_, code_.thread_of(t.rho)),
                                                 shown(code_, t.rho), shown(code_, code_.command_at(t.rho)), seen(t));
                          },
                          [&](Deliver t) {
                              auto const& head = Pnd_s(code_, state(), t.channel).front();
                              return fmt::format("deliver {}: {} = {}{}",
                                                 shown_movement(code_, code_.movement_of(t.channel)),
                                                 shown(code_, head.a), shown(head.v), shown_tag(code_, head.a));
                          },
                      },
                      what);
}

void Repl::choices(std::string const& arguments) {
    if (!arguments.empty() && arguments != "-a") throw misused("choices");
    auto const all = stepper_.choices(arguments == "-a");
    std::size_t n = 0;
    for (auto const& c : all)
        if (!c.blocked) out(fmt::format("{:>3}  {}\n", ++n, choice_text(c.what)));
    for (auto const& c : all)
        if (c.blocked)
            out(fmt::format("  -  {}\n       {}\n", choice_text(c.what), in_words(code_, state(), c.blocked->reason)));
    if (n == 0) {
        if (stepper_.ended())
            out(state().s == Status::error ? "none: the run ended in error\n" : "none: no thread has a command left\n");
        else
            say_blocked();
    } else if (auto const why = why_blocked()) {
        out(fmt::format("{}: none of these lets a thread go on\n", why->kind == Blocked::Kind::ended
                                                                       ? why_nothing(*why)
                                                                       : fmt::format("a {}", to_string(why->kind))));
    }
}

void Repl::take(Transition const& what) {
    std::string const text = choice_text(what);
    look_again();
    bool const followed = following();
    if (auto const why = stepper_.choose(what))
        throw Refused(fmt::format("{}: {}", text, in_words(code_, state(), why->reason)));
    if (followed && !following()) out("the trace is left: `undo` goes back to it\n");
    out(stops_after());
}

void Repl::choose(std::string const& arguments) {
    if (arguments.empty()) throw misused("choose");
    std::size_t const n = number(arguments, "choice: `choices` numbers them");
    auto const all = stepper_.choices();
    if (n == 0 || n > all.size())
        throw Refused(all.empty() ? std::string("there is nothing to choose")
                                  : fmt::format("there is no choice {}: `choices` has {}", n, all.size()));
    take(all[n - 1].what);
    say_blocked();
}

void Repl::deliver(std::string const& arguments) {
    Words const w = words(arguments);
    if (w.size() != 2 && w.size() != 3) throw misused("deliver");
    Endpoint const beta = endpoint(w[0]);
    Endpoint const alpha = endpoint(w[1]);
    std::optional<Channel> c = code_.find_channel(beta, alpha);
    if (!c || whole_Pnd_s(code_, state(), *c).empty())
        throw Refused(fmt::format("nothing is in transit to {} from {}", printable(w[0]), printable(w[1])));
    if (w.size() == 3) {
        auto const n = code_.names().tags.find(w[2]);
        c = n ? code_.find_channel(beta, alpha, Tag{*n}) : std::nullopt;
        if (!c || !in_transit(state(), *c))
            throw Refused(fmt::format("no message with tag {} is in transit to {} from {}{}", printable(w[2]),
                                      printable(w[0]), printable(w[1]),
                                      code_[beta].selects_by_tag ? "" : ", whose messages move in their order"));
    }
    if (!in_transit(state(), *c)) { // several lanes
        auto const next = next_match(state(), code_, *c);
        if (auto const* const why = std::get_if<Reason>(&next)) throw Refused(in_words(code_, state(), *why));
        c = std::get<machine::NextMatch>(next).lane;
    }
    take(Deliver{*c});
    say_blocked();
}

void Repl::thread(std::string const& arguments) {
    if (arguments.empty()) throw misused("thread");
    std::uint32_t const t = thread_number(arguments);
    if (state().ctp[t] == code_.ctp().threads[t].last)
        throw Refused(fmt::format("{} {}", shown_thread(code_, t), end_of(t)));
    if (state().s == Status::error) throw Refused("the run ended in error");
    std::size_t sees = 0;
    for_each_peek(state(), code_, {state().ctp[t]}, [&](Channel) { ++sees; });
    if (sees > 1)
        throw Refused(
            fmt::format("{} can see {} messages: `choices` has them", shown(code_, Location{state().ctp[t]}), sees));
    take(stepper_.command({state().ctp[t]}));
    say_blocked();
}

void Repl::follow(std::string const& arguments) {
    std::string text = arguments;
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    std::replace(text.begin(), text.end(), ';', ' ');
    Words const numbers = words(text);
    if (numbers.empty()) throw misused("follow");
    for (std::string const& n : numbers) choose(n);
}

/// Chooses until there is no choice, or to the next breakpoint. `pick` gets the number of choices.
void Repl::keep_choosing(std::function<std::size_t(std::size_t)> const& pick) {
    std::optional<Transition> picked;
    auto const pick_one = [&] {
        if (picked || stepper_.ended()) return;
        if (auto const all = stepper_.choices(); !all.empty()) picked = all[pick(all.size())].what;
    };
    travel(
        [&] {
            pick_one();
            auto const what = std::exchange(picked, std::nullopt);
            return what && !stepper_.choose(*what);
        },
        [] { return false; },
        [&]() -> std::optional<Location> {
            pick_one();
            auto const* const command = picked ? std::get_if<Execute>(&*picked) : nullptr;
            return command == nullptr ? std::nullopt : std::optional(command->rho);
        });
}

void Repl::automatic(std::string const& arguments) {
    none(arguments, "auto");
    keep_choosing([](std::size_t) { return std::size_t{0}; });
}

void Repl::random(std::string const& arguments) {
    std::mt19937_64 numbers(arguments.empty() ? 1 : number(arguments, "seed"));
    keep_choosing([&](std::size_t count) { return numbers() % count; });
}

} // namespace matchpoint::cli
