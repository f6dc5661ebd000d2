// Moving, choosing and stopping.

#include <algorithm>
#include <random>

#include <fmt/format.h>

#include "cli/repl/repl.hpp"
#include "grammar/overloaded.hpp"
#include "machine/well_formed.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

/// "3/14": how far, and how far the plan goes.
std::string Repl::place() const {
    auto const [steps, rules] = stepper_.at();
    std::string const planned = stepper_.plan().size() > steps ? fmt::format("/{}", stepper_.plan().size()) : "";
    return fmt::format("{}{}{}", steps, rules > 0 ? fmt::format(".{}", rules) : "", planned);
}

/// Where it went to, when it was not told step by step.
void Repl::say_where() {
    std::string text = fmt::format("at step {}", place());
    if (auto const rho = stepper_.next()) {
        text += fmt::format("; next is {}", shown(code_, *rho));
        if (code_.has(*rho))
            text += fmt::format(", thread {}: {}", code_.thread_of(*rho), shown(code_, code_.command_at(*rho)));
    }
    out(text + fmt::format("; s = {}\n", to_string(state().s)));
    say_blocked();
}

bool Repl::everything_waits() { return !stepper_.ended() && !stepper_.has_next() && stepper_.choices().empty(); }

/// What there is to say at an end.
void Repl::say_blocked() {
    if (state().s == Status::error) return; // the rule that is stuck was told
    if (stepper_.ended()) {
        WellFormedness const w = well_formedness(code_, state());
        out(fmt::format("the run is complete: {} ({})\n", to_string(state().s), w ? "well-formed" : "not well-formed"));
        return;
    }
    if (!everything_waits()) return;
    // Only a wait can wait; any other command that is stuck stays so.
    bool fault = false;
    for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t)
        fault |= state().ctp[t] < code_.ctp().threads[t].last &&
                 !std::holds_alternative<Wait>(code_.command_at({state().ctp[t]}));
    out(fault ? "nothing can come next: a fault\n" : "nothing can come next: a deadlock\n");
    for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t)
        if (state().ctp[t] < code_.ctp().threads[t].last) out("  " + thread_line(t) + '\n');
}

void Repl::travel(std::function<bool()> const& move, std::function<bool()> const& enough, bool back) {
    look_again();
    bool first = true;
    while (true) {
        if (!first && !back)
            if (auto const why = breakpoint_before()) {
                out(*why);
                say_where();
                return;
            }
        first = false;
        if (!move()) break;
        if (interrupted()) {
            out("interrupted\n");
            say_where();
            return;
        }
        if (back) {
            if (auto const why = breakpoint_before()) {
                out(*why);
                break;
            }
        } else if (auto const why = breakpoint_after()) {
            out(*why);
            break;
        }
        if (enough()) break;
    }
    say_where();
}

// ---------------------------------------------------------------------------------------------------------------------
// Along the plan

void Repl::step(std::string const& arguments) {
    std::size_t const n = count(arguments);
    if (!stepper_.has_next()) {
        if (stepper_.ended()) throw Refused("the run has ended");
        throw Refused("nothing is planned: `choices` shows what can come next");
    }
    look_again();
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0)
            if (auto const why = breakpoint_before()) {
                out(*why);
                return;
            }
        if (!stepper_.step()) break;
        if (auto const why = breakpoint_after()) {
            out(*why);
            break;
        }
        if (interrupted()) {
            out("interrupted\n");
            break;
        }
    }
    say_blocked();
}

void Repl::stepi(std::string const& arguments) {
    std::size_t const n = count(arguments);
    if (!stepper_.has_next()) throw Refused(stepper_.ended() ? "the run has ended" : "nothing is planned");
    narrator_.set(Narrator::Detail::full);
    try {
        for (std::size_t i = 0; i < n && !interrupted() && stepper_.step_rule(); ++i) {
        }
    } catch (...) {
        verbose("");
        throw;
    }
    verbose("");
    say_blocked();
}

