// Programs with remote memory access: put, get and flush between processes (docs/rma.md). The semantics is that of
// Sections 2 and 3 of "Automatic Verification of RMA Programs via Abstraction Extrapolation".
//
//   Result<rma::Program> const program = rma::Program::read("figure2.rma");
//   Result<rma::Checked> const result = rma::check(*program);
//   if (result->verdict == Verdict::violated) std::cout << result->run << '\n';
//
// A run is its schedule: the words that `matchpoint rma run` and `rma step` take, such as `2 2 rw:2#1`.
#pragma once

#include <matchpoint/check.hpp>

namespace matchpoint::api::rma {

class Program {
public:
    /// Errors: `input`. Linear in the text.
    static Result<Program> parse(std::string text, std::string name = "<text>");
    static Result<Program> read(std::filesystem::path const& file);

    std::string const& name() const;
    std::string print() const;
    std::uint32_t processes() const;

    // Copied, and never moved: every Program has a program.
    Program(Program const&) = default;
    Program& operator=(Program const&) = default;

    class Impl;
    Impl const& impl() const { return *impl_; }
    explicit Program(std::shared_ptr<Impl const> impl) : impl_(std::move(impl)) {}

private:
    std::shared_ptr<Impl const> impl_;
};

struct CheckOptions {
    /// The search begins with one pending operation of each statement, and goes up to this: from 1 to 250.
    std::uint32_t pending = 3;
    std::optional<std::chrono::milliseconds> time = {};
    /// Polled every few milliseconds; true ends the check.
    std::function<bool()> cancelled = {};
};
struct Checked {
    Verdict verdict = Verdict::unknown; // never `vacuous`
    std::string reason;                 // of `unknown`
    std::string run;                    // violated: its schedule, which the machine has run
    bool is_shortest = false;           // no violation has fewer steps
    std::string decided_by;             // "the search", "the reduced program"
    std::uint64_t states = 0;
};
/// Errors: `usage` (`pending`), `limit` (an integer's size). Running out of time is `unknown`.
Result<Checked> check(Program const& program, CheckOptions const& options = {});

/// What can come next, and the word of schedules for it.
struct Choice {
    std::string word; // "rw:2#1"
    std::string text; // "2#1: (put Y 1 X); reads X = 3; then Y = 3"
};

/// A run that is moved by hand. One that was moved from can be assigned to or destroyed, and nothing else.
class Stepper {
public:
    explicit Stepper(rma::Program program);
    Stepper(Stepper&&) noexcept;
    Stepper& operator=(Stepper&&) noexcept;
    ~Stepper();

    std::size_t at() const;
    /// Every process has finished, and nothing is pending.
    bool is_final() const;
    /// A property was false, or an assertion, up to here.
    bool is_violated() const;
    std::string memory() const;  // "Y = 1, X = 3"
    std::string pending() const; // "R(2) = {2#1}"; empty if nothing is
    std::string schedule() const;
    std::vector<Choice> choices() const;
    /// A word of a schedule. Error `usage`: why it does not apply here.
    Result<bool> take(std::string_view word);
    /// False if there are fewer steps to undo; then nothing happens.
    bool back(std::size_t steps = 1);
    /// The step that was undone last. False if there is none.
    bool forward();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace matchpoint::api::rma
