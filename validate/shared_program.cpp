#include "validate/shared_program.hpp"

#include <algorithm>

#include "validate/shared_rules.hpp"

namespace matchpoint::validate {

SharedProgram::SharedProgram(IndexedProgram const& program) : code(program) {
    Ctp const& ctp = code.ctp();
    number_of.resize(code.names().variables.size(), no_number);
    for (grammar::SharedVariable const& s : ctp.shared) {
        number_of[s.x.index] = static_cast<std::uint32_t>(initial.size());
        initial.push_back(s.v);
    }
    for (Thread const& t : ctp.threads) {
        threads.emplace_back();
        for (std::uint32_t i = t.first; i < t.last; ++i) threads.back().push_back(event(ctp.commands[i].c));
    }
}

SharedEvent SharedProgram::event(Command const& c) {
    SharedEvent result;
    if (auto const* const assign = std::get_if<Assign>(&c))
        result.assigned.emplace_back(assign->x, &assign->e);
    else
        result.guard = expression_of(c);
    if (std::holds_alternative<Assert>(c)) result.assertion = assertions++;
    if (Guarded const* const guarded = as_guarded(c))
        for (auto const& a : code.ctp().assigned(*guarded)) result.assigned.emplace_back(a.x, &a.e);
    if (result.guard != nullptr) add_reads(*result.guard, result.reads);
    for (auto const& [x, e] : result.assigned) {
        add_reads(*e, result.reads);
        if (is_shared(x)) result.writes.push_back(number_of[x.index]);
    }
    return result;
}

void SharedProgram::add_reads(Expression const& e, std::vector<std::uint32_t>& to) const {
    for (std::uint32_t i = e.first; i < e.first + e.size; ++i) {
        Node const& node = code.ctp().nodes[i];
        if (node.kind != Node::Kind::variable || number_of[node.payload] == no_number) continue;
        if (std::find(to.begin(), to.end(), number_of[node.payload]) == to.end()) to.push_back(number_of[node.payload]);
    }
}

bool is_about_shared_variables_only(IndexedProgram const& code) {
    return std::none_of(code.ctp().commands.begin(), code.ctp().commands.end(), [](LocatedCommand const& located) {
        Command const& c = located.c;
        return as_sndi(c) != nullptr || as_rcvi(c) != nullptr || as_wait(c) != nullptr ||
               std::holds_alternative<Meet>(c);
    });
}

} // namespace matchpoint::validate
