#include "bench/generators.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <fmt/format.h>

namespace matchpoint::bench {

namespace {

/// A program and its trace while they are written, the threads side by side.
class Text {
public:
    explicit Text(std::size_t threads) : threads_(threads) {}

    /// A command at the end of a thread, and the trace's entry for it at the end of the trace.
    template <typename... Args>
    void step(std::size_t thread, std::string_view movements, fmt::format_string<Args...> form, Args&&... args) {
        entry(command(thread, form, std::forward<Args>(args)...), movements);
    }

    /// A command alone: its location.
    template <typename... Args>
    std::size_t command(std::size_t thread, fmt::format_string<Args...> form, Args&&... args) {
        std::string& text = threads_[thread];
        fmt::format_to(std::back_inserter(text), "    [{} (", locations_);
        fmt::format_to(std::back_inserter(text), form, std::forward<Args>(args)...);
        text += ")]\n";
        return locations_++;
    }

    void entry(std::size_t location, std::string_view movements) {
        fmt::format_to(std::back_inserter(trace_), "  ({} {})\n", location, movements);
    }

    std::string take() {
        std::string text = "(\n";
        for (std::string const& thread : threads_) {
            text += "  (\n";
            text += thread;
            text += "    bot\n  )\n";
        }
        threads_.clear();
        text += ")\n(\n";
        text += trace_;
        return text + ")\n";
    }

private:
    std::vector<std::string> threads_;
    std::string trace_;
    std::size_t locations_ = 0;
};

constexpr std::string_view bot = "bot";

std::string repeated(std::string_view movement, std::size_t count) {
    std::string text = "(";
    for (std::size_t i = 0; i < count; ++i) {
        text += movement;
        text += ' ';
    }
    return text + "bot)";
}

} // namespace

std::string mix(std::size_t commands) {
    Text text(2);
    for (std::size_t i = 0; i < commands / 4; ++i) {
        text.step(0, bot, "sndi S{} 0 1 {}", i, i);
        text.step(1, bot, "rcvi R{} 1 x", i);
        text.step(0, "((1 0) bot)", "wait S{}", i);
        text.step(1, bot, "wait R{}", i);
    }
    return text.take();
}

std::string fan_in(std::size_t commands) {
    std::size_t const senders = commands / 4;
    Text text(senders + 1);
    for (std::size_t i = 1; i <= senders; ++i) {
        text.step(i, bot, "sndi S{} {} 0 {}", i, i, i);
        text.step(i, bot, "wait S{}", i);
    }
    for (std::size_t i = senders; i >= 1; --i) {
        text.step(0, bot, "rcvi R{} 0 x", i);
        text.step(0, fmt::format("((0 {}) bot)", i), "wait R{}", i);
    }
    return text.take();
}

std::string ping_pong(std::size_t commands) {
    Text text(2);
    text.step(0, bot, "x := 0");
    for (std::size_t i = 0; i < (commands - 1) / 8; ++i) {
        text.step(0, bot, "sndi A{} 0 1 (+ x 1)", i);
        text.step(0, bot, "wait A{}", i);
        text.step(1, bot, "rcvi B{} 1 y", i);
        text.step(1, "((1 0) bot)", "wait B{}", i);
        text.step(1, bot, "sndi C{} 1 0 (+ y 1)", i);
        text.step(1, bot, "wait C{}", i);
        text.step(0, bot, "rcvi D{} 0 x", i);
        text.step(0, "((0 1) bot)", "wait D{}", i);
    }
    return text.take();
}

std::string arithmetic(std::size_t commands) {
    Text text(1);
    text.step(0, bot, "x := 1");
    for (std::size_t i = 1; i < commands; ++i) text.step(0, bot, "x := (mod (+ (* x 3) 1) 1000003)");
    return text.take();
}

std::string nested(std::size_t operators) {
    std::string before;
    std::string after;
    for (std::size_t i = 0; i < operators; ++i) {
        before += i % 2 == 0 ? "(+ " : "(- 1 ";
        after += i % 2 == 0 ? ")1 " : ")";
    }
    std::reverse(after.begin(), after.end());
    Text text(1);
    text.step(0, bot, "x := {}1{}", before, after);
    return text.take();
}

std::string one_wait(std::size_t commands) {
    std::size_t const n = std::max<std::size_t>(commands / 2, 2) - 1;
    Text text(2);
    for (std::size_t i = 0; i < n; ++i) text.step(0, bot, "sndi S{} 0 1 {}", i, i);
    for (std::size_t i = 0; i < n; ++i) text.step(1, bot, "rcvi R{} 1 x{}", i, i);
    text.step(1, repeated("(1 0)", n), "wait R{}", n - 1);
    return text.take();
}

std::string queue(std::size_t commands) {
    std::size_t const n = std::max<std::size_t>(commands / 3, 1);
    Text text(2);
    for (std::size_t i = 0; i < n; ++i) text.step(0, bot, "sndi S{} 0 1 {}", i, i);
    for (std::size_t i = 0; i < n; ++i) {
        text.step(1, i == 0 ? repeated("(1 0)", n) : std::string(bot), "rcvi R{} 1 x", i);
        text.step(1, bot, "wait R{}", i);
    }
    return text.take();
}

std::string queue_backwards(std::size_t commands) {
    std::size_t const n = std::max<std::size_t>(commands / 3, 1);
    Text text(2);
    for (std::size_t i = 0; i < n; ++i) text.step(0, "bot", "sndi S{} 0 1 {}", i, i);
    for (std::size_t i = 0; i < n; ++i) text.step(1, "bot", "rcvi R{} 1 x", i);
    for (std::size_t i = n; i-- > 0;) text.step(1, i + 1 == n ? repeated("(1 0)", n) : std::string(bot), "wait R{}", i);
    return text.take();
}

std::span<Workload const> workloads() {
    static constexpr std::array all{
        Workload{"mix", "send, receive, wait, wait", mix},
        Workload{"fan_in", "N senders, one receiver", fan_in},
        Workload{"ping_pong", "two threads, a number to and fro", ping_pong},
        Workload{"arithmetic", "x := (mod (+ (* x 3) 1) 1000003)", arithmetic},
        Workload{"nested", "one expression, N operators deep", nested, "operator"},
        Workload{"one_wait", "one wait completes N receives", one_wait},
        Workload{"queue", "N messages queued, received in order", queue},
        Workload{"queue_backwards", "N messages queued, waited for last first", queue_backwards},
    };
    return all;
}

Workload const* find_workload(std::string_view name) {
    auto const all = workloads();
    auto const found = std::find_if(all.begin(), all.end(), [&](Workload const& w) { return w.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace matchpoint::bench
