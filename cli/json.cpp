#include "cli/json.hpp"

namespace matchpoint::cli {

Json to_json(Value const& v) {
    constexpr std::int64_t largest = (std::int64_t{1} << 53U) - 1;
    if (v.is_boolean()) return v.is_true();
    if (auto const i = v.small(); i && *i >= -largest && *i <= largest) return *i;
    return v.to_string();
}

Json to_json(Diagnostics const& diagnostics, Source const& source) {
    Json result = Json::array();
    for (Diagnostic const& d : diagnostics) {
        Json& item = result.emplace_back(Json::object());
        item["severity"] = d.severity == Severity::error ? "error" : "warning";
        item["rule"] = d.rule;
        if (d.offset != no_offset) {
            auto const [line, column] = source.line_column(d.offset);
            item["line"] = line;
            item["column"] = column;
        }
        item["message"] = d.message;
    }
    return result;
}

std::string dump(Json const& json) { return json.dump(2) + "\n"; }

} // namespace matchpoint::cli
