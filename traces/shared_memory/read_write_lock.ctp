; A read-write lock: w is 1 while somebody writes, r is the number of readers. Two readers see one value of the pair x, y.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; complete infinite: safe
; complete zero: safe
(shared [w 0] [r 0] [x 0] [y 0])
( ( [a1 (when (and (= w 0) (= r 0)) (w := 1))] [a2 (x := 1)] [a3 (y := 1)] [a4 (w := 0)] bot )
  ( [b1 (when (= w 0) (r := (+ r 1)))] [b2 (b := x)] [b3 (assert (= b y))] [b4 (r := (- r 1))] bot )
  ( [c1 (when (= w 0) (r := (+ r 1)))] [c2 (c := x)] [c3 (assert (= c y))] [c4 (r := (- r 1))] bot ) )
( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b1 bot) (b2 bot) (b3 bot) (b4 bot) (c1 bot) (c2 bot) (c3 bot) (c4 bot) )
