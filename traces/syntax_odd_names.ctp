; An atom is a run of characters other than white space, brackets, ; and quotes.  x-1, 1x and a.b/c are variables (1x is no
; integer), a location may look like an operator, and an action may be called wait.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: 1x = 6, a.b/c = 3, x-1 = 3, |x'| = true
; matches infinite 1: wait = #1
( ( [+ (rcvi wait 0 x-1)] [- (wait wait)] [file.c:12 (1x := (* 2 x-1))]
    [:= (a.b/c := (- 1x x-1))] [<= (|x'| := (= a.b/c x-1))] [? (assert |x'|)] bot )
  ( [--> (sndi #1 1 0 3)] bot ) )

( (+ bot) (--> bot) (- ((0 1) bot)) (file.c:12 bot) (:= bot) (<= bot) (? bot) )
