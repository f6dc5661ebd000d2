#include "record/line_order.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace matchpoint::record {

std::span<Order const> orders_of(Recording const& recording) {
    static constexpr std::array all{Order::of_file, Order::probes_first, Order::free};
    return recording.lines.empty() ? std::span(all).last(1) : std::span(all);
}

LineOrder::LineOrder(Recording const& recording, IndexedProgram const& code, std::span<std::uint32_t const> done,
                     Order order) {
    if (recording.lines.empty() || order == Order::free) return;
    for (grammar::Thread const& thread : code.ctp().threads) first_.push_back({thread.first});
    places_.resize(first_.size());
    for (Rank const& rank : recording.ranks) {
        std::vector<std::uint32_t> threads{rank.number};
        for (FurtherThread const& f : rank.further) threads.push_back(f.thread);
        File file;
        for (std::uint32_t const t : threads) {
            std::uint32_t line = 0;
            for (std::uint32_t i = 0; i < done[t]; ++i) {
                Location const rho{first_[t].index + i};
                auto const* const probe = as_probe(code.command_at(rho));
                bool const may_be_early = order == Order::probes_first && probe != nullptr && !code.is_mprobe(probe->a);
                if (!may_be_early) line = std::max(line, recording.lines[t][i]);
                file.entries.push_back({line, t, rho.index});
            }
            places_[t].resize(done[t]);
        }
        std::sort(file.entries.begin(), file.entries.end(), [](Entry const& a, Entry const& b) {
            return std::tie(a.line, a.thread, a.rho) < std::tie(b.line, b.thread, b.rho);
        });
        for (std::uint32_t i = 0; i < file.entries.size(); ++i) {
            Entry const& e = file.entries[i];
            places_[e.thread][e.rho - first_[e.thread].index] = {static_cast<std::uint32_t>(files_.size()), i};
        }
        files_.push_back(std::move(file));
    }
}

void LineOrder::undone(std::uint32_t thread, Location rho) {
    if (!is_kept()) return;
    std::uint32_t const i = rho.index - first_[thread].index;
    if (i >= places_[thread].size()) return; // it was a look at what comes after the recording
    auto const [file, entry] = places_[thread][i];
    files_[file].next = std::min<std::size_t>(files_[file].next, entry);
}

} // namespace matchpoint::record
