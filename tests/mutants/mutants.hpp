// Which mutant is on. The sources that have mutants are copied, with a question at each place (generate.py); the copies
// take the place of the originals in the tool of these tests, and nowhere else.
#pragma once

namespace matchpoint::mutants {

inline unsigned on = 0; // from 1, in the order of generate.py; 0: none

inline bool is_on(unsigned mutant) { return mutant == on; }

} // namespace matchpoint::mutants
