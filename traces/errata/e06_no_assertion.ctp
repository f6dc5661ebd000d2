; Erratum E6: status success; without assertions the literal problem has nothing to violate and is SAT.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [00 (x := 1)] bot ) )

( (00 bot) )
