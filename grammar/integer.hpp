// v ::= integer (Figure 5(a)): unbounded. GMP does the arithmetic. Kept apart from value.hpp because of its weight.
#pragma once

#include <boost/multiprecision/gmp.hpp>

namespace matchpoint {

using Integer = boost::multiprecision::mpz_int;

} // namespace matchpoint
