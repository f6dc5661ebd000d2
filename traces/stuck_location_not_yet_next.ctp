; 11 stands behind 10 in its thread: a trace chooses between threads, it cannot change the order within one.
; The same commands in program order (trace 2) run.
; expect infinite: error entry 1 at 11: not next; success (well-formed)
; expect zero: error entry 1 at 11: not next; success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 2: x = 1, y = 2, z = 3
( ( [00 (x := 1)] bot )
  ( [10 (y := 2)] [11 (z := (+ y 1))] bot ) )

( (00 bot) (11 bot) (10 bot) )
( (00 bot) (10 bot) (11 bot) )
