; Erratum E36: a failure is a property of complete runs: the assertion at 00 fails, but then thread 0 waits for ever, so no run
; completes and none fails.  Here the failure counts when it happens.  No program with fewer commands shows this; without the
; deadlock, a fault hides a failure in two: ( ( [00 (assert false)] [01 (x := (div 1 0))] bot ) ).
; expect infinite: error entry 2 at 02: message not there
; expect zero: error entry 2 at 02: message not there
; check infinite: violated, deadlock
; check zero: violated, deadlock
( ( [00 (assert false)] [01 (rcvi r 0 x)] [02 (wait r)] bot ) )

( (00 bot) (01 bot) (02 bot) )
