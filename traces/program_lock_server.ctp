; A lock server as it was observed: client 1 came first, which 02 assumes, so client 1 gets the lock first.  In trace 2 the
; other request arrives first; the server's commands are still those of the observed run, so that trace is infeasible.
; expect infinite: success (well-formed); infeasible (well-formed)
; expect zero: success (well-formed); infeasible (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: first = 1, got1 = true, got2 = true, second = 2
; store infinite 2: first = 2, got1 = true, got2 = true, second = 1
; matches infinite 2: r1 = req2, r2 = req1, p1 = g1, p2 = g2
( ; the server
  ( [00 (rcvi r1 0 first)] [01 (wait r1)] [02 (assume (= first 1))] [03 (sndi g1 0 1 true)] [04 (wait g1)]
    [05 (rcvi r2 0 second)] [06 (wait r2)] [07 (sndi g2 0 2 true)] [08 (wait g2)]
    [09 (assert (!= first second))] bot )
  ; the clients
  ( [10 (sndi req1 1 0 1)] [11 (rcvi p1 1 got1)] [12 (wait p1)] [13 (assert got1)] bot )
  ( [20 (sndi req2 2 0 2)] [21 (rcvi p2 2 got2)] [22 (wait p2)] [23 (assert got2)] bot ) )

( (10 bot) (11 bot) (20 bot) (21 bot)
  (00 bot) (01 ((0 1) bot)) (02 bot) (03 bot) (04 ((1 0) bot)) (12 bot) (13 bot)
  (05 bot) (06 ((0 2) bot)) (07 bot) (08 ((2 0) bot)) (22 bot) (23 bot) (09 bot) )

( (10 bot) (11 bot) (20 bot) (21 bot)
  (00 bot) (01 ((0 2) bot)) (02 bot) (03 bot) (04 ((1 0) bot)) (12 bot) (13 bot)
  (05 bot) (06 ((0 1) bot)) (07 bot) (08 ((2 0) bot)) (22 bot) (23 bot) (09 bot) )
