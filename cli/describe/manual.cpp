#include "cli/describe/manual.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "cli/describe/footer.hpp"

namespace matchpoint::cli {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// roff

/// Characters as they are: no hyphens, curly quotes or commands of roff.
std::string literal(std::string_view text) {
    std::string result;
    for (char const c : text) {
        switch (c) {
        case '\\': result += "\\e"; break;
        case '-': result += "\\-"; break;
        case '\'': result += "\\(aq"; break;
        case '`': result += "\\(ga"; break;
        case '"': result += "\\(dq"; break;
        case '^': result += "\\(ha"; break;
        case '~': result += "\\(ti"; break;
        default: result += c;
        }
    }
    return result.starts_with('.') ? "\\&" + result : result;
}

/// A text: `code` is bold, and so are options.
std::string running(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        std::size_t const open = std::min(text.find('`'), text.size());
        std::string_view plain = text.substr(0, open);
        for (std::size_t i = 0; i < plain.size(); ++i) {
            bool const is_option = plain[i] == '-' && (i == 0 || plain[i - 1] == ' ') && i + 1 < plain.size() &&
                                   (plain[i + 1] == '-' || std::isalpha(static_cast<unsigned char>(plain[i + 1])) != 0);
            if (!is_option) {
                result += literal(plain.substr(i, 1));
                continue;
            }
            std::size_t const end = std::min(plain.find_first_of(" ,.;:)", i), plain.size());
            result += fmt::format("\\fB{}\\fP", literal(plain.substr(i, end - i)));
            i = end - 1;
        }
        text.remove_prefix(open);
        if (text.empty()) break;
        std::size_t const close = std::min(text.find('`', 1), text.size());
        result += fmt::format("\\fB{}\\fP", literal(text.substr(1, close - 1)));
        text.remove_prefix(std::min(close + 1, text.size()));
    }
    return result;
}

std::string upper(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return result;
}

/// A definition: the term as roff.
std::string item(std::string_view term, std::string_view meaning) {
    return fmt::format(".TP\n{}\n{}\n", term, meaning);
}

std::string paragraph_text(std::vector<std::string> const& texts) {
    std::string result;
    for (std::string const& text : texts) result += fmt::format(".PP\n{}\n", running(text));
    return result;
}

// ---------------------------------------------------------------------------------------------------------------------
// Parts of a page

/// "matchpoint-check"
std::string page_of(std::string_view command) { return "matchpoint-" + std::string(command); }

std::string reference_to(std::string_view page) { return fmt::format("\\fB{}\\fP(1)", literal(page)); }

/// "Decide whether ... does": a command's summary as a sentence.
std::string sentence(std::string summary) {
    while (summary.ends_with('\n') || summary.ends_with('.')) summary.pop_back();
    return summary.ends_with('?') ? summary : summary + ".";
}

/// For the line that apropos(1) shows: "decide whether ... does".
std::string headline(std::string_view name, std::string summary) {
    std::string const prefix = "Matchpoint: ";
    if (summary.starts_with(prefix)) summary.erase(0, prefix.size());
    summary = sentence(std::move(summary));
    if (summary.ends_with('.')) summary.pop_back();
    summary[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(summary[0])));
    return fmt::format("{} \\- {}", literal(name), literal(summary));
}

std::string synopsis(std::string_view path, CommandDescription const& command) {
    std::string text = fmt::format(".B {}\n", literal(path));
    if (!command.commands.empty()) return text + "\\fICOMMAND\\fP [\\fIOPTION\\fP ...] [\\fIARGUMENT\\fP ...]\n";
    text += "[\\fIOPTION\\fP ...]";
    for (OptionDescription const& option : command.options) {
        if (!option.is_argument) continue;
        if (option.words == Words::command) text += " \\-\\-";
        std::string name = fmt::format("\\fI{}\\fP", literal(option.names.front()));
        if (option.is_repeated) name += " ...";
        text += option.is_required ? " " + name : " [" + name + "]";
    }
    return text + "\n";
}

std::string term_of(OptionDescription const& option) {
    if (option.is_argument) return fmt::format("\\fI{}\\fP", literal(option.names.front()));
    std::string text;
    for (std::string const& name : option.names)
        text += fmt::format("{}\\fB{}\\fP", text.empty() ? "" : ", ", literal(name));
    if (!option.choices.empty()) {
        std::string choices;
        for (std::string const& choice : option.choices)
            choices += fmt::format("{}\\fB{}\\fP", choices.empty() ? "" : "|", literal(choice));
        return text + " " + choices;
    }
    return option.type.empty() ? text : fmt::format("{} \\fI{}\\fP", text, literal(option.type));
}

/// Arguments, then options, then those below headings of their own.
std::string options_of(CommandDescription const& command) {
    std::string text;
    for (bool const arguments : {true, false})
        for (OptionDescription const& option : command.options)
            if (option.is_argument == arguments && option.group.empty())
                text += item(term_of(option), running(option.meaning));
    std::string group;
    for (OptionDescription const& option : command.options) {
        if (option.group.empty()) continue;
        if (option.group != group) text += fmt::format(".PP\n{}:\n", literal(option.group));
        group = option.group;
        text += item(term_of(option), running(option.meaning));
    }
    return text;
}

