; Lowering puts new expressions behind those of the program. The assumption was taken for one before the assertion, so
; that sat said that no execution fails.
; check infinite: violated
; check zero: violated
; check infinite --engine sat: violated
; check infinite --engine smt: violated
( ( [00 (assert (!= (ite true 0 (mod 0 0)) 0))]
    [01 (assume false)]
    bot ) )
