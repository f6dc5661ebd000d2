#include "grammar/requests.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/source.hpp"

namespace matchpoint::grammar {

Requests::Requests(Program const& program)
    : p_(program), thread_of_(program.ctp.commands.size()), waited_at_(program.ctp.issued_by.size(), none),
      started_at_(waited_at_), is_wait_misplaced_(waited_at_.size()), is_start_misplaced_(waited_at_.size()) {
    Ctp const& ctp = program.ctp;
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t)
        for (std::uint32_t i = ctp.threads[t].first; i < ctp.threads[t].last; ++i) thread_of_[i] = t;
    auto const is_misplaced = [&](Action a, std::uint32_t at) {
        std::uint32_t const issued = ctp.issued_by[a.index];
        return thread_of_[issued] != thread_of_[at] || issued > at;
    };
    std::vector<bool> seen(waited_at_.size());
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i) {
        if (auto const* const start = as_start(ctp.commands[i].c))
            if (is_misplaced(start->a, i)) is_start_misplaced_[start->a.index] = true;
        auto const* const wait = as_wait(ctp.commands[i].c);
        if (wait == nullptr || seen[wait->a.index]) continue;
        seen[wait->a.index] = true;
        is_wait_misplaced_[wait->a.index] = is_misplaced(wait->a, i);
    }
}

std::string Requests::name(Action a) const { return printable(p_.symbols(a)); }

Requests::Fault Requests::fault(std::string message, std::string_view what, std::uint32_t other) const {
    return {std::move(message), what, other};
}

std::optional<Requests::Fault> Requests::wait(Wait const& c, std::uint32_t at) {
    std::uint32_t const issued = p_.ctp.issued_by[c.a.index];
    if (std::uint32_t const first = waited_at_[c.a.index]; first != none)
        return fault(fmt::format("action `{}` is waited for twice", name(c.a)), "the first wait for it", first);
    waited_at_[c.a.index] = at;
    if (thread_of_[issued] != thread_of_[at])
        return fault(fmt::format("the wait for `{}` is in thread {}, its action in thread {}", name(c.a),
                                 thread_of_[at], thread_of_[issued]),
                     "the action", issued);
    if (issued > at)
        return fault(fmt::format("the wait for `{}` comes before its action", name(c.a)), "the action", issued);
    auto const* const probe = as_probe(p_.ctp.commands[issued].c);
    return probe == nullptr ? std::nullopt : wait_for(*probe);
}

std::optional<Requests::Fault> Requests::wait_for(Probe const& c) const {
    std::uint32_t const issued = p_.ctp.issued_by[c.a.index];
    if (!c.matches)
        return fault(fmt::format("the wait for `{}` is for a `probe`, which receives nothing", name(c.a)), "the action",
                     issued);
    if (started_at_[c.a.index] == none)
        return fault(fmt::format("the wait for `{}` comes before its start", name(c.a)), "the `mprobe`", issued);
    return std::nullopt;
}

std::optional<Requests::Fault> Requests::start(Start const& c, std::uint32_t at) {
    std::uint32_t const issued = p_.ctp.issued_by[c.a.index];
    auto const* const mprobe = as_probe(p_.ctp.commands[issued].c);
    if (mprobe == nullptr || !mprobe->matches)
        return fault(fmt::format("`{}` is started, but no `mprobe` issues it", name(c.a)), "the action", issued);
    if (std::uint32_t const first = started_at_[c.a.index]; first != none)
        return fault(fmt::format("receive `{}` is started twice", name(c.a)), "the first start", first);
    started_at_[c.a.index] = at;
    if (thread_of_[issued] != thread_of_[at])
        return fault(fmt::format("the start of `{}` is in thread {}, its `mprobe` in thread {}", name(c.a),
                                 thread_of_[at], thread_of_[issued]),
                     "the `mprobe`", issued);
    if (issued > at)
        return fault(fmt::format("the start of `{}` comes before its `mprobe`", name(c.a)), "the `mprobe`", issued);
    return std::nullopt;
}

std::optional<Requests::Fault> Requests::received(Probe const& c) const {
    if (!c.matches || is_wait_misplaced_[c.a.index] || is_start_misplaced_[c.a.index]) return std::nullopt;
    if (started_at_[c.a.index] == none)
        return fault(fmt::format("no `start` receives what `{}` matches", name(c.a)), {}, none);
    return fault(fmt::format("no wait completes the receive that the start of `{}` begins", name(c.a)), {}, none);
}

} // namespace matchpoint::grammar
