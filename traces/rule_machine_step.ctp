; Machine Step: a trace entry names the next command of some thread, which runs and is dropped.  Two interleavings of two
; independent threads: the same values at the end.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2, z = 3
; store zero 2: x = 1, y = 2, z = 3
( ( [00 (x := 1)] [01 (y := 2)] bot )
  ( [10 (z := 3)] [11 (assert (= z 3))] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) )
( (10 bot) (00 bot) (11 bot) (01 bot) )
