; (not e): e is reduced to a boolean, then turned round.  It has one operand and no short cut.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: p = true, q = false, r = true
( ( [00 (p := (not false))] [01 (q := (not p))] [02 (r := (not (not (> 2 1))))]
    [03 (assert (and p (and (not q) r)))] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot) )
