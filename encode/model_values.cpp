#include "encode/model_values.hpp"

#include <optional>

#include "base/numbers.hpp"
#include "smt_machine/s_expressions.hpp"

namespace matchpoint::encode {

namespace {

std::optional<std::int64_t> integer_of(std::string_view text) {
    bool const negative = text.starts_with("(- ");
    if (negative) text = text.substr(3, text.size() - 4);
    auto const i = to_number<std::int64_t>(text);
    return i && negative ? -*i : i;
}

} // namespace

ModelValues::ModelValues(std::string_view model) {
    read_model(model, [&](ModelEntry const& entry) {
        bool const is_true = entry.value == "true";
        if (is_true || entry.value == "false")
            values_[std::string(entry.name)] = is_true ? 1 : 0;
        else if (auto const i = integer_of(entry.value))
            values_[std::string(entry.name)] = *i;
    });
}

std::int64_t ModelValues::operator()(std::string const& symbol) {
    auto const it = values_.find(symbol);
    if (it != values_.end()) return it->second;
    if (missing_.empty()) missing_ = symbol;
    return 0;
}

} // namespace matchpoint::encode
