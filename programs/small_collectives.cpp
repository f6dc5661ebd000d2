#include "programs/small_collectives.hpp"

#include <fmt/format.h>

#include "programs/names.hpp"

namespace matchpoint::programs {

namespace {

/// A command of a thread, beside waits.
struct Letter {
    CollectiveCall call;
    bool is_message = false; // a send or a receive
};

std::vector<Letter> const& letters() {
    static std::vector<Letter> const all{
        {{.kind = CollectiveKind::bcast, .root = 0U}},
        {{.kind = CollectiveKind::bcast, .root = 1U}},
        {{.kind = CollectiveKind::reduce, .root = 0U}},
        {{.kind = CollectiveKind::scan}},
        {{.kind = CollectiveKind::barrier}},
        {{.kind = CollectiveKind::barrier, .blocks = false}},
        {{.kind = CollectiveKind::bcast, .blocks = false, .root = 0U}},
        {{.kind = CollectiveKind::allgather, .counts = {0}}},
        {{}, true},
    };
    return all;
}

} // namespace

SmallCollectivePrograms::SmallCollectivePrograms(SmallCollectives const& bound, std::uint64_t every,
                                                 std::uint64_t offset)
    : bound_(bound), every_(every), number_(offset) {
    for (std::uint32_t l = 0, ways = 1; l <= bound.length; ++l, ways *= static_cast<std::uint32_t>(letters().size()))
        threads_ += ways;
    for (std::uint32_t t = 0; t < bound.threads; ++t) count_ *= threads_;
}

/// Thread by thread: its words are numbered by length, and then as numbers whose digits are letters.
draft::Draft SmallCollectivePrograms::program(std::uint64_t number) const {
    std::uint64_t const base = letters().size();
    draft::Draft d;
    std::uint32_t calls = 0;
    std::uint32_t sends = 0;
    for (std::uint32_t t = 0; t < bound_.threads; ++t) {
        std::uint64_t word = number % threads_;
        number /= threads_;
        draft::Thread& thread = d.threads.emplace_back();
        draft::Thread waits;
        std::uint64_t ways = 1;
        std::uint32_t length = 0;
        for (; word >= ways; ways *= base, ++length) word -= ways;
        for (std::uint32_t i = 0; i < length; ++i, word /= base) {
            Letter const& letter = letters()[word % base];
            if (letter.is_message && t == 0) {
                std::string const name = fmt::format("S{}", sends++);
                thread.emplace_back(draft::sndi(name, 0, 1, draft::number(static_cast<std::int64_t>(i))));
                thread.emplace_back(draft::wait(name));
            } else if (letter.is_message) {
                std::string const name = fmt::format("R{}_{}", t, i);
                thread.emplace_back(draft::rcvi(name, t, fmt::format("x{}_{}", t, i)));
                thread.emplace_back(draft::wait(name));
            } else {
                std::string const name = fmt::format("K{}", calls++);
                thread.emplace_back(draft::collective(name, "w", letter.call));
                if (!letter.call.blocks) waits.emplace_back(draft::wait(name));
            }
        }
        thread.insert(thread.end(), waits.begin(), waits.end());
    }
    return d;
}

std::optional<draft::Draft> SmallCollectivePrograms::next() {
    while (number_ < count_) {
        draft::Draft d = program(number_);
        number_ += every_;
        if (!draft::program_of(d)) continue; // a root that is not a member
        draft::canonical_names(d);
        return d;
    }
    return std::nullopt;
}

} // namespace matchpoint::programs
