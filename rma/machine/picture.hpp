// A run as a picture: each process has a lane, and its network card another one, where every pending operation is a bar
// from the put or get to its landing.
//
//   LanePicture const picture = picture_of(machine, run, "figure2.rma");
//   std::cout << draw_text(picture, 80);
#pragma once

#include <span>
#include <string>

#include "report/lane_picture.hpp"
#include "rma/machine/machine.hpp"

namespace matchpoint::rma {

/// `run`: from the initial state on. Time: linear in the run, for each of its states that of a look at the invariants.
LanePicture picture_of(Machine const& machine, std::span<Transition const> run, std::string const& name);

} // namespace matchpoint::rma
