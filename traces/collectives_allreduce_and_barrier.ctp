; Thread 0 skips the allreduce, as a flag tells it that it took part before, so its barrier meets the allreduce of the
; others.
; expect infinite: error entry 0 at 00: mismatch; error entry 0 at 10: mismatch
; expect zero: error entry 0 at 00: mismatch; error entry 0 at 10: mismatch
; check infinite: vacuous, fault
; check zero: vacuous, fault
( ( [00 (collective K0 w barrier)] bot )
  ( [10 (collective K1 w allreduce (op sum) (type int) (count 1))] [11 (collective K2 w barrier)] bot )
  ( [20 (collective K3 w allreduce (op sum) (type int) (count 1))] [21 (collective K4 w barrier)] bot ) )

( (00 bot) )
( (10 bot) )
