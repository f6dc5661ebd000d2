#include "programs/small_shared.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "grammar/operators.hpp"
#include "programs/names.hpp"

namespace matchpoint::programs {

namespace {

/// A command over a variable x and the other one, y.
struct SharedLetter {
    enum class Kind : std::uint8_t {
        write,
        increase,
        acquire,
        is_0,
        is_1,
        copy,
        divide,
        assume,
        conditional,
        assert_false,
        assume_false,
    };
    Kind kind;
    bool is_rare;
    bool asserts;
    // Of x and of y: one bit each.
    std::uint8_t reads;
    std::uint8_t writes;
};
constexpr std::uint8_t x_bit = 1, y_bit = 2;
constexpr std::array<SharedLetter, 9> over_variables{{
    {SharedLetter::Kind::write, false, false, 0, x_bit},
    {SharedLetter::Kind::increase, false, false, x_bit, x_bit},
    {SharedLetter::Kind::acquire, false, false, x_bit, x_bit},
    {SharedLetter::Kind::is_0, false, true, x_bit, 0},
    {SharedLetter::Kind::is_1, true, true, x_bit, 0},
    {SharedLetter::Kind::copy, true, false, y_bit, x_bit},
    {SharedLetter::Kind::divide, true, false, x_bit, x_bit},
    {SharedLetter::Kind::assume, true, false, x_bit, 0},
    {SharedLetter::Kind::conditional, true, false, y_bit, x_bit},
}};
constexpr std::array<SharedLetter, 2> others{{
    {SharedLetter::Kind::assert_false, false, true, 0, 0},
    {SharedLetter::Kind::assume_false, true, false, 0, 0},
}};
/// First those over x and y, then those over y and x, then the others.
constexpr std::uint8_t shared_letter_count = 2 * over_variables.size() + others.size();
constexpr std::size_t most_threads = 4;
constexpr char end_of_thread = 0x7F;

using Letters = std::vector<std::uint8_t>; // a thread: letters
using LetterThreads = std::vector<Letters>;

std::string packed(LetterThreads const& threads) {
    std::string result;
    for (Letters const& w : threads) result.append(w.begin(), w.end()) += end_of_thread;
    return result;
}

constexpr std::uint8_t swapped(std::uint8_t bits) {
    return static_cast<std::uint8_t>((bits & x_bit) << 1U | (bits & y_bit) >> 1U);
}

SharedLetter letter(std::uint8_t i) {
    if (i < over_variables.size()) return over_variables[i];
    if (i >= 2 * over_variables.size()) return others[i - 2 * over_variables.size()];
    SharedLetter l = over_variables[i - over_variables.size()];
    l.reads = swapped(l.reads), l.writes = swapped(l.writes);
    return l;
}

/// The same command over the other variable.
std::uint8_t exchanged(std::uint8_t i) {
    constexpr std::uint8_t n = over_variables.size();
    return i < n ? i + n : i < 2 * n ? i - n : i;
}

draft::Command command(std::uint8_t i) {
    using Kind = SharedLetter::Kind;
    bool const is_second = i >= over_variables.size() && i < 2 * over_variables.size();
    draft::Variable const x = is_second ? "y" : "x", y = is_second ? "x" : "y";
    auto const is = [](draft::Variable const& v, int n) {
        return operation(Op::equal, draft::variable(v), draft::number(n));
    };
    draft::Expression const one = draft::number(1);
    switch (letter(i).kind) {
    case Kind::write: return draft::assign(x, one);
    case Kind::increase: return draft::assign(x, operation(Op::plus, draft::variable(x), one));
    case Kind::acquire: return draft::when(is(x, 0), {{x, one}});
    case Kind::is_0: return draft::assert_(is(x, 0));
    case Kind::is_1: return draft::assert_(is(x, 1));
    case Kind::copy: return draft::assign(x, draft::variable(y));
    case Kind::divide: return draft::assign(x, operation(Op::div, one, draft::variable(x)));
    case Kind::assume: return draft::assume(is(x, 1));
    case Kind::conditional: return draft::guarded(is(y, 1), {{x, one}});
    case Kind::assert_false: return draft::assert_(draft::truth(false));
    case Kind::assume_false: break;
    }
    return draft::assume(draft::truth(false));
}

} // namespace

/// The programs of so many commands, of every size up to a level.
class SmallSharedPrograms::Enumeration {
public:
    Enumeration(std::size_t commands, unsigned level, std::vector<std::vector<std::string>>& of_size)
        : level_(level), rare_(level - static_cast<unsigned>(commands)), of_size_(of_size) {
        choose_length(commands, commands);
    }

private:
    /// Longer threads come first.
    void choose_length(std::size_t rest, std::size_t longest) {
        if (rest == 0) return choose_letter(0, 0, 0);
        if (lengths_.size() == most_threads) return;
        for (std::size_t n = std::min(rest, longest); n > 0; --n) {
            lengths_.push_back(n);
            choose_length(rest - n, n);
            lengths_.pop_back();
        }
    }