std::string commands_of(CommandDescription const& top) {
    std::string text = ".SH COMMANDS\n";
    for (CommandDescription const& command : top.commands)
        text += item(reference_to(page_of(command.name)), running(sentence(command.summary)));
    return text;
}

/// Commands of a command have no pages of their own.
std::string inner_commands_of(CommandDescription const& command) {
    std::string text = ".SH COMMANDS\n";
    for (CommandDescription const& inner : command.commands) {
        std::string arguments;
        for (OptionDescription const& option : inner.options)
            if (option.is_argument)
                arguments += fmt::format(" {}\\fI{}\\fP{}", option.is_required ? "" : "[", literal(option.names[0]),
                                         option.is_required ? "" : "]");
        text += fmt::format(".SS {}{}\n{}\n", literal(inner.name), arguments, running(sentence(inner.summary)));
        CommandDescription own = inner;
        std::erase_if(own.options, [](auto const& option) { return option.names.back() == "--help"; });
        text += options_of(own);
    }
    return text;
}

/// Commands to type, with what they do below them.
std::string example_lines(std::vector<Footer::Entry> const& entries) {
    std::string text;
    bool is_open = false;
    auto const open = [&](bool wanted) {
        if (wanted != is_open) text += !wanted ? ".fi\n" : text.empty() ? ".nf\n" : ".PP\n.nf\n";
        is_open = wanted;
    };
    for (Footer::Entry const& entry : entries) {
        open(true);
        text += fmt::format("\\fB{}\\fP\n", literal(entry.term));
        if (entry.meaning.empty()) continue;
        open(false);
        text += fmt::format(".RS 4\n{}\n.RE\n", running(entry.meaning));
    }
    open(false);
    return text;
}

std::string section_text(Footer::Section const& s) {
    bool const is_example = s.heading == "Examples";
    std::string text = fmt::format(".SH {}\n", s.heading == "Exit codes" ? "EXIT STATUS" : upper(literal(s.heading)));
    if (is_example)
        text += example_lines(s.entries);
    else
        for (Footer::Entry const& entry : s.entries)
            text += item(fmt::format("\\fB{}\\fP", literal(entry.term)), running(entry.meaning));
    return text + paragraph_text(s.paragraphs);
}

std::string environment(CommandDescription const& command) {
    bool const has_color = std::any_of(command.options.begin(), command.options.end(),
                                       [](auto const& option) { return option.names.back() == "--color"; });
    bool const has_solver = std::any_of(command.options.begin(), command.options.end(),
                                        [](auto const& option) { return option.words == Words::solver; });
    if (!has_color && !has_solver) return {};
    std::string text = ".SH ENVIRONMENT\n";
    if (has_color) {
        text += item("\\fBNO_COLOR\\fP", running("If it is set and not empty, `--color auto` means `never`."));
        text += item("\\fBTERM\\fP", running("If it is `dumb` or not set, `--color auto` means `never`."));
    }
    if (has_solver) text += item("\\fBPATH\\fP", "Where solvers are looked up.");
    return text;
}

/// The other commands that a page mentions, and the page of all commands.
std::string see_also(CommandDescription const& top, CommandDescription const& command) {
    std::string mentioned = command.summary + command.footer;
    for (OptionDescription const& option : command.options) mentioned += option.meaning;
    std::string text = ".SH SEE ALSO\n" + reference_to(top.name);
    for (CommandDescription const& other : top.commands) {
        bool const is_named = mentioned.find("matchpoint " + other.name) != std::string::npos ||
                              mentioned.find("`" + other.name + " ") != std::string::npos;
        if (&other != &command && is_named) text += ", " + reference_to(page_of(other.name));
    }
    return text + "\n.PP\nThe pages below \\fIdocs\\fP, which are installed in \\fIshare/doc/matchpoint\\fP: "
                  "\\fIcli.md\\fP describes all commands, \\fIlanguage.md\\fP the trace language.\n";
}

std::string page_text(CommandDescription const& top, CommandDescription const& command, std::string_view version,
                      std::string_view date) {
    bool const is_top = &command == &top;
    std::string const name = is_top ? top.name : page_of(command.name);
    std::string text =
        fmt::format(".\\\" Made by `matchpoint \\-\\-man\\-pages`.\n.TH {} 1 {} \"Matchpoint {}\" \"User Commands\"\n",
                    upper(literal(name)), date, version);
    text += fmt::format(".SH NAME\n{}\n", headline(name, command.summary));
    text += ".SH SYNOPSIS\n" + synopsis(is_top ? top.name : top.name + " " + command.name, command);
    Footer const footer = footer_of(command.footer);
    text += fmt::format(".SH DESCRIPTION\n{}\n", running(sentence(command.summary)));
    text += paragraph_text(footer.paragraphs);
    if (is_top) text += commands_of(top);
    text += ".SH OPTIONS\n" + options_of(command);
    if (!is_top && !command.commands.empty()) text += inner_commands_of(command);
    for (Footer::Section const& s : footer.sections) text += section_text(s);
    return text + environment(command) + see_also(top, command);
}

} // namespace

std::vector<ManualPage> manual_pages(CommandDescription const& top, std::string_view version, std::string_view date) {
    std::vector<ManualPage> result{{top.name + ".1", page_text(top, top, version, date)}};
    for (CommandDescription const& command : top.commands)
        result.push_back({page_of(command.name) + ".1", page_text(top, command, version, date)});
    return result;
}

} // namespace matchpoint::cli
