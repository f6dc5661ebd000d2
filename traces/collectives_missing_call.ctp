; Thread 1 makes one call less than thread 0, which waits for it forever.
; expect infinite: error entry 2 at 01: not called
; expect zero: error entry 2 at 01: not called
; check infinite: vacuous, deadlock
; check zero: vacuous, deadlock
( ( [00 (collective K0 w allreduce (op sum))] [01 (collective K2 w allreduce (op sum))] bot )
  ( [10 (collective K1 w allreduce (op sum))] bot ) )

( (00 bot) (10 bot) (01 bot) )
