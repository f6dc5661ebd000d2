// The binary that this is linked into acts as the mutant that MATCHPOINT_MUTANT names.
#include <cstdlib>
#include <iostream>

#include "tests/mutants/names.hpp"

namespace {

bool const is_set = [] {
    char const* const name = std::getenv("MATCHPOINT_MUTANT");
    try {
        matchpoint::mutants::on = matchpoint::mutants::number_of(name != nullptr ? name : "none");
    } catch (std::exception const& e) {
        std::cerr << e.what() << "\n";
        std::exit(70);
    }
    return true;
}();

} // namespace
