; Where each command came from: messages show it, and it has no meaning.
; expect infinite: failure (well-formed); error entry 1 at recv: message not there
; expect zero: failure (well-formed); error entry 1 at recv: message not there
; check infinite: violated
; check zero: violated
( ( [post (rcvi r 0 x) (at "main.c" 12)] [recv (wait r) (at "main.c" 13)] [check (assert (= x 1)) (at "main.c" 14)] bot )
  ( [send (sndi s 1 0 2) (at "worker.c" 7)] bot ) )

( (post bot) (send bot) (recv ((0 1) bot)) (check bot) )
( (post bot) (recv bot) )
