// How people are told of a recording: by the lines of its source instead of the names that the recorder made up.
//
//   ToldByPlaces const told(code, "rank");
//   shown(code, match)                        "mw.c:19 gets mw.c:28 of rank 3" instead of "R0_3 = S3_1"
//
// It is for texts of this thread, as long as it lives, and of this program. JSON is made without it: there names are
// ids.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "machine/indexed_program.hpp"

namespace matchpoint::explain {

class ToldByPlaces {
public:
    /// `thread`: what the program's threads are called. Nothing changes if the program says no places, or `is_on` is
    /// false.
    ToldByPlaces(IndexedProgram const& code, std::string_view thread, bool is_on = true);
    ~ToldByPlaces();
    ToldByPlaces(ToldByPlaces const&) = delete;
    ToldByPlaces& operator=(ToldByPlaces const&) = delete;

    /// Null if this program is described by its own names.
    static ToldByPlaces const* of(IndexedProgram const& code);

    std::string_view thread() const { return thread_; }
    /// "mw.c:19"; of the second one there of its thread, "mw.c:19 (2nd)". Without its thread.
    std::string action(Action a) const;
    /// "mw.c:28 of rank 3"
    std::string action_of_thread(Action a) const;
    /// "mw.c:19 gets mw.c:28 of rank 3". The receiver's rank is said if receives of several ranks are on its line.
    std::string match(Action a_r, Action a_s) const;
    /// "mw.c:19", and "mw.c:26 of rank 2" if that is needed, as in match().
    std::string receive(Action a_r) const;
    /// "send 4 to rank 1", "receive", "wait", "assertion of the source"; empty if the recorder has no name for it.
    std::string command(Command const& c) const;
    /// "mw.c:19"
    std::string place(Location rho) const;
    /// The same without folders, unless files of two folders have the same name.
    std::string short_place(Location rho) const;
    /// The rank of an endpoint: endpoints of other communicators are further numbers.
    std::string endpoint(Endpoint beta) const;

private:
    IndexedProgram const* code_; // null if it is off
    std::string thread_;
    std::vector<std::uint32_t> nth_; // action -> which one of its kind, line and thread it is, from 1
    std::vector<bool> is_shared_;    // action -> other threads have some of its kind on its line
    bool has_clash_ = false;         // files of two folders have the same name
    ToldByPlaces const* before_;
};

/// A location for diagrams: told by places without folders, which there is no room for.
std::string shown_without_folders(IndexedProgram const& code, Location rho);

/// "endpoint 0"; of a recording of MPI "rank 0".
std::string shown_endpoint(IndexedProgram const& code, Endpoint beta);

/// "rank", or "thread": what a program's threads are called.
std::string_view word_for_thread(IndexedProgram const& code);

} // namespace matchpoint::explain
