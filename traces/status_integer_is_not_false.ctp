; Rule D6 is broken on purpose: an integer is assumed and asserted.  Only the value false lifts the status, every other value
; leaves it alone, 0 included.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
( ( [00 (assume 0)] [01 (assert 0)] [02 (assert (- 1 2))] bot ) )

( (00 bot) (01 bot) (02 bot) )
