; F1 An execution fails at c1 and can never be completed: no feasible linearization (Section 3.2) exists at all.
; expect infinite: infeasible (well-formed); error entry 1: trace used up
; expect zero: infeasible (well-formed); error entry 1: trace used up
; check infinite: violated
; check zero: violated
(([c1 (assert false)] [c2 (assume false)]))
( (c1 bot) (c2 bot) )
( (c1 bot) )
