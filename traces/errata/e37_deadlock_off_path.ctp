; Erratum E37: executions go on behind the false assumption at 00, into a wait that never ends.  The real program went another
; way.  Here a deadlock counts on the path only.  No program with fewer commands shows this.
; expect infinite: error entry 2 at 02: message not there
; expect zero: error entry 2 at 02: message not there
; check infinite: vacuous
; check zero: vacuous
( ( [00 (assume false)] [01 (rcvi r 0 x)] [02 (wait r)] bot ) )

( (00 bot) (01 bot) (02 bot) )
