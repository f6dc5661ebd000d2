// Tests see the names of all rooms, as matchpoint::Name. (The naive oracle has its own State, Matching and so on.)
#pragma once

#include "rooms.hpp"

namespace matchpoint {
using namespace grammar;
using namespace machine;
using namespace matching;
using namespace executions;
using namespace report;
using namespace smt_machine;
using namespace encode;
using namespace solve;
using namespace check;
using namespace programs;
using namespace validate;
using namespace suite;
} // namespace matchpoint
