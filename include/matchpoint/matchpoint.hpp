// Everything. A program that uses all of it can write
//
//   #include <matchpoint/matchpoint.hpp>
//   namespace mp = matchpoint::api;
//
// What to read first: program.hpp and execution.hpp. Everything else is a question about a program, and answers with
// executions.
#pragma once

#include <matchpoint/check.hpp>
#include <matchpoint/encode.hpp>
#include <matchpoint/execution.hpp>
#include <matchpoint/explore.hpp>
#include <matchpoint/feasibility.hpp>
#include <matchpoint/pairs.hpp>
#include <matchpoint/program.hpp>
#include <matchpoint/recording.hpp>
#include <matchpoint/result.hpp>
#include <matchpoint/rma.hpp>
#include <matchpoint/step.hpp>
#include <matchpoint/value.hpp>
#include <matchpoint/version.hpp>
