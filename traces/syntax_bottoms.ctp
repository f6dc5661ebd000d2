; The bot that closes a thread or a list of movements may be left out, written bot, or written as the paper's ⊥.  An entry
; without movements has bot or ⊥ or an empty list.  Both traces are the same one, spelled differently.
; expect infinite: success (well-formed); success (well-formed)
; expect zero: success (well-formed); success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 1, y = 2
; store infinite 2: x = 1, y = 2
( ( [00 (rcvi r1 0 x)] [01 (wait r1)] [02 (rcvi r2 0 y)] [03 (wait r2)] )
  ( [10 (sndi s1 1 0 1)] [11 (sndi s2 1 0 2)] ⊥ ) )

( (00 bot) (10 ⊥)   (01 ((0 1) bot)) (02 ())    (11 (bot)) (03 ((0 1))) )
( (00 (⊥)) (10 bot) (01 ((0 1)))     (02 (bot)) (11 ⊥)     (03 ((0 1) ⊥)) )
