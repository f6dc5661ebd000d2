; A movement needs a message in transit on exactly its channel.  Trace 1 moves before the send, trace 2 has the endpoints the
; wrong way round (destination comes first), trace 3 moves the one message of its channel twice.
; expect infinite: error entry 2 at 02: nothing in transit; error entry 4 at 02: nothing in transit; error entry 4 at 02: nothing in transit
; expect zero: error entry 2 at 02: nothing in transit; error entry 4 at 02: nothing in transit; error entry 4 at 02: nothing in transit
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r1)] [03 (wait r2)] bot )
  ( [10 (rcvi q 1 z)] [11 (sndi s 1 0 4)] [12 (wait q)] bot )
  ( [20 (sndi t 2 0 5)] [21 (sndi u 2 1 6)] bot ) )

( (00 bot) (01 bot) (02 ((0 1) bot)) )
( (10 bot) (00 bot) (01 bot) (11 bot) (02 ((1 0) bot)) )
( (10 bot) (00 bot) (01 bot) (11 bot) (02 ((0 1) (0 1) bot)) )
