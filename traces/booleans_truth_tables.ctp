; and, or, xor, => and not on all their operands, = and != on booleans: every line of every table is an assertion that holds.
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
( ( [a1 (assert (not (and false false)))] [a2 (assert (not (and false true)))]
    [a3 (assert (not (and true false)))]  [a4 (assert (and true true))]
    [o1 (assert (not (or false false)))]  [o2 (assert (or false true))]
    [o3 (assert (or true false))]         [o4 (assert (or true true))]
    [x1 (assert (not (xor false false)))] [x2 (assert (xor false true))]
    [x3 (assert (xor true false))]        [x4 (assert (not (xor true true)))]
    [i1 (assert (=> false false))]        [i2 (assert (=> false true))]
    [i3 (assert (not (=> true false)))]   [i4 (assert (=> true true))]
    [e1 (assert (= false false))]         [e2 (assert (not (= false true)))]
    [e3 (assert (not (= true false)))]    [e4 (assert (= true true))]
    [n1 (assert (not (!= false false)))]  [n2 (assert (!= false true))]
    [n3 (assert (!= true false))]         [n4 (assert (not (!= true true)))]
    [t1 (assert (not false))]             [t2 (assert (= (not true) false))] bot ) )

( (a1 bot) (a2 bot) (a3 bot) (a4 bot) (o1 bot) (o2 bot) (o3 bot) (o4 bot)
  (x1 bot) (x2 bot) (x3 bot) (x4 bot) (i1 bot) (i2 bot) (i3 bot) (i4 bot)
  (e1 bot) (e2 bot) (e3 bot) (e4 bot) (n1 bot) (n2 bot) (n3 bot) (n4 bot) (t1 bot) (t2 bot) )
