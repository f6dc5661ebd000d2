// The binary that this is linked into acts as the mutant that MATCHPOINT_MUTANT names.
#include <cstdio>
#include <cstdlib>

#include "tests/mutants/names.hpp"

namespace {

// Before the objects of other sources are initialised, and the standard streams: some copies ask which mutant it is as
// they are (ROWS of generate.py).
[[gnu::constructor(101)]] void set_mutant() {
    char const* const name = std::getenv("MATCHPOINT_MUTANT");
    try {
        matchpoint::mutants::on = matchpoint::mutants::number_of(name != nullptr ? name : "none");
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        std::exit(70);
    }
}

} // namespace
