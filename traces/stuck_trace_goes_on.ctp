; Every thread is finished and the trace still names a location: nobody's next command.  The failure before it does not count,
; a run that does not complete is an error.
; expect infinite: error entry 1 at 00: not next
; expect zero: error entry 1 at 00: not next
; check infinite: violated
; check zero: violated
( ( [00 (assert false)] bot ) )

( (00 bot) (00 bot) )
