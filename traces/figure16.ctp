; Figure 16: R01 and R02 get S11 and S21 in either order (traces 1 and 2), R04 always gets S13.  Trace 3 tries the bogus pair
; (R04, S21) of Section 7: it holds S21 back, and then R02 finds no message, since S13 is only sent after R02 is done.
; Traces 1 and 2 are rendezvous, good for both bufferings.
; expect infinite: success (well-formed); success (well-formed); error entry 7 at 03: message not there
; expect zero: success (well-formed); success (well-formed); error entry 7 at 03: message not there
; check infinite: safe
; check zero: safe
; store infinite 1: a = 11, b = 21, c = 3, d = 13
; store infinite 2: a = 21, b = 11, c = 3, d = 13
; matches infinite 1: R01 = S11, R02 = S21, R04 = S13, R12 = S03
; matches infinite 2: R01 = S21, R02 = S11, R04 = S13, R12 = S03
( ( [00 (rcvi R01 0 a)] [01 (wait R01)]
    [02 (rcvi R02 0 b)] [03 (wait R02)]
    [04 (sndi S03 0 1 3)] [05 (wait S03)]
    [06 (rcvi R04 0 d)] [07 (wait R04)] [08 (assert (= d 13))] bot )
  ( [10 (sndi S11 1 0 11)] [11 (wait S11)]
    [12 (rcvi R12 1 c)] [13 (wait R12)]
    [14 (sndi S13 1 0 13)] [15 (wait S13)] bot )
  ( [20 (sndi S21 2 0 21)] [21 (wait S21)] bot ) )

( (00 bot) (10 bot) (11 ((0 1) bot)) (01 bot)
  (02 bot) (20 bot) (21 ((0 2) bot)) (03 bot)
  (12 bot) (04 bot) (05 ((1 0) bot)) (13 bot)
  (06 bot) (14 bot) (15 ((0 1) bot)) (07 bot) (08 bot) )

( (00 bot) (20 bot) (21 ((0 2) bot)) (01 bot)
  (02 bot) (10 bot) (11 ((0 1) bot)) (03 bot)
  (12 bot) (04 bot) (05 ((1 0) bot)) (13 bot)
  (06 bot) (14 bot) (15 ((0 1) bot)) (07 bot) (08 bot) )

( (00 bot) (10 bot) (11 ((0 1) bot)) (01 bot)
  (20 bot) (12 bot) (02 bot)
  (03 bot) )
