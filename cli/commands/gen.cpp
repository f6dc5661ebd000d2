#include <fmt/format.h>

#include "base/numbers.hpp"
#include "cli/cli.hpp"
#include "cli/command_line.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output.hpp"
#include "cli/program_input.hpp"
#include "programs/families.hpp"

namespace matchpoint::cli {

namespace {

struct GenOptions {
    bool list = false;
    std::string family; // empty if none
    std::map<std::size_t, std::uint64_t> numbers;
    std::vector<std::string> variants;                       // "--safe", "--safe sums"; one at most
    std::map<std::string, std::uint64_t, std::less<>> knobs; // "--orphans" -> percent
    std::string file;                                        // of a formula
    std::optional<std::uint64_t> seed;
    bool trace = false;
    std::string output;           // default: standard output
    Format format = Format::text; // of the list
};

constexpr auto gen_examples = R"(Examples:
  matchpoint gen --list                        all families and their variants
  matchpoint gen scaling --help                one of them
  matchpoint gen scaling 30 --safe -o scaling.ctp
  matchpoint gen pktuse --safe sums --seed 7 | matchpoint check -
  matchpoint gen vamp formula.cnf | matchpoint check -
  matchpoint gen random 7 --orphans 100 --trace
                                               docs/families.md has more

Exit codes: 0 done, 1 a limit reached, 2 usage, or the formula cannot be read or
breaks a rule, 74 the output could not be written.
)";

using families::Family;

/// "scaling N", "multi-m [M = 25]"
std::string head(Family const& family) {
    std::string text(family.name);
    if (family.reads_formula) text += " FILE";
    for (families::Parameter const& p : family.parameters)
        text += p.otherwise ? fmt::format(" [{} = {}]", p.name, *p.otherwise) : fmt::format(" {}", p.name);
    return text;
}

std::string list_of_families() {
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

/// docs/schema/gen.schema.json
Json families_as_json() {
    Json json = report_of("gen");
    Json& all = json["families"] = Json::array();
    for (Family const& family : families::all()) {
        Json& item = all.emplace_back(Json::object());
        item["name"] = family.name;
        item["summary"] = family.summary;
        item["reads_formula"] = family.reads_formula;
        item["has_seed"] = family.has_seed;
        Json& parameters = item["parameters"] = Json::array();
        for (families::Parameter const& p : family.parameters)
            parameters.push_back({{"name", p.name},
                                  {"meaning", p.meaning},
                                  {"least", p.least},
                                  {"most", p.most},
                                  {"default", p.otherwise ? Json(*p.otherwise) : Json(nullptr)}});
        Json& variants = item["variants"] = Json::array();
        for (families::Variant const& v : family.variants)
            variants.push_back({{"option", v.option.empty() ? Json(nullptr) : Json(v.option)}, {"meaning", v.meaning}});
        Json& knobs = item["percentages"] = Json::array();
        for (families::Knob const& k : family.knobs)
            knobs.push_back({{"option", k.option}, {"meaning", k.meaning}, {"default", k.otherwise}});
    }
    return json;
}

ExitCode gen_command(GenOptions const& options, Terminal& terminal) {
    if (options.list != options.family.empty()) {
        complain(terminal,
                 options.list ? "--list is of all families" : "a family is missing (see `matchpoint gen --list`)",
                 ErrorKind::usage);
        return bad_input;
    }
    if (options.list) {
        terminal.out(options.format == Format::json ? dump(families_as_json()) : list_of_families());
        return holds;
    }
    if (options.format == Format::json) {
        complain(terminal, "--format json is for --list: a program is in the trace language", ErrorKind::usage);
        return bad_input;
    }
    Family const& family = *families::find(options.family);
    if (options.variants.size() > 1) {
        complain(terminal, fmt::format("{} and {} exclude each other", options.variants[0], options.variants[1]),
                 ErrorKind::usage);
        return bad_input;
    }
    if (options.seed && !family.has_seed) {
        complain(terminal, fmt::format("{} has no --seed: nothing in it is random", family.name), ErrorKind::usage);
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
        auto const source = read_or_complain(options.file, terminal);
        if (!source) return source.error();
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
        complain(terminal, made.error(), ErrorKind::usage);
        return bad_input;
    }
    std::string const text = draft::print(made->draft);
    return write_output(options.output, text, terminal);
}

/// Parameters are arguments: `matchpoint gen scaling N`.
void add_parameter(Command& command, families::Parameter const& p, std::size_t number,
                   std::shared_ptr<GenOptions> const& options) {
    std::string meaning = fmt::format("{}, {} to {}", p.meaning, p.least, p.most);
    if (p.otherwise) meaning += fmt::format(". Default: {}", *p.otherwise);
    command.option(
        {.name = std::string(p.name),
         .type = "",
         .description = meaning,
         .set = [options, number](
                    std::string const& digits) { options->numbers[number] = to_number<std::uint64_t>(digits).value(); },
         .check = is_number(p.least, p.most),
         .required = !p.otherwise});
}

/// "--safe" is a flag; "--safe sums" and "--safe order" are one option with a word.
void add_variants(Command& command, Family const& family, std::shared_ptr<GenOptions> const& options) {
    std::map<std::string, std::map<std::string, std::string>> words; // option -> word -> meaning
    for (families::Variant const& v : family.variants) {
        std::size_t const blank = v.option.find(' ');
        std::string const option(v.option.substr(0, blank));
        if (blank != std::string_view::npos)
            words[option][std::string(v.option.substr(blank + 1))] = v.meaning;
        else if (!v.option.empty())
            command.flag(
                option, [options, option] { options->variants.push_back(option); }, std::string(v.meaning));
    }
    for (auto const& [option, meanings] : words) {
        std::string help;
        for (auto const& [word, meaning] : meanings)
            help += fmt::format("{}{}: {}", help.empty() ? "" : "; ", word, meaning);
        std::vector<std::string> choices;
        for (auto const& [word, meaning] : meanings) choices.push_back(word);
        command.option(
            {.name = option,
             .type = joined(choices),
             .description = help,
             .set = [options, option = option](
                        std::string const& word) { options->variants.push_back(fmt::format("{} {}", option, word)); },
             .check = is_one_of(choices)});
    }
}

void add_knob(Command& command, families::Knob const& knob, std::shared_ptr<GenOptions> const& options) {
    std::string const name(knob.option);
    command.option(
        {.name = name,
         .type = "P",
         .description = fmt::format("{}. Default: {}", knob.meaning, knob.otherwise),
         .set = [options,
                 name](std::string const& digits) { options->knobs[name] = to_number<std::uint64_t>(digits).value(); },
         .check = is_number(0, 100),
         .group = "In how many of 100 programs there may be"});
}

/// The command for a family.
void add_family(Command& gen, Family const& family, std::shared_ptr<GenOptions> const& options) {
    Command command = gen.add(
        std::string(family.name), std::string(family.summary),
        fmt::format("With the options of `matchpoint gen`: --trace, -o OUT{}.\n", family.has_seed ? ", --seed S" : ""));
    if (family.reads_formula)
        command.argument("FILE", options->file, "The formula, in DIMACS format; `-` is standard input");
    for (std::size_t i = 0; i < family.parameters.size(); ++i) add_parameter(command, family.parameters[i], i, options);
    add_variants(command, family, options);
    for (families::Knob const& knob : family.knobs) add_knob(command, knob, options);
}

} // namespace

void add_gen(CommandLine& line) {
    auto const options = std::make_shared<GenOptions>();
    Command command =
        line.add("gen", "Write a program of a family, of any size; the verdict of most of them is known", gen_examples);
    for (families::Family const& family : families::all()) add_family(command, family, options);
    command.flag("--list", options->list, "Show all families with their variants");
    command.number("--seed", options->seed, "Seed of the random choices. Default: 1");
    command.flag("--trace", options->trace, "Add a trace, of a run that could have been recorded");
    command.output(Content::program, options->output, "Write the program to a file, atomically");
    command.format(options->format);
    command.color();
    command.action([options, command](Terminal& terminal) {
        options->family = command.given();
        return gen_command(*options, terminal);
    });
}

} // namespace matchpoint::cli
