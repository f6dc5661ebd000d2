// The commands that move: along the trace, and back.

#include <algorithm>

#include <fmt/format.h>

#include "cli/repl/repl.hpp"
#include "machine/well_formed.hpp"
#include "report/words.hpp"

namespace matchpoint::cli {

/// "3/14": the steps so far, and the steps of the plan.
std::string Repl::place() const {
    auto const [steps, rules] = stepper_.at();
    std::string const planned = stepper_.plan().size() > steps ? fmt::format("/{}", stepper_.plan().size()) : "";
    return fmt::format("{}{}{}", steps, rules > 0 ? fmt::format(".{}", rules) : "", planned);
}

/// Where a move that was not narrated ended.
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

/// Why nothing comes next, if nothing does.
void Repl::say_blocked() {
    if (state().s == Status::error) return; // the narrator has said which rule is stuck
    if (stepper_.ended()) {
        WellFormedness const w = well_formedness(code_, state());
        out(fmt::format("the run is complete: {} ({})\n", to_string(state().s), w ? "well-formed" : "not well-formed"));
        return;
    }
    if (!everything_waits()) return;
    // A stuck wait may become possible later. Any other stuck command stays stuck.
    bool fault = false;
    for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t)
        fault |= state().ctp[t] < code_.ctp().threads[t].last && as_wait(code_.command_at({state().ctp[t]})) == nullptr;
    out(fault ? "nothing can come next: a fault\n" : "nothing can come next: a deadlock\n");
    for (std::uint32_t t = 0; t < code_.ctp().threads.size(); ++t)
        if (state().ctp[t] < code_.ctp().threads[t].last) out("  " + thread_line(t) + '\n');
}

/// The rule at which the run ended in error.
void Repl::say_stuck() {
    if (auto const& error = stepper_.error())
        out(fmt::format("stuck: rule {}: {}\n", to_string(error->stuck.rule),
                        explain(code_, state(), error->stuck.reason)));
}

/// Nothing is narrated as long as one of these exists.
class Repl::Quiet {
public:
    explicit Quiet(Repl& repl) : repl_(repl) { repl_.stepper_.observe(nullptr); }
    Quiet(Quiet const&) = delete;
    Quiet& operator=(Quiet const&) = delete;
    ~Quiet() { repl_.stepper_.observe(&repl_.narrator_); }

private:
    Repl& repl_;
};

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
    {
        Quiet const quiet(*this);
        travel([&] { return stepper_.step(); }, [] { return false; });
    }
    say_stuck();
}

void Repl::until(std::string const& arguments) {
    if (arguments.empty()) throw Refused("usage: until LOC");
    Location const rho = location(arguments);
    if (!stepper_.has_next()) throw Refused("nothing is planned: `choices`, `auto`, `random`, `search` or `trace`");
    {
        Quiet const quiet(*this);
        travel([&] { return stepper_.step(); }, [&] { return stepper_.next() == rho; });
    }
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
    bool stepped = false;
    {
        Quiet const quiet(*this);
        while (!interrupted() && stepper_.step()) stepped = true;
    }
    say_where();
    if (stepped) say_stuck();
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

void Repl::go_back(std::string const& arguments, bool (Stepper::*back)()) {
    std::size_t const n = count(arguments);
    bool moved = false;
    for (std::size_t i = 0; i < n && (stepper_.*back)(); ++i) moved = true;
    if (!moved) throw Refused("this is the beginning");
    say_where();
}

void Repl::reverse_step(std::string const& arguments) { go_back(arguments, &Stepper::back); }
void Repl::reverse_stepi(std::string const& arguments) { go_back(arguments, &Stepper::back_rule); }

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

/// Goes to the last of the bookmarks `from`, and remembers this place in `to`.
void Repl::travel_in_time(std::vector<Stepper::Bookmark>& from, std::vector<Stepper::Bookmark>& to) {
    to.push_back(stepper_.bookmark());
    stepper_.restore(from.back());
    from.pop_back();
    say_where();
}

void Repl::undo(std::string const& arguments) {
    none(arguments, "undo");
    if (undo_.empty()) throw Refused("there is nothing to undo");
    travel_in_time(undo_, redo_);
}

void Repl::redo(std::string const& arguments) {
    none(arguments, "redo");
    if (redo_.empty()) throw Refused("there is nothing to redo");
    travel_in_time(redo_, undo_);
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

} // namespace matchpoint::cli
