; Erratum E33: nothing makes order_S of two sends different, and M_R = order_S is all that says which send R got.  s1 and t1 carry the
; same value; with order_s1 = order_t1 the one receive r1 is matched with both, so both successors may be matched too:
; x = 2, y = 3, z = 4.  No run does that (one of s1, t1 must be received by r2 or r3).  Shown with E12 repaired.
; expect infinite: success (not well-formed)
; expect zero: success (not well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (rcvi r3 0 z)] [03 (wait r3)]
    [04 (assert (not (and (= y 3) (= z 4))))] bot )
  ( [10 (sndi s1 1 0 2)] [11 (sndi s2 1 0 3)] bot )
  ( [20 (sndi t1 2 0 2)] [21 (sndi t2 2 0 4)] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 bot) (20 bot) (21 bot) (03 ((0 1) (0 1) (0 2) bot)) (04 bot) )
