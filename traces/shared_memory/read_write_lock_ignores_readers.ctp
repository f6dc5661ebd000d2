; read_write_lock.ctp, but the writer does not wait for the readers.
; expect infinite: failure (well-formed); error entry 5: trace used up
; expect zero: failure (well-formed); error entry 5: trace used up
; check infinite: violated, data race, 2 switches
; check zero: violated, data race, 2 switches
; complete infinite: violated, 2 switches
; complete zero: violated, 2 switches
(shared [w 0] [r 0] [x 0] [y 0])
( ( [a1 (when (= w 0) (w := 1))] [a2 (x := 1)] [a3 (y := 1)] [a4 (w := 0)] bot )
  ( [b1 (when (= w 0) (r := (+ r 1)))] [b2 (b := x)] [b3 (assert (= b y))] [b4 (r := (- r 1))] bot ) )
( (b1 bot) (b2 bot) (a1 bot) (a2 bot) (a3 bot) (a4 bot) (b3 bot) (b4 bot) )
( (b1 bot) (a1 bot) (a2 bot) (b2 bot) (b3 bot) )
