; Thread 0 calls a barrier where thread 1 calls a gather: neither call can be passed.
; expect infinite: error entry 0 at 00: mismatch; error entry 0 at 10: mismatch
; expect zero: error entry 0 at 00: mismatch; error entry 0 at 10: mismatch
; check infinite: vacuous, fault
; check zero: vacuous, fault
( ( [00 (icollective K0 MPI_COMM_WORLD barrier) (at "m1.c" 7)] [01 (wait K0) (at "m1.c" 9)] bot )
  ( [10 (icollective K1 MPI_COMM_WORLD gather (root 1) (type int) (count 1)) (at "m1.c" 8)] [11 (wait K1) (at "m1.c" 9)]
    bot ) )

( (00 bot) (01 bot) )
( (10 bot) (11 bot) )
