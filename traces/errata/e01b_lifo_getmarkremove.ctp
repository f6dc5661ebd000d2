; Erratum E1, in getMarkRemove: after rcvA, rcvB the text's Pnd_r is ([rcvA x0] [rcvB x1]); Fig. 8 builds it the other way.
; wait(rcvB) must then complete rcvA too (x0 = 10), so the assertion at 03 has its value.
; Figures to the letter: rcvB stands first, nothing is marked, x0 has no value at 03 and the machine is stuck.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi rcvA 0 x0)] [01 (rcvi rcvB 0 x1)] [02 (wait rcvB)] [03 (assert (= x0 10))] [04 (wait rcvA)] bot )
  ( [10 (sndi snd1 1 0 10)] [11 (sndi snd2 1 0 20)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) (0 1) bot)) (03 bot) (04 bot) )
