#include "programs/random_collectives.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "programs/names.hpp"

namespace matchpoint::programs {

namespace {

using CallCounts = CollectiveInfo::Counts;

class CollectiveMaker {
public:
    CollectiveMaker(draft::Draft& d, CollectiveShape const& shape, Dice& dice) : d_(d), shape_(shape), dice_(dice) {}

    void make() {
        std::uint32_t const communicators = 1 + dice_.below(shape_.communicators);
        for (std::uint32_t c = 0; c < communicators; ++c) communicator(fmt::format("w{}", c));
        for (draft::Thread& t : d_.threads)
            for (draft::LocatedCommand& located : t) located.rho.clear();
    }

private:
    void communicator(std::string const& name) {
        std::vector<std::uint32_t> members;
        for (std::uint32_t t = 0; t < d_.threads.size(); ++t)
            if (dice_.percent(85)) members.push_back(t);
        if (members.empty()) members.push_back(dice_.below(d_.threads.size()));
        std::vector<std::uint32_t> const callers = members;
        if (dice_.percent(25)) declare(name, members);
        std::uint32_t const calls = 1 + dice_.below(shape_.calls);
        bool const is_one_missing = calls > 1 && dice_.percent(shape_.missing);
        std::uint32_t const without = dice_.one_of(members);
        std::vector<CollectiveCall> meetings;
        for (std::uint32_t i = 0; i < calls; ++i) meetings.push_back(call(members));
        std::vector<std::optional<std::uint32_t>> odd; // the thread whose call disagrees
        for (std::uint32_t i = 0; i < calls; ++i)
            odd.push_back(dice_.percent(shape_.disagree) ? std::optional(dice_.one_of(members)) : std::nullopt);
        for (std::uint32_t const t : callers) {
            std::size_t from = 0;
            for (std::uint32_t i = 0; i < calls - (is_one_missing && t == without ? 1 : 0); ++i) {
                CollectiveCall said = odd[i] == t ? another(meetings[i], members) : meetings[i];
                if (dice_.percent(20)) leave_out_parts(said);
                from = insert(t, from, name, std::move(said));
            }
        }
    }

    /// In another order, and with threads that never call.
    void declare(std::string const& name, std::vector<std::uint32_t>& members) {
        for (std::uint32_t t = 0; t < d_.threads.size(); ++t)
            if (std::find(members.begin(), members.end(), t) == members.end() && dice_.percent(50))
                members.push_back(t);
        for (std::size_t i = members.size(); i > 1; --i)
            std::swap(members[i - 1], members[dice_.below(static_cast<std::uint32_t>(i))]);
        d_.communicators.push_back({name, members});
    }

    CollectiveCall call(std::vector<std::uint32_t>& members) {
        auto const kinds = all_collectives();
        CollectiveCall result{.kind = kinds[dice_.below(kinds.size())].kind,
                              .blocks = !dice_.percent(shape_.nonblocking)};
        CollectiveInfo const& kind = info(result.kind);
        if (kind.rooted) result.root = dice_.one_of(members);
        if (kind.reduces && dice_.percent(shape_.parts)) result.op = dice_.percent(50) ? "sum" : "max";
        if (kind.counts == CallCounts::none) return result;
        if (dice_.percent(shape_.parts)) result.type = dice_.percent(50) ? "int" : "double";
        if (!dice_.percent(shape_.parts)) return result;
        std::size_t const count = has_count_of_each(result.kind) ? members.size() : 1;
        for (std::size_t i = 0; i < count; ++i) result.counts.push_back(dice_.below(3));
        return result;
    }

    /// Mostly a call that disagrees in one thing.
    CollectiveCall another(CollectiveCall said, std::vector<std::uint32_t>& members) {
        std::uint32_t const what = dice_.below(5);
        if (what == 0)
            said.blocks = !said.blocks;
        else if (what == 1 && said.root)
            said.root = dice_.one_of(members);
        else if (what == 2 && !said.op.empty())
            said.op = "min";
        else if (what == 3 && !said.counts.empty())
            for (std::uint64_t& n : said.counts) n = dice_.below(3);
        else
            said = call(members);
        return said;
    }

    void leave_out_parts(CollectiveCall& said) {
        if (dice_.percent(50)) said.type.clear();
        if (dice_.percent(50)) said.counts.clear();
        if (dice_.percent(50)) said.op.clear();
        bool const says_its_own = info(said.kind).counts == CallCounts::of_members && said.counts.size() > 1;
        if (says_its_own && dice_.percent(30)) said.counts.resize(1);
    }

    /// Returns the place after it.
    std::size_t insert(std::uint32_t t, std::size_t from, std::string const& communicator, CollectiveCall said) {
        draft::Thread& thread = d_.threads[t];
        std::size_t const place = from + dice_.below(thread.size() - from + 1);
        bool const waits = !said.blocks && !dice_.percent(shape_.unwaited);
        std::string const name = fmt::format("K{}", calls_++);
        auto const at = [&](std::size_t i) { return thread.begin() + static_cast<std::ptrdiff_t>(i); };
        thread.insert(at(place), draft::collective(name, communicator, std::move(said)));
        if (waits) thread.insert(at(place + 1 + dice_.below(thread.size() - place)), draft::wait(name));
        return place + 1;
    }

    draft::Draft& d_;
    CollectiveShape const& shape_;
    Dice& dice_;
    std::uint32_t calls_ = 0;
};

} // namespace

void add_collectives(draft::Draft& d, CollectiveShape const& shape, Dice& dice) {
    CollectiveMaker(d, shape, dice).make();
}

draft::Draft random_collectives(std::uint64_t seed, std::uint64_t number, RandomShape const& shape,
                                CollectiveShape const& collectives) {
    draft::Draft d = random_program(seed, number, shape).draft;
    Dice dice(seed ^ 0xC011'EC71'5E5EU, number);
    add_collectives(d, collectives, dice);
    draft::canonical_names(d);
    return d;
}

} // namespace matchpoint::programs
