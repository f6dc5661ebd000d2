#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "grammar/operators.hpp"
#include "report/json.hpp"

namespace matchpoint::cli {

namespace {

constexpr auto language_examples = R"(Examples:
  matchpoint language
  matchpoint language --format json | jq -r '.operators[].name'

Sorts: Int, Bool, and A for Int or Bool, the same for all such operands.
Operators evaluate all their operands, from the left; `ite` evaluates its
condition, and then only the operand that it chooses.

Exit codes: 0 done, 74 the output could not be written.
)";

std::string_view sort_name(OperandSort sort) {
    switch (sort) {
    case OperandSort::integer: return "Int";
    case OperandSort::boolean: return "Bool";
    case OperandSort::common: break;
    }
    return "A";
}

std::vector<std::string_view> operand_sorts(Op op) {
    std::vector<std::string_view> result;
    for (std::size_t k = 0; k < arity(op); ++k) result.push_back(sort_name(operand_sort(op, k)));
    return result;
}

std::string operators_as_text() {
    std::string text = fmt::format("{:<9} {:<9} {:<10} {}\n", "operator", "SMT-LIB", "operands", "result");
    for (Op const op : all_ops())
        text += fmt::format("{:<9} {:<9} {:<10} {}{}\n", to_string(op), row(op).smt_name,
                            fmt::format("{}", fmt::join(operand_sorts(op), " ")), sort_name(result_sort(op)),
                            divides(op) ? "; a fault if the last operand is 0" : "");
    return text + fmt::format("\nno variable can have one of these names: {}\n", fmt::join(reserved_names(), " "));
}

Json operators_as_json() {
    Json json = report_of("language");
    Json& operators = json["operators"] = Json::array();
    for (Op const op : all_ops())
        operators.push_back({{"name", to_string(op)},
                             {"smt_lib", row(op).smt_name},
                             {"operands", operand_sorts(op)},
                             {"result", sort_name(result_sort(op))},
                             {"divides", divides(op)}});
    json["reserved"] = reserved_names();
    return json;
}

} // namespace

void add_language(CommandLine& line) {
    auto const format = std::make_shared<Format>(Format::text);
    Command command = line.add("language", "Print the operators of the language", language_examples);
    command.format(*format);
    command.action([format](Terminal& terminal) {
        terminal.out(*format == Format::text ? operators_as_text() : dump(operators_as_json()));
        return holds;
    });
}

} // namespace matchpoint::cli
