; Three threads use one barrier of two, the third one twice. Who comes is the a-th, counted from 0, and belongs to round a div 2. Any two
; of them may meet, so thread 0 may go on while thread 1 has not come.
; expect infinite: error entry 7: trace used up
; expect zero: error entry 7: trace used up
; check infinite: violated, deadlock, data race, 1 switch
; check zero: violated, deadlock, data race, 1 switch
; complete infinite: violated, 4 switches
; complete zero: violated, 4 switches
(shared [c 0] [x 0])
( ( [a1 (assume true (a0 := c) (c := (+ c 1)))] [a2 (when (>= c (* 2 (+ (div a0 2) 1))))] [a3 (assert (= x 1))] bot )
  ( [b1 (x := 1)] [b2 (assume true (a1 := c) (c := (+ c 1)))] [b3 (when (>= c (* 2 (+ (div a1 2) 1))))] bot )
  ( [d1 (assume true (a2 := c) (c := (+ c 1)))] [d2 (when (>= c (* 2 (+ (div a2 2) 1))))]
    [d3 (assume true (a2 := c) (c := (+ c 1)))] [d4 (when (>= c (* 2 (+ (div a2 2) 1))))] bot ) )
( (b1 bot) (b2 bot) (a1 bot) (a2 bot) (a3 bot) (b3 bot) (d1 bot) )
