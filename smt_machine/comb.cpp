#include "smt_machine/comb.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace matchpoint::smt_machine {

Expected<Problem, std::string> COMB(std::vector<Problem> problems, IndexedProgram const& code) {
    std::string const rest = print_without_matches(problems.front(), code);
    Problem result = std::move(problems.front());
    result.satisfiable = result.satisfiable == true ? std::optional(true) : std::nullopt;
    for (std::size_t i = 1; i < problems.size(); ++i) {
        Problem const& other = problems[i];
        if (print_without_matches(other, code) != rest)
            return Unexpected{fmt::format("problem {} differs from the first one in more than its matches", i + 1)};
        if (other.satisfiable == true) result.satisfiable = true;
        for (std::size_t a = 0; a < result.ML.size(); ++a) {
            auto& sends = result.ML[a];
            sends.insert(sends.end(), other.ML[a].begin(), other.ML[a].end());
            // In program order.
            std::sort(sends.begin(), sends.end(),
                      [&](Action x, Action y) { return code.issued_at(x) < code.issued_at(y); });
            sends.erase(std::unique(sends.begin(), sends.end()), sends.end());
        }
    }
    return result;
}

} // namespace matchpoint::smt_machine
