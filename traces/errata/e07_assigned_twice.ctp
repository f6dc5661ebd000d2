; Erratum E7: status failure; without SSA (= x 1) and (= x 2) contradict each other: UNSAT.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (x := 1)] [01 (x := 2)] [02 (assert (= x 1))] bot ) )

( (00 bot) (01 bot) (02 bot) )
