#include "counting/assertion_needs.hpp"

#include <algorithm>

#include "base/limits.hpp"

namespace matchpoint::counting {

std::optional<executions::AssertionNeeds> assertion_needs(MessageIndex const& messages, Proofs const& proofs) {
    constexpr std::size_t most_needs = 5'000'000;
    if (!proofs.order().is_known()) return std::nullopt;
    Ctp const& ctp = messages.code().ctp();
    executions::AssertionNeeds result;
    result.next.assign(ctp.commands.size(), executions::AssertionNeeds::none);
    std::vector<std::uint32_t> assertions;
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i) {
        if (!std::holds_alternative<Assert>(ctp.commands[i].c) || proofs.assertion_holds(i)) continue;
        result.next[i] = static_cast<std::uint32_t>(assertions.size());
        assertions.push_back(i);
    }
    for (Thread const& thread : ctp.threads)
        for (std::uint32_t at = thread.last; at-- > thread.first;)
            if (result.next[at] == executions::AssertionNeeds::none && at + 1 < thread.last)
                result.next[at] = result.next[at + 1];
    for (std::uint32_t const assertion : assertions) {
        result.first.push_back(static_cast<std::uint32_t>(result.needs.size()));
        spend(ctp.threads.size());
        for (std::uint32_t u = 0; u < ctp.threads.size(); ++u) {
            if (u == messages.code().thread_of({assertion})) continue;
            std::uint32_t const until = proofs.order().before(assertion, u);
            if (until > ctp.threads[u].first) result.needs.push_back({u, until});
        }
        if (result.needs.size() > most_needs) return std::nullopt;
    }
    result.first.push_back(static_cast<std::uint32_t>(result.needs.size()));
    return result;
}

} // namespace matchpoint::counting
