; Erratum E11 on Fig. 16: the pair (R04, S21) that Section 7 calls bogus and Fig. 15 generates.
; No run has it (d is never 21 after the run), yet Steps 1 to 4 admit it; Fig. 9's program order excludes it.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi R01 0 a)] [01 (wait R01)] [02 (rcvi R02 0 b)] [03 (wait R02)]
    [04 (sndi S03 0 1 3)] [05 (wait S03)] [06 (rcvi R04 0 d)] [07 (wait R04)] [08 (assert (!= d 21))] bot )
  ( [10 (sndi S11 1 0 11)] [11 (wait S11)] [12 (rcvi R12 1 c)] [13 (wait R12)] [14 (sndi S13 1 0 13)] [15 (wait S13)] bot )
  ( [20 (sndi S21 2 0 21)] [21 (wait S21)] bot ) )

( (00 bot) (10 bot) (20 bot) (01 ((0 1) bot)) (02 bot) (11 bot) (12 bot) (03 ((0 2) bot)) (04 bot) (21 bot)
  (05 ((1 0) bot)) (06 bot) (13 bot) (14 bot) (07 ((0 1) bot)) (08 bot) (15 bot) )
