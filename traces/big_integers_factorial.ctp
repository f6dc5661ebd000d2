; A chain of messages multiplies 20! up to 25!, far beyond 64 bits, and the receiver divides it back.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: back = 2432902008176640000, f = 15511210043330985984000000, g = 1124000727777607680000
; matches infinite 1: rf = sg, rg = s20
( ( [00 (rcvi rf 0 f)] [01 (wait rf)] [02 (f := (* f (* 24 25)))]
    [03 (back := (div f (* 21 (* 22 (* 23 (* 24 25))))))]
    [04 (assert (= (mod f 6375600) 0))] [05 (assert (= back 2432902008176640000))] bot )
  ( [10 (rcvi rg 1 g)] [11 (wait rg)] [12 (sndi sg 1 0 (* g 23))] bot )
  ( [20 (sndi s20 2 1 (* 2432902008176640000 (* 21 22)))] bot ) )

( (20 bot) (10 bot) (11 ((1 2) bot)) (12 bot)
  (00 bot) (01 ((0 1) bot)) (02 bot) (03 bot) (04 bot) (05 bot) )
