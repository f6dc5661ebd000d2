#include "check/engines/meeting.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "grammar/add_nodes.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::check {

Meeting::Meeting(IndexedProgram const& code, std::vector<std::uint32_t> const& commands) {
    Ctp const& from = code.ctp();
    Ctp& to = program_.ctp;
    program_.symbols.variables = code.names().variables;
    to.shared = from.shared;
    to.nodes = from.nodes;
    to.values = from.values;
    to.assignments = from.assignments;
    // No name of the language has braces.
    Variable const arrived{program_.symbols.variables.intern("{arrived}")};
    to.shared.push_back({arrived, Value::integer(0)});
    Expression const truth = added_value(program_.ctp, Value::boolean(true));
    for (std::uint32_t t = 0; t < from.threads.size(); ++t) {
        auto const first = static_cast<std::uint32_t>(to.commands.size());
        auto const last =
            std::find_if(commands.begin(), commands.end(), [&](std::uint32_t c) { return code.thread_of({c}) == t; });
        std::uint32_t const end = last == commands.end() ? from.threads[t].last : *last;
        for (std::uint32_t c = from.threads[t].first; c < end; ++c) {
            bool const asserts = std::holds_alternative<Assert>(from.commands[c].c);
            add(asserts ? Command(Assume{truth}) : from.commands[c].c, c);
        }
        if (last != commands.end())
            add(Assign{arrived, added_operation(program_.ctp, Op::plus, arrived, Value::integer(1))}, none);
        to.threads.push_back({first, static_cast<std::uint32_t>(to.commands.size())});
    }
    auto const first = static_cast<std::uint32_t>(to.commands.size());
    auto const all = static_cast<std::int64_t>(commands.size());
    add(Guarded{added_operation(program_.ctp, Op::equal, arrived, Value::integer(all)), {}, true}, none);
    add(Assert{added_value(program_.ctp, Value::boolean(false))}, none);
    to.threads.push_back({first, static_cast<std::uint32_t>(to.commands.size())});
    code_.emplace(program_);
    messages_.emplace(*code_);
}

void Meeting::add(Command c, std::uint32_t original) {
    program_.symbols.locations.intern(fmt::format("{{{}}}", original_.size()));
    program_.ctp.commands.push_back({c});
    original_.push_back(original);
}

Schedule Meeting::raised(Schedule const& schedule) const {
    Schedule result;
    for (std::size_t i = 0; i < schedule.size(); ++i)
        if (std::uint32_t const c = original_[schedule.entry(i).rho.index]; c != none) result.step({c});
    return result;
}

} // namespace matchpoint::check
