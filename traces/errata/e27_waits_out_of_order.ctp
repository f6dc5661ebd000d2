; Erratum E27: Fig. 10's Wait(Rcvi) relates the send it matches to the last one it matched on the channel (getlastsend/replace),
; in the order of the waits.  Fig. 11 waits out of order: M_s2 < M_s1 contradicts the receives' order.  Status failure,
; literal problem UNSAT.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (rcvi r1 0 x)] [01 (rcvi r2 0 y)] [02 (wait r2)] [03 (wait r1)] [04 (assert false)] bot )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] bot ) )

( (00 bot) (01 bot) (10 bot) (11 bot) (02 ((0 1) (0 1) bot)) (03 bot) (04 bot) )
