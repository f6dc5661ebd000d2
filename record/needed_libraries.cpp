#include "record/needed_libraries.hpp"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>

namespace matchpoint::record {

namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Entry = ElfW(Dyn);

constexpr std::uint64_t most = 64 << 20; // bytes of a section

/// Empty if the file is shorter.
std::string bytes(std::ifstream& file, std::uint64_t at, std::uint64_t size) {
    if (size > most) return {};
    std::string result(size, '\0');
    file.clear();
    file.seekg(static_cast<std::streamoff>(at));
    file.read(result.data(), static_cast<std::streamsize>(size));
    return file ? result : std::string();
}

template <typename T>
std::vector<T> table(std::string const& bytes) {
    std::vector<T> result(bytes.size() / sizeof(T));
    if (!result.empty()) std::memcpy(result.data(), bytes.data(), result.size() * sizeof(T));
    return result;
}

} // namespace

std::vector<std::string> needed_libraries(std::filesystem::path const& program) {
    std::ifstream file(program, std::ios::binary);
    auto const headers = table<Header>(bytes(file, 0, sizeof(Header)));
    constexpr unsigned char native = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (headers.empty() || std::memcmp(headers[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        headers[0].e_ident[EI_CLASS] != native || headers[0].e_shentsize != sizeof(Section))
        return {};
    auto const sections = table<Section>(bytes(file, headers[0].e_shoff, headers[0].e_shnum * sizeof(Section)));
    std::vector<std::string> result;
    for (Section const& dynamic : sections) {
        if (dynamic.sh_type != SHT_DYNAMIC || dynamic.sh_link >= sections.size()) continue;
        Section const& strings = sections[dynamic.sh_link];
        std::string const names = bytes(file, strings.sh_offset, strings.sh_size);
        for (Entry const& entry : table<Entry>(bytes(file, dynamic.sh_offset, dynamic.sh_size)))
            if (entry.d_tag == DT_NEEDED && entry.d_un.d_val < names.size())
                result.emplace_back(names.c_str() + entry.d_un.d_val);
    }
    return result;
}

} // namespace matchpoint::record
