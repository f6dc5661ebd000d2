; Erratum E5: status failure; Fig. 10 and Definition 9 assert (not true) and (not false): UNSAT.  Lemma 3 breaks.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (assert true)] [01 (assert false)] bot ) )

( (00 bot) (01 bot) )
