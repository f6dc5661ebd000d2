; Figure 11: the wait for h2 also witnesses the completion of h1, issued before it, so x has its value at 04 already.
; Trace 1 delivers both messages at that wait, trace 2 delivers each one as it is sent, which zero buffering wants.
; Trace 3 delivers only the first message: h2's own message is missing, the wait cannot go on.
; expect infinite: success (well-formed); success (well-formed); error entry 6 at 03: message not there
; expect zero: error entry 3 at 12: send not taken; success (well-formed); error entry 3 at 12: send not taken
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2
; matches infinite 1: h1 = h3, h2 = h4
; matches zero 2: h1 = h3, h2 = h4
( ( [01 (rcvi h1 0 x)] [02 (rcvi h2 0 y)] [03 (wait h2)]
    [04 (assert (= x 1))] [05 (wait h1)] [06 (assert (= y 2))] bot )
  ( [11 (sndi h3 1 0 1)] [12 (wait h3)]
    [13 (sndi h4 1 0 2)] [14 (wait h4)] bot ) )

( (01 bot) (02 bot) (11 bot) (12 bot) (13 bot) (14 bot)
  (03 ((0 1) (0 1) bot)) (04 bot) (05 bot) (06 bot) )

( (01 bot) (02 bot) (11 bot) (12 ((0 1) bot)) (13 bot) (14 ((0 1) bot))
  (03 bot) (04 bot) (05 bot) (06 bot) )

( (01 bot) (02 bot) (11 bot) (12 bot) (13 bot) (14 bot)
  (03 ((0 1) bot)) (04 bot) (05 bot) (06 bot) )
