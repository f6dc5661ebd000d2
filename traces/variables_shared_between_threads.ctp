; Rule D4 is broken on purpose: both threads use x.  There is one store for all threads, so the interleaving decides what 11
; finds: its own thread's 10, or the 2 that the first thread wrote in between.
; expect infinite: success (well-formed); failure (well-formed)
; expect zero: success (well-formed); failure (well-formed)
; store infinite 1: x = 10, y = 1
; store infinite 2: x = 2, y = 1
( ( [00 (x := 1)] [01 (y := x)] [02 (x := (+ y 1))] bot )
  ( [10 (x := 10)] [11 (assert (= x 10))] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 bot) )
( (00 bot) (01 bot) (10 bot) (02 bot) (11 bot) )
