; A server with two endpoints, 0 for the first client and 9 for the second, so each answer goes back where it belongs: every
; client gets the square of its own number, whoever is served first.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: m = 5, n = 3, sm = 25, sn = 9
; store infinite 2: m = 5, n = 3, sm = 25, sn = 9
; matches infinite 1: ra = qa, rb = qb, pa = aa, pb = ab
( ; the server
  ( [00 (rcvi ra 0 n)] [01 (rcvi rb 9 m)]
    [02 (wait ra)] [03 (sndi aa 0 1 (* n n))]
    [04 (wait rb)] [05 (sndi ab 9 2 (* m m))]
    [06 (wait aa)] [07 (wait ab)] bot )
  ; the clients
  ( [10 (sndi qa 1 0 3)] [11 (wait qa)] [12 (rcvi pa 1 sn)] [13 (wait pa)] [14 (assert (= sn 9))] bot )
  ( [20 (sndi qb 2 9 5)] [21 (wait qb)] [22 (rcvi pb 2 sm)] [23 (wait pb)] [24 (assert (= sm 25))] bot ) )

( ; first client first
  (00 bot) (01 bot)
  (10 bot) (11 ((0 1) bot)) (12 bot) (02 bot) (03 bot)
  (13 ((1 0) bot)) (14 bot)
  (20 bot) (21 ((9 2) bot)) (22 bot) (04 bot) (05 bot)
  (23 ((2 9) bot)) (24 bot)
  (06 bot) (07 bot) )

( ; second client first
  (00 bot) (01 bot)
  (20 bot) (21 ((9 2) bot)) (22 bot)
  (10 bot) (11 ((0 1) bot)) (12 bot)
  (02 bot) (03 bot) (04 bot) (05 bot)
  (23 ((2 9) bot)) (24 bot) (06 ((1 0) bot)) (07 bot)
  (13 bot) (14 bot) )
