; mod needs a non-zero divisor like div, also for (mod 0 0).  This trace does not complete, so it is an error.  The
; assertion failed before that, so the program is violated, though no run completes.
; expect infinite: error entry 1 at 01: division by zero
; expect zero: error entry 1 at 01: division by zero
; check infinite: violated, fault
; check zero: violated, fault
( ( [00 (assert false)] [01 (x := (mod 0 0))] bot ) )

( (00 bot) (01 bot) )
