// The variables of a process, which are its own: processes share no memory. Names become atoms of the language, and a
// name that several processes have becomes a different one for each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "importers/calls.hpp"
#include "importers/reports.hpp"

namespace matchpoint::importers {

/// A name that the language does not allow, made into one that it does: `a[1]` becomes `a<1>`.
std::string atom_of(std::string_view name);

class Variables {
public:
    /// `gives_value`: variables that are never written get a value, so they are no fault.
    Variables(Calls const& calls, bool gives_value, Reports& reports);

    /// What follows is about this process.
    void enter(Process const& process);

    draft::Variable defined(std::string const& name);
    /// Reports I4 for a variable that nothing defines, and one that is defined too late.
    draft::Expression read(draft::Expression e, Place const& place);

    /// The variables of the process that are read and never written.
    std::vector<draft::Variable> const& undefined() const { return undefined_; }

private:
    draft::Variable renamed(std::string const& name);
    void report_undefined(std::string const& name, Place const& place);

    Reports& reports_;
    bool gives_value_;
    std::unordered_map<std::string, std::uint32_t> written_by_; // the first process that writes it
    std::unordered_set<std::string> taken_;                     // atoms
    std::uint32_t process_ = 0;
    std::unordered_map<std::string, std::string> atoms_; // of the process
    std::unordered_set<std::string> written_;            // anywhere in the process
    std::unordered_set<std::string> defined_;            // so far
    std::vector<draft::Variable> undefined_;
};

} // namespace matchpoint::importers
