; Erratum E14, admits an unreal run, smallest: the send blocks for ever, 5.4 ignores waits on sends: SAT.
; expect infinite: failure (not well-formed)
; expect zero: error entry 1 at 01: send not taken
; check infinite: violated
; check zero: vacuous, deadlock
( ( [00 (sndi s1 0 0 1)] [01 (wait s1)] [02 (assert false)] bot ) )

( (00 bot) (01 bot) (02 bot) )
