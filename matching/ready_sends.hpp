// Which ready sends certainly find a posted receive, whatever the order of commands of different threads.
//
// A command *comes first* if it is executed before another one in every execution that has both: commands of one thread
// in their order; a send before the wait for its receive, if that receive can get no other message; what precedes an
// occurrence of a barrier before what follows the others that meet with it; what precedes a collective before what
// follows those that need it.
//
// Let R be the receives whose `rcvi` comes before a ready send and that admit its message, and M the other messages
// that some receive of R admits and that are not sent later by the same thread. Each receive of R that is not free has
// a message of M, and so has each that an earlier message of the channel takes. So if R has more elements than M, one
// is left.
#pragma once

#include "matching/message_index.hpp"

namespace matchpoint::matching {

/// Whether that is so for each ready send of the program. False if it is not known. Time and memory: the commands times
/// the threads, and for each ready send the receives at its endpoint times the messages to it.
bool all_find_receives(MessageIndex const& messages);

} // namespace matchpoint::matching
