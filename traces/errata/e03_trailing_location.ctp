; Erratum E3: the syntax ends sndi and rcvi in a location, and no rule has one, so by the paper's letter neither would run.
; It is accepted here, must be some location of the program, and has no effect, not even where it is another command's: the
; send at 11 ends in 02.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: v = 4, x = 4
; matches infinite 1: r1 = s1
( ( [00 (rcvi r1 0 x 00)] [01 (wait r1)] [02 (assert (= x 4))] bot )
  ( [10 (v := 4)] [11 (sndi s1 1 0 v 02)] bot ) )

( (10 bot) (11 bot) (00 bot) (01 ((0 1) bot)) (02 bot) )
