; Thread 0 calls the barrier, and sends before it waits for it. With a barrier that blocks, thread 1 would wait for a
; message that is never sent.
; expect infinite: success (well-formed); error entry 3 at 03: not called
; expect zero: success (well-formed); error entry 2 at 02: send not taken
; check infinite: safe
; check zero: safe
( ( [00 (icollective K0 w barrier)] [01 (sndi S 0 1 4)] [02 (wait S)] [03 (wait K0)] bot )
  ( [10 (rcvi R 1 x)] [11 (wait R)] [12 (icollective K1 w barrier)] [13 (wait K1)] [14 (assert (= x 4))] bot ) )

( (00 bot) (01 bot) (10 bot) (11 ((1 0) bot)) (02 bot) (12 bot) (13 bot) (03 bot) (14 bot) )
( (00 bot) (01 bot) (02 bot) (03 bot) )
