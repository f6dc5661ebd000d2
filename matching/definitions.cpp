#include "matching/definitions.hpp"

namespace matchpoint::matching {

std::vector<std::vector<std::uint32_t>> completed_at(MessageIndex const& messages) {
    std::vector<std::vector<std::uint32_t>> result(messages.code().ctp().commands.size());
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r) result[messages.receives()[r].nw.index].push_back(r);
    return result;
}

std::vector<Definition> definitions(MessageIndex const& messages) {
    IndexedProgram const& code = messages.code();
    Ctp const& ctp = code.ctp();
    std::vector<Definition> result(ctp.nodes.size());
    auto const completed = completed_at(messages);
    std::vector<Definition> last(code.names().variables.size());
    for (std::uint32_t i = 0; i < ctp.commands.size(); ++i) {
        Command const& c = ctp.commands[i].c;
        if (Expression const* const e = expression_of(c))
            for (std::uint32_t n = e->first; n < e->first + e->size; ++n)
                if (ctp.nodes[n].kind == Node::Kind::variable) result[n] = last[ctp.nodes[n].payload];
        for (std::uint32_t const r : completed[i])
            last[code.as_rcvi(messages.receives()[r].a)->x.index] = {Definition::Kind::receive, r};
        if (auto const* const assign = std::get_if<Assign>(&c))
            last[assign->x.index] = {Definition::Kind::assignment, i};
    }
    return result;
}

} // namespace matchpoint::matching
