#include "importers/format.hpp"

namespace matchpoint::importers {

std::optional<Format> guess_format(Source const& source) {
    ForeignFormat const* const found = foreign_format(source.text());
    for (Format const format : {Format::mp, Format::mercury, Format::transitions})
        if (found == &description(format)) return format;
    return std::nullopt;
}

ForeignFormat const& description(Format format) {
    switch (format) {
    case Format::mp: return mp_format;
    case Format::mercury: return mercury_format;
    case Format::transitions: break;
    }
    return transitions_format;
}

} // namespace matchpoint::importers
