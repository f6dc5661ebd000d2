#include "record/source_lines.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

namespace matchpoint::record {

namespace {

constexpr std::string_view our_header = "matchpoint/values.h";

Dwfl_Callbacks const callbacks{.find_elf = dwfl_build_id_find_elf,
                               .find_debuginfo = dwfl_standard_find_debuginfo,
                               .section_address = dwfl_offline_section_address,
                               .debuginfo_path = nullptr};

} // namespace

/// An object file with its debug information.
struct SourceLines::Object {
    explicit Object(std::string const& path) : dwfl(dwfl_begin(&callbacks)) {
        if (dwfl == nullptr) return;
        dwfl_report_begin(dwfl);
        module = dwfl_report_offline(dwfl, path.c_str(), path.c_str(), -1);
        dwfl_report_end(dwfl, nullptr, nullptr);
        if (module != nullptr) dwfl_module_info(module, nullptr, &start, nullptr, nullptr, nullptr, nullptr, nullptr);
    }
    Object(Object const&) = delete;
    Object& operator=(Object const&) = delete;
    ~Object() {
        if (dwfl != nullptr) dwfl_end(dwfl);
    }

    SourceLine at(std::uint64_t offset) {
        if (module == nullptr) return {};
        Dwfl_Line* const found = dwfl_module_getsrc(module, start + offset);
        if (found == nullptr) return {};
        int line = 0;
        char const* const file = dwfl_lineinfo(found, nullptr, &line, nullptr, nullptr, nullptr);
        if (file == nullptr) return {};
        if (std::string_view(file).ends_with(our_header))
            if (SourceLine caller = inlined_at(start + offset); !caller.file.empty()) return caller;
        return {file, static_cast<std::uint32_t>(line)};
    }

    /// Where the outermost inlined function around an address is called.
    SourceLine inlined_at(Dwarf_Addr address) {
        Dwarf_Addr bias = 0;
        Dwarf_Die* const unit = dwfl_module_addrdie(module, address, &bias);
        if (unit == nullptr) return {};
        // By address, what follows the innermost inlined function is where that is defined. By that, it is where it is called.
        Dwarf_Die* by_address = nullptr;
        Dwarf_Die* scopes = nullptr;
        int count = 0;
        for (int i = 0, all = dwarf_getscopes(unit, address - bias, &by_address); i < all && count == 0; ++i)
            if (dwarf_tag(&by_address[i]) == DW_TAG_inlined_subroutine)
                count = dwarf_getscopes_die(&by_address[i], &scopes);
        std::free(by_address);
        Dwarf_Files* files = nullptr;
        SourceLine outermost;
        if (count > 0 && dwarf_getsrcfiles(unit, &files, nullptr) == 0)
            for (int i = 0; i < count; ++i) { // from the inside out
                if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) continue;
                SourceLine const caller = call_site(scopes[i], files);
                if (!caller.file.empty()) outermost = caller;
                if (!std::string_view(caller.file).ends_with(our_header)) break;
            }
        std::free(scopes);
        return outermost;
    }

    static SourceLine call_site(Dwarf_Die& inlined, Dwarf_Files* files) {
        Dwarf_Attribute attribute;
        Dwarf_Word file = 0;
        Dwarf_Word line = 0;
        if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &file) != 0) return {};
        if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &line) != 0) return {};
        char const* const name = dwarf_filesrc(files, file, nullptr, nullptr);
        return name == nullptr ? SourceLine{} : SourceLine{name, static_cast<std::uint32_t>(line)};
    }

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
        found.file = shown(found.file);
        return found;
    }

private:
    /// Below the folder in which we work: relative to it.
    static std::string shown(std::string const& file) {
        std::error_code error;
        auto const relative = std::filesystem::path(file).lexically_relative(std::filesystem::current_path(error));
        std::string text = relative.string();
        return error || text.empty() || text.starts_with("..") ? file : text;
    }

    std::map<std::string, Object> objects_;
};

SourceLines::SourceLines() : impl_(std::make_unique<Impl>()) {}
SourceLines::~SourceLines() = default;

SourceLine SourceLines::line(std::string const& object, std::uint64_t offset) { return impl_->line(object, offset); }

} // namespace matchpoint::record
