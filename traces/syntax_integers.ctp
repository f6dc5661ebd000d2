; Integers are decimal, with an optional sign and leading zeros: +5, 5 and 005 are one number (there is no octal), and so are
; -0, +0 and 0.  What is stored is the number, not its spelling.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: a = 5, b = -10, c = 0
( ( [00 (a := +005)] [01 (b := -0010)] [02 (c := -0)]
    [03 (assert (= a 5))] [04 (assert (= b (- 0 10)))] [05 (assert (= c +0))]
    [06 (assert (= (+ a b) -5))] [07 (assert (= 010 10))] bot ) )

( (00 bot) (01 bot) (02 bot) (03 bot) (04 bot) (05 bot) (06 bot) (07 bot) )
