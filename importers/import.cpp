#include "importers/import.hpp"

#include <fmt/format.h>

#include "importers/draft_of_calls.hpp"
#include "importers/readers.hpp"

namespace matchpoint::importers {

namespace {

void read(Format format, std::uint32_t file, Source const& source, Reading& reading) {
    if (auto const invalid = find_invalid_utf8(source.text()))
        return reading.reports.error("syntax", {file, 1, static_cast<Offset>(*invalid), 1}, "the text is not UTF-8");
    switch (format) {
    case Format::mp: return read_mp_trace(file, source, reading);
    case Format::mercury: return read_mercury(file, source, reading);
    case Format::transitions: return read_transition_lists(file, source, reading);
    }
}

} // namespace

Import import_program(std::span<Source const> files, Format format, std::optional<Value> const& undefined) {
    Reading reading(files.size());
    for (std::uint32_t i = 0; i < files.size(); ++i) {
        std::size_t const before = reading.calls.processes.size();
        read(format, i, files[i], reading);
        if (reading.calls.processes.size() == before && !reading.reports.refused())
            reading.reports.error("syntax", {i, 1, no_offset, 1},
                                  fmt::format("this is not {}: there is no process in it", description(format).what));
    }
    Import result;
    if (!reading.reports.refused()) result.draft = draft_of_calls(reading.calls, files, undefined, reading.reports);
    if (reading.reports.refused()) result.draft.reset();
    result.reports = reading.reports.take();
    return result;
}

} // namespace matchpoint::importers
