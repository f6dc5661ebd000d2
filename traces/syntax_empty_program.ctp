; A program without threads is finished before it begins: the empty trace is a success.  A trace that names a location is an
; error, as no thread has a next command.
; expect infinite: success (well-formed); error entry 0 at 00: not next
; expect zero: success (well-formed); error entry 0 at 00: not next
; check infinite: safe
; check zero: safe
( )

( )
( (00 bot) )
