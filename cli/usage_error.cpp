#include "cli/usage_error.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/nearest_name.hpp"
#include "base/source.hpp"

namespace matchpoint::cli {

namespace {

/// Reads the arguments once more, word by word, up to the first one that is wrong.
class ArgumentReader {
public:
    ArgumentReader(CLI::App const& app, std::vector<std::string> const& arguments)
        : command_(&app), words_(arguments) {}

    /// Empty if nothing is wrong with the words as such.
    std::string what(CLI::ParseError const& e) {
        if (words_.size() == 1) return "a command is missing";
        for (at_ = 1; at_ < words_.size() && words_[at_] != "--"; ++at_)
            if (std::string wrong = word(); !wrong.empty()) return wrong;
        for (; at_ < words_.size(); ++at_)
            if (words_[at_] != "--") arguments_.push_back(words_[at_]);
        // A value that its option does not take was refused with the reason.
        if (dynamic_cast<CLI::ValidationError const*>(&e) != nullptr) return {};
        if (command_->get_parent() == nullptr) return "a command is missing";
        return number_of_arguments();
    }

    /// "matchpoint gen scaling"
    std::string command() const {
        std::string name = command_->get_name();
        for (CLI::App const* a = command_->get_parent(); a != nullptr; a = a->get_parent())
            name.insert(0, a->get_name() + " ");
        return name;
    }

private:
    std::string word() {
        std::string const& w = words_[at_];
        if (w.size() > 1 && w[0] == '-') return option(w);
        auto const commands = command_->get_subcommands({});
        if (commands.empty()) {
            arguments_.push_back(w);
            return {};
        }
        auto const found =
            std::find_if(commands.begin(), commands.end(), [&](auto const* c) { return c->get_name() == w; });
        if (found != commands.end()) {
            command_ = *found;
            return {};
        }
        std::vector<std::string> names;
        names.reserve(commands.size());
        for (CLI::App const* c : commands) names.push_back(c->get_name());
        bool const is_command = command_->get_parent() == nullptr;
        std::error_code failed;
        bool const has_check = std::find(names.begin(), names.end(), "check") != names.end();
        bool const is_rma = w.ends_with(".rma");
        if (has_check && (w.ends_with(".ctp") || is_rma || std::filesystem::is_regular_file(w, failed)))
            return fmt::format("there is no command `{0}`; a file comes after one: `{1} check {0}`", w,
                               is_command && is_rma ? "matchpoint rma" : command());
        // `verify` for `mpi verify`
        std::string inner;
        for (CLI::App const* c : commands)
            for (CLI::App const* of : c->get_subcommands({}))
                if (of->get_name() == w && c->get_name() != "gen")
                    inner += fmt::format("{}`{} {}`", inner.empty() ? "; did you mean " : " or ", c->get_name(), w);
        if (!inner.empty()) return fmt::format("there is no command `{}`{}?", w, inner);
        std::string_view const kind = command_->get_name() == "gen" ? "family" : "command";
        return fmt::format("there is no {} `{}`{}", kind, w, did_you_mean(w, names));
    }

    std::string option(std::string const& w) {
        std::size_t const sign = w.find('=');
        bool const is_long = w.starts_with("--");
        std::string const name = is_long ? w.substr(0, sign) : w.substr(0, 2);
        CLI::Option const* const found = find(name);
        if (found == nullptr) return no_option(is_long ? name : w.substr(0, sign), sign != std::string::npos);
        bool const takes_value = found->get_expected_max() > 0 && found->get_type_size() > 0;
        if (!takes_value && is_long && sign != std::string::npos)
            return fmt::format("option `{}` takes no value", name);
        bool const is_list = found->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
        if (takes_value && !is_list && given_[found]++ > 0) return fmt::format("option `{}` is given twice", name);
        bool const has_value = is_long ? sign != std::string::npos : w.size() > 2;
        if (!takes_value || has_value) return {};
        bool const is_missing = at_ + 1 == words_.size() || words_[at_ + 1] == "--" || is_option(words_[at_ + 1]);
        if (is_missing) return fmt::format("option `{}` needs a value: `{} {}`", name, name, found->get_type_name());
        ++at_;
        return {};
    }

