; A command runs once: 00 is done and dropped from its thread, so naming it again is an error.
; expect infinite: error entry 2 at 00: not next
; expect zero: error entry 2 at 00: not next
; check infinite: safe
; check zero: safe
( ( [00 (x := 1)] [01 (y := (+ x 1))] bot )
  ( [10 (z := 3)] bot ) )

( (00 bot) (10 bot) (00 bot) (01 bot) )
