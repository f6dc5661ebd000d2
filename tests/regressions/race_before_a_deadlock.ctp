; The exploration took longer steps once it had met the data race, and kept the choices that it had made for shorter ones.
; So it said that there is no deadlock.
; check infinite: safe, deadlock, data race
; check zero: safe, deadlock, data race
; check infinite --engine explore: safe, deadlock, data race
(shared [x 1] [y 1] [z 1])
(
  ( [00 (when (!= x 0))]
    [01 (z := z)]
    bot )
  ( [10 (when (> z 0) (z := (- z 1)))]
    [11 (y := 0)]
    [12 (x := 0)]
    bot )
  ( [20 (assume (= false (!= 1 y)))]
    bot )
)
