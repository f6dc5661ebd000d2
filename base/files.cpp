#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace matchpoint::base {

namespace {

FileError failed(std::string_view what, std::string_view path) {
    return fmt::format("cannot {} {}: {}", what, printable(path, 4096), std::strerror(errno));
}

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_(fd) {}
    Descriptor(Descriptor const&) = delete;
    Descriptor& operator=(Descriptor const&) = delete;
    ~Descriptor() {
        if (fd_ > STDERR_FILENO) ::close(fd_);
    }
    int get() const { return fd_; }
    /// Closes it. An error can be the first sign of a full disk.
    bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

private:
    int fd_;
};

/// Removes a file that did not get its final name.
class Unfinished {
public:
    explicit Unfinished(std::string path) : path_(std::move(path)) {}
    Unfinished(Unfinished const&) = delete;
    Unfinished& operator=(Unfinished const&) = delete;
    ~Unfinished() {
        if (!path_.empty()) ::unlink(path_.c_str());
    }
    void finished() { path_.clear(); }

private:
    std::string path_;
};

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        ssize_t const n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

Expected<std::string, FileError> read_all(Descriptor const& file, std::string const& name) {
    if (file.get() < 0) return Unexpected{failed("read", name)};
    std::string text;
    struct stat info {};
    bool const sized = ::fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode);
    std::size_t filled = 0;
    // With one byte more than the size, the end of the file is seen without growing the buffer.
    text.resize(sized ? static_cast<std::size_t>(info.st_size) + 1 : std::size_t{1} << 16U);
    while (true) {
        if (filled == text.size()) text.resize(text.size() * 2);
        ssize_t const n = ::read(file.get(), text.data() + filled, text.size() - filled);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return Unexpected{failed("read", name)};
        if (n == 0) break;
        filled += static_cast<std::size_t>(n);
        if (filled > Source::max_size)
            return Unexpected{fmt::format("cannot read {}: it is 4 GiB or larger", printable(name, 4096))};
    }
    text.resize(filled);
    return text;
}

} // namespace

Expected<std::string, FileError> read_file(std::string const& path) {
    return read_all(Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), path);
}

Expected<Source, FileError> read_source(std::string const& path) {
    bool const standard_input = path == "-";
    std::string const name = standard_input ? "<stdin>" : path;
    auto text = standard_input ? read_all(Descriptor(STDIN_FILENO), name) : read_file(path);
    if (!text) return Unexpected{text.error()};
    return Source(name, std::move(*text));
}

FileError replace_file(std::string const& path, std::string_view text) {
    return replace_file(path, [&](Write const& write) { write(text); });
}

namespace {

/// The file that a path names once links are followed, and what is there now.
struct Replaced {
    explicit Replaced(std::string const& path) {
        std::error_code no_such;
        target = std::filesystem::canonical(path, no_such).string();
        if (no_such) target = path;
        exists = ::stat(target.c_str(), &info) == 0;
    }
    bool is_no_file() const { return exists && !S_ISREG(info.st_mode); }
    /// For mkstemp.
    std::string beside() const {
        auto const folder = std::filesystem::path(target).parent_path();
        return ((folder.empty() ? "." : folder) / ".matchpoint.XXXXXX").string();
    }

    std::string target;
    struct stat info {};
    bool exists;
};

FileError no_file(std::string const& path) {
    return fmt::format("cannot replace {}: it is not a regular file", printable(path, 4096));
}

constexpr std::string_view write_beside = "write a new file beside";

} // namespace

FileError can_be_replaced(std::string const& path) {
    Replaced const old(path);
    if (old.is_no_file()) return no_file(path);
    std::string temporary = old.beside();
    Descriptor const file(::mkstemp(temporary.data()));
    if (file.get() < 0) return failed(write_beside, path);
    Unfinished const unfinished(temporary);
    return {};
}

FileError replace_file(std::string const& path, std::function<void(Write const&)> const& contents) {
    Replaced const old(path);
    auto const& [target, info, exists] = old;
    if (old.is_no_file()) return no_file(path);
    std::string temporary = old.beside();
    Descriptor file(::mkstemp(temporary.data()));
    if (file.get() < 0) return failed(write_beside, path);
    Unfinished unfinished(temporary);
    // Owner before permissions: a change of owner clears some of them.
    if (exists && ::fchown(file.get(), info.st_uid, info.st_gid) != 0) return failed("keep the owner of", path);
    if (exists && ::fchmod(file.get(), info.st_mode & 07777U) != 0) return failed("keep the permissions of", path);
    // mkstemp makes a file private; give a new file the usual permissions.
    if (!exists) {
        mode_t const mask = ::umask(0);
        ::umask(mask);
        if (::fchmod(file.get(), 0666U & ~mask) != 0) return failed("set the permissions of", path);
    }
    bool is_written = true;
    contents([&](std::string_view text) { is_written = is_written && write_all(file.get(), text); });
    if (!is_written || ::fsync(file.get()) != 0 || !file.close()) return failed("write", temporary);
    if (::rename(temporary.c_str(), target.c_str()) != 0) return failed("replace", path);
    unfinished.finished();
    return {};
}

namespace {

/// A folder that is removed with its contents unless it gets its final name.
class UnfinishedFolder {
public:
    explicit UnfinishedFolder(std::string const& beside) : path_(beside + ".XXXXXX") {
        if (::mkdtemp(path_.data()) == nullptr) path_.clear();
    }
    UnfinishedFolder(UnfinishedFolder const&) = delete;
    UnfinishedFolder& operator=(UnfinishedFolder const&) = delete;
    ~UnfinishedFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path path() const { return path_; }

    /// False: errno says why.
    bool becomes(std::string const& final_path) {
        // mkdtemp makes a folder private; give it the usual permissions.
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

} // namespace

Expected<std::string, FileError> new_folder(std::string const& path) {
    namespace fs = std::filesystem;
    fs::path folder = path;
    if (!folder.has_filename()) folder = folder.parent_path(); // "suite/"
    std::error_code ec;
    if (!fs::exists(folder, ec)) return folder.string();
    folder = fs::canonical(folder, ec);
    bool const empty = !ec && fs::is_directory(folder, ec) && fs::is_empty(folder, ec);
    if (!empty) return Unexpected{fmt::format("{} exists already, and is not an empty folder", printable(path, 4096))};
    return folder.string();
}

FileError write_folder(std::string const& folder, std::vector<NewFile> const& files) {
    UnfinishedFolder unfinished(folder);
    if (unfinished.path().empty()) return failed("write", folder);
    for (NewFile const& file : files) {
        std::filesystem::path const path = unfinished.path() / file.path;
        std::error_code ec;
        std::filesystem::create_directories(path.parent_path(), ec);
        if (ec) return fmt::format("cannot write {}: {}", printable(folder, 4096), ec.message());
        Descriptor out(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file.is_program ? 0777 : 0666));
        if (out.get() < 0 || !write_all(out.get(), file.text) || !out.close())
            return failed("write", (std::filesystem::path(folder) / file.path).string());
    }
    return unfinished.becomes(folder) ? FileError() : failed("write", folder);
}

} // namespace matchpoint::base
