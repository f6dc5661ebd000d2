#include "grammar/communicators.hpp"

namespace matchpoint::grammar {

std::vector<std::vector<std::uint32_t>> members_of_communicators(Ctp const& ctp, std::size_t communicators) {
    std::vector<std::vector<std::uint32_t>> members(communicators);
    std::vector<bool> is_declared(communicators);
    for (CommunicatorMembers const& declared : ctp.communicators) {
        members[declared.comm.index] = declared.members;
        is_declared[declared.comm.index] = true;
    }
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t)
        for (std::uint32_t i = ctp.threads[t].first; i < ctp.threads[t].last; ++i) {
            Collective const* const c = as_collective(ctp.commands[i].c);
            if (c == nullptr || is_declared[c->comm.index]) continue;
            auto& of_comm = members[c->comm.index];
            if (of_comm.empty() || of_comm.back() != t) of_comm.push_back(t);
        }
    return members;
}

} // namespace matchpoint::grammar
