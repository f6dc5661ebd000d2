; Erratum E35: a failure is a property of complete runs (Definition 9, Lemma 3): the assertion at 00 fails, but the assumption at
; 01 lifts the run to infeasible, so no complete run fails.  The recorded program failed before it could take another branch.
; Here an execution fails when an assertion does, on the path.  No program with fewer commands shows this.
; expect infinite: infeasible (well-formed)
; expect zero: infeasible (well-formed)
; check infinite: violated
; check zero: violated
( ( [00 (assert false)] [01 (assume false)] bot ) )

( (00 bot) (01 bot) )
