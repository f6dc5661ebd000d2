// The commands that move: along the trace, and back.

#include <algorithm>

#include <fmt/format.h>

#include "cli/repl/excursion.hpp"
#include "cli/repl/repl.hpp"
#include "cli/run_end.hpp"
#include "explain/words.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

/// "3/14": the steps so far, and the steps of the plan.
std::string Repl::place() const {
    auto const [steps, rules] = stepper_.at();
    std::string const planned = stepper_.plan().size() > steps ? fmt::format("/{}", stepper_.plan().size()) : "";
    return fmt::format("{}{}{}", steps, rules > 0 ? fmt::format(".{}", rules) : "", planned);
}

std::string Repl::shown_status() const { return "s = " + shown(state().s, paint()); }

/// Where a move that was not narrated ended.
void Repl::say_where() {
    std::string text = fmt::format("at step {}", place());
    if (auto const o = stepper_.next_overwrite())
        text += fmt::format("; next is a value set by hand, {} = {}", shown(code_, o->x), shown(o->v));
    if (auto const rho = stepper_.next()) {
        std::string next = shown(code_, *rho);
        if (code_.has(*rho))
            next += fmt::format(", {}: {}", shown_thread(code_, code_.thread_of(*rho)),
                                shown(code_, code_.command_at(*rho)));
        text += "; next is " + paint()(Style::heading, next);
    }
    auto const end = end_of_trace();
    bool const has_failed = end && !end->failed.empty() && state().s == Status::success;
    auto const why = why_blocked();
    if (why && (why->kind != Blocked::Kind::ended || !has_failed))
        text += fmt::format("; {}; {} so far", paint()(Style::stuck, to_string(why->kind)), shown_status());
    else if (has_failed)
        text += fmt::format("; {}; {} so far", paint()(Style::bad, "failed"), shown_status());
    else if (end && !end->ended.empty() && state().s == Status::success)
        text += fmt::format("; {}; {} so far", paint()(Style::stuck, to_string(Blocked::Kind::ended)), shown_status());
    else
        text += "; " + shown_status();
    out(text + (is_modified() ? "; modified by hand\n" : "\n"));
    say_blocked();
}

std::optional<Blocked> Repl::why_blocked() {
    auto why = standstill();
    if (why) end_openly(*why, code_, cut_short());
    return why;
}

record::CutShort Repl::cut_short() const { return provenance_of(loaded_.source().text()).cut_short; }

std::string Repl::end_of(std::uint32_t thread) const {
    return end_of_thread(code_, provenance_of(loaded_.source().text()), thread);
}
std::string Repl::short_end_of(std::uint32_t thread) const {
    return short_end_of_thread(code_, provenance_of(loaded_.source().text()), thread);
}

std::string Repl::why_nothing(Blocked const& why) const {
    return why.kind == Blocked::Kind::ended ? open_end_text(cut_short()) : blocked_text(why.kind, paint());
}

std::optional<Blocked> Repl::standstill() {
    if (stepper_.ended() || stepper_.next_overwrite()) return std::nullopt;
    if (stepper_.next() && stepper_.at().rules == 0) {
        // Most plans go on. Then the other choices, which can be many, need no look.
        Entry const next = stepper_.plan().entry(stepper_.at().steps);
        if (!stepper_.why_not(next.m.empty() ? Transition(Execute{next.rho, next.peek}) : Deliver{next.m.front()}))
            return std::nullopt;
    }
    if (stepper_.choices().empty()) return blocked(code_, stepper_.buffering(), state());
    // Messages can still be delivered, but a trace that leads to a deadlock leaves them out.
    auto const end = stepper_.next() ? std::nullopt : end_of_trace();
    if (!end || !end->stops_early) return std::nullopt;
    return deadlock_behind(Machine(code_, stepper_.buffering(), state()), *end);
}

/// How the trace ends, if the run so far is all of it.
std::optional<TraceEnding> Repl::end_of_trace() const {
    if (last_trace_ >= code_.program().traces.size()) return std::nullopt;
    std::size_t const size = code_.program().traces[last_trace_].entries.size();
    if (stepper_.at().steps != size) return std::nullopt;
    for (std::size_t i = 0; i < size; ++i) {
        Entry const is = stepper_.plan().entry(i);
        Entry const was = code_.entry(last_trace_, i);
        if (is.rho != was.rho || !std::equal(is.m.begin(), is.m.end(), was.m.begin(), was.m.end())) return std::nullopt;
    }
    return trace_endings(loaded_.source().text(), code_.program().traces.size())[last_trace_];
}

