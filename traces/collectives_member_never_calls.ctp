; A member of a communicator need not call its collectives. Thread 1 leaves without a barrier, and thread 0 waits for it
; for ever. Without the declaration, thread 0 would be the only member.
; expect infinite: error entry 1 at 00: not called
; expect zero: error entry 1 at 00: not called
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
(communicators [w 0 1])
( ( [00 (collective K w barrier)] bot )
  ( [10 (x := 1)] bot ) )

( (10 bot) (00 bot) )
