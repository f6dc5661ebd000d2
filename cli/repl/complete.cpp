// What Tab offers: words of the command, names of the program, files.

#include <algorithm>
#include <filesystem>

#include "cli/repl/repl.hpp"
#include "grammar/operators.hpp"

namespace matchpoint::cli {

namespace {

constexpr std::string_view blanks = " \t";

/// The files and folders whose path begins like this; a folder ends with a slash.
std::vector<std::string> files(std::string const& prefix) {
    constexpr std::size_t most = 1000;
    std::vector<std::string> result;
    std::size_t const slash = prefix.rfind('/');
    std::string const folder = slash == std::string::npos ? "" : prefix.substr(0, slash + 1);
    bool const hidden = prefix.size() > folder.size() && prefix[folder.size()] == '.';
    std::error_code failed;
    std::filesystem::directory_iterator it(folder.empty() ? "." : folder, failed);
    for (; !failed && it != std::filesystem::directory_iterator() && result.size() < most; it.increment(failed)) {
        std::string const name = it->path().filename().string();
        if (name.starts_with(".") && !hidden) continue;
        std::error_code unknown;
        result.push_back(folder + name + (it->is_directory(unknown) ? "/" : ""));
    }
    return result;
}

/// Where the brackets that are open at the end of a text begin.
std::vector<std::size_t> open_brackets(std::string const& text) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') open.push_back(i);
        if (text[i] == ')' && !open.empty()) open.pop_back();
    }
    return open;
}

} // namespace

/// Collects what begins like the text that is being typed.
class Repl::Offer {
public:
    Offer(std::string prefix, std::size_t start) : prefix_(std::move(prefix)), start_(start) {}

    /// Names that would have to be escaped cannot be typed, and are not offered.
    void add(std::string_view name) {
        constexpr std::size_t most = 10'000;
        if (name.starts_with(prefix_) && fitting_.size() < most && printable(name, 4096) == name)
            fitting_.emplace(name);
    }
    void add(Names const& names, std::uint32_t count = UINT32_MAX) {
        for (std::uint32_t i = 0; i < std::min(names.size(), count); ++i) add(names[i]);
    }
    template <typename Words>
    void add_all(Words const& words) {
        for (auto const& word : words) add(word);
    }
    void numbers(std::size_t first, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) add(std::to_string(first + i));
    }
    /// Only what follows this many characters of the prefix is replaced.
    void skip(std::size_t count) {
        prefix_.erase(0, count);
        start_ += count;
    }
    std::string const& prefix() const { return prefix_; }
    LineCompletion result() const { return {start_, {fitting_.begin(), fitting_.end()}}; }

private:
    std::string prefix_;
    std::size_t start_;
    std::set<std::string> fitting_;
};

std::vector<std::string_view> Repl::literals(std::string_view usage, Words const& before) {
    struct Literal {
        std::string_view word;
        std::string_view after;
        bool is_first;
        bool is_optional; // the first one in brackets
    };
    std::vector<Literal> all;
    Literal next{{}, {}, true, false};
    Literal last = next;
    unsigned depth = 0;
    for (std::size_t i = 0; i < usage.size();) {
        std::string_view const word = usage.substr(i, usage.find_first_of(" |[]", i) - i);
        if (word.empty()) {
            char const c = usage[i++];
            if (c == '[') ++depth, next.is_optional = true;
            if (c == ']') --depth;
            // `on|off` are alternatives of one word, `thread I | receive A` and `[thread I]|queues` of all arguments.
            bool const of_word = c == '|' && i > 1 && usage[i - 2] != ' ' && usage[i - 2] != ']';
            if (c == '|') next = of_word ? last : Literal{{}, {}, true, false};
            continue;
        }
        i += word.size();
        last = next;
        last.word = word;
        if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos) all.push_back(last);
        // What comes after brackets can also come first.
        bool const can_be_first = next.is_first && depth > 0 && usage.find(']', i) < usage.find_first_of(" |", i);
        next = {{}, word, can_be_first, false};
    }
    std::vector<std::string_view> result;
    for (Literal const& l : all)
        if (before.empty() ? l.is_first : l.after == before.back()) result.push_back(l.word);
    for (Literal const& l : all)
        if (!before.empty() && result.empty() && l.is_optional) result.push_back(l.word);
    return result;
}

/// The kind of the argument that comes after those in `before`.
Repl::Completion Repl::completion_at(Command const& command, Words const& before) const {
    constexpr std::pair<std::string_view, Completion> keywords[] = {
        {"thread", Completion::threads},    {"receive", Completion::receives}, {"status", Completion::statuses},
        {"variable", Completion::values},   {"line", Completion::locations},   {"sends", Completion::sends},
        {"receives", Completion::receives}, {"if", Completion::values}};
    auto const& [kinds, repeats] = command.completion;
    bool const takes_keywords = std::any_of(kinds.begin(), kinds.end(), [](Completion c) {
        return c == Completion::literals || c == Completion::breakpoints || c == Completion::locations;
    });
    for (std::size_t i = before.size(); takes_keywords && i-- > 0;)
        for (auto const& [keyword, kind] : keywords) {
            if (before[i] != keyword) continue;
            // The last keyword decides. An expression can have several words, and some commands take several threads.
            bool const takes_several =
                kind == Completion::values || command.usage.find("I ...") != std::string_view::npos;
            return i + 1 == before.size() || takes_several ? kind : Completion::literals;
        }
    if (before.size() < kinds.size()) return kinds[before.size()];
    // An expression can have several words.
    return !kinds.empty() && (repeats || kinds.back() == Completion::values) ? kinds.back() : Completion::nothing;
}

