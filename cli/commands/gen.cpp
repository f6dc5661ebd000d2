#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "programs/families.hpp"

namespace matchpoint::cli {

namespace {

using families::Family;

/// "scaling N", "multi-m [M = 25]"
std::string head(Family const& family) {
    std::string text(family.name);
    if (family.reads_formula) text += " FILE";
    for (families::Parameter const& p : family.parameters)
        text += p.otherwise ? fmt::format(" [{} = {}]", p.name, *p.otherwise) : fmt::format(" {}", p.name);
    return text;
}

std::string list() {
    std::string text;
    for (Family const& family : families::all()) {
        text += fmt::format("{}{}\n  {}\n", text.empty() ? "" : "\n", head(family), family.summary);
        for (families::Variant const& v : family.variants)
            if (!v.meaning.empty())
                text += fmt::format("    {:<14} {}\n", v.option.empty() ? "by default" : v.option, v.meaning);
        if (!family.knobs.empty()) text += "    in how many of 100 programs there may be:\n";
        for (families::Knob const& k : family.knobs)
            text += fmt::format("      {:<24} {}\n", fmt::format("[{} {}]", k.option, k.otherwise), k.meaning);
    }
    return text;
}

} // namespace

ExitCode gen_command(GenOptions const& options, Terminal& terminal) {
    if (options.list != options.family.empty()) {
        complain(terminal,
                 options.list ? "--list is of all families" : "a family is missing (see `matchpoint gen --list`)");
        return bad_input;
    }
    if (options.list) {
        terminal.out(list());
        return holds;
    }
    Family const& family = *families::find(options.family);
    if (options.variants.size() > 1) {
        complain(terminal, fmt::format("{} and {} exclude each other", options.variants[0], options.variants[1]));
        return bad_input;
    }
    if (options.seed && !family.has_seed) {
        complain(terminal, fmt::format("{} has no --seed: nothing in it is random", family.name));
        return bad_input;
    }
    families::Arguments arguments;
    for (std::size_t i = 0; i < family.parameters.size(); ++i) {
        auto const given = options.numbers.find(i);
        arguments.numbers.push_back(given == options.numbers.end() ? family.parameters[i].otherwise.value_or(0)
                                                                   : given->second);
    }
    if (!options.variants.empty()) arguments.variant = options.variants.front();
    arguments.knobs = options.knobs;
    arguments.seed = options.seed.value_or(arguments.seed);
    arguments.file = options.file;
    arguments.trace = options.trace;
    if (family.reads_formula) {
        auto const source = read_source(options.file);
        if (!source) {
            complain(terminal, source.error());
            return bad_input;
        }
        // Four messages for a variable, and no more than a million (docs/families.md).
        auto formula = parse_dimacs(*source, 250'000);
        if (!formula) {
            show(terminal, formula.error(), *source);
            return refused(formula.error());
        }
        arguments.formula = std::move(*formula);
    }
    auto made = families::make(family, arguments);
    if (!made) {
        complain(terminal, made.error());
        return bad_input;
    }
    std::string const text = draft::print(std::move(made->draft));
    if (options.output.empty() || options.output == "-") {
        terminal.out(text);
        return holds;
    }
    FileError const failed = replace_file(options.output, text);
    if (!failed.empty()) complain(terminal, failed);
    return failed.empty() ? holds : output_failed;
}

} // namespace matchpoint::cli
