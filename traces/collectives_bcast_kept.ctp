; Thread 1 calls the bcast only when it has received S, which thread 2 sends after its own call. A library may return from
; that call when the root has called (trace 1), or keep the thread until all have, which is a deadlock (trace 2). With the
; send in front of the call it is none.
; expect infinite: success (well-formed); error entry 2: trace used up
; expect zero: error entry 0 at 00: not called; error entry 0 at 00: not called
; check infinite: safe
; check zero: vacuous, deadlock
; complete zero: vacuous
( ( [00 (collective K0 w bcast (root 0) (type int) (count 1))] bot )
  ( [10 (rcvi R 1 y (from 2))] [11 (wait R)] [12 (collective K1 w bcast (root 0) (type int) (count 1))] bot )
  ( [20 (collective K2 w bcast (root 0) (type int) (count 1))] [21 (sndi S 2 1 5)] [22 (wait S)] bot ) )

( (00 bot) (20 bot) (21 bot) (10 bot) (11 ((1 2) bot)) (22 bot) (12 bot) )
( (00 bot) (10 bot) )