/// How the recorded run ended that this is, if it failed as such or was ended; else nothing.
std::string Repl::recorded_end() const {
    auto const end = end_of_trace();
    std::string const words = end ? end->in_words() : "";
    return words.empty() ? "" : fmt::format("this run was recorded, and {}\n", words);
}

/// Why nothing comes next, if nothing does.
void Repl::say_blocked() {
    if (state().s == Status::error) return; // the narrator has said which rule is stuck
    if (stepper_.ended()) {
        std::string const end = recorded_end();
        bool const is_told = !end.empty() && state().s == Status::success; // and the machine would say `success`
        return out((is_told ? "" : complete_text(code_, state(), is_modified(), paint()) + '\n') + end);
    }
    say_what_blocks();
    out(recorded_end());
}

void Repl::say_what_blocks() {
    if (auto const why = why_blocked()) out(fmt::format("{}\n{}", why_nothing(*why), shown(code_, *why)));
}

/// Behind a trace that is used up: why nothing could come next, if nothing could.
void Repl::say_blocked_at_end(RunError const& error) {
    if (error.rho) return;
    State before = state();
    before.s = Status::success; // any status that is no error
    if (auto why = blocked(code_, stepper_.buffering(), before)) {
        end_openly(*why, code_, cut_short());
        out(fmt::format("{}\n{}", why_nothing(*why), shown(code_, *why)));
    }
}

