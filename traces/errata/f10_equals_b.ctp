; F10 'O(t_last) - O(t_first) = b' is no tighter than <= b: t_last may be later than everything.
; expect infinite: failure (well-formed)
; expect zero: failure (well-formed)
; check infinite: violated, data race, 1 switch
; check zero: violated, data race, 1 switch
; complete infinite: violated, 1 switch
; complete zero: violated, 1 switch
(shared [x 0]) (([c1 (x := 1)]) ([c2 (assert (= x 0))]))
( (c1 bot) (c2 bot) )
