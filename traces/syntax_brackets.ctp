; Round and square brackets are interchangeable as long as each closes its own kind, anywhere in program and traces; the layout
; is free, a comment runs to the end of its line, and brackets in it do not count ;-) ]
; expect infinite: success (well-formed)
; expect zero: success (well-formed)
; check infinite: safe
; check zero: safe
; store infinite 1: x = 3, y = 6
[ [ (00 [rcvi r 0 x]) (01 [wait r])(02[y := [+ x (* 1 x)]])
    (03 (assert ; a comment in the middle :-( [
         [= y 6])) bot ]
  ( [10 [sndi s 1
              0   [+ 1 2]]] ) ]

[ (00 bot)[10 bot] [01 [[0 1]bot]](02 bot) [03
bot] ]
