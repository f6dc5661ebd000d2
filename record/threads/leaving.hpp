// Which executions of a recorded path lead to a path that is not known yet.
//
//   LeavingQuestion const question(known, 0, left_out);
//   LeavingAnswer const a = question.ask(options);
//   if (a.leaves) follow(a.trace, *a.leaves);
//
// A thread leaves the path where an assumption is false, where it goes on although its recording ends, or where it
// comes first to what another thread had done (`pthread_once`), or is signalled though its time passed. Which way it
// goes then may be known: another path has the same marks of that thread up to there, and then that way; and no other
// thread has passed the first mark at which the two paths differ. All else is new. The question is a program in which
// each such place asserts that it is not reached so, and variables say who has passed what. Its executions are those of
// the path, and it fails if one of them leaves for a path that is not known.
//
// If the answer is `no` for all paths, there is no other path. Proof: let E be an execution of no known path, e the
// longest beginning of E that some known path has, and P a path that has it. With its next step E leaves P, and no path
// that has e and this step is known. So the question about P is answered `yes`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/check.hpp"
#include "record/threads/paths.hpp"

namespace matchpoint::record::threads {

/// Where a thread can leave a path: at a command, or, after all of them, at the end of its recording.
struct Leaving {
    std::uint32_t thread = 0;
    std::size_t command = 0; // of the thread
    auto operator<=>(Leaving const&) const = default;
};

struct LeavingAnswer {
    check::Reached::Answer answer = check::Reached::Answer::unknown;
    Leaving where;                       // yes
    std::vector<std::string> trace;      // yes: the commands that come before, in order
    std::vector<check::Trouble> trouble; // unknown: why
    bool is_bounded = false;             // unknown: none with as few context switches as were to be looked at
};

class LeavingQuestion {
public:
    /// About known[of]. The places of `left_out` are not asked about, or, if there is `only`, none but that.
    LeavingQuestion(std::vector<RecordedPath const*> known, std::size_t of, std::set<Leaving> const& left_out,
                    std::optional<Leaving> only = {});

    /// The places that it asks about.
    std::vector<Leaving> const& places() const { return places_; }
    /// Throws LimitReached and std::bad_alloc where check() does.
    LeavingAnswer ask(check::CheckOptions options) const;

private:
    void find_flags();
    /// That the thread goes a way there that some known path has. None if there is no such path.
    std::optional<draft::Expression> known_otherwise(Leaving const& at) const;
    /// That it goes the way of the other path. None if that is not known to be another way from the same place.
    std::optional<draft::Expression> way_of(RecordedPath const& other, Leaving const& at) const;
    /// That no other thread has passed what the other path does not have.
    draft::Expression in_reach(std::size_t other, std::uint32_t thread) const;
    void write();

    std::vector<RecordedPath const*> known_;
    RecordedPath const& path_;
    std::size_t of_;
    std::map<std::pair<std::uint32_t, std::size_t>, std::string> flags_; // set after a command of a thread
    std::vector<std::map<std::uint32_t, std::string>> passed_;           // known path -> thread -> its flag
    std::vector<Leaving> places_;
    draft::Draft program_;
    std::map<std::string, Leaving, std::less<>> asserted_; // location -> place
};

/// What is asserted where a thread could leave the path: that it stays. None if it cannot leave there.
std::optional<draft::Expression> stays_there(RecordedPath const& path, Leaving const& at);

/// The program in which assertions are assumptions, as one that fails ends the run. Errors of calls are left out: the
/// program goes on after them.
draft::Draft with_assertions_assumed(draft::Draft program);

/// The program in which nobody waits once this thread is done, as that ends the program: all others leave the path
/// then. Commands that the given program does not have are called `over.`.
draft::Draft with_its_exit(draft::Draft program, std::uint32_t thread);

} // namespace matchpoint::record::threads