void Repl::offer_inside_brackets(Offer& fitting, std::string const& before) const {
    auto const open = open_brackets(before);
    std::string_view const function = std::string_view(before).substr(0, open.back());
    bool const is_queue = function.ends_with("Q_s") || function.ends_with("Pnd_r") || function.ends_with("Pnd_s");
    if (is_queue) return fitting.add(code_.names().endpoints);
    if (before.find_first_not_of(blanks, open.back() + 1) == std::string::npos)
        for (std::size_t i = 0; i < op_count; ++i) fitting.add(to_string(static_cast<Op>(i)));
    else
        fitting.add(code_.names().variables);
}

void Repl::offer(Offer& fitting, Command const& command, Words const& before, Completion kind) const {
    auto const& names = code_.names();
    auto const actions = [&](bool receives, bool sends, std::string_view behind = {}) {
        for (std::uint32_t i = 0; i < names.actions.size(); ++i)
            if (code_.as_rcvi({i}) != nullptr ? receives : sends)
                fitting.add(std::string(names.actions[i]) + std::string(behind));
    };
    switch (kind) {
    case Completion::nothing: return;
    case Completion::literals: return fitting.add_all(literals(command.usage, before));
    case Completion::locations:
        fitting.add_all(literals(command.usage, before));
        return fitting.add(names.locations, static_cast<std::uint32_t>(code_.ctp().commands.size()));
    case Completion::endpoints: return fitting.add(names.endpoints);
    case Completion::actions: return actions(true, true);
    case Completion::receives: return actions(true, false);
    case Completion::sends: return actions(false, true);
    case Completion::threads: return fitting.numbers(0, code_.ctp().threads.size());
    case Completion::traces: return fitting.numbers(1, code_.program().traces.size());
    case Completion::statuses: return fitting.add_all(statuses);
    case Completion::commands:
        for (Command const& c : commands()) fitting.add(c.name);
        return;
    case Completion::goals:
        if (std::size_t const equals = fitting.prefix().find('='); equals != std::string::npos) {
            fitting.skip(equals + 1);
            return actions(false, true);
        }
        fitting.add_all(literals(command.usage, before));
        return actions(true, false, "=");
    case Completion::breakpoints:
        fitting.add_all(literals(find("break").usage, before));
        return fitting.add(names.locations, static_cast<std::uint32_t>(code_.ctp().commands.size()));
    case Completion::values:
        fitting.add_all(std::array{"Q_s(", "Pnd_r(", "Pnd_s("});
        return fitting.add(names.variables);
    case Completion::files: return fitting.add_all(files(fitting.prefix()));
    }
}

LineCompletion Repl::completions(std::string const& line) const {
    std::size_t const begin = std::min(line.find_first_not_of(blanks), line.size());
    std::size_t const end = line.find_first_of(" \t/", begin); // print/x
    if (end == std::string::npos) {
        Offer fitting(line.substr(begin), begin);
        for (Command const& c : commands()) fitting.add(c.name);
        return fitting.result();
    }
    Command const* command = nullptr;
    try {
        command = &find(line.substr(begin, end - begin));
    } catch (Refused const&) {
        return {line.size(), {}};
    }
    // The arguments before the one that is being typed; an expression in brackets counts as one or more of them.
    std::size_t const start = line.find_last_of(blanks) + 1;
    Words const before = words(line.substr(end, start - end));
    Completion const kind = completion_at(*command, before);
    if (kind == Completion::files) {
        std::size_t first = end;
        for (std::size_t i = 0; i <= before.size() && i < command->completion.kinds.size(); ++i) {
            first = std::min(line.find_first_not_of(blanks, first), line.size());
            if (command->completion.kinds[i] == Completion::files) break;
            first = std::min(line.find_first_of(blanks, first), line.size());
        }
        Offer fitting(line.substr(first), first);
        offer(fitting, *command, before, kind);
        return fitting.result();
    }
    bool const takes_expressions = kind == Completion::values || kind == Completion::breakpoints;
    if (takes_expressions && !open_brackets(line.substr(end)).empty()) {
        std::size_t const inside = line.find_last_of(" \t(,") + 1;
        Offer fitting(line.substr(inside), inside);
        offer_inside_brackets(fitting, line.substr(end, inside - end));
        return fitting.result();
    }
    Offer fitting(line.substr(start), start);
    offer(fitting, *command, before, kind);
    return fitting.result();
}

} // namespace matchpoint::cli
