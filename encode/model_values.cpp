#include "encode/model_values.hpp"

#include <charconv>
#include <optional>

#include "smt_machine/s_expressions.hpp"

namespace matchpoint::encode {

namespace {

std::optional<std::int64_t> integer_of(std::string_view text) {
    bool const negative = text.starts_with("(- ");
    if (negative) text = text.substr(3, text.size() - 4);
    std::int64_t i = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), i);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return negative ? -i : i;
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