void Repl::next(std::string const& arguments) {
    none(arguments, "next");
    auto const rho = stepper_.next();
    if (!rho || !code_.has(*rho)) return step("");
    std::uint32_t const thread = code_.thread_of(*rho);
    std::uint32_t const at = state().ctp[thread];
    std::uint32_t const last = code_.ctp().threads[thread].last;
    look_again();
    while (stepper_.step() && !interrupted()) {
        if (auto const why = breakpoint_after()) {
            out(*why);
            break;
        }
        auto const comes = stepper_.next();
        bool const moved = state().ctp[thread] != at;
        bool const again = comes && code_.has(*comes) && code_.thread_of(*comes) == thread;
        if (moved && (again || state().ctp[thread] == last)) break;
        if (auto const why = breakpoint_before()) {
            out(*why);
            break;
        }
    }
    say_blocked();
}

void Repl::go_on(std::string const& arguments) {
    none(arguments, "continue");
    if (stepper_.ended()) throw Refused("the run has ended");
    if (!stepper_.has_next()) throw Refused("nothing is planned: `choices`, `auto`, `random`, `search` or `trace`");
    stepper_.observe(nullptr);
    try {
        travel([&] { return stepper_.step(); }, [] { return false; });
    } catch (...) {
        stepper_.observe(&narrator_);
        throw;
    }
    stepper_.observe(&narrator_);
    if (auto const& error = stepper_.error())
        out(fmt::format("stuck: rule {}: {}\n", to_string(error->stuck.rule),
                        explain(code_, state(), error->stuck.reason)));
}

void Repl::until(std::string const& arguments) {
    if (arguments.empty()) throw Refused("usage: until LOC");
    Location const rho = location(arguments);
    if (!stepper_.has_next()) throw Refused("nothing is planned: `choices`, `auto`, `random`, `search` or `trace`");
    stepper_.observe(nullptr);
    travel([&] { return stepper_.step(); }, [&] { return stepper_.next() == rho; });
    stepper_.observe(&narrator_);
    if (!stepper_.has_next() && stepper_.next() != rho) out(fmt::format("{} did not come\n", shown(code_, rho)));
}

void Repl::jump(std::string const& arguments) {
    if (arguments.empty()) throw Refused("usage: jump N");
    std::size_t const n = number(arguments, "number of a step");
    std::size_t const most = std::max(stepper_.plan().size(), stepper_.at().steps);
    if (n > most) throw Refused(fmt::format("the trace has {} steps", most));
    stepper_.jump(n);
    say_where();
}

void Repl::run(std::string const& arguments) {
    trace(arguments);
    if (stepper_.has_next()) go_on("");
}

void Repl::end(std::string const& arguments) {
    none(arguments, "end");
    stepper_.observe(nullptr);
    bool stepped = false;
    while (!interrupted() && stepper_.step()) stepped = true;
    stepper_.observe(&narrator_);
    say_where();
    if (auto const& error = stepper_.error(); error && stepped)
        out(fmt::format("stuck: rule {}: {}\n", to_string(error->stuck.rule),
                        explain(code_, state(), error->stuck.reason)));
}

void Repl::trace(std::string const& arguments) {
    std::size_t const traces = code_.program().traces.size();
    if (traces == 0) throw Refused("the file has no trace: `choices` shows what can come next");
    std::size_t const t = arguments.empty() ? last_trace_ : number(arguments, "number of a trace") - 1;
    if (t >= traces) throw Refused(fmt::format("there is no trace {}: there are {}, from 1", t + 1, traces));
    last_trace_ = t;
    stepper_.follow(t);
    out(fmt::format("trace {}, {} entries\n", t + 1, stepper_.plan().size()));
}

// ---------------------------------------------------------------------------------------------------------------------
// Back

void Repl::reverse_step(std::string const& arguments) {
    std::size_t const n = count(arguments);
    bool moved = false;
    for (std::size_t i = 0; i < n && stepper_.back(); ++i) moved = true;
    if (!moved) throw Refused("this is the beginning");
    say_where();
}

void Repl::reverse_stepi(std::string const& arguments) {
    std::size_t const n = count(arguments);
    bool moved = false;
    for (std::size_t i = 0; i < n && stepper_.back_rule(); ++i) moved = true;
    if (!moved) throw Refused("this is the beginning");
    say_where();
}

void Repl::reverse_next(std::string const& arguments) {
    none(arguments, "reverse-next");
    auto const thread_of = [&](std::optional<Location> rho) {
        return rho && code_.has(*rho) ? std::optional(code_.thread_of(*rho)) : std::nullopt;
    };
    auto thread = thread_of(stepper_.next());
    if (!stepper_.back()) throw Refused("this is the beginning");
    if (!thread) thread = thread_of(stepper_.next());
    while (thread_of(stepper_.next()) != thread && stepper_.back()) {
    }
    say_where();
}

