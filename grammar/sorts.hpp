// The sorts of rule D6, as far as they are known, and what made them known.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "grammar/ast.hpp"

namespace matchpoint::grammar {

/// Union-find over sorts (rule D6): Int, Bool, the sort of the messages to each endpoint, and unknown sorts.
class Sorts {
public:
    /// What made a sort known: a use in a command.
    struct Reason {
        static constexpr std::uint32_t none = 0xFFFF'FFFF;
        std::uint32_t command = none;
        std::uint32_t expression = 0; // of it (expression_atoms())
        std::uint32_t node = 0;       // of that
        std::uint32_t receive = none; // the command that received the variable there
    };

    using Class = std::uint32_t;
    static constexpr Class integer = 0;
    static constexpr Class boolean = 1;

    explicit Sorts(std::size_t endpoints) {
        for (std::size_t i = 0; i < endpoints + 2; ++i) fresh();
    }

    static Class of(Endpoint beta) { return beta.index + 2; }

    Class fresh() {
        parent_.push_back(static_cast<Class>(parent_.size()));
        merges_.push_back({parent_.back(), {}});
        return parent_.back();
    }

    Class find(Class c) {
        while (parent_[c] != c) {
            parent_[c] = parent_[parent_[c]];
            c = parent_[c];
        }
        return c;
    }

    /// False if one is Int and the other Bool; then nothing changes.
    bool unite(Class a, Class b, Reason reason) {
        a = find(a);
        b = find(b);
        if (a == b) return true;
        if (a <= boolean && b <= boolean) return false;
        // Int and Bool represent their classes.
        if (a > b) std::swap(a, b);
        parent_[b] = a;
        merges_[b] = {a, reason};
        return true;
    }

    /// What made a class Int or Bool; none if it has been that from the beginning. find() shortens its paths, so this
    /// follows the merges, in time linear in their number.
    std::optional<Reason> reason(Class c) const {
        Class last = c;
        for (; merges_[c].into != c; c = merges_[c].into) last = c;
        return c <= boolean && last != c ? std::optional(merges_[last].reason) : std::nullopt;
    }

    std::string_view name(Class c) {
        c = find(c);
        return c == integer ? "Int" : c == boolean ? "Bool" : "a sort that is not known yet";
    }

private:
    struct Merge {
        Class into;
        Reason reason;
    };

    std::vector<Class> parent_;
    std::vector<Merge> merges_; // class -> what it was merged into; itself: it represents its class
};

} // namespace matchpoint::grammar
