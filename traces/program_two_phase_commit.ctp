; A coordinator asks two participants, collects their votes in whatever order they come, and tells both the outcome.  The second
; participant votes no, so both must hear no; every call is waited for and the trace is a rendezvous.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store zero 1: a = false, asked1 = true, asked2 = true, b = true, commit = false, out1 = false, out2 = false
; matches zero 1: v1 = vote2, v2 = vote1, q1 = ask1, o1 = tell1, q2 = ask2, o2 = tell2
( ; the coordinator
  ( [00 (sndi ask1 0 1 true)] [01 (wait ask1)] [02 (sndi ask2 0 2 true)] [03 (wait ask2)]
    [04 (rcvi v1 0 a)] [05 (rcvi v2 0 b)] [06 (wait v2)] [07 (commit := (and a b))]
    [08 (sndi tell1 0 1 commit)] [09 (wait tell1)] [0a (sndi tell2 0 2 commit)] [0b (wait tell2)] bot )
  ; the participants
  ( [10 (rcvi q1 1 asked1)] [11 (wait q1)] [12 (sndi vote1 1 0 true)] [13 (wait vote1)]
    [14 (rcvi o1 1 out1)] [15 (wait o1)] [16 (assert (not out1))] bot )
  ( [20 (rcvi q2 2 asked2)] [21 (wait q2)] [22 (sndi vote2 2 0 false)] [23 (wait vote2)]
    [24 (rcvi o2 2 out2)] [25 (wait o2)] [26 (assert (not out2))] bot ) )

( ; the question
  (10 bot) (00 bot) (01 ((1 0) bot)) (11 bot)
  (20 bot) (02 bot) (03 ((2 0) bot)) (21 bot)
  ; the votes, the second participant's first
  (04 bot) (05 bot)
  (22 bot) (23 ((0 2) bot))
  (12 bot) (13 ((0 1) bot))
  (06 bot) (07 bot)
  ; the outcome
  (14 bot) (08 bot) (09 ((1 0) bot)) (15 bot) (16 bot)
  (24 bot) (0a bot) (0b ((2 0) bot)) (25 bot) (26 bot) )
