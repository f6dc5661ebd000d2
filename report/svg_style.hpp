// How SVG pictures look: measures, style sheets, and the legends that explain them.
#pragma once

namespace matchpoint::report::svg {

inline constexpr double row_height = 22;
inline constexpr double character = 7.3; // the width of a character in the font below
inline constexpr double margin = 16;
inline constexpr double title_height = 34;
inline constexpr double header_height = 30;
inline constexpr double line_height = 18; // of notes

inline constexpr auto style = R"(<style>
text { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #1b1f24; }
.bg { fill: #ffffff; }
.title { font-weight: bold; }
.halo { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
.dim { fill: #636c76; }
.lane { stroke: #b6bec8; stroke-width: 1.5; }
.wait { fill: #f0c04c; fill-opacity: 0.55; }
.message { stroke: #1a56b0; stroke-width: 1.5; fill: none; }
.kept { stroke-dasharray: 3 3; }
.lost { stroke-dasharray: 6 4; }
.head { fill: #1a56b0; }
.dot { fill: #1b1f24; }
.bad { fill: #b00020; }
.cross { stroke: #b00020; stroke-width: 2.5; fill: none; }
.band { fill: #ffe1e1; }
.stuck { fill: #6a1b9a; }
.stuckband { fill: #f0e2fb; }
.open { fill: #ffffff; stroke: #1b1f24; stroke-width: 1.5; }
)";

// For two runs beside each other.

inline constexpr auto beside_style = R"(.differs { fill: #ffe3c2; }
.mark { font-weight: bold; fill: #7a5600; }
@media (prefers-color-scheme: dark) {
.differs { fill: #57370f; }
.mark { fill: #e8c26a; }
}
)";

inline constexpr auto dark_style = R"(@media (prefers-color-scheme: dark) {
text { fill: #e6e9ee; }
.bg { fill: #14171c; }
.halo { stroke: #14171c; }
.dim { fill: #98a2b0; }
.lane { stroke: #4a5361; }
.wait { fill: #c8952a; }
.message { stroke: #7db0ff; }
.head { fill: #7db0ff; }
.dot { fill: #e6e9ee; }
.bad { fill: #ff8a8a; }
.cross { stroke: #ff8a8a; }
.band { fill: #4a1d22; }
.stuck { fill: #d7a6ff; }
.stuckband { fill: #36214a; }
.open { fill: #14171c; stroke: #e6e9ee; }
}
)";

// The heads of arrows, after their ids.

inline constexpr auto head_marker =
    "\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto-start-reverse\">"
    "<path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker>";
inline constexpr auto vee_marker =
    "\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" "
    "orient=\"auto\"><path class=\"vee\" d=\"M1 0.5L7 4L1 7.5\"/></marker>";

inline constexpr auto legend =
    "● ran   ✗ does not hold   ■ stuck   arrow: a message, from its issue to its delivery; dashed: "
    "until its receive is completed   bar: the thread is at a wait";

// Of programs with shared variables.

inline constexpr auto shared_style =
    R"(.reads { stroke: #a3348c; stroke-width: 1.3; stroke-dasharray: 5 3; fill: none; }
.thin { stroke-width: 0.8; stroke-dasharray: 2 3; }
.vee { fill: none; stroke: #a3348c; stroke-width: 1.3; }
.variable { font-size: 10px; fill: #a3348c; }
.lock { fill: #00796b; fill-opacity: 0.6; }
.name { font-size: 10px; fill: #00796b; }
)";

inline constexpr auto shared_dark_style = R"(@media (prefers-color-scheme: dark) {
.reads { stroke: #f08bd8; }
.vee { stroke: #f08bd8; }
.variable { fill: #f08bd8; }
.lock { fill: #4db6ac; }
.name { fill: #4db6ac; }
}
)";

inline constexpr auto shared_legend =
    "dashed arrow: from a write of a shared variable to the read of another thread that gets it; "
    "thin: of a variable that threads wait for   narrow bar: the thread holds the lock";

} // namespace matchpoint::report::svg