void Repl::reverse_continue(std::string const& arguments) {
    none(arguments, "reverse-continue");
    if (stepper_.at() == Stepper::Point{}) throw Refused("this is the beginning");
    travel([&] { return stepper_.back(); }, [] { return false; }, true);
}

void Repl::undo(std::string const& arguments) {
    none(arguments, "undo");
    if (undo_.empty()) throw Refused("there is nothing to undo");
    redo_.push_back(stepper_.bookmark());
    stepper_.restore(undo_.back());
    undo_.pop_back();
    say_where();
}

void Repl::redo(std::string const& arguments) {
    none(arguments, "redo");
    if (redo_.empty()) throw Refused("there is nothing to redo");
    undo_.push_back(stepper_.bookmark());
    stepper_.restore(redo_.back());
    redo_.pop_back();
    say_where();
}

void Repl::checkpoint(std::string const& arguments) {
    none(arguments, "checkpoint");
    checkpoints_.push_back(stepper_.bookmark());
    out(fmt::format("checkpoint {}: step {}\n", checkpoints_.size(), place()));
}

void Repl::restart(std::string const& arguments) {
    if (arguments.empty()) throw Refused("usage: restart N");
    std::size_t const n = number(arguments, "checkpoint");
    if (n == 0 || n > checkpoints_.size()) throw Refused(fmt::format("there is no checkpoint {}", n));
    stepper_.restore(checkpoints_[n - 1]);
    say_where();
}

// ---------------------------------------------------------------------------------------------------------------------
// Choosing

std::string Repl::choice_text(Transition const& what) const {
    return std::visit(overloaded{
                          [&](Execute t) {
                              return fmt::format("thread {}: {} {}", code_.thread_of(t.rho), shown(code_, t.rho),
                                                 shown(code_, code_.command_at(t.rho)));
                          },
                          [&](Deliver t) {
                              auto const& channel = code_[t.channel];
                              auto const& head = Pnd_s(code_, state(), t.channel).front();
                              return fmt::format("deliver ({} {}): {} = {}", shown(code_, channel.beta),
                                                 shown(code_, channel.alpha), shown(code_, head.a), shown(head.v));
                          },
                      },
                      what);
}

void Repl::choices(std::string const& arguments) {
    if (!arguments.empty() && arguments != "-a") throw Refused("usage: choices [-a]");
    auto const all = stepper_.choices(arguments == "-a");
    std::size_t n = 0;
    for (auto const& c : all)
        if (!c.blocked) out(fmt::format("{:>3}  {}\n", ++n, choice_text(c.what)));
    for (auto const& c : all)
        if (c.blocked)
            out(fmt::format("  -  {}\n       {}\n", choice_text(c.what), explain(code_, state(), c.blocked->reason)));
    if (n == 0) {
        if (stepper_.ended())
            out(state().s == Status::error ? "none: the run ended in error\n" : "none: every thread is finished\n");
        else
            say_blocked();
    }
}

void Repl::take(Transition const& what) {
    std::string const text = choice_text(what);
    if (auto const why = stepper_.choose(what))
        throw Refused(fmt::format("{}: {}", text, explain(code_, state(), why->reason)));
}

void Repl::choose(std::string const& arguments) {
    if (arguments.empty()) throw Refused("usage: choose N, of `choices`");
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
    if (w.size() != 2) throw Refused("usage: deliver BETA ALPHA");
    auto const c = code_.find_channel(endpoint(w[0]), endpoint(w[1]));
    if (!c || !in_transit(state(), *c))
        throw Refused(fmt::format("nothing is in transit from {} to {}", printable(w[1]), printable(w[0])));
    take(Deliver{*c});
    say_blocked();
}

void Repl::thread(std::string const& arguments) {
    if (arguments.empty()) throw Refused("usage: thread I");
    std::uint32_t const t = thread_number(arguments);
    if (state().ctp[t] == code_.ctp().threads[t].last) throw Refused(fmt::format("thread {} is finished", t));
    if (state().s == Status::error) throw Refused("the run ended in error");
    take(Execute{{state().ctp[t]}});
    say_blocked();
}