/// The rule at which the run ended in error.
void Repl::say_stuck() {
    if (auto const& error = stepper_.error())
        out(fmt::format("{}: {}\n", paint()(Style::stuck, "stuck"), stuck_text(code_, state(), *error)));
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

void Repl::travel(std::function<bool()> const& move, std::function<bool()> const& enough,
                  std::function<std::optional<Location>()> const& coming) {
    look_again();
    while (move()) {
        if (interrupted()) {
            out("interrupted\n");
            break;
        }
        if (std::string const why = stops_after() + stops_before(coming()); !why.empty()) {
            out(why);
            break;
        }
        if (enough()) break;
    }
    say_where();
}

void Repl::travel_along_plan(std::function<bool()> const& enough) {
    Quiet const quiet(*this);
    travel([&] { return stepper_.step(); }, enough, [&] { return stepper_.next(); });
}

// ---------------------------------------------------------------------------------------------------------------------
// Along the plan

void Repl::need_plan() {
    if (stepper_.has_next()) return;
    if (auto const& error = stepper_.error())
        throw Refused(
            fmt::format("the run ended in error: {}; `reverse-step` goes back", stuck_text(code_, state(), *error)));
    if (stepper_.ended())
        throw Refused(complete_text(code_, state(), is_modified()) + "; `why` explains it, `reverse-step` goes back");
    if (auto const why = why_blocked()) throw Refused(blocked_text(why->kind) + " (`why`)");
    throw Refused(
        fmt::format("{}: `choices`, `auto`, `random`, `search` or `trace`",
                    stepper_.plan().size() == 0 ? "nothing is planned" : "this is the end of what is planned"));
}

bool Repl::told_step() {
    auto const o = stepper_.next_overwrite();
    std::string const was = o ? shown(state().h[o->x.index]) : "";
    if (!stepper_.step()) return false;
    if (o)
        out(fmt::format("      {:<30} h(eta({})) = {}, not {}\n", "(set by hand)", shown(code_, o->x), shown(o->v),
                        was));
    return true;
}

void Repl::step(std::string const& arguments) {
    std::size_t const n = count(arguments);
    need_plan();
    look_again();
    for (std::size_t i = 0; i < n && told_step(); ++i) {
        if (std::string const why = stops_after() + stops_before(stepper_.next()); !why.empty()) {
            out(why);
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
    need_plan();
    FullDetail const full(narrator_);
    look_again();
    for (std::size_t i = 0; i < n && !interrupted(); ++i) {
        if (stepper_.next_overwrite() ? !told_step() : !stepper_.step_rule()) break;
        std::string why = stops_after();
        if (stepper_.at().rules == 0) why += stops_before(stepper_.next());
        out(why);
        if (!why.empty()) break;
    }
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
    while (told_step() && !interrupted()) {
        if (std::string const why = stops_after() + stops_before(stepper_.next()); !why.empty()) {
            out(why);
            break;
        }
        auto const comes = stepper_.next();
        bool const moved = state().ctp[thread] != at;
        bool const again = comes && code_.has(*comes) && code_.thread_of(*comes) == thread;
        if (moved && (again || state().ctp[thread] == last)) break;
    }
    say_blocked();
}

void Repl::go_on(std::string const& arguments) {
    none(arguments, "continue");
    need_plan();
    travel_along_plan([] { return false; });
    say_stuck();
}

void Repl::until(std::string const& arguments) {
    if (arguments.empty()) return next("");
    Location const rho = location(arguments);
    if (state().ctp[code_.thread_of(rho)] > rho.index)
        throw Refused(fmt::format("{} has run: `tbreak {}` and `reverse-continue` go back to it", shown(code_, rho),
                                  shown_name(code_, rho)));
    need_plan();
    travel_along_plan([&] { return stepper_.next() == rho; });
    if (!stepper_.has_next() && stepper_.next() != rho) out(fmt::format("{} did not come\n", shown(code_, rho)));
}

void Repl::jump(std::string const& arguments) {
    if (arguments.empty()) throw misused("jump");
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
    std::size_t const t = arguments.empty() ? last_trace_ : number(arguments, "number of a trace") - 1;
    if (t >= traces && !is_file_as_read()) throw Refused(file_has_changed);
    if (traces == 0) throw Refused("the file has no trace: `choices` shows what can come next");
    if (t >= traces) throw Refused(fmt::format("there is no trace {}: there are {}, from 1", t + 1, traces));
    Buffering const wanted = trace_endings(loaded_.source().text(), traces)[t].buffering_if(std::nullopt);
    if (is_buffering_of_traces_ && wanted != stepper_.buffering())
        throw Refused(
            fmt::format("trace {0} is for {1} buffering, and this session has {2}: `matchpoint step {3} --trace {0}` "
                        "follows it",
                        t + 1, to_string(wanted), to_string(stepper_.buffering()), printable(loaded_.path(), 4096)));
    last_trace_ = t;
    follow(t);
    out(fmt::format("trace {}, {} entries\n", t + 1, stepper_.plan().size()));
}

// ---------------------------------------------------------------------------------------------------------------------
// Back

void Repl::go_back(std::string const& arguments, bool (Stepper::*back)()) {
    std::size_t const n = count(arguments);
    if (stepper_.at_beginning()) throw Refused("this is the beginning");
    look_again();
    for (std::size_t i = 0; i < n && !interrupted(); ++i) {
        auto const why = back_once(back);
        if (!why) break;
        out(*why);
        if (!why->empty()) break;
    }
    say_where();
}

void Repl::reverse_step(std::string const& arguments) { go_back(arguments, &Stepper::back); }
void Repl::reverse_stepi(std::string const& arguments) { go_back(arguments, &Stepper::back_rule); }

void Repl::reverse_next(std::string const& arguments) {
    none(arguments, "reverse-next");
    auto const thread_of = [&](std::optional<Location> rho) {
        return rho && code_.has(*rho) ? std::optional(code_.thread_of(*rho)) : std::nullopt;
    };
    if (stepper_.at_beginning()) throw Refused("this is the beginning");
    auto thread = thread_of(stepper_.next());
    look_again();
    while (auto const why = back_once(&Stepper::back)) {
        out(*why);
        if (!thread) thread = thread_of(stepper_.next());
        if (!why->empty() || thread_of(stepper_.next()) == thread || interrupted()) break;
    }
    say_where();
}

void Repl::reverse_continue(std::string const& arguments) {
    none(arguments, "reverse-continue");
    if (stepper_.at_beginning()) throw Refused("this is the beginning");
    look_again();
    while (auto const why = back_once(&Stepper::back)) {
        out(*why);
        if (!why->empty()) break;
        if (interrupted()) {
            out("interrupted\n");
            break;
        }
    }
    say_where();
}

void Repl::checkpoint(std::string const& arguments) {
    none(arguments, "checkpoint");
    checkpoints_.push_back(stepper_.bookmark());
    out(fmt::format("checkpoint {}: step {}\n", checkpoints_.size(), place()));
}

void Repl::restart(std::string const& arguments) {
    if (arguments.empty()) throw misused("restart");
    std::size_t const n = number(arguments, "checkpoint");
    if (n == 0 || n > checkpoints_.size()) throw Refused(fmt::format("there is no checkpoint {}", n));
    stepper_.restore(checkpoints_[n - 1]);
    say_where();
}

} // namespace matchpoint::cli
