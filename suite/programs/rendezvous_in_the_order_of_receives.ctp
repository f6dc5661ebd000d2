; With zero buffering S1 is sent behind the rendezvous of S0, so it comes to the later receive; with infinite buffering S0, from
; another endpoint, may come later than S1.
( ( [00 (sndi S0 0 1 1)] [01 (wait S0)] [02 (sndi S1 2 1 2)] [03 (wait S1)] bot )
  ( [10 (rcvi R0 1 x)] [11 (rcvi R1 1 y)] [12 (wait R0)] [13 (wait R1)] [14 (assert (= x 1))] bot ) )
