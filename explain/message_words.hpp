// Messages and the receives that admit them, in words (docs/semantics.md, "Selectors").
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/reason.hpp"
#include "machine/state.hpp"

namespace matchpoint::explain {

/// " tag 2": what a message shows beside its value; nothing if its send says no tag.
std::string shown_tag(IndexedProgram const& code, Action a_s);

/// [R2 A]; [R2] of a receive that an mprobe matched and that has not started.
std::string shown_receive(IndexedProgram const& code, Action a_r, Variable x);
/// "[S1 4]", "[S1 bot]"; with a tag, and with `source` also where it comes from: "[S1 4 from 2 tag 1]".
std::string shown_message(IndexedProgram const& code, Action a_s, std::string const& value, bool source = false);

/// "messages from 1 or 2 with tag 3", "every message": what a receive admits.
std::string admitted(IndexedProgram const& code, Action a_r);

/// "(0 1)" or "(0 1 5)".
std::string shown_movement(IndexedProgram const& code, Movement const& m);
/// Why a movement to an endpoint that selects makes no match.
std::string no_match(IndexedProgram const& code, reason::NoPostedPartner const& r);
/// Why a receive at an endpoint that selects has no partner: what it admits, and what became of each message to there.
/// "R0 admits messages with tag 2, and got no message: S1 has tag 1, S2 is for R1".
std::string without_partner(IndexedProgram const& code, reason::MessageNotThere const& r);

/// Why a send that waits for a receive does not have one: "S1 is synchronous: the wait for it needs the message to
/// be taken, but ...".
/// `held_by` is the mprobe that has matched the message and whose receive has not started, or none.
std::string not_taken(IndexedProgram const& code, Action a_s, Action held_by = {});

/// Why a thread is at a wait for a standard send that may refuse: "S1 may wait for a receive, and ...". The message is
/// unmatched, or held as above.
std::string may_wait(IndexedProgram const& code, Action a_s, Action held_by = {});
/// "S1 at 03": a request, and the command that issues it; of a recording that is told by places, "mw.c:28 of rank 3".
std::string shown_at_its_place(IndexedProgram const& code, Action a);
/// What a library does in which these sends and collectives refuse: "does not buffer S1 at 03 and S2 at 13, and waits
/// for all members in K0 at 00". At most so many calls are named.
std::string refusing_in_words(IndexedProgram const& code, std::span<Action const> refusing,
                              std::size_t most = SIZE_MAX);

/// "with zero buffering the wait for S1", "S1 is synchronous: the wait for it": of a send that waits.
std::string waiting_send(IndexedProgram const& code, Action a_s);

/// The reasons of probes.
std::string nothing_to_probe(IndexedProgram const& code, machine::reason::NothingToProbe const& r);
std::string wrong_peek(IndexedProgram const& code, machine::reason::WrongPeek const& r);

/// The probes that take nothing, each with the message that it saw so far, in the order of the program.
std::vector<machine::Match> seen(IndexedProgram const& code, State const& state);
/// "P sees S1, Q sees S2"; empty if there are none.
std::string shown_seen(IndexedProgram const& code, State const& state);

} // namespace matchpoint::explain