    void choose_letter(std::size_t thread, std::size_t place, unsigned rare) {
        if (thread == lengths_.size()) return add(rare);
        if (place == 0) threads_.emplace_back();
        for (std::uint8_t l = 0; l < shared_letter_count; ++l) {
            unsigned const with = rare + (letter(l).is_rare ? 1 : 0);
            if (with > rare_) continue;
            threads_[thread].push_back(l);
            if (place + 1 < lengths_[thread])
                choose_letter(thread, place + 1, with);
            else if (is_behind_the_one_before(thread))
                choose_letter(thread + 1, 0, with);
            threads_[thread].pop_back();
        }
        if (place == 0) threads_.pop_back();
    }

    bool is_behind_the_one_before(std::size_t thread) const {
        return thread == 0 || lengths_[thread] != lengths_[thread - 1] || threads_[thread - 1] <= threads_[thread];
    }

    void add(unsigned rare) {
        std::size_t commands = 0;
        for (Letters const& w : threads_) commands += w.size();
        std::size_t const size = commands + rare + oddities();
        if (size <= level_ && is_first_of_its_names()) of_size_[size].push_back(packed(threads_));
    }

    /// Beside rare commands.
    unsigned oddities() const {
        std::array<unsigned, 2> threads{}, writes{};
        bool asserts = false;
        for (Letters const& w : threads_) {
            std::uint8_t accessed = 0;
            for (std::uint8_t const l : w) {
                SharedLetter const of = letter(l);
                accessed |= of.reads | of.writes;
                asserts = asserts || of.asserts;
                for (unsigned v = 0; v < 2; ++v) writes[v] += of.writes >> v & 1U;
            }
            for (unsigned v = 0; v < 2; ++v) threads[v] += accessed >> v & 1U;
        }
        unsigned odd = asserts ? 0 : 1;
        for (unsigned v = 0; v < 2; ++v)
            if (threads[v] > 0) odd += (threads[v] < 2 ? 1 : 0) + (writes[v] == 0 ? 1 : 0);
        return odd;
    }

    /// Whether it does not come after itself with the variables exchanged.
    bool is_first_of_its_names() const {
        LetterThreads other = threads_;
        for (Letters& w : other)
            for (std::uint8_t& l : w) l = exchanged(l);
        std::sort(other.begin(), other.end(), [](Letters const& a, Letters const& b) {
            return a.size() != b.size() ? a.size() > b.size() : a < b;
        });
        return threads_ <= other;
    }

    unsigned level_;
    unsigned rare_; // at most so many
    std::vector<std::vector<std::string>>& of_size_;
    std::vector<std::size_t> lengths_;
    LetterThreads threads_;
};

SmallSharedPrograms::SmallSharedPrograms(unsigned level) {
    if (level > highest_level) throw std::invalid_argument("programs of such a level are not small");
    std::vector<std::vector<std::string>> of_size(level + 1);
    for (std::size_t commands = 1; commands <= level; ++commands) Enumeration(commands, level, of_size);
    for (std::vector<std::string>& some : of_size)
        programs_.insert(programs_.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}

draft::Draft SmallSharedPrograms::operator[](std::uint64_t i) const {
    draft::Draft result{.shared = {{"x", Value::integer(0)}, {"y", Value::integer(0)}}};
    bool is_new = true; // thread
    for (char const l : programs_.at(i)) {
        if (std::exchange(is_new, l == end_of_thread)) result.threads.emplace_back();
        if (l != end_of_thread) result.threads.back().emplace_back(command(static_cast<std::uint8_t>(l)));
    }
    draft::drop_unused_shared_variables(result);
    draft::canonical_names(result);
    return result;
}

} // namespace matchpoint::programs
