#include "importers/variables.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::importers {

namespace {

/// Calls `f` with the name of each variable that a process writes.
template <typename F>
void for_each_written(Process const& process, F&& f) {
    for (Call const& call : process.calls) {
        if (auto const* const receive = std::get_if<Receive>(&call.what)) f(receive->variable);
        if (auto const* const start = std::get_if<Start>(&call.what)) f(start->variable);
        if (auto const* const assign = std::get_if<Assign>(&call.what)) f(assign->x.text);
    }
}

} // namespace

std::string atom_of(std::string_view name) {
    std::string atom(name);
    for (char& c : atom) {
        if (c == '[') c = '<';
        if (c == ']') c = '>';
        if (std::string_view("(){};\" \t\n\v\f\r").find(c) != std::string_view::npos) c = '_';
    }
    return atom;
}

Variables::Variables(Calls const& calls, bool gives_value, Reports& reports)
    : reports_(reports), gives_value_(gives_value) {
    for (Process const& p : calls.processes)
        for_each_written(p, [&](std::string const& name) { written_by_.try_emplace(name, p.number); });
}

void Variables::enter(Process const& process) {
    process_ = process.number;
    atoms_.clear();
    written_.clear();
    defined_.clear();
    undefined_.clear();
    for_each_written(process, [&](std::string const& name) { written_.insert(name); });
}

draft::Variable Variables::renamed(std::string const& name) {
    auto const [found, is_new] = atoms_.try_emplace(name);
    if (is_new) {
        std::string atom = atom_of(name);
        while (!is_variable_name(atom)) atom += '_';
        if (taken_.contains(atom)) atom += fmt::format(".{}", process_);
        while (!taken_.insert(atom).second) atom += '_';
        found->second = std::move(atom);
    }
    return {found->second};
}

draft::Variable Variables::defined(std::string const& name) {
    defined_.insert(name);
    return renamed(name);
}

draft::Expression Variables::read(draft::Expression e, Place const& place) {
    for_each_variable(e, [&](draft::Variable& x) {
        if (!defined_.contains(x.text)) report_undefined(x.text, place);
        x = renamed(x.text);
    });
    return e;
}

void Variables::report_undefined(std::string const& name, Place const& place) {
    defined_.insert(name); // one report for each
    if (written_.contains(name))
        return reports_.error("I4", place,
                              fmt::format("`{}` is read before anything gives it a value", printable(name)));
    if (gives_value_) {
        undefined_.push_back(renamed(name));
        return;
    }
    auto const other = written_by_.find(name);
    std::string message = fmt::format("`{}` is a free variable: nothing gives it a value", printable(name));
    if (other != written_by_.end())
        message += fmt::format(" in process {} (that of process {} is another one: processes share no memory)",
                               process_, other->second);
    reports_.error("I4", place, std::move(message), "`--undefined VALUE` gives such variables a value");
}

} // namespace matchpoint::importers
