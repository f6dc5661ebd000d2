; Erratum E23: Figure 6 matches a thread with two more commands behind the current one, so by the paper's letter a thread's last
; command never runs and no thread ever finishes.  Here it does.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1
( ( [00 (x := 1)] bot ) )

( (00 bot) )