void Repl::follow(std::string const& arguments) {
    std::string text = arguments;
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
    std::replace(text.begin(), text.end(), ';', ' ');
    Words const numbers = words(text);
    if (numbers.empty()) throw Refused("usage: follow \"N;N;...\"");
    for (std::string const& n : numbers) choose(n);
}

void Repl::automatic(std::string const& arguments) {
    none(arguments, "auto");
    travel(
        [&] {
            if (stepper_.ended()) return false;
            auto const all = stepper_.choices();
            return !all.empty() && !stepper_.choose(all.front().what);
        },
        [] { return false; });
}

void Repl::random(std::string const& arguments) {
    std::mt19937_64 numbers(arguments.empty() ? 1 : number(arguments, "seed"));
    travel(
        [&] {
            if (stepper_.ended()) return false;
            auto const all = stepper_.choices();
            return !all.empty() && !stepper_.choose(all[numbers() % all.size()].what);
        },
        [] { return false; });
}

void Repl::search(std::string const& arguments) {
    constexpr std::size_t default_limit = 100'000;
    Words const w = words(arguments);
    if (w.empty() || w.size() > 2) throw Refused("usage: search failure|success|deadlock|orphan|fault|R=S [LIMIT]");
    Goal goal{};
    std::size_t const equals = w[0].find('=');
    constexpr std::pair<std::string_view, Goal::Kind> kinds[] = {{"failure", Goal::Kind::failure},
                                                                 {"success", Goal::Kind::success},
                                                                 {"deadlock", Goal::Kind::deadlock},
                                                                 {"orphan", Goal::Kind::orphan},
                                                                 {"fault", Goal::Kind::fault}};
    auto const* const kind =
        std::find_if(std::begin(kinds), std::end(kinds), [&](auto const& k) { return k.first == w[0]; });
    if (kind != std::end(kinds))
        goal.kind = kind->second;
    else if (equals != std::string::npos)
        goal = {Goal::Kind::match, pair(w[0].substr(0, equals), w[0].substr(equals + 1))};
    else
        throw Refused(fmt::format("`{}` is nothing to search for: failure, success, deadlock, orphan, fault or R=S",
                                  printable(w[0])));
    if (state().s == Status::error) throw Refused("the run ended in error: nothing comes of it");
    std::size_t const limit = w.size() == 2 ? number(w[1], "number of states") : default_limit;
    BreadthFirst searcher(messages(), stepper_.buffering(), state());
    switch (searcher.search(goal, limit, interrupted)) {
    case BreadthFirst::Answer::found:
        stepper_.plan(searcher.schedule());
        out(fmt::format("found among {}: {} planned; `continue` or `step` goes there\n",
                        plural(searcher.states(), "state"), plural(searcher.schedule().size(), "step")));
        break;
    case BreadthFirst::Answer::none:
        out(fmt::format("there is none from here: all {} looked at\n", plural(searcher.states(), "state")));
        break;
    case BreadthFirst::Answer::bounded:
        out(fmt::format("not found in {}: there may be one beyond (`search {} LIMIT`)\n",
                        plural(searcher.states(), "state"), printable(w[0])));
        break;
    case BreadthFirst::Answer::stopped: out("interrupted\n"); break;
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Stopping

void Repl::add_breakpoint(std::string const& arguments, bool temporary) {
    Words const w = words(arguments);
    bool const half = w.size() == 1 && (w[0] == "thread" || w[0] == "receive" || w[0] == "status");
    if (w.empty() || (half && !code_.names().locations.find(w[0])))
        throw Refused("usage: break LOC | thread I | receive A | status S | EXPR");
    Breakpoint b{breakpoint_number_ + 1, Breakpoint::Kind::becomes, arguments, temporary, 0, {}, {}, {}, 0};
    if (w.size() == 2 && w[0] == "thread") {
        b.kind = Breakpoint::Kind::thread;
        b.subject = thread_number(w[1]);
    } else if (w.size() == 2 && w[0] == "receive") {
        Action const a = receive_action(w[1]);
        Endpoint const beta = code_.as_rcvi(a)->beta;
        b.target = "completed";
        b.look = [this, a, beta] {
            bool const done = state().is_issued(a) && state().ordinal[a.index] < state().Q_s.completed[beta.index];
            return std::string(done ? "completed" : "pending");
        };
    } else if (w.size() == 2 && w[0] == "status") {
        auto const all = {Status::success, Status::failure, Status::infeasible, Status::error};
        if (std::none_of(all.begin(), all.end(), [&](Status s) { return to_string(s) == w[1]; }))
            throw Refused(fmt::format("`{}` is no status: success, failure, infeasible, error", printable(w[1])));
        b.target = w[1];
        b.look = [this] { return std::string(to_string(state().s)); };
    } else if (w.size() == 1 && arguments[0] != '(') {
        b.kind = Breakpoint::Kind::location;
        b.subject = location(w[0]).index;
    } else {
        b.target = "true";
        b.look = watched(arguments);
    }
    breakpoints_.push_back(std::move(b));
    ++breakpoint_number_;
    out(fmt::format("breakpoint {}: {}\n", breakpoint_number_, printable(arguments)));
}

void Repl::break_at(std::string const& arguments) { add_breakpoint(arguments, false); }
void Repl::tbreak(std::string const& arguments) { add_breakpoint(arguments, true); }

void Repl::watch(std::string const& arguments) {
    if (arguments.empty()) throw Refused("usage: watch X | Q_s(BETA) | Pnd_r(BETA) | Pnd_s(BETA,ALPHA)");
    Breakpoint b{breakpoint_number_ + 1, Breakpoint::Kind::changes, arguments, false, 0, {}, {}, {}, 0};
    b.look = watched(arguments);
    b.seen = b.look();
    out(fmt::format("watchpoint {}: now {}\n", b.number, named(arguments, b.seen)));
    breakpoints_.push_back(std::move(b));
    ++breakpoint_number_;
}

void Repl::delete_breakpoints(std::string const& arguments) {
    Words const w = words(arguments);
    if (w.empty()) breakpoints_.clear();
    for (std::string const& word : w) {
        std::size_t const n = number(word, "breakpoint");
        auto const it =
            std::find_if(breakpoints_.begin(), breakpoints_.end(), [&](Breakpoint const& b) { return b.number == n; });
        if (it == breakpoints_.end()) throw Refused(fmt::format("there is no breakpoint {}", n));
        breakpoints_.erase(it);
    }
}

void Repl::look_again() {
    for (Breakpoint& b : breakpoints_)
        if (b.look) b.seen = b.look();
}

/// Breakpoints on what comes next.
std::optional<std::string> Repl::breakpoint_before() {
    auto const rho = stepper_.next();
    if (!rho) return std::nullopt;
    for (Breakpoint& b : breakpoints_) {
        bool const met = (b.kind == Breakpoint::Kind::location && b.subject == rho->index) ||
                         (b.kind == Breakpoint::Kind::thread && code_.has(*rho) && code_.thread_of(*rho) == b.subject);
        if (!met) continue;
        ++b.hits;
        std::string const text = fmt::format("breakpoint {}: {}\n", b.number, printable(b.text));
        if (b.temporary) {
            std::uint32_t const n = b.number;
            std::erase_if(breakpoints_, [&](Breakpoint const& x) { return x.number == n; });
        }
        return text;
    }
    return std::nullopt;
}

/// Breakpoints on what is now.
std::optional<std::string> Repl::breakpoint_after() {
    std::string text;
    std::vector<std::uint32_t> gone;
    for (Breakpoint& b : breakpoints_) {
        if (!b.look) continue;
        std::string const now = b.look();
        bool const met = now != b.seen && (b.kind == Breakpoint::Kind::changes || now == b.target);
        if (met) {
            ++b.hits;
            text +=
                b.kind == Breakpoint::Kind::changes
                    ? fmt::format("watchpoint {}: {}\n  was {}\n  is  {}\n", b.number, printable(b.text), b.seen, now)
                    : fmt::format("breakpoint {}: {}\n", b.number, printable(b.text));
            if (b.temporary) gone.push_back(b.number);
        }
        b.seen = now;
    }
    std::erase_if(breakpoints_,
                  [&](Breakpoint const& b) { return std::find(gone.begin(), gone.end(), b.number) != gone.end(); });
    if (text.empty()) return std::nullopt;
    return text;
}

} // namespace matchpoint::cli
