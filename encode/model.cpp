#include "encode/model.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "base/numbers.hpp"
#include "base/source.hpp"
#include "encode/exact.hpp"
#include "smt_machine/s_expressions.hpp"

namespace matchpoint::encode {

Expected<Matching, std::string> matching_of_model(MessageIndex const& messages, std::string_view model, bool partial) {
    boost::unordered_flat_map<std::string, std::uint32_t> receives;
    for (std::uint32_t r = 0; r < messages.receives().size(); ++r) receives[match_symbol(messages, r)] = r;

    // If there are receives, what is no model lacks their values.
    if (receives.empty() && !is_model(model))
        return Unexpected{fmt::format("`{}` is not a model: a list of definitions", printable(model, 100))};
    Matching m(messages);
    std::vector<bool> seen(m.size());
    std::string error;
    read_model(model, [&](ModelEntry const& entry) {
        auto const it = receives.find(std::string(entry.name));
        if (it == receives.end() || !error.empty()) return;
        auto const s = to_number<std::uint32_t>(entry.value);
        if (!s || (*s == 0 && !partial) || *s > messages.sends().size()) {
            error = fmt::format("{} is `{}` in the model, which is not the number of a send", it->first,
                                printable(entry.value, 100));
            return;
        }
        if (*s > 0) m[it->second] = *s - 1;
        seen[it->second] = true;
    });
    if (!error.empty()) return Unexpected{error};
    for (std::uint32_t r = 0; r < m.size(); ++r)
        if (!seen[r]) return Unexpected{fmt::format("the model has no value for {}", match_symbol(messages, r))};
    return m;
}

} // namespace matchpoint::encode
