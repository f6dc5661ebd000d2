#include "cli/output.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/sha256.hpp"
#include "record/provenance.hpp"

namespace matchpoint::cli {

bool is_file(std::string const& output) { return !output.empty() && output != "-"; }

namespace {

/// The beginning of a file, which says what it is.
std::string beginning_of(std::string const& path) {
    constexpr std::size_t most = 65536;
    std::string text(most, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(most));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](auto const& b) { return text.starts_with(b); });
}

/// Whether the first comment says that Matchpoint has written the program: in its first line, as a user puts other
/// comments above; that of `gen` ends with its command.
bool is_marked(std::string_view text) {
    std::string_view const first = text.substr(0, std::min(text.find('\n'), text.size()));
    if (starts_with_any(first, {"; Written by matchpoint ", "; A recorded run.", "; Imported from "}) ||
        record::provenance_of(first).is_recorded())
        return true;
    while (text.starts_with(';')) {
        if (text.starts_with("; matchpoint gen ")) return true;
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    return false;
}

/// Pictures of all formats. The text of a run begins with a heading, or with the number of a step.
bool is_picture(std::string_view text) {
    if (text.starts_with("<!DOCTYPE html>")) return text.find(" - Matchpoint</title>") != std::string_view::npos;
    if (starts_with_any(
            text, {"<svg ", "digraph run {", "(?<event>", R"({"displayTimeUnit")", R"({"#meta": {"format":"ITF")"}))
        return true;
    std::size_t const indent = std::min(text.find_first_not_of(' '), text.size());
    return indent == 0 ? starts_with_any(text, {"trace ", "CSSA form\n"})
                       : starts_with_any(text.substr(indent), {"process ", "1 "});
}

/// Why a file that is there is not such an output of an earlier run; empty if it is.
std::string_view why_other(Content content, std::string_view text) {
    switch (content) {
    case Content::program: return is_marked(text) ? "" : "its first comment does not say that Matchpoint wrote it";
    case Content::problem:
        return starts_with_any(text, {"(set-info :smt-lib-version", "; the recorded run "})
                   ? ""
                   : "it does not begin as an SMT problem does";
    case Content::picture: return is_picture(text) ? "" : "it does not begin as a picture of a run does";
    case Content::junit:
        return text.starts_with("<?xml ") && text.find("<testsuite") != std::string_view::npos
                   ? ""
                   : "it does not begin as a JUnit report does";
    }
    return {};
}

/// Why a file is not to be replaced: somebody has named the wrong one. Empty if it may be, or there is none.
FileError why_kept(std::string const& path, Content content) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
    auto const kept = [&](std::string_view why) {
        return fmt::format("cannot replace {}: {}", printable(path, 4096), why);
    };
    constexpr mode_t writable = S_IWUSR | S_IWGRP | S_IWOTH;
    if ((info.st_mode & writable) == 0) return kept("it is read-only"); // that alone does not keep root from it
    if (info.st_size == 0) return {};
    std::string_view const why = why_other(content, beginning_of(path));
    return why.empty() ? FileError() : kept(why);
}

} // namespace

ExitCode write_output(std::string const& output, std::string_view text, Terminal& terminal) {
    return write_output(
        output, [&](Write const& write) { write(text); }, terminal);
}

ExitCode write_output(std::string const& output, std::function<void(Write const&)> const& contents,
                      Terminal& terminal) {
    if (!is_file(output)) {
        contents([&](std::string_view text) { terminal.out(text); });
        return holds;
    }
    FileError const failed = replace_file(output, contents);
    if (!failed.empty()) complain(terminal, failed, ErrorKind::file);
    return failed.empty() ? holds : output_failed;
}

ExitCode check_output(std::string const& output, Content content, Terminal& terminal) {
    if (!is_file(output)) return holds;
    if (FileError const kept = why_kept(output, content); !kept.empty()) {
        complain(terminal, kept, ErrorKind::file, {"remove it first, or choose another name"});
        return output_failed;
    }
    FileError const failed = can_be_replaced(output);
    if (!failed.empty()) complain(terminal, failed, ErrorKind::file);
    return failed.empty() ? holds : output_failed;
}

std::string_view older_file(std::string const& output) {
    std::error_code error;
    return std::filesystem::exists(output, error) ? "; the file there is from an earlier run" : "";
}

ExitCode replace_or_complain(std::string const& path, std::string_view text, Terminal& terminal) {
    FileError const failed = replace_file(path, text);
    if (!failed.empty()) complain(terminal, failed, ErrorKind::file);
    return failed.empty() ? holds : output_failed;
}

Json report_of(std::string_view command) {
    Json json;
    json["schema"] = {{"name", "matchpoint." + std::string(command)}, {"version", 1}};
    return json;
}

Json report_of(std::string_view command, Source const& source) {
    Json json = report_of(command);
    json["file"] = source.name();
    json["sha256"] = sha256(source.text());
    return json;
}

} // namespace matchpoint::cli
