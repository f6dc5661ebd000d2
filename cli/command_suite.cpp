#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "cli/cli.hpp"
#include "cli/files.hpp"
#include "machine/explain.hpp"
#include "suite/files.hpp"

namespace matchpoint::cli {

namespace {

std::string shown_path(std::filesystem::path const& path) { return printable(path.string(), 4096); }

/// A folder that goes away again, with all that is in it, unless it gets its final name.
class NewFolder {
public:
    explicit NewFolder(std::filesystem::path const& beside) : path_(beside.string() + ".XXXXXX") {
        if (::mkdtemp(path_.data()) == nullptr) path_.clear();
    }
    NewFolder(NewFolder const&) = delete;
    NewFolder& operator=(NewFolder const&) = delete;
    ~NewFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    bool is_there() const { return !path_.empty(); }
    std::filesystem::path path() const { return path_; }

    /// False: errno says why.
    bool becomes(std::filesystem::path const& final_path) {
        // mkdtemp keeps a folder to its owner; it is to be as any program would make it.
        mode_t const mask = ::umask(0);
        ::umask(mask);
        if (::chmod(path_.c_str(), 0777U & ~mask) != 0 || ::rename(path_.c_str(), final_path.c_str()) != 0)
            return false;
        path_.clear();
        return true;
    }

private:
    std::string path_;
};

/// All the files, or none. Empty: done.
FileError write_folder(std::filesystem::path const& folder, std::vector<suite::File> const& files) {
    auto const failed = [&](std::filesystem::path const& path) {
        return fmt::format("cannot write {}: {}", shown_path(path), std::strerror(errno));
    };
    NewFolder unfinished(folder);
    if (!unfinished.is_there()) return failed(folder);
    for (suite::File const& file : files) {
        std::filesystem::path const path = unfinished.path() / file.path;
        std::error_code ec;
        std::filesystem::create_directories(path.parent_path(), ec);
        if (ec) return fmt::format("cannot write {}: {}", shown_path(folder), ec.message());
        std::ofstream out(path, std::ios::binary);
        out.write(file.text.data(), static_cast<std::streamsize>(file.text.size()));
        out.close();
        if (!out) return failed(folder / file.path);
        if (file.path.ends_with(".py"))
            std::filesystem::permissions(path,
                                         std::filesystem::perms::owner_exec | std::filesystem::perms::group_exec |
                                             std::filesystem::perms::others_exec,
                                         std::filesystem::perm_options::add, ec);
    }
    if (!unfinished.becomes(folder)) return failed(folder);
    return {};
}

} // namespace

ExitCode suite_command(SuiteOptions const& options, Terminal& terminal) {
    namespace fs = std::filesystem;
    fs::path folder = options.folder;
    if (!folder.has_filename()) folder = folder.parent_path(); // "suite/"
    std::error_code ec;
    if (fs::exists(folder, ec)) {
        folder = fs::canonical(folder, ec); // a link stays one
        bool const empty = !ec && fs::is_directory(folder, ec) && fs::is_empty(folder, ec);
        if (!empty) {
            complain(terminal, fmt::format("{} is there already, and is no empty folder", shown_path(options.folder)));
            return bad_input;
        }
    }
    suite::Contents const contents = suite::contents();
    FileError const wrong = write_folder(folder, contents.files);
    if (!wrong.empty()) {
        complain(terminal, wrong);
        return output_failed;
    }
    terminal.out(fmt::format("suite {} in {}: {}, {} of them\n", suite::version, shown_path(options.folder),
                             plural(contents.programs, "program"), plural(contents.traces, "trace")));
    return holds;
}

} // namespace matchpoint::cli
