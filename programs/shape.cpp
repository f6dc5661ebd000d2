#include "programs/shape.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/overloaded.hpp"
#include "grammar/parts.hpp"
#include "programs/names.hpp"

namespace matchpoint::programs::draft {

namespace {

/// The rank of each thing in sorted order; equal things have equal ranks.
template <typename T>
std::vector<std::uint32_t> ranks(std::vector<T> const& of) {
    std::vector<std::uint32_t> order(of.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return of[a] < of[b]; });
    std::vector<std::uint32_t> rank(of.size());
    for (std::size_t i = 1; i < order.size(); ++i)
        rank[order[i]] = rank[order[i - 1]] + (of[order[i - 1]] < of[order[i]] ? 1 : 0);
    return rank;
}

/// Classes of threads that cannot be distinguished without names: by their commands, and by whom they exchange messages
/// with.
class Alike {
public:
    explicit Alike(Draft const& draft) : uses_(draft.threads.size()) {
        std::vector<std::string> alone;
        for (std::size_t t = 0; t < draft.threads.size(); ++t) {
            Draft one{.threads = {draft.threads[t]}};
            for (LocatedCommand const& c : one.threads[0])
                for_each_part(c.c, overloaded{[&](Endpoint const& e) { use(t, e.text); }, [](auto const&) {}});
            canonical_names(one);
            alone.push_back(print(one));
        }
        class_ = ranks(alone);
        // Refine by the classes of the threads that use the same endpoints, until nothing changes.
        for (std::size_t classes = 0; classes != count();) {
            classes = count();
            refine();
        }
    }

    std::vector<std::uint32_t> const& classes() const { return class_; }

private:
    void use(std::size_t t, std::string const& endpoint) {
        auto const e = numbers_.try_emplace(endpoint, static_cast<std::uint32_t>(numbers_.size())).first->second;
        if (std::find(uses_[t].begin(), uses_[t].end(), e) == uses_[t].end()) uses_[t].push_back(e);
    }
    std::size_t count() const { return class_.empty() ? 0 : *std::max_element(class_.begin(), class_.end()) + 1U; }
    void refine() {
        std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> used_by(numbers_.size());
        for (std::size_t t = 0; t < uses_.size(); ++t)
            for (std::size_t i = 0; i < uses_[t].size(); ++i)
                used_by[uses_[t][i]].emplace_back(class_[t], static_cast<std::uint32_t>(i));
        for (auto& u : used_by) std::sort(u.begin(), u.end());
        std::vector<std::uint32_t> const endpoint_class = ranks(used_by);
        std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> finer;
        for (std::size_t t = 0; t < uses_.size(); ++t) {
            auto& [old, endpoints] = finer.emplace_back(class_[t], std::vector<std::uint32_t>());
            for (std::uint32_t const e : uses_[t]) endpoints.push_back(endpoint_class[e]);
        }
        class_ = ranks(finer);
    }

    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<std::vector<std::uint32_t>> uses_; // thread -> its endpoints, in the order of their first use
    std::vector<std::uint32_t> class_;
};

constexpr std::size_t most_orders = 720;

} // namespace

std::string shape(Draft const& draft) {
    std::vector<std::uint32_t> const classes = Alike(draft).classes();
    std::vector<std::uint32_t> order(classes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return classes[a] < classes[b]; });
    auto const text = [&] {
        Draft sorted;
        for (std::uint32_t const t : order) sorted.threads.push_back(draft.threads[t]);
        sorted.communicators = draft.communicators;
        renumber_threads(sorted, order);
        canonical_names(sorted);
        return print(sorted);
    };
    auto const end_of_class = [&](std::size_t first) {
        std::size_t end = first;
        while (end < order.size() && classes[order[end]] == classes[order[first]]) ++end;
        return end;
    };
    std::size_t orders = 1;
    for (std::size_t first = 0; first < order.size() && orders <= most_orders; first = end_of_class(first))
        for (std::size_t n = end_of_class(first) - first; n > 1 && orders <= most_orders; --n) orders *= n;
    std::string least = text();
    if (orders > most_orders) return least;
    // All orders within the classes.
    for (std::size_t i = 1; i < orders; ++i) {
        for (std::size_t first = 0; first < order.size(); first = end_of_class(first))
            if (std::next_permutation(order.begin() + static_cast<std::ptrdiff_t>(first),
                                      order.begin() + static_cast<std::ptrdiff_t>(end_of_class(first))))
                break;
        least = std::min(least, text());
    }
    return least;
}

} // namespace matchpoint::programs::draft
