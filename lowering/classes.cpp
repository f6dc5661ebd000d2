#include "lowering/classes.hpp"

#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>

#include "base/limits.hpp"
#include "grammar/selectors.hpp"

namespace matchpoint::lowering {

namespace {

constexpr std::uint32_t none = 0xFFFF'FFFF;

template <typename Part>
bool has_one(std::vector<Kind> const& kinds, Part part) {
    return std::all_of(kinds.begin(), kinds.end(), [&](Kind const& k) { return part(k) == part(kinds.front()); });
}

class Finder {
public:
    explicit Finder(MessageIndex const& messages)
        : m_(messages), code_(messages.code()), numbers_(code_.endpoints().size()), kinds_(code_.endpoints().size()),
          kind_of_(messages.sends().size()) {
        classes_.at.resize(code_.endpoints().size());
        classes_.of_receive.resize(messages.receives().size());
        classes_.of_send.resize(messages.sends().size());
    }

    Expected<Classes, std::string> run() {
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r) classify(r);
        find_kinds();
        for (std::uint32_t beta = 0; beta < code_.endpoints().size(); ++beta)
            if (auto why = separate({beta})) return Unexpected{std::move(*why)};
        for (std::uint32_t r = 0; r < m_.receives().size(); ++r)
            if (auto why = completes_elsewhere(r)) return Unexpected{std::move(*why)};
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s)
            if (std::uint32_t const c = class_of_[beta_of(s).index][kind_of_[s]]; c != none) classes_.of_send[s] = c;
        return std::move(classes_);
    }

private:
    Endpoint beta_of(std::uint32_t s) const { return m_.beta_of(m_.sends()[s]); }
    Selectors const* selectors(std::uint32_t r) const {
        return selectors_of(code_.ctp(), *code_.as_rcvi(m_.receives()[r].a));
    }

    void classify(std::uint32_t r) {
        auto& at = classes_.at[m_.receives()[r].beta.index];
        Selectors const* const sel = selectors(r);
        std::string admitted = admitted_by(sel);
        spend(8 + admitted.size());
        auto const [number, is_new] = numbers_[m_.receives()[r].beta.index].try_emplace(
            std::move(admitted), static_cast<std::uint32_t>(at.size()));
        if (is_new) at.push_back({sel, {}});
        Class& same = at[number->second];
        same.wants_source |= sel != nullptr && sel->source.has_value();
        same.wants_tag |= sel != nullptr && sel->tagged.has_value();
        classes_.of_receive[r] = number->second;
    }

    void find_kinds() {
        std::vector<boost::unordered_flat_map<std::uint64_t, std::uint32_t>> numbers(code_.endpoints().size());
        for (std::uint32_t s = 0; s < m_.sends().size(); ++s) {
            Sndi const& send = *code_.as_sndi(m_.sends()[s].a);
            Kind const kind{send.alpha, tag_of(code_.program(), send)};
            auto& kinds = kinds_[send.beta.index];
            auto const [it, is_new] = numbers[send.beta.index].try_emplace(
                std::uint64_t{kind.alpha.index} << 32U | kind.n.index, static_cast<std::uint32_t>(kinds.size()));
            if (is_new) kinds.push_back(kind);
            kind_of_[s] = it->second;
        }
    }

    /// Gives each kind of messages to its class.
    std::optional<std::string> separate(Endpoint beta) {
        auto& at = classes_.at[beta.index];
        auto const& kinds = kinds_[beta.index];
        auto& class_of = class_of_.emplace_back(kinds.size(), none);
        // The classes that admit a source, and those that admit any, by the tags that they admit.
        boost::unordered_flat_map<std::uint32_t, std::vector<std::uint32_t>> of_source;
        boost::unordered_flat_map<std::uint32_t, std::vector<std::uint32_t>> of_tag;
        std::vector<std::uint32_t> of_all;
        for (std::uint32_t c = 0; c < at.size(); ++c) {
            Selectors const* const sel = at[c].selectors;
            if (!restricts(sel))
                of_all.push_back(c);
            else if (sel->from)
                for (Endpoint const alpha : *sel->from) of_source[alpha.index].push_back(c);
            else
                for (Tag const n : *sel->tags) of_tag[n.index].push_back(c);
        }
        for (std::uint32_t k = 0; k < kinds.size(); ++k)
            for (auto const* const some : {&of_source[kinds[k].alpha.index], &of_tag[kinds[k].n.index], &of_all}) {
                spend(4 + some->size());
                for (std::uint32_t const c : *some) {
                    if (class_of[k] == c || !admits(at[c].selectors, kinds[k].alpha, kinds[k].n)) continue;
                    if (class_of[k] != none)
                        return fmt::format(
                            "two receives at endpoint {} admit the same message from endpoint {}, but not "
                            "the same messages",
                            code_.names()(beta), code_.names()(kinds[k].alpha));
                    class_of[k] = c;
                    at[c].kinds.push_back(kinds[k]);
                }
            }
        for (Class& c : at) std::sort(c.kinds.begin(), c.kinds.end());
        return std::nullopt;
    }

    /// A receive that a wait for a receive of another class completes.
    std::optional<std::string> completes_elsewhere(std::uint32_t r) const {
        auto const& receive = m_.receives()[r];
        Action const a = std::get<Wait>(code_.command_at(receive.nw)).a;
        std::uint32_t const by = m_.receive_number(a);
        if (classes_.of_receive[by] == classes_.of_receive[r]) return std::nullopt;
        return fmt::format("the wait for `{}` completes `{}`, which admits other messages", code_.names()(a),
                           code_.names()(receive.a));
    }

    MessageIndex const& m_;
    IndexedProgram const& code_;
    Classes classes_;
    std::vector<boost::unordered_flat_map<std::string, std::uint32_t>> numbers_; // endpoint -> admitted_by -> the class
    std::vector<std::vector<Kind>> kinds_;                                       // by endpoint
    std::vector<std::vector<std::uint32_t>> class_of_;                           // endpoint -> kind -> its class; none
    std::vector<std::uint32_t> kind_of_;                                         // by send
};

} // namespace

bool Class::has_one_source() const {
    return has_one(kinds, [](Kind const& k) { return k.alpha; });
}
bool Class::has_one_tag() const {
    return has_one(kinds, [](Kind const& k) { return k.n; });
}

Expected<Classes, std::string> classes_of(MessageIndex const& messages) { return Finder(messages).run(); }

} // namespace matchpoint::lowering
