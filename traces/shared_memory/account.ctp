; A run of account.c (docs/shared_memory.md), as recorded: thread 1 put 30 in, then thread 2 put 50 in. Every access is under the
; lock, but between reading the balance and writing it the lock is free.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: violated, 4 switches
; check zero: violated, 4 switches
; complete infinite: violated, 4 switches
; complete zero: violated, 4 switches
(shared [lock 1] [balance 100] [go 0] [done 0])
( ( [main1 (go := 1) (at "account.c" 23)] [main2 (when (= done 2)) (at "account.c" 27)]
    [main3 (assert (= balance 180)) (at "account.c" 28)] bot )
  ( [a1 (when (= go 1)) (at "account.c" 23)]
    [a2 (when (> lock 0) (lock := (- lock 1))) (at "account.c" 8)] [a3 (a := balance) (at "account.c" 9)]
    [a4 (lock := (+ lock 1)) (at "account.c" 10)]
    [a5 (when (> lock 0) (lock := (- lock 1))) (at "account.c" 11)] [a6 (balance := (+ a 30)) (at "account.c" 12)]
    [a7 (lock := (+ lock 1)) (at "account.c" 13)] [a8 (done := (+ done 1)) (at "account.c" 14)] bot )
  ( [b1 (when (= go 1)) (at "account.c" 24)]
    [b2 (when (> lock 0) (lock := (- lock 1))) (at "account.c" 8)] [b3 (b := balance) (at "account.c" 9)]
    [b4 (lock := (+ lock 1)) (at "account.c" 10)]
    [b5 (when (> lock 0) (lock := (- lock 1))) (at "account.c" 11)] [b6 (balance := (+ b 50)) (at "account.c" 12)]
    [b7 (lock := (+ lock 1)) (at "account.c" 13)] [b8 (done := (+ done 1)) (at "account.c" 14)] bot ) )
( (main1 bot) (a1 bot) (a2 bot) (a3 bot) (a4 bot) (a5 bot) (a6 bot) (a7 bot) (a8 bot)
  (b1 bot) (b2 bot) (b3 bot) (b4 bot) (b5 bot) (b6 bot) (b7 bot) (b8 bot) (main2 bot) (main3 bot) )
