; A run of account.c (docs/shared_memory.md): the first trace is the one that was recorded, in which the main thread put 30 in before
; the other one put 50 in. Every access is under the lock, but between reading the balance and writing it the lock is free; the second
; trace is what `check` finds.
; expect infinite: success (well-formed); failure (well-formed)
; expect zero: success (well-formed); failure (well-formed)
; check infinite: violated, 2 switches
; check zero: violated, 2 switches
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [lock 1] [balance 100] [go 0] [done 0])
( ( [fork (go := 1) (at "account.c" 21)]
    [a1 (when (> lock 0) (lock := (- lock 1))) (at "account.c" 8)] [a2 (a := balance) (at "account.c" 9)]
    [a3 (lock := (+ lock 1)) (at "account.c" 10)]
    [a4 (when (> lock 0) (lock := (- lock 1))) (at "account.c" 11)] [a5 (balance := (+ a 30)) (at "account.c" 12)]
    [a6 (lock := (+ lock 1)) (at "account.c" 13)]
    [join (when (= done 1)) (at "account.c" 23)] [check (assert (= balance 180)) (at "account.c" 24)] bot )
  ( [start (when (= go 1)) (at "account.c" 21)]
    [b1 (when (> lock 0) (lock := (- lock 1))) (at "account.c" 8)] [b2 (b := balance) (at "account.c" 9)]
    [b3 (lock := (+ lock 1)) (at "account.c" 10)]
    [b4 (when (> lock 0) (lock := (- lock 1))) (at "account.c" 11)] [b5 (balance := (+ b 50)) (at "account.c" 12)]
    [b6 (lock := (+ lock 1)) (at "account.c" 13)]
    [end (done := 1) (at "account.c" 14)] bot ) )
( (fork bot) (a1 bot) (a2 bot) (a3 bot) (a4 bot) (a5 bot) (a6 bot) (start bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (b6 bot) (end bot)
  (join bot) (check bot) )
( (fork bot) (a1 bot) (a2 bot) (a3 bot) (start bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (b6 bot) (end bot) (a4 bot) (a5 bot) (a6 bot)
  (join bot) (check bot) )
