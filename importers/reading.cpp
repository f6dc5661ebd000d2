#include "importers/reading.hpp"

#include <fmt/format.h>

namespace matchpoint::importers {

std::optional<std::uint32_t> Reading::begin(std::uint32_t number, Place const& place) {
    auto const [found, is_new] = index_of.try_emplace(number, static_cast<std::uint32_t>(calls.processes.size()));
    if (is_new) {
        calls.processes.push_back({number, place});
        return found->second;
    }
    Place const& first = calls.processes[found->second].place;
    reports.error("I3", place,
                  fmt::format("process {} is there already, from line {}{} on", number, first.line,
                              first.file == place.file ? "" : " of another file"),
                  "import one run at a time");
    return std::nullopt;
}

void Requests::issue(std::uint64_t name, std::uint32_t call) { request_of_.insert_or_assign(name, Request{call}); }

bool Requests::is_pending(std::uint64_t name) const {
    auto const found = request_of_.find(name);
    return found != request_of_.end() && !found->second.is_complete;
}

std::optional<std::uint32_t> Requests::complete(std::uint64_t name, std::string_view word, Place const& place,
                                                Reports& reports) {
    auto const found = request_of_.find(name);
    if (found == request_of_.end()) {
        reports.error("I2", place,
                      fmt::format("`{}` is not a send or receive that this process issued before", printable(word)));
        return std::nullopt;
    }
    if (found->second.is_complete) {
        reports.error("I2", place, fmt::format("`{}` was waited for already", printable(word)));
        return std::nullopt;
    }
    found->second.is_complete = true;
    return found->second.call;
}

void make_blocking(Process& process) {
    for (Call& call : process.calls) {
        if (auto* const send = std::get_if<Send>(&call.what)) send->blocking = true;
        if (auto* const receive = std::get_if<Receive>(&call.what)) receive->blocking = true;
    }
}

} // namespace matchpoint::importers
