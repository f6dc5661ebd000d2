#include "base/digits.hpp"

#include <stdexcept>

#include "base/integer.hpp"

namespace matchpoint::base {

std::string digits(Value const& integer, int base) {
    Integer const i = to_integer(integer);
    mpz_srcptr const z = i.backend().data();
    std::string text(mpz_sizeinbase(z, base) + 2, '\0'); // with a sign and the terminating zero
    mpz_get_str(text.data(), base, z);
    text.resize(text.find('\0'));
    auto const prefix = [&]() -> std::string_view {
        switch (base) {
        case 2: return "0b";
        case 8: return text == "0" ? "" : "0";
        case 10: return "";
        case 16: return "0x";
        default: throw std::logic_error("digits: no prefix for this base");
        }
    }();
    return text.insert(text[0] == '-' ? 1 : 0, prefix);
}

} // namespace matchpoint::base
