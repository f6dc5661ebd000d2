; mod needs a non-zero divisor like div, also for (mod 0 0).  The failed assertion before it does not matter any more: a run
; that does not complete is an error.
; expect infinite: error entry 1 at 01: division by zero
; expect zero: error entry 1 at 01: division by zero
; check infinite: vacuous, fault
; check zero: vacuous, fault
( ( [00 (assert false)] [01 (x := (mod 0 0))] bot ) )

( (00 bot) (01 bot) )
