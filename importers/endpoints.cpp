#include "importers/endpoints.hpp"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

namespace matchpoint::importers {

Endpoints::Endpoints(Calls const& calls, Reports& reports) : calls_(calls) {
    for (Process const& p : calls.processes) processes_ = std::max(processes_, p.number + 1);
    if (std::uint64_t{processes_} * calls.communicators.names().size() > UINT32_MAX)
        reports.error("limit", calls.processes.front().place,
                      "too many communicators: not each process can have an endpoint in each");
    if (calls.explicit_endpoints) find_owners(reports);
    check_destinations(reports);
    if (calls.explicit_endpoints) choose_sources();
}

void Endpoints::find_owners(Reports& reports) {
    for (Process const& p : calls_.processes) {
        for (Call const& call : p.calls) {
            auto const* const receive = std::get_if<Receive>(&call.what);
            if (receive == nullptr) continue;
            auto const [found, is_new] = owner_.try_emplace(receive->endpoint, p.number);
            if (found->second != p.number)
                reports.error(
                    "I3", call.place,
                    fmt::format("process {} receives at endpoint {}, as process {} does: an endpoint belongs to "
                                "one process",
                                p.number, receive->endpoint, found->second));
            source_.try_emplace(p.number, receive->endpoint);
        }
    }
}

void Endpoints::check_destinations(Reports& reports) const {
    std::unordered_set<std::uint32_t> numbers;
    for (Process const& p : calls_.processes) numbers.insert(p.number);
    auto const check = [&](Call const& call, std::uint32_t process, char const* preposition) {
        if (numbers.contains(process) || (calls_.explicit_endpoints && owner_.contains(process))) return;
        reports.error("I3", call.place, fmt::format("there is no process {} to receive {}", process, preposition));
    };
    for (Process const& p : calls_.processes)
        for (Call const& call : p.calls) {
            if (auto const* const send = std::get_if<Send>(&call.what); send != nullptr && !send->from)
                check(call, send->to, "it");
            auto const* const receive = std::get_if<Receive>(&call.what);
            if (receive != nullptr && receive->from) check(call, *receive->from, "from");
            auto const* const probe = std::get_if<Probe>(&call.what);
            if (probe != nullptr && probe->from) check(call, *probe->from, "from");
        }
}

/// Its first endpoint, else the one with its number, else a new one.
void Endpoints::choose_sources() {
    std::uint32_t next = processes_;
    for (auto const& [endpoint, process] : owner_) next = std::max(next, endpoint + 1);
    for (Process const& p : calls_.processes) {
        if (source_.contains(p.number)) continue;
        source_.emplace(p.number, owner_.contains(p.number) ? next++ : p.number);
    }
}

std::uint32_t Endpoints::of_receive(Process const& process, Receive const& receive) const {
    return calls_.explicit_endpoints ? receive.endpoint : of(process.owner(), receive.communicator);
}
std::uint32_t Endpoints::source(Process const& process, Send const& send) const {
    if (send.from) return *send.from;
    return calls_.explicit_endpoints ? source_.at(process.number) : of(process.owner(), send.communicator);
}
std::uint32_t Endpoints::destination(Send const& send) const {
    return calls_.explicit_endpoints ? send.to : of(send.to, send.communicator);
}

} // namespace matchpoint::importers
