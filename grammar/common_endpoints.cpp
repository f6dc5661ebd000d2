#include "grammar/common_endpoints.hpp"

#include <algorithm>

namespace matchpoint::grammar {

std::vector<bool> common_endpoints(Ctp const& ctp, std::size_t endpoints) {
    constexpr std::uint32_t none = UINT32_MAX;
    std::vector<std::uint32_t> owner(endpoints, none);
    std::vector<bool> result(endpoints);
    for (std::uint32_t t = 0; t < ctp.threads.size(); ++t) {
        auto const uses = [&](Endpoint e) {
            if (owner[e.index] == none) owner[e.index] = t;
            if (owner[e.index] != t) result[e.index] = true;
        };
        for (std::uint32_t i = ctp.threads[t].first; i < ctp.threads[t].last; ++i) {
            Command const& c = ctp.commands[i].c;
            if (Probe const* const probe = as_probe(c)) uses(probe->beta);
            if (Rcvi const* const receive = as_rcvi(c)) uses(receive->beta);
            if (Sndi const* const send = as_sndi(c)) uses(send->alpha);
        }
    }
    return result;
}

bool has_common_endpoints(Ctp const& ctp, std::size_t endpoints) {
    if (ctp.shared.empty()) return false;
    std::vector<bool> const common = common_endpoints(ctp, endpoints);
    return std::find(common.begin(), common.end(), true) != common.end();
}

} // namespace matchpoint::grammar
