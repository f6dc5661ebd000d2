#include "record/source_lines.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

namespace matchpoint::record {

namespace {

constexpr std::string_view our_header = "matchpoint/values.h";

/// The functions of libdw. Only recordings need it, and `matchpoint` would take a fifth longer to start with it; so it
/// is loaded when the first line is asked for. Without it there are no lines.
class Libdw {
    void* const library_ = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    bool is_there_ = library_ != nullptr;

    template <typename Function>
    Function find(char const* name) {
        void* const symbol = is_there_ ? dlsym(library_, name) : nullptr;
        is_there_ = symbol != nullptr;
        return reinterpret_cast<Function>(symbol);
    }

public:
    bool is_there() const { return is_there_; }

#define MATCHPOINT_LIBDW(name) decltype(&::name) const name = find<decltype(&::name)>(#name)
    MATCHPOINT_LIBDW(dwfl_begin);
    MATCHPOINT_LIBDW(dwfl_end);
    MATCHPOINT_LIBDW(dwfl_report_begin);
    MATCHPOINT_LIBDW(dwfl_report_offline);
    MATCHPOINT_LIBDW(dwfl_report_end);
    MATCHPOINT_LIBDW(dwfl_module_info);
    MATCHPOINT_LIBDW(dwfl_module_getsrc);
    MATCHPOINT_LIBDW(dwfl_module_addrdie);
    MATCHPOINT_LIBDW(dwfl_lineinfo);
    MATCHPOINT_LIBDW(dwfl_build_id_find_elf);
    MATCHPOINT_LIBDW(dwfl_standard_find_debuginfo);
    MATCHPOINT_LIBDW(dwfl_offline_section_address);
    MATCHPOINT_LIBDW(dwarf_getscopes);
    MATCHPOINT_LIBDW(dwarf_getscopes_die);
    MATCHPOINT_LIBDW(dwarf_tag);
    MATCHPOINT_LIBDW(dwarf_getsrcfiles);
    MATCHPOINT_LIBDW(dwarf_attr);
    MATCHPOINT_LIBDW(dwarf_formudata);
    MATCHPOINT_LIBDW(dwarf_filesrc);
#undef MATCHPOINT_LIBDW

    Dwfl_Callbacks const callbacks{.find_elf = dwfl_build_id_find_elf,
                                   .find_debuginfo = dwfl_standard_find_debuginfo,
                                   .section_address = dwfl_offline_section_address,
                                   .debuginfo_path = nullptr};
};

Libdw const& libdw() {
    static Libdw const library;
    return library;
}

} // namespace

std::string shown_file(std::string const& file) {
    std::error_code error;
    auto const relative = std::filesystem::path(file).lexically_relative(std::filesystem::current_path(error));
    std::string text = relative.string();
    return error || text.empty() || text.starts_with("..") ? file : text;
}

/// An object file with its debug information.
struct SourceLines::Object {
    explicit Object(std::string const& path) : dwfl(dw.is_there() ? dw.dwfl_begin(&dw.callbacks) : nullptr) {
        if (dwfl == nullptr) return;
        dw.dwfl_report_begin(dwfl);
        module = dw.dwfl_report_offline(dwfl, path.c_str(), path.c_str(), -1);
        dw.dwfl_report_end(dwfl, nullptr, nullptr);
        if (module != nullptr)
            dw.dwfl_module_info(module, nullptr, &start, nullptr, nullptr, nullptr, nullptr, nullptr);
    }
    Object(Object const&) = delete;
    Object& operator=(Object const&) = delete;
    ~Object() {
        if (dwfl != nullptr) dw.dwfl_end(dwfl);
    }

    SourceLine at(std::uint64_t offset) {
        if (module == nullptr) return {};
        Dwfl_Line* const found = dw.dwfl_module_getsrc(module, start + offset);
        if (found == nullptr) return {};
        int line = 0;
        char const* const file = dw.dwfl_lineinfo(found, nullptr, &line, nullptr, nullptr, nullptr);
        if (file == nullptr) return {};
        if (std::string_view(file).ends_with(our_header))
            if (SourceLine caller = inlined_at(start + offset); !caller.file.empty()) return caller;
        return {file, static_cast<std::uint32_t>(line)};
    }

    /// Where the outermost inlined function around an address is called.
    SourceLine inlined_at(Dwarf_Addr address) {
        Dwarf_Addr bias = 0;
        Dwarf_Die* const unit = dw.dwfl_module_addrdie(module, address, &bias);
        if (unit == nullptr) return {};
        // By address, what follows the innermost inlined function is where that is defined. By that, it is where it is
        // called.
        Dwarf_Die* by_address = nullptr;
        Dwarf_Die* scopes = nullptr;
        int count = 0;
        for (int i = 0, all = dw.dwarf_getscopes(unit, address - bias, &by_address); i < all && count == 0; ++i)
            if (dw.dwarf_tag(&by_address[i]) == DW_TAG_inlined_subroutine)
                count = dw.dwarf_getscopes_die(&by_address[i], &scopes);
        std::free(by_address);
        Dwarf_Files* files = nullptr;
        SourceLine outermost;
        if (count > 0 && dw.dwarf_getsrcfiles(unit, &files, nullptr) == 0)
            for (int i = 0; i < count; ++i) { // from the inside out
                if (dw.dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
                SourceLine const caller = call_site(scopes[i], files);
                if (!caller.file.empty()) outermost = caller;
                if (!std::string_view(caller.file).ends_with(our_header)) break;
            }
        std::free(scopes);
        return outermost;
    }

    SourceLine call_site(Dwarf_Die& inlined, Dwarf_Files* files) const {
        Dwarf_Attribute attribute;
        Dwarf_Word file = 0;
        Dwarf_Word line = 0;
        if (dw.dwarf_formudata(dw.dwarf_attr(&inlined, DW_AT_call_file, &attribute), &file) != 0) return {};
        if (dw.dwarf_formudata(dw.dwarf_attr(&inlined, DW_AT_call_line, &attribute), &line) != 0) return {};
        char const* const name = dw.dwarf_filesrc(files, file, nullptr, nullptr);
        return name == nullptr ? SourceLine{} : SourceLine{name, static_cast<std::uint32_t>(line)};
    }

    Libdw const& dw = libdw();
    Dwfl* dwfl;
    Dwfl_Module* module = nullptr;
    Dwarf_Addr start = 0; // where the library believes that it is loaded
};

class SourceLines::Impl {
public:
    SourceLine line(std::string const& path, std::uint64_t offset) {
        SourceLine found = objects_.try_emplace(path, path).first->second.at(offset);
        if (found.file.empty())
            return {fmt::format("{}+{:#x}", std::filesystem::path(path).filename().string(), offset), 0};
        found.file = shown_file(found.file);
        return found;
    }

private:
    std::map<std::string, Object> objects_;
};

SourceLines::SourceLines() : impl_(std::make_unique<Impl>()) {}
SourceLines::~SourceLines() = default;

SourceLine SourceLines::line(std::string const& object, std::uint64_t offset) { return impl_->line(object, offset); }

} // namespace matchpoint::record
