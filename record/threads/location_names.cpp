#include "record/threads/location_names.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>

#include "base/numbers.hpp"

namespace matchpoint::record::threads {

namespace {

constexpr int deepest = 32;

/// Reads a type, from its beginning.
class TypeText {
public:
    explicit TypeText(std::string_view text) : text_(text) {}

    /// Appends the part at the offset. False if the type is damaged, or has no such part.
    bool part(std::uint64_t offset, std::string& to, int depth = 0) {
        if (depth > deepest) return false;
        if (take('[')) {
            std::uint64_t const count = number();
            std::uint64_t const stride = number();
            if (stride == 0 || offset / stride >= count) return false;
            to += fmt::format(".{}", offset / stride);
            return part(offset % stride, to, depth + 1);
        }
        if (take('{')) return member(offset, to, depth);
        std::uint64_t const size = number();
        if (offset >= size) return false;
        if (offset > 0) to += fmt::format("+{}", offset);
        return true;
    }

private:
    /// The last member that begins at the offset or before.
    bool member(std::uint64_t offset, std::string& to, int depth) {
        std::string_view name;
        std::string_view type;
        std::uint64_t begin = 0;
        while (!text_.empty() && !take('}')) {
            std::uint64_t const at = number();
            std::size_t const blank = text_.find(' ');
            if (blank == std::string_view::npos) return false;
            std::string_view const called = text_.substr(0, blank);
            text_.remove_prefix(blank + 1);
            std::string_view const rest = text_;
            if (!skip()) return false;
            if (at <= offset) {
                name = called;
                type = rest.substr(0, rest.size() - text_.size());
                begin = at;
            }
            take(';');
            take(' ');
        }
        if (type.empty()) return false;
        if (!name.empty()) to += fmt::format(".{}", name);
        return TypeText(type).part(offset - begin, to, depth + 1);
    }

    /// Passes over a type.
    bool skip() {
        int open = 0;
        for (std::size_t i = 0; i < text_.size(); ++i) {
            char const c = text_[i];
            if (c == '[' || c == '{') ++open;
            if (c == ']' || c == '}') --open;
            if (open < 0) return false;
            if (open == 0 && c == ';') {
                text_.remove_prefix(i);
                return true;
            }
        }
        return false;
    }

    bool take(char c) {
        if (!text_.starts_with(c)) return false;
        text_.remove_prefix(1);
        return true;
    }
    std::uint64_t number() {
        std::size_t const end = std::min(text_.find_first_not_of("0123456789"), text_.size());
        std::uint64_t const n = to_number<std::uint64_t>(text_.substr(0, end)).value_or(0);
        text_.remove_prefix(end);
        take(' ');
        return n;
    }

    std::string_view text_;
};

} // namespace

std::string part_of_type(std::string_view type, std::uint64_t offset) {
    std::string to;
    if (!type.empty() && TypeText(type).part(offset, to)) return to;
    return offset == 0 ? "" : fmt::format("+{}", offset);
}

LocationNames::LocationNames(RunIndex const& index) : index_(index), variables_(index.globals) {
    auto const key = [](Global const& g) { return std::tie(g.address, g.size, g.name, g.type); };
    std::stable_sort(variables_.begin(), variables_.end(),
                     [&](Global const& a, Global const& b) { return key(a) < key(b); });
    auto const same = [&](Global const& a, Global const& b) { return key(a) == key(b); };
    variables_.erase(std::unique(variables_.begin(), variables_.end(), same), variables_.end());
    auto const is_on_stack = [&](Global const& g) {
        return std::any_of(index.threads.begin(), index.threads.end(),
                           [&](auto const& t) { return g.address >= t.stack && g.address - t.stack < t.stack_size; });
    };
    // The variables of which others were in the same place lose their names.
    std::size_t furthest = 0; // of those before
    for (std::size_t i = 1; i < variables_.size(); ++i) {
        Global& before = variables_[furthest];
        Global& g = variables_[i];
        bool const overlaps = g.address < before.address + before.size;
        if (overlaps && is_on_stack(g)) g.name = before.name = {};
        if (!overlaps || g.address + g.size > before.address + before.size) furthest = i;
    }
}

std::optional<std::string> LocationNames::name_of_variable(std::uint64_t address) const {
    auto const after = std::upper_bound(variables_.begin(), variables_.end(), address,
                                        [](std::uint64_t a, Global const& g) { return a < g.address; });
    if (after == variables_.begin()) return std::nullopt;
    Global const& g = *std::prev(after);
    if (g.name.empty() || address - g.address >= std::max<std::uint64_t>(g.size, 1)) return std::nullopt;
    return g.name + part_of_type(g.type, address - g.address);
}

std::string LocationNames::name(std::uint64_t address, std::optional<std::uint32_t> block,
                                Allocations const& allocations) {
    if (block) {
        Block const& b = allocations.blocks()[*block];
        std::uint64_t const offset = address - b.address;
        if (b.is_stack) return name_of_variable(address).value_or(fmt::format("stack{}.{}", b.thread, b.size - offset));
        blocks_.insert(*block);
        return offset == 0 ? fmt::format("heap{}", b.number) : fmt::format("heap{}.{}", b.number, offset);
    }
    if (auto name = name_of_variable(address)) return *std::move(name);
    for (Module const& m : index_.modules)
        if (address >= m.address && address - m.address < m.size)
            return fmt::format("{}+{:#x}", std::filesystem::path(m.path).filename().string(), address - m.address);
    return fmt::format("memory.{:x}", address);
}

} // namespace matchpoint::record::threads
