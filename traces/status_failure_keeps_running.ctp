; A failed assertion is noted and the run goes on: the commands behind it still have their effects, messages included, and a
; second failed assertion changes nothing more.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated
; check zero: violated
; store infinite 1: x = 2, y = 2
; matches infinite 1: r = s
( ( [00 (x := 1)] [01 (assert (= x 2))] [02 (x := (+ x 1))] [03 (assert (= x 2))]
    [04 (sndi s 0 1 x)] [05 (assert (= x 1))] bot )
  ( [10 (rcvi r 1 y)] [11 (wait r)] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot) (04 bot) (05 bot) (10 bot) (11 ((1 0) bot)) )
