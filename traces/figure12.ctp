; Figure 12: two sends of one task to one endpoint are received in the order they are sent, whatever the schedule.
; Trace 1 runs the sender to its end first (buffers only), trace 2 posts both receives first and works without a buffer.
; Trace 3 moves one message before any receive is issued: fine with a buffer, no partner to meet without one.
; expect infinite: success (well-formed); success (well-formed); success (well-formed)
; expect zero: error entry 2 at 03: send not taken; success (well-formed); error entry 2 at 11: no posted partner
; check infinite: safe
; check zero: safe
; store infinite 1: u = 10, v = 20
; store zero 2: u = 10, v = 20
; matches infinite 1: h3 = h1, h4 = h2
; matches zero 2: h3 = h1, h4 = h2
( ( [01 (sndi h1 0 1 10)] [02 (sndi h2 0 1 20)] [03 (wait h1)] [04 (wait h2)] bot )
  ( [11 (rcvi h3 1 u)] [12 (rcvi h4 1 v)] [13 (wait h3)] [14 (wait h4)]
    [15 (assert (and (= u 10) (= v 20)))] bot ) )

( (01 bot) (02 bot) (03 bot) (04 bot)
  (11 bot) (12 bot) (13 ((1 0) bot)) (14 ((1 0) bot)) (15 bot) )

( (11 bot) (12 bot) (01 bot) (02 bot)
  (03 ((1 0) (1 0) bot)) (04 bot) (13 bot) (14 bot) (15 bot) )

( (01 bot) (02 bot) (11 ((1 0) bot)) (12 bot)
  (03 ((1 0) bot)) (04 bot) (13 bot) (14 bot) (15 bot) )
