#include "base/foreign.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

#include <fmt/format.h>

#include "base/source.hpp"

namespace matchpoint::base {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";
constexpr std::string_view decimal_digits = "0123456789";

std::string_view without_blanks(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(blanks), text.size()));
}

/// Takes digits, if there are any.
bool take_number(std::string_view& text) {
    std::size_t const end = std::min(text.find_first_not_of(decimal_digits), text.size());
    text.remove_prefix(end);
    return end > 0;
}

bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

/// `T2_0: `
bool begins_event(std::string_view line) {
    return take(line, "T") && take_number(line) && take(line, "_") && take_number(line) &&
           take(line = without_blanks(line), ":");
}

/// `Thread 0`
bool begins_thread(std::string_view line) {
    if (!take(line, "Thread") || line.empty() || blanks.find(line[0]) == std::string_view::npos) return false;
    line = without_blanks(line);
    return take_number(line);
}

/// The first line that is not blank.
std::string_view first_line(std::string_view text) {
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t const end = std::min(text.find('\n', begin), text.size());
        std::string_view const line = without_blanks(text.substr(begin, end - begin));
        if (!line.empty()) return line;
        begin = end + 1;
    }
    return {};
}

bool begins_with(std::string_view line, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return line.starts_with(word); });
}

bool begins_some_line(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
        return text.starts_with(word) || text.find("\n" + std::string(word)) != std::string_view::npos;
    });
}

/// For an ELF file. The names of the libraries that it needs are in it.
std::string hint_for_binary(std::string_view text, std::string_view file) {
    if (text.find("libmpi") == std::string_view::npos)
        return "this is a program of the machine without MPI: docs/shared_memory.md shows how a program with threads "
               "is written down";
    std::string const name = file.empty() || file == "<stdin>" ? "PROGRAM" : printable(file, 4096);
    bool const has_folder = name.find('/') != std::string::npos;
    return fmt::format("this is a program of the machine: `matchpoint mpi verify -- mpirun -n 4 {}{}` runs a program "
                       "of MPI in every order of its messages",
                       has_folder ? "" : "./", name);
}

} // namespace

std::string hint_for_source_or_binary(std::string_view text, std::string_view file) {
    if (text.starts_with("\x7f"
                         "ELF"))
        return hint_for_binary(text, file);
    std::string_view const beginning = text.substr(0, 10'000);
    std::string_view const line = first_line(beginning);
    if (line.starts_with("matchpoint-mpi ") || line.starts_with("matchpoint-mcapi "))
        return "this is what one rank or thread of a recorded run did: `matchpoint mpi merge FOLDER` or `matchpoint "
               "mcapi "
               "merge FOLDER` makes a program of all of them";
    if (begins_some_line(beginning, {"(set-logic", "(set-info", "(set-option", "(declare-", "(define-fun"}))
        return "this looks like an SMT-LIB problem: `matchpoint encode FILE` writes one of a program, and a solver "
               "such as "
               "`z3 FILE` reads it";
    bool const begins_as_code = begins_with(line, {"//", "/*", "#", "int ", "void ", "static ", "extern ", "typedef "});
    bool const is_code =
        begins_as_code && begins_some_line(beginning, {"#include", "#define", "#pragma", "int main(", "void "});
    bool const has_threads =
        beginning.find("pthread.h") != beginning.npos || beginning.find("<thread>") != beginning.npos;
    if (is_code && has_threads && beginning.find("mpi.h") == beginning.npos)
        return "this looks like C or C++ with threads: docs/shared_memory.md shows how such a program is written down";
    if (is_code)
        return "this looks like C or C++: compile it, and `matchpoint mpi verify -- mpirun -n 4 ./PROGRAM` runs a "
               "program of MPI in every order of its messages";
    bool const begins_as_python = begins_with(line, {"#", "import ", "from ", "def ", "class ", "\"\"\""});
    if (begins_as_python && begins_some_line(beginning, {"import ", "from ", "def ", "class ", "#!/usr/bin/env python",
                                                         "#!/usr/bin/python"}))
        return "this looks like Python: `matchpoint validate -- python3 FILE` tests an encoder against the semantics";
    return {};
}

ForeignFormat const* foreign_format(std::string_view text) {
    bool is_first = true;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t const end = std::min(text.find('\n', begin), text.size());
        std::string_view const line = without_blanks(text.substr(begin, end - begin));
        begin = end + 1;
        if (line.starts_with("Transition list for")) return &transitions_format;
        if (line.empty() || line.starts_with("//") || !is_first) continue;
        is_first = false;
        if (begins_event(line)) return &mp_format;
        if (begins_thread(line)) return &mercury_format;
    }
    return nullptr;
}

} // namespace matchpoint::base
