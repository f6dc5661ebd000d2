; A value that the assumption needs is written by thread 1, so the assumption holds only after that. It can fault before
; that, and the exploration did not look there.
; check infinite: vacuous, fault
; check zero: vacuous, fault
; check infinite --engine explore: vacuous, fault
(shared [x 0])
(
  ( [00 (assume (and (>= x 1) (< (div 0 x) 0)))]
    bot )
  ( [10 (x := 1)]
    [11 (when (< 0 x))]
    bot )
)
