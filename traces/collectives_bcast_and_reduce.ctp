; A bcast and a reduce whose roots need nobody. A library may not notice that they do not belong together: with a
; message between them, thread 0 is past its call before thread 1 makes the other one, and only thread 1 is at fault.
; expect infinite: error entry 5 at 12: mismatch
; expect zero: error entry 0 at 00: not called
; check infinite: vacuous, fault
; check zero: vacuous, deadlock
( ( [00 (collective K0 w bcast (root 0) (type int) (count 1))] [01 (sndi S0 0 1 1)] [02 (wait S0)] bot )
  ( [10 (rcvi R 1 x)] [11 (wait R)] [12 (collective K1 w reduce (root 1) (op sum) (type int) (count 1))] bot ) )

( (00 bot) (01 bot) (02 bot) (10 bot) (11 ((1 0) bot)) (12 bot) )
