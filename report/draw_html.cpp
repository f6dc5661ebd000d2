// HTML: one page that needs no other file. The page itself (report/page) is compiled in; page_data.hpp has what it
// shows.

#include <utility>
#include <vector>

#include "page.hpp"
#include "report/draw.hpp"
#include "report/page_data.hpp"

namespace matchpoint::report {

namespace {

/// JSON for a script element: it contains neither `</script>` nor `<!--`.
std::string in_script(Json const& json) {
    std::string const text = compact(json);
    std::string result;
    result.reserve(text.size());
    for (char const c : text) {
        if (c == '<')
            result += "\\u003c";
        else
            result += c;
    }
    return result;
}

/// The page with {{name}} replaced, each once.
std::string filled(std::string_view page, std::vector<std::pair<std::string_view, std::string_view>> const& parts) {
    std::string result;
    for (auto const& [name, text] : parts) {
        std::size_t const at = page.find(name);
        result += page.substr(0, at);
        result += text;
        page.remove_prefix(at + name.size());
    }
    return result.append(page);
}

} // namespace

std::string draw_html(Drawing const& drawing) {
    std::string const title = xml(drawing.name);
    std::string const json = in_script(page_data(drawing));
    return filled(page::html,
                  {{"{{title}}", title}, {"{{style}}", page::css}, {"{{data}}", json}, {"{{script}}", page::js}});
}

} // namespace matchpoint::report
