#include "report/draw.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace matchpoint::report {

void run_again(Drawing const& drawing, std::size_t number, Observer& observer) {
    auto const it = std::find_if(drawing.runs.begin(), drawing.runs.end(),
                                 [&](Drawing::Run const& r) { return r.number == number; });
    assert(it != drawing.runs.end());
    Machine machine(drawing.code, it->buffering);
    machine.observe(observer);
    try {
        run(machine, number - 1, it->extent);
    } catch (LimitReached const&) {
        // The diagram says so.
    }
}

void append_xml(std::string& to, std::string_view text) {
    for (char const c : text) {
        switch (c) {
        case '&': to += "&amp;"; break;
        case '<': to += "&lt;"; break;
        case '>': to += "&gt;"; break;
        case '"': to += "&quot;"; break;
        case '\'': to += "&#39;"; break;
        default: to += c;
        }
    }
}

std::string xml(std::string_view text) {
    std::string result;
    append_xml(result, text);
    return result;
}

void check_size(std::string const& picture, std::string_view format) {
    if (picture.size() > largest_picture)
        throw LimitReached(
            fmt::format("the {} picture is larger than 256 MiB; draw a shorter trace, or as svg, html or "
                        "text, whose size is linear in the trace",
                        format));
}

} // namespace matchpoint::report
