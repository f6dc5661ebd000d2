#include "report/json.hpp"

namespace matchpoint::report {

Json to_json(Value const& v) {
    constexpr std::int64_t largest = (std::int64_t{1} << 53U) - 1;
    if (v.is_boolean()) return v.is_true();
    if (auto const i = v.small(); i && *i >= -largest && *i <= largest) return *i;
    return v.to_string();
}

namespace {

void place(Json& item, Source const& source, Offset offset) {
    if (offset == no_offset) return;
    auto const [line, column] = source.line_column(offset);
    item["line"] = line;
    item["column"] = column;
}

} // namespace

Json to_json(Diagnostics const& diagnostics, Source const& source) {
    Json result = Json::array();
    for (Diagnostic const& d : diagnostics) {
        Json& item = result.emplace_back(Json::object());
        item["severity"] = d.severity == Severity::error ? "error" : "warning";
        item["rule"] = d.rule;
        place(item, source, d.offset);
        item["message"] = d.message;
        Json& notes = item["notes"] = Json::array();
        for (Note const& note : d.notes) {
            Json& about = notes.emplace_back(Json::object());
            place(about, source, note.offset);
            about["message"] = note.message;
        }
    }
    return result;
}

std::string dump(Json const& json) {
    // A file's name need not be UTF-8; everything else here is.
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace matchpoint::report
