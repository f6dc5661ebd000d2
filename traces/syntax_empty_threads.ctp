; Threads may be empty, written () or (bot) or (⊥); they are finished from the start, and the one with a command has to run.
; expect infinite: success (well-formed); error entry 0: trace used up
; expect zero: success (well-formed); error entry 0: trace used up
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1
( ( ) ( bot ) ( [00 (x := 1)] bot ) ( ⊥ ) )

( (00 bot) )
( )
