; Erratum E11: the only send comes after the wait that needs it: no run completes.  Steps 1 to 3 lack "wait < send": SAT.
; expect infinite: error entry 1 at 01: message not there
; expect zero: error entry 1 at 01: message not there
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (sndi s1 0 0 1)] [03 (assert false)] bot ) )

( (00 bot) (01 bot) )
