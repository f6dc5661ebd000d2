#include "validate/external_command.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "base/child_process.hpp"
#include "base/source.hpp"
#include "base/text.hpp"

namespace matchpoint::validate {

namespace {

constexpr std::size_t output_limit = std::size_t{64} << 20U;

/// `what` is the system's reason. A name without a slash is looked for in PATH, and there may be a file of that name
/// elsewhere.
std::string not_started(std::string const& name, std::string const& what) {
    bool const is_searched = !name.empty() && name.find('/') == std::string::npos;
    bool const is_missing = what == std::generic_category().message(ENOENT);
    return fmt::format("{}: {}", printable(name, 120),
                       is_searched && is_missing ? "PATH has no executable of this name" : what);
}

std::string complaint_of(ChildProcess const& child) {
    std::string_view last = trimmed(child.messages());
    last = trimmed(last.substr(std::min(last.size(), last.rfind('\n') + 1)));
    return last.empty() ? std::string() : fmt::format("; its standard error ends: {}", in_short(last));
}

/// Why its output does not count.
void judge(ChildProcess const& child, ChildProcess::Reply::End end, ExternalLimits const& limits, Printed& printed) {
    using End = ChildProcess::Reply::End;
    auto const trouble = [&](NoAnswer kind, std::string what) {
        printed.trouble = kind;
        printed.what = std::move(what);
    };
    if (end == End::late)
        return trouble(NoAnswer::out_of_time,
                       fmt::format("no answer within {} s", static_cast<double>(limits.time.count()) / 1000));
    if (end == End::too_long)
        return trouble(NoAnswer::too_long, fmt::format("printed more than {} MiB", output_limit >> 20U));
    int const code = child.exit_code().value_or(-1);
    // Many tools exit with 10 if they found something, and with 20 if there is nothing.
    if (code == 0 || code == 10 || code == 20) return;
    bool const memory =
        child.messages().find("emory") != std::string::npos || child.messages().find("bad_alloc") != std::string::npos;
    std::string const limit = memory ? fmt::format(" (it may have {} MiB)", limits.memory >> 20U) : "";
    trouble(memory ? NoAnswer::out_of_memory : NoAnswer::crashed, child.status() + limit + printed.complaint);
}

} // namespace

std::string_view to_string(NoAnswer t) {
    switch (t) {
    case NoAnswer::none: return "none";
    case NoAnswer::cannot_start: return "cannot be started";
    case NoAnswer::crashed: return "crashed";
    case NoAnswer::out_of_time: return "out of time";
    case NoAnswer::out_of_memory: return "out of memory";
    case NoAnswer::too_long: return "too much output";
    case NoAnswer::nonsense: return "nonsense";
    case NoAnswer::refused: return "no problem";
    case NoAnswer::solver: return "no answer from the solver";
    }
    return "";
}

Printed run_external(std::vector<std::string> const& command, std::string input, ExternalLimits const& limits) {
    Printed printed;
    ChildProcess child;
    if (std::string const what = child.start(command, limits.memory, output_limit); !what.empty()) {
        printed.trouble = NoAnswer::cannot_start;
        printed.what = not_started(command.front(), what);
        return printed;
    }
    auto reply = child.finish(std::move(input), ChildProcess::Clock::now() + limits.time);
    printed.text = std::move(reply.text);
    printed.complaint = complaint_of(child);
    judge(child, reply.end, limits, printed);
    return printed;
}

bool replace(std::string& text, std::string_view what, std::string_view by) {
    bool found = false;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
        text.replace(at, what.size(), by);
        found = true;
    }
    return found;
}

std::filesystem::path const& path_of(TemporaryFolder const& folder) {
    if (folder.path().empty()) throw std::runtime_error(folder.error());
    return folder.path();
}

std::string in_short(std::string_view text) { return printable(trimmed(text), 120); }

} // namespace matchpoint::validate
