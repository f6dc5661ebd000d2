#include "rma/language/program.hpp"

#include <algorithm>

namespace matchpoint::rma {

bool is_compound(StatementKind const& c) {
    return std::holds_alternative<If>(c) || std::holds_alternative<While>(c) || std::holds_alternative<Atomic>(c);
}

std::optional<ProcessIndex> target_of(StatementKind const& c) {
    if (auto const* const put = std::get_if<Put>(&c)) return put->pid;
    if (auto const* const get = std::get_if<Get>(&c)) return get->pid;
    if (auto const* const fetch = std::get_if<FetchAndOp>(&c)) return fetch->pid;
    if (auto const* const swap = std::get_if<CompareAndSwap>(&c)) return swap->pid;
    if (auto const* const accumulate = std::get_if<Accumulate>(&c)) return accumulate->pid;
    return std::nullopt;
}

std::optional<ProcessIndex> Program::process(std::string_view pid) const {
    for (ProcessIndex p = 0; p < processes.size(); ++p)
        if (this->pid(p) == pid) return p;
    return std::nullopt;
}

std::optional<StatementIndex> Program::at(ProcessIndex p, std::string_view rho) const {
    auto const name = symbols.locations.find(rho);
    if (!name) return std::nullopt;
    for (StatementIndex i = processes[p].first; i < processes[p].last; ++i)
        if (statements[i].rho.index == *name) return i;
    return std::nullopt;
}

ProcessIndex Program::process_of(StatementIndex i) const {
    auto const after = std::upper_bound(processes.begin(), processes.end(), i,
                                        [](StatementIndex s, Process const& p) { return s < p.last; });
    return static_cast<ProcessIndex>(after - processes.begin());
}

} // namespace matchpoint::rma
