#include "cli/commands/check_progress.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/progress.hpp"

namespace matchpoint::cli {

namespace {

/// A text in a buffer of a fixed size. What does not fit is cut.
class Line {
public:
    Line(char* buffer, std::size_t size) : begin_(buffer), at_(buffer), end_(buffer + size) {}

    template <typename... T>
    void add(fmt::format_string<T...> format, T&&... arguments) {
        auto const left = static_cast<std::size_t>(end_ - at_);
        at_ = std::min(fmt::format_to_n(at_, left, format, std::forward<T>(arguments)...).out, end_);
    }
    std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

private:
    char* begin_;
    char* at_;
    char* end_;
};

void add_stage(Line& line, Activity const& a) {
    using Stage = Activity::Stage;
    auto const count = [](std::atomic<std::uint64_t> const& n) { return n.load(std::memory_order_relaxed); };
    switch (a.stage.load(std::memory_order_relaxed)) {
    case Stage::sampling: return line.add("random executions: {}", count(a.executions));
    case Stage::exploring:
        return line.add("exploring: {} executions, {} machine steps", count(a.executions), count(a.steps));
    case Stage::pruning: return line.add("pruning match pairs");
    case Stage::sat:
        return line.add("sat: {} match pairs, call {}, {} conflicts", count(a.pairs), count(a.calls),
                        count(a.conflicts));
    case Stage::smt: return line.add("smt: {} match pairs, call {}", count(a.pairs), count(a.calls));
    case Stage::comparing: return line.add("looking for a run that succeeds");
    }
}

/// What `ask` answers, given the options, with a line meanwhile.
template <typename F>
auto with_progress(Prepared const& program, CheckOptions options, F const& ask) {
    Activity activity;
    options.activity = &activity;
    std::string const name = printable(program.source.name());
    std::string_view const buffering = check::shown_buffering(options);
    ProgressThread const progress([&](char* buffer, std::size_t size, double seconds) {
        Line line(buffer, size);
        add_stage(line, activity);
        line.add("; {:.1f} s", seconds);
        if (options.time) line.add(" of {}", std::chrono::duration<double>(*options.time).count());
        line.add("; {}, {} buffering", name, buffering); // may be cut
        return line.size();
    });
    return ask(options);
}

} // namespace

CheckResult check_with_progress(Prepared const& program, CheckOptions options) {
    return with_progress(program, std::move(options),
                         [&](CheckOptions const& with) { return check::check(program.messages, with); });
}

check::Determinism determinism_with_progress(Prepared const& program, CheckOptions options,
                                             std::vector<Variable> const& variables) {
    return with_progress(program, std::move(options), [&](CheckOptions const& with) {
        return check::determinism(program.messages, with, variables);
    });
}

} // namespace matchpoint::cli
