// What the page of `draw` shows, as one block of JSON: the diagram, and for each step what it changes and the rules
// that it applies. report/page/data.js reads it.
//
// Its size is linear in the run, and small: what the page needs of all rows at once are arrays of numbers; all else are
// lines of a LineTable, which the page makes into text when it shows them. So that the page can jump, each block of
// rows also has the changes that are left at its end.
#pragma once

#include "report/draw.hpp"
#include "report/json.hpp"

namespace matchpoint::report {

/// Runs each trace once more.
Json page_data(Drawing const& drawing);

} // namespace matchpoint::report
