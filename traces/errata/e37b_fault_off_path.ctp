; Erratum E37, for faults: the division at 01 is behind a false assumption, so the real program never comes to it.  No program
; with fewer commands shows this.
; expect infinite: error entry 1 at 01: division by zero
; expect zero: error entry 1 at 01: division by zero
; check infinite: vacuous
; check zero: vacuous
( ( [00 (assume false)] [01 (x := (div 1 0))] bot ) )

( (00 bot) (01 bot) )
