// In which order check() asks its engines: data, so that experiments can leave a step out.
//
//   for (PlanStep const& step : plan(context)) ...
//
// Cheap engines come first. Each step is asked only for what the steps before it left open. A step's budget is in its
// row of the tables in plan.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "check/context.hpp"

namespace matchpoint::check {

struct PlanStep {
    std::string_view name; // "samples"; several steps of a plan may have the same name
    bool (*is_needed)(Context const& c);
    void (*run)(Context& c);
};

/// The plan for a program as it is, without lowering, and the engine that the user chose.
std::span<PlanStep const> plan(Context const& c);
/// For a program with shared variables that has a verdict: what looks for deadlocks and faults before exploration goes
/// on. Empty unless the engine is automatic.
std::span<PlanStep const> plan_beside(Context const& c);
/// For a window of a run: whether an execution fails, and whether there is a data race.
std::span<PlanStep const> plan_of_window();
/// Runs the steps that are needed, but for those of CheckOptions::without.
void run_plan(Context& c, std::span<PlanStep const> steps);

} // namespace matchpoint::check
