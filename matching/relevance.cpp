#include "matching/relevance.hpp"

#include <algorithm>

#include "base/overloaded.hpp"

namespace matchpoint::matching {

bool is_condition(Command const& c) {
    return std::visit(overloaded{
                          [](Assume const&) { return true; },
                          [](Assert const&) { return true; },
                          [](Assign const&) { return false; },
                          [](Sndi const&) { return false; },
                          [](Rcvi const&) { return false; },
                          [](Probe const&) { return false; },
                          [](Start const&) { return false; },
                          [](Meet const&) { return false; },
                          [](Collective const&) { return false; },
                          [](Guarded const&) { return true; },
                          [](Wait const&) { return false; },
                      },
                      c);
}

bool is_assumption(Command const& c) {
    return std::visit(overloaded{
                          [](Assume const&) { return true; },
                          [](Assert const&) { return false; },
                          [](Assign const&) { return false; },
                          [](Sndi const&) { return false; },
                          [](Rcvi const&) { return false; },
                          [](Probe const&) { return false; },
                          [](Start const&) { return false; },
                          [](Meet const&) { return false; },
                          [](Collective const&) { return false; },
                          [](Guarded const& c) { return !c.blocks; },
                          [](Wait const&) { return false; },
                      },
                      c);
}

bool has_assumptions(Ctp const& ctp) {
    return std::any_of(ctp.commands.begin(), ctp.commands.end(),
                       [](LocatedCommand const& c) { return is_assumption(c.c); });
}

namespace {

/// Whether a command is relevant by itself.
bool decides(Ctp const& ctp, Command const& c) {
    Expression const* const e = expression_of(c);
    if (e == nullptr) return false;
    auto const first = ctp.nodes.begin() + e->first;
    return is_condition(c) || std::any_of(first, first + e->size, [](Node const& n) {
               return n.kind == Node::Kind::operation && divides(n.op);
           });
}

} // namespace

Relevance relevance(MessageIndex const& messages, std::vector<Definition> const& definitions) {
    Ctp const& ctp = messages.code().ctp();
    Relevance result{std::vector<bool>(ctp.commands.size()), std::vector<bool>(messages.code().endpoints().size())};
    std::vector<std::uint32_t> work;
    auto const add = [&](std::uint32_t command) {
        if (result.commands[command]) return;
        result.commands[command] = true;
        work.push_back(command);
    };
    auto const add_sends_to = [&](Endpoint beta) {
        if (result.endpoints[beta.index]) return;
        result.endpoints[beta.index] = true;
        for (Channel const c : messages.channels_to(beta))
            for (std::uint32_t const s : messages.sends_of(c)) add(messages.sends()[s].rho.index);
    };
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i)
        if (decides(ctp, ctp.commands[i].c)) add(i);
    while (!work.empty()) {
        Expression const e = *expression_of(ctp.commands[work.back()].c);
        work.pop_back();
        for (std::uint32_t n = e.first; n <= e.root(); ++n) switch (definitions[n].kind) {
            case Definition::Kind::none: break;
            case Definition::Kind::assignment: add(definitions[n].index); break;
            case Definition::Kind::receive: add_sends_to(messages.receives()[definitions[n].index].beta); break;
            }
    }
    return result;
}

} // namespace matchpoint::matching
