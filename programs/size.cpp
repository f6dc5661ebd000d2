#include "programs/size.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "programs/names.hpp"
#include "programs/terms.hpp"

namespace matchpoint::programs::draft {

using Kind = Command::Kind;

std::uint64_t value_of(std::string_view number) {
    bool const negative = number.front() == '-';
    if (negative || number.front() == '+') number.remove_prefix(1);
    std::uint64_t value = 0;
    for (char const c : number) value = std::min(large_value, 10 * value + static_cast<std::uint64_t>(c - '0'));
    return 2 * value + (negative ? 1 : 0);
}

Size size_without_names(Draft const& draft) {
    Size s;
    std::unordered_set<std::string> endpoints;
    std::unordered_set<std::string> variables;
    s.commands = draft.commands();
    s.threads = draft.threads.size();
    s.traces = draft.traces.size();
    for (Trace const& trace : draft.traces)
        for (Entry const& entry : trace) s.movements += entry.m.size();
    for (Thread const& t : draft.threads)
        for (Command const& c : t) {
            if (c.kind == Kind::sndi) endpoints.insert(without_zeros(c.alpha));
            if (c.kind == Kind::sndi || c.kind == Kind::rcvi) endpoints.insert(without_zeros(c.beta));
            if (c.kind == Kind::assign || c.kind == Kind::rcvi) variables.insert(c.x);
            if (!has_expression(c.kind)) continue;
            Terms const terms = terms_of(c.e);
            for (Term const& term : terms) {
                ++s.terms;
                if (is_number(term)) {
                    s.digits += term.text.size();
                    s.value += value_of(term.text);
                } else if (is_variable(term)) {
                    ++s.terms;
                    variables.insert(term.text);
                } else if (term.text == "false") {
                    ++s.value;
                }
            }
        }
    s.endpoints = endpoints.size();
    s.variables = variables.size();
    return s;
}

bool is_renamed(Draft const& draft) {
    Draft canonical = draft;
    canonical_names(canonical);
    return print(std::move(canonical)) != print(draft);
}

Size size(Draft const& draft) {
    Size s = size_without_names(draft);
    s.renamed = is_renamed(draft);
    return s;
}

} // namespace matchpoint::programs::draft
