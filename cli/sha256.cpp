#include "cli/sha256.hpp"

#include <sha2.h>

#include <array>

#include <fmt/format.h>

namespace matchpoint::cli {

std::string sha256(std::string_view text) {
    std::array<char, SHA256_DIGEST_STRING_LENGTH> digest{};
    SHA256Data(reinterpret_cast<std::uint8_t const*>(text.data()), text.size(), digest.data());
    return digest.data();
}

} // namespace matchpoint::cli
