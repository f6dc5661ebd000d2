; A library that buffers A, but not C, deadlocks: A's wait returns, so B is there first, and thread 2 receives B instead
; of C. Then C waits for a receive that is never posted.  If nothing is buffered, A waits until thread 1 has sent C and
; D; if everything is, no send waits.
; expect infinite: success (well-formed); error entry 6: trace used up
; expect zero: error entry 2 at a2: send not taken; error entry 1 at a2: send not taken
; check infinite: safe
; check zero: safe
( ( [a1 (sndi A 0 1 1)] [a2 (wait A)] [a3 (sndi B 0 2 2)] [a4 (wait B)] bot )
  ( [b1 (sndi C 1 2 3)] [b2 (wait C)] [b3 (sndi D 1 12 4)] [b4 (wait D)] [b5 (rcvi RA 1 x)] [b6 (wait RA)] bot )
  ( [c1 (rcvi R1 2 y)] [c2 (wait R1)] [c3 (rcvi RD 12 z)] [c4 (wait RD)] [c5 (rcvi R2 2 u)] [c6 (wait R2)] bot ) )

( (a1 bot) (b1 bot) (a2 bot) (a3 bot) (a4 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (b6 ((1 0) bot))
  (c1 bot) (c2 ((2 1) bot)) (c3 bot) (c4 ((12 1) bot)) (c5 bot) (c6 ((2 0) bot)) )
( (a1 bot) (a2 bot) (a3 bot) (b1 bot) (c1 bot) (c2 ((2 0) bot)) )