    std::string no_option(std::string const& w, bool has_value) const {
        bool const is_number = w.find_first_not_of("0123456789.", 1) == std::string::npos;
        if (is_number && !w.starts_with("--") && takes_arguments())
            return fmt::format("`{}` is negative: no argument of `{}` can be", w, command());
        // The version is no option of CLI11's.
        if (command_->get_parent() == nullptr && (w == "-v" || w == "-V"))
            return fmt::format("there is no option `{}`; did you mean `--version`?", w);
        bool const is_json = w == "--json" || w == "-json";
        if (CLI::Option const* const format = find("--format");
            is_json && format != nullptr && format->get_type_name().find("json") != std::string::npos)
            return fmt::format("there is no option `{}`; did you mean `--format json`?", w);
        bool const is_short = !w.starts_with("--");
        // `-format json` for `--format json`; of `-Zx` only `-Z` is meant as an option.
        std::string maybe = is_short ? std::string() : did_you_mean(w, options());
        if (is_short && w.size() > 3)
            if (auto const name = nearest_name("-" + w, options())) maybe = fmt::format("; did you mean `{}`?", *name);
        bool const is_cluster = is_short && maybe.empty() && !has_value;
        return fmt::format("there is no option `{}`{}", is_cluster ? w.substr(0, 2) : w, maybe);
    }

    bool takes_arguments() const {
        auto const all = command_->get_options();
        return std::any_of(all.begin(), all.end(), [](CLI::Option const* o) { return o->get_positional(); });
    }

    bool is_option(std::string const& w) const {
        return w.size() > 1 && w[0] == '-' && find(w.substr(0, w.find('='))) != nullptr;
    }

    /// An option of the command, or of a command above it.
    CLI::Option const* find(std::string const& name) const {
        for (CLI::App const* a = command_; a != nullptr; a = a->get_parent())
            if (CLI::Option const* const found = a->get_option_no_throw(name);
                found != nullptr && !found->get_positional())
                return found;
        return nullptr;
    }

    std::vector<std::string> options() const {
        std::vector<std::string> names;
        for (CLI::App const* a = command_; a != nullptr; a = a->get_parent())
            for (CLI::Option const* o : a->get_options())
                for (std::string const& name : o->get_lnames()) names.push_back("--" + name);
        return names;
    }

    std::string number_of_arguments() const {
        std::size_t left = arguments_.size();
        std::string form = command();
        std::string missing;
        for (CLI::Option const* o : command_->get_options()) {
            if (!o->get_positional()) continue;
            bool const is_list = o->get_items_expected_max() > 1;
            std::string const name = o->get_name() + (is_list ? " ..." : "");
            form += o->get_required() ? " " + name : " [" + name + "]";
            if (left == 0 && o->get_required() && missing.empty()) missing = o->get_name();
            left = is_list || left == 0 ? 0 : left - 1;
        }
        if (!missing.empty()) return fmt::format("{} is missing: `{}`", missing, form);
        if (left > 0)
            return fmt::format("`{}` is one argument too many: `{}`", arguments_[arguments_.size() - left], form);
        return {};
    }

    CLI::App const* command_; // the innermost so far
    std::vector<std::string> const& words_;
    std::size_t at_ = 0;
    std::vector<std::string> arguments_;
    std::map<CLI::Option const*, int> given_;
};

} // namespace

std::string usage_error(CLI::App const& app, CLI::ParseError const& e, std::vector<std::string> const& arguments) {
    ArgumentReader reader(app, arguments);
    std::string what = reader.what(e);
    if (what.empty()) what = e.what();
    return fmt::format("{} (see `{} --help`)", printable(what, 300), reader.command());
}

} // namespace matchpoint::cli
