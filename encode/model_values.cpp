#include "encode/model_values.hpp"

#include "smt_machine/s_expressions.hpp"

namespace matchpoint::encode {

ModelValues::ModelValues(std::string_view model) {
    read_model(model, [&](ModelEntry const& entry) {
        bool const is_true = entry.value == "true";
        if (is_true || entry.value == "false")
            values_[std::string(entry.name)] = is_true ? 1 : 0;
        else if (auto const i = entry.integer())
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
