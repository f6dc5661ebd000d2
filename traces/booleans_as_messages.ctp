; Booleans travel like numbers: two votes reach the teller in either order, both must be yes.  The second voter says no, so
; xor of the votes holds and the assertion fails, whatever the order.
; expect infinite: failure (well-formed); failure (well-formed)
; expect zero: failure (well-formed); failure (well-formed)
; check infinite: violated
; check zero: violated
; store infinite 1: p = true, q = false, split = true
; store infinite 2: p = false, q = true, split = true
( ( [00 (rcvi r1 0 p)] [01 (rcvi r2 0 q)] [02 (wait r2)]
    [03 (split := (xor p q))] [04 (assume split)] [05 (assert (and p q))] bot )
  ( [10 (sndi yes 1 0 true)] bot )
  ( [20 (sndi no 2 0 (not (< 1 2)))] bot ) )

( (00 bot) (01 bot) (10 bot) (20 bot) (02 ((0 1) (0 2) bot)) (03 bot) (04 bot) (05 bot) )
( (00 bot) (01 bot) (10 bot) (20 bot) (02 ((0 2) (0 1) bot)) (03 bot) (04 bot) (05 bot) )
