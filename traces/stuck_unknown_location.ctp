; No thread has a command at 99: no rule applies, and execution stops with status error before anything else happens.
; expect infinite: error entry 1 at 99: not next
; expect zero: error entry 1 at 99: not next
; check infinite: safe
; check zero: safe
( ( [00 (x := 1)] [01 (y := 2)] bot ) )

( (00 bot) (99 bot) (01 bot) )
