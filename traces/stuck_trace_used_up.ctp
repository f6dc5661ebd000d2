; The trace ends too early: a thread still has a command (trace 1), a thread has not even begun (trace 2), nothing was run at
; all (trace 3).  The entry is the trace's length, there is no location.  Only trace 4 completes.
; expect infinite: error entry 2: trace used up; error entry 2: trace used up; error entry 0: trace used up; success (well-formed)
; expect zero: error entry 2: trace used up; error entry 2: trace used up; error entry 0: trace used up; success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (x := 1)] [01 (y := 2)] bot )
  ( [10 (z := 3)] bot ) )

( (00 bot) (10 bot) )
( (00 bot) (01 bot) )
( )
( (10 bot) (00 bot) (01 bot) )
