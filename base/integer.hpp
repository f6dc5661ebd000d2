// v ::= integer (Figure 5(a)): unbounded integers, computed with GMP. Not part of value.hpp, because GMP's header takes
// very long to compile.
#pragma once

#include <boost/multiprecision/gmp.hpp>

#include "base/value.hpp"

namespace matchpoint::base {

using Integer = boost::multiprecision::mpz_int;

/// Throws LimitReached.
Value to_value(Integer const& i);
/// Throws std::logic_error if the value is not an integer.
Integer to_integer(Value const& v);

} // namespace matchpoint::base
