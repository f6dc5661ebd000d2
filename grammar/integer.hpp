// v ::= integer (Figure 5(a)): unbounded. GMP does the arithmetic. Kept apart from value.hpp because of its weight: what it
// includes takes longer to compile than all else.
#pragma once

#include <boost/multiprecision/gmp.hpp>

#include "grammar/value.hpp"

namespace matchpoint::grammar {

using Integer = boost::multiprecision::mpz_int;

/// Throws LimitReached.
Value to_value(Integer const& i);
/// Throws std::logic_error if it is no integer.
Integer to_integer(Value const& v);

} // namespace matchpoint::grammar
