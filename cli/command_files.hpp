// What a command reads and writes, as its arguments and options say: it replaces nothing that it reads.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/output.hpp"
#include "grammar/characters.hpp"

namespace matchpoint::cli {

struct CommandFiles {
    std::vector<std::string const*> inputs;
    std::vector<std::vector<std::string> const*> more_inputs;
    std::vector<std::string> read_in_folders; // endings of what is read in an input that is a folder
    std::vector<std::pair<std::string, std::string const*>> outputs; // option -> its value
    std::vector<std::pair<std::string const*, Content>> contents;    // value of an option -> what is written

    void add(CommandFiles const& more) {
        inputs.insert(inputs.end(), more.inputs.begin(), more.inputs.end());
        more_inputs.insert(more_inputs.end(), more.more_inputs.begin(), more.more_inputs.end());
        read_in_folders.insert(read_in_folders.end(), more.read_in_folders.begin(), more.read_in_folders.end());
        outputs.insert(outputs.end(), more.outputs.begin(), more.outputs.end());
        contents.insert(contents.end(), more.contents.begin(), more.contents.end());
    }

    /// The option whose file is also an input, which would be lost: "-o FILE". Empty if there is none.
    std::string replaces_an_input() const {
        auto const lost = std::find_if(outputs.begin(), outputs.end(), [&](auto const& output) {
            return is_file(*output.second) && is_read(*output.second);
        });
        return lost == outputs.end() ? std::string() : lost->first + " " + printable(*lost->second, 4096);
    }

private:
    bool is_read(std::string const& output) const {
        auto const is_it = [&](std::string const& input) { return is_file(input) && is_part(output, input); };
        return std::any_of(inputs.begin(), inputs.end(), [&](auto const* input) { return is_it(*input); }) ||
               std::any_of(more_inputs.begin(), more_inputs.end(),
                           [&](auto const* several) { return std::any_of(several->begin(), several->end(), is_it); });
    }

    /// Whether a file is the input, or one that is read in it.
    bool is_part(std::string const& output, std::string const& input) const {
        namespace fs = std::filesystem;
        std::error_code error;
        if (fs::equivalent(input, output, error)) return true;
        fs::path const file = fs::canonical(output, error);
        if (error || std::count(read_in_folders.begin(), read_in_folders.end(), file.extension().string()) == 0)
            return false;
        fs::path const folder = fs::canonical(input, error);
        return !error && std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
    }
};

} // namespace matchpoint::cli
